#pragma once

#include <string>
#include <string_view>

// The capture border's redaction: pure, total (no input throws), idempotent.
namespace topodb::capture {

// Userinfo and the values of secret query and fragment keys become REDACTED, as does anything that
// looks like a credential (JWT, cloud and forge tokens) in path, query or fragment. A relative or
// invalid URL is treated as text with the same rules.
std::string RedactUrl(std::string_view url);

// Credential-looking parts of free text become REDACTED; everything else stays byte for byte.
std::string RedactText(std::string_view text);

// token, code, key, sig, session, jwt, auth, password …, as a query or field name.
bool IsSecretKey(std::string_view name);

// Password, one-time-code and card fields: their values are never read.
bool IsSecretField(std::string_view input_type, std::string_view name,
                   std::string_view autocomplete, std::string_view label);

}  // namespace topodb::capture
