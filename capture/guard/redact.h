#pragma once

#include <string>
#include <string_view>

// Keeps secrets out of every record; applied at the border where page data enters topodb. Pure,
// idempotent, never fails: any bytes are accepted.
namespace topodb::capture {

inline constexpr std::string_view kRedacted = "REDACTED";

// Userinfo and the values of secret query, fragment and path parameters become "REDACTED", URLs
// inside values included; what looks like a key or token anywhere too. The rest stays as written.
std::string RedactUrl(std::string_view url);

// Well-known key formats (JWT, AWS, GitHub, GitLab, Slack, Stripe, Google, npm, private key
// blocks), credentials of Authorization and Cookie header lines, userinfo of URLs and values of
// name=value pairs with a secret name.
std::string RedactText(std::string_view text);

// "access_token", "apiKey", "PHPSESSID", "code"; not "keyword", "country_code", "author".
bool IsSecretKey(std::string_view name);

// What is known about a control; empty where absent.
struct FieldFacts {
  std::string_view input_type{}, name{}, id{}, label{}, autocomplete{};
};
// Password, one-time code and payment card fields: their values are never read.
bool IsSecretField(const FieldFacts& field);

}  // namespace topodb::capture
