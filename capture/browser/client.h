#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "schema/base/result.h"

// As whom a run presents itself to the site. Values may be secrets: no record has them.
namespace topodb::capture {

using HttpHeader = std::pair<std::string, std::string>;

struct HttpCredentials {
  std::string user;
  std::string password;
  bool operator==(const HttpCredentials&) const = default;
};

struct Client {
  std::string user_agent;  // empty: the browser's own
  // Both only at the entry's origin and those allowed by name: what is elsewhere gets none.
  std::vector<HttpHeader> headers;
  std::optional<HttpCredentials> credentials;
  bool operator==(const Client&) const = default;
};

// "Name: value", of the characters that a header may have. kInvalidArgument with a hint otherwise,
// and for headers that belong to the connection (Host, Content-Length …).
Result<HttpHeader> ParseHttpHeader(std::string_view text);

// "user:password"; the password may hold colons. kInvalidArgument with a hint otherwise.
Result<HttpCredentials> ParseHttpCredentials(std::string_view text);

// The headers of a request, given as a JSON object of texts, with `more` in the place of those of
// the same name.
std::vector<HttpHeader> WithHeaders(const std::string& headers_json,
                                    const std::vector<HttpHeader>& more);

}  // namespace topodb::capture
