#pragma once

#include <string>

#include "query/script/recorded_way.h"
#include "query/script/script.h"
#include "schema/base/result.h"

namespace topodb::script {

// The script as a recording of the DevTools Recorder, which @puppeteer/replay runs too. Only
// selectors that found exactly the target when it was recorded are written: a recording acts on
// whatever one of them matches. `way`: what the script was made of; where its elements stood. Pure.
// kInvalidArgument: a variable, which recordings do not have; a step in a frame, without such a
// selector, or that presses a key.
Result<std::string> ToRecorder(const Script& script, const RecordedWay& way);

}  // namespace topodb::script
