#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/fixture_server.h"
#include "tests/support/name_probe.h"

// Accessible names as the specifications demand them, on our own corpus (fixtures/names) and on any
// other that is given; and roles and names against the browser's accessibility tree.
namespace topodb::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

constexpr size_t kLeastCases = 150;
constexpr double kLeastEqual = 0.995;

// Names that Chromium computes otherwise than it should. topodb gives the browser's own.
struct KnownDifference {
  std::string_view page, title, name;  // `name` is what Chromium says
  std::string_view why;
};
constexpr size_t kMostDifferences = 9;

constexpr KnownDifference kOwnDifferences[] = {
    {"embedded.html", "an empty field", "Write what text",
     "an embedded field counts by its value, also when that is empty; Chromium goes on to its "
     "name"},
    {"native.html", "a figure", "", "Chromium does not name figures by their captions"},
};
static_assert(std::size(kOwnDifferences) <= kMostDifferences);

// Of the name tests of the web platform.
constexpr std::string_view kNoBreakSpace = "no-break spaces are no white space to trim";
constexpr KnownDifference kWebPlatformDifferences[] = {
    {"comp_name_from_content.html",
     "heading with link referencing image using aria-labelledby, that in turn references text "
     "element via aria-labelledby",
     "link link", "a reference within a reference is followed"},
    {"comp_name_from_content.html",
     "heading with link referencing image using aria-labelledby, that in turn references itself "
     "and another element via aria-labelledby",
     "image", "a reference to oneself within a reference is not followed"},
    {"comp_text_node.html",
     "span[role=button] with text node, with leading/trailing non-breaking space",
     "\u00a0button\u00a0label\u00a0", kNoBreakSpace},
    {"comp_text_node.html",
     "div[role=heading] with text node, with leading/trailing non-breaking space",
     "\u00a0heading\u00a0label\u00a0", kNoBreakSpace},
    {"comp_text_node.html", "button with text node, with leading/trailing non-breaking space",
     "\u00a0button\u00a0label\u00a0", kNoBreakSpace},
    {"comp_text_node.html", "heading with text node, with leading/trailing non-breaking space",
     "\u00a0heading\u00a0label\u00a0", kNoBreakSpace},
    {"comp_text_node.html", "link with text node, with leading/trailing non-breaking space",
     "\u00a0link\u00a0label\u00a0", kNoBreakSpace},
    {"comp_tooltip.html", "img with tooltip label with empty alt", "",
     "an empty alt makes an image decorative whatever its title"},
    {"comp_tooltip.html", "kbd with tooltip label", "", "a generic element has no name"},
};
static_assert(std::size(kWebPlatformDifferences) <= kMostDifferences);

// What the accessibility tree calls elements that no ARIA role describes, and what records say.
const std::map<std::string_view, std::string_view> kInternalRoles = {
    {"Canvas", "img"},
    {"LabelText", "generic"},
    {"LayoutTable", "table"},
    {"LayoutTableCell", "cell"},
    {"LayoutTableRow", "row"},
    {"DisclosureTriangle", "button"},
    {"ColorWell", "textbox"},
    {"Date", "textbox"},
    {"DateTime", "textbox"},
    {"InputTime", "textbox"},
    {"DisclosureTriangleGrouped", "button"},
};
// Elements that nobody acts on and that have no role in records.
const std::set<std::string_view> kWithoutRole = {"br", "iframe", "frame", "html"};

std::vector<std::string> PagesIn(const fs::path& folder) {
  std::vector<std::string> pages;
  for (const auto& file : fs::directory_iterator(folder)) {
    if (file.path().extension() == ".html") pages.push_back(file.path().filename().string());
  }
  std::ranges::sort(pages);
  return pages;
}

struct Verdict {
  size_t cases = 0, equal = 0;
  std::vector<std::string> unexpected;
};

// Every case of the folder's pages equals its expectation or is a known difference; a known
// difference that is none any more is reported, too.
Verdict Check(const fs::path& folder, std::span<const KnownDifference> known,
              NameSource source = NameSource::kElements) {
  Verdict verdict;
  const FixtureServer server(folder);
  const auto probe = NameProbe::Open(source);
  if (!probe) return {.unexpected = {probe.error().message}};
  for (const std::string& page : PagesIn(folder)) {
    const auto elements = (*probe)->Look(server.Url('/' + page));
    if (!elements) {
      verdict.unexpected.push_back(page + ": " + elements.error().message);
      continue;
    }
    for (const ProbedElement& element : *elements) {
      if (!element.expected) continue;
      ++verdict.cases;
      const std::string& name = element.computed.name;
      const bool equal = name == *element.expected;
      verdict.equal += equal ? 1U : 0U;
      const auto difference = std::ranges::find_if(known, [&](const KnownDifference& one) {
        return one.page == page && one.title == element.title.value_or("");
      });
      const std::string_view want =
          difference == known.end() ? std::string_view(*element.expected) : difference->name;
      if (name != want) {
        verdict.unexpected.push_back(fmt::format("{}: {}: '{}', not '{}'", page,
                                                 element.title.value_or(element.tag), name, want));
      }
    }
  }
  return verdict;
}

void Print(std::string_view what, const Verdict& verdict) {
  for (const std::string& problem : verdict.unexpected) std::cout << problem << '\n';
  std::cout << fmt::format("{}: {} of {} names as expected\n", what, verdict.equal, verdict.cases);
}

// Browsers that somebody else started lack the properties.
TEST(NamesTest, OurCasesAreNamedTheSameByTheDeveloperTools) {
  const Verdict verdict =
      Check(fs::path(TOPODB_SOURCE_DIR) / "fixtures/names", kOwnDifferences, NameSource::kDevTools);
  Print("own corpus, by the developer tools", verdict);
  EXPECT_GE(verdict.cases, kLeastCases);
  EXPECT_THAT(verdict.unexpected, IsEmpty());
}

// Any folder that $TOPODB_ACCNAME_DIR names.
void CheckGivenCorpus(const char* folder) {
  ASSERT_TRUE(fs::is_directory(folder)) << "TOPODB_ACCNAME_DIR is '" << folder << "'";
  const Verdict verdict = Check(folder, kWebPlatformDifferences);
  Print(folder, verdict);
  EXPECT_GT(verdict.cases, 0U) << "no case in " << folder;
  EXPECT_THAT(verdict.unexpected, IsEmpty());
}

TEST(NamesTest, CasesAreNamedAsSpecified) {
  const Verdict verdict = Check(fs::path(TOPODB_SOURCE_DIR) / "fixtures/names", kOwnDifferences);
  Print("own corpus", verdict);
  EXPECT_GE(verdict.cases, kLeastCases);
  EXPECT_THAT(verdict.unexpected, IsEmpty());
  if (const char* folder = std::getenv("TOPODB_ACCNAME_DIR")) CheckGivenCorpus(folder);
}

// ---- against the accessibility tree ----

struct Comparison {
  size_t pages = 0, elements = 0, equal = 0;
};

// Records give a file field the name without what is chosen: "Picture", not "Picture: a.png".
RoleAndName AsRecorded(const ProbedElement& element) {
  RoleAndName said = *element.in_tree;
  const auto internal = kInternalRoles.find(said.role);
  if (internal != kInternalRoles.end()) said.role = internal->second;
  if (element.tag == "input" && said.name.ends_with(": No file chosen")) {
    said.name.resize(said.name.rfind(": "));
  }
  return said;
}

void ComparePages(const fs::path& folder, const std::vector<std::string>& pages, NameProbe& probe,
                  Comparison& comparison) {
  const FixtureServer server(folder);
  for (const std::string& page : pages) {
    const auto elements = probe.Look(server.Url('/' + page));
    if (!elements) {
      std::cout << page << ": " << elements.error().message << '\n';
      continue;
    }
    ++comparison.pages;
    for (const ProbedElement& element : *elements) {
      if (!element.in_tree || kWithoutRole.contains(element.tag)) continue;
      ++comparison.elements;
      const RoleAndName said = AsRecorded(element);
      if (said == element.computed) {
        ++comparison.equal;
      } else {
        std::cout << fmt::format("{}: {}: {} '{}', in the tree {} '{}'\n", page, element.tag,
                                 element.computed.role, element.computed.name, said.role,
                                 said.name);
      }
    }
  }
}

std::vector<std::string> EverySecond(const std::vector<std::string>& all) {
  std::vector<std::string> some;
  for (size_t i = 0; i < all.size(); i += 2) some.push_back(all[i]);
  return some;
}

TEST(NamesTest, ThirdPartyPagesReadAsInTheAccessibilityTree) {
  const auto packages = fs::path(TOPODB_SOURCE_DIR) / "tests/web/node_modules";
  const auto admin = packages / "startbootstrap-sb-admin-2";
  const auto selenium = packages / "selenium-webdriver/lib/test/data";
  ASSERT_TRUE(fs::is_directory(admin) && fs::is_directory(selenium)) << "run ./dev test";
  const auto probe = NameProbe::Open();
  ASSERT_TRUE(probe) << probe.error().message;
  Comparison admin_pages, selenium_pages;
  ComparePages(admin, PagesIn(admin), **probe, admin_pages);
  ComparePages(selenium, EverySecond(PagesIn(selenium)), **probe, selenium_pages);
  const size_t elements = admin_pages.elements + selenium_pages.elements;
  const size_t equal = admin_pages.equal + selenium_pages.equal;
  const double share = static_cast<double>(equal) / static_cast<double>(elements);
  std::cout << fmt::format("accessibility tree: {} pages, {} of {} elements equal ({:.2f} %)\n",
                           admin_pages.pages + selenium_pages.pages, equal, elements, 100 * share);
  EXPECT_GE(admin_pages.pages, 10U);
  EXPECT_GE(selenium_pages.pages, 40U);
  EXPECT_GE(share, kLeastEqual);
}

}  // namespace
}  // namespace topodb::testing
