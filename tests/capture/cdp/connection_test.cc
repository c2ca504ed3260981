#include "capture/cdp/connection.h"

#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/cdp/protocol/emulation.h"
#include "capture/cdp/protocol/fetch.h"
#include "capture/cdp/protocol/page.h"
#include "capture/cdp/protocol/runtime.h"
#include "capture/cdp/protocol/target.h"
#include "tests/support/fake_transport.h"

namespace topodb::capture::cdp {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::topodb::testing::FakeTransport;
using ::topodb::testing::Playback;
using ::topodb::testing::Transcript;

constexpr Millis kSoon{20};        // for replies that never come
constexpr Millis kEnough{30'000};  // for those that do: a hang, not a race, is what fails

// A connection that plays a transcript, and what became of it.
struct Conversation {
  explicit Conversation(const Transcript& transcript, size_t close_at = FakeTransport::kNever,
                        ConnectionOptions options = {}) {
    auto transport = std::make_unique<FakeTransport>(transcript, close_at);
    playback = transport->playback();
    connection = std::make_unique<Connection>(std::move(transport), std::move(options));
  }
  explicit Conversation(const std::string& lines) : Conversation(Transcript::Parse(lines)) {}

  std::shared_ptr<Playback> playback;
  std::unique_ptr<Connection> connection;
};

// Fulfilled, with the reason, when `session` closes.
std::future<Error> WhenClosed(Session& session) {
  auto promise = std::make_shared<std::promise<Error>>();
  session.SetCloseHandler([promise](const Error& why) { promise->set_value(why); });
  return promise->get_future();
}

// Drives the conversation of attach_and_navigate.jsonl; stops at the first error.
Status AttachAndNavigate(Connection& connection) {
  Session& root = connection.root();
  TOPODB_TRY(const auto created, root.Call(target::CreateTarget{}, kEnough));
  TOPODB_TRY(const auto attached,
             root.Call(target::AttachToTarget{.target_id = created.target_id}, kEnough));
  const auto page = connection.OpenSession(attached.session_id);
  auto closed = WhenClosed(*page);
  auto enabled = page->Start(page::Enable{});
  auto navigated = page->Start(page::Navigate{.url = "http://127.0.0.1/"});
  TOPODB_TRY_VOID(enabled.Await(kEnough));
  TOPODB_TRY(const auto navigation, navigated.Await(kEnough));
  EXPECT_EQ("L1", navigation.loader_id);
  TOPODB_TRY_VOID(root.Call(target::CloseTarget{.target_id = created.target_id}, kEnough));
  const Error why = closed.get();
  if (why.code != ErrorCode::kTargetCrashed) return why;
  return {};
}

Transcript AttachAndNavigateTranscript() {
  return Transcript::Load(TOPODB_SOURCE_DIR "/tests/transcripts/attach_and_navigate.jsonl");
}

TEST(ConnectionTest, PlaysAWholeConversation) {
  Conversation conversation(AttachAndNavigateTranscript());
  const Status status = AttachAndNavigate(*conversation.connection);
  EXPECT_TRUE(status) << status.error().message;
  EXPECT_EQ("", conversation.playback->problem());
  EXPECT_TRUE(conversation.playback->finished());
}

TEST(ConnectionTest, AConnectionThatBreaksAnywhereFailsWhatWaitsAndWhatComes) {
  const auto transcript = AttachAndNavigateTranscript();
  for (size_t line = 1; line <= transcript.lines.size(); ++line) {
    SCOPED_TRACE(line);
    Conversation conversation(transcript, line);
    const Status status = AttachAndNavigate(*conversation.connection);
    ASSERT_FALSE(status);
    EXPECT_EQ(ErrorCode::kBrowserGone, status.error().code) << status.error().message;
    EXPECT_EQ("", conversation.playback->problem());
    const auto later = conversation.connection->root().CallRaw("Browser.getVersion", "{}", kEnough);
    ASSERT_FALSE(later);
    EXPECT_EQ(ErrorCode::kBrowserGone, later.error().code);
  }
}

TEST(ConnectionTest, RepliesMayComeInAnyOrder) {
  Conversation conversation(R"(
    {"send": {"id": 1, "method": "A.a", "params": {}}}
    {"send": {"id": 2, "method": "B.b", "params": {}}}
    {"send": {"id": 3, "method": "C.c", "params": {}}}
    {"receive": {"id": 3, "result": {"n": 3}}}
    {"receive": {"id": 1, "result": {"n": 1}}}
    {"receive": {"id": 2, "result": {"n": 2}}})");
  Session& root = conversation.connection->root();
  auto a = root.StartRaw("A.a", "{}");
  auto b = root.StartRaw("B.b", "{}");
  auto c = root.StartRaw("C.c", "{}");
  EXPECT_EQ(R"({"n":1})", a.Await(kEnough).value_or("none"));
  EXPECT_TRUE(c.Ready());
  EXPECT_EQ(R"({"n":2})", b.Await(kEnough).value_or("none"));
  EXPECT_EQ(R"({"n":3})", c.Await(kEnough).value_or("none"));
}

TEST(ConnectionTest, RefusalsCarryTheMethodAndTheBrowsersWords) {
  Conversation conversation(R"(
    {"send": {"id": 1, "method": "Page.navigate", "params": {"url": "x"}}}
    {"receive": {"id": 1, "error": {"code": -32000, "message": "Cannot navigate to invalid URL"}}}
    {"send": {"id": 2, "sessionId": "S", "method": "Page.enable", "params": {}}}
    {"receive": {"error": {"code": -32001, "message": "Session with given id not found."}, "id": 2}}
    {"send": {"id": 3, "method": "Page.navigate", "params": {"url": "y"}}}
    {"receive": {"id": 3, "result": {"frameid": "F"}}})");
  Session& root = conversation.connection->root();
  const auto refused = root.Call(page::Navigate{.url = "x"}, kEnough);
  ASSERT_FALSE(refused);
  EXPECT_EQ(ErrorCode::kProtocol, refused.error().code);
  EXPECT_EQ("Page.navigate: Cannot navigate to invalid URL", refused.error().message);

  const auto unknown = conversation.connection->OpenSession("S")->Call(page::Enable{}, kEnough);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(ErrorCode::kTargetCrashed, unknown.error().code);

  const auto incomplete = root.Call(page::Navigate{.url = "y"}, kEnough);
  ASSERT_FALSE(incomplete);
  EXPECT_EQ(ErrorCode::kProtocol, incomplete.error().code);
  EXPECT_EQ("Page.navigate: no field 'frameId'", incomplete.error().message);
}

TEST(ConnectionTest, ALateReplyIsDiscarded) {
  Conversation conversation(R"(
    {"send": {"id": 1, "method": "Slow.one", "params": {}}}
    {"send": {"id": 2, "method": "Next.one", "params": {}}}
    {"receive": {"id": 1, "result": {"late": true}}}
    {"receive": {"id": 2, "result": {"late": false}}})");
  Session& root = conversation.connection->root();
  const auto late = root.CallRaw("Slow.one", "{}", kSoon);
  ASSERT_FALSE(late);
  EXPECT_EQ(ErrorCode::kTimeout, late.error().code);
  EXPECT_THAT(late.error().message, HasSubstr("Slow.one"));
  EXPECT_EQ(R"({"late":false})", root.CallRaw("Next.one", "{}", kEnough).value_or("none"));
}

TEST(ConnectionTest, EventsReachTheirSessionInOrderAndUnknownOnesAreSkipped) {
  Conversation conversation(R"(
    {"send": {"id": 1, "method": "Go.go", "params": {}}}
    {"receive": {"method": "Unheard.of", "params": {"deep": [[[{}]]]}, "sessionId": "nobody"}}
    {"receive": {"method": "Page.one", "params": {"n": 1}, "sessionId": "S"}}
    {"receive": {"method": "Root.one"}}
    {"receive": {"method": "Page.two", "params": {"n": 2}, "sessionId": "S", "extra": 1}}
    {"receive": {"id": 99, "result": {}}}
    {"receive": {"id": 1, "result": {}}})");
  std::vector<std::string> seen;
  const auto page = conversation.connection->OpenSession("S");
  page->SetEventHandler([&](std::string_view method, std::string_view params) {
    seen.push_back(std::string(method) + std::string(params));
  });
  conversation.connection->root().SetEventHandler(
      [&](std::string_view method, std::string_view params) {
        seen.push_back("root " + std::string(method) + std::string(params));
      });
  ASSERT_TRUE(conversation.connection->root().CallRaw("Go.go", "{}", kEnough));
  EXPECT_THAT(seen, ElementsAre(R"(Page.one{"n":1})", "root Root.one{}", R"(Page.two{"n":2})"));
}

TEST(ConnectionTest, AHandlerMayOpenTheNewSessionAndPostToIt) {
  Conversation conversation(R"(
    {"send": {"id": 1, "method": "Target.setAutoAttach", "params": {"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true}}}
    {"receive": {"method": "Target.attachedToTarget", "params": {"sessionId": "S2", "targetInfo": {"targetId": "T2", "type": "worker", "title": "", "url": "", "attached": true}, "waitingForDebugger": true}}}
    {"send": {"id": 2, "sessionId": "S2", "method": "Runtime.runIfWaitingForDebugger", "params": {}}}
    {"receive": {"method": "Runtime.first", "params": {}, "sessionId": "S2"}}
    {"receive": {"id": 2, "result": {}, "sessionId": "S2"}}
    {"receive": {"id": 1, "result": {}}})");
  Connection& connection = *conversation.connection;
  std::vector<std::string> seen;
  connection.root().SetEventHandler([&](std::string_view method, std::string_view params) {
    ASSERT_EQ(target::AttachedToTarget::kMethod, method);
    const auto event = target::AttachedToTarget::Parse(params);
    ASSERT_TRUE(event);
    const auto worker = connection.OpenSession(event->session_id);
    worker->SetEventHandler([&](std::string_view worker_method, std::string_view) {
      seen.emplace_back(worker_method);
    });
    worker->Post(runtime::RunIfWaitingForDebugger{});
  });
  ASSERT_TRUE(connection.root().Call(target::SetAutoAttach{}, kEnough));
  EXPECT_THAT(seen, ElementsAre("Runtime.first"));
  EXPECT_EQ("", conversation.playback->problem());
}

struct SessionEnd {
  std::string name, event, message;
};

TEST(ConnectionTest, TheEndOfASessionFailsItsCallsAndNoOthers) {
  const SessionEnd kEnds[] = {
      {"crash", R"({"method": "Inspector.targetCrashed", "params": {}, "sessionId": "S"})",
       "Page.crash: the page crashed"},
      {"detach", R"({"method": "Target.detachedFromTarget", "params": {"sessionId": "S"}})",
       "Page.crash: the page was closed"},
  };
  for (const auto& end : kEnds) {
    SCOPED_TRACE(end.name);
    Conversation conversation(R"(
      {"send": {"id": 1, "method": "Root.call", "params": {}}}
      {"send": {"id": 2, "sessionId": "S", "method": "Page.crash", "params": {}}}
      {"receive": )" + end.event +
                              R"(}
      {"receive": {"id": 1, "result": {}}})");
    Session& root = conversation.connection->root();
    const auto page = conversation.connection->OpenSession("S");
    auto closed = WhenClosed(*page);
    auto on_root = root.StartRaw("Root.call", "{}");
    const auto on_page = page->Call(page::Crash{}, kEnough);
    ASSERT_FALSE(on_page);
    EXPECT_EQ(ErrorCode::kTargetCrashed, on_page.error().code);
    EXPECT_EQ(end.message, on_page.error().message);
    EXPECT_EQ(ErrorCode::kTargetCrashed, closed.get().code);
    EXPECT_TRUE(on_root.Await(kEnough));

    // Nothing is sent any more: the transcript would object.
    const auto later = page->Call(page::Enable{}, kEnough);
    ASSERT_FALSE(later);
    EXPECT_EQ(ErrorCode::kTargetCrashed, later.error().code);
    page->Post(page::Enable{});
    EXPECT_EQ(ErrorCode::kTargetCrashed, WhenClosed(*page).get().code);
    EXPECT_EQ("", conversation.playback->problem());
  }
}

TEST(ConnectionTest, MalformedMessagesEndTheConnection) {
  const char* const kMessages[] = {
      R"("")",
      R"("[1]")",
      R"("{\"id\":1,\"result\":")",
      R"("{\"id\":1}")",
      R"("not json")",
      R"("null")",
      R"("{\"params\":{}}")",
      R"("{\"id\":\"1\",\"result\":{}}")",
      R"("{\"method\":1}")",
  };
  for (const auto* message : kMessages) {
    SCOPED_TRACE(message);
    Conversation conversation(R"(
      {"send": {"id": 1, "method": "A.a", "params": {}}}
      {"receive": )" + std::string(message) +
                              "}");
    const auto reply = conversation.connection->root().CallRaw("A.a", "{}", kEnough);
    ASSERT_FALSE(reply);
    EXPECT_EQ(ErrorCode::kBrowserGone, reply.error().code) << reply.error().message;
  }
}

TEST(ConnectionTest, AnOversizedReplyFailsItsCallOnly) {
  const std::string big(2'000, 'x');
  const auto transcript = Transcript::Parse(R"(
    {"send": {"id": 1, "method": "Big.one", "params": {}}}
    {"receive": {"method": "Big.event", "params": {"text": ")" +
                                            big + R"("}}}
    {"receive": {"id": 1, "result": {"text": ")" +
                                            big + R"("}}}
    {"send": {"id": 2, "method": "Small.one", "params": {}}}
    {"receive": {"id": 2, "result": {}}})");
  Conversation conversation(transcript, FakeTransport::kNever, {.max_message_bytes = 1'000});
  Session& root = conversation.connection->root();
  const auto reply = root.CallRaw("Big.one", "{}", kEnough);
  ASSERT_FALSE(reply);
  EXPECT_EQ(ErrorCode::kProtocol, reply.error().code);
  EXPECT_THAT(reply.error().message, HasSubstr("over the limit of 1000"));
  EXPECT_TRUE(root.CallRaw("Small.one", "{}", kEnough));
}

TEST(ConnectionTest, CountsCommandsButNotGrantsAndContinuations) {
  Conversation conversation(R"(
    {"send": {"id": 1, "method": "Page.enable", "params": {}}}
    {"send": {"id": 2, "method": "Emulation.setVirtualTimePolicy", "params": {"policy": "pause"}}}
    {"send": {"id": 3, "method": "Fetch.continueRequest", "params": {"requestId": "R"}}}
    {"send": {"id": 4, "method": "Page.enable", "params": {}}})");
  Connection& connection = *conversation.connection;
  connection.root().Post(page::Enable{});
  connection.root().Post(emulation::SetVirtualTimePolicy{.policy = "pause"});
  connection.root().Post(fetch::ContinueRequest{.request_id = "R"});
  connection.root().Post(page::Enable{});
  EXPECT_EQ(2U, connection.commands_sent());
  const std::map<std::string, uint64_t, std::less<>> want = {
      {"Page.enable", 2}, {"Emulation.setVirtualTimePolicy", 1}, {"Fetch.continueRequest", 1}};
  EXPECT_EQ(want, connection.CommandsByMethod());
}

TEST(ConnectionTest, TheLogSeesBothDirections) {
  const auto transcript = Transcript::Parse(R"(
    {"send": {"id": 7, "method": "A.a", "params": {}}}
    {"receive": {"id": 7, "result": {}}})");
  std::vector<std::string> log;
  {
    Conversation conversation(
        transcript, FakeTransport::kNever,
        {.first_id = 7, .log = [&](Direction direction, std::string_view text) {
           log.push_back((direction == Direction::kSend ? ">" : "<") + std::string(text));
         }});
    ASSERT_TRUE(conversation.connection->root().CallRaw("A.a", "{}", kEnough));
  }
  EXPECT_THAT(log,
              ElementsAre(R"(>{"id":7,"method":"A.a","params":{}})", R"(<{"id":7,"result":{}})"));
}

TEST(ConnectionTest, SessionsOutliveTheirConnection) {
  std::shared_ptr<Session> page;
  std::optional<PendingReply> waiting;
  {
    Conversation conversation(R"(
      {"send": {"id": 1, "sessionId": "S", "method": "A.a", "params": {}}})");
    page = conversation.connection->OpenSession("S");
    waiting = page->StartRaw("A.a", "{}");
  }
  const auto pending = waiting->Await(kEnough);
  ASSERT_FALSE(pending);
  EXPECT_EQ(ErrorCode::kBrowserGone, pending.error().code);
  const auto later = page->CallRaw("A.a", "{}", kEnough);
  ASSERT_FALSE(later);
  EXPECT_EQ(ErrorCode::kBrowserGone, later.error().code);
}

}  // namespace
}  // namespace topodb::capture::cdp
