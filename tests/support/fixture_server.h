#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/browser/clock.h"

namespace topodb::testing {

struct HttpRequest {
  std::string method;
  std::string target;  // as sent: "/a%20b?x=1"
  std::string path;    // decoded, without the query: "/a b"
  std::string query;   // behind '?', as sent
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;

  // The value of the first header of that name, any case; empty when there is none.
  std::string Header(std::string_view name) const;
};

struct HttpResponse {
  unsigned status = 200;
  std::string content_type = "text/html; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers = {};

  static HttpResponse Redirect(std::string location, unsigned status = 302);
};

using HttpHandler = std::function<HttpResponse(const HttpRequest&)>;

// The n-th message of a stream; nullopt: none from here on, the stream stays open.
using Messages = std::function<std::optional<std::string>(size_t n)>;

// An HTTP/1.1 server on 127.0.0.1, on a port of its own, from construction to destruction. Serves
// handlers first, then the files below `root`; anything else is 404. Records every request.
// Thread-safe; handlers run on the server's thread, one at a time, and must not wait.
class FixtureServer {
 public:
  FixtureServer();                                     // handlers only
  explicit FixtureServer(std::filesystem::path root);  // files too; "/dir/" means index.html
  ~FixtureServer();                                    // open connections are cut
  FixtureServer(const FixtureServer&) = delete;
  FixtureServer& operator=(const FixtureServer&) = delete;

  uint16_t port() const;
  // "http://127.0.0.1:PORT" + path. Another host makes another origin of the same server.
  std::string Url(std::string_view path, std::string_view host = "127.0.0.1") const;

  // For every method on exactly this (decoded) path; a later handler replaces an earlier one.
  void Handle(std::string path, HttpHandler handler);
  void HandlePage(std::string path, std::string html);
  // Answers `delay` after the request came, without holding up other requests.
  void HandleLater(std::string path, capture::Millis delay, HttpHandler handler);
  // An event stream, or a WebSocket, that says one message every `gap`, whatever it hears.
  void HandleEventStream(std::string path, capture::Millis gap, Messages messages);
  void HandleSocket(std::string path, capture::Millis gap, Messages messages);
  // Accepts requests and never answers.
  void NeverAnswer(std::string path);

  // In the order of arrival.
  std::vector<HttpRequest> requests() const;
  size_t CountRequests(std::string_view method, std::string_view path) const;
  void ForgetRequests();
  // Waits until such a request has come; false when none did within `timeout`.
  bool WaitForRequest(std::string_view method, std::string_view path,
                      capture::Millis timeout) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace topodb::testing
