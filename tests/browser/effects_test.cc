#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/fixture_server.h"
#include "tests/support/live_site.h"

// Every kind of effect, each by a page whose one button has it.
namespace topodb::testing {
namespace {

using query::RunGraph;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const auto kFixtures = std::filesystem::path(TOPODB_SOURCE_DIR) / "fixtures/effects";

struct EffectPage {
  std::string file;
  EffectType type;
  std::vector<NameValue> details;  // all that must be among them
};

class EffectPagesTest : public ::testing::Test {
 protected:
  EffectPagesTest() : pages_(kFixtures) {
    pages_.HandlePage("/asked", "<!doctype html><title>Asked</title>");
    pages_.HandlePage("/more", "");
    pages_.Handle("/file", [](const HttpRequest&) {
      return HttpResponse{.content_type = "application/octet-stream",
                          .body = "bytes",
                          .headers = {{"Content-Disposition", "attachment; filename=file.bin"}}};
    });
  }

  RunGraph Explore(const std::string& file) {
    auto run = site_.Capture(ExplorationOf(pages_.Url("/" + file + ".html")));
    EXPECT_TRUE(run) << run.error().message;
    return std::move(run).value_or(RunGraph{});
  }

  FixtureServer pages_;
  LiveSite site_;
};

TEST_F(EffectPagesTest, EveryKindIsSeen) {
  const std::vector<EffectPage> kPages = {
      {"url", EffectType::kUrl, {}},
      {"dom", EffectType::kDom, {}},
      {"visible_text", EffectType::kVisibleText, {}},
      {"inventory", EffectType::kInventory, {}},
      {"form_state", EffectType::kFormState, {}},
      {"network", EffectType::kNetwork, {{"method", "GET"}, {"blocked", "false"}}},
      {"download", EffectType::kDownload, {}},
      {"dialog", EffectType::kDialog, {{"kind", "alert"}, {"text", "Shown"}}},
      {"file_chooser", EffectType::kDialog, {{"kind", "file_chooser"}}},
      {"print", EffectType::kDialog, {{"kind", "print"}}},
      {"permission", EffectType::kDialog, {{"kind", "permission"}, {"text", "geolocation"}}},
      {"local_storage", EffectType::kStorage, {{"area", "localStorage"}, {"key", "theme"}}},
      {"session_storage", EffectType::kStorage, {{"area", "sessionStorage"}, {"key", "tab"}}},
      {"cookie", EffectType::kStorage, {{"area", "cookie"}, {"key", "choice"}}},
      {"database", EffectType::kStorage, {{"area", "indexedDB"}, {"key", "notes/texts"}}},
      {"popup", EffectType::kPopup, {}},
      {"console", EffectType::kConsole, {}},
      {"focus", EffectType::kFocus, {}},
  };
  for (const EffectPage& page : kPages) {
    SCOPED_TRACE(page.file);
    const RunGraph run = Explore(page.file);
    EXPECT_THAT(run.failures, IsEmpty());
    EXPECT_THAT(run.edges, SizeIs(1));
    if (run.edges.empty()) continue;
    const Effect* effect = FindEffect(run.edges[0].effects, page.type);
    EXPECT_NE(nullptr, effect);
    if (effect == nullptr) continue;
    for (const NameValue& detail : page.details) EXPECT_THAT(effect->details, Contains(detail));
  }
  EXPECT_THAT(site_.DatabaseBytes(), Not(HasSubstr("secret-value")));
}

TEST_F(EffectPagesTest, NothingIsAFailure) {
  const RunGraph run = Explore("nothing");
  EXPECT_THAT(run.edges, IsEmpty());
  ASSERT_THAT(run.failures, SizeIs(1));
  EXPECT_EQ(FailureReason::kEffectNotObserved, run.failures[0].reason);
}

// What is loaded because topodb scrolled there is not what the button did.
TEST_F(EffectPagesTest, TheToolsOwnScrollingIsNoEffect) {
  const RunGraph run = Explore("lazy_list");
  ASSERT_THAT(run.edges, SizeIs(1));
  EXPECT_LT(0U, pages_.CountRequests("GET", "/more"));
  EXPECT_EQ(nullptr, FindEffect(run.edges[0].effects, EffectType::kNetwork));
  EXPECT_NE(nullptr, FindEffect(run.edges[0].effects, EffectType::kVisibleText));
}

// Two candidates of one page: what the first stored, the second must not find.
TEST_F(EffectPagesTest, NothingStoredReachesTheNextCandidate) {
  std::string body = "<!doctype html><title>Kept</title><h1>Kept</h1><p id=note>Nothing</p>";
  for (const std::string name : {"one", "two"}) {
    body += "<button type=button onclick=\"keep('" + name + "')\">Show " + name + "</button>";
  }
  body += R"(<script>
    const keep = (name) => {
      note.textContent = [localStorage.kept, sessionStorage.kept, document.cookie].join() + ' ' + name;
      localStorage.kept = sessionStorage.kept = document.cookie = 'kept=' + name;
    };
  </script>)";
  pages_.HandlePage("/kept", body);
  auto run = site_.Capture(ExplorationOf(pages_.Url("/kept")));
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT(run->edges, SizeIs(2));
  for (const ActionEdge& edge : run->edges) {
    std::vector<std::string> touched;
    for (const Effect& effect : edge.effects) {
      if (effect.type == EffectType::kStorage) touched.push_back(effect.description);
    }
    EXPECT_THAT(touched, ElementsAre("cookie \"kept\" changed", "localStorage \"kept\" changed",
                                     "sessionStorage \"kept\" changed"));
  }
  for (const State& state : run->states) {
    EXPECT_THAT(state.identity_parts, Not(IsEmpty()));
  }
}

}  // namespace
}  // namespace topodb::testing
