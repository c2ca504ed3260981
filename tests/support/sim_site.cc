#include "tests/support/sim_site.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "schema/base/hash.h"

namespace topodb::testing {

using capture::ActionOutcome;
using capture::ActionReport;
using capture::ActionRequest;
using capture::LoadReport;
using capture::PageEvents;
using capture::RequestSeen;

namespace {

constexpr std::array<std::string_view, 6> kMoods = {"calm",  "merry",  "quiet",
                                                    "brisk", "gentle", "lively"};

std::string PathOf(std::string_view url) {
  url.remove_prefix(SimSite::kOrigin.size());
  return std::string(url.substr(0, url.find('#')));
}

RequestSeen Get(const std::string& url, uint32_t status) {
  return {.method = "GET",
          .url = url,
          .resource_type = "Document",
          .status = status,
          .blocked = false,
          .blocked_by = {}};
}

RequestSeen BlockedPost(const std::string& url) {
  return {.method = "POST",
          .url = url,
          .resource_type = "Fetch",
          .status = std::nullopt,
          .blocked = true,
          .blocked_by = "guard"};
}

SettleReport QuietSettle() {
  SettleReport settle;
  settle.settled = true;
  settle.clock = "virtual";
  settle.tier = "quick";
  return settle;
}

std::string HexHash(const Canonical& canonical) { return ToHex(canonical.Hash()); }

bool SameRoleAndName(const SimWidget& a, const SimWidget& b) {
  return a.role == b.role && a.name == b.name;
}

}  // namespace

SimWidget SimLink(std::string name, std::string href) {
  SimWidget link;
  link.role = "link";
  link.tag = "a";
  link.name = std::move(name);
  link.act = {.kind = SimAct::Kind::kGoTo, .argument = href};
  link.href = std::move(href);
  return link;
}

SimWidget SimButton(std::string name, SimAct act) {
  SimWidget button;
  button.name = std::move(name);
  button.act = std::move(act);
  return button;
}

SimWidget SimInput(std::string name, std::string input_type) {
  SimWidget input;
  input.role = "textbox";
  input.tag = "input";
  input.name = std::move(name);
  input.input_type = std::move(input_type);
  return input;
}

const SimPage& SimSite::page() const {
  static const SimPage kElsewhere{.title = "Elsewhere"};
  const auto it = InScope(url_) ? pages_.find(PathOf(url_)) : pages_.end();
  return it == pages_.end() ? kElsewhere : it->second;
}

// ---- verbs -------------------------------------------------------------------------------------

Error SimSite::Fail(ErrorCode code) {
  if (code == ErrorCode::kTargetCrashed || code == ErrorCode::kBrowserGone) lost_ = code;
  return Error{code, fmt::format("simulated: {}", ToString(code)), ""};
}

Status SimSite::Begin() {
  if (++calls_ == fail_call_) return Fail(fail_code_);
  if (lost_) return Fail(*lost_);
  return {};
}

Status SimSite::Reset() {
  if (lost_ && !(*lost_ == ErrorCode::kBrowserGone && stays_dead_)) lost_.reset();
  TOPODB_TRY_VOID(Begin());
  url_.clear();
  stored_ = false;
  ++generation_;
  return {};
}

Status SimSite::Open(const std::string& url, PageEvents& events) {
  opened_.push_back(url);
  ++loads_;
  ++generation_;
  url_ = url;
  dialog_.clear();
  status_line_.clear();
  flags_.clear();
  entered_.clear();
  focused_.reset();
  events.requests.push_back(Get(url, page().http_status));
  if (page().polling) events.requests.push_back(BlockedPost(Url("/poll")));
  if (page().broken) return Fail(*page().broken);
  return {};
}

Result<LoadReport> SimSite::Navigate(const std::string& url) {
  TOPODB_TRY_VOID(Begin());
  if (stored_) ++leaks_;
  LoadReport report;
  TOPODB_TRY_VOID(Open(url, report.events));
  report.http_status = page().http_status;
  report.settle = QuietSettle();
  return report;
}

Result<ActionReport> SimSite::Perform(const NodeRef& node, const ActionRequest& action) {
  TOPODB_TRY_VOID(Begin());
  ActionReport report;
  report.settle = QuietSettle();
  const auto shown = Visible();
  if (node.generation != generation_ || node.index >= shown.size()) {
    report.outcome = ActionOutcome::kStale;
    return report;
  }
  const Shown& target = shown[node.index];
  const SimWidget& widget = *target.widget;
  report.outcome = widget.outcome;
  if (widget.disabled) report.outcome = ActionOutcome::kDisabled;
  if (widget.hidden) report.outcome = ActionOutcome::kNotVisible;
  if (!widget.covered_by.empty() || target.dialog != dialog_) {
    report.outcome = ActionOutcome::kObscured;
    report.detail = widget.covered_by;
  }
  if (report.outcome != ActionOutcome::kDispatched) return report;
  acted_.push_back(widget.name);
  focused_ = node.index;
  TOPODB_TRY_VOID(Act(widget, action, report.events));
  return report;
}

Status SimSite::Act(const SimWidget& widget, const ActionRequest& action, PageEvents& events) {
  if (action.type != ActionType::kClick) entered_[widget.name] = action.value;
  const std::string& argument = widget.act.argument;
  switch (widget.act.kind) {
    case SimAct::Kind::kNothing:
      return {};
    case SimAct::Kind::kGoTo:
      return Open(argument.starts_with("/") ? Url(argument) : argument, events);
    case SimAct::Kind::kOpenDialog:
      dialog_ = argument, focused_.reset();
      return {};
    case SimAct::Kind::kCloseDialog:
      dialog_.clear(), focused_.reset();
      return {};
    case SimAct::Kind::kSetFlag:
      flags_.insert(argument);
      return {};
    case SimAct::Kind::kSay:
      status_line_ = argument;
      return {};
    case SimAct::Kind::kSend:
      events.requests.push_back(BlockedPost(Url(argument)));
      return {};
    case SimAct::Kind::kAlert:
      events.dialogs.push_back({.kind = "alert", .text = argument, .answer = "dismissed"});
      return {};
    case SimAct::Kind::kPopup:
      events.popups.push_back(argument);
      return {};
    case SimAct::Kind::kDownload:
      events.downloads.push_back(Url(argument));
      return {};
    case SimAct::Kind::kStore:
      stored_ = true;
      events.storage_touched.push_back({.area = "localStorage", .key = argument});
      return {};
    case SimAct::Kind::kCrashTab:
      return Fail(ErrorCode::kTargetCrashed);
    case SimAct::Kind::kHang:
      return Fail(ErrorCode::kTimeout);
    case SimAct::Kind::kKillBrowser:
      return Fail(ErrorCode::kBrowserGone);
  }
  return {};
}

// ---- snapshots ---------------------------------------------------------------------------------

std::vector<SimSite::Shown> SimSite::Visible() const {
  std::vector<Shown> shown;
  const auto add = [&](const std::vector<SimWidget>& widgets, const std::string& dialog) {
    uint32_t sibling = 0;
    for (const SimWidget& widget : widgets) {
      if (!widget.only_with.empty() && !flags_.contains(widget.only_with)) continue;
      if (!widget.gone_with.empty() && flags_.contains(widget.gone_with)) continue;
      shown.push_back({.widget = &widget, .dialog = dialog, .sibling = sibling++});
    }
  };
  add(page().widgets, "");
  const auto dialog = page().dialogs.find(dialog_);
  if (!dialog_.empty() && dialog != page().dialogs.end()) add(dialog->second, dialog_);
  return shown;
}

SnapshotNode SimSite::MakeNode(const std::vector<Shown>& shown, size_t index) const {
  const SimWidget& widget = *shown[index].widget;
  SnapshotNode node;
  node.ref = {.frame = 0, .index = static_cast<uint32_t>(index), .generation = generation_};
  Element& element = node.element;
  element.tag = widget.tag;
  element.role = widget.role;
  element.accessible_name = widget.name;
  element.text = widget.name;
  element.bbox = {.x = 10, .y = 20.0 * static_cast<double>(index), .width = 80, .height = 18};
  const bool behind_dialog = shown[index].dialog != dialog_;
  element.interactability = {.visible = !widget.hidden,
                             .enabled = !widget.disabled,
                             .editable = !widget.input_type.empty(),
                             .receives_events = widget.covered_by.empty() && !behind_dialog,
                             .blocker = behind_dialog ? dialog_ : widget.covered_by};
  element.evidence = {{EvidenceLevel::kObserved, "simulation", "declared"}};
  if (!widget.input_type.empty()) {
    element.parameter_surface.emplace();
    element.parameter_surface->name = widget.name;
    element.parameter_surface->input_type = widget.input_type;
    element.parameter_surface->secret = widget.input_type == "password";
    element.attributes = {{"type", widget.input_type}};
  }
  if (!widget.href.empty()) {
    node.hints.href = widget.href.starts_with("/") ? Url(widget.href) : widget.href;
    node.identity.ids.push_back({IdKind::kHref, "href", widget.href, 1});
  }
  if (!widget.dom_id.empty()) {
    node.identity.ids.insert(node.identity.ids.begin(), {IdKind::kDomId, "id", widget.dom_id, 1});
  }
  node.hints.effective_type = widget.tag == "button" ? "button" : widget.input_type;
  node.hints.expanded_or_popup = widget.act.kind == SimAct::Kind::kOpenDialog;
  node.identity.state = {.disabled = widget.disabled,
                         .editable = !widget.input_type.empty(),
                         .checked = std::nullopt,
                         .expanded = std::nullopt,
                         .input_type = widget.input_type};
  node.identity.sibling = shown[index].sibling;
  node.identity.region_order = static_cast<uint32_t>(index);
  AddContext(node, shown, index);
  return node;
}

// Containers, and how often the widget's role and name occur in them and on the whole page.
void SimSite::AddContext(SnapshotNode& node, const std::vector<Shown>& shown, size_t index) const {
  const Shown& self = shown[index];
  const auto count = [&](const auto& matches) {
    return static_cast<uint32_t>(std::ranges::count_if(shown, [&](const Shown& other) {
      return !other.widget->hidden && SameRoleAndName(*other.widget, *self.widget) &&
             matches(other);
    }));
  };
  node.counts.role = count([](const Shown&) { return true; });
  node.counts.text = node.counts.role;
  node.counts.role_position = static_cast<uint32_t>(std::count_if(
      shown.begin(), shown.begin() + static_cast<std::ptrdiff_t>(index),
      [&](const Shown& other) { return SameRoleAndName(*other.widget, *self.widget); }));
  const auto contain = [&](ContextKind kind, std::string role, std::optional<std::string> name,
                           std::optional<std::string> key, uint32_t matches) {
    node.identity.ancestry.push_back({.role = role, .name = name});
    node.element.context.push_back({.kind = kind,
                                    .role = std::move(role),
                                    .name = std::move(name),
                                    .text = std::nullopt,
                                    .key = std::move(key)});
    node.counts.role_in_context.push_back(matches);
    node.counts.containers.push_back(1);
  };
  if (!self.widget->row.empty()) {
    node.identity.row_key = self.widget->row;
    contain(ContextKind::kRow, "row", std::nullopt, self.widget->row,
            count([&](const Shown& other) { return other.widget->row == self.widget->row; }));
  }
  const auto same_dialog = [&](const Shown& other) { return other.dialog == self.dialog; };
  if (!self.dialog.empty()) {
    contain(ContextKind::kDialog, "dialog", self.dialog, std::nullopt, count(same_dialog));
  } else {
    contain(ContextKind::kLandmark, "main", std::nullopt, std::nullopt, count(same_dialog));
  }
  std::ranges::sort(node.element.context, {}, &ContextAnchor::kind);
}

void SimSite::HoldStill() {
  for (auto& [path, page] : pages_) page.ticking = false;
}

void SimSite::AddMarks(PageSnapshot& snapshot) const {
  const auto add = [&](std::string role, std::string name) {
    snapshot.marks.push_back({.ref = {.frame = 0,
                                      .index = static_cast<uint32_t>(1000 + snapshot.marks.size()),
                                      .generation = generation_},
                              .role = std::move(role),
                              .name = std::move(name),
                              .frame_path = {},
                              .shadow_path = {},
                              .identity = {}});
  };
  for (const std::string& heading : page().headings) add("heading", heading);
  if (page().ticking) {
    add("heading", fmt::format("The mood is {}", kMoods[loads_ % kMoods.size()]));
  }
  if (!status_line_.empty()) add("status", status_line_);
  if (!dialog_.empty()) add("dialog", dialog_);
}

void SimSite::AddHashes(PageSnapshot& snapshot) const {
  Canonical dom("dom"), text("text"), form("form"), shape("shape");
  std::string last;
  const auto add_shape = [&](const std::string& role) {
    if (role != last) shape.Add(role);
    last = role;
  };
  for (const SnapshotMark& mark : snapshot.marks) {
    dom.Add(mark.role).Add(*mark.name);
    text.Add(*mark.name);
    add_shape(mark.role);
  }
  for (const SnapshotNode& node : snapshot.nodes) {
    const Element& element = node.element;
    dom.Add(*element.role).Add(*element.accessible_name);
    if (element.interactability.visible) text.Add(*element.accessible_name);
    add_shape(*element.role);
  }
  for (const auto& [name, value] : entered_) form.Add(name).Add(value);
  snapshot.dom_hash = HexHash(dom);
  snapshot.visible_text_hash = HexHash(text);
  snapshot.form_state_hash = HexHash(form);
  snapshot.template_hash = HexHash(shape);
}

Result<PageSnapshot> SimSite::Snapshot() {
  TOPODB_TRY_VOID(Begin());
  PageSnapshot snapshot;
  snapshot.generation = ++generation_;
  snapshot.url = url_;
  const bool here = InScope(url_);
  snapshot.origin = here ? "@entry" : url_.substr(0, url_.find('/', 8));
  snapshot.url_canonical_key = here ? "@entry" + PathOf(url_) : url_;
  snapshot.route = here ? PathOf(url_) : url_;
  snapshot.title = page().title;
  snapshot.language = "en";
  snapshot.http_status = page().http_status;
  if (!dialog_.empty()) snapshot.modal_stack = {fmt::format("dialog \"{}\"", dialog_)};
  snapshot.frames = {{.path = {}, .url = url_, .accessible = true, .reason = {}}};
  snapshot.frames.insert(snapshot.frames.end(), page().frames.begin(), page().frames.end());
  snapshot.closed_shadow_roots = page().closed_shadow_roots;
  const auto shown = Visible();
  for (size_t i = 0; i < shown.size(); ++i) snapshot.nodes.push_back(MakeNode(shown, i));
  if (focused_ && *focused_ < shown.size()) snapshot.focused = static_cast<uint32_t>(*focused_);
  AddMarks(snapshot);
  AddHashes(snapshot);
  return snapshot;
}

}  // namespace topodb::testing
