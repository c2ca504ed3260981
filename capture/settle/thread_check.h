#pragma once

#include "capture/browser/clock.h"
#include "capture/cdp/session.h"
#include "schema/base/result.h"

namespace topodb::capture {

struct ThreadPatience {
  Millis script;  // for a script that runs on
  Millis any;     // for anything; laying out 100,000 links takes seconds, too
};

// Asks the page's thread for a sign of life. kTimeout when it gives none: the message says what it
// is busy with, and a script is ended, because it would keep the page from being left.
Status CheckThread(cdp::Session& session, const ThreadPatience& patience);

}  // namespace topodb::capture
