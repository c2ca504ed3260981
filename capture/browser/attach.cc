#include <chrono>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "capture/browser/child_process.h"
#include "capture/browser/launcher.h"
#include "capture/browser/profile_dir.h"
#include "capture/cdp/protocol/browser.h"
#include "capture/cdp/websocket_transport.h"
#include "capture/guard/scope.h"
#include "capture/guard/url_parts.h"

namespace topodb::capture {
namespace {

using SteadyClock = std::chrono::steady_clock;

Status CheckEndpoint(std::string_view endpoint, bool allow_remote) {
  const UrlParts parts = SplitUrl(endpoint);
  if (allow_remote || ClassifyHost(parts.host) == AddressClass::kLoopback) return {};
  return Error{ErrorCode::kInvalidArgument, fmt::format("'{}' is not on this machine", endpoint),
               "add --connect-remote if that browser is really meant"};
}

}  // namespace

Result<std::unique_ptr<Browser>> Browser::Attach(const AttachOptions& options) {
  const auto deadline = SteadyClock::now() + options.timeout;
  const auto left = [&] { return std::chrono::ceil<Millis>(deadline - SteadyClock::now()); };
  const auto missing = [&](const Error& why) {
    return Error{ErrorCode::kBrowserMissing,
                 fmt::format("no browser to attach to at '{}': {}", options.endpoint, why.message),
                 "start one with --remote-debugging-port=9222"};
  };
  auto browser = std::unique_ptr<Browser>(new Browser);
  browser->websocket_url_ = options.endpoint;
  TOPODB_TRY_VOID(CheckEndpoint(options.endpoint, options.allow_remote));
  if (options.endpoint.starts_with("http:")) {
    auto found = cdp::FindWebSocketUrl(options.endpoint, left());
    if (!found && found.error().code == ErrorCode::kInvalidArgument) return found.error();
    if (!found) return missing(found.error());
    browser->websocket_url_ = *std::move(found);
    TOPODB_TRY_VOID(CheckEndpoint(browser->websocket_url_, options.allow_remote));
  }
  auto transport = cdp::WebSocketTransport::Connect(browser->websocket_url_, left());
  if (!transport && transport.error().code == ErrorCode::kInvalidArgument) return transport.error();
  if (!transport) return missing(transport.error());
  browser->connection_ =
      std::make_unique<cdp::Connection>(*std::move(transport), options.connection);
  const auto version = browser->connection().root().Call(cdp::browser::GetVersion{}, left());
  if (!version) return missing(version.error());
  browser->version_ = version->product;
  return browser;
}

}  // namespace topodb::capture
