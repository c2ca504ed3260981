#include "tests/support/name_probe.h"

#include <string_view>
#include <utility>

#include <boost/json.hpp>

#include "capture/browser/clock.h"
#include "capture/cdp/protocol/accessibility.h"
#include "capture/cdp/protocol/dom.h"
#include "capture/cdp/protocol/page.h"
#include "capture/cdp/protocol/runtime.h"
#include "capture/cdp/protocol/target.h"

namespace topodb {
extern const std::string_view kSnapshotJs;  // embedded from capture/js
}  // namespace topodb

namespace topodb::testing {
namespace {

namespace cdp = capture::cdp;
namespace json = boost::json;

constexpr capture::Millis kTimeout{20'000};

// Pages that other people wrote must reach nobody.
constexpr std::string_view kLoopbackOnly =
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

constexpr std::string_view kLoaded =
    "new Promise((done) => document.readyState === 'complete' ? done(0) : "
    "addEventListener('load', () => done(0)))";

constexpr std::string_view kDevTools =
    "\ntopodb.devtools = { role: getAccessibleRole, name: getAccessibleName }; 0";

constexpr std::string_view kElements = R"js((() => {
  const out = [];
  const walk = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let el = root instanceof Element ? root : walker.nextNode(); el; el = walker.nextNode()) {
      const { role, name } = topodb.lib.computed(el);
      out.push({ tag: el.localName, role, name: name.toWellFormed(),
                 expected: el.getAttribute('data-expectedlabel'), title: el.getAttribute('data-testname') });
      if (el.shadowRoot instanceof ShadowRoot) walk(el.shadowRoot);
    }
  };
  walk(document.documentElement);
  return JSON.stringify(out);
})())js";

std::optional<std::string> TextOf(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return std::nullopt;
  return json::value_to<std::string>(*value);
}

// Backend nodes of all elements, in the order in which the script walks them.
void ListElements(const json::object& node, std::vector<int64_t>& out) {
  constexpr int64_t kElement = 1, kDocument = 9, kFragment = 11;
  const int64_t type = node.at("nodeType").to_number<int64_t>();
  if (type == kElement) out.push_back(node.at("backendNodeId").to_number<int64_t>());
  if (type != kElement && type != kDocument && type != kFragment) return;
  if (const json::value* roots = node.if_contains("shadowRoots")) {
    for (const json::value& root : roots->as_array()) {
      if (root.at("shadowRootType") == "open") ListElements(root.as_object(), out);
    }
  }
  if (const json::value* children = node.if_contains("children")) {
    for (const json::value& child : children->as_array()) ListElements(child.as_object(), out);
  }
}

// Documents are deeper than Boost.JSON expects.
json::value ParseDeep(const std::string& text) {
  json::parse_options options;
  options.max_depth = 4'096;
  return json::parse(text, {}, options);
}

std::string ValueText(const json::object& node, std::string_view key) {
  const json::value* holder = node.if_contains(key);
  return holder == nullptr ? std::string() : TextOf(holder->as_object(), "value").value_or("");
}

std::string Trimmed(const std::string& text) {
  constexpr std::string_view kWhiteSpace = "\t\n\f\r ";
  const size_t first = text.find_first_not_of(kWhiteSpace);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(kWhiteSpace) - first + 1);
}

}  // namespace

NameProbe::~NameProbe() {
  if (session_) session_->SetEventHandler({});
}

Result<std::unique_ptr<NameProbe>> NameProbe::Open(NameSource source) {
  std::unique_ptr<NameProbe> probe(new NameProbe());
  std::vector<std::string> arguments{std::string(kLoopbackOnly)};
  if (source == NameSource::kDevTools) {
    arguments.emplace_back("--disable-blink-features=ComputedAccessibilityInfo");
  }
  TOPODB_TRY(probe->browser_, capture::Browser::Launch({.extra_arguments = std::move(arguments)}));
  cdp::Session& root = probe->browser_->connection().root();
  TOPODB_TRY(const auto context, root.Call(cdp::target::CreateBrowserContext{}, kTimeout));
  TOPODB_TRY(const auto created,
             root.Call(cdp::target::CreateTarget{.browser_context_id = context.browser_context_id,
                                                 .width = 1280,
                                                 .height = 720},
                       kTimeout));
  TOPODB_TRY(const auto attached,
             root.Call(cdp::target::AttachToTarget{.target_id = created.target_id}, kTimeout));
  probe->frame_id_ = created.target_id;
  probe->session_ = probe->browser_->connection().OpenSession(attached.session_id);
  cdp::Session& session = *probe->session_;
  session.SetEventHandler([&session](std::string_view method, std::string_view) {
    if (method != cdp::page::JavascriptDialogOpening::kMethod) return;
    session.Post(cdp::page::HandleJavaScriptDialog{.accept = false});
  });
  TOPODB_TRY_VOID(session.Call(cdp::page::Enable{}, kTimeout));
  TOPODB_TRY_VOID(session.Call(cdp::accessibility::Enable{}, kTimeout));
  return probe;
}

Result<std::string> NameProbe::Ask(int64_t world, const std::string& expression) {
  TOPODB_TRY(const auto reply,
             session_->Call(cdp::runtime::Evaluate{.expression = expression,
                                                   .context_id = world,
                                                   .return_by_value = true,
                                                   .await_promise = true,
                                                   .include_command_line_api = true},
                            kTimeout));
  if (reply.exception) return Error{ErrorCode::kProtocol, reply.exception->description, {}};
  return reply.result.value_json;
}

Result<std::map<int64_t, RoleAndName>> NameProbe::Tree() {
  TOPODB_TRY(const auto reply, session_->Call(cdp::accessibility::GetFullAxTree{}, kTimeout));
  std::map<int64_t, RoleAndName> tree;
  const json::value nodes = json::parse(reply.nodes_json);
  for (const json::value& item : nodes.as_array()) {
    const json::object& node = item.as_object();
    const json::value* backend = node.if_contains("backendDOMNodeId");
    if (backend == nullptr || node.at("ignored").as_bool()) continue;
    tree.emplace(backend->to_number<int64_t>(),
                 RoleAndName{ValueText(node, "role"), Trimmed(ValueText(node, "name"))});
  }
  return tree;
}

Result<std::vector<ProbedElement>> NameProbe::Look(const std::string& url) {
  TOPODB_TRY(const auto opened, session_->Call(cdp::page::Navigate{.url = url}, kTimeout));
  if (!opened.error_text.empty()) return Error{ErrorCode::kNavigation, opened.error_text, {}};
  TOPODB_TRY(const auto world, session_->Call(cdp::page::CreateIsolatedWorld{.frame_id = frame_id_,
                                                                             .world_name = "probe"},
                                              kTimeout));
  const int64_t context = world.execution_context_id;
  TOPODB_TRY_VOID(Ask(context, std::string(kLoaded)));
  // Without a context of the document every computed name would build its tree anew.
  TOPODB_TRY_VOID(session_->Call(cdp::accessibility::GetRootAxNode{}, kTimeout));
  TOPODB_TRY_VOID(Ask(context, std::string(kSnapshotJs) + std::string(kDevTools)));
  TOPODB_TRY(const std::string answer, Ask(context, std::string(kElements)));
  TOPODB_TRY(const auto tree, Tree());
  TOPODB_TRY(const auto document,
             session_->Call(cdp::dom::GetDocument{.depth = -1, .pierce = true}, kTimeout));
  std::vector<int64_t> backends;
  ListElements(ParseDeep(document.root_json).as_object(), backends);
  const json::value items = json::parse(json::value_to<std::string>(json::parse(answer)));
  if (items.as_array().size() != backends.size()) {
    return Error{ErrorCode::kProtocol, "the page changed while it was looked at", {}};
  }
  std::vector<ProbedElement> elements;
  for (size_t i = 0; i < backends.size(); ++i) {
    const json::object& item = items.at(i).as_object();
    const auto in_tree = tree.find(backends[i]);
    elements.push_back(
        {.tag = *TextOf(item, "tag"),
         .computed = {*TextOf(item, "role"), *TextOf(item, "name")},
         .in_tree = in_tree == tree.end() ? std::nullopt : std::optional(in_tree->second),
         .expected = TextOf(item, "expected"),
         .title = TextOf(item, "title")});
  }
  return elements;
}

}  // namespace topodb::testing
