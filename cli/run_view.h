#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "query/exchange/id_text.h"
#include "schema/base/result.h"
#include "schema/model.h"
#include "store/graph_reader.h"

namespace topodb::cli {

// One run with the words that people know its records by. Looks records up when first asked;
// trouble doing so does not interrupt a listing and stands in status() afterwards.
class RunView {
 public:
  // `reader` must outlive the view.
  RunView(const store::GraphReader& reader, store::StoredRun run);

  const store::GraphReader& reader() const { return reader_; }
  store::RunNumber number() const { return run_.number; }
  const store::StoredRun& stored() const { return run_; }
  query::IdText& ids() { return ids_; }

  // nullptr when the run has no such record (dangling references of imports). Valid as long as
  // the view.
  const State* FindState(const StateId& id);
  const Element* FindElement(const ElementId& id);

  // "Accounts /accounts", "Accounts /accounts › Edit account"; states of the run that would be
  // called the same carry the beginning of their ids: "Accounts /accounts (1a2b3c4d)".
  std::string Label(const StateId& id);
  // button "Save", button "Edit" in "Acme Co".
  std::string Label(const ElementId& id);

  // The first failed look-up, if any.
  Status status() const;

 private:
  const store::GraphReader& reader_;
  store::StoredRun run_;
  query::IdText ids_;
  void ReadStates();

  std::optional<std::unordered_map<StateId, State>> states_;  // all of them, once one was asked for
  std::unordered_map<StateId, std::string> labels_;
  std::unordered_map<ElementId, Element> elements_;
  Status status_;
};

std::string LabelOf(const State& state);
std::string LabelOf(const Element& element);
// role "name", as in a locator.
std::string RoleAndName(std::string_view role, std::string_view name);

}  // namespace topodb::cli
