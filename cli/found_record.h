#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "cli/run_view.h"
#include "query/exchange/record_json.h"
#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_reader.h"

namespace topodb::cli {

using AnyRecord = std::variant<Run, State, Element, ActionEdge, SkippedAction, FailedObservation,
                               CompletionObservation, Landmark>;

struct LocatedRecord {
  store::StoredRun run;  // that it is in
  AnyRecord record;
};

// The one record of any kind whose id starts with `prefix`, or a run by name or id. A record that
// several runs have is taken from the newest, or from `run` when that is not empty. kNotFound;
// kAmbiguous with the candidates in the hint.
Result<LocatedRecord> LocateRecord(const store::GraphReader& reader, std::string_view prefix,
                                   std::string_view run);

// The record as one JSON object; a state with its landmarks.
Result<std::string> JsonOf(const State& state, RunView& view);
Result<std::string> JsonOf(const AnyRecord& record, RunView& view);

template <class Record>
Result<std::string> JsonOf(const Record& record, RunView& view) {
  std::string text;
  query::JsonWriter json(text);
  query::WriteJson(json, record, {.ids = view.ids()});
  TOPODB_TRY_VOID(view.status());
  return text;
}

}  // namespace topodb::cli
