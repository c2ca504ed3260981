#include "schema/fingerprint.h"

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/schema/sample_page.h"

namespace topodb {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Change {
  std::string what;
  std::function<void(PageSnapshot&)> apply;
};

PageSnapshot After(const Change& change) {
  PageSnapshot page = OrdersPage();
  change.apply(page);
  EXPECT_FALSE(page == OrdersPage()) << "the case changes nothing";
  return page;
}

StateId IdOf(const PageSnapshot& page, const std::vector<UnstablePart>& unstable = {}) {
  return ComputeStateId(ComputeIdentityParts(page, unstable));
}

Element& Node(PageSnapshot& page, size_t index) { return page.nodes[index].element; }

// ---- anchor keys -------------------------------------------------------------------------------

AnchorKey AnchorAfter(size_t index, const Change& change) {
  return ComputeAnchorKey(After(change).nodes[index].element);
}

TEST(AnchorKeyTest, WhatItSurvives) {
  const AnchorKey docs = ComputeAnchorKey(OrdersPage().nodes[0].element);
  for (const Change& change : std::vector<Change>{
           {"retargeted", [](auto& p) { SetAttribute(Node(p, 0), "href", "/manual"); }},
           {"disabled", [](auto& p) { Node(p, 0).interactability.enabled = false; }},
           {"moved on the screen",
            [](auto& p) {
              Node(p, 0).bbox = {1, 2, 3, 4};
            }},
           {"id added", [](auto& p) { SetAttribute(Node(p, 0), "id", "docs"); }},
           {"test id added", [](auto& p) { SetAttribute(Node(p, 0), "data-testid", "docs"); }},
           {"another tag with this role", [](auto& p) { Node(p, 0).tag = "div"; }},
           {"text beside the name", [](auto& p) { Node(p, 0).text = "Docs!"; }},
           {"white space", [](auto& p) { Node(p, 0).accessible_name = " Docs\u00A0"; }},
           {"a node before it", [](auto& p) { p.nodes.push_back(Control("button", "New")); }},
           {"another state", [](auto& p) { Node(p, 0).state_id = {{1}}; }},
           {"a section around it",
            [](auto& p) {
              Node(p, 0).context.push_back({ContextKind::kSection, "region", "Top", "x", "y"});
            }},
           {"a nameless form around it",
            [](auto& p) {
              Node(p, 0).context.push_back({ContextKind::kForm, "form", {}, "x", {}});
            }},
           {"locators", [](auto& p) { Node(p, 0).locators.emplace_back(); }},
       }) {
    SCOPED_TRACE(change.what);
    EXPECT_EQ(AnchorAfter(0, change), docs);
  }
}

TEST(AnchorKeyTest, WhatChangesIt) {
  const AnchorKey docs = ComputeAnchorKey(OrdersPage().nodes[0].element);
  for (const Change& change : std::vector<Change>{
           {"renamed", [](auto& p) { Node(p, 0).accessible_name = "Manual"; }},
           {"another case", [](auto& p) { Node(p, 0).accessible_name = "docs"; }},
           {"another role", [](auto& p) { Node(p, 0).role = "button"; }},
           {"another landmark", [](auto& p) { Node(p, 0).context[0].name = "Footer"; }},
           {"another landmark role", [](auto& p) { Node(p, 0).context[0].role = "main"; }},
           {"a dialog around it",
            [](auto& p) {
              Node(p, 0).context.push_back({ContextKind::kDialog, "dialog", {}, {}, {}});
            }},
           {"a named form around it",
            [](auto& p) {
              Node(p, 0).context.push_back({ContextKind::kForm, "form", "Search", {}, {}});
            }},
           {"another frame", [](auto& p) { Node(p, 0).frame_path = {"inner"}; }},
           {"another shadow tree", [](auto& p) { Node(p, 0).shadow_path = {"x-app"}; }},
       }) {
    SCOPED_TRACE(change.what);
    EXPECT_NE(AnchorAfter(0, change), docs);
  }
}

TEST(AnchorKeyTest, FrameAndShadowTreeDiffer) {
  Element framed = OrdersPage().nodes[0].element;
  Element shadowed = framed;
  framed.frame_path = {"x"};
  shadowed.shadow_path = {"x"};
  EXPECT_NE(ComputeAnchorKey(framed), ComputeAnchorKey(shadowed));
}

TEST(AnchorKeyTest, ARowKeepsItsButtonsWhereverItMoves) {
  PageSnapshot page = OrdersPage();
  const AnchorKey acme = ComputeAnchorKey(page.nodes[4].element);
  const AnchorKey beta = ComputeAnchorKey(page.nodes[5].element);
  EXPECT_NE(acme, beta);
  std::swap(page.nodes[4], page.nodes[5]);
  EXPECT_EQ(ComputeAnchorKey(page.nodes[5].element), acme);
  page.nodes[5].element.context[0].text = "Acme Co 99.00 EUR Edit";
  EXPECT_EQ(ComputeAnchorKey(page.nodes[5].element), acme);
  // Without a key its name tells a row; with neither it tells nothing.
  page.nodes[5].element.context[0].key.reset();
  const AnchorKey unkeyed = ComputeAnchorKey(page.nodes[5].element);
  EXPECT_NE(unkeyed, acme);
  page.nodes[5].element.context[0].name = "Acme Co";
  EXPECT_EQ(ComputeAnchorKey(page.nodes[5].element), acme);
  EXPECT_EQ(unkeyed, ComputeAnchorKey(Control("button", "Edit").element));
}

TEST(AnchorKeyTest, ControlTypeCounts) {
  PageSnapshot page = OrdersPage();
  const AnchorKey search = ComputeAnchorKey(page.nodes[6].element);
  page.nodes[6].element.parameter_surface->input_type = "password";
  EXPECT_NE(ComputeAnchorKey(page.nodes[6].element), search);
}

TEST(AnchorKeyTest, VolatileNamesAreMaskedAndNumbersKept) {
  const auto anchor = [](const std::string& name) {
    return ComputeAnchorKey(Control("link", name).element);
  };
  EXPECT_EQ(anchor("Edited 5 minutes ago"), anchor("Edited 6 minutes ago"));
  EXPECT_EQ(anchor("Log 10:30"), anchor("Log 11:45"));
  EXPECT_NE(anchor("Record 1041"), anchor("Record 1052"));
}

Element Nameless() {
  SnapshotNode node = Control("button", "");
  SetAttribute(node.element, "data-testid", "save");
  SetAttribute(node.element, "id", "save-id");
  SetAttribute(node.element, "name", "save-name");
  node.element.placeholder = "save here";
  SetAttribute(node.element, "href", "http://a.test/save?x=1#top");
  node.element.text = "Save";
  return node.element;
}

// The strongest name that is there counts, and the weaker ones do not.
TEST(AnchorKeyTest, NamelessElementsInOrderOfStrength) {
  const std::vector<std::pair<std::string, std::function<void(Element&, const std::string&)>>>
      levels = {
          {"test id", [](Element& e, const auto& v) { SetAttribute(e, "data-testid", v); }},
          {"id", [](Element& e, const auto& v) { SetAttribute(e, "id", v); }},
          {"name", [](Element& e, const auto& v) { SetAttribute(e, "name", v); }},
          {"placeholder", [](Element& e, const auto& v) { e.placeholder = v; }},
          {"href", [](Element& e, const auto& v) { SetAttribute(e, "href", v); }},
          {"text", [](Element& e, const auto& v) { e.text = v; }},
      };
  Element element = Nameless();
  for (size_t strongest = 0; strongest < levels.size(); ++strongest) {
    SCOPED_TRACE(levels[strongest].first);
    const AnchorKey anchor = ComputeAnchorKey(element);
    for (size_t weaker = strongest + 1; weaker < levels.size(); ++weaker) {
      Element changed = element;
      levels[weaker].second(changed, "other");
      EXPECT_EQ(ComputeAnchorKey(changed), anchor) << levels[weaker].first;
    }
    Element changed = element;
    levels[strongest].second(changed, "other");
    EXPECT_NE(ComputeAnchorKey(changed), anchor);
    levels[strongest].second(element, "");
  }
  EXPECT_EQ(ComputeAnchorKey(element), ComputeAnchorKey(Control("button", "").element));
}

TEST(AnchorKeyTest, GeneratedIdsAreNeverUsed) {
  const AnchorKey bare = ComputeAnchorKey(Control("button", "").element);
  for (const std::string id : {":r1:", "radix-:r3:", "ember1042", "input-3f9a1c77e2"}) {
    SCOPED_TRACE(id);
    SnapshotNode node = Control("button", "");
    SetAttribute(node.element, "id", id);
    SetAttribute(node.element, "name", id);
    EXPECT_EQ(ComputeAnchorKey(node.element), bare);
  }
  SnapshotNode node = Control("button", "");
  SetAttribute(node.element, "id", "save-draft");
  EXPECT_NE(ComputeAnchorKey(node.element), bare);
}

TEST(AnchorKeyTest, LinksByThePathTheyLeadTo) {
  const auto anchor = [](const std::string& href) {
    return ComputeAnchorKey(Link("", href).element);
  };
  EXPECT_EQ(anchor("http://a.test/x/y?q=1#top"), anchor("https://b.test:81/x/y"));
  EXPECT_EQ(anchor("/x/y"), anchor("//a.test/x/y"));
  EXPECT_EQ(anchor("@entry/x/y?z"), anchor("/x/y"));
  EXPECT_NE(anchor("/x/y"), anchor("/x/z"));
  EXPECT_NE(anchor("/x#/one"), anchor("/x#/two"));
  EXPECT_NE(anchor("#one"), anchor("#two"));
  EXPECT_NE(anchor("mailto:a@test"), anchor("mailto:b@test"));
  EXPECT_NE(anchor("a:b"), anchor("/a:b"));
}

// ---- state ids ---------------------------------------------------------------------------------

TEST(StateIdTest, WhatItSurvives) {
  for (const Change& change : std::vector<Change>{
           {"clock", [](auto& p) { p.marks[2].name = "Updated 11:00:02"; }},
           {"counter in a name", [](auto& p) { Node(p, 1).accessible_name = "Inbox (12)"; }},
           {"number in a heading", [](auto& p) { p.marks[1].name = "1,204 open orders"; }},
           {"token in a link",
            [](auto& p) { SetAttribute(Node(p, 1), "href", "/inbox?t=0a9b8c7d6e5f4a3b"); }},
           {"generated id", [](auto& p) { SetAttribute(Node(p, 4), "id", ":r7:"); }},
           {"another port", [](auto& p) { p.url = "http://localhost:9/orders"; }},
           {"exact hashes",
            [](auto& p) {
              p.dom_hash = "d1";
              p.visible_text_hash = "v1";
            }},
           {"form state",
            [](auto& p) {
              p.form_state_hash = "f1";
              p.nodes[6].identity.state.checked = true;
              SetAttribute(Node(p, 6), "aria-checked", "true");
            }},
           {"layout",
            [](auto& p) {
              Node(p, 4).bbox = {1, 1, 1, 1};
            }},
           {"hit test", [](auto& p) { Node(p, 4).interactability.receives_events = false; }},
           {"text of a row", [](auto& p) { Node(p, 4).context[0].text = "Acme Co 1 EUR"; }},
           {"title", [](auto& p) { p.title = "(3) Orders"; }},
           {"focus", [](auto& p) { p.focused = 2; }},
           {"a landmark that is not text", [](auto& p) { p.marks.push_back(Mark("main", "M")); }},
       }) {
    SCOPED_TRACE(change.what);
    EXPECT_EQ(IdOf(After(change)), IdOf(OrdersPage()));
  }
}

TEST(StateIdTest, WhatChangesIt) {
  for (const Change& change : std::vector<Change>{
           {"another page", [](auto& p) { p.url_canonical_key = "@entry/invoices"; }},
           {"dialog opened", [](auto& p) { p.modal_stack = {"Delete order?"}; }},
           {"tab switched",
            [](auto& p) {
              SetAttribute(Node(p, 2), "aria-selected", "false");
              SetAttribute(Node(p, 3), "aria-selected", "true");
            }},
           {"error shown", [](auto& p) { p.marks.push_back(Mark("alert", "Name is required")); }},
           {"status replaced", [](auto& p) { p.marks[2].name = "Saved"; }},
           {"field invalid", [](auto& p) { p.invalid = {"Search orders"}; }},
           {"heading", [](auto& p) { p.marks[0].name = "Invoices"; }},
           {"heading gone", [](auto& p) { p.marks.erase(p.marks.begin()); }},
           {"disabled", [](auto& p) { Node(p, 4).interactability.enabled = false; }},
           {"hidden", [](auto& p) { Node(p, 4).interactability.visible = false; }},
           {"renamed", [](auto& p) { Node(p, 4).accessible_name = "Change"; }},
           {"retargeted", [](auto& p) { SetAttribute(Node(p, 0), "href", "/manual"); }},
           {"another row", [](auto& p) { Node(p, 4).context[0].key = "Gamma Co"; }},
           {"rows sorted", [](auto& p) { std::swap(p.nodes[4], p.nodes[5]); }},
           {"row added",
            [](auto& p) { p.nodes.push_back(In(Control("button", "Edit"), Row("Gamma Co"))); }},
           {"menu expanded", [](auto& p) { p.nodes[2].identity.state.expanded = true; }},
           {"toggled", [](auto& p) { SetAttribute(Node(p, 4), "aria-pressed", "true"); }},
           {"another option",
            [](auto& p) {
              Node(p, 6).parameter_surface->options = {{"A", "a", false, false}};
            }},
       }) {
    SCOPED_TRACE(change.what);
    EXPECT_NE(IdOf(After(change)), IdOf(OrdersPage()));
  }
}

TEST(StateIdTest, PartsAreReadable) {
  const auto parts = ComputeIdentityParts(OrdersPage(), {});
  ASSERT_EQ(parts.size(), 5U);
  EXPECT_EQ(parts[0], (IdentityPart{"url", "@entry/orders"}));
  EXPECT_EQ(parts[1], (IdentityPart{"heading", "Orders"}));
  EXPECT_EQ(parts[2], (IdentityPart{"heading", "# open orders"}));
  EXPECT_EQ(parts[3], (IdentityPart{"status", "Updated <time>"}));
  EXPECT_EQ(parts[4].kind, "structure");
  EXPECT_EQ(parts[4].value.size(), 32U);
}

TEST(StateIdTest, LongAndManyTextsStayBoundedAndApart) {
  PageSnapshot page = OrdersPage();
  page.marks = {Mark("heading", std::string(500, 'a') + "b")};
  PageSnapshot other = page;
  other.marks = {Mark("heading", std::string(500, 'a') + "c")};
  EXPECT_NE(IdOf(page), IdOf(other));
  EXPECT_LT(ComputeIdentityParts(page, {})[1].value.size(), 200U);

  page.marks.clear();
  for (char c = 'a'; c <= 'z'; ++c) {
    for (char d = 'a'; d <= 'z'; ++d) page.marks.push_back(Mark("heading", {c, d}));
  }
  other = page;
  other.marks.back().name = "end";
  EXPECT_NE(IdOf(page), IdOf(other));
  EXPECT_LT(ComputeIdentityParts(page, {}).size(), 80U);
}

// ---- comparison of two observations ------------------------------------------------------------

std::vector<std::string> Kinds(const std::vector<UnstablePart>& parts) {
  std::vector<std::string> kinds;
  for (const auto& part : parts) kinds.push_back(part.kind);
  return kinds;
}

TEST(CompareTest, EqualPagesHaveNoUnstableParts) {
  EXPECT_THAT(CompareObservations(OrdersPage(), OrdersPage()), IsEmpty());
}

struct Difference {
  Change change;
  std::vector<std::string> kinds;
};

const std::vector<Difference>& Differences() {
  static const std::vector<Difference> differences = {
      {{"promotion replaced", [](auto& p) { Node(p, 0).accessible_name = "Sale"; }},
       {"element", "element"}},
      {{"link gone", [](auto& p) { p.nodes.erase(p.nodes.begin()); }}, {"element"}},
      {{"link retargeted", [](auto& p) { SetAttribute(Node(p, 0), "href", "/ad"); }}, {"element"}},
      {{"one of two equals gone", [](auto& p) { p.nodes.push_back(Control("tab", "Open")); }},
       {"element"}},
      {{"counter", [](auto& p) { Node(p, 1).accessible_name = "Inbox (4)"; }},
       {"content", "content"}},
      {{"token", [](auto& p) { SetAttribute(Node(p, 1), "href", "/inbox?t=0a9b8c7d6e5f4a3b"); }},
       {"content"}},
      {{"tip of the day", [](auto& p) { p.marks[1].name = "Try the new search"; }},
       {"heading", "heading"}},
      {{"toast", [](auto& p) { p.marks.push_back(Mark("status", "Welcome back")); }}, {"status"}},
      {{"banner", [](auto& p) { p.modal_stack = {"Cookies"}; }}, {"modal"}},
      {{"validation", [](auto& p) { p.invalid = {"Search orders"}; }}, {"invalid"}},
      {{"shuffled", [](auto& p) { std::swap(p.nodes[4], p.nodes[5]); }}, {"order"}},
      {{"headings shuffled", [](auto& p) { std::swap(p.marks[0], p.marks[1]); }}, {"order"}},
      {{"title", [](auto& p) { p.title = "(1) Orders"; }}, {"title"}},
      {{"text", [](auto& p) { p.visible_text_hash = "v1"; }}, {"text"}},
      {{"dom", [](auto& p) { p.dom_hash = "d1"; }}, {"dom"}},
      {{"form", [](auto& p) { p.form_state_hash = "f1"; }}, {"form"}},
      {{"template", [](auto& p) { p.template_hash = "t1"; }}, {"template"}},
      {{"clock", [](auto& p) { p.marks[2].name = "Updated 11:00:02"; }}, {}},
      {{"layout",
        [](auto& p) {
          Node(p, 4).bbox = {1, 1, 1, 1};
        }},
       {}},
      {{"text of a row", [](auto& p) { Node(p, 4).context[0].text = "Acme Co 1 EUR"; }}, {}},
  };
  return differences;
}

TEST(CompareTest, NamesWhatDiffers) {
  for (const auto& [change, kinds] : Differences()) {
    SCOPED_TRACE(change.what);
    EXPECT_EQ(Kinds(CompareObservations(OrdersPage(), After(change))), kinds);
    EXPECT_EQ(CompareObservations(OrdersPage(), After(change)),
              CompareObservations(After(change), OrdersPage()));
  }
}

// The purpose: with the result left out, both observations are one state; and a difference that has
// nothing to do with it is still seen.
TEST(CompareTest, LeavesOutWhatDiffersAndNothingElse) {
  for (const auto& [change, kinds] : Differences()) {
    SCOPED_TRACE(change.what);
    const PageSnapshot second = After(change);
    const auto unstable = CompareObservations(OrdersPage(), second);
    EXPECT_TRUE(std::is_sorted(unstable.begin(), unstable.end()));
    EXPECT_EQ(IdOf(OrdersPage(), unstable), IdOf(second, unstable));

    PageSnapshot changed = OrdersPage();
    changed.nodes.push_back(Control("button", "Brand new"));
    EXPECT_NE(IdOf(changed, unstable), IdOf(OrdersPage(), unstable));
  }
}

// A counter that stood still in one run and moved in the other must not make two states of it.
TEST(CompareTest, MaskedDifferencesDoNotTouchTheId) {
  PageSnapshot second = OrdersPage();
  Node(second, 1).accessible_name = "Inbox (4)";
  const auto unstable = CompareObservations(OrdersPage(), second);
  ASSERT_FALSE(unstable.empty());
  EXPECT_EQ(IdOf(OrdersPage(), unstable), IdOf(OrdersPage()));
}

// Leaving an anchor out must not unbalance another one that it shares an entry with.
TEST(CompareTest, CountersBesideRealDifferences) {
  PageSnapshot first = OrdersPage();
  first.nodes.push_back(Link("News (1)", "/a"));
  first.nodes.push_back(Link("News (1)", "/b"));
  PageSnapshot second = OrdersPage();
  second.nodes.push_back(Link("News (2)", "/a"));
  second.nodes.push_back(Link("News (1)", "/c"));
  const auto unstable = CompareObservations(first, second);
  EXPECT_THAT(Kinds(unstable), Contains("element"));
  EXPECT_EQ(IdOf(first, unstable), IdOf(second, unstable));
}

TEST(CompareTest, RandomPagesAlwaysAgreeAfterwards) {
  const unsigned seed = 99;
  std::mt19937 random(seed);
  const std::vector<std::string> names = {"News 1", "News 2", "News 3", "Buy", "Sell 1", "Sell 2"};
  const std::vector<std::string> links = {"/a", "/b1", "/b2", "/c"};
  const auto page = [&] {
    PageSnapshot result = OrdersPage();
    for (auto n = random() % 8; n > 0; --n) {
      result.nodes.push_back(Link(names[random() % names.size()], links[random() % links.size()]));
    }
    for (auto n = random() % 4; n > 0; --n) {
      result.marks.push_back(Mark("heading", names[random() % names.size()]));
    }
    return result;
  };
  for (int round = 0; round < 500; ++round) {
    const PageSnapshot first = page();
    const PageSnapshot second = page();
    const auto unstable = CompareObservations(first, second);
    ASSERT_EQ(IdOf(first, unstable), IdOf(second, unstable)) << "seed " << seed << ' ' << round;
    if (IdOf(first) != IdOf(second)) {
      ASSERT_FALSE(unstable.empty()) << "seed " << seed << ' ' << round;
    }
  }
}

TEST(CompareTest, UnstableMarksAreRecognised) {
  PageSnapshot second = OrdersPage();
  second.marks[1].name = "Try the new search";
  const auto unstable = CompareObservations(OrdersPage(), second);
  EXPECT_TRUE(IsUnstableMark("heading", "2 open orders", unstable));
  EXPECT_TRUE(IsUnstableMark("heading", "3  open orders", unstable));
  EXPECT_FALSE(IsUnstableMark("heading", "Orders", unstable));
  EXPECT_FALSE(IsUnstableMark("alert", "2 open orders", unstable));
  EXPECT_FALSE(IsUnstableMark("main", "2 open orders", unstable));
  EXPECT_TRUE(IsUnstableMark("alert", "Hello", {{"status", "Hello"}}));
}

TEST(SameTemplateTest, UrlModalAndTemplate) {
  const auto same = [](const std::function<void(PageSnapshot&)>& apply) {
    PageSnapshot page = OrdersPage();
    apply(page);
    return SameTemplate(OrdersPage(), page);
  };
  EXPECT_TRUE(same([](auto& p) { p.marks.clear(); }));
  EXPECT_TRUE(same([](auto& p) { p.nodes.pop_back(); }));
  EXPECT_FALSE(same([](auto& p) { p.url_canonical_key = "@entry/x"; }));
  EXPECT_FALSE(same([](auto& p) { p.modal_stack = {"Cookies"}; }));
  EXPECT_FALSE(same([](auto& p) { p.template_hash = "t1"; }));
}

}  // namespace
}  // namespace topodb
