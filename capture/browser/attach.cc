#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/child_process.h"
#include "capture/browser/launcher.h"
#include "capture/browser/profile_dir.h"
#include "capture/cdp/websocket_transport.h"
#include "capture/guard/scope.h"
#include "capture/guard/url_parts.h"

namespace topodb::capture {
namespace {

using SteadyClock = std::chrono::steady_clock;

Status CheckEndpoint(std::string_view endpoint, const AttachOptions& options) {
  const UrlParts parts = SplitUrl(endpoint);
  if (options.allow_remote || ClassifyHost(parts.host) == AddressClass::kLoopback) return {};
  return Error{ErrorCode::kInvalidArgument, fmt::format("'{}' is not on this machine", endpoint),
               "add --connect-remote if that browser is really meant"};
}

// A wrong address stays that; whatever else went wrong means that no browser is there.
Error NoBrowser(const AttachOptions& options, const Error& why) {
  if (why.code == ErrorCode::kInvalidArgument) return why;
  return Error{ErrorCode::kBrowserMissing,
               fmt::format("no browser to attach to at '{}': {}", options.endpoint, why.message),
               "start one with --remote-debugging-port=9222"};
}

}  // namespace

Result<std::unique_ptr<Browser>> Browser::Attach(const AttachOptions& options) {
  const auto deadline = SteadyClock::now() + options.timeout;
  auto browser = std::unique_ptr<Browser>(new Browser);
  browser->websocket_url_ = options.endpoint;
  TOPODB_TRY_VOID(CheckEndpoint(options.endpoint, options));
  if (options.endpoint.starts_with("http:")) {
    auto found = cdp::FindWebSocketUrl(options.endpoint, options.timeout);
    if (!found) return NoBrowser(options, found.error());
    browser->websocket_url_ = *std::move(found);
    TOPODB_TRY_VOID(CheckEndpoint(browser->websocket_url_, options));
  }
  const Status connected = browser->Connect(options.connection, deadline);
  if (!connected) return NoBrowser(options, connected.error());
  return browser;
}

}  // namespace topodb::capture
