#include <regex>
#include <string>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/command_test_base.h"
#include "tests/support/fixture_server.h"

// A site of many pages, explored on one tab and on several, with a real browser.
namespace topodb::cli {
namespace {

using ::testing::HasSubstr;

constexpr int kSections = 3, kPagesEach = 5;

// What every page has: links, and a button that no exploration may touch.
std::string Document(std::string_view title, std::string_view links, std::string_view more = {}) {
  return fmt::format(
      "<!doctype html><title>{0}</title><h1>{0}</h1><nav aria-label=Pages>{1}</nav>{2}"
      "<button type=button aria-label=\"Delete {0}\" onclick=\"fetch('/delete', {{method: "
      "'POST'}})\">x</button>",
      title, links, more);
}

constexpr std::string_view kDetails =
    "<button type=button onclick=\"details.hidden = !details.hidden\">Show details</button>"
    "<section id=details aria-label=Details hidden><a href=\"/\">The details</a></section>";

std::string Link(std::string_view path, std::string_view name) {
  return fmt::format("<a href=\"{}\">{}</a> ", path, name);
}

// What differs between two runs that saw the same: the run's id, moments, durations and commands.
std::string WithoutTimes(std::string text, const std::string& id) {
  text = std::regex_replace(text, std::regex(id), "RUN");
  text = std::regex_replace(text, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z)"), "TIME");
  return std::regex_replace(text, std::regex(R"re("(elapsedMs|protocolCommands)": ?\d+)re"), "N");
}

class JobsTest : public CommandTest {
 protected:
  void SetUp() override {
    CommandTest::SetUp();
    std::string sections;
    for (int s = 0; s < kSections; ++s) {
      const std::string section = fmt::format("/section-{}/", static_cast<char>('a' + s));
      sections += Link(section, "Section " + section.substr(9, 1));
      std::string pages = Link("/", "Home");
      for (int p = 0; p < kPagesEach; ++p) {
        const std::string name = fmt::format("page-{}", static_cast<char>('k' + p));
        pages += Link(section + name, name);
        server_.HandlePage(section + name, Document("Text of " + name + " in " + section,
                                                    Link(section, "Back to the section")));
      }
      server_.HandlePage(section, Document("All of " + section, pages, kDetails));
    }
    server_.HandlePage("/", Document("Home", sections, kDetails));
  }

  struct Captured {
    boost::json::object run;
    std::string document;
  };
  Captured Capture(int jobs) {
    const auto got =
        Topodb({"capture", server_.Url("/"), "--jobs", std::to_string(jobs), "--max-depth", "3",
                "--max-actions", "300", "--max-per-template", "99", "--quiet", "--format", "json"});
    EXPECT_EQ(got.exit_code, 0) << got.err;
    Captured captured{.run = boost::json::parse(got.out).as_object(), .document = {}};
    const std::string id(captured.run.at("crawlSessionId").as_string());
    captured.document = WithoutTimes(Topodb({"export", id}).out, id);
    return captured;
  }

  testing::FixtureServer server_;
};

TEST_F(JobsTest, AWholeSiteIsCoveredAndTheSameOnAnyNumberOfTabs) {
  const Captured one = Capture(1);
  const auto& counts = one.run.at("counts").as_object();
  // Every page, and those with details with these shown, too.
  EXPECT_EQ(counts.at("states").to_number<int>(), 2 * (1 + kSections) + kSections * kPagesEach);
  EXPECT_EQ(counts.at("skippedActions").to_number<int>(), counts.at("states").to_number<int>());
  EXPECT_EQ(counts.at("failedObservations").to_number<int>(), 0);

  const Captured three = Capture(3);
  EXPECT_EQ(three.document, one.document);
  // More tabs than one were really there.
  EXPECT_GT(three.run.at("protocolCommands").to_number<int>(),
            one.run.at("protocolCommands").to_number<int>() + 10);
  EXPECT_EQ(Topodb({"check"}).exit_code, 0);
  EXPECT_EQ(server_.CountRequests("POST", "/delete"), 0U);
}

}  // namespace
}  // namespace topodb::cli
