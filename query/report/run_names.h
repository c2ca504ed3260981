#pragma once

#include <optional>
#include <string>
#include <unordered_map>

#include "query/exchange/id_text.h"
#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_reader.h"

namespace topodb::query {

// What reports call the states and elements of a run: read when asked for, few kept. Errors of the
// store.
class RunNames {
 public:
  // `reader` must outlive this.
  RunNames(const store::GraphReader& reader, const store::StoredRun& run)
      : reader_(reader), run_(run), ids_(reader, run) {}

  // nullopt: the run has no such state.
  Result<std::optional<store::StateOrdinal>> OrdinalOf(const StateId& id);
  Result<std::string> LabelOf(store::StateOrdinal state);
  // 'link "Docs"'; the id of an element that the run has not.
  Result<std::string> LabelOf(const ElementId& id);

  // 'click button "Menu"': the action that first led to the state; empty for one that none led to.
  Result<std::string> OpenerOf(const State& state);

  IdText& ids() { return ids_; }

 private:
  const store::GraphReader& reader_;
  store::StoredRun run_;
  IdText ids_;
  std::unordered_map<store::StateOrdinal, std::string> labels_;
};

// The title, or where it is, and the innermost open dialog.
std::string LabelOf(const State& state);
// 'button "Save"'.
std::string LabelOf(const Element& element);

}  // namespace topodb::query
