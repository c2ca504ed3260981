#include "query/exchange/record_json.h"

#include <algorithm>

#include <fmt/format.h>

#include "query/exchange/iso_time.h"
#include "query/exchange/record_fields.h"
#include "query/script/target_fields.h"

namespace topodb::query {
namespace {

class WriteArchive {
 public:
  static constexpr bool kWriting = true;

  WriteArchive(JsonWriter& json, const RecordStyle& style) : json_(json), style_(style) {}

  template <class T>
  void Field(std::string_view key, const T& value) {
    json_.Key(key);
    Put(value);
  }

  template <class T>
  void Required(std::string_view key, const T& value) {
    Field(key, value);
  }

  template <class T>
  void Computed(std::string_view key, const T& value) {
    Field(key, value);
  }

  template <class T>
  void Volatile(std::string_view key, const T& value) {
    if (style_.volatile_fields == VolatileFields::kWrite) Field(key, value);
  }

  // Sorted, each name once: what reading gives back.
  void Names(std::string_view key, std::vector<NameValue> pairs) {
    const auto by_name = [](const NameValue& a, const NameValue& b) { return a.first < b.first; };
    std::stable_sort(pairs.begin(), pairs.end(), by_name);
    json_.Key(key);
    json_.BeginObject();
    for (size_t i = 0; i < pairs.size(); ++i) {
      if (i == 0 || pairs[i].first != pairs[i - 1].first) Field(pairs[i].first, pairs[i].second);
    }
    json_.EndObject();
  }

  void Hash(std::string_view key, uint64_t hash) { Field(key, fmt::format("{:016x}", hash)); }

  template <class Fields>
  void Object(std::string_view key, const Fields& fields) {
    json_.Key(key);
    Braced(fields);
  }

  template <class T, class Fields>
  void Optional(std::string_view key, const std::optional<T>& value, const Fields& fields) {
    json_.Key(key);
    if (!value) return json_.Null();
    Braced([&](WriteArchive& archive) { fields(archive, *value); });
  }

  template <class T, class Fields>
  void List(std::string_view key, const std::vector<T>& values, const Fields& fields) {
    json_.Key(key);
    json_.BeginArray();
    for (const T& value : values) Braced([&](WriteArchive& archive) { fields(archive, value); });
    json_.EndArray();
  }

  template <class Fields>
  void Braced(const Fields& fields) {
    json_.BeginObject();
    fields(*this);
    json_.EndObject();
  }

 private:
  void Put(const std::string& text) { json_.String(text); }
  void Put(bool value) { json_.Boolean(value); }
  void Put(double value) { json_.Number(value); }
  void Put(Timestamp time) { json_.String(ToIsoTime(time)); }

  template <std::integral T>
  void Put(T value) {
    json_.Number(value);
  }

  template <class Enum>
  requires std::is_enum_v<Enum>
  void Put(Enum value) { json_.String(ToString(value)); }

  template <class Tag>
  void Put(const Id<Tag>& id) {
    json_.String(style_.ids(id));
  }

  template <class T>
  void Put(const std::optional<T>& value) {
    if (value) {
      Put(*value);
    } else {
      json_.Null();
    }
  }

  template <class T>
  void Put(const std::vector<T>& values) {
    json_.BeginArray();
    for (const T& value : values) Put(value);
    json_.EndArray();
  }

  template <class T>
  requires std::is_aggregate_v<T>
  void Put(const T& record) {
    Braced([&](WriteArchive& archive) { Describe(archive, record); });
  }

  JsonWriter& json_;
  const RecordStyle& style_;
};

template <class Fields>
void WriteObject(JsonWriter& json, const RecordStyle& style, const Fields& fields) {
  WriteArchive archive(json, style);
  archive.Braced([&](WriteArchive& object) {
    if (!style.kind.empty()) object.Field("record", std::string(style.kind));
    fields(object);
  });
}

template <class Record>
void WriteRecord(JsonWriter& json, const Record& record, const RecordStyle& style) {
  WriteObject(json, style, [&](WriteArchive& archive) { Describe(archive, record); });
}

}  // namespace

void WriteJson(JsonWriter& json, const Run& run, const RecordStyle& style) {
  WriteRecord(json, run, style);
}

void WriteJson(JsonWriter& json, const State& state, const std::vector<Landmark>& landmarks,
               const RecordStyle& style) {
  WriteObject(json, style,
              [&](WriteArchive& archive) { DescribeState(archive, state, landmarks); });
}

void WriteJson(JsonWriter& json, const Landmark& landmark, const RecordStyle& style) {
  WriteRecord(json, landmark, style);
}

void WriteJson(JsonWriter& json, const Element& element, const RecordStyle& style) {
  WriteRecord(json, element, style);
}

void WriteJson(JsonWriter& json, const ActionEdge& edge, const RecordStyle& style) {
  WriteRecord(json, edge, style);
}

void WriteJson(JsonWriter& json, const SkippedAction& skip, const RecordStyle& style) {
  WriteRecord(json, skip, style);
}

void WriteJson(JsonWriter& json, const FailedObservation& failure, const RecordStyle& style) {
  WriteRecord(json, failure, style);
}

void WriteJson(JsonWriter& json, const CompletionObservation& observation,
               const RecordStyle& style) {
  WriteRecord(json, observation, style);
}

void WriteJson(JsonWriter& json, const script::TargetRecord& target, const RecordStyle& style) {
  WriteRecord(json, target, style);
}

}  // namespace topodb::query
