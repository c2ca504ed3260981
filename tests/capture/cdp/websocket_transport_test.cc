#include "capture/cdp/websocket_transport.h"

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace topodb::capture::cdp {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;
using ::testing::HasSubstr;

constexpr Millis kEnough{30'000};

// Accepts one connection on loopback and lets `serve` deal with it on a thread.
class OneShotServer {
 public:
  explicit OneShotServer(std::function<void(tcp::socket)> serve)
      : thread_([this, serve = std::move(serve)] {
          error_code error;
          tcp::socket socket(context_);
          acceptor_.accept(socket, error);
          if (!error) serve(std::move(socket));
        }) {}
  ~OneShotServer() {
    // Frees a thread that still waits for its client.
    error_code ignored;
    tcp::socket(context_).connect(acceptor_.local_endpoint(), ignored);
    thread_.join();
  }

  std::string Url() const {
    return "ws://127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port()) + "/devtools";
  }

 private:
  asio::io_context context_;
  tcp::acceptor acceptor_{context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  std::thread thread_;
};

// Waits until the client hangs up.
void DrainSocket(tcp::socket& socket) {
  error_code error;
  std::array<char, 4096> buffer{};
  while (!error) socket.read_some(asio::buffer(buffer), error);
}

TEST(WebSocketTransportTest, RefusesOtherUrls) {
  for (const auto* url : {"", "http://127.0.0.1:1/", "ws://127.0.0.1/", "wss://127.0.0.1:1/",
                          "ws://:1/", "ws://127.0.0.1:port/", "127.0.0.1:1"}) {
    SCOPED_TRACE(url);
    const auto transport = WebSocketTransport::Connect(url, kEnough);
    ASSERT_FALSE(transport);
    EXPECT_EQ(ErrorCode::kInvalidArgument, transport.error().code);
  }
}

TEST(WebSocketTransportTest, ANobodyListeningIsTheBrowserGone) {
  const auto transport = WebSocketTransport::Connect("ws://127.0.0.1:1/", kEnough);
  ASSERT_FALSE(transport);
  EXPECT_EQ(ErrorCode::kBrowserGone, transport.error().code);
}

TEST(WebSocketTransportTest, AHandshakeWithoutAnswerTimesOut) {
  OneShotServer server([](tcp::socket socket) { DrainSocket(socket); });
  const auto transport = WebSocketTransport::Connect(server.Url(), Millis{50});
  ASSERT_FALSE(transport);
  EXPECT_EQ(ErrorCode::kBrowserGone, transport.error().code);
  EXPECT_THAT(transport.error().message, HasSubstr("within 50 ms"));
}

TEST(WebSocketTransportTest, CarriesLargeMessagesBothWaysUnfragmented) {
  std::string host;
  bool whole = false;
  OneShotServer server([&](tcp::socket socket) {
    beast::flat_buffer buffer;
    beast::http::request<beast::http::string_body> upgrade;
    beast::http::read(socket, buffer, upgrade);
    host = upgrade[beast::http::field::host];
    websocket::stream<tcp::socket> peer(std::move(socket));
    peer.read_message_max(64U << 20U);
    peer.accept(upgrade);
    // One frame holds it all: the peer can tell before it has read the last byte.
    std::string message(20'000'000, '\0');
    error_code error;
    size_t have = 0;
    bool first_frame_is_last = true;
    while (!error && have < message.size()) {
      have += peer.read_some(asio::buffer(message.data() + have, message.size() - have), error);
      first_frame_is_last =
          first_frame_is_last && (peer.is_message_done() == (have == message.size()));
    }
    whole = !error && first_frame_is_last;
    peer.text(true);
    peer.write(asio::buffer(message), error);
    beast::flat_buffer rest;
    peer.read(rest, error);  // until the client goes
  });
  {
    auto transport = WebSocketTransport::Connect(server.Url(), kEnough);
    ASSERT_TRUE(transport) << transport.error().message;
    const std::string message(20'000'000, 'x');
    ASSERT_TRUE((*transport)->Send(message));
    const auto echo = (*transport)->Receive();
    ASSERT_TRUE(echo) << echo.error().message;
    EXPECT_TRUE(message == *echo);
    EXPECT_TRUE(whole);
    EXPECT_THAT(server.Url(), HasSubstr("ws://" + host + "/"));
  }
}

TEST(WebSocketTransportTest, ManyMessagesKeepTheirOrder) {
  constexpr int kCount = 500;
  OneShotServer server([](tcp::socket socket) {
    websocket::stream<tcp::socket> peer(std::move(socket));
    error_code error;
    peer.accept(error);
    while (!error) {
      beast::flat_buffer buffer;
      peer.read(buffer, error);
      if (!error) peer.write(buffer.data(), error);
    }
  });
  auto transport = WebSocketTransport::Connect(server.Url(), kEnough);
  ASSERT_TRUE(transport);
  for (int i = 0; i < kCount; ++i) ASSERT_TRUE((*transport)->Send(std::to_string(i)));
  for (int i = 0; i < kCount; ++i) {
    EXPECT_EQ(std::to_string(i), (*transport)->Receive().value_or("none"));
  }
}

TEST(WebSocketTransportTest, CloseFreesTheReaderAndStaysClosed) {
  OneShotServer server([](tcp::socket socket) {
    websocket::stream<tcp::socket> peer(std::move(socket));
    error_code error;
    peer.accept(error);
    DrainSocket(peer.next_layer());
  });
  auto connected = WebSocketTransport::Connect(server.Url(), kEnough);
  ASSERT_TRUE(connected);
  auto& transport = **connected;
  std::thread closer([&] { transport.Close(); });
  for (int i = 0; i < 2; ++i) {
    const auto message = transport.Receive();
    ASSERT_FALSE(message);
    EXPECT_EQ(ErrorCode::kBrowserGone, message.error().code);
  }
  closer.join();
  transport.Close();
  const auto sent = transport.Send("late");
  ASSERT_FALSE(sent);
  EXPECT_EQ(ErrorCode::kBrowserGone, sent.error().code);
}

// A frame cut at any byte, header included, is no message.
TEST(WebSocketTransportTest, AConnectionCutAnywhereIsTheBrowserGone) {
  const std::string frame = std::string("\x81\x05", 2) + "hello";
  for (size_t length = 0; length <= frame.size(); ++length) {
    SCOPED_TRACE(length);
    OneShotServer server([&](tcp::socket socket) {
      websocket::stream<tcp::socket> peer(std::move(socket));
      error_code error;
      peer.accept(error);
      asio::write(peer.next_layer(), asio::buffer(frame.data(), length), error);
      peer.next_layer().shutdown(tcp::socket::shutdown_send, error);
      DrainSocket(peer.next_layer());
    });
    auto transport = WebSocketTransport::Connect(server.Url(), kEnough);
    ASSERT_TRUE(transport);
    if (length == frame.size()) {
      EXPECT_EQ("hello", (*transport)->Receive().value_or("none"));
    }
    const auto message = (*transport)->Receive();
    ASSERT_FALSE(message);
    EXPECT_EQ(ErrorCode::kBrowserGone, message.error().code);
  }
}

}  // namespace
}  // namespace topodb::capture::cdp
