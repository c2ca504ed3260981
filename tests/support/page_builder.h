#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/snapshot.h"

// Page snapshots for tests, from short descriptions. Everything that the page itself would count
// (ids, roles and names, positions) is counted here, so that a changed page stays consistent.
namespace topodb::testing {

struct NodeSpec {
  std::string role = "button";
  std::string name = {};
  std::string tag = "button";
  std::string test_id = {}, dom_id = {}, control_name = {}, href = {};  // empty: none
  std::string label = {}, placeholder = {}, text = {};                  // empty: none
  std::vector<AncestryStep> ancestry = {};                              // leaf to root
  std::string row_key = {};                                             // empty: not in a row
  std::vector<std::string> frame_path = {}, shadow_path = {};
  bool visible = true, enabled = true;
  RiskHints hints = {};
};

struct MarkSpec {
  std::string role = "heading";
  std::string name = {};
  std::string dom_id = {};  // empty: none
  std::vector<AncestryStep> ancestry = {};
};

struct PageSpec {
  std::string path = "/";
  std::vector<NodeSpec> nodes = {};
  std::vector<MarkSpec> marks = {};
  std::vector<std::string> modal_stack = {};
  std::vector<std::vector<std::string>> frames = {};  // paths of those below the main one
};

PageSnapshot BuildPage(const PageSpec& spec);

}  // namespace topodb::testing
