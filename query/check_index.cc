#include "query/check_index.h"

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>
#include <utility>

#include "query/record_walk.h"
#include "store/values.h"

namespace topodb::query {
namespace {

using store::Kind;
using store::Row;

constexpr Kind kIndexKinds[] = {
    Kind::kEdgeByTo,  Kind::kIdentity,     Kind::kElementByName,
    Kind::kAdjacency, Kind::kStateByRoute, Kind::kEdgeByRisk,
};

bool IsIndexKind(Kind kind) {
  return std::find(std::begin(kIndexKinds), std::end(kIndexKinds), kind) != std::end(kIndexKinds);
}

Kind KindOf(std::string_view key) {
  return static_cast<Kind>(key.empty() ? 0 : static_cast<uint8_t>(key.front()));
}

// Where a record stands, of whatever kind.
using RecordPlace = std::tuple<Kind, store::StateOrdinal, uint32_t>;

// The record that an index row points to; "store" when the row cannot say.
RecordPlace TargetOf(std::string_view key, std::string_view value) {
  const auto parsed = store::ParseKey(key);
  if (!parsed) return {Kind::kStore, 0, 0};
  switch (parsed->kind) {
    case Kind::kStateByRoute:
      return {Kind::kState, parsed->state, 0};
    case Kind::kElementByName:
      return {Kind::kElement, parsed->state, parsed->ordinal};
    case Kind::kEdgeByTo:
    case Kind::kAdjacency:
    case Kind::kEdgeByRisk:
      return {Kind::kEdge, parsed->state, parsed->ordinal};
    case Kind::kIdentity:
      break;
    default:
      return {Kind::kStore, 0, 0};
  }
  const auto identity = store::DecodeIdentityRow(*parsed, value);
  if (!identity) return {Kind::kStore, 0, 0};
  // Record kinds are numbered in the order of the kinds of their rows.
  const auto kind = static_cast<Kind>(static_cast<uint8_t>(Kind::kState) + parsed->tag - 1);
  return {kind, identity->state, identity->ordinal};
}

// Gathers the index rows of some kinds that follow from the records of a run.
class ExpectedRows {
 public:
  explicit ExpectedRows(std::set<Kind> kinds) : kinds_(std::move(kinds)) {}

  void Row(std::string_view /*key*/, std::string_view /*value*/) {}
  void BadKey(std::string_view /*key*/, const Error& /*error*/) {}
  static Status Ended(Kind /*kind*/, const Status& status) { return status; }

  void BadRecord(std::string_view /*bytes*/, const store::Key& key, const Error& /*error*/) {
    unreadable_.insert({key.kind, key.state, key.ordinal});
  }

  void Use(std::string_view /*bytes*/, const store::Key& key, const State& state) {
    states_.emplace(state.id, key.state);
    Add(key, state);
  }

  template <class Record>
  void Use(std::string_view /*bytes*/, const store::Key& key, const Record& record) {
    Add(key, record);
  }

  // Sorted by key, each key once.
  std::vector<store::Row> Take() {
    std::stable_sort(rows_.begin(), rows_.end(),
                     [](const auto& a, const auto& b) { return a.key < b.key; });
    const auto same_key = [](const auto& a, const auto& b) { return a.key == b.key; };
    rows_.erase(std::unique(rows_.begin(), rows_.end(), same_key), rows_.end());
    return std::move(rows_);
  }

  // Whether only a record that does not verify could explain this row.
  bool IsUnexplainable(std::string_view key, std::string_view value) const {
    if (unreadable_.contains(TargetOf(key, value))) return true;
    const auto parsed = store::ParseKey(key);
    if (!parsed) return false;
    const bool leads_to_state = parsed->kind == Kind::kEdgeByTo || parsed->kind == Kind::kAdjacency;
    return leads_to_state && unreadable_.contains({Kind::kState, parsed->to, 0});
  }

 private:
  template <class Record>
  void Add(const store::Key& key, const Record& record) {
    const store::Place place{.run = key.run, .state = key.state, .ordinal = key.ordinal};
    for (store::Row& row : RowsFollowing(record, place, states_)) {
      if (kinds_.contains(KindOf(row.key))) rows_.push_back(std::move(row));
    }
  }

  std::set<Kind> kinds_;
  StateOrdinals states_;
  std::vector<store::Row> rows_;
  std::set<RecordPlace> unreadable_;
};

// What is wrong with the rows of some index kinds.
struct IndexVisitor {
  std::function<void(const Row& expected)> missing;
  std::function<void(const Row& expected)> different;
  std::function<void(std::string_view key, std::string_view value)> superfluous;
};

Status CompareKind(const store::Kv& kv, const store::KeyRange& range,
                   const std::vector<Row>& expected, const ExpectedRows& records,
                   const IndexVisitor& visitor) {
  auto next =
      std::lower_bound(expected.begin(), expected.end(), range.begin,
                       [](const Row& row, const std::string& begin) { return row.key < begin; });
  const auto end =
      std::lower_bound(next, expected.end(), range.end,
                       [](const Row& row, const std::string& key) { return row.key < key; });
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    for (; next != end && next->key < row->key(); ++next) visitor.missing(*next);
    if (next != end && next->key == row->key()) {
      if (next->value != row->value()) visitor.different(*next);
      ++next;
    } else if (!records.IsUnexplainable(row->key(), row->value())) {
      visitor.superfluous(row->key(), row->value());
    }
  }
  for (; next != end; ++next) visitor.missing(*next);
  return row->status();
}

Status CompareRows(const store::Kv& kv, store::RunNumber run, const std::set<Kind>& kinds,
                   const IndexVisitor& visitor) {
  ExpectedRows records(kinds);
  TOPODB_TRY_VOID(WalkRecords(kv, run, records));
  const std::vector<Row> expected = records.Take();
  for (const Kind kind : kinds) {
    TOPODB_TRY_VOID(CompareKind(kv, store::RangeOf(kind, run), expected, records, visitor));
  }
  return {};
}

Result<IndexSum> SumOf(const store::Kv& kv, const store::KeyRange& range) {
  IndexSum sum;
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    ++sum.rows;
    sum.sum += store::RowSum(row->key(), row->value());
  }
  TOPODB_TRY_VOID(row->status());
  return sum;
}

}  // namespace

std::vector<Row> RowsFollowing(const State& state, const store::Place& place,
                               const StateOrdinals& /*states*/) {
  return store::RowsOf(state, {.run = place.run, .state = place.state, .ordinal = 0});
}

std::vector<Row> RowsFollowing(const ActionEdge& edge, const store::Place& place,
                               const StateOrdinals& states) {
  std::vector<store::StateOrdinal> destinations;
  for (const StateId& destination : store::DestinationsOf(edge)) {
    const auto state = states.find(destination);
    if (state != states.end()) destinations.push_back(state->second);
  }
  return store::RowsOf(edge, place, destinations);
}

void AddToSums(const std::vector<Row>& rows, IndexSums& sums) {
  for (const Row& row : rows) {
    if (!IsIndexKind(KindOf(row.key))) continue;
    IndexSum& sum = sums[KindOf(row.key)];
    ++sum.rows;
    sum.sum += store::RowSum(row.key, row.value);
  }
}

Status CheckIndexRows(const store::Kv& kv, store::RunNumber run, const IndexSums& expected,
                      Violations& violations) {
  std::set<Kind> suspects;
  for (const Kind kind : kIndexKinds) {
    const Result<IndexSum> stored = SumOf(kv, store::RangeOf(kind, run));
    if (!stored) {
      TOPODB_TRY_VOID(violations.TakeDamage(stored.error()));
      continue;
    }
    const auto want = expected.find(kind);
    if (*stored != (want == expected.end() ? IndexSum() : want->second)) suspects.insert(kind);
  }
  if (suspects.empty()) return {};
  const auto report = [&](std::string_view key, std::string_view what) {
    violations.Add(Invariant::kIndexRows, key, {}, std::string(what));
  };
  return CompareRows(
      kv, run, suspects,
      {.missing = [&](const Row& row) { report(row.key, "the index row of a record is missing"); },
       .different =
           [&](const Row& row) {
             report(row.key, "the index row says other things than its record");
           },
       .superfluous =
           [&](std::string_view key, std::string_view /*value*/) {
             report(key, "the index row follows from no record");
           }});
}

Result<store::Batch> PlanIndexRepair(const store::GraphReader& reader, store::RunNumber run) {
  store::Batch batch;
  const auto put = [&](const Row& row) { batch.Put(row.key, row.value); };
  TOPODB_TRY_VOID(
      CompareRows(reader.kv(), run, {std::begin(kIndexKinds), std::end(kIndexKinds)},
                  {.missing = put,
                   .different = put,
                   .superfluous = [&](std::string_view key, std::string_view /*value*/) {
                     batch.Delete(std::string(key));
                   }}));
  return batch;
}

}  // namespace topodb::query
