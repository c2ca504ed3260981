// Everything that capture/cdp/protocol names is known to the running browser, in name, type and
// value; and what the browser may answer is understood. A renamed or dropped field fails here, not
// in the middle of a capture.

#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include "capture/browser/launcher.h"
#include "capture/cdp/protocol/accessibility.h"
#include "capture/cdp/protocol/browser.h"
#include "capture/cdp/protocol/dom.h"
#include "capture/cdp/protocol/dom_storage.h"
#include "capture/cdp/protocol/emulation.h"
#include "capture/cdp/protocol/fetch.h"
#include "capture/cdp/protocol/input.h"
#include "capture/cdp/protocol/network.h"
#include "capture/cdp/protocol/page.h"
#include "capture/cdp/protocol/performance.h"
#include "capture/cdp/protocol/runtime.h"
#include "capture/cdp/protocol/storage.h"
#include "capture/cdp/protocol/target.h"
#include "tests/support/protocol_description.h"

namespace topodb::capture::cdp {
namespace {

using ::topodb::testing::ProtocolDescription;

class ProtocolConformanceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    auto browser = Browser::Launch({});
    ASSERT_TRUE(browser) << browser.error().message;
    const auto& url = (*browser)->websocket_url();
    std::smatch port;
    ASSERT_TRUE(std::regex_search(url, port, std::regex(R"(:(\d+)/)")));
    protocol_ = ProtocolDescription::Fetch(port[1].str());
  }

  void CheckBrowser();
  void CheckTarget();
  void CheckPageCommands();
  void CheckPageEvents();
  void CheckRuntime();
  void CheckDomAndAccessibility();
  void CheckInput();
  void CheckNetworkAndFetch();
  void CheckEmulationAndStorage();

  // The parameters, every one of them given, are what the browser takes.
  template <Command T>
  void Sends(const T& filled) {
    SCOPED_TRACE(T::kMethod);
    checked_.insert(std::string(T::kMethod));
    for (const auto& problem :
         protocol_->CheckParams(T::kMethod, boost::json::parse(filled.Params()))) {
      ADD_FAILURE() << problem;
    }
  }

  // And a reply with every field filled is read as `want`.
  template <Command T>
  void Answers(const T& filled, const typename T::Reply& want) {
    Sends(filled);
    SCOPED_TRACE(T::kMethod);
    const auto reply = T::ParseReply(protocol_->SampleReply(T::kMethod));
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_TRUE(want == *reply) << protocol_->SampleReply(T::kMethod);
  }

  template <Event T>
  void Tells(const T& want) {
    SCOPED_TRACE(T::kMethod);
    checked_.insert(std::string(T::kMethod));
    ASSERT_TRUE(protocol_->HasEvent(T::kMethod));
    const auto event = T::Parse(protocol_->SampleEvent(T::kMethod));
    ASSERT_TRUE(event) << event.error().message;
    EXPECT_TRUE(want == *event) << protocol_->SampleEvent(T::kMethod);
  }

  std::string Json(std::string_view type) const { return protocol_->SampleType(type); }

  const std::set<std::string>& checked() const { return checked_; }

  // Every command and event that the headers declare.
  static std::set<std::string> DeclaredMethods() {
    std::set<std::string> methods;
    const std::regex declaration(R"(kMethod =\s+"([A-Za-z.]+)\")");
    const std::filesystem::path folder(TOPODB_SOURCE_DIR "/capture/cdp/protocol");
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::stringstream text;
      text << std::ifstream(entry.path()).rdbuf();
      const auto source = text.str();
      for (std::sregex_iterator match(source.begin(), source.end(), declaration), end; match != end;
           ++match) {
        methods.insert((*match)[1]);
      }
    }
    return methods;
  }

 private:
  std::optional<ProtocolDescription> protocol_;
  std::set<std::string> checked_;
};

void ProtocolConformanceTest::CheckBrowser() {
  Answers(browser::GetVersion{},
          {.product = "x", .user_agent = "x", .revision = "x", .js_version = "x"});
  Sends(browser::Close{});
  Sends(browser::GrantPermissions{.permissions = {"geolocation"}, .browser_context_id = "c"});
  Sends(browser::SetDownloadBehavior{.behavior = "deny",
                                     .browser_context_id = "c",
                                     .download_path = "/tmp",
                                     .events_enabled = true});
  Tells(browser::DownloadWillBegin{
      .frame_id = "x", .guid = "x", .url = "x", .suggested_filename = "x"});
}

void ProtocolConformanceTest::CheckTarget() {
  const target::TargetInfo info{.target_id = "x",
                                .type = "x",
                                .title = "x",
                                .url = "x",
                                .attached = true,
                                .opener_id = "x",
                                .opener_frame_id = "x",
                                .parent_frame_id = "x",
                                .browser_context_id = "x",
                                .subtype = "x"};
  const std::vector<target::FilterEntry> filter = {{.type = "browser_ui", .exclude = true}, {}};
  Answers(target::CreateTarget{.browser_context_id = "c",
                               .width = 800,
                               .height = 600,
                               .new_window = true,
                               .background = true},
          {.target_id = "x"});
  Sends(target::CloseTarget{.target_id = "t"});
  Answers(target::CreateBrowserContext{.dispose_on_detach = true}, {.browser_context_id = "x"});
  Sends(target::DisposeBrowserContext{.browser_context_id = "c"});
  Answers(target::AttachToTarget{.target_id = "t"}, {.session_id = "x"});
  Sends(target::DetachFromTarget{.session_id = "s"});
  Sends(target::SetAutoAttach{.filter = filter});
  Sends(target::SetDiscoverTargets{.filter = filter});
  Tells(target::AttachedToTarget{
      .session_id = "x", .target_info = info, .waiting_for_debugger = true});
  Tells(target::DetachedFromTarget{.session_id = "x"});
  Tells(target::TargetCreated{.target_info = info});
  Tells(target::TargetInfoChanged{.target_info = info});
  Tells(target::TargetDestroyed{.target_id = "x"});
  Tells(target::TargetCrashed{.target_id = "x", .status = "x", .error_code = 1});
}

void ProtocolConformanceTest::CheckPageCommands() {
  const page::Frame frame{.id = "x",
                          .parent_id = "x",
                          .loader_id = "x",
                          .name = "x",
                          .url = "x",
                          .url_fragment = "x",
                          .security_origin = "x",
                          .mime_type = "x",
                          .unreachable_url = "x"};
  Sends(page::Enable{});
  Answers(page::Navigate{.url = "u", .referrer = "r", .frame_id = "f"},
          {.frame_id = "x", .loader_id = "x", .error_text = "x", .is_download = true});
  Answers(
      page::AddScriptToEvaluateOnNewDocument{
          .source = "1", .world_name = "w", .run_immediately = true},
      {.identifier = "x"});
  Sends(page::RemoveScriptToEvaluateOnNewDocument{.identifier = "1"});
  Answers(page::GetFrameTree{},
          {.frame_tree = {.frame = frame, .children = {{.frame = frame, .children = {}}}}});
  Sends(page::HandleJavaScriptDialog{.accept = true, .prompt_text = "p"});
  Sends(page::SetInterceptFileChooserDialog{.enabled = true, .cancel = true});
  Sends(page::Crash{});
  Answers(page::CreateIsolatedWorld{.frame_id = "f", .world_name = "w"},
          {.execution_context_id = 1});
  Sends(page::StopLoading{});
  Sends(page::BringToFront{});
  Tells(page::FrameNavigated{.frame = frame, .type = "Navigation"});
}

void ProtocolConformanceTest::CheckPageEvents() {
  Tells(page::NavigatedWithinDocument{.frame_id = "x", .url = "x", .navigation_type = "fragment"});
  Tells(page::FrameAttached{.frame_id = "x", .parent_frame_id = "x"});
  Tells(page::FrameDetached{.frame_id = "x", .reason = "remove"});
  Tells(page::JavascriptDialogOpening{
      .url = "x", .frame_id = "x", .message = "x", .type = "alert", .default_prompt = "x"});
  Tells(page::FileChooserOpened{.frame_id = "x", .mode = "selectSingle", .backend_node_id = 1});
  Tells(page::WindowOpen{.url = "x", .window_name = "x", .user_gesture = true});
}

void ProtocolConformanceTest::CheckRuntime() {
  Sends(performance::GetMetrics{});
  const runtime::RemoteObject object{.type = "object",
                                     .subtype = "array",
                                     .object_id = "x",
                                     .description = "x",
                                     .unserializable_value = "x",
                                     .value_json = "\"x\""};
  const runtime::ExceptionDetails exception{
      .text = "x", .description = "x", .url = "x", .line_number = 1, .column_number = 1};
  const runtime::EvaluateReply reply{.result = object, .exception = exception};
  Sends(runtime::Enable{});
  Sends(runtime::Disable{});
  Answers(runtime::Evaluate{.expression = "1",
                            .unique_context_id = "u",
                            .context_id = 1,
                            .return_by_value = true,
                            .await_promise = true,
                            .user_gesture = true,
                            .timeout_ms = 1,
                            .object_group = "g"},
          reply);
  Answers(runtime::CallFunctionOn{.function_declaration = "f",
                                  .object_id = "o",
                                  .execution_context_id = 1,
                                  .unique_context_id = "u",
                                  .arguments = {{.value_json = "[1]"}, {.object_id = "o"}},
                                  .return_by_value = true,
                                  .await_promise = true,
                                  .user_gesture = true,
                                  .object_group = "g"},
          reply);
  Sends(runtime::ReleaseObjectGroup{.object_group = "g"});
  Sends(runtime::TerminateExecution{});
  Sends(runtime::RunIfWaitingForDebugger{});
  Sends(runtime::AddBinding{.name = "b", .execution_context_name = "w"});
  // What is inside auxData is for the embedder to say: the description is silent about it.
  Tells(runtime::ExecutionContextCreated{
      .id = 1, .unique_id = "x", .origin = "x", .name = "x", .frame_id = "", .type = ""});
  Tells(runtime::ExecutionContextDestroyed{.unique_id = "x"});
  Tells(runtime::ExecutionContextsCleared{});
  Tells(runtime::ConsoleApiCalled{.type = "log", .text = "x"});
  Tells(runtime::ExceptionThrown{.exception = exception});
  Tells(runtime::BindingCalled{.name = "x", .payload = "x", .execution_context_id = 1});
}

void ProtocolConformanceTest::CheckDomAndAccessibility() {
  Answers(dom::GetDocument{.depth = -1, .pierce = true}, {.root_json = Json("DOM.Node")});
  Answers(dom::ResolveNode{.backend_node_id = 1, .execution_context_id = 1, .object_group = "g"},
          {.object = {.type = "object",
                      .subtype = "array",
                      .object_id = "x",
                      .description = "x",
                      .unserializable_value = "x",
                      .value_json = "\"x\""}});
  Answers(dom::DescribeNode{.object_id = "o", .backend_node_id = 1, .depth = 1, .pierce = true},
          {.backend_node_id = 1,
           .node_name = "x",
           .frame_id = "x",
           .shadow_roots = {{.backend_node_id = 1, .type = "user-agent"}},
           .node_json = Json("DOM.Node")});
  Sends(dom::SetFileInputFiles{.files = {"/f"}, .object_id = "o"});
  Answers(dom::GetFrameOwner{.frame_id = "f"}, {.backend_node_id = 1});
  const auto ax_node = Json("Accessibility.AXNode");
  Sends(accessibility::Enable{});
  Answers(accessibility::GetRootAxNode{.frame_id = "f"}, {.node_json = ax_node});
  Answers(accessibility::GetFullAxTree{.frame_id = "f"}, {.nodes_json = "[" + ax_node + "]"});
  Answers(
      accessibility::GetPartialAxTree{
          .backend_node_id = 1, .object_id = "o", .fetch_relatives = true},
      {.nodes_json = "[" + ax_node + "]"});
}

void ProtocolConformanceTest::CheckInput() {
  for (const auto* type : {"mousePressed", "mouseReleased", "mouseMoved", "mouseWheel"}) {
    for (const auto* button : {"none", "left", "middle", "right"}) {
      Sends(input::DispatchMouseEvent{.type = type,
                                      .x = 1.5,
                                      .y = 2,
                                      .modifiers = input::kShift,
                                      .button = button,
                                      .buttons = 1,
                                      .click_count = 1,
                                      .delta_x = 0.5,
                                      .delta_y = -100});
    }
  }
  for (const auto* type : {"keyDown", "keyUp", "rawKeyDown", "char"}) {
    Sends(input::DispatchKeyEvent{.type = type,
                                  .key = "a",
                                  .code = "KeyA",
                                  .modifiers = input::kCtrl,
                                  .text = "a",
                                  .windows_virtual_key_code = 65});
  }
  Sends(input::InsertText{.text = "t"});
}

void ProtocolConformanceTest::CheckNetworkAndFetch() {
  const network::Request request{.url = "x",
                                 .url_fragment = "x",
                                 .method = "x",
                                 .headers_json = "{}",
                                 .post_data = "x",
                                 .has_post_data = true};
  const network::Response response{
      .url = "x", .status = 1, .mime_type = "x", .headers_json = "{}", .from_service_worker = true};
  Sends(network::Enable{.max_post_data_size = 1, .max_total_buffer_size = 1});
  Sends(network::SetUserAgentOverride{
      .user_agent = "u", .accept_language = "de", .platform = "Linux"});
  Sends(network::SetExtraHttpHeaders{.headers = {{"A", "b"}}});
  Sends(network::EmulateNetworkConditionsByRule{.online_url_patterns = {"ws://a/*"},
                                                .offline_url_patterns = {"ws://*:*"}});
  Tells(network::RequestWillBeSent{.request_id = "x",
                                   .loader_id = "x",
                                   .document_url = "x",
                                   .request = request,
                                   .type = "Document",
                                   .frame_id = "x",
                                   .initiator_type = "parser",
                                   .redirect_response = response});
  Tells(network::ResponseReceived{.request_id = "x",
                                  .loader_id = "x",
                                  .type = "Document",
                                  .frame_id = "x",
                                  .response = response});
  Tells(network::LoadingFinished{.request_id = "x"});
  Tells(network::LoadingFailed{.request_id = "x",
                               .type = "Document",
                               .error_text = "x",
                               .blocked_reason = "other",
                               .canceled = true});
  Tells(network::WebSocketCreated{.request_id = "x", .url = "x"});
  Tells(network::WebTransportCreated{.transport_id = "x", .url = "x"});
  Tells(network::WebSocketFrameReceived{.request_id = "x"});
  Tells(network::WebSocketClosed{.request_id = "x"});
  Tells(network::EventSourceMessageReceived{.request_id = "x"});

  Sends(fetch::Enable{
      .patterns = {{.url_pattern = "*", .resource_type = "Fetch", .request_stage = "Response"}},
      .handle_auth_requests = true});
  Sends(fetch::ContinueRequest{.request_id = "r", .headers = {{{"A", "b"}}}});
  Sends(fetch::FailRequest{.request_id = "r"});
  Sends(fetch::GetResponseBody{.request_id = "r"});
  Sends(fetch::FulfillRequest{.request_id = "r", .headers = {{"A", "b"}}, .body_base64 = "YQ=="});
  for (const auto* answer : {"Default", "CancelAuth", "ProvideCredentials"}) {
    Sends(fetch::ContinueWithAuth{
        .request_id = "r", .response = answer, .username = "u", .password = "p"});
  }
  Tells(fetch::RequestPaused{.request_id = "x",
                             .request = request,
                             .frame_id = "x",
                             .resource_type = "Document",
                             .network_id = "x",
                             .redirected_request_id = "x",
                             .response_status_code = 1,
                             .response_headers = {{"x", "x"}}});
  Tells(fetch::AuthRequired{.request_id = "x",
                            .request = request,
                            .source = "Server",
                            .origin = "x",
                            .scheme = "x",
                            .realm = "x"});
}

void ProtocolConformanceTest::CheckEmulationAndStorage() {
  for (const auto* policy : {"advance", "pause", "pauseIfNetworkFetchesPending"}) {
    Answers(emulation::SetVirtualTimePolicy{.policy = policy,
                                            .budget_ms = 50,
                                            .max_task_starvation_count = 1000,
                                            .initial_time_s = 1.5},
            {.ticks_base = 1.5});
  }
  Sends(emulation::SetDeviceMetricsOverride{
      .width = 1, .height = 1, .device_scale_factor = 1, .mobile = true});
  Sends(emulation::SetLocaleOverride{.locale = "de_DE"});
  Sends(emulation::SetUserAgentOverride{.user_agent = "x"});
  Sends(emulation::SetTimezoneOverride{.timezone_id = "UTC"});
  Sends(emulation::SetEmulatedMedia{.media = "screen",
                                    .features = {{"prefers-reduced-motion", "reduce"}}});
  Sends(emulation::SetFocusEmulationEnabled{});
  Tells(emulation::VirtualTimeBudgetExpired{});

  const storage::Cookie cookie{.name = "x",
                               .value = "x",
                               .domain = "x",
                               .path = "x",
                               .expires = 1.5,
                               .http_only = true,
                               .secure = true,
                               .same_site = "Strict",
                               .partition_key_json = Json("Network.CookiePartitionKey")};
  Answers(storage::GetCookies{.browser_context_id = "c"}, {.cookies = {cookie}});
  Sends(storage::SetCookies{.cookies = {cookie}, .browser_context_id = "c"});
  Sends(storage::ClearCookies{.browser_context_id = "c"});
  Sends(storage::ClearDataForOrigin{.origin = "http://127.0.0.1"});
  Sends(dom_storage::Enable{});
  Tells(dom_storage::ItemAdded{.is_local = true, .key = "x"});
  Tells(dom_storage::ItemUpdated{.is_local = true, .key = "x"});
  Tells(dom_storage::ItemRemoved{.is_local = true, .key = "x"});
  Tells(dom_storage::ItemsCleared{.is_local = true});
}

TEST_F(ProtocolConformanceTest, TheBrowserKnowsEverythingThatIsNamed) {
  CheckBrowser();
  CheckTarget();
  CheckPageCommands();
  CheckPageEvents();
  CheckRuntime();
  CheckDomAndAccessibility();
  CheckInput();
  CheckNetworkAndFetch();
  CheckEmulationAndStorage();
  EXPECT_EQ(DeclaredMethods(), checked());
}

}  // namespace
}  // namespace topodb::capture::cdp
