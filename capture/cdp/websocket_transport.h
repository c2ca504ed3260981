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

}  // namespace topodb::capture::cdp
