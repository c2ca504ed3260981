#pragma once

#include "capture/cdp/json.h"
#include "capture/cdp/protocol/network.h"

namespace topodb::capture::cdp::network {

// Shared by the domains whose events hold a Network.Request.
Request ReadRequest(Fields fields);

}  // namespace topodb::capture::cdp::network
