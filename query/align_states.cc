#include "query/align_states.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace topodb::query {
namespace {

using store::IdentityRow;

using Dialogs = std::vector<std::string>;
using Page = std::pair<std::string, Dialogs>;  // canonical URL and open dialogs
using Opening = std::tuple<Page, StateId, AnchorKey, ActionType>;

// Two states of one page are one when they share at least half of their elements, and a tenth more
// than any other two of them.
constexpr double kLeastLikeness = 0.5;
constexpr double kLeastMargin = 0.1;
// More pairs than this are not measured: a page with so many states has no one that is most alike.
constexpr size_t kMaxPairs = 4096;

// A state without a counterpart so far.
struct OpenState {
  IdentityRow row;
  StateId id;
  Page page;
  std::string template_key;
  std::optional<Opening> opening;  // as its own run says it
  std::vector<AnchorKey> anchors;  // sorted
  bool is_open = true;
};

class StateAligner {
 public:
  StateAligner(RunSide& before, RunSide& after, Correspondence& same)
      : before_(before), after_(after), same_(same) {}

  Status Load(const RowJoin& join, const RowsByState& rows_before, const RowsByState& rows_after) {
    TOPODB_TRY(was_, OpenStates(before_, join.removed, rows_before));
    TOPODB_TRY(is_, OpenStates(after_, join.added, rows_after));
    return {};
  }

  Result<StateAlignment> Align() {
    TOPODB_TRY_VOID(AlignByOpenings());
    AlignByKey([](const OpenState& s) { return std::optional(std::pair(s.page, s.template_key)); });
    AlignByLikeness();
    TOPODB_TRY_VOID(AlignOnlyPages());
    TOPODB_TRY_VOID(AlignByOpenings());
    return Take();
  }

 private:
  static Result<std::vector<OpenState>> OpenStates(RunSide& side,
                                                   const std::vector<IdentityRow>& rows,
                                                   const RowsByState& elements) {
    std::vector<OpenState> states;
    for (const IdentityRow& row : rows) {
      TOPODB_TRY(const State state, side.Read<State>(row));
      OpenState& open = states.emplace_back();
      open.row = row;
      open.id = state.id;
      open.page = {state.url_canonical_key, state.modal_stack};
      open.template_key = state.template_key;
      TOPODB_TRY(open.opening, OpeningOf(side, state, row));
      if (const auto found = elements.find(row.state); found != elements.end()) {
        for (const IdentityRow& element : found->second) {
          open.anchors.push_back(element.anchor_key);
        }
        std::ranges::sort(open.anchors);
      }
    }
    return states;
  }

  static Result<std::optional<Opening>> OpeningOf(RunSide& side, const State& state,
                                                  const IdentityRow& row) {
    const Page page = {state.url_canonical_key, state.modal_stack};
    std::optional<IdentityRow> edge_row;
    if (state.opened_by_edge_id) {
      TOPODB_TRY(edge_row, side.Find(store::RecordKind::kEdge, state.opened_by_edge_id->bytes));
    }
    if (!edge_row) {
      const bool is_entry = row.state == 0;
      return is_entry ? std::optional(Opening{page, {}, {}, {}}) : std::nullopt;
    }
    TOPODB_TRY(const ActionEdge edge, side.Read<ActionEdge>(*edge_row));
    TOPODB_TRY(const auto element, side.Find(store::RecordKind::kElement, edge.element_id.bytes));
    if (!element) return std::optional<Opening>();
    return std::optional(Opening{page, edge.from_state_id, element->anchor_key, edge.action_type});
  }

  void Match(OpenState& was, OpenState& is) {
    was.is_open = is.is_open = false;
    same_.Pair(was.id, is.id);
    pairs_.push_back({was.row.state, is.row.state});
  }

  // Open states by a key; null where several have it.
  template <class Key, class KeyOf>
  static Result<std::map<Key, OpenState*>> ByKey(std::vector<OpenState>& states,
                                                 const KeyOf& key_of) {
    std::map<Key, OpenState*> by_key;
    for (OpenState& state : states) {
      if (!state.is_open) continue;
      TOPODB_TRY(std::optional<Key> key, key_of(state));
      if (!key) continue;
      const auto [known, added] = by_key.emplace(*std::move(key), &state);
      if (!added) known->second = nullptr;
    }
    return by_key;
  }

  // Matches open states whose key is unique on both sides; whether there were any.
  template <class Key>
  bool MatchEqual(const std::map<Key, OpenState*>& was, const std::map<Key, OpenState*>& is) {
    bool matched = false;
    for (const auto& [key, state] : was) {
      const auto other = is.find(key);
      if (state == nullptr || other == is.end() || other->second == nullptr) continue;
      Match(*state, *other->second);
      matched = true;
    }
    return matched;
  }

  template <class KeyOf>
  void AlignByKey(const KeyOf& key_of) {
    using Key = typename std::invoke_result_t<KeyOf, const OpenState&>::value_type;
    const auto fallible = [&](const OpenState& s) { return Result<std::optional<Key>>(key_of(s)); };
    MatchEqual(*ByKey<Key>(was_, fallible), *ByKey<Key>(is_, fallible));
  }

  Status AlignByOpenings() {
    for (bool matched = true; matched;) {
      TOPODB_TRY(const auto was, ByKey<Opening>(was_, [&](const OpenState& state) {
                   return CommonOpening(state, Which::kBefore);
                 }));
      TOPODB_TRY(const auto is, ByKey<Opening>(is_, [&](const OpenState& state) {
                   return CommonOpening(state, Which::kAfter);
                 }));
      matched = MatchEqual(was, is);
    }
    return {};
  }

  // The opening as the first run says it, once the state it starts from has a counterpart.
  Result<std::optional<Opening>> CommonOpening(const OpenState& state, Which which) {
    std::optional<Opening> opening = state.opening;
    if (!opening || std::get<StateId>(*opening).is_zero()) return opening;
    TOPODB_TRY(const auto other, same_.Translate(which, std::get<StateId>(*opening)));
    if (!other) return std::optional<Opening>();
    if (which == Which::kAfter) std::get<StateId>(*opening) = *other;
    return opening;
  }

  // The share of equal anchors among all of both.
  static double Likeness(const OpenState& was, const OpenState& is) {
    std::vector<AnchorKey> common;
    std::ranges::set_intersection(was.anchors, is.anchors, std::back_inserter(common));
    const size_t all = was.anchors.size() + is.anchors.size() - common.size();
    return all == 0 ? 0 : static_cast<double>(common.size()) / static_cast<double>(all);
  }

  void AlignByLikeness() {
    std::map<Page, std::pair<std::vector<OpenState*>, std::vector<OpenState*>>> pages;
    for (OpenState& state : was_) {
      if (state.is_open) pages[state.page].first.push_back(&state);
    }
    for (OpenState& state : is_) {
      if (state.is_open) pages[state.page].second.push_back(&state);
    }
    for (const auto& [page, states] : pages) {
      const auto& [was, is] = states;
      if (!was.empty() && !is.empty() && was.size() * is.size() <= kMaxPairs) MatchAlike(was, is);
    }
  }

  void MatchAlike(const std::vector<OpenState*>& was, const std::vector<OpenState*>& is) {
    std::vector<std::vector<double>> likeness(was.size(), std::vector<double>(is.size()));
    for (size_t i = 0; i < was.size(); ++i) {
      for (size_t j = 0; j < is.size(); ++j) likeness[i][j] = Likeness(*was[i], *is[j]);
    }
    for (size_t i = 0; i < was.size(); ++i) {
      for (size_t j = 0; j < is.size(); ++j) {
        if (likeness[i][j] >= kLeastLikeness && StandsOut(likeness, i, j)) Match(*was[i], *is[j]);
      }
    }
  }

  static bool StandsOut(const std::vector<std::vector<double>>& likeness, size_t i, size_t j) {
    const double most = likeness[i][j] - kLeastMargin;
    for (size_t other = 0; other < likeness[i].size(); ++other) {
      if (other != j && likeness[i][other] > most) return false;
    }
    for (size_t other = 0; other < likeness.size(); ++other) {
      if (other != i && likeness[other][j] > most) return false;
    }
    return true;
  }

  // Pages of which each run has exactly one state, whatever it looks like.
  Status AlignOnlyPages() {
    const auto only_in = [](RunSide& side) {
      return [&side](const OpenState& open) -> Result<std::optional<Page>> {
        TOPODB_TRY(const StatePtr state, side.StateAt(open.row.state));
        TOPODB_TRY(const PageFacts* page, side.PageOf(*state));
        const auto times = std::ranges::count(page->dialogs, open.page.second);
        return times == 1 ? std::optional(open.page) : std::nullopt;
      };
    };
    // Of most pages only one run has states left: these need no look.
    std::set<std::string> open_after;
    for (const OpenState& state : is_) {
      if (state.is_open) open_after.insert(state.page.first);
    }
    const auto in_both = [&](const OpenState& state) {
      return open_after.contains(state.page.first);
    };
    TOPODB_TRY(const auto was,
               ByKey<Page>(was_, [&](const OpenState& state) -> Result<std::optional<Page>> {
                 if (!in_both(state)) return std::optional<Page>();
                 return only_in(before_)(state);
               }));
    TOPODB_TRY(const auto is,
               ByKey<Page>(is_, [&](const OpenState& state) -> Result<std::optional<Page>> {
                 if (!was.contains(state.page)) return std::optional<Page>();
                 return only_in(after_)(state);
               }));
    MatchEqual(was, is);
    return {};
  }

  StateAlignment Take() {
    StateAlignment alignment;
    alignment.pairs = std::move(pairs_);
    std::ranges::sort(alignment.pairs, {}, &StatePair::before);
    for (const OpenState& state : was_) {
      if (state.is_open) alignment.removed.push_back(state.row);
    }
    for (const OpenState& state : is_) {
      if (state.is_open) alignment.added.push_back(state.row);
    }
    return alignment;
  }

  RunSide& before_;
  RunSide& after_;
  Correspondence& same_;
  std::vector<OpenState> was_, is_;
  std::vector<StatePair> pairs_;
};

}  // namespace

Result<StateAlignment> AlignStates(RunSide& before, RunSide& after, const RowJoin& join,
                                   const RowsByState& elements_before,
                                   const RowsByState& elements_after, Correspondence& same) {
  StateAligner aligner(before, after, same);
  TOPODB_TRY_VOID(aligner.Load(join, elements_before, elements_after));
  return aligner.Align();
}

}  // namespace topodb::query
