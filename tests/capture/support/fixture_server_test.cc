#include "tests/support/fixture_server.h"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <gtest/gtest.h>

#include "tests/support/temp_directory.h"

namespace topodb::testing {
namespace {

namespace asio = boost::asio;
namespace fs = std::filesystem;
namespace http = boost::beast::http;
using capture::Millis;

constexpr Millis kEnough{30'000};

// A client that sends what it is told to, request line included.
class Client {
 public:
  explicit Client(uint16_t port) { socket_.connect({asio::ip::address_v4::loopback(), port}); }

  void Send(const std::string& method, const std::string& target, const std::string& body = {}) {
    http::request<http::string_body> request{http::string_to_verb(method), target, 11};
    request.set(http::field::host, "127.0.0.1");
    request.set("X-Test", "yes");
    request.body() = body;
    request.prepare_payload();
    http::write(socket_, request);
  }
  http::response<http::string_body> Read() {
    http::response<http::string_body> response;
    http::read(socket_, buffer_, response);
    return response;
  }
  http::response<http::string_body> Get(const std::string& target) {
    Send("GET", target);
    return Read();
  }

 private:
  asio::io_context context_;
  asio::ip::tcp::socket socket_{context_};
  boost::beast::flat_buffer buffer_;
};

void Write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

TEST(FixtureServerTest, ServesFilesBelowItsRootOnly) {
  TempDirectory folder;
  Write(folder.path() / "secret.txt", "secret");
  Write(folder.path() / "root/index.html", "home");
  Write(folder.path() / "root/sub/index.html", "sub");
  Write(folder.path() / "root/a b.js", "script");
  fs::create_symlink(folder.path() / "secret.txt", folder.path() / "root/link.txt");
  FixtureServer server(folder.path() / "root");
  Client client(server.port());
  struct Case {
    std::string target, want_type, want_body;  // no type: not found
  };
  const Case kCases[] = {
      {"/", "text/html; charset=utf-8", "home"},
      {"/index.html?x=1", "text/html; charset=utf-8", "home"},
      {"/sub/", "text/html; charset=utf-8", "sub"},
      {"/sub/../index.html", "text/html; charset=utf-8", "home"},
      {"/a%20b.js", "text/javascript; charset=utf-8", "script"},
      {"/absent", "", ""},
      {"/../secret.txt", "", ""},
      {"/%2e%2e/secret.txt", "", ""},
      {"/sub/..%2f..%2fsecret.txt", "", ""},
      {"/link.txt", "", ""},
      {"/index.html%00.js", "", ""},
      {"//etc/passwd", "", ""},
  };
  for (const auto& c : kCases) {
    SCOPED_TRACE(c.target);
    const auto response = client.Get(c.target);
    EXPECT_EQ(c.want_type.empty() ? 404U : 200U, response.result_int());
    if (c.want_type.empty()) continue;
    EXPECT_EQ(c.want_type, response[http::field::content_type]);
    EXPECT_EQ(c.want_body, response.body());
  }
}

TEST(FixtureServerTest, AsksHandlersAndRecordsWhatCame) {
  FixtureServer server;
  server.Handle("/api x", [](const HttpRequest& request) {
    return HttpResponse{.status = 201,
                        .content_type = "text/plain",
                        .body = request.method + request.query + request.body,
                        .headers = {{"X-Answer", request.Header("x-test")}}};
  });
  server.Handle("/old", [](const HttpRequest&) { return HttpResponse::Redirect("/new"); });
  Client client(server.port());
  client.Send("POST", "/api%20x?q=%20", "body");
  const auto response = client.Read();
  EXPECT_EQ(201U, response.result_int());
  EXPECT_EQ("POSTq=%20body", response.body());
  EXPECT_EQ("yes", response["X-Answer"]);
  const auto moved = client.Get("/old");
  EXPECT_EQ(302U, moved.result_int());
  EXPECT_EQ("/new", moved[http::field::location]);

  const auto requests = server.requests();
  ASSERT_EQ(2U, requests.size());
  EXPECT_EQ("/api%20x?q=%20", requests[0].target);
  EXPECT_EQ("/api x", requests[0].path);
  EXPECT_EQ("body", requests[0].body);
  EXPECT_EQ(1U, server.CountRequests("GET", "/old"));
  EXPECT_EQ(0U, server.CountRequests("POST", "/old"));
  server.ForgetRequests();
  EXPECT_TRUE(server.requests().empty());
}

TEST(FixtureServerTest, ASlowAnswerHoldsUpNobody) {
  FixtureServer server;
  server.HandleLater("/slow", Millis{50},
                     [](const HttpRequest&) { return HttpResponse{.body = "late"}; });
  server.HandlePage("/fast", "soon");
  Client slow(server.port());
  slow.Send("GET", "/slow");
  EXPECT_TRUE(server.WaitForRequest("GET", "/slow", kEnough));
  EXPECT_EQ("soon", Client(server.port()).Get("/fast").body());
  EXPECT_EQ("late", slow.Read().body());
}

TEST(FixtureServerTest, EndsWithRequestsUnanswered) {
  std::optional<FixtureServer> server(std::in_place);
  server->NeverAnswer("/hang");
  Client client(server->port());
  client.Send("GET", "/hang");
  EXPECT_TRUE(server->WaitForRequest("GET", "/hang", kEnough));
  EXPECT_FALSE(server->WaitForRequest("GET", "/other", Millis{1}));
  server.reset();
  EXPECT_THROW(client.Read(), boost::system::system_error);
}

TEST(FixtureServerTest, NamesItsUrls) {
  const FixtureServer server;
  const auto port = std::to_string(server.port());
  EXPECT_EQ("http://127.0.0.1:" + port + "/a", server.Url("/a"));
  EXPECT_EQ("http://localhost:" + port + "/", server.Url("/", "localhost"));
}

}  // namespace
}  // namespace topodb::testing
