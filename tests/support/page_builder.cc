#include "tests/support/page_builder.h"

#include <algorithm>
#include <utility>

#include "schema/base/hash.h"
#include "schema/base/ids.h"

namespace topodb::testing {
namespace {

std::optional<std::string> Optional(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

void AddId(SnapshotNode& node, IdKind kind, std::string attribute, const std::string& value) {
  if (value.empty()) return;
  if (kind == IdKind::kTestId) node.element.attributes.emplace_back(attribute, value);
  if (kind == IdKind::kDomId) node.element.attributes.emplace_back("id", value);
  if (kind == IdKind::kControlName) node.element.attributes.emplace_back("name", value);
  node.identity.ids.push_back({kind, std::move(attribute), value, 1});
}

SnapshotNode BuildNode(const NodeSpec& spec, uint32_t index) {
  SnapshotNode node;
  node.ref = {.frame = 0, .index = index, .generation = 1};
  Element& element = node.element;
  element.tag = spec.tag;
  element.role = Optional(spec.role);
  element.accessible_name = Optional(spec.name);
  element.text = Optional(spec.text);
  element.label = Optional(spec.label);
  element.placeholder = Optional(spec.placeholder);
  element.frame_path = spec.frame_path;
  element.shadow_path = spec.shadow_path;
  element.interactability = {.visible = spec.visible,
                             .enabled = spec.enabled,
                             .editable = false,
                             .receives_events = spec.visible && spec.enabled,
                             .blocker = ""};
  AddId(node, IdKind::kTestId, "data-testid", spec.test_id);
  AddId(node, IdKind::kDomId, "", spec.dom_id);
  AddId(node, IdKind::kControlName, "", spec.control_name);
  AddId(node, IdKind::kHref, "", spec.href);
  node.identity.ancestry = spec.ancestry;
  node.identity.row_key = Optional(spec.row_key);
  node.identity.state.disabled = !spec.enabled;
  if (!spec.row_key.empty()) {
    element.context.push_back({.kind = ContextKind::kRow,
                               .role = "row",
                               .name = std::nullopt,
                               .text = spec.row_key,
                               .key = spec.row_key});
  }
  node.hints = spec.hints;
  return node;
}

bool SameFrame(const SnapshotNode& a, const SnapshotNode& b) {
  return a.element.frame_path == b.element.frame_path;
}

bool SameRoleAndName(const SnapshotNode& a, const SnapshotNode& b) {
  return SameFrame(a, b) && a.element.role == b.element.role &&
         a.element.accessible_name == b.element.accessible_name;
}

template <class Predicate>
uint32_t Count(const std::vector<SnapshotNode>& nodes, Predicate&& predicate) {
  return static_cast<uint32_t>(std::count_if(nodes.begin(), nodes.end(), predicate));
}

bool Carries(const SnapshotNode& node, const IdValue& wanted) {
  return std::any_of(node.identity.ids.begin(), node.identity.ids.end(), [&](const IdValue& id) {
    return id.kind == wanted.kind && id.attribute == wanted.attribute && id.value == wanted.value;
  });
}

void CountLocators(const std::vector<SnapshotNode>& nodes, size_t self, SnapshotNode& node) {
  const auto same = [&](const std::optional<std::string> Element::*field) {
    if (!(node.element.*field)) return 0U;
    return Count(nodes, [&](const SnapshotNode& other) {
      return SameFrame(node, other) && other.element.*field == node.element.*field;
    });
  };
  LocatorCounts& counts = node.counts;
  counts.role = Count(nodes, [&](const SnapshotNode& other) {
    return SameRoleAndName(node, other) && other.element.interactability.visible;
  });
  counts.label = same(&Element::label);
  counts.placeholder = same(&Element::placeholder);
  counts.text = same(&Element::text);
  for (const auto& anchor : node.element.context) {
    const auto inside = [&](const SnapshotNode& other) {
      return std::find(other.element.context.begin(), other.element.context.end(), anchor) !=
             other.element.context.end();
    };
    counts.role_in_context.push_back(Count(nodes, [&](const SnapshotNode& other) {
      return inside(other) && SameRoleAndName(node, other);
    }));
    counts.containers.push_back(1);
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    const SnapshotNode& other = nodes[i];
    if (i >= self) break;
    if (SameRoleAndName(node, other)) ++counts.role_position;
    if (!SameFrame(node, other)) continue;
    ++node.identity.region_order;
    const bool parent_and_role = other.identity.ancestry == node.identity.ancestry &&
                                 other.element.role == node.element.role;
    if (parent_and_role) ++node.identity.sibling;
  }
}

SnapshotMark BuildMark(const MarkSpec& spec, uint32_t index) {
  SnapshotMark mark;
  mark.ref = {.frame = 0, .index = index, .generation = 1};
  mark.role = spec.role;
  mark.name = Optional(spec.name);
  if (!spec.dom_id.empty()) mark.identity.ids.push_back({IdKind::kDomId, "", spec.dom_id, 1});
  mark.identity.ancestry = spec.ancestry;
  return mark;
}

}  // namespace

PageSnapshot BuildPage(const PageSpec& spec) {
  PageSnapshot page;
  page.generation = 1;
  page.url = "https://shop.test" + spec.path;
  page.origin = "@entry";
  page.url_canonical_key = "@entry" + spec.path;
  page.route = spec.path;
  page.modal_stack = spec.modal_stack;
  page.frames.push_back({.path = {}, .url = page.url, .accessible = true, .reason = ""});
  for (const auto& frame : spec.frames) {
    page.frames.push_back({.path = frame, .url = page.url, .accessible = true, .reason = ""});
  }
  std::string all;
  for (const auto& node : spec.nodes) {
    page.nodes.push_back(BuildNode(node, static_cast<uint32_t>(page.nodes.size())));
    all += node.role + "\n" + node.name + "\n";
  }
  for (const auto& mark : spec.marks) {
    page.marks.push_back(
        BuildMark(mark, static_cast<uint32_t>(page.nodes.size() + page.marks.size())));
    all += mark.role + "\n" + mark.name + "\n";
  }
  const std::vector<SnapshotNode> uncounted = page.nodes;
  for (size_t i = 0; i < page.nodes.size(); ++i) {
    CountLocators(uncounted, i, page.nodes[i]);
    for (auto& id : page.nodes[i].identity.ids) {
      id.count = Count(uncounted, [&](const SnapshotNode& other) {
        return SameFrame(page.nodes[i], other) && Carries(other, id);
      });
    }
  }
  page.visible_text_hash = ToHex(HashBytes(all));
  page.dom_hash = ToHex(HashBytes("dom\n" + all));
  page.template_hash = ToHex(HashBytes("template\n" + all));
  return page;
}

}  // namespace topodb::testing
