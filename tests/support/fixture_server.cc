#include "tests/support/fixture_server.h"

#include <condition_variable>
#include <fstream>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <thread>
#include <type_traits>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

namespace topodb::testing {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace fs = std::filesystem;
namespace http = beast::http;
namespace websocket = beast::websocket;
using asio::ip::tcp;
using boost::system::error_code;
using capture::Millis;

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string PercentDecode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '%' && i + 2 < text.size() && HexDigit(text[i + 1]) >= 0 &&
                        HexDigit(text[i + 2]) >= 0;
    decoded +=
        escape ? static_cast<char>(HexDigit(text[i + 1]) * 16 + HexDigit(text[i + 2])) : text[i];
    if (escape) i += 2;
  }
  return decoded;
}

std::string ContentType(const fs::path& file) {
  static const std::map<std::string, std::string> kTypes = {
      {".html", "text/html; charset=utf-8"},
      {".htm", "text/html; charset=utf-8"},
      {".js", "text/javascript; charset=utf-8"},
      {".mjs", "text/javascript; charset=utf-8"},
      {".css", "text/css; charset=utf-8"},
      {".json", "application/json"},
      {".map", "application/json"},
      {".svg", "image/svg+xml"},
      {".png", "image/png"},
      {".jpg", "image/jpeg"},
      {".gif", "image/gif"},
      {".webp", "image/webp"},
      {".ico", "image/x-icon"},
      {".woff", "font/woff"},
      {".woff2", "font/woff2"},
      {".ttf", "font/ttf"},
      {".txt", "text/plain; charset=utf-8"},
      {".xhtml", "application/xhtml+xml"},
      {".xml", "application/xml"},
      {".wasm", "application/wasm"},
      {".pdf", "application/pdf"},
  };
  const auto found = kTypes.find(file.extension().string());
  return found == kTypes.end() ? "application/octet-stream" : found->second;
}

HttpResponse NotFound() { return {.status = 404, .body = "<h1>Not found</h1>"}; }

// The file that `path` names below `root`, symbolic links resolved; nothing outside is served.
HttpResponse ServeFile(const fs::path& root, const std::string& path) {
  if (root.empty() || path.find('\0') != std::string::npos) return NotFound();
  std::error_code error;
  auto file = fs::weakly_canonical(root / fs::path(path).relative_path(), error);
  if (!error && fs::is_directory(file, error)) file /= "index.html";
  const auto inside = file.lexically_relative(root);
  if (inside.empty() || *inside.begin() == ".." || !fs::is_regular_file(file, error)) {
    return NotFound();
  }
  std::ifstream stream(file, std::ios::binary);
  std::stringstream body;
  body << stream.rdbuf();
  return {.content_type = ContentType(file), .body = body.str()};
}

enum class StreamKind { kNone, kEvents, kSocket };

struct Route {
  HttpHandler handler;  // empty: never answers
  Millis delay{0};      // before the answer, or between messages
  StreamKind stream = StreamKind::kNone;
  Messages messages = {};
};

}  // namespace

std::string HttpRequest::Header(std::string_view name) const {
  for (const auto& [key, value] : headers) {
    if (beast::iequals(key, name)) return value;
  }
  return {};
}

HttpResponse HttpResponse::Redirect(std::string location, unsigned status) {
  return {.status = status, .body = {}, .headers = {{"Location", std::move(location)}}};
}

class FixtureServer::Impl {
 public:
  explicit Impl(fs::path root);
  ~Impl();

  void SetRoute(std::string path, Route route);
  void Record(HttpRequest request);
  std::optional<Route> FindRoute(const std::string& path) const;

  const fs::path root_;
  asio::io_context context_;
  tcp::acceptor acceptor_;
  mutable std::mutex mutex_;
  mutable std::condition_variable arrived_;
  std::map<std::string, Route> routes_;
  std::vector<HttpRequest> requests_;

 private:
  class Exchange;
  void Accept();
  std::thread thread_;
};

// A connection that turned into a stream of messages; ends when the client goes away.
template <class Stream>
class Speaker : public std::enable_shared_from_this<Speaker<Stream>> {
 public:
  Speaker(Stream stream, asio::io_context& context, Millis gap, Messages messages)
      : stream_(std::move(stream)), timer_(context), gap_(gap), messages_(std::move(messages)) {}

  Stream& stream() { return stream_; }

  void Next() {
    timer_.expires_after(gap_);
    timer_.async_wait([self = this->shared_from_this()](error_code error) {
      if (!error) self->Say();
    });
  }

 private:
  void Say() {
    const auto message = messages_(said_++);
    if (!message) return Listen();
    const auto then = [self = this->shared_from_this()](error_code error, size_t) {
      if (!error) self->Next();
    };
    if constexpr (std::is_same_v<Stream, tcp::socket>) {
      text_ = "data: " + *message + "\n\n";
      asio::async_write(stream_, asio::buffer(text_), then);
    } else {
      text_ = *message;
      stream_.async_write(asio::buffer(text_), then);
    }
  }

  void Listen() {
    beast::get_lowest_layer(stream_).async_wait(tcp::socket::wait_read,
                                                [self = this->shared_from_this()](error_code) {});
  }

  Stream stream_;
  asio::steady_timer timer_;
  const Millis gap_;
  const Messages messages_;
  size_t said_ = 0;
  std::string text_;
};

// One connection: reads a request, answers it, and so on until either side closes.
class FixtureServer::Impl::Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(Impl& server, tcp::socket socket)
      : server_(server), socket_(std::move(socket)), timer_(server.context_) {}

  void Read() {
    parser_.emplace();
    parser_->body_limit(boost::none);
    http::async_read(socket_, buffer_, *parser_,
                     [self = shared_from_this()](error_code error, size_t) {
                       if (!error) self->Dispatch();
                     });
  }

 private:
  void Dispatch() {
    auto& message = parser_->get();
    HttpRequest request{.method = std::string(message.method_string()),
                        .target = std::string(message.target()),
                        .path = {},
                        .query = {},
                        .headers = {},
                        .body = std::move(message.body())};
    const auto question = request.target.find('?');
    request.path = PercentDecode(std::string_view(request.target).substr(0, question));
    if (question != std::string::npos) request.query = request.target.substr(question + 1);
    for (const auto& field : message) {
      request.headers.emplace_back(field.name_string(), field.value());
    }
    server_.Record(request);

    const auto route = server_.FindRoute(request.path);
    if (!route) return Answer(request, ServeFile(server_.root_, request.path));
    if (route->stream == StreamKind::kEvents) return SpeakEvents(*route);
    if (route->stream == StreamKind::kSocket) return SpeakSocket(*route);
    if (!route->handler) return Hold();
    if (route->delay == Millis(0)) return Answer(request, route->handler(request));
    timer_.expires_after(route->delay);
    timer_.async_wait(
        [self = shared_from_this(), request, handler = route->handler](error_code error) {
          if (!error) self->Answer(request, handler(request));
        });
  }

  void SpeakEvents(const Route& route) {
    static constexpr std::string_view kHead =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\n"
        "Connection: close\r\n\r\n";
    const auto speaker = std::make_shared<Speaker<tcp::socket>>(
        std::move(socket_), server_.context_, route.delay, route.messages);
    asio::async_write(speaker->stream(), asio::buffer(kHead), [speaker](error_code error, size_t) {
      if (!error) speaker->Next();
    });
  }

  void SpeakSocket(const Route& route) {
    const auto speaker = std::make_shared<Speaker<websocket::stream<tcp::socket>>>(
        websocket::stream<tcp::socket>(std::move(socket_)), server_.context_, route.delay,
        route.messages);
    speaker->stream().async_accept(parser_->get(), [speaker](error_code error) {
      if (!error) speaker->Next();
    });
  }

  // Waits for the client to go away.
  void Hold() {
    socket_.async_wait(tcp::socket::wait_read, [self = shared_from_this()](error_code) {});
  }

  void Answer(const HttpRequest& request, HttpResponse answer) {
    response_ = {};
    response_.version(11);
    response_.result(answer.status);
    response_.set(http::field::content_type, answer.content_type);
    response_.set(http::field::cache_control, "no-store");
    for (const auto& [name, value] : answer.headers) response_.insert(name, value);
    response_.keep_alive(parser_->get().keep_alive());
    response_.body() = std::move(answer.body);
    response_.prepare_payload();
    if (request.method == "HEAD") response_.body().clear();
    http::async_write(socket_, response_, [self = shared_from_this()](error_code error, size_t) {
      if (!error && self->response_.keep_alive()) self->Read();
    });
  }

  Impl& server_;
  tcp::socket socket_;
  asio::steady_timer timer_;
  beast::flat_buffer buffer_;
  std::optional<http::request_parser<http::string_body>> parser_;
  http::response<http::string_body> response_;
};

FixtureServer::Impl::Impl(fs::path root)
    : root_(root.empty() ? root : fs::canonical(root)),
      acceptor_(context_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)) {
  Accept();
  thread_ = std::thread([this] { context_.run(); });
}

FixtureServer::Impl::~Impl() {
  context_.stop();
  thread_.join();
}

void FixtureServer::Impl::Accept() {
  acceptor_.async_accept([this](error_code error, tcp::socket socket) {
    if (error) return;
    socket.set_option(tcp::no_delay(true), error);
    std::make_shared<Exchange>(*this, std::move(socket))->Read();
    Accept();
  });
}

void FixtureServer::Impl::SetRoute(std::string path, Route route) {
  const std::lock_guard lock(mutex_);
  routes_.insert_or_assign(std::move(path), std::move(route));
}

void FixtureServer::Impl::Record(HttpRequest request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(std::move(request));
  arrived_.notify_all();
}

std::optional<Route> FixtureServer::Impl::FindRoute(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto found = routes_.find(path);
  return found == routes_.end() ? std::nullopt : std::optional(found->second);
}

FixtureServer::FixtureServer() : FixtureServer(fs::path()) {}

FixtureServer::FixtureServer(fs::path root) : impl_(std::make_unique<Impl>(std::move(root))) {}

FixtureServer::~FixtureServer() = default;

uint16_t FixtureServer::port() const { return impl_->acceptor_.local_endpoint().port(); }

std::string FixtureServer::Url(std::string_view path, std::string_view host) const {
  return "http://" + std::string(host) + ":" + std::to_string(port()) + std::string(path);
}

void FixtureServer::Handle(std::string path, HttpHandler handler) {
  impl_->SetRoute(std::move(path), {.handler = std::move(handler)});
}

void FixtureServer::HandlePage(std::string path, std::string html) {
  Handle(std::move(path),
         [html = std::move(html)](const HttpRequest&) { return HttpResponse{.body = html}; });
}

void FixtureServer::HandleLater(std::string path, Millis delay, HttpHandler handler) {
  impl_->SetRoute(std::move(path), {.handler = std::move(handler), .delay = delay});
}

void FixtureServer::HandleEventStream(std::string path, Millis gap, Messages messages) {
  impl_->SetRoute(std::move(path), {.handler = {},
                                    .delay = gap,
                                    .stream = StreamKind::kEvents,
                                    .messages = std::move(messages)});
}

void FixtureServer::HandleSocket(std::string path, Millis gap, Messages messages) {
  impl_->SetRoute(std::move(path), {.handler = {},
                                    .delay = gap,
                                    .stream = StreamKind::kSocket,
                                    .messages = std::move(messages)});
}

void FixtureServer::NeverAnswer(std::string path) { impl_->SetRoute(std::move(path), {}); }

std::vector<HttpRequest> FixtureServer::requests() const {
  const std::lock_guard lock(impl_->mutex_);
  return impl_->requests_;
}

size_t FixtureServer::CountRequests(std::string_view method, std::string_view path) const {
  const std::lock_guard lock(impl_->mutex_);
  size_t count = 0;
  for (const auto& request : impl_->requests_) {
    if (request.method == method && request.path == path) ++count;
  }
  return count;
}

void FixtureServer::ForgetRequests() {
  const std::lock_guard lock(impl_->mutex_);
  impl_->requests_.clear();
}

bool FixtureServer::WaitForRequest(std::string_view method, std::string_view path,
                                   Millis timeout) const {
  std::unique_lock lock(impl_->mutex_);
  return impl_->arrived_.wait_for(lock, timeout, [&] {
    for (const auto& request : impl_->requests_) {
      if (request.method == method && request.path == path) return true;
    }
    return false;
  });
}

}  // namespace topodb::testing
