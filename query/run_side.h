#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "query/exchange/id_text.h"
#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_reader.h"

namespace topodb::query {

using StatePtr = std::shared_ptr<const State>;

// What the states of one URL have in common.
struct PageFacts {
  std::vector<UnstablePart> unstable;             // found in any of them
  std::vector<std::vector<std::string>> dialogs;  // the open dialogs of each
};

enum class Which : uint8_t { kBefore, kAfter };

// One of the two runs of a diff. Reads a record when it is asked for and keeps few of them; the
// errors of all reads are those of the store, kCorruption where an index row leads to nothing.
class RunSide {
 public:
  // `reader` must outlive this.
  RunSide(const store::GraphReader& reader, const store::StoredRun& run, Which which);

  Which which() const { return which_; }

  const Run& run() const { return run_.run; }
  store::RunNumber number() const { return run_.number; }
  std::string_view name() const;  // what to call it in reasons: "the first run"
  const store::Kv& kv() const { return reader_.kv(); }

  // The record that an identity row leads to.
  template <class Record>
  Result<Record> Read(const store::IdentityRow& row) const;
  Result<StatePtr> StateAt(store::StateOrdinal ordinal);
  Result<std::vector<Element>> ElementsOf(store::StateOrdinal ordinal) const;

  // Null or nullopt: the run has no such record.
  Result<std::optional<store::IdentityRow>> Find(store::RecordKind kind, const IdBytes& id) const;
  Result<StatePtr> FindState(const StateId& id);
  Result<std::optional<Element>> FindElement(const ElementId& id) const;

  // Reads the states of that state's URL, once for each URL.
  Result<const PageFacts*> PageOf(const State& state);

  // Edges on the shortest way from the first state; nullopt when no edge leads there. Reads the
  // adjacency rows of the run, once.
  Result<std::optional<uint32_t>> DepthOf(const StateId& id);

  // Why a state, or an action from the state `source` of this run, may have been missed; nullopt
  // when the run did look. Nothing is known of the way there without `source`.
  Result<std::optional<std::string>> WhyNotLooked(const std::optional<StateId>& source);
  // The same for what every state found gets, explored or not.
  std::optional<std::string> WhyNotRefused() const;

  // The id as the run spells it.
  template <class Tag>
  std::string TextOf(const Id<Tag>& id) {
    return ids_(id);
  }
  const Status& ids_status() const { return ids_.status(); }

 private:
  const store::GraphReader& reader_;
  store::StoredRun run_;
  Which which_;
  IdText ids_;
  std::unordered_map<store::StateOrdinal, StatePtr> states_;
  std::unordered_map<std::string, PageFacts> pages_;  // by URL key
  // By ordinal.
  std::optional<std::unordered_map<store::StateOrdinal, uint32_t>> depths_;
};

}  // namespace topodb::query
