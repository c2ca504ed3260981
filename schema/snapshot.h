#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "schema/model.h"

// What capture saw on a page at one moment, before interpretation: no ids, no clock, no run.
// Everything in it is already redacted and capped.
namespace topodb {

// A node of the page, valid until the page's document changes or the next snapshot is taken.
struct NodeRef {
  uint32_t frame = 0;       // index into PageSnapshot::frames
  uint32_t index = 0;       // handle in that frame
  uint64_t generation = 0;  // of the snapshot it came from; a stale one is refused
  bool operator==(const NodeRef&) const = default;
};

// What the risk policy looks at besides the element record itself.
struct RiskHints {
  std::string effective_type;  // the DOM property: "submit" for a bare <button> in a form
  bool in_form = false;
  std::string form_method, form_action;  // of the form it would submit, formaction applied
  bool download = false;
  std::string rel;
  std::string href;  // resolved and redacted; empty when none
  std::vector<std::string> class_tokens, icon_tokens;
  std::vector<NameValue> request_attributes;  // hx-delete, data-method, …
  std::string title, description;
  bool expanded_or_popup = false;  // aria-haspopup, aria-expanded, aria-controls, summary
  bool operator==(const RiskHints&) const = default;
};

// How often, over the element's whole scope (frame and shadow trees the locator engine pierces),
// each possible locator of an element matches now; 0 where the element has no such feature.
struct LocatorCounts {
  uint32_t role = 0, label = 0, test_id = 0, placeholder = 0, text = 0, alt = 0, title = 0, id = 0,
           name = 0;
  // By context kind (same order as Element::context): matches of role+name inside that container,
  // and how many containers of that kind share its role and key.
  std::vector<uint32_t> role_in_context, containers;
  uint32_t role_position = 0;  // 0-based among the role+name matches, document order
  bool operator==(const LocatorCounts&) const = default;
};

// Everything that the identity record needs beyond the element (schema/identity).
struct IdentityFacts {
  std::vector<IdValue> ids;            // with counts over the scope; not yet demoted
  std::vector<AncestryStep> ancestry;  // leaf to root, semantic ancestors only, not yet bounded
  std::optional<std::string> row_key;  // without the target's own name
  uint32_t sibling = 0, region_order = 0;
  std::string region;
  TargetControlState state;
  bool operator==(const IdentityFacts&) const = default;
};

struct SnapshotNode {
  NodeRef ref;
  Element element;  // ids, state and locators not yet assigned
  RiskHints hints;
  LocatorCounts counts;
  IdentityFacts identity;
  bool operator==(const SnapshotNode&) const = default;
};

// A node that is not acted on but identifies a state: heading, dialog, landmark, alert, status.
struct SnapshotMark {
  NodeRef ref;
  std::string role;
  std::optional<std::string> name;  // accessible name, or the text of status and alert nodes
  std::vector<std::string> frame_path, shadow_path;
  IdentityFacts identity;
  bool operator==(const SnapshotMark&) const = default;
};

struct SnapshotFrame {
  std::vector<std::string> path;  // empty for the main frame
  std::string url;                // redacted
  bool accessible = true;
  std::string reason;  // why not
  bool placed = true;  // false: where it stands on the page is not known, so it was not entered
  uint32_t closed_shadow_roots = 0;  // that could not be entered
  bool operator==(const SnapshotFrame&) const = default;
};

struct PageSnapshot {
  uint64_t generation = 0;
  std::string url;                // redacted
  std::string url_canonical_key;  // with the entry's origin as "@entry"
  std::string origin;             // "@entry" for the entry's own origin
  std::string route, title;
  std::optional<std::string> language;
  Viewport viewport;
  std::optional<uint32_t> http_status;
  std::vector<std::string> modal_stack;                      // outermost first
  std::vector<SnapshotFrame> frames;                         // [0] is the main frame
  std::vector<SnapshotNode> nodes;                           // actionable, document order
  std::vector<SnapshotMark> marks;                           // document order
  std::string dom_hash, visible_text_hash, form_state_hash;  // hex, exact
  std::string template_hash;         // hex: tag and role structure, repeated siblings collapsed
  std::vector<std::string> invalid;  // accessible names of aria-invalid or :user-invalid controls
  std::optional<uint32_t> focused;   // index into nodes
  std::vector<std::string> truncated;
  uint32_t closed_shadow_roots = 0;  // that could not be entered, in all frames
  bool operator==(const PageSnapshot&) const = default;
};

}  // namespace topodb
