#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "schema/snapshot.h"

// A page of orders, as capture would see it, for tests of what identity is made of.
namespace topodb {

inline SnapshotNode Control(std::string role, std::string name, std::string tag = "button") {
  SnapshotNode node;
  node.element.tag = std::move(tag);
  node.element.role = std::move(role);
  if (!name.empty()) node.element.accessible_name = std::move(name);
  node.element.interactability = {true, true, false, true, ""};
  node.element.bbox = {10, 10, 80, 20};
  return node;
}

inline void SetAttribute(Element& element, const std::string& name, const std::string& value) {
  auto& attributes = element.attributes;
  std::erase_if(attributes, [&](const NameValue& pair) { return pair.first == name; });
  attributes.emplace_back(name, value);
  std::sort(attributes.begin(), attributes.end());
}

inline SnapshotNode Link(std::string name, const std::string& href) {
  SnapshotNode node = Control("link", std::move(name), "a");
  SetAttribute(node.element, "href", href);
  return node;
}

inline SnapshotNode In(SnapshotNode node, ContextAnchor anchor) {
  node.element.context.push_back(std::move(anchor));
  return node;
}

inline ContextAnchor Row(std::string key) {
  return {ContextKind::kRow, "row", std::nullopt, key + " 12.50 EUR Edit", std::move(key)};
}

inline SnapshotMark Mark(std::string role, std::string name) {
  SnapshotMark mark;
  mark.role = std::move(role);
  mark.name = std::move(name);
  return mark;
}

// Nodes: 0 Docs, 1 Inbox, 2 tab Open, 3 tab Closed, 4 Edit in Acme Co, 5 Edit in Beta Co,
// 6 search field.
inline PageSnapshot OrdersPage() {
  PageSnapshot page;
  page.url = "http://shop.test:8080/orders?session=REDACTED";
  page.url_canonical_key = "@entry/orders";
  page.origin = "@entry";
  page.route = "/orders";
  page.title = "Orders";
  page.language = "en";
  page.http_status = 200;
  page.frames = {{{}, page.url, true, ""}};
  const ContextAnchor navigation{ContextKind::kLandmark, "navigation", "Main", std::nullopt,
                                 std::nullopt};
  page.nodes = {In(Link("Docs", "/docs"), navigation),
                In(Link("Inbox (3)", "/inbox?t=9f86d081884c7d65"), navigation),
                Control("tab", "Open"),
                Control("tab", "Closed"),
                In(Control("button", "Edit"), Row("Acme Co")),
                In(Control("button", "Edit"), Row("Beta Co")),
                Control("searchbox", "Search orders", "input")};
  SetAttribute(page.nodes[2].element, "aria-selected", "true");
  SetAttribute(page.nodes[3].element, "aria-selected", "false");
  page.nodes[6].element.parameter_surface.emplace().input_type = "search";
  page.marks = {Mark("heading", "Orders"), Mark("heading", "2 open orders"),
                Mark("status", "Updated 10:59:59")};
  page.dom_hash = "d0";
  page.visible_text_hash = "v0";
  page.form_state_hash = "f0";
  page.template_hash = "t0";
  return page;
}

}  // namespace topodb
