#pragma once

#include "capture/cdp/json.h"
#include "capture/cdp/protocol/runtime.h"

namespace topodb::capture::cdp::runtime {

// Shared by the domains whose replies hold a Runtime.RemoteObject.
RemoteObject ReadRemoteObject(Fields fields);

}  // namespace topodb::capture::cdp::runtime
