#include "store/graph_reader.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "schema/codec.h"
#include "store/keys.h"
#include "store/lookup.h"
#include "store/values.h"

namespace topodb::store {
namespace {

std::string ManifestKey(RunNumber run) {
  Key key;
  key.kind = Kind::kManifest;
  key.run = run;
  return EncodeKey(key);
}

// Runs that are not published do not exist for readers, whatever rows they have.
Status RequirePublished(const Kv& kv, RunNumber run) {
  TOPODB_TRY(const auto manifest, kv.Get(ManifestKey(run)));
  if (manifest) return {};
  return Error{ErrorCode::kNotFound, fmt::format("there is no run number {}", run), {}};
}

template <class Record>
Result<Record> DecodeAt(std::string_view key, std::string_view value) {
  auto record = Decode<Record>(value);
  if (!record) return std::move(record).error().With(DescribeKey(key));
  return record;
}

template <class Record>
Result<std::vector<Record>> ScanRecords(const Kv& kv, const KeyRange& range) {
  std::vector<Record> records;
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    TOPODB_TRY(Record record, DecodeAt<Record>(row->key(), row->value()));
    records.push_back(std::move(record));
  }
  TOPODB_TRY_VOID(row->status());
  return records;
}

template <class Record>
Result<std::vector<Record>> ScanRun(const Kv& kv, Kind kind, RunNumber run) {
  TOPODB_TRY_VOID(RequirePublished(kv, run));
  return ScanRecords<Record>(kv, RangeOf(kind, run));
}

template <class RecordId>
Result<IdentityRow> GetIdentity(const Kv& kv, RunNumber run, RecordKind kind, const RecordId& id) {
  TOPODB_TRY_VOID(RequirePublished(kv, run));
  TOPODB_TRY(auto identity, FindIdentity(kv, run, kind, id.bytes));
  if (identity) return *std::move(identity);
  return Error{ErrorCode::kNotFound, fmt::format("there is no {} in this run", id.ToString()), {}};
}

template <class Record>
Result<Record> GetAt(const Kv& kv, Kind kind, RunNumber run, StateOrdinal state, uint32_t ordinal) {
  TOPODB_TRY(const std::string value, GetStored(kv, kind, run, state, ordinal));
  Key key;
  key.kind = kind;
  key.run = run;
  key.state = state;
  key.ordinal = ordinal;
  return DecodeAt<Record>(EncodeKey(key), value);
}

template <class Record, class RecordId>
Result<Record> GetById(const Kv& kv, Kind kind, RunNumber run, RecordKind record_kind,
                       const RecordId& id) {
  TOPODB_TRY(const IdentityRow identity, GetIdentity(kv, run, record_kind, id));
  TOPODB_TRY(Record record, GetAt<Record>(kv, kind, run, identity.state, identity.ordinal));
  if (record.id == id) return record;
  return Error{ErrorCode::kCorruption,
               fmt::format("the identity index of run number {} gives {} for {}", run,
                           record.id.ToString(), id.ToString()),
               "run 'topodb check'"};
}

template <class Record>
Result<std::vector<Record>> ScanState(const Kv& kv, Kind kind, RunNumber run,
                                      const StateId& state) {
  TOPODB_TRY(const IdentityRow identity, GetIdentity(kv, run, RecordKind::kState, state));
  return ScanRecords<Record>(kv, RangeOf(kind, run, identity.state));
}

// ---- runs --------------------------------------------------------------------------------------

Result<std::vector<RunNumber>> PublishedRuns(const Kv& kv) {
  std::vector<RunNumber> numbers;
  const KeyRange range = RangeOf(Kind::kManifest);
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    TOPODB_TRY(const Key key, ParseKey(row->key()));
    numbers.push_back(key.run);
  }
  TOPODB_TRY_VOID(row->status());
  return numbers;
}

Result<StoredRun> GetRun(const Kv& kv, RunNumber number) {
  const std::string key = ManifestKey(number);
  TOPODB_TRY(const auto value, kv.Get(key));
  if (!value) return Error{ErrorCode::kCorruption, DescribeKey(key) + " has no manifest", {}};
  auto manifest = DecodeManifest(*value);
  if (!manifest) return std::move(manifest).error().With(DescribeKey(key));
  return StoredRun{.number = number, .run = std::move(manifest->run)};
}

// The N of "latest~N", 0 for "latest"; nullopt for anything else.
std::optional<size_t> ParseLatest(std::string_view reference) {
  constexpr std::string_view kLatest = "latest";
  if (reference == kLatest) return 0;
  if (!reference.starts_with("latest~")) return std::nullopt;
  const std::string_view digits = reference.substr(kLatest.size() + 1);
  if (digits.empty() || digits.size() > 9) return std::nullopt;
  size_t back = 0;
  for (const char c : digits) {
    if (c < '0' || c > '9') return std::nullopt;
    back = back * 10 + static_cast<size_t>(c - '0');
  }
  return back;
}

Result<StoredRun> GetLatest(const Kv& kv, size_t back) {
  TOPODB_TRY(const std::vector<RunNumber> numbers, PublishedRuns(kv));
  if (back < numbers.size()) return GetRun(kv, numbers[numbers.size() - 1 - back]);
  if (numbers.empty()) {
    return Error{ErrorCode::kNotFound, "the database holds no runs",
                 "'topodb capture URL' makes one"};
  }
  return Error{ErrorCode::kNotFound,
               fmt::format("there is no run latest~{}, only {} runs", back, numbers.size()),
               "'topodb runs' lists them"};
}

bool IsHex(std::string_view text) {
  return std::ranges::all_of(
      text, [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

struct NamedRun {
  std::string id;
  RunNumber number = 0;
};

// The runs whose id text starts with `prefix`, by id.
Result<std::vector<NamedRun>> RunsByIdPrefix(const Kv& kv, std::string_view prefix) {
  Key key;
  key.kind = Kind::kRunName;
  key.text = prefix;
  std::string begin = EncodeKey(key);
  begin.resize(begin.size() - 2);  // the terminator
  std::vector<NamedRun> runs;
  const auto row = kv.Scan(begin, RangeOf(Kind::kRunName).end);
  for (; row->Valid() && row->key().starts_with(begin); row->Next()) {
    TOPODB_TRY(Key name, ParseKey(row->key()));
    if (!RunId::Parse(name.text)) continue;  // a name
    TOPODB_TRY(const RunNumber number, DecodeRunNumber(row->value()));
    runs.push_back({.id = std::move(name.text), .number = number});
  }
  TOPODB_TRY_VOID(row->status());
  return runs;
}

Error AmbiguousRun(std::string_view reference, const std::vector<NamedRun>& runs) {
  constexpr size_t kListed = 5;
  std::string candidates;
  for (size_t i = 0; i < std::min(kListed, runs.size()); ++i) {
    candidates += (i == 0 ? "" : ", ") + runs[i].id;
  }
  if (runs.size() > kListed) candidates += fmt::format(" and {} more", runs.size() - kListed);
  return {ErrorCode::kAmbiguous, fmt::format("run '{}' may be any of {}", reference, candidates),
          "give more digits of the id"};
}

// ---- search by id ------------------------------------------------------------------------------

struct IdPrefix {
  RecordKind kind;
  std::string_view text;  // "state_"
};

constexpr IdPrefix kIdPrefixes[] = {
    {RecordKind::kState, StateId::kPrefix},
    {RecordKind::kElement, ElementId::kPrefix},
    {RecordKind::kEdge, EdgeId::kPrefix},
    {RecordKind::kSkip, SkipId::kPrefix},
    {RecordKind::kFailure, FailureId::kPrefix},
    {RecordKind::kLandmark, LandmarkId::kPrefix},
    {RecordKind::kObservation, ObservationId::kPrefix},
};

// Collects at most `limit` records, run by run.
class IdSearch {
 public:
  IdSearch(const Kv& kv, size_t limit) : kv_(kv), limit_(limit) {}

  // Records of our own ids: "state_ab12" or bare hex.
  Status SearchHex(RunNumber run, std::string_view prefix) {
    for (const IdPrefix& of_kind : kIdPrefixes) {
      std::string_view hex = prefix;
      if (hex.starts_with(of_kind.text)) hex.remove_prefix(of_kind.text.size());
      if (IsHex(hex)) TOPODB_TRY_VOID(SearchKind(run, of_kind.kind, hex));
    }
    return {};
  }

  // Records of imported ids: by the start of what they were called.
  Status SearchForeign(RunNumber run, std::string_view prefix) {
    const KeyRange range = RangeOf(Kind::kForeignId, run);
    const auto row = kv_.Scan(range.begin, range.end);
    for (; row->Valid() && !full(); row->Next()) {
      if (!row->value().starts_with(prefix)) continue;
      TOPODB_TRY(const Key key, ParseKey(row->key()));
      for (const IdPrefix& of_kind : kIdPrefixes) {
        TOPODB_TRY(const auto identity, FindIdentity(kv_, run, of_kind.kind, key.id));
        if (identity) Add({.run = run, .kind = of_kind.kind, .id = key.id});
      }
    }
    return row->status();
  }

  bool full() const { return found_.size() >= limit_; }
  std::vector<FoundRecord> Take() && { return std::move(found_); }

 private:
  Status SearchKind(RunNumber run, RecordKind kind, std::string_view hex) {
    std::string padded(hex);
    padded.resize(2 * std::tuple_size_v<IdBytes>, '0');
    const auto first = FromHex(padded);
    if (!first || hex.size() > padded.size()) return {};
    Key begin;
    begin.kind = Kind::kIdentity;
    begin.run = run;
    begin.tag = static_cast<uint8_t>(kind);
    begin.id = *first;
    const auto row = kv_.Scan(EncodeKey(begin), IdentityRange(run, kind).end);
    for (; row->Valid() && !full(); row->Next()) {
      TOPODB_TRY(const Key key, ParseKey(row->key()));
      if (!ToHex(key.id).starts_with(hex)) break;
      Add({.run = run, .kind = kind, .id = key.id});
    }
    return row->status();
  }

  void Add(FoundRecord record) {
    if (!full()) found_.push_back(record);
  }

  const Kv& kv_;
  size_t limit_;
  std::vector<FoundRecord> found_;
};

}  // namespace

Result<std::vector<StoredRun>> GraphReader::Runs() const {
  TOPODB_TRY(const std::vector<RunNumber> numbers, PublishedRuns(kv_));
  std::vector<StoredRun> runs;
  for (auto number = numbers.rbegin(); number != numbers.rend(); ++number) {
    TOPODB_TRY(StoredRun run, GetRun(kv_, *number));
    runs.push_back(std::move(run));
  }
  return runs;
}

Result<StoredRun> GraphReader::FindRun(std::string_view reference) const {
  if (const auto back = ParseLatest(reference)) return GetLatest(kv_, *back);
  Key key;
  key.kind = Kind::kRunName;
  key.text = reference;
  TOPODB_TRY(const auto named, kv_.Get(EncodeKey(key)));
  if (named) {
    TOPODB_TRY(const RunNumber number, DecodeRunNumber(*named));
    return GetRun(kv_, number);
  }
  std::string prefix(reference);
  if (IsHex(prefix)) prefix.insert(0, RunId::kPrefix);
  std::vector<NamedRun> runs;
  if (!reference.empty() && prefix.starts_with(RunId::kPrefix)) {
    TOPODB_TRY(runs, RunsByIdPrefix(kv_, prefix));
  }
  if (runs.size() == 1) return GetRun(kv_, runs.front().number);
  if (runs.size() > 1) return AmbiguousRun(reference, runs);
  return Error{ErrorCode::kNotFound, fmt::format("there is no run '{}'", reference),
               "'topodb runs' lists them"};
}

Result<std::vector<State>> GraphReader::States(RunNumber run) const {
  return ScanRun<State>(kv_, Kind::kState, run);
}

Result<std::vector<Element>> GraphReader::Elements(RunNumber run) const {
  return ScanRun<Element>(kv_, Kind::kElement, run);
}

Result<std::vector<Element>> GraphReader::ElementsOf(RunNumber run, const StateId& state) const {
  return ScanState<Element>(kv_, Kind::kElement, run, state);
}

Result<std::vector<ActionEdge>> GraphReader::Edges(RunNumber run) const {
  return ScanRun<ActionEdge>(kv_, Kind::kEdge, run);
}

Result<std::vector<ActionEdge>> GraphReader::EdgesFrom(RunNumber run, const StateId& state) const {
  return ScanState<ActionEdge>(kv_, Kind::kEdge, run, state);
}

Result<std::vector<ActionEdge>> GraphReader::EdgesTo(RunNumber run, const StateId& state) const {
  TOPODB_TRY(const IdentityRow to, GetIdentity(kv_, run, RecordKind::kState, state));
  std::vector<ActionEdge> edges;
  const KeyRange range = RangeOf(Kind::kEdgeByTo, run, to.state);
  const auto row = kv_.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    TOPODB_TRY(const Key key, ParseKey(row->key()));
    TOPODB_TRY(ActionEdge edge, GetAt<ActionEdge>(kv_, Kind::kEdge, run, key.state, key.ordinal));
    edges.push_back(std::move(edge));
  }
  TOPODB_TRY_VOID(row->status());
  return edges;
}

Result<std::vector<SkippedAction>> GraphReader::Skips(RunNumber run) const {
  return ScanRun<SkippedAction>(kv_, Kind::kSkip, run);
}

Result<std::vector<FailedObservation>> GraphReader::Failures(RunNumber run) const {
  return ScanRun<FailedObservation>(kv_, Kind::kFailure, run);
}

Result<std::vector<CompletionObservation>> GraphReader::Observations(RunNumber run) const {
  return ScanRun<CompletionObservation>(kv_, Kind::kObservation, run);
}

Result<std::vector<Landmark>> GraphReader::LandmarksOf(RunNumber run, const StateId& state) const {
  return ScanState<Landmark>(kv_, Kind::kLandmark, run, state);
}

Result<State> GraphReader::GetState(RunNumber run, const StateId& id) const {
  return GetById<State>(kv_, Kind::kState, run, RecordKind::kState, id);
}

Result<Element> GraphReader::GetElement(RunNumber run, const ElementId& id) const {
  return GetById<Element>(kv_, Kind::kElement, run, RecordKind::kElement, id);
}

Result<ActionEdge> GraphReader::GetEdge(RunNumber run, const EdgeId& id) const {
  return GetById<ActionEdge>(kv_, Kind::kEdge, run, RecordKind::kEdge, id);
}

Result<std::vector<FoundRecord>> GraphReader::FindByIdPrefix(std::string_view prefix,
                                                             std::optional<RunNumber> run,
                                                             size_t limit) const {
  std::vector<RunNumber> runs;
  if (run) {
    TOPODB_TRY_VOID(RequirePublished(kv_, *run));
    runs.push_back(*run);
  } else {
    TOPODB_TRY(runs, PublishedRuns(kv_));
    std::ranges::reverse(runs);
  }
  IdSearch search(kv_, limit);
  for (const RunNumber number : runs) {
    if (search.full()) break;
    TOPODB_TRY(const StoredRun stored, GetRun(kv_, number));
    TOPODB_TRY_VOID(stored.run.id_scheme == IdScheme::kForeign
                        ? search.SearchForeign(number, prefix)
                        : search.SearchHex(number, prefix));
  }
  return std::move(search).Take();
}

Result<std::vector<IdentityRow>> GraphReader::IdentityRows(RunNumber run, RecordKind kind) const {
  TOPODB_TRY_VOID(RequirePublished(kv_, run));
  std::vector<IdentityRow> rows;
  const KeyRange range = IdentityRange(run, kind);
  const auto row = kv_.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    TOPODB_TRY(const Key key, ParseKey(row->key()));
    auto identity = DecodeIdentityRow(key, row->value());
    if (!identity) return std::move(identity).error().With(DescribeKey(row->key()));
    rows.push_back(*std::move(identity));
  }
  TOPODB_TRY_VOID(row->status());
  return rows;
}

Result<std::optional<std::string>> GraphReader::ForeignId(RunNumber run, const IdBytes& id) const {
  TOPODB_TRY_VOID(RequirePublished(kv_, run));
  Key key;
  key.kind = Kind::kForeignId;
  key.run = run;
  key.id = id;
  return kv_.Get(EncodeKey(key));
}

}  // namespace topodb::store
