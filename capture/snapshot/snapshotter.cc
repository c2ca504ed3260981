#include "capture/snapshot/snapshotter.h"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <simdjson.h>

#include "capture/cdp/json.h"
#include "capture/guard/redact.h"
#include "capture/guard/url.h"
#include "schema/names.h"

namespace topodb::capture {
namespace {

namespace dom = simdjson::dom;

constexpr uint32_t kMaxElements = 200'000;
constexpr uint32_t kMaxName = 4'096;
constexpr uint32_t kMaxText = 16'384;

// Members of an answer. snapshot.js leaves out empty ones, so an absent one reads as empty.
std::string_view View(const dom::element& object, std::string_view key) {
  std::string_view text;
  if (object[key].get(text) != simdjson::SUCCESS) return {};
  return text;
}
std::string Text(const dom::element& object, std::string_view key) {
  return RedactText(View(object, key));
}
std::optional<std::string> OptionalText(const dom::element& object, std::string_view key) {
  std::string_view text;
  if (object[key].get(text) != simdjson::SUCCESS) return std::nullopt;
  return RedactText(text);
}
std::optional<std::string> OptionalUrl(const dom::element& object, std::string_view key) {
  std::string_view text;
  if (object[key].get(text) != simdjson::SUCCESS) return std::nullopt;
  return RedactUrl(text);
}
bool Flag(const dom::element& object, std::string_view key) {
  bool value = false;
  if (object[key].get(value) != simdjson::SUCCESS) return false;
  return value;
}
std::optional<bool> OptionalFlag(const dom::element& object, std::string_view key) {
  bool value = false;
  if (object[key].get(value) != simdjson::SUCCESS) return std::nullopt;
  return value;
}
uint32_t Number(const dom::element& object, std::string_view key) {
  double value = 0;
  if (object[key].get(value) != simdjson::SUCCESS || value < 0) return 0;
  return static_cast<uint32_t>(value);
}
std::optional<int64_t> OptionalNumber(const dom::element& object, std::string_view key) {
  double value = 0;
  if (object[key].get(value) != simdjson::SUCCESS) return std::nullopt;
  return static_cast<int64_t>(value);
}
double Coordinate(const dom::element& object, std::string_view key) {
  double value = 0;
  if (object[key].get(value) != simdjson::SUCCESS) return 0;
  return value;
}
// A default-constructed dom::array must not be walked.
const dom::array& NoItems() {
  static dom::parser parser;
  static const dom::array none = parser.parse(std::string_view("[]")).get_array().value();
  return none;
}
dom::array Items(const dom::element& object, std::string_view key) {
  dom::array array;
  if (object[key].get(array) != simdjson::SUCCESS) return NoItems();
  return array;
}
std::string_view View(const dom::element& value) {
  std::string_view text;
  if (value.get(text) != simdjson::SUCCESS) return {};
  return text;
}
std::vector<std::string> Texts(const dom::element& object, std::string_view key) {
  std::vector<std::string> texts;
  for (const dom::element item : Items(object, key)) texts.emplace_back(RedactText(View(item)));
  return texts;
}

bool IsUrlAttribute(std::string_view name) {
  return name == "href" || name == "formaction" || name == "action" || name == "src";
}

std::vector<NameValue> Pairs(const dom::element& object, std::string_view key) {
  std::vector<NameValue> pairs;
  for (const dom::element item : Items(object, key)) {
    const std::string_view name = View(item.at(0));
    const std::string_view value = View(item.at(1));
    pairs.emplace_back(name, IsUrlAttribute(name) ? RedactUrl(value) : RedactText(value));
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

struct Offset {
  double x = 0, y = 0;
};

Rect Box(const dom::element& node, const Offset& offset) {
  double values[4] = {0, 0, 0, 0};
  size_t i = 0;
  for (const dom::element item : Items(node, "box")) {
    if (i < 4 && item.get(values[i]) != simdjson::SUCCESS) values[i] = 0;
    ++i;
  }
  return Rect{values[0] + offset.x, values[1] + offset.y, values[2], values[3]};
}

std::optional<ParameterSurface> Surface(const dom::element& node) {
  dom::element object;
  if (node["surface"].get(object) != simdjson::SUCCESS || object.is_null()) return std::nullopt;
  ParameterSurface surface;
  surface.name = OptionalText(object, "name");
  surface.input_type = Text(object, "inputType");
  surface.required = Flag(object, "required");
  surface.readonly = Flag(object, "readonly");
  surface.disabled = Flag(object, "disabled");
  surface.multiple = Flag(object, "multiple");
  surface.pattern = OptionalText(object, "pattern");
  surface.min = OptionalText(object, "min");
  surface.max = OptionalText(object, "max");
  surface.step = OptionalText(object, "step");
  surface.accept = OptionalText(object, "accept");
  surface.autocomplete = OptionalText(object, "autocomplete");
  surface.min_length = OptionalNumber(object, "minLength");
  surface.max_length = OptionalNumber(object, "maxLength");
  surface.form_method = OptionalText(object, "formMethod");
  surface.form_action = OptionalUrl(object, "formAction");
  surface.secret =
      Flag(object, "secret") || IsSecretField({.input_type = surface.input_type,
                                               .name = View(object, "name"),
                                               .id = View(object, "id"),
                                               .label = View(node, "label"),
                                               .autocomplete = View(object, "autocomplete")});
  for (const dom::element option : Items(object, "options")) {
    surface.options.push_back({.label = Text(option, "label"),
                               .value = Text(option, "value"),
                               .disabled = Flag(option, "disabled"),
                               .selected = !surface.secret && Flag(option, "selected")});
  }
  return surface;
}

RiskHints Hints(const dom::element& node) {
  RiskHints hints;
  dom::element object;
  if (node["hints"].get(object) != simdjson::SUCCESS) return hints;
  hints.effective_type = Text(object, "effectiveType");
  hints.in_form = Flag(object, "inForm");
  hints.form_method = Text(object, "formMethod");
  hints.form_action = RedactUrl(View(object, "formAction"));
  hints.download = Flag(object, "download");
  hints.rel = Text(object, "rel");
  hints.href = RedactUrl(View(object, "href"));
  hints.class_tokens = Texts(object, "classTokens");
  hints.icon_tokens = Texts(object, "iconTokens");
  hints.request_attributes = Pairs(object, "requests");
  hints.title = Text(object, "title");
  hints.description = Text(object, "description");
  hints.expanded_or_popup = Flag(object, "reveals");
  return hints;
}

void ReadContext(const dom::element& node, Element& element, LocatorCounts& counts) {
  for (const dom::element item : Items(node, "context")) {
    const auto kind = Parse<ContextKind>(View(item, "kind"));
    if (!kind) continue;
    element.context.push_back({.kind = *kind,
                               .role = Text(item, "role"),
                               .name = OptionalText(item, "name"),
                               .text = OptionalText(item, "text"),
                               .key = OptionalText(item, "key")});
    counts.role_in_context.push_back(Number(item, "inside"));
    counts.containers.push_back(Number(item, "same"));
  }
}

std::vector<IdValue> Ids(const dom::element& object) {
  static const std::map<std::string_view, IdKind> kKinds = {{"testId", IdKind::kTestId},
                                                            {"domId", IdKind::kDomId},
                                                            {"controlName", IdKind::kControlName},
                                                            {"href", IdKind::kHref}};
  std::vector<IdValue> ids;
  for (const dom::element item : Items(object, "ids")) {
    const auto kind = kKinds.find(View(item.at(0)));
    if (kind == kKinds.end()) continue;
    double count = 1;
    if (item.at(3).get(count) != simdjson::SUCCESS) count = 1;
    const std::string_view value = View(item.at(2));
    ids.push_back({.kind = kind->second,
                   .attribute = std::string(View(item.at(1))),
                   .value = kind->second == IdKind::kHref ? RedactUrl(value) : RedactText(value),
                   .count = static_cast<uint32_t>(count)});
  }
  return ids;
}

uint32_t CountOf(const std::vector<IdValue>& ids, IdKind kind) {
  for (const IdValue& id : ids) {
    if (id.kind == kind) return id.count;
  }
  return 0;
}

std::vector<AncestryStep> Ancestry(const dom::element& object) {
  std::vector<AncestryStep> steps;
  for (const dom::element item : Items(object, "ancestry")) {
    steps.push_back({.role = Text(item, "role"), .name = OptionalText(item, "name")});
  }
  return steps;
}

IdentityFacts Facts(const dom::element& node) {
  IdentityFacts facts;
  facts.ids = Ids(node);
  facts.ancestry = Ancestry(node);
  facts.row_key = OptionalText(node, "rowKey");
  facts.sibling = Number(node, "sibling");
  facts.region_order = Number(node, "regionOrder");
  facts.region = Text(node, "region");
  dom::element state;
  if (node["state"].get(state) == simdjson::SUCCESS) {
    facts.state = {.disabled = Flag(state, "disabled"),
                   .editable = Flag(state, "editable"),
                   .checked = OptionalFlag(state, "checked"),
                   .expanded = OptionalFlag(state, "expanded"),
                   .input_type = Text(state, "inputType")};
  }
  return facts;
}

LocatorCounts Counts(const dom::element& node, const std::vector<IdValue>& ids) {
  LocatorCounts counts;
  dom::element object;
  if (node["counts"].get(object) == simdjson::SUCCESS) {
    counts.role = Number(object, "role");
    counts.role_position = Number(object, "position");
    counts.label = Number(object, "label");
    counts.placeholder = Number(object, "placeholder");
    counts.text = Number(object, "text");
    counts.title = Number(object, "title");
    counts.alt = Number(object, "alt");
  }
  counts.test_id = CountOf(ids, IdKind::kTestId);
  counts.id = CountOf(ids, IdKind::kDomId);
  counts.name = CountOf(ids, IdKind::kControlName);
  return counts;
}

std::vector<std::string> Joined(const std::vector<std::string>& head, std::string_view tail) {
  std::vector<std::string> path = head;
  path.emplace_back(tail);
  return path;
}

// One frame's answer while it is being read.
struct FrameReader {
  const dom::element& answer;
  const NodeRef first;  // of this frame: its index and generation
  const std::vector<std::string>& path;
  const Offset& offset;

  SnapshotNode ReadNode(const dom::element& node, uint32_t index) const {
    SnapshotNode out;
    out.ref = {.frame = first.frame, .index = index, .generation = first.generation};
    Element& element = out.element;
    element.tag = Text(node, "tag");
    if (const auto role = View(node, "role"); !role.empty()) element.role = RedactText(role);
    if (const auto name = View(node, "name"); !name.empty())
      element.accessible_name = RedactText(name);
    element.text = OptionalText(node, "text");
    element.label = OptionalText(node, "label");
    element.placeholder = OptionalText(node, "placeholder");
    element.attributes = Pairs(node, "attributes");
    element.bbox = Box(node, offset);
    element.frame_path = path;
    element.shadow_path = Texts(node, "shadow");
    element.interactability = {.visible = true,
                               .enabled = Flag(node, "enabled"),
                               .editable = Flag(node, "editable"),
                               .receives_events = Flag(node, "receives"),
                               .blocker = Text(node, "blocker")};
    element.parameter_surface = Surface(node);
    element.truncated = Texts(node, "truncated");
    out.identity = Facts(node);
    out.counts = Counts(node, out.identity.ids);
    ReadContext(node, element, out.counts);
    out.hints = Hints(node);
    if (!Flag(node, "tested")) {
      element.evidence.push_back(
          {EvidenceLevel::kHeuristic, "hit-test", "outside the viewport, not hit-tested"});
    }
    return out;
  }

  SnapshotMark ReadMark(const dom::element& mark, uint32_t index) const {
    return {.ref = {.frame = first.frame, .index = index, .generation = first.generation},
            .role = Text(mark, "role"),
            .name = OptionalText(mark, "name"),
            .frame_path = path,
            .shadow_path = Texts(mark, "shadow"),
            .identity = Facts(mark)};
  }

  void ReadInto(PageSnapshot& page) const {
    uint32_t index = 0;
    const double focused = Coordinate(answer, "focused");
    for (const dom::element node : Items(answer, "nodes")) {
      if (focused >= 0 && static_cast<uint32_t>(focused) == index) {
        page.focused = static_cast<uint32_t>(page.nodes.size());
      }
      page.nodes.push_back(ReadNode(node, index++));
      if (Flag(node, "invalid")) {
        page.invalid.push_back(page.nodes.back().element.accessible_name.value_or(""));
      }
    }
    for (const dom::element mark : Items(answer, "marks")) {
      page.marks.push_back(ReadMark(mark, index++));
      if (Flag(mark, "modal")) {
        const SnapshotMark& read = page.marks.back();
        page.modal_stack.push_back(read.name.value_or(read.role));
      }
    }
    for (const std::string& what : Texts(answer, "truncated")) page.truncated.push_back(what);
  }
};

// Where a child frame stands in its parent.
struct Placement {
  std::string name = "iframe";
  Offset offset;
  bool visible = true;
};
Placement ReadPlacement(const dom::element& frame) {
  return {.name = Text(frame, "path"),
          .offset = {Coordinate(frame, "x"), Coordinate(frame, "y")},
          .visible = Flag(frame, "visible")};
}

// By number, when the parent and the browser agree on how many child frames there are; otherwise
// (frames in shadow trees) which is which is not known.
std::optional<Placement> PlaceByNumber(const dom::element& parent, uint32_t child,
                                       size_t children) {
  if (Number(parent, "windows") != children) return std::nullopt;
  for (const dom::element frame : Items(parent, "frames")) {
    int64_t index = -1;
    if (frame["index"].get(index) != simdjson::SUCCESS) continue;
    if (index == static_cast<int64_t>(child)) return ReadPlacement(frame);
  }
  return std::nullopt;
}

struct OpenFrame {
  dom::parser parser;
  dom::element answer;
  bool answered = false, hidden = false;
  std::vector<std::string> path;
  Offset offset;
};

Status Open(OpenFrame& frame, const FrameAnswer& answer) {
  if (answer.json.empty()) return Error{ErrorCode::kProtocol, answer.failure, ""};
  // The page hands over text, which the browser copies faster than an object.
  auto text = cdp::DecodeJsonString(answer.json);
  // Half characters come as escapes within the text, where the connection does not see them.
  if (text) cdp::ReplaceLoneSurrogates(*text);
  if (!text || frame.parser.parse(*text).get(frame.answer) != simdjson::SUCCESS) {
    return Error{ErrorCode::kProtocol, "the page's answer is no JSON", ""};
  }
  if (!Flag(frame.answer, "ok")) {
    return Error{ErrorCode::kProtocol,
                 fmt::format("looking at the page failed: {}", View(frame.answer, "reason")), ""};
  }
  frame.answered = true;
  return {};
}

std::optional<Placement> Place(const FrameAnswer& answer, const OpenFrame& parent,
                               const std::vector<FrameAnswer>& answers) {
  if (!answer.place_json.empty()) {
    dom::parser parser;
    dom::element place;
    if (parser.parse(answer.place_json).get(place) != simdjson::SUCCESS) return std::nullopt;
    return ReadPlacement(place);
  }
  if (!answer.child) return std::nullopt;
  const auto children =
      std::count_if(answers.begin(), answers.end(),
                    [&](const FrameAnswer& other) { return other.parent == answer.parent; });
  return PlaceByNumber(parent.answer, *answer.child, static_cast<size_t>(children));
}

void ReadPage(const dom::element& answer, const SnapshotContext& context, PageSnapshot& page) {
  const UrlEntry& entry = context.entry;
  const std::string_view url = View(answer, "url");
  page.generation = context.generation;
  page.url = RedactUrl(url);
  page.url_canonical_key = UrlCanonicalKey(page.url, entry);
  page.origin = OriginKey(url, entry);
  page.route = Route(page.url);
  page.title = Text(answer, "title");
  page.language = OptionalText(answer, "language");
  page.viewport = {Number(answer, "width"), Number(answer, "height")};
  page.http_status = context.http_status;
  page.dom_hash = Text(answer, "domHash");
  page.visible_text_hash = Text(answer, "textHash");
  page.form_state_hash = Text(answer, "formHash");
  page.template_hash = Text(answer, "template");
}

}  // namespace

std::string SnapshotExpression(uint64_t generation) {
  return fmt::format(
      "topodb.devtools={{role:getAccessibleRole,name:getAccessibleName}},"
      "JSON.stringify(topodb.snapshot({{generation:{},maxElements:{},maxName:{},maxText:{}}}))",
      generation, kMaxElements, kMaxName, kMaxText);
}

Result<PageSnapshot> AssembleSnapshot(const std::vector<FrameAnswer>& answers,
                                      const SnapshotContext& context) {
  PageSnapshot page;
  std::vector<OpenFrame> frames(answers.size());
  for (uint32_t i = 0; i < answers.size(); ++i) {
    const FrameAnswer& answer = answers[i];
    OpenFrame& frame = frames[i];
    std::optional<Placement> place = Placement{};
    if (answer.parent) {
      const OpenFrame& parent = frames[*answer.parent];
      place = parent.answered ? Place(answer, parent, answers) : std::nullopt;
      frame.hidden = parent.hidden || (place && !place->visible);
      const Placement stands = place.value_or(Placement{});
      frame.path = Joined(parent.path, stands.name);
      frame.offset = {parent.offset.x + stands.offset.x, parent.offset.y + stands.offset.y};
    }
    // A frame nobody sees holds nothing that could be acted on. It keeps its place in the list,
    // which NodeRef::frame counts.
    if (frame.hidden) {
      page.frames.push_back(
          {.path = frame.path, .url = RedactUrl(answer.url), .reason = "not visible"});
      continue;
    }
    const Status opened =
        place ? Open(frame, answer)
              : Status(Error{ErrorCode::kProtocol, "its place on the page is not known", ""});
    if (!opened && i == 0) return opened.error();
    const uint32_t closed_roots = opened ? Number(frame.answer, "unopened") : 0;
    page.closed_shadow_roots += closed_roots;
    page.frames.push_back({.path = frame.path,
                           .url = RedactUrl(answer.url),
                           .accessible = opened.has_value(),
                           .reason = opened ? "" : opened.error().message,
                           .placed = place.has_value(),
                           .closed_shadow_roots = closed_roots});
    if (!opened) continue;
    if (i == 0) ReadPage(frame.answer, context, page);
    const NodeRef first{.frame = i, .index = 0, .generation = context.generation};
    FrameReader{frame.answer, first, frame.path, frame.offset}.ReadInto(page);
  }
  return page;
}

}  // namespace topodb::capture
