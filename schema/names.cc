#include "schema/names.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace topodb {
namespace {

template <class Enum>
struct Name {
  Enum value;
  std::string_view text;
};
// Clang deduces no aggregates before version 17.
template <class Enum>
Name(Enum, std::string_view) -> Name<Enum>;

// One table per enum, read in both directions. Entry i spells the value i + 1: enumerators start
// at 1 and are only ever appended, and the static_assert below refuses a gap.
template <class Enum>
struct Names;

template <>
struct Names<EvidenceLevel> {
  static constexpr std::array kTable{
      Name{EvidenceLevel::kObserved, "observed"}, Name{EvidenceLevel::kDerived, "derived"},
      Name{EvidenceLevel::kVerified, "verified"}, Name{EvidenceLevel::kHeuristic, "heuristic"},
      Name{EvidenceLevel::kExternal, "external"},
  };
};

template <>
struct Names<RunMode> {
  static constexpr std::array kTable{Name{RunMode::kScan, "scan"},
                                     Name{RunMode::kExplore, "explore"}};
};

template <>
struct Names<RunStatus> {
  static constexpr std::array kTable{
      Name{RunStatus::kRunning, "running"},
      Name{RunStatus::kComplete, "complete"},
      Name{RunStatus::kPartial, "partial"},
      Name{RunStatus::kFailed, "failed"},
  };
};

template <>
struct Names<AuthContext> {
  static constexpr std::array kTable{
      Name{AuthContext::kAnonymous, "anonymous"},
      Name{AuthContext::kStorageState, "storage_state"},
      Name{AuthContext::kAttached, "attached"},
  };
};

template <>
struct Names<IdScheme> {
  static constexpr std::array kTable{Name{IdScheme::kTopodb1, "topodb-1"},
                                     Name{IdScheme::kForeign, "foreign"}};
};

template <>
struct Names<LocatorStrategy> {
  static constexpr std::array kTable{
      Name{LocatorStrategy::kRole, "role"},     Name{LocatorStrategy::kLabel, "label"},
      Name{LocatorStrategy::kTestId, "testId"}, Name{LocatorStrategy::kPlaceholder, "placeholder"},
      Name{LocatorStrategy::kText, "text"},     Name{LocatorStrategy::kAltText, "altText"},
      Name{LocatorStrategy::kTitle, "title"},   Name{LocatorStrategy::kCss, "css"},
  };
};

template <>
struct Names<ContextKind> {
  static constexpr std::array kTable{
      Name{ContextKind::kDialog, "dialog"},     Name{ContextKind::kForm, "form"},
      Name{ContextKind::kSection, "section"},   Name{ContextKind::kRow, "row"},
      Name{ContextKind::kLandmark, "landmark"}, Name{ContextKind::kListItem, "listitem"},
  };
};

template <>
struct Names<NameSource> {
  static constexpr std::array kTable{
      Name{NameSource::kBrowser, "browser"},
      Name{NameSource::kAccessibilityTree, "accessibility-tree"},
      Name{NameSource::kInPage, "in-page"},
      Name{NameSource::kImported, "imported"},
  };
};

template <>
struct Names<Lifecycle> {
  static constexpr std::array kTable{
      Name{Lifecycle::kObserved, "observed"},     Name{Lifecycle::kFingerprinted, "fingerprinted"},
      Name{Lifecycle::kVerified, "verified"},     Name{Lifecycle::kStale, "stale"},
      Name{Lifecycle::kDeprecated, "deprecated"}, Name{Lifecycle::kConflicted, "conflicted"},
  };
};

template <>
struct Names<ActionType> {
  static constexpr std::array kTable{
      Name{ActionType::kClick, "click"},   Name{ActionType::kFill, "fill"},
      Name{ActionType::kSelect, "select"}, Name{ActionType::kCheck, "check"},
      Name{ActionType::kPress, "press"},   Name{ActionType::kUpload, "upload"},
      Name{ActionType::kHover, "hover"},
  };
};

template <>
struct Names<RiskLevel> {
  static constexpr std::array kTable{
      Name{RiskLevel::kLow, "low"},
      Name{RiskLevel::kMedium, "medium"},
      Name{RiskLevel::kHigh, "high"},
  };
};

template <>
struct Names<RiskCategory> {
  static constexpr std::array kTable{
      Name{RiskCategory::kReadOnly, "read_only"},
      Name{RiskCategory::kNavigation, "navigation"},
      Name{RiskCategory::kUiReveal, "ui_reveal"},
      Name{RiskCategory::kInputEdit, "input_edit"},
      Name{RiskCategory::kFormSubmit, "form_submit"},
      Name{RiskCategory::kDataMutation, "data_mutation"},
      Name{RiskCategory::kDestructive, "destructive"},
      Name{RiskCategory::kAuthSensitive, "auth_sensitive"},
      Name{RiskCategory::kPaymentSensitive, "payment_sensitive"},
      Name{RiskCategory::kUnknown, "unknown"},
  };
};

template <>
struct Names<EffectType> {
  static constexpr std::array kTable{
      Name{EffectType::kUrl, "url"},
      Name{EffectType::kDom, "dom"},
      Name{EffectType::kVisibleText, "visibleText"},
      Name{EffectType::kInventory, "inventory"},
      Name{EffectType::kFormState, "formState"},
      Name{EffectType::kNetwork, "network"},
      Name{EffectType::kDownload, "download"},
      Name{EffectType::kDialog, "dialog"},
      Name{EffectType::kStorage, "storage"},
      Name{EffectType::kPopup, "popup"},
      Name{EffectType::kConsole, "console"},
      Name{EffectType::kFocus, "focus"},
  };
};

template <>
struct Names<FailureReason> {
  static constexpr std::array kTable{
      Name{FailureReason::kLocatorNotFound, "locator_not_found"},
      Name{FailureReason::kLocatorNotUnique, "locator_not_unique"},
      Name{FailureReason::kElementHidden, "element_hidden"},
      Name{FailureReason::kElementDisabled, "element_disabled"},
      Name{FailureReason::kElementObscured, "element_obscured"},
      Name{FailureReason::kStatePreconditionMissing, "state_precondition_missing"},
      Name{FailureReason::kFrameInaccessible, "frame_inaccessible"},
      Name{FailureReason::kShadowRootClosed, "shadow_root_closed"},
      Name{FailureReason::kNavigationTimeout, "navigation_timeout"},
      Name{FailureReason::kNetworkError, "network_error"},
      Name{FailureReason::kPermissionDenied, "permission_denied"},
      Name{FailureReason::kAuthRequired, "auth_required"},
      Name{FailureReason::kCaptchaOrChallenge, "captcha_or_challenge"},
      Name{FailureReason::kRiskPolicyBlocked, "risk_policy_blocked"},
      Name{FailureReason::kEffectNotObserved, "effect_not_observed"},
      Name{FailureReason::kUnexpectedState, "unexpected_state"},
      Name{FailureReason::kCompletionUnverified, "completion_unverified"},
      Name{FailureReason::kPageCrashed, "page_crashed"},
      Name{FailureReason::kPageUnresponsive, "page_unresponsive"},
      Name{FailureReason::kPageTooLarge, "page_too_large"},
      Name{FailureReason::kBrowserGone, "browser_gone"},
      Name{FailureReason::kDialogBlocked, "dialog_blocked"},
      Name{FailureReason::kOutOfScope, "out_of_scope"},
  };
};

template <>
struct Names<CompletionStatus> {
  static constexpr std::array kTable{
      Name{CompletionStatus::kComplete, "complete"},
      Name{CompletionStatus::kDeferred, "deferred"},
      Name{CompletionStatus::kTimeout, "timeout"},
      Name{CompletionStatus::kConversationMismatch, "conversation-mismatch"},
      Name{CompletionStatus::kTargetMismatch, "target-mismatch"},
      Name{CompletionStatus::kPageCrashed, "page-crashed"},
  };
};

template <>
struct Names<Verification> {
  static constexpr std::array kTable{
      Name{Verification::kVerified, "verified"},
      Name{Verification::kPositional, "positional"},
      Name{Verification::kUnverifiable, "unverifiable"},
  };
};

template <>
struct Names<IdKind> {
  static constexpr std::array kTable{
      Name{IdKind::kTestId, "testId"},
      Name{IdKind::kDomId, "id"},
      Name{IdKind::kControlName, "name"},
      Name{IdKind::kHref, "href"},
  };
};

template <class Enum>
constexpr bool IsDense() {
  size_t next = 1;
  for (const auto& entry : Names<Enum>::kTable) {
    if (static_cast<size_t>(entry.value) != next++) return false;
  }
  return true;
}

template <class Enum>
std::string_view Spelling(Enum value) {
  static_assert(IsDense<Enum>());
  const auto& table = Names<Enum>::kTable;
  const auto number = static_cast<size_t>(value);
  // Decoded records hold no other values (schema/codec.h); a caller's cast might.
  return number >= 1 && number <= table.size() ? table[number - 1].text : "invalid";
}

}  // namespace

template <class Enum>
std::optional<Enum> Parse(std::string_view text) {
  const auto& table = Names<Enum>::kTable;
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const Name<Enum>& entry) { return entry.text == text; });
  if (found == table.end()) return std::nullopt;
  return found->value;
}

template <class Enum>
size_t EnumSize() {
  return Names<Enum>::kTable.size();
}

#define TOPODB_DEFINE_NAMES(Enum)                                   \
  std::string_view ToString(Enum value) { return Spelling(value); } \
  template std::optional<Enum> Parse<Enum>(std::string_view text);  \
  template size_t EnumSize<Enum>()

TOPODB_DEFINE_NAMES(EvidenceLevel);
TOPODB_DEFINE_NAMES(RunMode);
TOPODB_DEFINE_NAMES(RunStatus);
TOPODB_DEFINE_NAMES(AuthContext);
TOPODB_DEFINE_NAMES(IdScheme);
TOPODB_DEFINE_NAMES(LocatorStrategy);
TOPODB_DEFINE_NAMES(ContextKind);
TOPODB_DEFINE_NAMES(NameSource);
TOPODB_DEFINE_NAMES(Lifecycle);
TOPODB_DEFINE_NAMES(ActionType);
TOPODB_DEFINE_NAMES(RiskLevel);
TOPODB_DEFINE_NAMES(RiskCategory);
TOPODB_DEFINE_NAMES(EffectType);
TOPODB_DEFINE_NAMES(FailureReason);
TOPODB_DEFINE_NAMES(CompletionStatus);
TOPODB_DEFINE_NAMES(Verification);
TOPODB_DEFINE_NAMES(IdKind);

#undef TOPODB_DEFINE_NAMES

}  // namespace topodb
