#include "capture/explore/refusal.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "capture/guard/url.h"
#include "schema/names.h"

namespace topodb::capture {
namespace {

// The driver answers this many dialogs of one state before it gives up on the page.
constexpr size_t kDialogStorm = 20;

FailureReason ReasonOf(DriverCall call, ErrorCode code) {
  switch (code) {
    case ErrorCode::kBrowserGone:
      return FailureReason::kBrowserGone;
    case ErrorCode::kTargetCrashed:
      return FailureReason::kPageCrashed;
    case ErrorCode::kNavigation:
      return FailureReason::kNetworkError;
    case ErrorCode::kElementNotFound:
      return FailureReason::kLocatorNotFound;
    case ErrorCode::kTimeout:
      return call == DriverCall::kNavigate ? FailureReason::kNavigationTimeout
                                           : FailureReason::kPageUnresponsive;
    case ErrorCode::kRefusedByPolicy:
      return call == DriverCall::kPerform ? FailureReason::kRiskPolicyBlocked
                                          : FailureReason::kOutOfScope;
    default:
      return FailureReason::kUnexpectedState;
  }
}

std::string_view Describe(DriverCall call) {
  switch (call) {
    case DriverCall::kReset:
      return "preparing a clean page";
    case DriverCall::kNavigate:
      return "opening the entry page";
    case DriverCall::kSnapshot:
      return "looking at the page";
    case DriverCall::kPerform:
      return "performing the action";
  }
  return "driving the page";
}

struct OutcomeRow {
  ActionOutcome outcome;
  FailureReason reason;
  std::string_view message;
};

constexpr std::array<OutcomeRow, 9> kOutcomes = {{
    {ActionOutcome::kStale, FailureReason::kLocatorNotFound,
     "the element was gone or had changed before the action"},
    {ActionOutcome::kNotVisible, FailureReason::kElementHidden, "the element is not visible"},
    {ActionOutcome::kDisabled, FailureReason::kElementDisabled, "the element is disabled"},
    {ActionOutcome::kObscured, FailureReason::kElementObscured, "the element is covered"},
    {ActionOutcome::kOffscreen, FailureReason::kElementHidden,
     "the element cannot be scrolled into view"},
    {ActionOutcome::kUnstable, FailureReason::kUnexpectedState,
     "the element's box never came to rest"},
    {ActionOutcome::kWrongReceiver, FailureReason::kElementObscured,
     "the input would have reached another element and was stopped"},
    {ActionOutcome::kUnconfirmed, FailureReason::kUnexpectedState,
     "the page never confirmed that the input arrived"},
    {ActionOutcome::kNotTaken, FailureReason::kStatePreconditionMissing,
     "the element does not take what was to be entered"},
}};

std::optional<Refusal> JudgeRequests(const ActionFacts& facts) {
  for (const RequestSeen& request : facts.report.events.requests) {
    if (!request.blocked || request.blocked_by == "scope") continue;
    if (IsOwnRequest(request, facts.own_requests)) continue;
    return Refusal{FailureReason::kRiskPolicyBlocked,
                   fmt::format("the network guard stopped {} {}", request.method, request.url)};
  }
  for (const RequestSeen& request : facts.report.events.requests) {
    if (!request.blocked || request.blocked_by != "scope" || request.resource_type != "Document") {
      continue;
    }
    return Refusal{FailureReason::kOutOfScope,
                   fmt::format("the action leads out of scope: {}", request.url)};
  }
  return std::nullopt;
}

// A page that asks for a name and password by the browser's own dialog, which nobody answers.
const RequestSeen* DeniedPage(const PageEvents& events) {
  const auto denied = std::ranges::find_if(events.requests, [](const RequestSeen& request) {
    return request.resource_type == "Document" &&
           (request.status == 401U || request.status == 407U);
  });
  return denied == events.requests.end() ? nullptr : &*denied;
}

bool LooksLikeChallenge(const PageSnapshot& snapshot) {
  static constexpr std::array<std::string_view, 5> kServices = {
      "challenges.cloudflare.com/", "/cdn-cgi/challenge-platform/", "google.com/recaptcha/",
      "recaptcha.net/recaptcha/", "hcaptcha.com/"};
  return std::ranges::any_of(snapshot.frames, [](const SnapshotFrame& frame) {
    return std::ranges::any_of(kServices, [&](std::string_view service) {
      return frame.url.find(service) != std::string::npos;
    });
  });
}

// For one: who changes a password is asked for the new one, too.
bool AsksForPassword(const PageSnapshot& snapshot) {
  return std::ranges::count_if(snapshot.nodes, [](const SnapshotNode& node) {
           const auto& surface = node.element.parameter_surface;
           return node.element.interactability.visible && surface &&
                  surface->input_type == "password";
         }) == 1;
}

}  // namespace

bool MayOpen(const ScopeCheck& in_scope, const std::string& url) {
  return !in_scope || url.empty() || url.starts_with("javascript:") || in_scope(url);
}

Refusal RefusalOf(DriverCall call, const Error& error) {
  return {ReasonOf(call, error.code), fmt::format("{} failed: {}", Describe(call), error.message)};
}

std::optional<Refusal> RefusalOf(const ActionReport& report) {
  const auto row = std::ranges::find(kOutcomes, report.outcome, &OutcomeRow::outcome);
  if (row == kOutcomes.end()) return std::nullopt;
  std::string message(row->message);
  if (!report.detail.empty()) message += ": " + report.detail;
  return Refusal{row->reason, std::move(message)};
}

bool IsOwnRequest(const RequestSeen& request, const std::vector<RequestSeen>& own) {
  return std::ranges::any_of(own, [&](const RequestSeen& other) {
    return other.method == request.method && other.blocked == request.blocked &&
           WithoutQuery(other.url) == WithoutQuery(request.url);
  });
}

std::optional<Refusal> JudgeAction(const ActionFacts& facts, const ScopeCheck& in_scope) {
  if (auto refusal = JudgeRequests(facts)) return refusal;
  if (auto refusal = RefusalOf(facts.report)) return refusal;
  const auto& completion = facts.report.completion;
  if (completion && completion->status != CompletionStatus::kComplete) {
    return Refusal{FailureReason::kCompletionUnverified,
                   fmt::format("what the action began was not seen to be finished: {} ({})",
                               ToString(completion->status), completion->error_code)};
  }
  if (facts.report.events.dialogs.size() >= kDialogStorm) {
    return Refusal{FailureReason::kDialogBlocked,
                   fmt::format("the page opened {} dialogs", facts.report.events.dialogs.size())};
  }
  if (!facts.report.unanswered.empty()) {
    return Refusal{FailureReason::kNavigationTimeout,
                   fmt::format("'{}' did not answer in time", facts.report.unanswered)};
  }
  if (facts.after != nullptr && facts.after->url.starts_with("chrome-error:")) {
    if (const RequestSeen* asked = DeniedPage(facts.report.events)) {
      return Refusal{FailureReason::kAuthRequired,
                     fmt::format("'{}' answered {}", asked->url, *asked->status)};
    }
    return Refusal{FailureReason::kNetworkError, "the page that the action leads to did not load"};
  }
  if (facts.after != nullptr && !MayOpen(in_scope, facts.after->url)) {
    return Refusal{FailureReason::kOutOfScope,
                   fmt::format("the action led out of scope: {}", facts.after->url)};
  }
  if (facts.effects.empty()) {
    return Refusal{FailureReason::kEffectNotObserved, "the action had no observable effect"};
  }
  return std::nullopt;
}

std::optional<Refusal> ObstacleIn(const PageSnapshot& snapshot, AuthContext auth) {
  if (LooksLikeChallenge(snapshot)) {
    return Refusal{FailureReason::kCaptchaOrChallenge, "the page shows a challenge"};
  }
  const uint32_t status = snapshot.http_status.value_or(200);
  if (status == 401 || status == 407) {
    return Refusal{FailureReason::kAuthRequired, fmt::format("the server answered {}", status)};
  }
  if (status == 403) {
    return Refusal{FailureReason::kPermissionDenied, "the server answered 403"};
  }
  if (auth == AuthContext::kStorageState && AsksForPassword(snapshot)) {
    return Refusal{FailureReason::kAuthRequired, "the page asks for a password: the login is lost"};
  }
  return std::nullopt;
}

}  // namespace topodb::capture
