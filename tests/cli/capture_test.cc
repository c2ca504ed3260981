#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include <boost/json.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"
#include "tests/support/fixture_server.h"

// The whole way once, with a real browser: capture, query, diff, check, replay.
namespace topodb::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

constexpr std::string_view kPage = R"html(<!doctype html><title>Notes</title>
<h1>Notes</h1>
<button onclick="more.hidden = !more.hidden">Show more</button>
<button onclick="document.body.remove()">Delete account</button>
<nav id=more aria-label=More hidden><a href="page.html">Top</a></nav>)html";

// Starts a capture with much to do and goes on when a state is stored: $pid is the process, $lines
// what it says.
const std::string kStartLongCapture = R"sh(
    coproc "$TOPODB" capture long.html --name long 2>&1
    pid=$COPROC_PID lines=${COPROC[0]}
    while read -r line <&"$lines"; do
      case $line in state*) break ;; esac
    done)sh";

class CaptureTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::ofstream(directory_ / "page.html") << kPage;
    std::ofstream page(directory_ / "long.html");
    page << "<!doctype html><title>Long</title><p id=p></p>";
    for (int i = 0; i < 40; ++i) {
      page << "<button onclick=\"p.textContent = 'Text " << i << "'\">Show " << i << "</button>";
    }
  }

  boost::json::array Runs() const {
    return boost::json::parse(Topodb({"runs", "--format", "json"}).out).as_array();
  }
};

TEST_F(CaptureTest, OpensOnlyThePagesThatItShould) {
  testing::FixtureServer server;
  server.HandlePage("/",
                    "<!doctype html><title>Entry</title><a href=/shop/1>Shop</a> "
                    "<a href=/shop/cart>Cart</a> <a href=/about>About</a>");
  for (const char* path : {"/shop/1", "/shop/cart", "/about"}) {
    server.HandlePage(path, std::string("<!doctype html><title>") + path + "</title>");
  }
  const auto result = Topodb({"capture", server.Url("/"), "--include", "/shop/*", "--exclude",
                              "/shop/cart", "--rate", "50"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_LT(0U, server.CountRequests("GET", "/shop/1"));
  EXPECT_EQ(0U, server.CountRequests("GET", "/shop/cart"));
  EXPECT_EQ(0U, server.CountRequests("GET", "/about"));
  EXPECT_THAT(Topodb({"query", "failures", "--format", "json"}).out, HasSubstr("out_of_scope"));
  EXPECT_EQ(Topodb({"capture", server.Url("/"), "--include", "shop"}).exit_code, 2);
}

TEST_F(CaptureTest, CapturesQueriesComparesChecksAndReplays) {
  const auto first = Topodb({"capture", "page.html", "--name", "first", "--out", "first.json"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_THAT(first.out, StartsWith("crawl_"));
  EXPECT_THAT(first.out, HasSubstr("complete in "));
  EXPECT_THAT(first.out, HasSubstr("2 states"));
  EXPECT_THAT(first.out, HasSubstr("1 edge"));
  EXPECT_THAT(first.err, HasSubstr("state   Notes page.html"));  // plain progress

  const auto second =
      Topodb({"capture", "page.html", "--name", "second", "--quiet", "--format", "json"});
  ASSERT_EQ(second.exit_code, 0) << second.err;
  EXPECT_EQ(boost::json::parse(second.out).at("name"), "second");
  EXPECT_THAT(second.err, Not(HasSubstr("state ")));

  EXPECT_THAT(Topodb({"query", "edges"}).out, HasSubstr("button \"Show more\""));
  EXPECT_THAT(Topodb({"query", "skips"}).out, HasSubstr("blocked:destructive"));
  EXPECT_EQ(Topodb({"diff", "first", "second"}).out, "no differences\n");
  EXPECT_EQ(Topodb({"check"}).exit_code, 0);
  EXPECT_EQ(Topodb({"import", "first.json", "--db", "copy"}).exit_code, 0);

  const auto replay = Topodb({"replay", "first"});
  EXPECT_EQ(replay.exit_code, 0) << replay.out << replay.err;
  EXPECT_THAT(replay.out, HasSubstr("1 passed"));

  // The button is called otherwise: the replay says so and ends with 1.
  std::string renamed(kPage);
  renamed.replace(renamed.find("Show more"), 9, "Show less");
  std::ofstream(directory_ / "page.html") << renamed;
  const auto diverged = Topodb({"replay", "first", "--format", "junit"});
  EXPECT_EQ(diverged.exit_code, 1) << diverged.err;
  EXPECT_THAT(diverged.out, HasSubstr("failures=\"1\""));
}

TEST_F(CaptureTest, AnEntryPageThatCannotBeOpenedStoresNothing) {
  // Nothing listens on port 9 of this machine, and browsers refuse to ask.
  const auto got = Topodb({"capture", "http://127.0.0.1:9/"});
  EXPECT_EQ(got.exit_code, 7);
  EXPECT_THAT(got.out, IsEmpty());
  EXPECT_THAT(got.err, HasSubstr("http://127.0.0.1:9/"));
  EXPECT_EQ(Topodb({"runs", "--format", "json"}).out, "[]\n");
}

TEST_F(CaptureTest, AnInterruptStoresWhatThereIs) {
  const auto got = Shell(kStartLongCapture + R"sh(
      kill -INT "$pid"; cat <&"$lines" > /dev/null; wait "$pid"; echo "$?")sh");
  EXPECT_EQ(got.out, "130\n") << got.err;
  const auto runs = Runs();
  ASSERT_EQ(runs.size(), 1U);
  EXPECT_EQ(runs.at(0).at("name"), "long");
  EXPECT_EQ(runs.at(0).at("status"), "partial");
}

// Killed without a word: its browser ends, and the next writer lists what was captured.
TEST_F(CaptureTest, AKilledCaptureLeavesNoBrowserAndLosesNothing) {
  const auto got = Shell(kStartLongCapture + R"sh(
      profile=$(echo "${TMPDIR:-/tmp}"/topodb-profile-"$pid"-*)
      browsers=$(pgrep -f -- "--user-data-dir=$profile")
      kill -KILL "$pid"
      [[ -n $browsers ]] && echo "a browser ran"
      for browser in $browsers; do
        timeout 3 tail -s 0.1 --pid="$browser" -f /dev/null || echo "$browser lives"
      done)sh");
  EXPECT_EQ(got.out, "a browser ran\n") << got.err;
  EXPECT_THAT(Runs(), IsEmpty());
  EXPECT_EQ(Topodb({"capture", "page.html", "--mode", "scan"}).exit_code, 0);
  const auto runs = Runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs.at(1).at("name"), "long");
  EXPECT_EQ(runs.at(1).at("status"), "partial");
  EXPECT_EQ(Topodb({"check"}).exit_code, 0);
}

TEST_F(CaptureTest, ADatabaseThatIsWrittenCanBeReadButNotWritten) {
  const auto got = Shell(kStartLongCapture + R"sh(
      "$TOPODB" capture page.html; echo "$?"
      "$TOPODB" runs --format jsonl; echo "$?"
      kill -INT "$pid"; cat <&"$lines" > /dev/null; wait "$pid")sh");
  EXPECT_EQ(got.out, "3\n0\n") << got.err;
  EXPECT_THAT(got.err, HasSubstr("'./.topodb' is locked by process "));
}

TEST_F(CaptureTest, APlaceThatCannotBeWrittenIsSaidSo) {
  // A place that refuses even root.
  const auto got = Topodb({"capture", "page.html", "--db", "/proc/topodb"});
  EXPECT_EQ(got.exit_code, 3);
  EXPECT_THAT(got.out, IsEmpty());
  EXPECT_THAT(got.err, HasSubstr("topodb: cannot open '/proc/topodb'"));
}

TEST_F(CaptureTest, APageThatNeverAnswersEndsInTime) {
  testing::FixtureServer server;
  server.NeverAnswer("/silent");
  const std::string url = server.Url("/silent");
  const auto start = std::chrono::steady_clock::now();
  const auto got = Topodb({"capture", url, "--timeout", "2s"});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(got.exit_code, 7);
  EXPECT_THAT(got.out, IsEmpty());
  EXPECT_THAT(got.err, HasSubstr("topodb: '" + url + "' did not answer within 2 s"));
  EXPECT_THAT(Runs(), IsEmpty());
}

// Each ends with a name of what went wrong, or with what there is to see, and in time.
TEST_F(CaptureTest, AScriptWithoutEndIsNamed) {
  std::ofstream(directory_ / "page.html")
      << "<!doctype html><title>Busy</title><button>One</button><script>for (;;);</script>";
  const auto start = std::chrono::steady_clock::now();
  const auto got = Topodb({"capture", "page.html", "--timeout", "5s"});
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
  EXPECT_EQ(got.exit_code, 7);
  EXPECT_THAT(got.out, IsEmpty());
  EXPECT_THAT(got.err, HasSubstr("does not answer"));
  EXPECT_THAT(Runs(), IsEmpty());
}

TEST_F(CaptureTest, DialogsWhileLoadingAreAnsweredAndRecorded) {
  std::ofstream(directory_ / "page.html")
      << "<!doctype html><title>Hello</title><script>alert('Welcome'); confirm('Sure?')</script>"
         "<h1>Hello</h1><button onclick=\"this.after('done')\">One</button>";
  const auto got = Topodb({"capture", "page.html", "--out", "run.json"});
  EXPECT_EQ(got.exit_code, 0) << got.err;
  EXPECT_THAT(got.out, HasSubstr("1 edge"));
  const std::string stored = Shell("cat run.json").out;
  EXPECT_THAT(stored, HasSubstr("Welcome"));
  EXPECT_THAT(stored, HasSubstr("Sure?"));
}

TEST_F(CaptureTest, ATabThatCrashesIsNamed) {
  testing::FixtureServer server;
  server.HandlePage("/", "<!doctype html><title>Gone</title><script src=crash.js></script>");
  // Only the processes of the browser whose profile is in this test's own directory.
  server.Handle("/crash.js", [this](const testing::HttpRequest&) {
    Shell("pkill -KILL -f -- \"--type=renderer.*$PWD\"");
    return testing::HttpResponse{.content_type = "text/javascript", .body = ""};
  });
  const auto got = Shell("TMPDIR=$PWD \"$TOPODB\" capture " + server.Url("/") + "; echo $?");
  EXPECT_EQ(got.out, "7\n") << got.err;
  EXPECT_THAT(got.err, HasSubstr("crashed"));
  EXPECT_THAT(Runs(), IsEmpty());
}

TEST_F(CaptureTest, ADocumentOf200MegabytesIsRead) {
  constexpr size_t kSize = size_t{200} << 20U;
  std::string line = "<p>";
  while (line.size() < 1000) line += "word ";
  std::string block;
  while (block.size() < (size_t{1} << 20U)) block += line + '\n';
  std::ofstream page(directory_ / "page.html");
  page << "<!doctype html><title>Huge</title><button>One</button>";
  for (size_t written = 0; written < kSize; written += block.size()) page << block;
  page.close();
  // Read to its end within the time of a page, or refused by name; both looks at it within the
  // time of a test.
  const auto got =
      Topodb({"capture", "page.html", "--mode", "scan", "--quiet", "--timeout", "20s"});
  EXPECT_THAT(got.exit_code, ::testing::AnyOf(0, 7)) << got.err;
  EXPECT_THAT(got.exit_code == 0 ? got.out : got.err,
              HasSubstr(got.exit_code == 0 ? "1 element" : "does not answer"));
}

// A directory on a disk of its own that is soon full: nothing that was captured is lost, and the
// next writer lists it. Without the right to mount, the test mounts in a namespace of its own.
TEST_F(CaptureTest, AFullDiskKeepsWhatThereIs) {
  std::ofstream page(directory_ / "page.html");
  page << "<!doctype html><title>Many</title><div id=p></div>";
  for (const char* name : {"alpha", "beta", "gamma", "delta", "epsilon", "zeta"}) {
    page << "<button onclick=\"p.innerHTML = '<h2>" << name << "</h2>' + '<button>" << name
         << " x</button>'.repeat(200)\">Show " << name << "</button>";
  }
  page.close();
  const auto got = Shell(R"sh(
      run() {
        mkdir disk && mount -t tmpfs -o size=400k tmpfs disk || return 1
        "$TOPODB" capture page.html --db disk/db --quiet --format json 2> err; echo "full: $?"
        mount -o remount,size=40m disk
        "$TOPODB" capture page.html --db disk/db --mode scan --quiet > /dev/null; echo "free: $?"
        "$TOPODB" runs --db disk/db --format json > runs.json
        "$TOPODB" check --db disk/db > /dev/null; echo "check: $?"
      }
      export -f run
      unshare $([ $EUID -eq 0 ] || echo --map-root-user) --mount bash -c run)sh");
  EXPECT_EQ(got.out, "full: 6\nfree: 0\ncheck: 0\n") << got.err;
  const std::string said = Shell("cat err").out;
  EXPECT_THAT(said, HasSubstr("no space left for 'disk/db'"));
  EXPECT_THAT(said, HasSubstr("will be listed as a partial run"));
  EXPECT_THAT(said, HasSubstr(R"("code":"io")"));
  const auto runs = boost::json::parse(Shell("cat runs.json").out).as_array();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs.at(1).at("status"), "partial");
  EXPECT_EQ(runs.at(1).at("counts").at("states"), 2);
}

TEST_F(CaptureTest, DoctorFindsBrowserAndDatabase) {
  const auto got = Topodb({"doctor"});
  EXPECT_EQ(got.exit_code, 0) << got.out;
  EXPECT_THAT(got.out, HasSubstr("Chrome"));
  EXPECT_THAT(got.out, HasSubstr("not there yet"));
  const auto without = Topodb({"doctor", "--browser", "/nonexistent"});
  EXPECT_EQ(without.exit_code, 7);
}

}  // namespace
}  // namespace topodb::cli
