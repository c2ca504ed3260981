#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "schema/base/result.h"

// Reading and writing protocol messages. Only capture/cdp includes this header.
namespace topodb::capture::cdp {

// The members of one JSON object, read by name. Values stay text until they are asked for, so a
// large member that is only passed on costs one scan. The first problem (malformed text, a
// required field that is missing or of another type) is kept and returned by Finish(); reads after
// it yield empty values. `json` must outlive the object.
class Fields {
 public:
  // `context` starts the error message: the method's name.
  Fields(std::string_view json, std::string_view context);

  std::string String(std::string_view key);
  int64_t Int(std::string_view key);
  double Double(std::string_view key);
  bool Bool(std::string_view key);
  Fields Object(std::string_view key);
  std::string_view Raw(std::string_view key);
  std::vector<Fields> Objects(std::string_view key);  // an array of objects

  // Absent yields an empty value; the wrong type is still a problem.
  std::string OptionalString(std::string_view key);
  std::optional<int64_t> OptionalInt(std::string_view key);
  std::optional<Fields> OptionalObject(std::string_view key);
  bool OptionalBool(std::string_view key);
  std::vector<Fields> OptionalObjects(std::string_view key);
  std::string_view OptionalRaw(std::string_view key);

  bool Has(std::string_view key) const;

  // The value, or the first problem met here or in an object that came from here.
  template <class T>
  Result<T> Finish(T value) const {
    if (!shared_->problem.empty()) return Error{ErrorCode::kProtocol, shared_->problem, {}};
    return value;
  }

 private:
  struct Shared {
    std::string context;
    std::string problem;
  };

  Fields(std::string_view json, std::shared_ptr<Shared> shared);
  void Scan(std::string_view json);
  std::string_view Required(std::string_view key);
  void Fail(std::string_view problem);
  std::vector<Fields> SplitArray(std::string_view key, std::string_view json);

  std::shared_ptr<Shared> shared_;
  std::vector<std::pair<std::string, std::string_view>> members_;  // name, JSON text
};

// Writes one JSON object. Strings are made valid UTF-8 first (U+FFFD for what is not): the browser
// drops the connection over a single bad byte.
class ObjectWriter {
 public:
  ObjectWriter& String(std::string_view key, std::string_view value);
  ObjectWriter& Int(std::string_view key, int64_t value);
  ObjectWriter& Double(std::string_view key, double value);  // finite
  ObjectWriter& Bool(std::string_view key, bool value);
  ObjectWriter& Raw(std::string_view key, std::string_view json);
  ObjectWriter& RawArray(std::string_view key, const std::vector<std::string>& items);

  // Written only when there is a value, or when the flag is set.
  template <class T>
  ObjectWriter& Optional(std::string_view key, const std::optional<T>& value) {
    if (!value) return *this;
    if constexpr (std::is_integral_v<T>) {
      return Int(key, *value);
    } else if constexpr (std::is_floating_point_v<T>) {
      return Double(key, *value);
    } else {
      return String(key, *value);
    }
  }
  ObjectWriter& Flag(std::string_view key, bool value);

  std::string Take() { return std::move(text_) + '}'; }

 private:
  void Key(std::string_view key);
  std::string text_ = "{";
};

// A JSON string literal, quotes included.
std::string QuoteJson(std::string_view text);
// Its inverse; nullopt when `json` is no string literal.
std::optional<std::string> DecodeJsonString(std::string_view json);

// One message from the browser: a reply (with id), an error reply, or an event (with method).
struct Envelope {
  std::optional<int64_t> id;
  std::string session_id;
  std::string method;
  std::string_view params;  // views into the parsed message
  std::string_view result;
  struct ErrorReply {
    int64_t code = 0;
    std::string message;
  };
  std::optional<ErrorReply> error;
};

// kProtocol when `message` is not a JSON object or is neither a reply nor an event.
Result<Envelope> ParseEnvelope(std::string_view message);

// The id of a reply, read from its first bytes alone: for messages too large to parse.
std::optional<int64_t> LeadingId(std::string_view message);

// Replaces \uXXXX escapes of unpaired surrogates by \uFFFD, in place: page text may hold them,
// UTF-8 cannot.
void ReplaceLoneSurrogates(std::string& json);

}  // namespace topodb::capture::cdp
