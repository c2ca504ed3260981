#pragma once

#include <cstdint>

#include "capture/browser/clock.h"
#include "capture/cdp/session.h"
#include "schema/base/result.h"

namespace topodb::capture {

struct ThreadPatience {
  Millis script;  // for a script that runs on
  Millis any;     // for anything; laying out 100,000 links takes seconds, too
};

enum class ThreadState : uint8_t {
  kIdle,
  kBusy,  // it answered, but had to finish something first
};

// Asks the page's thread for a sign of life. kTimeout when it gives none: the message says what it
// is busy with, and a script is ended, because it would keep the page from being left.
Result<ThreadState> CheckThread(cdp::Session& session, const ThreadPatience& patience);

}  // namespace topodb::capture
