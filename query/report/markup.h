#pragma once

#include <string>
#include <string_view>

// Text of pages inside markup. Pages are hostile: every text goes through one of these.
namespace topodb::query {

// For XML and HTML, in text and in attributes in double quotes: valid UTF-8, the five markup
// characters as references; controls, bidi controls and other invisible characters as \u escapes.
std::string EscapeMarkup(std::string_view text);

// At most `max_bytes` bytes of a text and a mark of what is left out; not yet escaped.
std::string Shortened(std::string_view text, size_t max_bytes);

}  // namespace topodb::query
