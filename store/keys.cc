#include "store/keys.h"

#include <cstddef>
#include <initializer_list>
#include <optional>

#include <fmt/format.h>

namespace topodb::store {
namespace {

// key := kind:u8 field*, by this table:
//   run, state, to, ordinal : u32 big-endian      tag : u8      id : 16 bytes
//   text, name              : 00 written as 00 FF, ended by 00 01
//   fact                    : the rest of the key as it is
enum class Field : uint8_t { kNone, kRun, kState, kTo, kOrdinal, kTag, kId, kText, kName, kFact };

struct Layout {
  Kind kind;
  Field fields[5];
};

constexpr Layout kLayouts[] = {
    {Kind::kStore, {Field::kFact}},
    {Kind::kManifest, {Field::kRun}},
    {Kind::kRunName, {Field::kText}},
    {Kind::kDraft, {Field::kRun}},
    {Kind::kRunByInput, {Field::kId, Field::kRun}},
    {Kind::kState, {Field::kRun, Field::kState}},
    {Kind::kElement, {Field::kRun, Field::kState, Field::kOrdinal}},
    {Kind::kEdge, {Field::kRun, Field::kState, Field::kOrdinal}},
    {Kind::kSkip, {Field::kRun, Field::kState, Field::kOrdinal}},
    {Kind::kFailure, {Field::kRun, Field::kState, Field::kOrdinal}},
    {Kind::kLandmark, {Field::kRun, Field::kState, Field::kOrdinal}},
    {Kind::kObservation, {Field::kRun, Field::kState, Field::kOrdinal}},
    {Kind::kForeignId, {Field::kRun, Field::kId}},
    {Kind::kEdgeByTo, {Field::kRun, Field::kTo, Field::kState, Field::kOrdinal}},
    {Kind::kIdentity, {Field::kRun, Field::kTag, Field::kId}},
    {Kind::kElementByName,
     {Field::kRun, Field::kText, Field::kName, Field::kState, Field::kOrdinal}},
    {Kind::kAdjacency, {Field::kRun, Field::kState, Field::kTo, Field::kOrdinal}},
    {Kind::kStateByRoute, {Field::kRun, Field::kText, Field::kState}},
    {Kind::kEdgeByRisk, {Field::kRun, Field::kTag, Field::kState, Field::kOrdinal}},
};

const Layout* FindLayout(Kind kind) {
  for (const Layout& layout : kLayouts) {
    if (layout.kind == kind) return &layout;
  }
  return nullptr;
}

void AppendU32(std::string& out, uint32_t number) {
  for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(number >> shift & 0xFFU);
}

void AppendText(std::string& out, std::string_view text) {
  for (const char c : text) {
    out += c;
    if (c == '\0') out += '\xFF';
  }
  out += '\0';
  out += '\x01';
}

void AppendField(std::string& out, Field field, const Key& key) {
  switch (field) {
    case Field::kNone:
      return;
    case Field::kRun:
      return AppendU32(out, key.run);
    case Field::kState:
      return AppendU32(out, key.state);
    case Field::kTo:
      return AppendU32(out, key.to);
    case Field::kOrdinal:
      return AppendU32(out, key.ordinal);
    case Field::kTag:
      out += static_cast<char>(key.tag);
      return;
    case Field::kId:
      out.append(key.id.begin(), key.id.end());
      return;
    case Field::kText:
      return AppendText(out, key.text);
    case Field::kName:
      return AppendText(out, key.name);
    case Field::kFact:
      out += key.text;
      return;
  }
}

// Takes fields off the front of a key; after a field that is not there, `ok` stays false.
class FieldParser {
 public:
  explicit FieldParser(std::string_view bytes) : rest_(bytes) {}

  void Take(Field field, Key& key) {
    switch (field) {
      case Field::kNone:
        return;
      case Field::kRun:
        key.run = TakeU32();
        return;
      case Field::kState:
        key.state = TakeU32();
        return;
      case Field::kTo:
        key.to = TakeU32();
        return;
      case Field::kOrdinal:
        key.ordinal = TakeU32();
        return;
      case Field::kTag:
        key.tag = TakeByte();
        return;
      case Field::kId:
        for (uint8_t& byte : key.id) byte = TakeByte();
        return;
      case Field::kText:
        key.text = TakeText();
        return;
      case Field::kName:
        key.name = TakeText();
        return;
      case Field::kFact:
        key.text = rest_;
        rest_ = {};
        return;
    }
  }

  bool finished() const { return ok_ && rest_.empty(); }

 private:
  uint8_t TakeByte() {
    if (rest_.empty()) {
      ok_ = false;
      return 0;
    }
    const auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return byte;
  }

  uint32_t TakeU32() {
    uint32_t number = 0;
    for (int i = 0; i < 4; ++i) number = number << 8U | TakeByte();
    return number;
  }

  std::string TakeText() {
    std::string text;
    while (ok_) {
      const uint8_t byte = TakeByte();
      if (byte != 0) {
        text += static_cast<char>(byte);
        continue;
      }
      const uint8_t escape = TakeByte();
      if (escape == 0x01) return text;
      if (escape != 0xFF) ok_ = false;
      text += '\0';
    }
    return text;
  }

  std::string_view rest_;
  bool ok_ = true;
};

// The first key after all that begin with `prefix`; empty when there is none.
std::string AfterPrefix(std::string prefix) {
  while (!prefix.empty() && prefix.back() == '\xFF') prefix.pop_back();
  if (!prefix.empty()) ++prefix.back();
  return prefix;
}

KeyRange PrefixRange(std::string prefix) {
  std::string end = AfterPrefix(prefix);
  return {.begin = std::move(prefix), .end = std::move(end)};
}

std::string RunPrefix(Kind kind, RunNumber run) {
  std::string prefix(1, static_cast<char>(kind));
  AppendU32(prefix, run);
  return prefix;
}

}  // namespace

std::string EncodeKey(const Key& key) {
  std::string bytes(1, static_cast<char>(key.kind));
  for (const Field field : FindLayout(key.kind)->fields) AppendField(bytes, field, key);
  return bytes;
}

Result<Key> ParseKey(std::string_view bytes) {
  Key key;
  const Layout* layout =
      bytes.empty() ? nullptr : FindLayout(static_cast<Kind>(static_cast<uint8_t>(bytes.front())));
  if (layout == nullptr) {
    return Error{ErrorCode::kCorruption, DescribeKey(bytes) + " is of no known kind", {}};
  }
  key.kind = layout->kind;
  FieldParser parser(bytes.substr(1));
  for (const Field field : layout->fields) parser.Take(field, key);
  if (!parser.finished()) {
    return Error{
        ErrorCode::kCorruption, DescribeKey(bytes) + " does not have the shape of its kind", {}};
  }
  return key;
}

std::string DescribeKey(std::string_view bytes) {
  std::string text = "key ";
  for (const char c : bytes) text += fmt::format("{:02x}", static_cast<uint8_t>(c));
  return text;
}

KeyRange RangeOf(Kind kind) { return PrefixRange(std::string(1, static_cast<char>(kind))); }

KeyRange RangeOf(Kind kind, RunNumber run) { return PrefixRange(RunPrefix(kind, run)); }

KeyRange RangeOf(Kind kind, RunNumber run, StateOrdinal state) {
  std::string prefix = RunPrefix(kind, run);
  AppendU32(prefix, state);
  return PrefixRange(std::move(prefix));
}

KeyRange IdentityRange(RunNumber run, RecordKind kind) {
  std::string prefix = RunPrefix(Kind::kIdentity, run);
  prefix += static_cast<char>(kind);
  return PrefixRange(std::move(prefix));
}

KeyRange RoleRange(RunNumber run, std::string_view role) {
  std::string prefix = RunPrefix(Kind::kElementByName, run);
  AppendText(prefix, CutForIndex(role));
  return PrefixRange(std::move(prefix));
}

std::string_view CutForIndex(std::string_view text) {
  if (text.size() <= kMaxIndexedText) return text;
  size_t size = kMaxIndexedText;
  while (size > 0 && (static_cast<uint8_t>(text[size]) & 0xC0U) == 0x80U) --size;
  return text.substr(0, size);
}

}  // namespace topodb::store
