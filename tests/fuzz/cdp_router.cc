#include <memory>
#include <string>
#include <vector>

#include "capture/cdp/router.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

using namespace capture::cdp;

// Says what the input says, a message a line, and then hangs up.
class InputTransport final : public Transport {
 public:
  explicit InputTransport(std::string_view messages) : messages_(messages) {}

  Status Send(std::string) override { return {}; }
  Result<std::string> Receive() override {
    if (closed_ || messages_.empty()) return Error{ErrorCode::kBrowserGone, "closed", {}};
    return std::string(messages_.Line());
  }
  void Close() override { closed_ = true; }

 private:
  Input messages_;
  bool closed_ = false;
};

// Whatever the browser says: every call ends, every session is closed once, no event comes after.
FUZZ_TARGET(cdp_router) {
  const auto router = std::make_shared<internal::Router>(
      std::make_unique<InputTransport>(input),
      ConnectionOptions{.first_id = 1, .max_message_bytes = 256, .log = {}});
  std::vector<std::shared_ptr<Session>> sessions;
  std::vector<std::shared_ptr<internal::PendingCall>> calls;
  std::vector<int> closed(3);
  for (const char* id : {"", "A", "B"}) {
    const size_t i = sessions.size();
    auto session = router->OpenSession(router, id);
    session->SetEventHandler([&, i](std::string_view, std::string_view params) {
      Require(closed[i] == 0, "a closed session hears of no event", input);
      Require(!params.empty(), "an event has parameters", input);
    });
    session->SetCloseHandler([&, i](const Error&) { ++closed[i]; });
    calls.push_back(router->Start(*session, "Some.method", "{}"));
    calls.push_back(router->Start(*session, "Other.method", "{}"));
    sessions.push_back(std::move(session));
  }
  router->ReadLoop();
  for (const auto& call : calls) {
    Require(call->outcome.has_value(), "every call ends", input);
    Require(!call->outcome->has_value() || !(*call->outcome)->empty(), "a reply has a result",
            input);
  }
  for (size_t i = 0; i < sessions.size(); ++i) {
    Require(sessions[i]->closed().has_value(), "every session ends", input);
    Require(closed[i] == 1, "a session is told once that it has ended", input);
    sessions[i]->SetEventHandler({});
  }
  const auto late = router->Start(*sessions[0], "Late.method", "{}");
  Require(late->outcome && !late->outcome->has_value(), "a late call fails at once", input);
}

}  // namespace
}  // namespace topodb::fuzz
