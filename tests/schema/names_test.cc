#include "schema/names.h"

#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace topodb {
namespace {

template <class Enum>
class NamesTest : public ::testing::Test {};

using Enums =
    ::testing::Types<EvidenceLevel, RunMode, RunStatus, AuthContext, IdScheme, LocatorStrategy,
                     ContextKind, NameSource, Lifecycle, ActionType, RiskLevel, RiskCategory,
                     EffectType, FailureReason, CompletionStatus, Verification, IdKind>;
TYPED_TEST_SUITE(NamesTest, Enums);

TYPED_TEST(NamesTest, EverySpellingReadsBackAndIsUnique) {
  std::set<std::string_view> seen;
  for (size_t number = 1; number <= EnumSize<TypeParam>(); ++number) {
    const auto value = static_cast<TypeParam>(number);
    const std::string_view text = ToString(value);
    SCOPED_TRACE(text);
    EXPECT_EQ(Parse<TypeParam>(text), value);
    EXPECT_TRUE(seen.insert(text).second);
  }
}

TYPED_TEST(NamesTest, RefusesOtherSpellings) {
  const auto first = static_cast<TypeParam>(1);
  const std::string good(ToString(first));
  std::string upper = good;
  upper[0] = static_cast<char>(upper[0] - 'a' + 'A');
  for (const std::string& text :
       std::vector<std::string>{"", " ", upper, good + " ", " " + good, good + std::string(1, '\0'),
                                good.substr(0, good.size() - 1), "invalid", "1"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(Parse<TypeParam>(text), std::nullopt);
  }
}

TYPED_TEST(NamesTest, ValuesOutsideTheEnumHaveNoSpelling) {
  EXPECT_EQ(ToString(static_cast<TypeParam>(0)), "invalid");
  EXPECT_EQ(ToString(static_cast<TypeParam>(EnumSize<TypeParam>() + 1)), "invalid");
}

// Spellings are part of the exported format, and values are on disk: both are pinned here.
template <class Enum>
std::vector<std::string_view> AllSpellings() {
  std::vector<std::string_view> all;
  for (size_t number = 1; number <= EnumSize<Enum>(); ++number) {
    all.push_back(ToString(static_cast<Enum>(number)));
  }
  return all;
}

TEST(NamesPinTest, SpellingsInOrderOfTheirValues) {
  using ::testing::ElementsAre;
  using ::testing::ElementsAreArray;
  EXPECT_THAT(AllSpellings<EvidenceLevel>(),
              ElementsAre("observed", "derived", "verified", "heuristic", "external"));
  EXPECT_THAT(AllSpellings<RunMode>(), ElementsAre("scan", "explore"));
  EXPECT_THAT(AllSpellings<RunStatus>(), ElementsAre("running", "complete", "partial", "failed"));
  EXPECT_THAT(AllSpellings<AuthContext>(), ElementsAre("anonymous", "storage_state", "attached"));
  EXPECT_THAT(AllSpellings<IdScheme>(), ElementsAre("topodb-1", "foreign"));
  EXPECT_THAT(AllSpellings<LocatorStrategy>(), ElementsAre("role", "label", "testId", "placeholder",
                                                           "text", "altText", "title", "css"));
  EXPECT_THAT(AllSpellings<ContextKind>(),
              ElementsAre("dialog", "form", "section", "row", "landmark", "listitem"));
  EXPECT_THAT(AllSpellings<NameSource>(),
              ElementsAre("browser", "accessibility-tree", "in-page", "imported"));
  EXPECT_THAT(AllSpellings<Lifecycle>(), ElementsAre("observed", "fingerprinted", "verified",
                                                     "stale", "deprecated", "conflicted"));
  EXPECT_THAT(AllSpellings<ActionType>(),
              ElementsAre("click", "fill", "select", "check", "press", "upload", "hover"));
  EXPECT_THAT(AllSpellings<RiskLevel>(), ElementsAre("low", "medium", "high"));
  EXPECT_THAT(AllSpellings<RiskCategory>(),
              ElementsAre("read_only", "navigation", "ui_reveal", "input_edit", "form_submit",
                          "data_mutation", "destructive", "auth_sensitive", "payment_sensitive",
                          "unknown"));
  EXPECT_THAT(AllSpellings<EffectType>(),
              ElementsAre("url", "dom", "visibleText", "inventory", "formState", "network",
                          "download", "dialog", "storage", "popup", "console", "focus"));
  EXPECT_THAT(AllSpellings<FailureReason>(),
              ElementsAreArray(
                  {"locator_not_found",    "locator_not_unique",    "element_hidden",
                   "element_disabled",     "element_obscured",      "state_precondition_missing",
                   "frame_inaccessible",   "shadow_root_closed",    "navigation_timeout",
                   "network_error",        "permission_denied",     "auth_required",
                   "captcha_or_challenge", "risk_policy_blocked",   "effect_not_observed",
                   "unexpected_state",     "completion_unverified", "page_crashed",
                   "page_unresponsive",    "page_too_large",        "browser_gone",
                   "dialog_blocked",       "out_of_scope"}));
  EXPECT_THAT(AllSpellings<CompletionStatus>(),
              ElementsAre("complete", "deferred", "timeout", "conversation-mismatch",
                          "target-mismatch", "page-crashed"));
  EXPECT_THAT(AllSpellings<Verification>(), ElementsAre("verified", "positional", "unverifiable"));
  EXPECT_THAT(AllSpellings<IdKind>(), ElementsAre("testId", "id", "name", "href"));
}

}  // namespace
}  // namespace topodb
