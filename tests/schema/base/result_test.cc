#include "schema/base/result.h"

#include <memory>
#include <string>
#include <type_traits>

#include <gtest/gtest.h>

namespace topodb {
namespace {

Error NotFound() { return Error{ErrorCode::kNotFound, "no such run", "topodb runs"}; }

Result<int> Parse(const std::string& text) {
  if (text.empty()) return Error{ErrorCode::kInvalidArgument, "empty", {}};
  return static_cast<int>(text.size());
}

Result<std::unique_ptr<int>> Box(const std::string& text) {
  TOPODB_TRY(const int value, Parse(text));
  return std::make_unique<int>(value);
}

// Moves out of the result, twice in one scope, over a type that cannot be copied.
Result<int> Sum(const std::string& first, const std::string& second) {
  TOPODB_TRY(const auto a, Box(first));
  TOPODB_TRY(auto b, Box(second));
  *b += *a;
  return *b;
}

Status Check(const std::string& text) {
  TOPODB_TRY_VOID(Parse(text));
  return {};
}

Status CheckBoth(const std::string& first, const std::string& second) {
  if (first != second) TOPODB_TRY_VOID(Check(first));
  TOPODB_TRY_VOID(Check(second));
  return {};
}

TEST(ResultTest, HoldsAValueOrAnError) {
  const Result<int> good = 7;
  ASSERT_TRUE(good);
  EXPECT_EQ(*good, 7);
  const Result<int> bad = NotFound();
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error(), NotFound());
}

TEST(ResultTest, StatusIsSuccessByDefault) {
  const Status good{};
  EXPECT_TRUE(good);
  const Status bad = NotFound();
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().hint, "topodb runs");
}

TEST(ResultTest, TryTakesTheValueOrReturnsTheError) {
  EXPECT_EQ(*Sum("ab", "c"), 3);
  for (const auto& [first, second] : {std::pair<std::string, std::string>{"", "c"}, {"a", ""}}) {
    const auto failed = Sum(first, second);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(failed.error().message, "empty");
  }
}

TEST(ResultTest, TryVoidGoesOnOrReturnsTheError) {
  EXPECT_TRUE(CheckBoth("a", "b"));
  EXPECT_TRUE(CheckBoth("a", "a"));
  EXPECT_FALSE(CheckBoth("", "b"));
  EXPECT_FALSE(CheckBoth("a", ""));
}

TEST(ErrorTest, WithPutsContextInFrontAndKeepsTheRest) {
  const Error error = NotFound().With("in state_1").With("while replaying");
  EXPECT_EQ(error.message, "while replaying: in state_1: no such run");
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
  EXPECT_EQ(error.hint, "topodb runs");
}

// Printed in JSON errors, hence stable.
TEST(ErrorTest, NamesOfCodes) {
  constexpr std::pair<ErrorCode, std::string_view> kNames[] = {
      {ErrorCode::kInvalidArgument, "invalid_argument"},
      {ErrorCode::kNotFound, "not_found"},
      {ErrorCode::kAmbiguous, "ambiguous"},
      {ErrorCode::kCorruption, "corruption"},
      {ErrorCode::kUnsupportedFormat, "unsupported_format"},
      {ErrorCode::kIo, "io"},
      {ErrorCode::kLocked, "locked"},
      {ErrorCode::kTimeout, "timeout"},
      {ErrorCode::kCancelled, "cancelled"},
      {ErrorCode::kProtocol, "protocol"},
      {ErrorCode::kNavigation, "navigation"},
      {ErrorCode::kTargetCrashed, "target_crashed"},
      {ErrorCode::kBrowserGone, "browser_gone"},
      {ErrorCode::kBrowserMissing, "browser_missing"},
      {ErrorCode::kElementNotFound, "element_not_found"},
      {ErrorCode::kElementNotActionable, "element_not_actionable"},
      {ErrorCode::kRefusedByPolicy, "refused_by_policy"},
  };
  for (const auto& [code, name] : kNames) EXPECT_EQ(ToString(code), name);
}

}  // namespace
}  // namespace topodb
