#include "query/exchange/record_reader.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "query/exchange/iso_time.h"
#include "query/exchange/record_fields.h"
#include "query/script/target_fields.h"
#include "schema/base/hash.h"
#include "schema/fingerprint.h"

namespace topodb::query {
namespace {

namespace json = boost::json;

constexpr size_t kMaxIdBytes = 1024;

// Where a value stands; made into text only for messages.
struct Path {
  const Path* parent = nullptr;
  std::string_view name;  // empty for an array's item
  size_t index = 0;
};

std::string ToString(const Path& path) {
  if (path.parent == nullptr) return std::string(path.name);
  const std::string parent = ToString(*path.parent);
  return path.name.empty() ? fmt::format("{}[{}]", parent, path.index)
                           : fmt::format("{}.{}", parent, path.name);
}

std::string_view KindOf(const json::value& value) {
  switch (value.kind()) {
    case json::kind::null:
      return "null";
    case json::kind::bool_:
      return "a boolean";
    case json::kind::string:
      return "a string";
    case json::kind::array:
      return "an array";
    case json::kind::object:
      return "an object";
    default:
      return "a number";
  }
}

std::string_view View(const json::value& value) {
  const json::string& text = value.get_string();
  return {text.data(), text.size()};
}

}  // namespace

// One object being read. After the first problem of a record the rest of it is read idly.
class ReadArchive {
 public:
  static constexpr bool kWriting = false;

  ReadArchive(RecordReader& reader, const json::object& object, const Path& path)
      : reader_(reader), object_(object), path_(path) {}
  ReadArchive(const ReadArchive&) = delete;
  ReadArchive& operator=(const ReadArchive&) = delete;

  ~ReadArchive() {
    if (known_.size() < object_.size()) CountUnknown();
  }

  template <class T>
  void Field(std::string_view key, T& value) {
    if (const json::value* found = Find(key)) Get(*found, value, {&path_, key, 0});
  }

  template <class T>
  void Required(std::string_view key, T& value) {
    const json::value* found = Find(key);
    if (found == nullptr) return Missing(key);
    Get(*found, value, {&path_, key, 0});
  }

  template <class T>
  void Volatile(std::string_view key, T& value) {
    Field(key, value);
  }

  template <class T>
  void Computed(std::string_view key, const T& /*value*/) {
    Find(key);
  }

  void Names(std::string_view key, std::vector<NameValue>& pairs) {
    const json::value* found = Find(key);
    if (found == nullptr) return;
    const Path path{&path_, key, 0};
    if (!found->is_object()) return Expected("an object", *found, path);
    for (const auto& [name, value] : found->get_object()) {
      const std::string_view text(name.data(), name.size());
      NameValue pair{std::string(text), std::string()};
      Get(value, pair.second, {&path, text, 0});
      pairs.push_back(std::move(pair));
    }
    std::sort(pairs.begin(), pairs.end());
  }

  void Hash(std::string_view key, uint64_t& hash) {
    std::string text;
    Field(key, text);
    if (text.empty()) return;
    const auto bytes = FromHex(std::string(16, '0') + text);
    if (!bytes) return Fail({&path_, key, 0}, "expected 16 hex digits");
    hash = 0;
    for (size_t i = 8; i < bytes->size(); ++i) hash = hash << 8U | bytes->at(i);
  }

  template <class Fields>
  void Object(std::string_view key, const Fields& fields) {
    const json::value* found = Find(key);
    if (found == nullptr) return Missing(key);
    GetObject(*found, {&path_, key, 0}, fields);
  }

  template <class T, class Fields>
  void Optional(std::string_view key, std::optional<T>& value, const Fields& fields) {
    const json::value* found = Find(key);
    if (found == nullptr || found->is_null()) return;
    value.emplace();
    GetObject(*found, {&path_, key, 0}, [&](ReadArchive& object) { fields(object, *value); });
  }

  template <class T, class Fields>
  void List(std::string_view key, std::vector<T>& values, const Fields& fields) {
    const json::value* found = Find(key);
    if (found == nullptr) return;
    GetItems(*found, {&path_, key, 0}, values, [&](const json::value& item, T& value, Path path) {
      GetObject(item, path, [&](ReadArchive& object) { fields(object, value); });
    });
  }

  template <class Fields>
  static void ReadObject(RecordReader& reader, const json::value& value, const Path& path,
                         const Fields& fields) {
    if (!value.is_object()) {
      return SetProblem(reader, path, fmt::format("expected an object, found {}", KindOf(value)));
    }
    ReadArchive object(reader, value.get_object(), path);
    fields(object);
  }

 private:
  static void SetProblem(RecordReader& reader, const Path& path, std::string_view problem) {
    if (!reader.problem_) reader.problem_ = fmt::format("{}: {}", ToString(path), problem);
  }

  void Fail(const Path& path, std::string_view problem) { SetProblem(reader_, path, problem); }
  void Missing(std::string_view key) { Fail({&path_, key, 0}, "missing"); }
  void Expected(std::string_view what, const json::value& found, const Path& path) {
    Fail(path, fmt::format("expected {}, found {}", what, KindOf(found)));
  }

  const json::value* Find(std::string_view key) {
    const json::value* value = object_.if_contains(key);
    if (value != nullptr) known_.push_back(key);
    return value;
  }

  void CountUnknown() {
    for (const auto& [name, value] : object_) {
      const std::string_view key(name.data(), name.size());
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      if (reader_.unknown_fields_++ == 0) {
        reader_.first_unknown_field_ = ToString(Path{&path_, key, 0});
      }
    }
  }

  template <class Fields>
  void GetObject(const json::value& value, const Path& path, const Fields& fields) {
    ReadObject(reader_, value, path, fields);
  }

  template <class T, class GetItem>
  void GetItems(const json::value& json, const Path& path, std::vector<T>& values,
                const GetItem& get) {
    if (!json.is_array()) return Expected("an array", json, path);
    values.clear();
    values.reserve(json.get_array().size());
    for (const json::value& item : json.get_array()) {
      const size_t index = values.size();
      get(item, values.emplace_back(), Path{&path, {}, index});
    }
  }

  void Get(const json::value& json, std::string& text, const Path& path) {
    if (!json.is_string()) return Expected("a string", json, path);
    text = View(json);
  }

  void Get(const json::value& json, bool& value, const Path& path) {
    if (!json.is_bool()) return Expected("a boolean", json, path);
    value = json.get_bool();
  }

  void Get(const json::value& json, double& number, const Path& path) {
    if (!json.is_number()) return Expected("a number", json, path);
    number = json.to_number<double>();
  }

  template <std::integral T>
  void Get(const json::value& json, T& number, const Path& path) {
    if (!json.is_number()) return Expected("a number", json, path);
    const auto fits = [](auto value) { return std::in_range<T>(value); };
    if (json.is_int64() && fits(json.get_int64())) {
      number = static_cast<T>(json.get_int64());
    } else if (json.is_uint64() && fits(json.get_uint64())) {
      number = static_cast<T>(json.get_uint64());
    } else {
      Fail(path, fmt::format("expected a whole number from {} to {}", std::numeric_limits<T>::min(),
                             std::numeric_limits<T>::max()));
    }
  }

  void Get(const json::value& json, Timestamp& time, const Path& path) {
    if (!json.is_string()) return Expected("a time", json, path);
    const auto parsed = ParseIsoTime(View(json));
    if (!parsed) return Fail(path, "expected a time like 2026-01-31T23:59:59.123Z");
    time = *parsed;
  }

  template <class Enum>
  requires std::is_enum_v<Enum>
  void Get(const json::value& json, Enum& value, const Path& path) {
    if (!json.is_string()) return Expected("a string", json, path);
    const auto parsed = Parse<Enum>(View(json));
    if (!parsed) return Fail(path, fmt::format("unknown value \"{}\"", View(json)));
    value = *parsed;
  }

  void Get(const json::value& json, AnchorKey& key, const Path& path) { GetOwn(json, key, path); }

  template <class Tag>
  void Get(const json::value& json, Id<Tag>& id, const Path& path) {
    if (reader_.scheme_ == IdScheme::kTopodb1) return GetOwn(json, id, path);
    if (!json.is_string()) return Expected("a string", json, path);
    const std::string_view text = View(json);
    if (text.empty() || text.size() > kMaxIdBytes) {
      return Fail(path, fmt::format("expected an id of 1 to {} bytes", kMaxIdBytes));
    }
    id.bytes = ForeignIdBytes(text);
    reader_.foreign_ids_.emplace_back(id.bytes, text);
  }

  template <class Tag>
  void GetOwn(const json::value& json, Id<Tag>& id, const Path& path) {
    if (!json.is_string()) return Expected("a string", json, path);
    const auto parsed = Id<Tag>::Parse(View(json));
    if (!parsed) return Fail(path, fmt::format("expected {} and 32 hex digits", Tag::kPrefix));
    id = *parsed;
  }

  template <class T>
  void Get(const json::value& json, std::optional<T>& value, const Path& path) {
    if (json.is_null()) {
      value.reset();
    } else {
      Get(json, value.emplace(), path);
    }
  }

  template <class T>
  void Get(const json::value& json, std::vector<T>& values, const Path& path) {
    GetItems(json, path, values, [this](const json::value& item, T& value, const Path& where) {
      Get(item, value, where);
    });
  }

  template <class T>
  requires std::is_aggregate_v<T>
  void Get(const json::value& json, T& record, const Path& path) {
    GetObject(json, path, [&](ReadArchive& object) { Describe(object, record); });
  }

  RecordReader& reader_;
  const json::object& object_;
  const Path path_;
  std::vector<std::string_view> known_;
};

IdBytes ForeignIdBytes(std::string_view text) { return Canonical("foreign").Add(text).Hash(); }

template <class Fields>
Status RecordReader::Read(const json::value& json, std::string_view where, const Fields& fields) {
  problem_.reset();
  ReadArchive::ReadObject(*this, json, Path{nullptr, where, 0}, fields);
  if (problem_) return Error{ErrorCode::kInvalidArgument, *std::move(problem_), {}};
  return {};
}

Result<Run> RecordReader::ReadRun(const json::value& json, std::string_view where) {
  Run run;
  run.status = RunStatus::kComplete;
  run.id_scheme = scheme_;
  TOPODB_TRY_VOID(Read(json, where, [&](ReadArchive& a) { Describe(a, run); }));
  return run;
}

Result<StateBundle> RecordReader::ReadState(const json::value& json, std::string_view where) {
  StateBundle bundle;
  TOPODB_TRY_VOID(
      Read(json, where, [&](ReadArchive& a) { DescribeState(a, bundle.state, bundle.landmarks); }));
  for (const Landmark& landmark : bundle.landmarks) {
    if (landmark.state_id == bundle.state.id) continue;
    return Error{
        ErrorCode::kInvalidArgument, fmt::format("{}: a landmark of another state", where), {}};
  }
  return bundle;
}

Result<Element> RecordReader::ReadElement(const json::value& json, std::string_view where) {
  Element element;
  if (scheme_ == IdScheme::kForeign) element.name_source = NameSource::kImported;
  TOPODB_TRY_VOID(Read(json, where, [&](ReadArchive& a) { Describe(a, element); }));
  if (element.anchor_key.is_zero()) element.anchor_key = ComputeAnchorKey(element);
  return element;
}

Result<ActionEdge> RecordReader::ReadEdge(const json::value& json, std::string_view where) {
  ActionEdge edge;
  edge.target.verification_reason = "imported without an identity record";
  TOPODB_TRY_VOID(Read(json, where, [&](ReadArchive& a) { Describe(a, edge); }));
  return edge;
}

Result<SkippedAction> RecordReader::ReadSkip(const json::value& json, std::string_view where) {
  SkippedAction skip;
  TOPODB_TRY_VOID(Read(json, where, [&](ReadArchive& a) { Describe(a, skip); }));
  return skip;
}

Result<FailedObservation> RecordReader::ReadFailure(const json::value& json,
                                                    std::string_view where) {
  FailedObservation failure;
  TOPODB_TRY_VOID(Read(json, where, [&](ReadArchive& a) { Describe(a, failure); }));
  return failure;
}

Result<CompletionObservation> RecordReader::ReadObservation(const json::value& json,
                                                            std::string_view where) {
  CompletionObservation observation;
  TOPODB_TRY_VOID(Read(json, where, [&](ReadArchive& a) { Describe(a, observation); }));
  if (observation.text && observation.status != CompletionStatus::kComplete) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("{}.text: only a complete observation has a text", where),
                 {}};
  }
  return observation;
}

Result<script::TargetRecord> RecordReader::ReadTarget(const json::value& json,
                                                      std::string_view where) {
  script::TargetRecord target;
  TOPODB_TRY_VOID(Read(json, where, [&](ReadArchive& a) { Describe(a, target); }));
  return target;
}

std::vector<ForeignId> RecordReader::TakeForeignIds() {
  std::vector<ForeignId> ids = std::exchange(foreign_ids_, {});
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

}  // namespace topodb::query
