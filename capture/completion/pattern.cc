#include "capture/completion/pattern.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace topodb::capture {
namespace {

// Longer beginnings are not cut off.
constexpr size_t kMaxPrefix = 256;

constexpr std::string_view kNumber = "{n}", kId = "{id}";

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNumeral(char c) { return IsDigit(c) || c == '.' || c == ','; }
bool IsIdLetter(char c) {
  const char lower = Lower(c);
  return IsDigit(c) || (lower >= 'a' && lower <= 'f') || c == '-';
}
bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

}  // namespace

Result<Pattern> Pattern::Parse(std::string_view text) {
  Pattern pattern;
  pattern.text_ = text;
  while (!text.empty()) {
    if (text.starts_with(kNumber)) {
      pattern.parts_.push_back({Kind::kNumber, '\0'});
      text.remove_prefix(kNumber.size());
    } else if (text.starts_with(kId)) {
      pattern.parts_.push_back({Kind::kId, '\0'});
      text.remove_prefix(kId.size());
    } else if (text.front() == '{' || text.front() == '}') {
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("'{}' is no pattern: a brace begins {{n}} or {{id}}", pattern.text_),
                   ""};
    } else {
      const bool any = text.front() == '*';
      pattern.parts_.push_back({any ? Kind::kAny : Kind::kLiteral, Lower(text.front())});
      text.remove_prefix(1);
    }
  }
  return pattern;
}

std::vector<bool> Pattern::Lengths(std::string_view text) const {
  // reached[i]: the parts so far match the first i bytes.
  std::vector<bool> reached(text.size() + 1, false);
  reached[0] = true;
  for (const Part& part : parts_) {
    std::vector<bool> next(text.size() + 1, false);
    bool inside = false;  // of a part that stands for several bytes
    for (size_t i = 0; i <= text.size(); ++i) {
      switch (part.kind) {
        case Kind::kLiteral:
          if (i > 0) next[i] = reached[i - 1] && Lower(text[i - 1]) == part.letter;
          break;
        case Kind::kAny:
          inside = inside || reached[i];
          next[i] = inside;
          break;
        case Kind::kNumber:
        case Kind::kId:
          if (i == 0) break;
          inside = (inside || reached[i - 1]) &&
                   (part.kind == Kind::kId ? IsIdLetter(text[i - 1]) : IsNumeral(text[i - 1]));
          next[i] = inside;
          break;
      }
    }
    reached = std::move(next);
  }
  return reached;
}

bool Pattern::Matches(std::string_view text) const {
  // Most texts differ at once, and answers are long.
  for (size_t i = 0; i < parts_.size() && parts_[i].kind == Kind::kLiteral; ++i) {
    if (i == text.size() || Lower(text[i]) != parts_[i].letter) return false;
    if (i + 1 == parts_.size()) return text.size() == parts_.size();
  }
  return Lengths(text).back();
}

std::optional<size_t> Pattern::MatchPrefix(std::string_view text) const {
  const std::vector<bool> reached = Lengths(text.substr(0, kMaxPrefix));
  for (size_t length = std::min(text.size(), kMaxPrefix); length > 0; --length) {
    if (!reached[length]) continue;
    if (length == text.size() || IsSpace(text[length])) return length;
  }
  return std::nullopt;
}

std::optional<std::string> Pattern::FindId(std::string_view text) const {
  Pattern before, after;
  bool found = false;
  for (const Part& part : parts_) {
    if (!found && part.kind == Kind::kId) {
      found = true;
      continue;
    }
    (found ? after : before).parts_.push_back(part);
  }
  if (!found) return std::nullopt;
  for (size_t start = text.find('/'); start != std::string_view::npos;
       start = text.find('/', start + 1)) {
    const std::vector<bool> reached = before.Lengths(text.substr(start));
    for (size_t length = 0; length < reached.size(); ++length) {
      if (!reached[length]) continue;
      const size_t begin = start + length;
      size_t end = begin;
      while (end < text.size() && IsIdLetter(text[end])) ++end;
      if (end == begin) continue;
      const std::vector<bool> rest = after.Lengths(text.substr(end));
      for (size_t more = 0; more < rest.size(); ++more) {
        const size_t stop = end + more;
        const bool whole = stop == text.size() || text[stop] == '/';
        if (rest[more] && whole) return std::string(text.substr(begin, end - begin));
      }
    }
  }
  return std::nullopt;
}

}  // namespace topodb::capture
