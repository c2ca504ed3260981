#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/browser/clock.h"
#include "tests/support/exploring_test.h"

// Pages that make capturing hard, each by one thing.
namespace topodb::testing {
namespace {

using capture::Millis;
using query::RunGraph;
using ::testing::AnyOf;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class PagesTest : public ExploringTest {
 protected:
  static const Element* ElementWithText(const RunGraph& run, const StateId& state,
                                        std::string_view text) {
    for (const Element& element : run.elements) {
      if (element.state_id == state && element.text == text) return &element;
    }
    return nullptr;
  }
  // The edge of the entry's only element of that name; null when anything lacks.
  static const ActionEdge* EdgeOfEntry(const RunGraph& run, std::string_view role,
                                       std::string_view name) {
    const Element* element = InEntry(run, role, name);
    return element == nullptr ? nullptr : EdgeOf(run, *element);
  }
  static bool LeadsAway(const ActionEdge& edge) {
    return edge.to_state_id && edge.to_state_id != edge.from_state_id;
  }
};

TEST_F(PagesTest, AnAlertAtLoadIsAnsweredAndKept) {
  const RunGraph run =
      Explore(Page("<button type=button onclick=\"note.hidden = false\">Show note"
                   "</button><p id=note hidden>Note</p>"
                   "<script>alert('Cookies taste good')</script>"));
  EXPECT_NE(nullptr, EdgeOfEntry(run, "button", "Show note"));
  ASSERT_THAT(run.states, Not(IsEmpty()));
  EXPECT_THAT(run.states.front().evidence,
              Contains(Field(&Evidence::description, HasSubstr("Cookies taste good"))));
}

// The browser fetches a page's icon by itself, early or late: nothing that an action did.
TEST_F(PagesTest, TheIconOfAPageIsNoEffect) {
  site_.server().HandlePage("/icon.png", "");
  site_.server().HandlePage("/asked", "");
  std::string body = "<link rel=icon href=/icon.png><p id=note>Note</p>";
  for (const std::string name : {"one", "two", "three", "four", "five"}) {
    body += "<button type=button onclick=\"note.textContent = '" + name +
            "'; fetch('/asked')\">Show " + name + "</button>";
  }
  const RunGraph run = Explore(Page(body));
  EXPECT_THAT(run.edges, SizeIs(5));
  for (const ActionEdge& edge : run.edges) {
    std::vector<std::string> asked;
    for (const Effect& effect : edge.effects) {
      if (effect.type == EffectType::kNetwork) asked.push_back(effect.after.value_or(""));
    }
    EXPECT_THAT(asked, ElementsAre(site_.Url("/asked")));
  }
}

TEST_F(PagesTest, AConfirmIsDismissedAndRecorded) {
  const RunGraph run =
      Explore(Page("<button type=button onclick=\"note.textContent = confirm('Really?') ? "
                   "'agreed' : 'refused'\">Show choice</button><p id=note role=status></p>"));
  const ActionEdge* edge = EdgeOfEntry(run, "button", "Show choice");
  ASSERT_NE(nullptr, edge);
  const Effect* dialog = FindEffect(edge->effects, EffectType::kDialog);
  ASSERT_NE(nullptr, dialog);
  EXPECT_EQ("confirm", DetailOf(*dialog, "kind"));
  EXPECT_EQ("Really?", DetailOf(*dialog, "text"));
  EXPECT_EQ("dismissed", DetailOf(*dialog, "answer"));
  const State* after = FindState(run, edge->to_state_id.value_or(StateId{}));
  ASSERT_NE(nullptr, after);
  EXPECT_THAT(after->identity_parts, Contains(IdentityPart{"status", "refused"}));
}

// Leaving such a page in the wrong moment keeps the next one from being opened.
TEST_F(PagesTest, APageThatWantsToBeAskedBeforeItIsLeftIsLeft) {
  const RunGraph run = Explore(
      Page("<button type=button onclick=\"note.hidden = false\">Show note</button>"
           "<button type=button onclick=\"more.hidden = false\">Show more</button>"
           "<p id=note role=status hidden>Note</p><p id=more role=status hidden>More</p>"
           "<script>addEventListener('beforeunload', event => event.preventDefault())</script>"));
  EXPECT_THAT(run.failures, IsEmpty());
  EXPECT_NE(nullptr, EdgeOfEntry(run, "button", "Show note"));
  EXPECT_NE(nullptr, EdgeOfEntry(run, "button", "Show more"));
}

// What peers miss, clicked: script's listeners, closed shadow roots, frames of other processes and
// frames in shadow trees.
TEST_F(PagesTest, WhatIsHiddenFromSelectorsIsReached) {
  const std::string reveal =
      "this.parentNode.append(Object.assign(document.createElement("
      "'button'),{textContent:'More of '+this.textContent}))";
  site_.server().HandlePage(
      "/frame", Page("<button type=button onclick=\"" + reveal + "\">Show far</button>"));
  const RunGraph run = Explore(Page(
      "<ul id=list><li>First</li><li>Second</li></ul><div id=host></div><div id=shadow></div>"
      "<iframe src='" +
      site_.server().Url("/frame", "localhost") +
      "'></iframe>"
      "<script>list.addEventListener('click', event => { event.target.closest('li').append("
      "Object.assign(document.createElement('button'), {textContent: 'Reply'})); });"
      "const inner = host.attachShadow({mode: 'closed'});"
      "inner.innerHTML = '<div><button type=button>Show closed</button></div>';"
      "inner.querySelector('button').onclick = function () { " +
      reveal +
      " };"
      "shadow.attachShadow({mode: 'open'}).innerHTML = `<iframe srcdoc=\"<div><button "
      "type=button onclick='document.title = 1; this.after(document.createElement(\\`input\\`))'>"
      "Show near</button></div>\"></iframe>`;</script>"));
  EXPECT_THAT(run.failures, IsEmpty());
  ASSERT_THAT(run.states, Not(IsEmpty()));
  const StateId entry = run.states.front().id;
  EXPECT_NE(nullptr, ElementWithText(run, entry, "First"));
  EXPECT_NE(nullptr, ElementWithText(run, entry, "Second"));
  for (const std::string name : {"Show closed", "Show near", "Show far"}) {
    SCOPED_TRACE(name);
    const ActionEdge* edge = EdgeOfEntry(run, "button", name);
    ASSERT_NE(nullptr, edge);
    EXPECT_TRUE(LeadsAway(*edge));
  }
  EXPECT_THAT(TheElement(run, entry, "button", "Show closed")->shadow_path,
              ElementsAre("div#host"));
  EXPECT_THAT(TheElement(run, entry, "button", "Show far")->frame_path, ElementsAre("/frame"));
}

// An entry that never stands ends the capture in time and leaves nothing.
TEST_F(PagesTest, AnEntryThatHangsIsAnErrorInTime) {
  site_.server().HandlePage("/hangs", Page("<script>for (;;);</script>"));
  site_.server().NeverAnswer("/silent");
  for (const std::string_view path : {"/hangs", "/silent"}) {
    SCOPED_TRACE(std::string(path));
    auto options = ExplorationOf(site_.Url(path));
    options.drive.timeout = Millis{3'000};
    const auto start = std::chrono::steady_clock::now();
    const auto run = site_.Capture(options);
    EXPECT_LT(std::chrono::steady_clock::now() - start, Millis{30'000});
    ASSERT_FALSE(run);
    EXPECT_EQ(ErrorCode::kTimeout, run.error().code) << run.error().message;
    EXPECT_THAT(*site_.reader().Runs(), IsEmpty());
  }
}

TEST_F(PagesTest, AnActionThatHangsThePageFailsAndTheRunGoesOn) {
  site_.server().HandlePage(
      "/", Page("<button type=button onclick=\"for (;;);\">Show forever</button>"
                "<button type=button onclick=\"note.hidden = false\">Show note</button>"
                "<p id=note hidden>Note</p>"));
  auto options = ExplorationOf(site_.Url("/"));
  options.drive.timeout = Millis{3'000};
  const RunGraph run = Run(options);
  const Element* hangs = InEntry(run, "button", "Show forever");
  ASSERT_NE(nullptr, hangs);
  const FailedObservation* failure = FailureOf(run, *hangs);
  ASSERT_NE(nullptr, failure);
  EXPECT_EQ(FailureReason::kPageUnresponsive, failure->reason) << failure->message;
  EXPECT_NE(nullptr, EdgeOfEntry(run, "button", "Show note"));
}

TEST_F(PagesTest, AnErrorPageIsAState) {
  site_.server().Handle("/gone", [](const HttpRequest&) {
    return HttpResponse{.status = 404, .body = Page("<a href=\"/home\">Home</a>")};
  });
  const RunGraph run = Run(ScanOf(site_.Url("/gone")));
  ASSERT_THAT(run.states, SizeIs(1));
  EXPECT_EQ(404U, run.states[0].http_status);
  EXPECT_NE(nullptr, InEntry(run, "link", "Home"));
}

TEST_F(PagesTest, WhatIsRenderedLateIsThere) {
  const RunGraph run =
      Explore(Page("<div id=late></div><script>setTimeout(() => { late.innerHTML = "
                   "'<button type=button>Show arrivals</button>'; }, 1500)</script>"));
  EXPECT_NE(nullptr, InEntry(run, "button", "Show arrivals"));
}

TEST_F(PagesTest, WhatHappensLateIsAnEffect) {
  const RunGraph run =
      Explore(Page("<button type=button onclick=\"say('soon', 600)\">Show soon</button>"
                   "<button type=button onclick=\"say('later', 3000)\">Show later</button>"
                   "<p id=note role=status></p><script>const say = (text, delay) => "
                   "setTimeout(() => { note.textContent = text; }, delay)</script>"));
  for (const auto& [button, text] : {std::pair("Show soon", "soon"), {"Show later", "later"}}) {
    SCOPED_TRACE(button);
    const ActionEdge* edge = EdgeOfEntry(run, "button", button);
    ASSERT_NE(nullptr, edge);
    const State* after = FindState(run, edge->to_state_id.value_or(StateId{}));
    ASSERT_NE(nullptr, after);
    EXPECT_THAT(after->identity_parts, Contains(IdentityPart{"status", text}));
  }
}

TEST_F(PagesTest, FramesAreLookedIntoAndActedIn) {
  constexpr std::string_view kInside =
      "<button type=button onclick=\"this.nextSibling.hidden = false\">Show NAME</button>"
      "<a hidden href=\"#\">Opened NAME</a>";
  const auto inside = [&](std::string_view name) {
    std::string html(kInside);
    for (size_t at = 0; (at = html.find("NAME", at)) != std::string::npos;) {
      html.replace(at, 4, name);
    }
    return html;
  };
  site_.server().HandlePage("/framed.html", Page(inside("framed")));
  std::string quoted = inside("written");
  for (size_t at = 0; (at = quoted.find('"', at)) != std::string::npos;) {
    quoted.replace(at, 1, "&quot;");
  }
  const RunGraph run =
      Explore(Page("<iframe name=one src=\"/framed.html\" style=\"margin: 40px\"></iframe>"
                   "<iframe name=two srcdoc=\"" +
                   quoted + "\"></iframe>"));
  for (const auto& [name, frame] : {std::pair("framed", "one"), {"written", "two"}}) {
    SCOPED_TRACE(name);
    const Element* button = InEntry(run, "button", std::string("Show ") + name);
    ASSERT_NE(nullptr, button);
    EXPECT_THAT(button->frame_path, ElementsAre(frame));
    const ActionEdge* edge = EdgeOf(run, *button);
    ASSERT_NE(nullptr, edge) << (FailureOf(run, *button) ? FailureOf(run, *button)->message : "");
    ASSERT_TRUE(LeadsAway(*edge));
    const Element* opened =
        TheElement(run, *edge->to_state_id, "link", std::string("Opened ") + name);
    ASSERT_NE(nullptr, opened);
    EXPECT_THAT(opened->frame_path, ElementsAre(frame));
  }
}

TEST_F(PagesTest, OpenShadowTreesAreLookedIntoAndActedIn) {
  const RunGraph run = Explore(
      Page("<fancy-box id=box></fancy-box><p id=note role=status></p><script>"
           "document.getElementById('box').attachShadow({mode: 'open'}).innerHTML = "
           "'<button type=button onclick=\"note.textContent = String(1)\">Show shade</button>';"
           "</script>"));
  const Element* button = InEntry(run, "button", "Show shade");
  ASSERT_NE(nullptr, button);
  EXPECT_THAT(button->shadow_path, ElementsAre("fancy-box#box"));
  const ActionEdge* edge = EdgeOf(run, *button);
  ASSERT_NE(nullptr, edge);
  EXPECT_TRUE(LeadsAway(*edge));
}

TEST_F(PagesTest, ACoveredButtonNamesWhatCoversIt) {
  const RunGraph run =
      Explore(Page("<button type=button onclick=\"document.title = 'Hit'\">Show details</button>"
                   "<div id=veil style=\"position: fixed; inset: 0; background: #fff8\"></div>"));
  const Element* button = InEntry(run, "button", "Show details");
  ASSERT_NE(nullptr, button);
  EXPECT_EQ("div#veil", button->interactability.blocker);
  const FailedObservation* failure = FailureOf(run, *button);
  ASSERT_NE(nullptr, failure);
  EXPECT_EQ(FailureReason::kElementObscured, failure->reason);
  EXPECT_THAT(failure->message, HasSubstr("div#veil"));
  EXPECT_THAT(run.edges, IsEmpty());
}

TEST_F(PagesTest, ALinkToANewWindowLeadsThere) {
  site_.server().HandlePage("/other.html", Page("Other"));
  const RunGraph run = Explore(Page("<a href=\"/other.html\" target=_blank>Other page</a>"));
  const ActionEdge* edge = EdgeOfEntry(run, "link", "Other page");
  ASSERT_NE(nullptr, edge);
  const Effect* popup = FindEffect(edge->effects, EffectType::kPopup);
  ASSERT_NE(nullptr, popup);
  EXPECT_EQ(site_.Url("/other.html"), popup->after);
  const State* other = FindState(run, edge->to_state_id.value_or(StateId{}));
  ASSERT_NE(nullptr, other);
  EXPECT_EQ(site_.Url("/other.html"), other->url);
  EXPECT_EQ(edge->id, other->opened_by_edge_id);
}

// Beyond a window, the way leads through it again.
TEST_F(PagesTest, WhatAWindowOffersIsExplored) {
  site_.server().HandlePage("/other.html", Page("Other", "<a href=\"/last.html\">Last</a>"));
  site_.server().HandlePage("/last.html", Page("Last", ""));
  site_.server().HandlePage(
      "/", Page("<button type=button onclick=\"window.open('/other.html?a=1#part')\">Show "
                "other</button><h2 id=note hidden>Note</h2>"
                "<button type=button onclick=\"note.hidden = false; window.open('/help.html')\">"
                "Show note</button>"));
  capture::CaptureOptions options = ExplorationOf(site_.Url("/"));
  options.explore.max_depth = 2;
  const RunGraph run = Run(options);
  EXPECT_THAT(run.failures, IsEmpty());
  EXPECT_EQ(1, std::ranges::count(run.states, site_.Url("/last.html"), &State::url));
  EXPECT_EQ(1, std::ranges::count(run.states, site_.Url("/other.html?a=1#part"), &State::url));
  // Where the page itself went on, the window is an effect only.
  const ActionEdge* note = EdgeOfEntry(run, "button", "Show note");
  ASSERT_NE(nullptr, note);
  EXPECT_NE(nullptr, FindEffect(note->effects, EffectType::kPopup));
  const State* noted = FindState(run, note->to_state_id.value_or(StateId{}));
  ASSERT_NE(nullptr, noted);
  EXPECT_NE(note->from_state_id, noted->id);
  EXPECT_EQ(site_.Url("/"), noted->url);
}

TEST_F(PagesTest, AWindowOfAnotherSiteIsAnEffectOnly) {
  const std::string elsewhere = site_.server().Url("/other.html", "localhost");
  const RunGraph run = Explore(
      Page("<button type=button onclick=\"window.open('" + elsewhere + "')\">Show other</button>"));
  const ActionEdge* edge = EdgeOfEntry(run, "button", "Show other");
  ASSERT_NE(nullptr, edge);
  EXPECT_NE(nullptr, FindEffect(edge->effects, EffectType::kPopup));
  EXPECT_EQ(edge->from_state_id, edge->to_state_id);
  EXPECT_EQ(0U, site_.server().CountRequests("GET", "/other.html"));
}

TEST_F(PagesTest, ADownloadIsDeniedAndRecorded) {
  site_.server().Handle("/report.bin", [](const HttpRequest&) {
    return HttpResponse{.content_type = "application/octet-stream",
                        .body = "data",
                        .headers = {{"Content-Disposition", "attachment"}}};
  });
  const RunGraph run = Explore(Page("<a href=\"/report.bin\">Report as a file</a>"));
  const ActionEdge* edge = EdgeOfEntry(run, "link", "Report as a file");
  ASSERT_NE(nullptr, edge);
  const Effect* download = FindEffect(edge->effects, EffectType::kDownload);
  ASSERT_NE(nullptr, download);
  EXPECT_EQ(site_.Url("/report.bin"), download->after);
  EXPECT_EQ(edge->from_state_id, edge->to_state_id);
}

TEST_F(PagesTest, WhatOneActionStoresTheNextDoesNotSee) {
  const RunGraph run = Explore(
      Page("<p id=found role=status></p>"
           "<button type=button onclick=\"keep('local', 'localStorage')\">Show local</button>"
           "<button type=button onclick=\"keep('session', 'sessionStorage')\">Show session</button>"
           "<button type=button onclick=\"document.cookie = 'mark=1'; tell('cookie')\">Show cookie"
           "</button>"
           "<button type=button onclick=\"tell('nothing')\">Show nothing</button><script>"
           "const tell = (text) => { found.textContent = text; };"
           "const keep = (text, area) => { window[area].setItem('mark', '1'); tell(text); };"
           "tell(localStorage.mark || sessionStorage.mark || document.cookie ? 'marked' : 'clean')"
           "</script>"));
  EXPECT_THAT(run.failures, IsEmpty());
  EXPECT_THAT(run.states, SizeIs(5));
  EXPECT_THAT(run.edges, SizeIs(4));
  for (const State& state : run.states) {
    EXPECT_THAT(state.identity_parts, Not(Contains(IdentityPart{"status", "marked"})));
    EXPECT_THAT(state.unstable_parts, IsEmpty());
  }
  for (const HttpRequest& request : site_.requests()) EXPECT_EQ("", request.Header("Cookie"));
}

// Also what a document does only when it is left, and what the tab keeps beside the storage.
TEST_F(PagesTest, WhatADocumentLeavesBehindTheNextDoesNotSee) {
  const RunGraph run = Explore(Page(
      "<p id=found role=status></p>"
      "<button type=button onclick=\"addEventListener('pagehide', mark)\">Show pagehide</button>"
      "<button type=button onclick=\"window.onunload = mark\">Show unload</button>"
      "<button type=button onclick=\"document.onvisibilitychange = mark\">Show hidden</button>"
      "<button type=button onclick=\"window.name = 'mark'\">Show name</button>"
      "<button type=button onclick=\"indexedDB.open('mark').onsuccess = () => tell('kept')\">Show "
      "database</button>"
      "<button type=button onclick=\"caches.open('mark').then(() => tell('cached'))\">Show cache"
      "</button>"
      "<button type=button onclick=\"tell('nothing')\">Show nothing</button><script>"
      "const tell = (text) => { found.textContent = text; };"
      "const mark = () => { localStorage.mark = '1'; };"
      "for (const button of document.querySelectorAll('button')) "
      "button.addEventListener('click', () => tell(button.textContent));"
      "(async () => tell(localStorage.mark || window.name || (await indexedDB.databases()).length "
      "|| "
      "(await caches.keys()).length ? 'marked' : 'clean'))();"
      "</script>"));
  EXPECT_THAT(run.failures, IsEmpty());
  EXPECT_THAT(run.edges, SizeIs(7));
  for (const State& state : run.states) {
    EXPECT_THAT(state.identity_parts, Not(Contains(IdentityPart{"status", "marked"})));
    EXPECT_THAT(state.unstable_parts, IsEmpty());
  }
}

// Opening the entry again is a new document, not another place in the one that stands.
TEST_F(PagesTest, AnEntryWithAFragmentIsOpenedAnew) {
  site_.server().HandlePage(
      "/", Page("<p id=found role=status></p>"
                "<button type=button onclick=\"found.textContent = 'one'\">Show one</button>"
                "<button type=button onclick=\"found.textContent = 'two'\">Show two</button>"));
  const RunGraph run = Run(ExplorationOf(site_.Url("/#top")));
  EXPECT_THAT(run.failures, IsEmpty());
  EXPECT_THAT(run.states, SizeIs(3));
  EXPECT_THAT(run.edges, SizeIs(2));
  for (const State& state : run.states) EXPECT_THAT(state.unstable_parts, IsEmpty());
}

}  // namespace
}  // namespace topodb::testing
