#include "query/run_side.h"

#include <deque>

#include <fmt/format.h>

#include "query/record_scan.h"
#include "schema/names.h"
#include "store/keys.h"
#include "store/lookup.h"

namespace topodb::query {
namespace {

// So many states are kept; neighbours in a diff ask for the same ones.
constexpr size_t kKeptStates = 64;

}  // namespace

RunSide::RunSide(const store::GraphReader& reader, const store::StoredRun& run, Which which)
    : reader_(reader), run_(run), which_(which), ids_(reader, run) {}

std::string_view RunSide::name() const {
  return which_ == Which::kBefore ? "the first run" : "the second run";
}

template <class Record>
Result<Record> RunSide::Read(const store::IdentityRow& row) const {
  TOPODB_TRY(const std::string bytes,
             store::GetStored(kv(), kKindOf<Record>, number(), row.state, row.ordinal));
  TOPODB_TRY(Record record, Decode<Record>(bytes));
  if (record.id.bytes == row.id) return record;
  return Error{ErrorCode::kCorruption,
               fmt::format("an index row of {} leads to {}", ToHex(row.id), record.id.ToString()),
               "run 'topodb check'"};
}

template Result<State> RunSide::Read(const store::IdentityRow& row) const;
template Result<Element> RunSide::Read(const store::IdentityRow& row) const;
template Result<ActionEdge> RunSide::Read(const store::IdentityRow& row) const;
template Result<SkippedAction> RunSide::Read(const store::IdentityRow& row) const;
template Result<FailedObservation> RunSide::Read(const store::IdentityRow& row) const;

Result<StatePtr> RunSide::StateAt(store::StateOrdinal ordinal) {
  if (const auto kept = states_.find(ordinal); kept != states_.end()) return kept->second;
  TOPODB_TRY(const std::string bytes,
             store::GetStored(kv(), store::Kind::kState, number(), ordinal, 0));
  TOPODB_TRY(State state, Decode<State>(bytes));
  if (states_.size() >= kKeptStates) states_.clear();
  return states_.emplace(ordinal, std::make_shared<State>(std::move(state))).first->second;
}

Result<std::vector<Element>> RunSide::ElementsOf(store::StateOrdinal ordinal) const {
  return RecordsOf<Element>(kv(), number(), ordinal);
}

Result<std::optional<store::IdentityRow>> RunSide::Find(store::RecordKind kind,
                                                        const IdBytes& id) const {
  return store::FindIdentity(kv(), number(), kind, id);
}

Result<StatePtr> RunSide::FindState(const StateId& id) {
  TOPODB_TRY(const auto row, Find(store::RecordKind::kState, id.bytes));
  if (!row) return StatePtr();
  return StateAt(row->state);
}

Result<std::optional<Element>> RunSide::FindElement(const ElementId& id) const {
  TOPODB_TRY(const auto row, Find(store::RecordKind::kElement, id.bytes));
  if (!row) return std::optional<Element>();
  TOPODB_TRY(Element element, Read<Element>(*row));
  return std::optional(std::move(element));
}

Result<const PageFacts*> RunSide::PageOf(const State& state) {
  const auto [page, is_new] = pages_.try_emplace(state.url_canonical_key);
  if (!is_new) return &page->second;
  store::Key key;
  key.kind = store::Kind::kStateByRoute;
  key.run = number();
  key.text = store::CutForIndex(state.route);
  store::KeyRange range{.begin = store::EncodeKey(key), .end = {}};
  key.state = store::kNoState;
  range.end = store::EncodeKey(key);
  const auto row = kv().Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    TOPODB_TRY(const store::Key at, store::ParseKey(row->key()));
    TOPODB_TRY(const StatePtr sibling, StateAt(at.state));
    if (sibling->url_canonical_key != state.url_canonical_key) continue;
    auto& unstable = page->second.unstable;
    unstable.insert(unstable.end(), sibling->unstable_parts.begin(), sibling->unstable_parts.end());
    page->second.dialogs.push_back(sibling->modal_stack);
  }
  TOPODB_TRY_VOID(row->status());
  return &page->second;
}

Result<std::optional<uint32_t>> RunSide::DepthOf(const StateId& id) {
  TOPODB_TRY(const auto row, Find(store::RecordKind::kState, id.bytes));
  if (!row) return std::optional<uint32_t>();
  if (!depths_) {
    std::unordered_map<store::StateOrdinal, uint32_t> depths = {{0, 0}};
    for (std::deque<store::StateOrdinal> open = {0}; !open.empty(); open.pop_front()) {
      const auto range = store::RangeOf(store::Kind::kAdjacency, number(), open.front());
      const auto edge = kv().Scan(range.begin, range.end);
      for (; edge->Valid(); edge->Next()) {
        TOPODB_TRY(const store::Key key, store::ParseKey(edge->key()));
        const bool is_new = depths.emplace(key.to, depths[open.front()] + 1).second;
        if (is_new) open.push_back(key.to);
      }
      TOPODB_TRY_VOID(edge->status());
    }
    depths_ = std::move(depths);
  }
  const auto found = depths_->find(row->state);
  return found == depths_->end() ? std::optional<uint32_t>() : std::optional(found->second);
}

std::optional<std::string> RunSide::WhyNotRefused() const {
  if (run().mode == RunMode::kScan) return fmt::format("{} is a scan", name());
  return std::nullopt;
}

Result<std::optional<std::string>> RunSide::WhyNotLooked(const std::optional<StateId>& source) {
  if (auto scan = WhyNotRefused()) return scan;
  if (run().status != RunStatus::kComplete) {
    return std::optional(
        fmt::format("{} is {}{}", name(), ToString(run().status),
                    run().status_reason.empty() ? "" : " (" + run().status_reason + ")"));
  }
  for (const Budget& budget : run().budgets) {
    if (!budget.hit) continue;
    // Depth hides only what lies beyond it.
    if (budget.name == "max-depth" && source) {
      TOPODB_TRY(const auto depth, DepthOf(*source));
      if (depth && *depth < budget.limit) continue;
    }
    return std::optional(fmt::format("{} reached {} {}", name(), budget.name, budget.limit));
  }
  return std::optional<std::string>();
}

}  // namespace topodb::query
