#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "schema/identity/build_identity.h"
#include "schema/identity/classify.h"
#include "tests/support/page_builder.h"

// Pages before and after a change, and what the classifier has to make of them.
namespace topodb::classify_testing {

using topodb::testing::BuildPage;
using topodb::testing::NodeSpec;
using topodb::testing::PageSpec;

inline NodeSpec Button(std::string name, std::string test_id = "") {
  NodeSpec spec;
  spec.name = std::move(name);
  spec.test_id = std::move(test_id);
  return spec;
}

inline NodeSpec InRow(std::string name, std::string row_key, std::string dom_id = "") {
  NodeSpec spec = Button(std::move(name));
  spec.row_key = std::move(row_key);
  spec.dom_id = std::move(dom_id);
  spec.ancestry = {{"row", std::nullopt}, {"table", "Customers"}};
  return spec;
}

inline NodeSpec Link(std::string name, std::string href) {
  NodeSpec spec;
  spec.role = "link";
  spec.tag = "a";
  spec.name = std::move(name);
  spec.href = std::move(href);
  return spec;
}

// One mutation of a page between recording and replay. `matches`: what the recorded locator finds
// on the mutated page.
struct Case {
  const char* what;
  PageSpec before;
  size_t target;
  PageSpec after;
  std::vector<size_t> matches;
  BindingPath path;
  BindingKind kind;
  const char* cause;
  std::optional<size_t> winner;
  ActionClass action = ActionClass::kMutation;
};

inline PageSpec Of(std::vector<NodeSpec> nodes) { return {.nodes = std::move(nodes)}; }

inline void Expect(const Case& c) {
  SCOPED_TRACE(c.what);
  const PageSnapshot before = BuildPage(c.before);
  const PageSnapshot after = BuildPage(c.after);
  const TargetIdentity recorded = BuildTargetIdentity(before, before.nodes[c.target]);
  const Classification outcome = Classify(recorded, after, c.matches, c.action);
  EXPECT_EQ(outcome.path, c.path);
  EXPECT_EQ(ToString(outcome.kind), ToString(c.kind));
  EXPECT_EQ(outcome.cause, c.cause);
  EXPECT_EQ(outcome.winner, c.winner);
  const bool acts = c.kind == BindingKind::kVerified || c.kind == BindingKind::kPositional;
  EXPECT_EQ(outcome.may_act(), acts);
}

inline constexpr auto kNone = std::nullopt;

}  // namespace topodb::classify_testing
