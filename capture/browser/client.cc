#include "capture/browser/client.h"

#include <algorithm>
#include <array>

#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/trim.hpp>
#include <fmt/format.h>
#include <simdjson.h>

namespace topodb::capture {
namespace {

constexpr std::array kOfTheConnection = {"connection", "content-length",    "host",   "keep-alive",
                                         "te",         "transfer-encoding", "upgrade"};

// RFC 9110 §5.6.2.
bool IsTokenCharacter(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
         std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
}

bool IsValueCharacter(char c) { return c == '\t' || (c >= ' ' && c != '\x7f') || c < 0; }

}  // namespace

Result<HttpHeader> ParseHttpHeader(std::string_view text) {
  const size_t colon = text.find(':');
  const auto bad = [](std::string what) {
    return Error{ErrorCode::kInvalidArgument, std::move(what), "write it as 'Accept-Language: de'"};
  };
  // The value may be a secret, and so may be a text that is no header.
  if (colon == std::string_view::npos) return bad("a header has no ':'");
  const std::string name(text.substr(0, colon));
  if (name.empty() || !std::ranges::all_of(name, IsTokenCharacter)) {
    return bad("a header has no proper name");
  }
  if (std::ranges::any_of(kOfTheConnection,
                          [&](const char* own) { return boost::iequals(own, name); })) {
    return bad(fmt::format("the header '{}' is the browser's own", name));
  }
  std::string value(text.substr(colon + 1));
  boost::trim(value);
  if (!std::ranges::all_of(value, IsValueCharacter)) {
    return bad(fmt::format("the value of the header '{}' has control characters", name));
  }
  return HttpHeader(name, std::move(value));
}

Result<HttpCredentials> ParseHttpCredentials(std::string_view text) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos || colon == 0) {
    return Error{ErrorCode::kInvalidArgument, "HTTP credentials without a user and a ':'",
                 "write them as 'user:password'"};
  }
  return HttpCredentials{.user = std::string(text.substr(0, colon)),
                         .password = std::string(text.substr(colon + 1))};
}

std::vector<HttpHeader> WithHeaders(const std::string& headers_json,
                                    const std::vector<HttpHeader>& more) {
  std::vector<HttpHeader> headers;
  simdjson::dom::parser parser;
  simdjson::dom::object given;
  if (parser.parse(headers_json).get(given) == simdjson::SUCCESS) {
    for (const auto& [name, value] : given) {
      std::string_view text;
      if (value.get(text) != simdjson::SUCCESS) continue;
      const bool replaced = std::ranges::any_of(
          more, [&](const HttpHeader& header) { return boost::iequals(header.first, name); });
      if (!replaced) headers.emplace_back(name, text);
    }
  }
  headers.insert(headers.end(), more.begin(), more.end());
  return headers;
}

}  // namespace topodb::capture
