#include "query/exchange/record_css.h"

#include <utility>

#include <fmt/format.h>

namespace topodb::query {
namespace {

constexpr std::string_view kNameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";

}  // namespace

std::string AttributeSelector(std::string_view attribute, std::string_view value) {
  std::string selector = fmt::format("[{}=\"", attribute);
  for (const char c : value) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || code == 0x7F) {
      selector += fmt::format("\\{:x} ", code);
    } else {
      if (c == '"' || c == '\\') selector += '\\';
      selector += c;
    }
  }
  return selector + "\"]";
}

bool ParseAttributeSelector(std::string_view selector, std::string& attribute, std::string& value) {
  const size_t name_end = selector.find("=\"");
  if (!selector.starts_with('[') || name_end == std::string_view::npos || name_end < 2 ||
      !selector.ends_with("\"]")) {
    return false;
  }
  const std::string_view name = selector.substr(1, name_end - 1);
  if (name.find_first_not_of(kNameCharacters) != std::string_view::npos) return false;
  std::string_view quoted = selector.substr(name_end + 2);
  if (quoted.size() < 2) return false;
  quoted.remove_suffix(2);
  std::string plain;
  for (size_t i = 0; i < quoted.size(); ++i) {
    if (quoted[i] == '"') return false;
    if (quoted[i] == '\\') {
      if (++i == quoted.size()) return false;
      // Only what stands for itself after a backslash; numeric escapes stay a selector.
      if (quoted[i] != '"' && quoted[i] != '\\') return false;
    }
    plain += quoted[i];
  }
  attribute = name;
  value = std::move(plain);
  return true;
}

}  // namespace topodb::query
