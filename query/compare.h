#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "query/diff.h"
#include "schema/model.h"

// Compares two records of the same thing field by field. Texts that differ only in volatile parts
// (times, tokens) are equal.
namespace topodb::query {

// Which parts of a page either run marked as unstable, by kind.
class UnstableParts {
 public:
  UnstableParts(const std::vector<UnstablePart>& before, const std::vector<UnstablePart>& after);
  bool Has(std::string_view kind, std::string_view key) const;
  bool HasKind(std::string_view kind) const;
  bool empty() const { return parts_.empty(); }
  // The keys of one kind that are anchors.
  std::vector<AnchorKey> Anchors(std::string_view kind) const;

 private:
  std::vector<UnstablePart> parts_;  // sorted
};

// Where the site of a run stands.
struct Site {
  explicit Site(const Run& run);
  std::string origin;  // "https://shop.test"; empty for file:
  std::string
      folder;  // "file:///a/b/"; with a seed of its own "https://shop.test/a/b/"; else empty
};

// In each run, so that links to itself are equal on another host or in another folder.
struct Sites {
  Sites(const Run& run_before, const Run& run_after) : before(run_before), after(run_after) {}
  Site before, after;
};

std::vector<FieldChange> CompareStates(const State& before, const State& after,
                                       const UnstableParts& unstable);
// Role, name, texts, link, type, state and parameters.
std::vector<FieldChange> CompareElements(const Element& before, const Element& after,
                                         const Sites& sites);
// The same without places: whether two elements of one run or two say the same.
bool SameContent(const Element& before, const Element& after);

// Risk, and which kinds of effect there were; `unstable`: of its states.
std::vector<FieldChange> CompareEdges(const ActionEdge& before, const ActionEdge& after,
                                      const UnstableParts& unstable);
std::vector<FieldChange> CompareSkips(const SkippedAction& before, const SkippedAction& after);

}  // namespace topodb::query
