#include "query/exchange/document.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "query/exchange/json_text.h"

namespace topodb::query {
namespace {

constexpr size_t kChunkBytes = size_t{256} << 10U;
constexpr int kEnd = -1;

// Walks over a text once, front to back, one chunk in memory.
class Cursor {
 public:
  explicit Cursor(TextSource& source) : source_(source) {}

  uint64_t offset() const { return base_ + at_; }
  const Status& status() const { return status_; }

  // The byte at the cursor; kEnd after the last one, and after an error.
  int Peek() {
    if (at_ == chunk_.size() && !Refill()) return kEnd;
    return static_cast<uint8_t>(chunk_[at_]);
  }

  int Take() {
    const int c = Peek();
    if (c != kEnd) ++at_;
    return c;
  }

  void SkipSpace() {
    for (int c = Peek(); c == ' ' || c == '\n' || c == '\r' || c == '\t'; c = Peek()) ++at_;
  }

 private:
  bool Refill() {
    base_ += chunk_.size();
    at_ = 0;
    auto chunk = source_.Read(base_, kChunkBytes);
    chunk_ = chunk ? *std::move(chunk) : std::string();
    if (!chunk && status_) status_ = std::move(chunk).error();
    return !chunk_.empty();
  }

  TextSource& source_;
  std::string chunk_;
  uint64_t base_ = 0;
  size_t at_ = 0;
  Status status_;
};

class Scanner {
 public:
  explicit Scanner(TextSource& source) : source_(source), cursor_(source) {}

  Result<Document> Scan() {
    cursor_.SkipSpace();
    TOPODB_TRY_VOID(Expect('{'));
    cursor_.SkipSpace();
    while (cursor_.Peek() != '}') {
      TOPODB_TRY_VOID(Member());
      cursor_.SkipSpace();
      if (cursor_.Peek() == '}') break;
      TOPODB_TRY_VOID(Expect(','));
      cursor_.SkipSpace();
    }
    TOPODB_TRY_VOID(Expect('}'));
    cursor_.SkipSpace();
    if (cursor_.Peek() != kEnd) return Fail("text after the end of the document");
    TOPODB_TRY_VOID(cursor_.status());
    TOPODB_TRY_VOID(RequireAll());
    return std::move(document_);
  }

 private:
  Error Fail(std::string_view message) {
    if (!cursor_.status()) return cursor_.status().error();
    return ErrorAt(source_, cursor_.offset(), message);
  }

  Status Expect(char expected) {
    const int c = cursor_.Peek();
    if (c == kEnd) return Fail("unexpected end of the text");
    if (c != static_cast<uint8_t>(expected)) return Fail(fmt::format("expected '{}'", expected));
    cursor_.Take();
    return {};
  }

  Status Member() {
    if (cursor_.Peek() != '"') return Expect('"');
    TOPODB_TRY(const Span key, Value(1));
    TOPODB_TRY(const auto parsed, ReadValue(source_, key));
    const std::string name(parsed.get_string());
    if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
      return ErrorAt(source_, key.offset, fmt::format("key \"{}\" stands twice", name));
    }
    names_.push_back(name);
    cursor_.SkipSpace();
    TOPODB_TRY_VOID(Expect(':'));
    cursor_.SkipSpace();
    for (const SectionName& section : kSections) {
      if (section.name == name) return Records(section);
    }
    TOPODB_TRY(const Span value, Value(1));
    if (name == "schemaVersion") {
      document_.schema_version = value;
    } else if (name == "metadata") {
      document_.metadata = value;
    } else {
      TOPODB_TRY_VOID(ReadValue(source_, value));
      document_.unknown.push_back(name);
    }
    return {};
  }

  Status Records(const SectionName& section) {
    if (cursor_.Peek() != '[') return Fail(fmt::format("{}: expected an array", section.name));
    cursor_.Take();
    std::vector<Span>& records = document_.records.at(static_cast<size_t>(section.section));
    cursor_.SkipSpace();
    if (cursor_.Peek() == ']') return Expect(']');
    while (true) {
      TOPODB_TRY(const Span record, Value(2));
      records.push_back(record);
      cursor_.SkipSpace();
      if (cursor_.Peek() == ']') return Expect(']');
      TOPODB_TRY_VOID(Expect(','));
      cursor_.SkipSpace();
    }
  }

  // Steps over one value that has `depth` brackets open around it.
  Result<Span> Value(size_t depth) {
    const uint64_t begin = cursor_.offset();
    const size_t outside = depth;
    do {
      const int c = cursor_.Peek();
      if (c == kEnd) return Fail("unexpected end of the text");
      if (c == '"') {
        TOPODB_TRY_VOID(String());
      } else if (c == '{' || c == '[') {
        cursor_.Take();
        if (++depth > kMaxJsonDepth) {
          return Fail(fmt::format("nested deeper than {} levels", kMaxJsonDepth));
        }
      } else if (c == '}' || c == ']') {
        if (depth == outside) return Fail("expected a value");
        cursor_.Take();
        --depth;
      } else if (depth == outside) {
        TOPODB_TRY_VOID(Scalar());
      } else {
        cursor_.Take();
      }
      if (cursor_.offset() - begin > kMaxRecordBytes) {
        return Fail(fmt::format("a value longer than {} MiB", kMaxRecordBytes >> 20U));
      }
    } while (depth > outside);
    return Span{begin, static_cast<uint32_t>(cursor_.offset() - begin)};
  }

  Status String() {
    const uint64_t begin = cursor_.offset();
    cursor_.Take();
    for (int c = cursor_.Take(); c != '"'; c = cursor_.Take()) {
      if (c == '\\') cursor_.Take();
      if (c == kEnd) return Fail("unexpected end of the text");
      if (cursor_.offset() - begin > kMaxRecordBytes) return {};  // Value() refuses it
    }
    return {};
  }

  // A number or a word: up to the next delimiter.
  Status Scalar() {
    const uint64_t begin = cursor_.offset();
    static constexpr std::string_view kDelimiters = ",:]}[{\" \t\r\n";
    for (int c = cursor_.Peek(); c != kEnd; c = cursor_.Peek()) {
      if (kDelimiters.find(static_cast<char>(c)) != std::string_view::npos) break;
      cursor_.Take();
      if (cursor_.offset() - begin > kMaxRecordBytes) break;
    }
    if (cursor_.offset() == begin) return Fail("expected a value");
    return {};
  }

  Status RequireAll() {
    std::vector<std::string_view> required = {"schemaVersion", "metadata"};
    for (const SectionName& section : kSections) {
      if (section.required) required.push_back(section.name);
    }
    for (const std::string_view name : required) {
      if (std::find(names_.begin(), names_.end(), name) != names_.end()) continue;
      return Error{ErrorCode::kInvalidArgument,
                   fmt::format("no topology graph document: \"{}\" is missing", name),
                   {}};
    }
    return {};
  }

  TextSource& source_;
  Cursor cursor_;
  Document document_;
  std::vector<std::string> names_;  // top-level keys so far
};

}  // namespace

Result<Document> ScanDocument(TextSource& source) { return Scanner(source).Scan(); }

Result<boost::json::value> ReadValue(TextSource& source, const Span& span) {
  TOPODB_TRY(std::string text, source.Read(span.offset, span.length));
  RepairSurrogates(text);
  auto value = ParseJson(text);
  if (!value) return ErrorAt(source, span.offset + value.error().offset, value.error().message);
  return *std::move(value);
}

Error ErrorAt(TextSource& source, uint64_t offset, std::string_view message) {
  uint64_t line = 1;
  uint64_t line_begin = 0;
  for (uint64_t at = 0; at < offset;) {
    auto chunk = source.Read(at, static_cast<size_t>(std::min<uint64_t>(kChunkBytes, offset - at)));
    if (!chunk) return std::move(chunk).error();
    if (chunk->empty()) break;
    for (size_t i = 0; i < chunk->size(); ++i) {
      if ((*chunk)[i] != '\n') continue;
      ++line;
      line_begin = at + i + 1;
    }
    at += chunk->size();
  }
  return {ErrorCode::kInvalidArgument,
          fmt::format("{} (line {}, column {})", message, line, offset - line_begin + 1),
          {}};
}

}  // namespace topodb::query
