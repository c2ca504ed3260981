#include <algorithm>
#include <cstdint>

#include <boost/json.hpp>

#include "capture/guard/network_guard.h"

namespace topodb::capture {
namespace {

namespace json = boost::json;

constexpr size_t kMaxBody = 1U << 20U;

bool IsNameStart(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool IsNameChar(char c) { return IsNameStart(c) || (c >= '0' && c <= '9'); }

// Walks an executable GraphQL document (spec §2): names and punctuators, everything else skipped.
class DocumentScanner {
 public:
  explicit DocumentScanner(std::string_view text) : text_(text) {}

  bool IsQueryOnly() {
    while (SkipIgnored()) {
      if (!Definition()) return false;
    }
    return operations_ > 0;
  }

 private:
  bool Definition() {
    if (text_[at_] == '{') {
      ++operations_;
      return SelectionSet();
    }
    if (!IsNameStart(text_[at_])) return false;
    const auto keyword = Name();
    if (keyword != "query" && keyword != "fragment") return false;
    if (keyword == "query") ++operations_;
    // Name, variables and directives; "{" inside parentheses belongs to a default value.
    while (SkipIgnored()) {
      switch (text_[at_]) {
        case '(':
        case '[':
          if (!Balanced()) return false;
          break;
        case '{':
          return SelectionSet();
        case '}':
        case ')':
        case ']':
          return false;
        default:
          if (!Skip()) return false;
      }
    }
    return false;
  }

  bool SelectionSet() {
    const size_t names = names_;
    return Balanced() && names_ > names;
  }

  // From an opening bracket past the one that closes it.
  bool Balanced() {
    std::string open;
    while (SkipIgnored()) {
      const char c = text_[at_];
      if (c == '(' || c == '[' || c == '{') {
        open += c == '(' ? ')' : c == '[' ? ']' : '}';
      } else if (c == ')' || c == ']' || c == '}') {
        if (open.back() != c) return false;
        open.pop_back();
        if (open.empty()) {
          ++at_;
          return true;
        }
      }
      if (!Skip()) return false;
    }
    return false;
  }

  // Past one name, string or character; false for an unterminated string.
  bool Skip() {
    if (IsNameStart(text_[at_])) {
      Name();
      return true;
    }
    if (text_[at_] != '"') {
      ++at_;
      return true;
    }
    if (text_.substr(at_, 3) == "\"\"\"") return SkipBlockString();
    for (++at_; at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r'; ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        ++at_;
        return true;
      }
    }
    return false;
  }

  bool SkipBlockString() {
    for (at_ += 3; at_ < text_.size(); ++at_) {
      if (text_.substr(at_, 4) == "\\\"\"\"") {
        at_ += 3;
      } else if (text_.substr(at_, 3) == "\"\"\"") {
        at_ += 3;
        return true;
      }
    }
    return false;
  }

  std::string_view Name() {
    const size_t begin = at_;
    while (at_ < text_.size() && IsNameChar(text_[at_])) ++at_;
    ++names_;
    return text_.substr(begin, at_ - begin);
  }

  // Blanks, commas, byte order mark, comments. False at the end.
  bool SkipIgnored() {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ',') {
        ++at_;
      } else if (c == '#') {
        at_ = std::min(text_.find_first_of("\r\n", at_), text_.size());
      } else if (text_.substr(at_, 3) == kByteOrderMark) {
        at_ += 3;
      } else {
        return true;
      }
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
  size_t operations_ = 0, names_ = 0;
};

size_t CountMembers(const json::value& value) {
  size_t count = 0;
  if (const auto* object = value.if_object()) {
    count += object->size();
    for (const auto& member : *object) count += CountMembers(member.value());
  } else if (const auto* array = value.if_array()) {
    for (const auto& element : *array) count += CountMembers(element);
  }
  return count;
}

// Outside strings, of valid JSON: one for every member as written.
size_t CountColons(std::string_view body) {
  size_t count = 0;
  bool in_string = false;
  for (size_t i = 0; i < body.size(); ++i) {
    if (in_string && body[i] == '\\') {
      ++i;
    } else if (body[i] == '"') {
      in_string = !in_string;
    } else if (body[i] == ':' && !in_string) {
      ++count;
    }
  }
  return count;
}

bool IsQueryRequest(const json::value& value) {
  const auto* object = value.if_object();
  if (object == nullptr) return false;
  const auto* query = object->if_contains("query");
  if (query == nullptr || !query->is_string()) return false;
  for (const auto& [key, member] : *object) {
    if (key == "extensions") {
      const auto* extensions = member.if_object();
      const bool plain =
          member.is_null() || (extensions != nullptr && !extensions->contains("persistedQuery"));
      if (!plain) return false;
    } else if (key != "query" && key != "variables" && key != "operationName") {
      return false;
    }
  }
  return DocumentScanner(std::string_view(query->get_string())).IsQueryOnly();
}

}  // namespace

bool IsGraphqlQueryOnly(std::string_view body) {
  if (body.size() > kMaxBody) return false;
  boost::system::error_code error;
  const auto value = json::parse(body, error);
  if (error) return false;
  // The parser keeps the last of two equal members; a server may take the first.
  if (CountMembers(value) != CountColons(body)) return false;
  if (const auto* batch = value.if_array()) {
    return !batch->empty() && std::all_of(batch->begin(), batch->end(), IsQueryRequest);
  }
  return IsQueryRequest(value);
}

}  // namespace topodb::capture
