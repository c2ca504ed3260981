#include "capture/cdp/router.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "capture/cdp/protocol/target.h"

namespace topodb::capture::cdp::internal {
namespace {

constexpr std::string_view kInspectorTargetCrashed = "Inspector.targetCrashed";

// The browser's code for a session id that it no longer knows.
constexpr int64_t kSessionNotFound = -32001;

// Sent once per request or clock grant: they are the price of the page's own doing, not of ours.
bool IsUncounted(std::string_view method) {
  return method == "Fetch.continueRequest" || method == "Emulation.setVirtualTimePolicy";
}

Error TargetClosed(std::string_view why) {
  return Error{ErrorCode::kTargetCrashed, std::string(why), {}};
}

}  // namespace

void PendingCall::Complete(Result<std::string> result) {
  {
    const std::lock_guard lock(mutex);
    if (outcome) return;
    outcome = std::move(result);
  }
  completed.notify_all();
}

Router::Router(std::unique_ptr<Transport> transport, ConnectionOptions options)
    : transport_(std::move(transport)), options_(std::move(options)), next_id_(options_.first_id) {}

std::shared_ptr<PendingCall> Router::Start(Session& session, std::string_view method,
                                           std::string_view params_json) {
  std::shared_ptr<PendingCall> call;
  {
    const std::lock_guard lock(mutex_);
    call = std::make_shared<PendingCall>(next_id_++, method);
    pending_.emplace(call->id, Waiting{call, session.id()});
  }
  // Registered before it is looked at: a session that closes in between fails the call.
  if (auto closed = session.closed()) {
    Forget(*call);
    call->Complete(std::move(*closed).With(method));
  } else if (auto sent = Send(session, call->id, method, params_json); !sent) {
    Forget(*call);
    call->Complete(std::move(sent).error().With(method));
  }
  return call;
}

void Router::Post(Session& session, std::string_view method, std::string_view params_json) {
  if (session.closed()) return;
  int64_t id = 0;
  {
    const std::lock_guard lock(mutex_);
    id = next_id_++;
  }
  // A failure to send ends the connection, which tells everybody who waits.
  static_cast<void>(Send(session, id, method, params_json));
}

void Router::Forget(const PendingCall& call) { TakePending(call.id); }

Status Router::Send(const Session& session, int64_t id, std::string_view method,
                    std::string_view params_json) {
  ObjectWriter writer;
  writer.Int("id", id);
  if (!session.id().empty()) writer.String("sessionId", session.id());
  auto message = writer.String("method", method).Raw("params", params_json).Take();
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return *ended_;
    const auto counter = sent_.find(method);
    if (counter == sent_.end()) {
      sent_.emplace(method, 1);
    } else {
      ++counter->second;
    }
  }
  Log(Direction::kSend, message);
  return transport_->Send(std::move(message));
}

void Router::Log(Direction direction, std::string_view message) {
  if (!options_.log) return;
  const std::lock_guard lock(log_mutex_);
  options_.log(direction, message);
}

std::shared_ptr<Session> Router::OpenSession(const std::shared_ptr<Router>& self,
                                             const std::string& session_id) {
  auto created = std::make_shared<Session>(self, session_id);
  std::optional<Error> ended;
  {
    const std::lock_guard lock(mutex_);
    const auto [entry, inserted] = sessions_.try_emplace(session_id, created);
    if (!inserted) return entry->second;
    ended = ended_;
    if (ended) sessions_.erase(entry);
  }
  if (ended) created->MarkClosed(*ended);
  return created;
}

void Router::ReadLoop() {
  io_thread_ = std::this_thread::get_id();
  while (true) {
    auto message = transport_->Receive();
    if (!message) {
      EndAll(message.error());
      return;
    }
    Route(*std::move(message));
  }
}

bool Router::OnIoThread() const { return io_thread_.load() == std::this_thread::get_id(); }

void Router::Route(std::string message) {
  if (message.size() > options_.max_message_bytes) return RouteOversized(message);
  ReplaceLoneSurrogates(message);
  Log(Direction::kReceive, message);
  const auto envelope = ParseEnvelope(message);
  if (!envelope) {
    // Whoever waits for this message would wait in vain; nothing after it can be trusted either.
    transport_->Close();
    return EndAll(Error{ErrorCode::kBrowserGone, envelope.error().message, {}});
  }
  if (envelope->id) {
    RouteReply(*envelope);
  } else {
    RouteEvent(*envelope);
  }
}

void Router::RouteOversized(const std::string& message) {
  Log(Direction::kReceive, fmt::format("({} bytes, dropped)", message.size()));
  const auto id = LeadingId(message);
  const auto call = id ? TakePending(*id) : nullptr;
  if (!call) return;
  call->Complete(Error{ErrorCode::kProtocol,
                       fmt::format("{}: reply of {} bytes is over the limit of {}", call->method,
                                   message.size(), options_.max_message_bytes),
                       {}});
}

void Router::RouteReply(const Envelope& envelope) {
  const auto call = TakePending(*envelope.id);
  if (!call) return;  // posted, or given up
  if (!envelope.error) {
    call->Complete(std::string(envelope.result));
    return;
  }
  const auto code =
      envelope.error->code == kSessionNotFound ? ErrorCode::kTargetCrashed : ErrorCode::kProtocol;
  call->Complete(Error{code, fmt::format("{}: {}", call->method, envelope.error->message), {}});
}

void Router::RouteEvent(const Envelope& envelope) {
  const auto params = envelope.params.empty() ? std::string_view("{}") : envelope.params;
  // Before its handler runs: what the handler starts on that session fails at once.
  if (envelope.method == target::DetachedFromTarget::kMethod) {
    if (const auto event = target::DetachedFromTarget::Parse(params)) {
      CloseSession(event->session_id, TargetClosed("the page was closed"));
    }
  }
  const auto session = FindSession(envelope.session_id);
  if (!session) return;
  session->Deliver(envelope.method, params);
  if (envelope.method == kInspectorTargetCrashed) {
    CloseSession(envelope.session_id, TargetClosed("the page crashed"));
  }
}

std::shared_ptr<PendingCall> Router::TakePending(int64_t id) {
  const std::lock_guard lock(mutex_);
  const auto found = pending_.find(id);
  if (found == pending_.end()) return nullptr;
  auto call = std::move(found->second.call);
  pending_.erase(found);
  return call;
}

std::shared_ptr<Session> Router::FindSession(const std::string& session_id) const {
  const std::lock_guard lock(mutex_);
  const auto found = sessions_.find(session_id);
  return found == sessions_.end() ? nullptr : found->second;
}

void Router::CloseSession(const std::string& session_id, const Error& why) {
  std::shared_ptr<Session> session;
  std::vector<std::shared_ptr<PendingCall>> calls;
  // Marked first: a call registered from now on sees the mark, earlier ones are collected below.
  if ((session = FindSession(session_id))) session->MarkClosed(why);
  {
    const std::lock_guard lock(mutex_);
    sessions_.erase(session_id);
    for (auto entry = pending_.begin(); entry != pending_.end();) {
      if (entry->second.session_id == session_id) {
        calls.push_back(std::move(entry->second.call));
        entry = pending_.erase(entry);
      } else {
        ++entry;
      }
    }
  }
  for (const auto& call : calls) call->Complete(Error(why).With(call->method));
}

void Router::EndAll(const Error& why) {
  decltype(pending_) pending;
  decltype(sessions_) sessions;
  {
    const std::lock_guard lock(mutex_);
    if (ended_) return;
    ended_ = why;
    pending.swap(pending_);
    sessions.swap(sessions_);
  }
  for (const auto& [id, session] : sessions) session->MarkClosed(why);
  for (const auto& [id, waiting] : pending) {
    waiting.call->Complete(Error(why).With(waiting.call->method));
  }
}

void Router::Close() { transport_->Close(); }

uint64_t Router::commands_sent() const {
  const std::lock_guard lock(mutex_);
  uint64_t sum = 0;
  for (const auto& [method, count] : sent_) {
    if (!IsUncounted(method)) sum += count;
  }
  return sum;
}

std::map<std::string, uint64_t, std::less<>> Router::CommandsByMethod() const {
  const std::lock_guard lock(mutex_);
  return sent_;
}

}  // namespace topodb::capture::cdp::internal
