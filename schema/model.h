#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "schema/base/ids.h"
#include "schema/identity/target_identity.h"

// The records of the graph (docs/format.md), as plain values: no behaviour, no back-pointers.
// Enumerator values of this file are on disk: never renumber, only append.
namespace topodb {

// ---- shared ------------------------------------------------------------------------------------

enum class EvidenceLevel : uint8_t {
  kObserved = 1,   // a browser fact captured directly
  kDerived = 2,    // a deterministic rule's output from observed facts
  kVerified = 3,   // re-resolved or replayed, and it held
  kHeuristic = 4,  // a conservative inference (risk)
  kExternal = 5,   // an annotation by a person or another tool
};

struct Evidence {
  EvidenceLevel level = EvidenceLevel::kObserved;
  std::string source;
  std::string description;
  bool operator==(const Evidence&) const = default;
};

// Milliseconds since the Unix epoch, UTC.
struct Timestamp {
  int64_t millis = 0;
  auto operator<=>(const Timestamp&) const = default;
};

struct Viewport {
  uint32_t width = 1440;
  uint32_t height = 1000;
  bool operator==(const Viewport&) const = default;
};

// CSS pixels relative to the top-level viewport.
struct Rect {
  double x = 0, y = 0, width = 0, height = 0;
  bool operator==(const Rect&) const = default;
};

// A name and its value; where several stand in a list they are sorted by name.
using NameValue = std::pair<std::string, std::string>;

// ---- run ---------------------------------------------------------------------------------------

enum class RunMode : uint8_t { kScan = 1, kExplore = 2 };
enum class RunStatus : uint8_t { kRunning = 1, kComplete = 2, kPartial = 3, kFailed = 4 };
enum class AuthContext : uint8_t { kAnonymous = 1, kStorageState = 2, kAttached = 3 };
// kForeign: an imported artifact; its ids are strings kept in Run::foreign_ids, never recomputed.
enum class IdScheme : uint8_t { kTopodb1 = 1, kForeign = 2 };

struct RuntimeContext {
  std::string browser_name;
  std::string browser_version;
  Viewport viewport;
  std::string locale;
  std::optional<std::string> timezone_id;  // absent: the browser's own
  AuthContext auth_context = AuthContext::kAnonymous;
  bool operator==(const RuntimeContext&) const = default;
};

struct Budget {
  std::string name;    // "max-actions"
  uint64_t limit = 0;  // counts, or milliseconds for times
  bool hit = false;    // it ended something
  bool operator==(const Budget&) const = default;
};

struct RunCounts {
  uint64_t states = 0, elements = 0, edges = 0, skipped_actions = 0, failed_observations = 0;
  uint64_t observations = 0;
  bool operator==(const RunCounts&) const = default;
};

struct Run {
  RunId id;
  std::string name;  // as given with --name; may be empty
  std::string schema_version = "0.2";
  std::string artifact_version = "topology-graph-v0.2";
  std::string input_url;  // as given, redacted
  std::string entry_url;  // after navigation, redacted
  Timestamp generated_at;
  std::string engine_version;
  RunMode mode = RunMode::kScan;
  std::string input_seed;  // redacted when it is the input URL
  InputFingerprint input_fingerprint;
  RuntimeContext runtime_context;
  std::string site_base_url;  // scheme://host[:port]; the scheme only ("file:") for files
  std::string risk_policy_version;
  std::string normalization_rule_version;
  std::string locator_scoring_version;
  RunStatus status = RunStatus::kRunning;
  std::string status_reason;  // empty for complete
  RunCounts counts;
  std::vector<Budget> budgets;
  std::string policy_hash;  // hex content hash of the risk policy
  std::string clock;        // virtual | real | auto
  std::string guard;        // mutations | off | all-network
  IdScheme id_scheme = IdScheme::kTopodb1;
  Timestamp ended_at;
  uint64_t protocol_commands = 0;  // DevTools commands sent, counted as docs/architecture.md says
  std::vector<std::string> warnings;
  std::vector<std::string> off_origin_hosts;  // hosts that the pages loaded from, sorted
  bool operator==(const Run&) const = default;
};

// ---- element -----------------------------------------------------------------------------------

enum class LocatorStrategy : uint8_t {
  kRole = 1,
  kLabel = 2,
  kTestId = 3,
  kPlaceholder = 4,
  kText = 5,
  kAltText = 6,
  kTitle = 7,
  kCss = 8,
};

// What contains an element: nearest dialog, form, section, row, landmark, list item.
enum class ContextKind : uint8_t {
  kDialog = 1,
  kForm = 2,
  kSection = 3,
  kRow = 4,
  kLandmark = 5,
  kListItem = 6,
};

struct ContextAnchor {
  ContextKind kind = ContextKind::kSection;
  std::string role;                 // the anchor's role ("navigation"); may be empty
  std::optional<std::string> name;  // accessible name
  std::optional<std::string> text;  // visible text, at most 240 characters
  std::optional<std::string>
      key;  // repeated containers: heading, row header, first link or text leaf
  bool operator==(const ContextAnchor&) const = default;
};

// One step to a place inside a frame: the scope that a locator is executed in.
struct LocatorScope {
  ContextKind kind = ContextKind::kRow;
  std::string role;
  std::optional<std::string> name;
  std::optional<std::string> text;
  bool operator==(const LocatorScope&) const = default;
};

// The structured form of a locator. `value` is the accessible name, label, placeholder, text,
// title, alt text, test id or CSS selector; `role` only with kRole; `attribute` only with kTestId.
struct LocatorDescriptor {
  LocatorStrategy strategy = LocatorStrategy::kRole;
  std::string role;
  std::string attribute;
  std::string value;
  std::vector<LocatorScope> within;  // outermost first; executable
  std::optional<uint32_t> nth;       // 0-based; positional, the last resort
  bool operator==(const LocatorDescriptor&) const = default;
};

struct LocatorIdentity {
  bool same_tag = false, same_role = false, same_accessible_name = false, same_text = false,
       same_visibility = false;
  bool operator==(const LocatorIdentity&) const = default;
};

struct Locator {
  LocatorId id;
  LocatorDescriptor descriptor;
  std::string expression;  // Playwright style
  std::string framework = "playwright";
  double score = 0;
  std::string reason;
  bool verified =
      false;  // resolves, in the page, to exactly one element, and that is the recorded one
  uint32_t match_count = 0;
  uint32_t failure_count = 0;
  std::optional<Timestamp> last_verified_at;
  std::vector<LocatorScope> scopes;  // all named containers, whether or not the locator needs them
  std::optional<LocatorIdentity> identity;
  std::vector<Evidence> evidence;
  bool operator==(const Locator&) const = default;
};

struct Interactability {
  bool visible = false, enabled = false, editable = false, receives_events = false;
  std::string blocker;  // what covers its centre; empty when nothing does
  bool operator==(const Interactability&) const = default;
};

struct SelectOption {
  std::string label, value;
  bool disabled = false, selected = false;
  bool operator==(const SelectOption&) const = default;
};

struct ParameterSurface {
  std::optional<std::string> name;
  std::string input_type;
  bool required = false, readonly = false, disabled = false, multiple = false, secret = false;
  std::optional<std::string> pattern, min, max, step, accept, autocomplete;
  std::optional<int64_t> min_length, max_length;
  std::vector<SelectOption> options;
  std::optional<std::string> form_method, form_action;
  bool operator==(const ParameterSurface&) const = default;
};

// Who computed role and name.
enum class NameSource : uint8_t {
  kBrowser = 1,
  kAccessibilityTree = 2,
  kInPage = 3,
  kImported = 4
};

struct Element {
  ElementId id;
  StateId state_id;
  AnchorKey anchor_key;  // independent of state and position
  std::string tag;
  std::optional<std::string> role;
  std::optional<std::string> accessible_name;
  NameSource name_source = NameSource::kBrowser;
  std::optional<std::string> text, label, placeholder;
  std::vector<NameValue> attributes;  // the stable ones only
  Rect bbox;
  std::vector<std::string> frame_path;   // outermost first: name, id or src path of each frame
  std::vector<std::string> shadow_path;  // outermost first: the hosts
  Interactability interactability;
  std::vector<ContextAnchor> context;  // nearest of each kind, sorted by kind
  std::optional<ParameterSurface> parameter_surface;
  std::vector<Locator> locators;       // best first
  std::vector<std::string> truncated;  // names of the fields that a cap cut
  bool unstable = false;               // differed between two observations of its state
  std::vector<Evidence> evidence;
  bool operator==(const Element&) const = default;
};

// ---- state -------------------------------------------------------------------------------------

enum class Lifecycle : uint8_t {
  kObserved = 1,
  kFingerprinted = 2,
  kVerified = 3,
  kStale = 4,
  kDeprecated = 5,
  kConflicted = 6,
};

// One ingredient of a stateId, in order; the id is the hash of all of them (docs/format.md).
struct IdentityPart {
  std::string kind;   // url | modal | heading | status | invalid | structure
  std::string value;  // normalised text, or a hex hash
  bool operator==(const IdentityPart&) const = default;
};

// A part that differed between two observations of one state: left out of diff and replay.
// element, modal, heading, status, invalid and order are left out of the state's identity too;
// content (an element whose identity held while its exact name or attributes differed), title,
// text, dom, form and template never were in it.
struct UnstablePart {
  std::string kind;
  std::string key;  // element, content: anchor key; modal to invalid: masked text; else empty
  bool operator==(const UnstablePart&) const = default;
  auto operator<=>(const UnstablePart&) const = default;
};

// A node that can prove arrival at a state.
struct Landmark {
  LandmarkId id;
  StateId state_id;
  std::string role;
  std::optional<std::string> name;
  std::optional<Locator> locator;
  TargetIdentity identity;  // in landmark mode; its `verification` says what it proves
  bool operator==(const Landmark&) const = default;
};

struct State {
  StateId id;
  std::string url;    // full, redacted
  std::string route;  // path and, for hash routers, the route
  std::string url_canonical_key;
  std::string title;
  std::optional<std::string> language;
  Viewport viewport;
  std::vector<std::string> frame_context;
  std::vector<std::string> modal_stack;  // outermost first
  std::string state_hash, dom_hash, visible_text_hash,
      actionable_signature_hash;  // exact, as evidence
  std::string template_key;       // structure with repeated siblings collapsed
  std::string form_state_hash;    // presence of values, checked, selected; never secret values
  std::optional<uint32_t> http_status;
  Lifecycle lifecycle = Lifecycle::kObserved;
  std::optional<EdgeId> opened_by_edge_id;  // first observed by that edge in this run
  Timestamp created_at;
  std::vector<IdentityPart> identity_parts;
  std::vector<UnstablePart> unstable_parts;  // sorted
  std::vector<Evidence> evidence;
  bool operator==(const State&) const = default;
};

// ---- edge, skip, failure -----------------------------------------------------------------------

enum class ActionType : uint8_t {
  kClick = 1,
  kFill = 2,
  kSelect = 3,
  kCheck = 4,
  kPress = 5,
  kUpload = 6,
  kHover = 7,
};

enum class RiskLevel : uint8_t { kLow = 1, kMedium = 2, kHigh = 3 };

enum class RiskCategory : uint8_t {
  kReadOnly = 1,
  kNavigation = 2,
  kUiReveal = 3,
  kInputEdit = 4,
  kFormSubmit = 5,
  kDataMutation = 6,
  kDestructive = 7,
  kAuthSensitive = 8,
  kPaymentSensitive = 9,
  kUnknown = 10,
};

enum class EffectType : uint8_t {
  kUrl = 1,
  kDom = 2,
  kVisibleText = 3,
  kInventory = 4,
  kFormState = 5,
  kNetwork = 6,
  kDownload = 7,
  kDialog = 8,
  kStorage = 9,
  kPopup = 10,
  kConsole = 11,
  kFocus = 12,
};

// One observed difference or event. `before`/`after` are hashes or redacted URLs; network effects
// carry method, url (in `after`), status and blocked; dialogs their kind, text and answer.
struct Effect {
  EffectType type = EffectType::kDom;
  std::optional<std::string> before, after;
  std::string description;
  std::vector<NameValue> details;  // sorted by name
  bool operator==(const Effect&) const = default;
};

struct SettleReport {
  bool settled = false;
  std::string clock;        // virtual | real
  std::string tier;         // quick | full | fallback
  uint64_t elapsed_ms = 0;  // real time; excluded from comparisons
  uint64_t virtual_ms = 0;  // granted page time
  std::vector<std::string> still_busy;
  bool operator==(const SettleReport&) const = default;
};

struct ActionEdge {
  EdgeId id;
  StateId from_state_id;
  std::optional<StateId> to_state_id;       // absent only in imports
  std::vector<StateId> other_to_state_ids;  // further destinations seen: the edge is conflicted
  ElementId element_id;
  std::optional<LocatorId> locator_id;
  ActionType action_type = ActionType::kClick;
  std::vector<NameValue> action_params;  // sorted; never secret values
  std::vector<std::string> preconditions;
  std::vector<std::string> parameter_specs;
  std::vector<Effect> effects;
  RiskLevel risk_level = RiskLevel::kLow;
  RiskCategory risk_category = RiskCategory::kUnknown;
  double confidence = 0;
  Lifecycle lifecycle = Lifecycle::kObserved;
  Timestamp created_at;
  std::vector<Evidence> evidence;
  TargetIdentity target;  // replay's recorded identity
  SettleReport settle;
  bool operator==(const ActionEdge&) const = default;
};

struct SkippedAction {
  SkipId id;
  StateId state_id;
  ElementId element_id;
  ActionType action_type = ActionType::kClick;
  RiskLevel risk_level = RiskLevel::kHigh;
  RiskCategory risk_category = RiskCategory::kUnknown;
  std::string reason;  // blocked:<category>
  std::vector<Evidence> evidence;
  Timestamp created_at;
  bool operator==(const SkippedAction&) const = default;
};

enum class FailureReason : uint8_t {
  kLocatorNotFound = 1,
  kLocatorNotUnique = 2,
  kElementHidden = 3,
  kElementDisabled = 4,
  kElementObscured = 5,
  kStatePreconditionMissing = 6,
  kFrameInaccessible = 7,
  kShadowRootClosed = 8,
  kNavigationTimeout = 9,
  kNetworkError = 10,
  kPermissionDenied = 11,
  kAuthRequired = 12,
  kCaptchaOrChallenge = 13,
  kRiskPolicyBlocked = 14,
  kEffectNotObserved = 15,
  kUnexpectedState = 16,
  kCompletionUnverified = 17,
  kPageCrashed = 18,
  kPageUnresponsive = 19,
  kPageTooLarge = 20,
  kBrowserGone = 21,
  kDialogBlocked = 22,
  kOutOfScope = 23,
};

struct FailedObservation {
  FailureId id;
  std::optional<StateId> state_id;  // absent only before any state
  std::optional<ElementId> element_id;
  std::optional<ActionType> action_type;
  FailureReason reason = FailureReason::kUnexpectedState;
  std::string message;  // never empty
  std::vector<Effect> effects;
  std::vector<Evidence> evidence;
  Timestamp created_at;
  bool operator==(const FailedObservation&) const = default;
};

enum class CompletionStatus : uint8_t {
  kComplete = 1,
  kDeferred = 2,  // there is something, and no proof that it is finished
  kTimeout = 3,
  kConversationMismatch = 4,
  kTargetMismatch = 5,
  kPageCrashed = 6,
};

// What a region was before the action that fills it.
struct RegionBaseline {
  std::string url;  // redacted
  std::optional<std::string> conversation_id;
  uint64_t item_count = 0;
  bool operator==(const RegionBaseline&) const = default;
};

// The item that supplied the proof; of an observation that is not complete, the item that was
// sampled. turn_index counts all items of the region; -1: none.
struct RegionProof {
  bool finished = false;
  std::optional<std::string> message_id, turn_id;
  int64_t turn_index = -1;
  std::string control;  // the selector of the terminal control, or what else was the proof
  bool operator==(const RegionProof&) const = default;
};

// Whether a region that fills by and by was seen to be finished (docs/completion.md).
struct CompletionObservation {
  ObservationId id;
  // What filled it; all three absent when the page was only waited for.
  std::optional<StateId> state_id;
  std::optional<ElementId> element_id;
  std::optional<ActionType> action_type;
  std::string profile;
  CompletionStatus status = CompletionStatus::kTimeout;
  std::optional<std::string> text;  // present exactly when complete
  RegionBaseline baseline;
  RegionProof proof;
  std::vector<std::string> warnings, used_fallbacks;
  uint64_t stable_ms = 0;   // so long the text had not changed
  uint64_t elapsed_ms = 0;  // of the whole wait; excluded from comparisons
  bool recoverable = false;
  std::string retry_hint, error_code;  // empty for complete
  std::vector<Evidence> evidence;
  Timestamp created_at;
  bool operator==(const CompletionObservation&) const = default;
};

}  // namespace topodb
