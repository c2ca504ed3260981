#include "capture/explore/refusal.h"

#include <gtest/gtest.h>

namespace topodb::capture {
namespace {

TEST(Refusal, DriverErrors) {
  struct Case {
    DriverCall call;
    ErrorCode code;
    FailureReason want;
  };
  const Case kCases[] = {
      {DriverCall::kNavigate, ErrorCode::kTimeout, FailureReason::kNavigationTimeout},
      {DriverCall::kSnapshot, ErrorCode::kTimeout, FailureReason::kPageUnresponsive},
      {DriverCall::kPerform, ErrorCode::kTimeout, FailureReason::kPageUnresponsive},
      {DriverCall::kReset, ErrorCode::kTimeout, FailureReason::kPageUnresponsive},
      {DriverCall::kNavigate, ErrorCode::kNavigation, FailureReason::kNetworkError},
      {DriverCall::kPerform, ErrorCode::kNavigation, FailureReason::kNetworkError},
      {DriverCall::kNavigate, ErrorCode::kTargetCrashed, FailureReason::kPageCrashed},
      {DriverCall::kSnapshot, ErrorCode::kTargetCrashed, FailureReason::kPageCrashed},
      {DriverCall::kPerform, ErrorCode::kTargetCrashed, FailureReason::kPageCrashed},
      {DriverCall::kReset, ErrorCode::kBrowserGone, FailureReason::kBrowserGone},
      {DriverCall::kPerform, ErrorCode::kBrowserGone, FailureReason::kBrowserGone},
      {DriverCall::kNavigate, ErrorCode::kRefusedByPolicy, FailureReason::kOutOfScope},
      {DriverCall::kPerform, ErrorCode::kRefusedByPolicy, FailureReason::kRiskPolicyBlocked},
      {DriverCall::kPerform, ErrorCode::kElementNotFound, FailureReason::kLocatorNotFound},
      {DriverCall::kSnapshot, ErrorCode::kProtocol, FailureReason::kUnexpectedState},
  };
  for (const Case& c : kCases) {
    const Refusal refusal = RefusalOf(c.call, Error{c.code, "cause", ""});
    SCOPED_TRACE(refusal.message);
    EXPECT_EQ(c.want, refusal.reason);
    EXPECT_TRUE(refusal.message.ends_with("failed: cause"));
  }
}

TEST(Refusal, ActionOutcomes) {
  struct Case {
    ActionOutcome outcome;
    FailureReason want;
  };
  const Case kCases[] = {
      {ActionOutcome::kStale, FailureReason::kLocatorNotFound},
      {ActionOutcome::kNotVisible, FailureReason::kElementHidden},
      {ActionOutcome::kDisabled, FailureReason::kElementDisabled},
      {ActionOutcome::kObscured, FailureReason::kElementObscured},
      {ActionOutcome::kOffscreen, FailureReason::kElementHidden},
      {ActionOutcome::kUnstable, FailureReason::kUnexpectedState},
      {ActionOutcome::kWrongReceiver, FailureReason::kElementObscured},
      {ActionOutcome::kUnconfirmed, FailureReason::kUnexpectedState},
      {ActionOutcome::kNotTaken, FailureReason::kStatePreconditionMissing},
  };
  for (const Case& c : kCases) {
    ActionReport report;
    report.outcome = c.outcome;
    report.detail = "div.overlay";
    const auto refusal = RefusalOf(report);
    ASSERT_TRUE(refusal);
    SCOPED_TRACE(refusal->message);
    EXPECT_EQ(c.want, refusal->reason);
    EXPECT_TRUE(refusal->message.ends_with(": div.overlay"));
  }
  EXPECT_FALSE(RefusalOf(ActionReport{}));
}

RequestSeen Blocked(std::string method, std::string url, std::string by, std::string type) {
  return {.method = std::move(method),
          .url = std::move(url),
          .resource_type = std::move(type),
          .status = std::nullopt,
          .blocked = true,
          .blocked_by = std::move(by)};
}

class JudgeActionTest : public ::testing::Test {
 protected:
  std::optional<FailureReason> Verdict() {
    const auto refusal = JudgeAction(
        {.report = report_, .own_requests = own_, .after = &after_, .effects = effects_},
        [](const std::string& url) { return url.starts_with("http://sim.test"); });
    if (!refusal) return std::nullopt;
    EXPECT_FALSE(refusal->message.empty());
    return refusal->reason;
  }
  void SetUp() override {
    after_.url = "http://sim.test/next";
    effects_.push_back({.type = EffectType::kUrl,
                        .before = "a",
                        .after = "b",
                        .description = "url",
                        .details = {}});
  }

  ActionReport report_;
  std::vector<RequestSeen> own_;
  PageSnapshot after_;
  std::vector<Effect> effects_;
};

TEST_F(JudgeActionTest, EffectWithinScopeMakesAnEdge) { EXPECT_FALSE(Verdict()); }

TEST_F(JudgeActionTest, NoEffect) {
  effects_.clear();
  EXPECT_EQ(FailureReason::kEffectNotObserved, Verdict());
}

TEST_F(JudgeActionTest, OutOfScopeDestination) {
  after_.url = "https://other.test/";
  EXPECT_EQ(FailureReason::kOutOfScope, Verdict());
}

TEST_F(JudgeActionTest, ErrorPage) {
  after_.url = "chrome-error://chromewebdata/";
  EXPECT_EQ(FailureReason::kNetworkError, Verdict());
}

TEST_F(JudgeActionTest, ErrorPageOfAPasswordDialog) {
  after_.url = "chrome-error://chromewebdata/";
  RequestSeen denied{.method = "GET", .url = "http://sim.test/", .resource_type = "Image"};
  denied.status = 401;
  report_.events.requests = {denied};
  EXPECT_EQ(FailureReason::kNetworkError, Verdict());
  report_.events.requests.front().resource_type = "Document";
  EXPECT_EQ(FailureReason::kAuthRequired, Verdict());
}

TEST_F(JudgeActionTest, PageThatNeverCame) {
  report_.unanswered = "http://sim.test/never";
  EXPECT_EQ(FailureReason::kNavigationTimeout, Verdict());
}

TEST_F(JudgeActionTest, BlockedRequestOutweighsEverything) {
  report_.outcome = ActionOutcome::kUnconfirmed;
  after_.url = "https://other.test/";
  report_.events.requests = {Blocked("POST", "http://sim.test/pay", "guard", "Fetch")};
  EXPECT_EQ(FailureReason::kRiskPolicyBlocked, Verdict());
}

TEST_F(JudgeActionTest, PageThatSendsByItselfIsNoFailureOfTheAction) {
  report_.events.requests = {Blocked("POST", "http://sim.test/beacon?n=2", "guard", "Ping")};
  own_ = {Blocked("POST", "http://sim.test/beacon?n=1", "guard", "Ping")};
  EXPECT_FALSE(Verdict());
  own_[0].method = "PUT";
  EXPECT_EQ(FailureReason::kRiskPolicyBlocked, Verdict());
}

TEST_F(JudgeActionTest, DocumentStoppedByScope) {
  report_.events.requests = {Blocked("GET", "https://other.test/", "scope", "Document")};
  EXPECT_EQ(FailureReason::kOutOfScope, Verdict());
  report_.events.requests[0].resource_type = "Image";
  EXPECT_FALSE(Verdict());
}

TEST_F(JudgeActionTest, DialogStorm) {
  report_.events.dialogs.resize(19);
  EXPECT_FALSE(Verdict());
  report_.events.dialogs.resize(20);
  EXPECT_EQ(FailureReason::kDialogBlocked, Verdict());
}

TEST(Obstacle, StatusesChallengesAndLostLogins) {
  PageSnapshot page;
  EXPECT_FALSE(ObstacleIn(page, AuthContext::kAnonymous));
  struct Case {
    uint32_t status;
    std::optional<FailureReason> want;
  };
  const Case kCases[] = {{200, std::nullopt},
                         {404, std::nullopt},
                         {500, std::nullopt},
                         {401, FailureReason::kAuthRequired},
                         {407, FailureReason::kAuthRequired},
                         {403, FailureReason::kPermissionDenied}};
  for (const Case& c : kCases) {
    page.http_status = c.status;
    const auto obstacle = ObstacleIn(page, AuthContext::kAnonymous);
    EXPECT_EQ(c.want, obstacle ? std::optional(obstacle->reason) : std::nullopt) << c.status;
  }
  page.http_status = 200;
  page.nodes.emplace_back();
  page.nodes[0].element.interactability.visible = true;
  page.nodes[0].element.parameter_surface.emplace();
  page.nodes[0].element.parameter_surface->input_type = "password";
  EXPECT_FALSE(ObstacleIn(page, AuthContext::kAnonymous));
  EXPECT_FALSE(ObstacleIn(page, AuthContext::kAttached));
  EXPECT_EQ(FailureReason::kAuthRequired, ObstacleIn(page, AuthContext::kStorageState)->reason);
  page.nodes.push_back(page.nodes[0]);  // the old one and the new one
  EXPECT_FALSE(ObstacleIn(page, AuthContext::kStorageState));

  page.frames.push_back({.path = {},
                         .url = "https://challenges.cloudflare.com/turnstile/x",
                         .accessible = true,
                         .reason = {}});
  EXPECT_EQ(FailureReason::kCaptchaOrChallenge, ObstacleIn(page, AuthContext::kAnonymous)->reason);
}

}  // namespace
}  // namespace topodb::capture
