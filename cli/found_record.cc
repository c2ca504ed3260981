#include "cli/found_record.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace topodb::cli {
namespace {

using store::FoundRecord;
using store::RecordKind;

constexpr size_t kMaxFound = 1000;
constexpr size_t kMaxCandidates = 10;

std::string TextOf(const FoundRecord& found) {
  switch (found.kind) {
    case RecordKind::kState:
      return StateId{found.id}.ToString();
    case RecordKind::kElement:
      return ElementId{found.id}.ToString();
    case RecordKind::kEdge:
      return EdgeId{found.id}.ToString();
    case RecordKind::kSkip:
      return SkipId{found.id}.ToString();
    case RecordKind::kFailure:
      return FailureId{found.id}.ToString();
    case RecordKind::kLandmark:
      return LandmarkId{found.id}.ToString();
    case RecordKind::kObservation:
      return ObservationId{found.id}.ToString();
  }
  return {};
}

template <class Record>
Result<AnyRecord> Pick(Result<std::vector<Record>> records, const FoundRecord& found) {
  if (!records) return std::move(records).error();
  for (Record& record : *records) {
    if (record.id.bytes == found.id) return AnyRecord(std::move(record));
  }
  return Error{ErrorCode::kNotFound, fmt::format("no record {}", TextOf(found)), ""};
}

Result<AnyRecord> PickLandmark(const store::GraphReader& reader, const FoundRecord& found) {
  TOPODB_TRY(const std::vector<State> states, reader.States(found.run));
  for (const State& state : states) {
    Result<AnyRecord> landmark = Pick(reader.LandmarksOf(found.run, state.id), found);
    if (landmark || landmark.error().code != ErrorCode::kNotFound) return landmark;
  }
  return Error{ErrorCode::kNotFound, fmt::format("no record {}", TextOf(found)), ""};
}

template <class Record>
Result<AnyRecord> Wrap(Result<Record> record) {
  if (!record) return std::move(record).error();
  return AnyRecord(*std::move(record));
}

Result<AnyRecord> Read(const store::GraphReader& reader, const FoundRecord& found) {
  switch (found.kind) {
    case RecordKind::kState:
      return Wrap(reader.GetState(found.run, StateId{found.id}));
    case RecordKind::kElement:
      return Wrap(reader.GetElement(found.run, ElementId{found.id}));
    case RecordKind::kEdge:
      return Wrap(reader.GetEdge(found.run, EdgeId{found.id}));
    case RecordKind::kSkip:
      return Pick(reader.Skips(found.run), found);
    case RecordKind::kFailure:
      return Pick(reader.Failures(found.run), found);
    case RecordKind::kLandmark:
      return PickLandmark(reader, found);
    case RecordKind::kObservation:
      return Pick(reader.Observations(found.run), found);
  }
  return Error{ErrorCode::kCorruption, "unknown kind of record", ""};
}

Error Ambiguous(std::string_view prefix, const std::set<std::string>& candidates) {
  std::string hint = "candidates:";
  size_t listed = 0;
  for (const std::string& candidate : candidates) {
    if (listed++ == kMaxCandidates) break;
    hint += "\n" + candidate;
  }
  if (candidates.size() > kMaxCandidates) {
    hint += fmt::format("\nand {} more", candidates.size() - kMaxCandidates);
  }
  return {ErrorCode::kAmbiguous, fmt::format("'{}' begins several ids", prefix), std::move(hint)};
}

}  // namespace

Result<LocatedRecord> LocateRecord(const store::GraphReader& reader, std::string_view prefix,
                                   std::string_view run) {
  std::optional<store::RunNumber> only;
  if (!run.empty()) {
    TOPODB_TRY(const store::StoredRun stored, reader.FindRun(run));
    only = stored.number;
  }
  TOPODB_TRY(const std::vector<FoundRecord> found, reader.FindByIdPrefix(prefix, only, kMaxFound));
  if (found.empty()) {
    Result<store::StoredRun> named = reader.FindRun(prefix);
    if (named) return LocatedRecord{*named, named->run};
    if (named.error().code != ErrorCode::kNotFound) return std::move(named).error();
    return Error{ErrorCode::kNotFound, fmt::format("no record has the id '{}'", prefix),
                 "ids are printed by topodb query and topodb runs; their beginning is enough"};
  }
  std::set<std::string> candidates;
  for (const FoundRecord& record : found) candidates.insert(TextOf(record));
  if (candidates.size() > 1) return Ambiguous(prefix, candidates);

  const FoundRecord& newest =
      *std::max_element(found.begin(), found.end(),
                        [](const FoundRecord& a, const FoundRecord& b) { return a.run < b.run; });
  TOPODB_TRY(const std::vector<store::StoredRun> runs, reader.Runs());
  for (const store::StoredRun& stored : runs) {
    if (stored.number != newest.run) continue;
    TOPODB_TRY(AnyRecord record, Read(reader, newest));
    return LocatedRecord{stored, std::move(record)};
  }
  return Error{ErrorCode::kCorruption, fmt::format("record {} belongs to no run", TextOf(newest)),
               "run topodb check"};
}

Result<std::string> JsonOf(const State& state, RunView& view) {
  TOPODB_TRY(const std::vector<Landmark> landmarks,
             view.reader().LandmarksOf(view.number(), state.id));
  std::string text;
  query::JsonWriter json(text);
  query::WriteJson(json, state, landmarks, {.ids = view.ids()});
  TOPODB_TRY_VOID(view.status());
  return text;
}

Result<std::string> JsonOf(const AnyRecord& record, RunView& view) {
  return std::visit([&](const auto& value) { return JsonOf(value, view); }, record);
}

}  // namespace topodb::cli
