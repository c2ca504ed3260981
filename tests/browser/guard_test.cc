#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/live_site.h"

// What words did not warn of, the wire stops; and what is secret is never read.
namespace topodb::testing {
namespace {

using query::RunGraph;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

struct Write {
  std::string_view control;  // accessible name
  std::string_view method;
  std::string_view path;
};
constexpr Write kWrites[] = {
    {"Second page", "POST", "/write/pagehide"},   {"Show more", "POST", "/write/fetch"},
    {"Next page", "POST", "/write/form"},         {"Open panel", "POST", "/write/beacon"},
    {"View chart", "POST", "/write/xhr"},         {"Expand list", "PUT", "/write/put"},
    {"Collapse list", "DELETE", "/write/delete"}, {"Show legend", "POST", "/write/keepalive"},
    {"Show notes", "GET", "/write/override"},  // with X-HTTP-Method-Override: DELETE
    {"Open preview", "POST", "/write/worker"},    {"Open window", "POST", "/write/popup"},
    {"Open tab", "POST", "/write/form-in-tab"},   {"Show later", "POST", "/write/later"},
    {"Show inside", "POST", "/write/frame"},
};

// "POST /write/fetch" of everything that must not have come.
std::vector<std::string> WritesOf(const LiveSite& site) {
  std::vector<std::string> writes;
  for (const HttpRequest& request : site.requests()) {
    const bool safe = request.method == "GET" || request.method == "HEAD";
    if (!safe || request.path.starts_with("/write/")) {
      writes.push_back(request.method + " " + request.target);
    }
  }
  return writes;
}

const Element* FindByName(const RunGraph& graph, std::string_view name) {
  const auto found = std::ranges::find_if(graph.elements, [&](const Element& element) {
    return element.accessible_name == name && element.state_id == graph.states.front().id;
  });
  return found == graph.elements.end() ? nullptr : &*found;
}

// The control's action made no edge because the guard stopped this request, which is returned; null
// when that is not so.
const Effect* ExpectStopped(const RunGraph& run, std::string_view control, std::string_view method,
                            const std::string& url) {
  const Element* element = FindByName(run, control);
  EXPECT_NE(nullptr, element);
  if (element == nullptr) return nullptr;
  EXPECT_EQ(nullptr, EdgeOf(run, *element));
  const FailedObservation* failure = FailureOf(run, *element);
  EXPECT_NE(nullptr, failure) << "no failure is recorded";
  if (failure == nullptr) return nullptr;
  EXPECT_EQ(FailureReason::kRiskPolicyBlocked, failure->reason) << failure->message;
  const auto blocked = std::ranges::find_if(failure->effects, [&](const Effect& effect) {
    return effect.type == EffectType::kNetwork && DetailOf(effect, "blocked") == "true" &&
           effect.after == url;
  });
  EXPECT_NE(failure->effects.end(), blocked);
  if (blocked == failure->effects.end()) return nullptr;
  EXPECT_EQ(method, DetailOf(*blocked, "method"));
  EXPECT_EQ("guard", DetailOf(*blocked, "blockedBy"));
  return &*blocked;
}

TEST(GuardTest, NoWriteLeavesTheBrowserAndEachIsNamed) {
  LiveSite site;
  site.server().HandlePage("/harmless_posts.html", ReadFixture("harmless_posts.html"));
  site.server().HandlePage("/second.html", "<!doctype html><title>Second</title><h1>Second</h1>");
  const auto run = site.Capture(ExplorationOf(site.Url("/harmless_posts.html")));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(RunStatus::kComplete, run->run.status);
  EXPECT_THAT(WritesOf(site), IsEmpty());
  EXPECT_THAT(run->skips, IsEmpty());
  for (const Write& write : kWrites) {
    SCOPED_TRACE(std::string(write.control));
    ExpectStopped(*run, write.control, write.method, site.Url(write.path));
  }
}

constexpr std::string_view kSocketWorker =
    "new WebSocket('ws://' + location.host + '/socket/' + location.search.slice(1))";

void ServeSockets(LiveSite& site) {
  site.server().HandlePage("/sockets.html", ReadFixture("sockets.html"));
  site.server().Handle("/socket_worker.js", [](const HttpRequest&) {
    return HttpResponse{.content_type = "text/javascript", .body = std::string(kSocketWorker)};
  });
}

std::string SocketUrl(const LiveSite& site, std::string_view name) {
  return WithChange(site.Url("/socket/" + std::string(name)), "http:", "ws:");
}

// The names of the sockets that the server was asked for.
std::vector<std::string> SocketsOf(const LiveSite& site) {
  std::vector<std::string> names;
  for (const HttpRequest& request : site.requests()) {
    if (request.path.starts_with("/socket/")) names.push_back(request.path.substr(8));
  }
  return names;
}

// A socket says what it likes once it is open, so that it counts as a write.
TEST(GuardTest, NoSocketIsOpenedFromAnywhere) {
  LiveSite site;
  ServeSockets(site);
  const auto run = site.Capture(ExplorationOf(site.Url("/sockets.html")));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(RunStatus::kComplete, run->run.status);
  EXPECT_THAT(SocketsOf(site), IsEmpty());
  for (const std::string name : {"page", "worker", "service", "window", "later", "frame"}) {
    SCOPED_TRACE(name);
    const Effect* socket = ExpectStopped(*run, "Show " + name, "GET", SocketUrl(site, name));
    ASSERT_NE(nullptr, socket);
    EXPECT_EQ("WebSocket", DetailOf(*socket, "resourceType"));
  }
}

// It may run before it can be armed; windows and frames are no way around.
TEST(GuardTest, PagesHaveNoSharedWorkers) {
  LiveSite site;
  site.server().HandlePage(
      "/",
      "<!doctype html><title>Asks</title><h1>Asks</h1><p id=kind hidden></p>"
      "<iframe title=Empty id=frame></iframe><button type=button onclick=\"show(window)\">Show "
      "here</button><button type=button onclick=\"show(frame.contentWindow)\">Show there</button>"
      "<button type=button onclick=\"show(window.open('about:blank'))\">Show beside</button>"
      "<script>const show = (place) => { kind.hidden = false; "
      "fetch('/kind/' + typeof place.SharedWorker); }</script>");
  const auto run = site.Capture(ExplorationOf(site.Url("/")));
  ASSERT_TRUE(run) << run.error().message;
  std::vector<std::string> kinds;
  for (const HttpRequest& request : site.requests()) {
    if (request.path.starts_with("/kind/")) kinds.push_back(request.path.substr(6));
  }
  EXPECT_EQ(std::vector<std::string>(3, "undefined"), kinds);
}

TEST(GuardTest, ASocketThatIsAllowedOpensAndIsNamed) {
  LiveSite site;
  ServeSockets(site);
  site.server().HandleSocket("/socket/page", capture::Millis(1),
                             [](size_t) { return std::optional<std::string>(); });
  capture::CaptureOptions options = ExplorationOf(site.Url("/sockets.html"));
  const std::string rule = "GET " + SocketUrl(site, "page");
  options.drive.guard_allow = {rule};
  const auto run = site.Capture(options);
  ASSERT_TRUE(run) << run.error().message;
  const auto opened = SocketsOf(site);
  EXPECT_EQ(std::set<std::string>({"page"}), std::set<std::string>(opened.begin(), opened.end()));
  const Element* element = FindByName(*run, "Show page");
  ASSERT_NE(nullptr, element);
  const ActionEdge* edge = EdgeOf(*run, *element);
  ASSERT_NE(nullptr, edge);
  const Effect* socket = FindEffect(edge->effects, EffectType::kNetwork);
  ASSERT_NE(nullptr, socket);
  EXPECT_EQ(SocketUrl(site, "page"), socket->after);
  EXPECT_EQ("false", DetailOf(*socket, "blocked"));
  EXPECT_EQ(rule, DetailOf(*socket, "allowedBy"));
}

// A window of its own is closed before its page can do anything.
TEST(GuardTest, AWindowThatWritesByItselfIsLookedAtUnderTheGuard) {
  LiveSite site;
  site.server().HandlePage(
      "/",
      "<!doctype html><title>Opener</title><h1>Opener</h1>"
      "<button type=button onclick=\"window.open('/popup.html')\">Open help</button>");
  site.server().HandlePage("/popup.html",
                           "<!doctype html><title>Popup</title><script>"
                           "navigator.sendBeacon('/write/popup', 'x')</script>");
  const auto run = site.Capture(ExplorationOf(site.Url("/")));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT(WritesOf(site), IsEmpty());
  ASSERT_THAT(run->edges, SizeIs(1));
  const Effect* popup = FindEffect(run->edges[0].effects, EffectType::kPopup);
  ASSERT_NE(nullptr, popup);
  EXPECT_EQ(site.Url("/popup.html"), popup->after);
  const State* window = FindState(*run, run->edges[0].to_state_id.value_or(StateId{}));
  ASSERT_NE(nullptr, window);
  EXPECT_EQ("Popup", window->title);
  EXPECT_THAT(window->evidence, Contains(Field(&Evidence::description,
                                               HasSubstr("POST " + site.Url("/write/popup")))));
}

// What the page writes by itself is stopped too, and is no fault of any action.
TEST(GuardTest, AWriteOfThePageItselfIsStoppedAndKeptOnItsState) {
  LiveSite site;
  site.server().HandlePage(
      "/",
      "<!doctype html><title>Eager</title><h1>Eager</h1><p id=note hidden>Note</p>"
      "<button type=button onclick=\"note.hidden = false\">Show note</button>"
      "<script>fetch('/write/load', {method: 'POST', body: 'x'}).catch(() => {})</script>");
  const auto run = site.Capture(ExplorationOf(site.Url("/")));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT(WritesOf(site), IsEmpty());
  EXPECT_THAT(run->edges, SizeIs(1));
  EXPECT_THAT(run->failures, IsEmpty());
  EXPECT_THAT(
      run->states.front().evidence,
      Contains(Field(&Evidence::description, HasSubstr("POST " + site.Url("/write/load")))));
}

// Exceptions are no secret: the run says of each what let it through.
TEST(GuardTest, WhatIsLetThroughIsNamed) {
  LiveSite site;
  site.server().HandlePage(
      "/",
      "<!doctype html><title>Reads</title><h1>Reads</h1>"
      "<button type=button onclick=\"send('/graphql', '{ news { id } }')\">Show news</button>"
      "<button type=button onclick=\"send('/graphql', 'mutation { drop }')\">Show all</button>"
      "<button type=button onclick=\"send('/search?q=a', '')\">Show found</button>"
      "<script>const send = (url, query) => fetch(url, {method: 'POST', body: "
      "JSON.stringify({query})}).catch(() => {}); send('/graphql', '{ me { id } }')</script>");
  capture::CaptureOptions options = ExplorationOf(site.Url("/"));
  options.drive.guard_allow = {"POST /search*"};
  const auto run = site.Capture(options);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT(
      run->states.front().evidence,
      Contains(Field(&Evidence::description, AllOf(HasSubstr("POST " + site.Url("/graphql")),
                                                   HasSubstr("let through by graphql_query")))));
  const std::pair<std::string, std::string> kLetThrough[] = {{"Show news", "graphql_query"},
                                                             {"Show found", "POST /search*"}};
  for (const auto& [name, rule] : kLetThrough) {
    SCOPED_TRACE(name);
    const Element* element = FindByName(*run, name);
    ASSERT_NE(nullptr, element);
    const ActionEdge* edge = EdgeOf(*run, *element);
    ASSERT_NE(nullptr, edge);
    const Effect* sent = FindEffect(edge->effects, EffectType::kNetwork);
    ASSERT_NE(nullptr, sent);
    EXPECT_EQ("false", DetailOf(*sent, "blocked"));
    EXPECT_EQ(rule, DetailOf(*sent, "allowedBy"));
  }
  EXPECT_EQ(nullptr, EdgeOf(*run, *FindByName(*run, "Show all")));
  size_t mutations = 0;
  for (const HttpRequest& request : site.requests()) {
    if (request.body.find("mutation") != std::string::npos) ++mutations;
  }
  EXPECT_EQ(0U, mutations);
}

TEST(SecretsTest, NoSecretReachesTheDatabaseOrTheExport) {
  LiveSite site;
  site.server().HandlePage("/secret_field.html", ReadFixture("secret_field.html"));
  site.server().HandlePage("/next.html", "<!doctype html><title>Next</title><h1>Next</h1>");
  const std::string url = site.Url("/secret_field.html?token=canary-url-token-9a1c");
  const auto run =
      site.Capture(ExplorationOf(WithChange(url, "http://", "http://user:canary-user-info-d2f0@")));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(RunStatus::kComplete, run->run.status);
  const Element* password = FindByName(*run, "Password");
  ASSERT_NE(nullptr, password);
  ASSERT_TRUE(password->parameter_surface);
  EXPECT_TRUE(password->parameter_surface->secret);
  ASSERT_NE(nullptr, FindByName(*run, "Next step"));
  EXPECT_NE(nullptr, EdgeOf(*run, *FindByName(*run, "Next step")));

  const std::string stored = site.DatabaseBytes();
  const std::string exported = site.Export(*run, query::VolatileFields::kOmit);
  EXPECT_THAT(stored, HasSubstr("Repeat password"));
  EXPECT_THAT(exported, HasSubstr("Repeat password"));
  EXPECT_THAT(exported, HasSubstr("token=REDACTED"));
  // Every planted secret begins so.
  for (const std::string* bytes : {&stored, &exported}) {
    const size_t at = bytes->find("canary-");
    EXPECT_EQ(std::string::npos, at) << bytes->substr(at, 40);
  }
}

}  // namespace
}  // namespace topodb::testing
