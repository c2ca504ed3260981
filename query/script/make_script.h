#pragma once

#include <string_view>

#include "query/script/recorded_way.h"
#include "query/script/script.h"
#include "schema/base/result.h"

// A recorded path -> a script that may be published, or why there is none. Pure.
namespace topodb::script {

// `guard` names the landmark that proves the end of the path: the beginning of its id,
// `role "name"`, or its locator's expression; none is ever picked for the author. Secrets, and the
// places of files, become variables.
// kInvalidArgument, each with what to do: no guard, one that is not there, has no name or proves
// nothing; a step without a verified record. kAmbiguous: several landmarks are named so.
Result<Script> MakeScript(const RecordedWay& way, std::string_view guard);

// kInvalidArgument unless a landmark with a verified record and a name is waited for after the last
// action: only then does the end of the script prove anything.
Status CheckGuard(const Script& script);

}  // namespace topodb::script
