#include <atomic>
#include <csignal>
#include <functional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/browser/clock.h"
#include "schema/names.h"
#include "tests/support/descendants.h"
#include "tests/support/exploring_test.h"

// Every reason for which something does not become part of the graph, on a page that gives it.
namespace topodb::testing {
namespace {

using capture::Millis;
using query::RunGraph;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

struct Case {
  FailureReason reason;
  std::string_view page;     // of fixtures/failures
  std::string_view element;  // whose action fails; empty: the state itself
  std::string_view message;  // a part of it
  std::function<void(capture::CaptureOptions&)> set = {};
};

void Deeper(capture::CaptureOptions& options) { options.explore.max_depth = 2; }
void Hasten(capture::CaptureOptions& options) { options.drive.timeout = Millis{3'000}; }

const std::vector<Case>& Cases() {
  static const std::vector<Case> kCases = {
      {FailureReason::kLocatorNotFound, "leaves", "Show far", "left the document"},
      {FailureReason::kLocatorNotUnique, "alike", "", "matches 2 elements"},
      {FailureReason::kElementHidden, "hides", "Show far", "not visible"},
      {FailureReason::kElementHidden, "outside", "Show outside", "scrolled into view"},
      {FailureReason::kElementDisabled, "disabled", "Show closed", "disabled"},
      {FailureReason::kElementObscured, "covered", "Show below", "div#veil"},
      {FailureReason::kStatePreconditionMissing, "turns", "Show once", "another state", Deeper},
      {FailureReason::kFrameInaccessible, "frame", "", "/never"},
      {FailureReason::kShadowRootClosed, "roots", "", "closed shadow root"},
      {FailureReason::kNavigationTimeout, "silent", "Silent page", "/never", Hasten},
      {FailureReason::kNetworkError, "loop", "Round page", "did not load"},
      {FailureReason::kPermissionDenied, "forbidden", "", "403"},
      {FailureReason::kAuthRequired, "private", "", "401"},
      {FailureReason::kAuthRequired, "asks", "", "401"},
      {FailureReason::kCaptchaOrChallenge, "challenge", "", "challenge"},
      {FailureReason::kRiskPolicyBlocked, "writes", "Show more", "POST"},
      {FailureReason::kEffectNotObserved, "nothing", "Show nothing", "no observable effect"},
      {FailureReason::kUnexpectedState, "changes", "", "a second clean load shows another page"},
      {FailureReason::kPageCrashed, "crashes", "Show crash", "crashed"},
      {FailureReason::kPageUnresponsive, "hangs", "Show forever", "does not answer", Hasten},
      {FailureReason::kBrowserGone, "ends", "Show the end", "browser"},
      {FailureReason::kDialogBlocked, "dialogs", "Show dialogs", "20 dialogs"},
      {FailureReason::kOutOfScope, "leads_out", "Elsewhere", "out of scope"},
  };
  return kCases;
}

void PrintTo(const Case& c, std::ostream* out) { *out << ToString(c.reason) << " by " << c.page; }

class FailuresTest : public ::testing::TestWithParam<Case> {
 protected:
  FailuresTest() {
    FixtureServer& server = site_.server();
    const std::string page = "failures/" + std::string(GetParam().page) + ".html";
    if (GetParam().page != "changes") server.HandlePage("/", ReadFixture(page));
    server.NeverAnswer("/never");
    server.Handle("/round", [](const HttpRequest&) { return HttpResponse::Redirect("/round"); });
    server.Handle("/forbidden", [](const HttpRequest&) {
      return HttpResponse{.status = 403, .body = Page("Forbidden", "")};
    });
    for (const std::string path : {"/private", "/members"}) {
      server.Handle(path, [path](const HttpRequest&) {
        HttpResponse denied{.status = 401, .body = Page("Private", "")};
        if (path == "/members") denied.headers = {{"WWW-Authenticate", "Basic realm=\"test\""}};
        return denied;
      });
    }
    server.HandlePage("/cdn-cgi/challenge-platform/question", Page("Question", ""));
    server.HandlePage("/once", Page("Once", "<button type=button>Show once</button>"));
    server.HandlePage("/later", Page("Later", "<p>Later"));
    server.Handle("/next", [this](const HttpRequest&) {
      return HttpResponse::Redirect(next_++ == 0 ? "/once" : "/later");
    });
    HandleEnds();
  }

  void HandleEnds() {
    for (const auto& [path, type] : {std::pair("/crash.js", "renderer"), {"/end.js", ""}}) {
      site_.server().Handle(path, [type = std::string_view(type)](const HttpRequest&) {
        KillChromium(type, SIGKILL);
        return HttpResponse{.content_type = "text/javascript", .body = ""};
      });
    }
    if (GetParam().page != "changes") return;
    site_.server().Handle("/", [this](const HttpRequest&) {
      return HttpResponse::Redirect(next_++ == 0 ? "/once" : "/later");
    });
  }

  LiveSite site_;
  std::atomic<int> next_ = 0;
};

TEST_P(FailuresTest, IsNamedWhereItHappened) {
  const Case& c = GetParam();
  auto options = ExplorationOf(site_.Url("/"));
  if (c.set) c.set(options);
  const auto run = site_.Capture(options);
  ASSERT_TRUE(run) << run.error().message;
  std::vector<const FailedObservation*> found;
  std::string others;
  for (const FailedObservation& failure : run->failures) {
    if (failure.reason == c.reason) found.push_back(&failure);
    others += "\n" + std::string(ToString(failure.reason)) + ": " + failure.message;
  }
  ASSERT_THAT(found, Not(IsEmpty())) << run->edges.size() << " edges, failures:" << others;
  for (const FailedObservation* failure : found) {
    EXPECT_THAT(failure->message, HasSubstr(c.message));
    EXPECT_THAT(failure->evidence, Not(IsEmpty()));
    EXPECT_TRUE(failure->state_id);
    const Element* element =
        failure->element_id ? FindElement(*run, *failure->element_id) : nullptr;
    if (!c.element.empty()) {
      ASSERT_NE(nullptr, element);
      EXPECT_EQ(c.element, element->accessible_name);
    }
    EXPECT_TRUE(element == nullptr || EdgeOf(*run, *element) == nullptr);
  }
}

INSTANTIATE_TEST_SUITE_P(Reasons, FailuresTest, ::testing::ValuesIn(Cases()),
                         [](const auto& one) { return std::string(one.param.page); });

TEST(FailuresTableTest, HasEveryReason) {
  // Of `await` alone, and of a page that no browser of a test opens in time: see StateRecordTest.
  std::set<FailureReason> covered = {FailureReason::kCompletionUnverified,
                                     FailureReason::kPageTooLarge};
  for (const Case& c : Cases()) covered.insert(c.reason);
  EXPECT_EQ(EnumSize<FailureReason>(), covered.size());
}

}  // namespace
}  // namespace topodb::testing
