#include "capture/cdp/json.h"

#include <cassert>
#include <charconv>
#include <cmath>

#include <fmt/format.h>
#include <simdjson.h>

namespace topodb::capture::cdp {
namespace {

namespace ondemand = simdjson::ondemand;

// Parsers keep their buffers between uses; past this size the memory is given back instead.
constexpr size_t kKeptParserBytes = size_t{1} << 20U;

// Calls `use(document)` on a parsed copy of `json` (the parser wants padding behind its input).
// Returns false when it cannot even be started.
template <class Use>
bool WithDocument(std::string_view json, Use use) {
  thread_local ondemand::parser kept;
  ondemand::parser temporary;
  ondemand::parser& parser = json.size() <= kKeptParserBytes ? kept : temporary;
  const simdjson::padded_string padded(json);
  ondemand::document document;
  if (parser.iterate(padded).get(document) != simdjson::SUCCESS) return false;
  // Positions in the copy, moved to the caller's text.
  const auto original = [&](std::string_view view) {
    return json.substr(static_cast<size_t>(view.data() - padded.data()), view.size());
  };
  return use(document, original);
}

template <class T>
bool ParseNumber(std::string_view json, T& value) {
  const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), value);
  return error == std::errc() && end == json.data() + json.size();
}

// The length of the valid UTF-8 sequence at the start of `text`; 0 when there is none.
size_t Utf8Length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xC2 && lead < 0xE0 ? 2 : lead >= 0xE0 && lead < 0xF0 ? 3 : 4;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  const bool overlong = (lead == 0xE0 && byte(1) < 0xA0) || (lead == 0xF0 && byte(1) < 0x90);
  const bool surrogate = lead == 0xED && byte(1) >= 0xA0;
  const bool too_large = lead == 0xF4 && byte(1) >= 0x90;
  return overlong || surrogate || too_large ? 0 : length;
}

void AppendQuoted(std::string& out, std::string_view text) {
  out += '"';
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    const auto c = static_cast<unsigned char>(text.front());
    if (length == 0) {
      out += "\xEF\xBF\xBD";
    } else if (c == '"' || c == '\\') {
      out += {'\\', text.front()};
    } else if (c < 0x20) {
      out += fmt::format("\\u{:04x}", c);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  out += '"';
}

}  // namespace

Fields::Fields(std::string_view json, std::string_view context)
    : shared_(std::make_shared<Shared>()) {
  shared_->context = context;
  Scan(json);
}

Fields::Fields(std::string_view json, std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {
  if (shared_->problem.empty()) Scan(json);
}

void Fields::Fail(std::string_view problem) {
  if (!shared_->problem.empty()) return;
  shared_->problem = fmt::format("{}: {}", shared_->context, problem);
}

void Fields::Scan(std::string_view json) {
  const bool ok = WithDocument(json, [&](ondemand::document& document, const auto& original) {
    ondemand::object object;
    if (document.get_object().get(object) != simdjson::SUCCESS) return false;
    for (auto field : object) {
      std::string_view key;
      std::string_view value;
      if (field.unescaped_key().get(key) != simdjson::SUCCESS) return false;
      members_.emplace_back(key, std::string_view());
      if (simdjson::to_json_string(field.value()).get(value) != simdjson::SUCCESS) return false;
      members_.back().second = original(value);
    }
    return true;
  });
  if (!ok) {
    members_.clear();
    Fail("malformed JSON");
  }
}

bool Fields::Has(std::string_view key) const {
  for (const auto& member : members_) {
    if (member.first == key) return true;
  }
  return false;
}

std::string_view Fields::OptionalRaw(std::string_view key) {
  for (const auto& [name, json] : members_) {
    if (name == key) return json;
  }
  return {};
}

std::string_view Fields::Required(std::string_view key) {
  const auto json = OptionalRaw(key);
  if (json.empty()) Fail(fmt::format("no field '{}'", key));
  return json;
}

std::string_view Fields::Raw(std::string_view key) { return Required(key); }

std::string Fields::OptionalString(std::string_view key) {
  const auto json = OptionalRaw(key);
  if (json.empty()) return {};
  auto value = DecodeJsonString(json);
  if (!value) Fail(fmt::format("'{}' is no string", key));
  return std::move(value).value_or("");
}

std::optional<int64_t> Fields::OptionalInt(std::string_view key) {
  const auto json = OptionalRaw(key);
  if (json.empty()) return std::nullopt;
  int64_t value = 0;
  if (!ParseNumber(json, value)) Fail(fmt::format("'{}' is no integer", key));
  return value;
}

bool Fields::OptionalBool(std::string_view key) {
  const auto json = OptionalRaw(key);
  if (!json.empty() && json != "true" && json != "false") {
    Fail(fmt::format("'{}' is no boolean", key));
  }
  return json == "true";
}

std::optional<Fields> Fields::OptionalObject(std::string_view key) {
  const auto json = OptionalRaw(key);
  if (json.empty()) return std::nullopt;
  return Fields(json, shared_);
}

std::string Fields::String(std::string_view key) {
  Required(key);
  return OptionalString(key);
}

int64_t Fields::Int(std::string_view key) {
  Required(key);
  return OptionalInt(key).value_or(0);
}

double Fields::Double(std::string_view key) {
  double value = 0;
  if (!ParseNumber(Required(key), value)) Fail(fmt::format("'{}' is no number", key));
  return value;
}

bool Fields::Bool(std::string_view key) {
  Required(key);
  return OptionalBool(key);
}

Fields Fields::Object(std::string_view key) { return Fields(Required(key), shared_); }

std::vector<Fields> Fields::Objects(std::string_view key) { return SplitArray(key, Required(key)); }

std::vector<Fields> Fields::OptionalObjects(std::string_view key) {
  const auto json = OptionalRaw(key);
  return json.empty() ? std::vector<Fields>() : SplitArray(key, json);
}

std::vector<Fields> Fields::SplitArray(std::string_view key, std::string_view json) {
  std::vector<std::string_view> items;
  const bool ok = WithDocument(json, [&](ondemand::document& document, const auto& original) {
    ondemand::array array;
    if (document.get_array().get(array) != simdjson::SUCCESS) return false;
    for (auto item : array) {
      std::string_view value;
      if (simdjson::to_json_string(item).get(value) != simdjson::SUCCESS) return false;
      items.push_back(original(value));
    }
    return true;
  });
  if (!ok) Fail(fmt::format("'{}' is no array", key));
  std::vector<Fields> objects;
  objects.reserve(items.size());
  for (const auto item : items) objects.push_back(Fields(item, shared_));
  return objects;
}

void ObjectWriter::Key(std::string_view key) {
  if (text_.size() > 1) text_ += ',';
  AppendQuoted(text_, key);
  text_ += ':';
}

ObjectWriter& ObjectWriter::String(std::string_view key, std::string_view value) {
  Key(key);
  AppendQuoted(text_, value);
  return *this;
}

ObjectWriter& ObjectWriter::Int(std::string_view key, int64_t value) {
  return Raw(key, fmt::to_string(value));
}

ObjectWriter& ObjectWriter::Double(std::string_view key, double value) {
  assert(std::isfinite(value));
  return Raw(key, fmt::format("{}", value));
}

ObjectWriter& ObjectWriter::Bool(std::string_view key, bool value) {
  return Raw(key, value ? "true" : "false");
}

ObjectWriter& ObjectWriter::Raw(std::string_view key, std::string_view json) {
  Key(key);
  text_ += json;
  return *this;
}

ObjectWriter& ObjectWriter::RawArray(std::string_view key, const std::vector<std::string>& items) {
  return Raw(key, fmt::format("[{}]", fmt::join(items, ",")));
}

ObjectWriter& ObjectWriter::Flag(std::string_view key, bool value) {
  return value ? Bool(key, true) : *this;
}

std::string QuoteJson(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 2);
  AppendQuoted(out, text);
  return out;
}

std::optional<std::string> DecodeJsonString(std::string_view json) {
  if (json.size() < 2 || json.front() != '"') return std::nullopt;
  const auto inner = json.substr(1, json.size() - 2);
  // Most strings have nothing to decode.
  if (inner.find('\\') == std::string_view::npos) return std::string(inner);
  std::optional<std::string> value;
  WithDocument(json, [&](ondemand::document& document, const auto&) {
    std::string_view decoded;
    if (document.get_string().get(decoded) != simdjson::SUCCESS) return false;
    value = decoded;
    return true;
  });
  return value;
}

Result<Envelope> ParseEnvelope(std::string_view message) {
  Fields fields(message, "message from the browser");
  Envelope envelope{.id = fields.OptionalInt("id"),
                    .session_id = fields.OptionalString("sessionId"),
                    .method = fields.OptionalString("method"),
                    .params = fields.OptionalRaw("params"),
                    .result = fields.OptionalRaw("result"),
                    .error = {}};
  if (auto error = fields.OptionalObject("error")) {
    envelope.error = {error->Int("code"), error->String("message")};
  }
  TOPODB_TRY(envelope, fields.Finish(std::move(envelope)));
  const bool is_reply = envelope.error || (envelope.id && !envelope.result.empty());
  const bool is_event = !envelope.id && !envelope.method.empty();
  if (!is_reply && !is_event) {
    return Error{ErrorCode::kProtocol, "message from the browser: neither reply nor event", {}};
  }
  return envelope;
}

std::optional<int64_t> LeadingId(std::string_view message) {
  constexpr std::string_view kPrefix = R"({"id":)";
  if (message.substr(0, kPrefix.size()) != kPrefix) return std::nullopt;
  message.remove_prefix(kPrefix.size());
  int64_t id = 0;
  const auto digits = message.substr(0, message.find_first_not_of("0123456789"));
  return ParseNumber(digits, id) ? std::optional(id) : std::nullopt;
}

void ReplaceLoneSurrogates(std::string& json) {
  const auto unit = [&](size_t at) -> unsigned {  // the value of \uXXXX at `at`; 0 when it is not
    unsigned value = 0;
    if (at + 6 > json.size() || json[at] != '\\' || json[at + 1] != 'u') return 0;
    const auto* const digits = json.data() + at + 2;
    const auto parsed = std::from_chars(digits, digits + 4, value, 16);
    return parsed.ptr == digits + 4 ? value : 0;
  };
  const auto is_high = [](unsigned value) { return value >= 0xD800 && value < 0xDC00; };
  const auto is_low = [](unsigned value) { return value >= 0xDC00 && value < 0xE000; };
  size_t at = json.find('\\');
  while (at != std::string::npos) {
    const unsigned value = unit(at);
    size_t length = value == 0 ? 2 : 6;
    if (is_high(value) && is_low(unit(at + 6))) {
      length = 12;
    } else if (is_high(value) || is_low(value)) {
      json.replace(at + 2, 4, "FFFD");
    }
    at = json.find('\\', at + length);
  }
}

}  // namespace topodb::capture::cdp
