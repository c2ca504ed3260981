#include "store/publication.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "schema/codec.h"
#include "store/keys.h"

namespace topodb::store {
namespace {

constexpr size_t kMaxRunName = 256;

std::string FactKey(std::string_view fact) {
  Key key;
  key.kind = Kind::kStore;
  key.text = fact;
  return EncodeKey(key);
}

std::string RunKey(Kind kind, RunNumber run) {
  Key key;
  key.kind = kind;
  key.run = run;
  return EncodeKey(key);
}

std::string NameKey(std::string_view name) {
  Key key;
  key.kind = Kind::kRunName;
  key.text = name;
  return EncodeKey(key);
}

std::string InputKey(const Run& run, RunNumber number) {
  Key key;
  key.kind = Kind::kRunByInput;
  key.id = run.input_fingerprint.bytes;
  key.run = number;
  return EncodeKey(key);
}

// What the run is found by: the text of its id, and its name when it has one.
std::vector<std::string> NamesOf(const Run& run) {
  std::vector<std::string> names = {run.id.ToString()};
  if (!run.name.empty()) names.push_back(run.name);
  return names;
}

// Names that would hide another way of naming a run are no names.
Status CheckNameIsUsable(const Run& run) {
  if (run.id.is_zero()) return Error{ErrorCode::kInvalidArgument, "the run has no id", {}};
  if (run.name.size() > kMaxRunName) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("the run name is longer than {} bytes", kMaxRunName),
                 "choose a shorter name"};
  }
  if (run.name == "latest" || run.name.starts_with("latest~") || RunId::Parse(run.name)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("'{}' cannot be the name of a run", run.name),
                 "choose a name that is neither 'latest' nor a run id"};
  }
  return {};
}

Status CheckNamesAreFree(const Kv& kv, const Run& run) {
  for (const std::string& name : NamesOf(run)) {
    TOPODB_TRY(const auto owner, kv.Get(NameKey(name)));
    if (!owner) continue;
    return Error{ErrorCode::kInvalidArgument, fmt::format("there is a run '{}' already", name),
                 "choose another name, or remove that run first"};
  }
  return {};
}

void DeleteRows(Batch& batch, RunNumber number) {
  for (const Kind kind : kRunKinds) {
    KeyRange range = RangeOf(kind, number);
    batch.DeleteRange(std::move(range.begin), std::move(range.end));
  }
}

// When the last state of a draft was captured: the closest thing to the end of a run that died.
Result<Timestamp> LastSeen(const Kv& kv, RunNumber number, const Run& run) {
  Timestamp last = run.generated_at;
  const KeyRange range = RangeOf(Kind::kState, number);
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    // A damaged state is reported by `check`; here it must not keep the database from opening.
    if (const auto state = Decode<State>(row->value())) last = std::max(last, state->created_at);
  }
  TOPODB_TRY_VOID(row->status());
  return last;
}

Status SettleDraft(Kv& kv, RunNumber number, std::string_view draft) {
  TOPODB_TRY(const Totals totals, CountRows(kv, number));
  if (totals.Of(Kind::kState).rows == 0) return DeleteRun(kv, number);
  auto run = Decode<Run>(draft);
  if (!run) {
    return std::move(run).error().With(
        fmt::format("while publishing the interrupted run number {}", number));
  }
  run->status = RunStatus::kPartial;
  run->status_reason = "interrupted";
  TOPODB_TRY(run->ended_at, LastSeen(kv, number, *run));
  return PublishDraft(kv, number, *std::move(run), totals);
}

}  // namespace

Result<RunNumber> BeginDraft(Kv& kv, const Run& run) {
  TOPODB_TRY_VOID(CheckNameIsUsable(run));
  TOPODB_TRY_VOID(CheckNamesAreFree(kv, run));
  TOPODB_TRY(const auto next, kv.Get(FactKey(kNextRunFact)));
  RunNumber number = 1;
  if (next) {
    TOPODB_TRY(number, DecodeRunNumber(*next));
  }
  Batch batch;
  batch.Put(FactKey(kNextRunFact), EncodeRunNumber(number + 1));
  batch.Put(RunKey(Kind::kDraft, number), Encode(run));
  TOPODB_TRY_VOID(kv.Apply(batch, Durability::kSync));
  return number;
}

Status PublishDraft(Kv& kv, RunNumber number, Run run, const Totals& totals) {
  TOPODB_TRY_VOID(CheckNameIsUsable(run));
  TOPODB_TRY_VOID(CheckNamesAreFree(kv, run));
  run.counts = totals.Counts();
  Batch batch;
  for (const std::string& name : NamesOf(run)) batch.Put(NameKey(name), EncodeRunNumber(number));
  batch.Put(InputKey(run, number), {});
  batch.Put(RunKey(Kind::kManifest, number),
            Encode(Manifest{.totals = totals, .run = std::move(run)}));
  batch.Delete(RunKey(Kind::kDraft, number));
  TOPODB_TRY_VOID(kv.Apply(batch, Durability::kSync));
  return kv.Flush();
}

Status DeleteRun(Kv& kv, RunNumber number) {
  Batch batch;
  TOPODB_TRY(const auto value, kv.Get(RunKey(Kind::kManifest, number)));
  if (value) {
    TOPODB_TRY(const Manifest manifest, DecodeManifest(*value));
    batch.Delete(RunKey(Kind::kManifest, number));
    for (const std::string& name : NamesOf(manifest.run)) batch.Delete(NameKey(name));
    batch.Delete(InputKey(manifest.run, number));
  }
  batch.Delete(RunKey(Kind::kDraft, number));
  DeleteRows(batch, number);
  return kv.Apply(batch, Durability::kSync);
}

Status SettleDrafts(Kv& kv) {
  std::vector<std::pair<RunNumber, std::string>> drafts;
  const KeyRange range = RangeOf(Kind::kDraft);
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    TOPODB_TRY(const Key key, ParseKey(row->key()));
    drafts.emplace_back(key.run, row->value());
  }
  TOPODB_TRY_VOID(row->status());
  for (const auto& [number, draft] : drafts) TOPODB_TRY_VOID(SettleDraft(kv, number, draft));
  return {};
}

}  // namespace topodb::store
