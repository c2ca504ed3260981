#include "query/replay/arrival.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "query/replay/contents.h"
#include "schema/fingerprint.h"
#include "tests/support/page_builder.h"

namespace topodb::replay {
namespace {

using topodb::testing::BuildPage;
using topodb::testing::NodeSpec;
using topodb::testing::PageSpec;

PageSnapshot PageWith(const std::vector<std::string>& buttons) {
  PageSpec spec;
  for (const std::string& name : buttons) {
    NodeSpec node;
    node.name = name;
    spec.nodes.push_back(node);
  }
  return BuildPage(spec);
}

RecordedPlace Recorded(const PageSnapshot& page) {
  State state = BuildState(page, {});
  std::vector<Element> elements = BuildElements(page, state);
  Contents contents = ContentsOf(state, elements);
  return {.state = std::move(state),
          .landmarks = {},
          .contents = std::move(contents),
          .elements = std::move(elements)};
}

TEST(ContentsTest, APageHasWhatWasRecordedOfIt) {
  const PageSnapshot page = PageWith({"Save", "Send", "Save"});
  EXPECT_EQ(Recorded(page).contents, ContentsOf(page));
}

TEST(ContentsTest, ChangesAreCountedWithRepetitions) {
  const Change change =
      ChangeBetween(ContentsOf(PageWith({"Save", "Save"})), ContentsOf(PageWith({"Save", "Send"})));
  EXPECT_EQ(change.appeared.size(), 1U);
  EXPECT_EQ(change.vanished.size(), 1U);
  EXPECT_TRUE(
      ChangeBetween(ContentsOf(PageWith({"A", "B"})), ContentsOf(PageWith({"B", "A"}))).empty());
}

TEST(ArrivalTest, TheRecordedChangeIsSeenFromADriftedPage) {
  struct Case {
    const char* what;
    std::vector<std::string> from, to, before, after;
    bool same;
  };
  const Case kCases[] = {
      {"no drift", {"Open"}, {"Open", "Close"}, {"Open"}, {"Open", "Close"}, true},
      {"something more",
       {"Open"},
       {"Open", "Close"},
       {"Open", "Ad"},
       {"Open", "Ad", "Close"},
       true},
      {"something less",
       {"Open", "Ad"},
       {"Open", "Ad", "Close"},
       {"Open"},
       {"Open", "Close"},
       true},
      {"nothing came", {"Open"}, {"Open", "Close"}, {"Open", "Ad"}, {"Open", "Ad"}, false},
      {"something else came",
       {"Open"},
       {"Open", "Close"},
       {"Open", "Ad"},
       {"Open", "Ad", "Pay"},
       false},
      {"more came", {"Open"}, {"Open", "Close"}, {"Open"}, {"Open", "Close", "Pay"}, false},
      {"it was there", {"Open"}, {"Open", "Close"}, {"Open", "Close"}, {"Open", "Close"}, false},
      {"not all went", {"Open", "A", "B"}, {"Open"}, {"Open", "A", "B"}, {"Open", "B"}, false},
      {"no change was recorded", {"Open"}, {"Open"}, {"Open", "Ad"}, {"Open", "Ad"}, false},
  };
  for (const Case& c : kCases) {
    SCOPED_TRACE(c.what);
    const RecordedPlace from = Recorded(PageWith(c.from));
    const RecordedPlace to = Recorded(PageWith(c.to));
    const PageSnapshot before = PageWith(c.before);
    const PageSnapshot after = PageWith(c.after);
    EXPECT_EQ(IsRecordedChange({.from = from, .to = to, .before = before, .after = after}), c.same);
  }
}

TEST(ArrivalTest, AnotherPlaceIsNoDrift) {
  const RecordedPlace recorded = Recorded(PageWith({"Open", "Close", "Send"}));
  PageSnapshot page = PageWith({"Open", "Close"});
  // Nothing that proves the place was recorded: only the state itself will do.
  EXPECT_FALSE(IsDriftedFrom(recorded, page));
  page.url_canonical_key += "other";
  EXPECT_FALSE(IsDriftedFrom(recorded, page));
}

TEST(ArrivalTest, AllPartsInAnotherOrderAreTheSamePlace) {
  const RecordedPlace recorded = Recorded(PageWith({"Open", "Close"}));
  PageSnapshot page = PageWith({"Close", "Open"});
  page.template_hash += "other";
  EXPECT_EQ(CheckArrival(recorded, page).arrival, Arrival::kSameParts);
  EXPECT_EQ(CheckArrival(recorded, PageWith({"Open", "Close"})).arrival, Arrival::kSameState);
  PageSnapshot more = PageWith({"Close", "Open", "Ad"});
  more.template_hash += "other";
  EXPECT_EQ(CheckArrival(recorded, more).arrival, Arrival::kNo);
}

}  // namespace
}  // namespace topodb::replay
