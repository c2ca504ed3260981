#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/identity/classify.h"
#include "schema/model.h"

// What a replay found, as plain values: one structure feeds text, JSON and the exit code.
namespace topodb::replay {

inline constexpr size_t kMaxSuggestions = 5;
inline constexpr size_t kMaxScreenRefs = 20;

enum class StepVerdict : uint8_t {
  kPassed,
  kPassedPositional,  // acted on a target that position alone tells from its twins
  kDiverged,          // Divergence::kind says how
  kUnverified,        // nothing is recorded that could be verified: nothing was done
  kSkipped,           // `reason`: risk:<category>, out-of-scope, secret-value
  kNotRun,            // `reason`: its source state was not reached, or the replay ended before
};

// What to do about a divergence; computed, never guessed from texts.
enum class RepairHint : uint8_t {
  kCaution,        // something else stands where the target was: look before repairing
  kManual,         // a person has to decide
  kRecordAndHeal,  // the place is there, the target is called otherwise: record it again
  kStateRepair,    // the page is not where it should be: repair the way to it
};

// How well the destination is proved.
enum class Arrival : uint8_t {
  kNo,
  kSameChange,  // from a page that had drifted: what came and went is what was recorded to
  kSameParts,   // URL key, modal stack and all parts agree, in another order or structure
  kSamePlace,   // URL key, modal stack and template agree, every provable landmark is there
  kSameState,   // the state's id
};

std::string_view ToString(StepVerdict verdict);
std::string_view ToString(RepairHint hint);
std::string_view ToString(Arrival arrival);

struct Cause {
  std::string code;     // stable, for programs: "row-gone", "obscured", "unexpected-dialog" …
  std::string message;  // for people
  std::string hint;     // what to do; may be empty
};

struct NodeSummary {
  std::string role, name;
  std::optional<std::string> row_key;
  std::vector<std::string> ids;  // "data-testid=save"
};

// The recorded target against what was found.
struct TargetBinding {
  BindingKind classification = BindingKind::kUnverified;
  uint32_t match_count = 0;
  NodeSummary recorded;
  std::optional<NodeSummary> observed;
  std::vector<Mismatch> mismatches;
  std::vector<NodeSummary> candidates;  // best first
};

struct Suggestion {
  std::string selector;  // a locator's expression
  std::string basis;     // id | role-name | name | other
};

struct Divergence {
  // A BindingKind's name, or not-actionable, dispatch-mismatch, dispatch-unconfirmed,
  // outcome-mismatch, no-observable-effect, source-state-mismatch, action-failure, page-crashed.
  std::string kind;
  Cause cause;
  // False: the page could not be looked at, so nothing below describes it.
  bool screen_available = false;
  std::vector<std::string> screen_refs;  // `role "name"` of what is on the page
  std::optional<TargetBinding> binding;
  std::vector<Mismatch> outcome;  // expected against observed, of the destination
  std::vector<Suggestion> suggestions;
  RepairHint repair_hint = RepairHint::kManual;
};

struct StepReport {
  size_t index = 0;  // 1-based
  EdgeId edge;
  ElementId element;
  ActionType action = ActionType::kClick;
  std::string role, name;  // of the recorded target
  std::string locator;     // expression of the one that was resolved; empty when none was
  StateId from;
  std::optional<StateId> to;
  StepVerdict verdict = StepVerdict::kNotRun;
  std::string reason;  // of skipped, unverified and not-run
  Arrival arrival = Arrival::kNo;
  bool digits_drifted = false;  // passed although digits of the target's name differ
  std::optional<Divergence> divergence;
};

enum class ReplayEnd : uint8_t { kCompleted, kDeadline, kCancelled, kBrowserGone };

std::string_view ToString(ReplayEnd end);

// Where to take the replay up after `step` was repaired; nullopt after steps that passed.
struct ResumePoint {
  size_t from = 1;
  std::optional<size_t> alternate_from;  // when a person has made sure that the step is done
};
std::optional<ResumePoint> ResumePointOf(const StepReport& step);

struct VerdictCounts {
  size_t passed = 0, passed_positional = 0, diverged = 0, unverified = 0, skipped = 0, not_run = 0;
};

struct ReplayReport {
  RunId run;
  std::string run_name;
  std::string entry_url;  // that was opened
  ReplayEnd end = ReplayEnd::kCompleted;
  std::string plan_digest;  // of all steps, also of those left out by resuming
  std::vector<StepReport> steps;

  VerdictCounts Count() const;
  // Every step passed, and nothing ended the replay early.
  bool AllPassed() const;
};

}  // namespace topodb::replay
