#include "capture/cdp/websocket_transport.h"

#include <atomic>
#include <deque>
#include <optional>
#include <utility>

#include <boost/asio/connect.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <fmt/format.h>

#include "capture/cdp/json.h"

namespace topodb::capture::cdp {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;

constexpr size_t kMaxMessageBytes = size_t{256} << 20U;  // what Chromium sends at most
constexpr size_t kWriteBufferBytes = size_t{64} << 10U;

struct Endpoint {
  std::string host, port, authority, path;
};

// `form`: what an address looks like, "scheme://…".
Result<Endpoint> ParseEndpoint(std::string_view address, std::string_view form) {
  const auto url = boost::urls::parse_uri(address);
  if (!url || url->scheme() != form.substr(0, form.find(':')) || url->port_number() == 0 ||
      url->host().empty()) {
    return Error{
        ErrorCode::kInvalidArgument, fmt::format("'{}' is not of the form {}", address, form), {}};
  }
  const std::string path(url->encoded_resource());
  return Endpoint{.host = url->host_address(),
                  .port = std::string(url->port()),
                  .authority = std::string(url->encoded_host_and_port()),
                  .path = path.empty() ? "/" : path};
}

Error Gone(std::string_view what) {
  return Error{ErrorCode::kBrowserGone, fmt::format("lost the browser: {}", what), {}};
}

// One GET, answered within `timeout`.
Result<std::string> Get(const Endpoint& endpoint, const std::string& path, Millis timeout) {
  namespace http = beast::http;
  asio::io_context context;
  asio::ip::tcp::resolver resolver(context);
  asio::ip::tcp::socket socket(context);
  http::request<http::empty_body> request(http::verb::get, path, 11);
  request.set(http::field::host, endpoint.authority);
  beast::flat_buffer buffer;
  http::response<http::string_body> response;
  std::optional<error_code> outcome;
  const auto unless = [&](error_code error, const auto& next) {
    if (error) {
      outcome = error;
    } else {
      next();
    }
  };
  const auto read = [&] {
    http::async_read(socket, buffer, response, [&](error_code error, size_t) { outcome = error; });
  };
  const auto write = [&] {
    http::async_write(socket, request, [&](error_code error, size_t) { unless(error, read); });
  };
  resolver.async_resolve(endpoint.host, endpoint.port, [&](error_code error, auto addresses) {
    unless(error, [&] {
      asio::async_connect(socket, addresses,
                          [&](error_code failed, const auto&) { unless(failed, write); });
    });
  });
  context.run_for(timeout);
  if (!outcome) return Gone(fmt::format("no answer within {} ms", timeout.count()));
  if (*outcome) return Gone(outcome->message());
  if (response.result() != http::status::ok) {
    return Gone(fmt::format("it answers with status {}", response.result_int()));
  }
  return std::move(response.body());
}

}  // namespace

// All members but `closed` belong to the thread that runs `context`: first Connect(), then
// Receive(). Other threads reach them by posting.
class WebSocketTransport::Impl {
 public:
  Status Open(const Endpoint& endpoint, Millis timeout);
  void QueueSend(std::string message);
  Result<std::string> Receive();

  asio::io_context context;
  std::atomic<bool> closed = false;

 private:
  void WriteNext();
  void ReadNext();

  std::optional<asio::executor_work_guard<asio::io_context::executor_type>> busy_;
  websocket::stream<asio::ip::tcp::socket> socket_{context};
  beast::flat_buffer incoming_;
  bool reading_ = false;
  std::optional<std::string> received_;
  std::deque<std::string> outgoing_;  // the first one is being written
  std::optional<Error> broken_;
};

Status WebSocketTransport::Impl::Open(const Endpoint& endpoint, Millis timeout) {
  asio::ip::tcp::resolver resolver(context);
  std::optional<error_code> outcome;
  const auto shake_hands = [&](error_code error, const auto&) {
    if (!error) socket_.next_layer().set_option(asio::ip::tcp::no_delay(true), error);
    if (error) {
      outcome = error;
      return;
    }
    // Chromium answers only a Host that is an address or localhost.
    socket_.async_handshake(endpoint.authority, endpoint.path,
                            [&](error_code handshake_error) { outcome = handshake_error; });
  };
  resolver.async_resolve(endpoint.host, endpoint.port, [&](error_code error, auto addresses) {
    if (error) {
      outcome = error;
    } else {
      asio::async_connect(socket_.next_layer(), addresses, shake_hands);
    }
  });
  context.run_for(timeout);
  if (!outcome) return Gone(fmt::format("no WebSocket within {} ms", timeout.count()));
  if (*outcome) return Gone(outcome->message());
  // A context that runs out of work stops for good.
  context.restart();
  busy_.emplace(context.get_executor());

  socket_.auto_fragment(false);  // Chromium refuses fragmented messages
  socket_.read_message_max(kMaxMessageBytes);
  socket_.write_buffer_bytes(kWriteBufferBytes);
  socket_.text(true);
  return {};
}

void WebSocketTransport::Impl::QueueSend(std::string message) {
  outgoing_.push_back(std::move(message));
  if (outgoing_.size() == 1) WriteNext();
}

void WebSocketTransport::Impl::WriteNext() {
  socket_.async_write(asio::buffer(outgoing_.front()), [this](error_code error, size_t) {
    if (error) {
      if (!broken_) broken_ = Gone(error.message());
      return;
    }
    outgoing_.pop_front();
    if (!outgoing_.empty()) WriteNext();
  });
}

void WebSocketTransport::Impl::ReadNext() {
  reading_ = true;
  socket_.async_read(incoming_, [this](error_code error, size_t) {
    reading_ = false;
    if (error) {
      if (!broken_) broken_ = Gone(error.message());
      return;
    }
    const auto data = incoming_.cdata();
    received_.emplace(static_cast<const char*>(data.data()), data.size());
    incoming_.consume(incoming_.size());
    if (incoming_.capacity() > (size_t{1} << 20U)) incoming_.shrink_to_fit();
  });
}

Result<std::string> WebSocketTransport::Impl::Receive() {
  if (!reading_ && !broken_) ReadNext();
  // A posted Close() or a failed write ends the wait as a message does.
  while (!received_ && !broken_ && !closed) context.run_one();
  if (received_) return *std::exchange(received_, std::nullopt);
  if (!broken_) broken_ = Gone("the connection was closed");
  error_code ignored;
  socket_.next_layer().close(ignored);
  return *broken_;
}

WebSocketTransport::WebSocketTransport(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

WebSocketTransport::~WebSocketTransport() = default;

Result<std::unique_ptr<WebSocketTransport>> WebSocketTransport::Connect(std::string_view ws_url,
                                                                        Millis timeout) {
  TOPODB_TRY(const auto endpoint, ParseEndpoint(ws_url, "ws://host:port/path"));
  auto impl = std::make_shared<Impl>();
  TOPODB_TRY_VOID(impl->Open(endpoint, timeout));
  return std::unique_ptr<WebSocketTransport>(new WebSocketTransport(std::move(impl)));
}

Status WebSocketTransport::Send(std::string message) {
  if (impl_->closed) return Gone("the connection was closed");
  asio::post(impl_->context, [impl = impl_.get(), text = std::move(message)]() mutable {
    impl->QueueSend(std::move(text));
  });
  return {};
}

Result<std::string> WebSocketTransport::Receive() { return impl_->Receive(); }

void WebSocketTransport::Close() {
  if (impl_->closed.exchange(true)) return;
  asio::post(impl_->context, [] {});  // wakes Receive()
}

Result<std::string> FindWebSocketUrl(std::string_view http_url, Millis timeout) {
  TOPODB_TRY(const auto endpoint, ParseEndpoint(http_url, "http://host:port"));
  TOPODB_TRY(const auto answer, Get(endpoint, "/json/version", timeout));
  Fields fields(answer, "/json/version");
  return fields.Finish(fields.String("webSocketDebuggerUrl"));
}

}  // namespace topodb::capture::cdp
