#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "capture/browser/clock.h"
#include "capture/cdp/transport.h"

namespace topodb::capture::cdp {

// A WebSocket to a browser's DevTools endpoint, with the settings Chromium needs: outgoing
// messages unfragmented, large incoming ones allowed, no compression, no Nagle delay.
class WebSocketTransport final : public Transport {
 public:
  // `ws_url` is ws://host:port/path. kInvalidArgument for any other form; kBrowserGone when no
  // WebSocket is established within `timeout`.
  static Result<std::unique_ptr<WebSocketTransport>> Connect(std::string_view ws_url,
                                                             Millis timeout);
  ~WebSocketTransport() override;
  WebSocketTransport(const WebSocketTransport&) = delete;
  WebSocketTransport& operator=(const WebSocketTransport&) = delete;

  Status Send(std::string message) override;
  Result<std::string> Receive() override;
  void Close() override;

 private:
  class Impl;
  explicit WebSocketTransport(std::shared_ptr<Impl> impl);
  std::shared_ptr<Impl> impl_;
};

// The address of the WebSocket that a browser's DevTools server at `http_url` (http://host:port)
// names as its own; Connect() takes it. kInvalidArgument for any other form; kBrowserGone when
// no such server answers within `timeout`.
Result<std::string> FindWebSocketUrl(std::string_view http_url, Millis timeout);

}  // namespace topodb::capture::cdp
