#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/exploring_test.h"
#include "tests/support/temp_directory.h"

// What browsers would ask a person, or hand to another program, and what lies beside the entry on
// disk: nothing waits for an answer, nothing gets out.
namespace topodb::testing {
namespace {

namespace fs = std::filesystem;
using query::RunGraph;
using ::testing::Contains;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

class PromptsTest : public ExploringTest {};

HttpResponse AskForPassword(const HttpRequest&) {
  return {.status = 401,
          .body = Page("Closed", ""),
          .headers = {{"WWW-Authenticate", "Basic realm=\"Staff\""}}};
}

TEST_F(PromptsTest, AnEntryBehindHttpAuthenticationIsNamed) {
  site_.server().Handle("/", AskForPassword);
  const RunGraph run = Run(ExplorationOf(site_.Url("/")));
  ASSERT_THAT(run.states, SizeIs(1));
  EXPECT_EQ(401U, run.states.front().http_status);
  EXPECT_THAT(run.failures,
              Contains(Field(&FailedObservation::reason, FailureReason::kAuthRequired)));
}

TEST_F(PromptsTest, AnActionThatMeetsHttpAuthenticationEnds) {
  site_.server().Handle("/staff", AskForPassword);
  const RunGraph run =
      Explore(Page("Open",
                   "<a href=/staff>Staff pages</a><p id=note hidden>Note</p>"
                   "<button type=button onclick=\"fetch('/staff').then(() => { note.hidden = "
                   "false; })\">Show staff</button>"));
  EXPECT_THAT(run.failures,
              Contains(Field(&FailedObservation::reason, FailureReason::kAuthRequired)));
  const Element* show = InEntry(run, "button", "Show staff");
  ASSERT_NE(nullptr, show);
  EXPECT_NE(nullptr, EdgeOf(run, *show));
}

TEST_F(PromptsTest, OtherProgramsAreNeverStarted) {
  const RunGraph run =
      Explore(Page("Contact",
                   "<a href=mailto:a@example.com>Write to us</a>"
                   "<a href=tel:123>Call us</a>"
                   "<a href=steam://open>Play with us</a>"
                   "<button type=button onclick=\"location = 'topodb-test:x'\">Show app</button>"));
  for (const std::string_view name : {"Write to us", "Call us", "Play with us"}) {
    SCOPED_TRACE(std::string(name));
    const Element* link = InEntry(run, "link", name);
    ASSERT_NE(nullptr, link);
    EXPECT_EQ(nullptr, EdgeOf(run, *link));
    const FailedObservation* failure = FailureOf(run, *link);
    if (failure == nullptr) {
      ADD_FAILURE() << "no failure is recorded";
      continue;
    }
    EXPECT_EQ(FailureReason::kOutOfScope, failure->reason) << failure->message;
  }
  ASSERT_NE(nullptr, InEntry(run, "button", "Show app"));
  for (const State& state : run.states) EXPECT_EQ(site_.Url("/"), state.url);
}

TEST_F(PromptsTest, AFileChooserIsDismissedAndRecorded) {
  const RunGraph run =
      Explore(Page("Picture",
                   "<input type=file id=file hidden>"
                   "<button type=button onclick=\"file.click()\">Show files</button>"));
  const Element* button = InEntry(run, "button", "Show files");
  ASSERT_NE(nullptr, button);
  const ActionEdge* edge = EdgeOf(run, *button);
  ASSERT_NE(nullptr, edge);
  const Effect* chooser = FindEffect(edge->effects, EffectType::kDialog);
  ASSERT_NE(nullptr, chooser);
  EXPECT_EQ("file_chooser", DetailOf(*chooser, "kind"));
  EXPECT_EQ("dismissed", DetailOf(*chooser, "answer"));
}

// Whatever is asked for, the page goes on without an answer.
TEST_F(PromptsTest, PermissionsAndPrintingHoldNothingUp) {
  const RunGraph run =
      Explore(Page("Ask",
                   "<p id=note hidden>Note</p><script>const show = () => { note.hidden = false; };"
                   "</script>"
                   "<button type=button onclick=\"show(); "
                   "navigator.geolocation.getCurrentPosition(() => {})\">Show place</button>"
                   "<button type=button onclick=\"show(); Notification.requestPermission()\">Show "
                   "news</button>"
                   "<button type=button onclick=\"show(); navigator.mediaDevices.getUserMedia("
                   "{video: true}).catch(() => {})\">Show camera</button>"
                   "<button type=button onclick=\"print(); show()\">Show paper</button>"));
  for (const std::string_view name : {"Show place", "Show news", "Show camera", "Show paper"}) {
    SCOPED_TRACE(std::string(name));
    const Element* button = InEntry(run, "button", name);
    ASSERT_NE(nullptr, button);
    EXPECT_NE(nullptr, EdgeOf(run, *button));
  }
}

// Two pages that refresh into one another without end.
TEST_F(PromptsTest, ALoopOfRefreshesEnds) {
  site_.server().HandlePage("/there", Page("There", "<meta http-equiv=refresh content='0;url=/'>"));
  site_.server().HandlePage("/", Page("Here", "<meta http-equiv=refresh content='0;url=/there'>"));
  auto options = ExplorationOf(site_.Url("/"));
  options.drive.timeout = capture::Millis(5'000);
  const auto begin = std::chrono::steady_clock::now();
  (void)site_.Capture(options);  // what it shows is a matter of moments
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(40));
  EXPECT_LT(site_.requests().size(), 2'000U);
}

void Write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

// Every planted text outside begins so.
constexpr std::string_view kOutside = "canary-outside";

TEST_F(PromptsTest, AFileSeesNothingOutsideItsFolder) {
  const TempDirectory folder;
  const fs::path site = folder.path() / "site", outside = folder.path() / "outside";
  const std::string canary = std::string(kOutside) + " <button>canary-outside-button</button>";
  Write(outside / "secret.html", Page("canary-outside-title", canary));
  Write(outside / "script.js", "document.body.append('canary-outside-script')");
  Write(site / "next.html", Page("Next", ""));
  fs::create_symlink(outside / "secret.html", site / "link.html");
  fs::create_directory_symlink(outside, site / "folder");
  Write(site / "index.html",
        Page("Home",
             "<a href=next.html>Next page</a><a href=../outside/secret.html>Page above</a>"
             "<a href=link.html>Linked page</a><a href=folder/secret.html>Page in a folder</a>"
             "<iframe title=a src=../outside/secret.html></iframe>"
             "<iframe title=b src=link.html></iframe>"
             "<iframe title=c src=folder/secret.html></iframe>"
             "<object data=../outside/secret.html></object>"
             "<script src=../outside/script.js></script><script src=folder/script.js></script>"
             "<iframe title=d id=later></iframe><button type=button onclick=\"later.src = "
             "'link.html'\">Show frame</button>"
             "<button type=button onclick=\"location = 'folder/secret.html'\">Show page</button>"
             "<button type=button onclick=\"window.open('link.html')\">Show window</button>"));
  const RunGraph run = Run(ExplorationOf((site / "index.html").string()));
  EXPECT_NE(nullptr, InEntry(run, "link", "Next page"));
  EXPECT_NE(nullptr, EdgeOf(run, *InEntry(run, "link", "Next page")));
  for (const std::string_view name : {"Page above", "Linked page", "Page in a folder"}) {
    SCOPED_TRACE(std::string(name));
    const Element* link = InEntry(run, "link", name);
    ASSERT_NE(nullptr, link);
    EXPECT_EQ(nullptr, EdgeOf(run, *link));
  }
  EXPECT_THAT(site_.DatabaseBytes(), Not(HasSubstr(std::string(kOutside))));
  for (const State& state : run.states) EXPECT_THAT(state.url, Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace topodb::testing
