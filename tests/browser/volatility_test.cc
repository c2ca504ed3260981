#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "query/diff.h"
#include "query/diff_text.h"
#include "tests/support/live_site.h"

// Pages that differ at every load, and changes that must be told apart from that.
namespace topodb::testing {
namespace {

using query::RunGraph;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A page with everything that changes by itself; `extra` goes into its main part. `load` counts.
std::string VolatilePage(size_t load, std::string_view extra) {
  const std::string n = std::to_string(load);
  static constexpr std::string_view kAds[] = {"Try our new shoes", "Fresh bread every morning",
                                              "Learn to sail"};
  const std::string token = std::to_string(load * 7919 + 1'000'003) + "abcdef" + n;
  return "<!doctype html><html lang=en><title>News (" + n + ")</title><meta name=csrf content='" +
         token +
         "'><main aria-label=News><h1>News</h1>"
         "<p>It is <time id=clock></time>, you are visitor " +
         n +
         ".</p>"
         "<ul><li><a href='/story/1'>Bridge opens</a> <small>" +
         n +
         " minutes ago</small></li>"
         "<li><a href='/story/2'>Rain ahead</a> <small>" +
         std::to_string(load + 2) +
         " minutes ago</small></li></ul>"
         "<button type=button id='btn-" +
         token +
         "' onclick='more.hidden = false'>Show more</button>"
         "<nav id=more aria-label=More hidden><a href='/archive'>Archive</a></nav>"
         "<form action=/search><input type=hidden name=csrf value='" +
         token + "'><label>Search <input name=q></label><button>Search</button></form>" +
         std::string(extra) + "</main><aside aria-label=Advertisement><a href='/ad?n=" + n + "'>" +
         std::string(kAds[load % std::size(kAds)]) +
         "</a></aside><script>clock.textContent = new Date().toLocaleTimeString() + Math.random();"
         "</script></html>";
}

class VolatilityTest : public ::testing::Test {
 protected:
  // From now on the page has this in it.
  void Serve(std::string extra) {
    site_.server().Handle("/", [this, extra = std::move(extra)](const HttpRequest&) {
      return HttpResponse{.body = VolatilePage(++loads_, extra)};
    });
  }
  void ServePage(std::string html) { site_.server().HandlePage("/", std::move(html)); }

  RunGraph Captured(const capture::CaptureOptions& options) {
    auto run = site_.Capture(options);
    EXPECT_TRUE(run) << run.error().message;
    return std::move(run).value_or(RunGraph{});
  }
  RunGraph Scanned() { return Captured(ScanOf(site_.Url("/"))); }

  std::vector<std::string> Differences(const RunGraph& before, const RunGraph& after) {
    const auto diff = query::DiffRuns(site_.reader(), site_.Stored(before), site_.reader(),
                                      site_.Stored(after), {});
    EXPECT_TRUE(diff) << diff.error().message;
    std::vector<std::string> lines;
    if (!diff) return lines;
    for (const query::Difference& difference : diff->differences) {
      lines.push_back(std::string(query::ToString(difference.change)) + ' ' +
                      std::string(query::ToString(difference.section)) + ' ' + difference.role +
                      " \"" + difference.name + '"');
    }
    return lines;
  }

  LiveSite site_;
  size_t loads_ = 0;
};

TEST_F(VolatilityTest, WhatChangesByItselfIsNoDifference) {
  Serve("");
  const RunGraph first = Captured(ExplorationOf(site_.Url("/")));
  const RunGraph second = Captured(ExplorationOf(site_.Url("/")));
  EXPECT_THAT(Differences(first, second), IsEmpty());
  const RunGraph scanned = Scanned();
  const RunGraph scanned_again = Scanned();
  EXPECT_THAT(Differences(scanned, scanned_again), IsEmpty());
  ASSERT_FALSE(first.states.empty());
  ASSERT_FALSE(scanned.states.empty());
  EXPECT_EQ(first.states[0].id, scanned.states[0].id);
}

TEST_F(VolatilityTest, AChangeBesideWhatChangesByItselfIsFound) {
  Serve("");
  const RunGraph before = Scanned();
  Serve("<button type=button onclick='document.title = 1'>Show weather</button>");
  const RunGraph after = Scanned();
  EXPECT_THAT(Differences(before, after), ElementsAre("added elements button \"Show weather\""));
}

// ---- positions ----------------------------------------------------------------------------------

constexpr std::string_view kParts[] = {
    "<nav aria-label=Main><a href=/a>Home</a> <a href=/b>Prices</a></nav>",
    "<h1>Shop</h1>",
    "<ul><li>Tea <button>Details</button></li><li>Milk <button>Details</button></li></ul>",
    "<form action=/find><label>Find <input name=q></label><button>Find</button></form>",
    "<button data-testid=help>Help</button>",
    "<div role=group aria-label=Size><button>Small</button><button>Large</button></div>",
    "<footer><a href=/imprint>Imprint</a></footer>"};

// The parts in order, with `inserted` before the part of that number.
std::string PartsPage(size_t before, std::string_view inserted) {
  std::string html = "<!doctype html><html lang=en><title>Shop</title>";
  for (size_t i = 0; i < std::size(kParts); ++i) {
    if (i == before) html += inserted;
    html += kParts[i];
  }
  return html + "</html>";
}

std::multiset<AnchorKey> Anchors(const RunGraph& run) {
  std::multiset<AnchorKey> anchors;
  for (const Element& element : run.elements) anchors.insert(element.anchor_key);
  return anchors;
}

TEST_F(VolatilityTest, ABannerIsTheOnlyDifferenceItMakes) {
  ServePage(PartsPage(std::size(kParts), ""));
  const RunGraph before = Scanned();
  ServePage(PartsPage(0, "<div class=banner>Sale! <button type=button>Close</button></div>"));
  const RunGraph after = Scanned();
  EXPECT_THAT(Differences(before, after), ElementsAre("added elements button \"Close\""));
}

TEST_F(VolatilityTest, WhatIsInsertedAnywhereChangesNoOtherAnchor) {
  ServePage(PartsPage(std::size(kParts), ""));
  const auto before = Anchors(Scanned());
  ASSERT_EQ(10U, before.size());
  for (const std::string_view inserted :
       {"<div><p>Note</p></div>", "<button>Something else</button>"}) {
    for (size_t i = 0; i < std::size(kParts); ++i) {
      SCOPED_TRACE(std::string(inserted) + " before part " + std::to_string(i));
      ServePage(PartsPage(i, inserted));
      const auto after = Anchors(Scanned());
      for (const AnchorKey& anchor : before) EXPECT_EQ(before.count(anchor), after.count(anchor));
    }
  }
}

// ---- text ---------------------------------------------------------------------------------------

TEST_F(VolatilityTest, EveryEncodingIsReadAsWhatItSays) {
  site_.server().Handle("/cyrillic", [](const HttpRequest&) {
    return HttpResponse{.content_type = "text/html; charset=windows-1251",
                        .body =
                            "<!doctype html><title>t</title><button>\xCF\xF0\xE8\xE2\xE5\xF2"
                            "</button>"};
  });
  site_.server().Handle("/japanese", [](const HttpRequest&) {
    return HttpResponse{.content_type = "text/html",
                        .body =
                            "<!doctype html><meta charset=Shift_JIS><title>t</title><button>"
                            "\x95\x5C\x8E\xA6</button>"};
  });
  site_.server().Handle("/wide", [](const HttpRequest&) {
    std::string wide = "\xFF\xFE";
    for (const char c : std::string_view("<!doctype html><title>t</title><button>Gr")) {
      wide += c;
      wide += '\0';
    }
    wide += std::string("\xFC\0n\0", 4);
    for (const char c : std::string_view("</button>")) {
      wide += c;
      wide += '\0';
    }
    return HttpResponse{.content_type = "text/html", .body = wide};
  });
  for (const auto& [path, name] : std::vector<std::pair<std::string, std::string>>{
           {"/cyrillic", "Привет"}, {"/japanese", "表示"}, {"/wide", "Grün"}}) {
    SCOPED_TRACE(path);
    const RunGraph run = Captured(ScanOf(site_.Url(path)));
    ASSERT_EQ(1U, run.elements.size());
    EXPECT_EQ(name, run.elements[0].accessible_name);
  }
}

TEST_F(VolatilityTest, HalfCharactersAndEndlessNamesAreCut) {
  ServePage(
      "<!doctype html><title>t</title><button id=half></button><button id=long></button>"
      "<script>half.textContent = 'Half \\ud83d here'; long.textContent = "
      "'Long '.repeat(200000);</script>");
  const RunGraph run = Scanned();
  ASSERT_EQ(2U, run.elements.size());
  EXPECT_EQ("Half \xEF\xBF\xBD here", run.elements[0].accessible_name);
  const Element& endless = run.elements[1];
  EXPECT_LE(endless.accessible_name.value_or("").size(), 4096U);
  EXPECT_LE(endless.text.value_or("").size(), 16384U);
  EXPECT_THAT(endless.truncated, ::testing::Contains("accessibleName"));
  EXPECT_THAT(endless.truncated, ::testing::Contains("text"));
}

}  // namespace
}  // namespace topodb::testing
