#pragma once

#include <cstddef>
#include <vector>

#include "query/exchange/id_text.h"
#include "query/exchange/json_writer.h"
#include "query/script/script.h"
#include "schema/model.h"

// One record as a JSON object, the same in every place that prints one (export, show, query).
namespace topodb::query {

enum class VolatileFields {
  kWrite,
  kOmit,  // run id and name, times, protocol counts: what differs for an unchanged site
};

struct RecordStyle {
  IdText& ids;  // of the record's run
  VolatileFields volatile_fields = VolatileFields::kWrite;
  // Written first, as "record": which kind of line this is; nothing when empty.
  std::string_view kind = {};
};

// `metadata` of the document.
void WriteJson(JsonWriter& json, const Run& run, const RecordStyle& style);
void WriteJson(JsonWriter& json, const State& state, const std::vector<Landmark>& landmarks,
               const RecordStyle& style);
void WriteJson(JsonWriter& json, const Landmark& landmark, const RecordStyle& style);
void WriteJson(JsonWriter& json, const Element& element, const RecordStyle& style);
void WriteJson(JsonWriter& json, const ActionEdge& edge, const RecordStyle& style);
void WriteJson(JsonWriter& json, const SkippedAction& skip, const RecordStyle& style);
void WriteJson(JsonWriter& json, const FailedObservation& failure, const RecordStyle& style);
void WriteJson(JsonWriter& json, const CompletionObservation& observation,
               const RecordStyle& style);
void WriteJson(JsonWriter& json, const script::TargetRecord& target, const RecordStyle& style);

}  // namespace topodb::query
