#include <algorithm>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/report/html_diff.h"
#include "query/report/html_run.h"
#include "tests/support/live_site.h"
#include "tests/support/text_of.h"

// Reports of hostile pages, opened in a real browser: nothing of the pages acts in them.
namespace topodb::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Everything that a page can have recorded tries to end its place in the report and to fetch
// /pwned.
constexpr std::string_view kHostilePage = R"page(<!doctype html>
<title>&lt;/title>&lt;script>fetch('/pwned')&lt;/script></title>
<h1>&lt;/style>&lt;script>fetch('/pwned')&lt;/script></h1>
<form aria-label="&quot;>&lt;img src=/pwned>">
<button id="'&quot; onfocus=fetch('/pwned') autofocus x=" type="button">&lt;img src=/pwned onerror=fetch('/pwned')></button>
<a href="javascript:fetch('/pwned')">&lt;/a>&lt;/details>&lt;iframe src=/pwned></a>
<input placeholder="&lt;svg onload=fetch('/pwned')>" aria-label="]]>&lt;script src=/pwned>&lt;/script>">
</form>)page";

class ReportPageTest : public ::testing::Test {
 protected:
  // Opens the page without its own protection, so that only the escaping is left.
  void ExpectHarmless(std::string page, const std::string& title) {
    const std::string policy = "http-equiv=\"Content-Security-Policy\"";
    const size_t at = page.find(policy);
    ASSERT_NE(std::string::npos, at);
    page.replace(at, policy.size(), "name=\"nothing\"");
    ASSERT_THAT(page, HasSubstr("pwned"));
    site_.server().HandlePage("/report.html", page);
    const auto seen = site_.Capture(ScanOf(site_.Url("/report.html")));
    ASSERT_TRUE(seen) << seen.error().message;
    ASSERT_EQ(1U, seen->states.size());
    EXPECT_EQ(title, seen->states[0].title);
    EXPECT_THAT(seen->run.off_origin_hosts, IsEmpty());
    for (const HttpRequest& request : site_.requests()) {
      EXPECT_EQ(std::string::npos, request.target.find("pwned")) << request.target;
    }
    // Summaries and links of our own are all there is to act on.
    for (const Element& element : seen->elements) {
      EXPECT_TRUE(element.tag == "summary" || element.tag == "a") << element.tag;
      for (const auto& [name, value] : element.attributes) {
        EXPECT_TRUE(name != "href" || value.starts_with("#s")) << value;
      }
    }
  }

  LiveSite site_;
};

TEST_F(ReportPageTest, NothingOfAPageActsInTheReportOfItsRun) {
  site_.server().HandlePage("/", std::string(kHostilePage));
  const auto run = site_.Capture(ScanOf(site_.Url("/")));
  ASSERT_TRUE(run) << run.error().message;
  const auto stored = site_.Stored(*run);
  ExpectHarmless(TextOf([&](const query::TextSink& sink) {
                   return query::ExportHtml(site_.reader(), stored, sink);
                 }),
                 run->run.input_url);
}

TEST_F(ReportPageTest, NothingOfAPageActsInADiff) {
  site_.server().HandlePage("/", "<!doctype html><title>Before</title><button>Gone</button>");
  const auto before = site_.Capture(ScanOf(site_.Url("/")));
  ASSERT_TRUE(before) << before.error().message;
  site_.server().HandlePage("/", std::string(kHostilePage));
  const auto after = site_.Capture(ScanOf(site_.Url("/")));
  ASSERT_TRUE(after) << after.error().message;
  const auto diff = site_.Diff(*before, *after, {});
  ASSERT_TRUE(diff) << diff.error().message;
  ASSERT_TRUE(HasDifferences(*diff));
  const auto was = site_.Stored(*before);
  const auto is = site_.Stored(*after);
  ExpectHarmless(TextOf([&](const query::TextSink& sink) {
                   return query::ExportDiffHtml(site_.reader(), was, is, *diff, sink);
                 }),
                 "What changed");
}

}  // namespace
}  // namespace topodb::testing
