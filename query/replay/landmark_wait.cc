#include "query/replay/landmark_wait.h"

#include <algorithm>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "query/replay/binding.h"
#include "schema/identity/build_identity.h"
#include "schema/identity/classify.h"

namespace topodb::replay {
namespace {

// What the page itself says about where its marks are; nullopt without any.
std::optional<TargetScope> ScopeOf(const PageSnapshot& page) {
  if (page.marks.empty()) return std::nullopt;
  return LocalIdentity(page, page.marks.front()).scope;
}

std::vector<Mismatch> ScopeMismatches(const TargetIdentity& recorded, const PageSnapshot& page) {
  std::vector<Mismatch> mismatches;
  const auto scope = ScopeOf(page);
  if (!scope) return mismatches;
  const auto compare = [&](const char* field, const std::string& expected,
                           const std::string& observed) {
    if (expected != observed) mismatches.push_back({field, expected, observed});
  };
  compare("origin", recorded.scope.origin, scope->origin);
  compare("pathTemplate", recorded.scope.path_template, scope->path_template);
  compare("topLayer", recorded.scope.top_layer, scope->top_layer);
  return mismatches;
}

uint32_t CountNamed(const TargetIdentity& recorded, const PageSnapshot& page) {
  return static_cast<uint32_t>(std::ranges::count_if(page.marks, [&](const SnapshotMark& mark) {
    const TargetIdentity observed = LocalIdentity(page, mark);
    return observed.role == recorded.role && observed.name_hash == recorded.name_hash;
  }));
}

// What the looks at the page have shown so far.
struct Seen {
  std::optional<PageSnapshot> page;   // the last one
  std::optional<Error> trouble;       // of the last look
  uint32_t impostors = 0;             // of the last page that had one
  std::vector<Mismatch> differences;  // of that page
};

NodeSummary Summarise(const TargetIdentity& identity) {
  return {.role = identity.role, .name = identity.name, .row_key = identity.row_key, .ids = {}};
}

Divergence Describe(const TargetIdentity& recorded, const Seen& seen) {
  Divergence divergence;
  const std::string target = fmt::format("{} \"{}\"", recorded.role, recorded.name);
  divergence.repair_hint = RepairHint::kManual;
  divergence.screen_available = seen.page.has_value();
  if (!seen.page) {
    divergence.kind = "capture-failure";
    divergence.cause = {"unreadable", seen.trouble ? seen.trouble->message : "", ""};
    return divergence;
  }
  divergence.screen_refs = ScreenRefs(*seen.page);
  if (seen.impostors == 0) {
    divergence.kind = "action-failure";
    divergence.cause = {"timeout", fmt::format("{} did not appear", target), ""};
    return divergence;
  }
  divergence.kind = "identity-mismatch";
  divergence.cause = {"impostor", fmt::format("what is called {} is not the recorded one", target),
                      ""};
  divergence.binding = TargetBinding{.classification = BindingKind::kIdentityMismatch,
                                     .match_count = seen.impostors,
                                     .recorded = Summarise(recorded),
                                     .observed = std::nullopt,
                                     .mismatches = seen.differences,
                                     .candidates = {}};
  divergence.repair_hint = RepairHint::kCaution;
  return divergence;
}

}  // namespace

bool HoldsLandmark(const TargetIdentity& recorded, const PageSnapshot& page) {
  return ScopeOf(page) && ScopeMismatches(recorded, page).empty() &&
         ClassifyLandmark(recorded, page).found;
}

void LandmarkWait::Run(capture::PageDriver& driver, const BaseMap& base,
                       const TargetIdentity& recorded, StepReport& step) const {
  step.verdict = StepVerdict::kDiverged;
  if (recorded.verification != Verification::kVerified) {
    step.divergence.emplace();
    step.divergence->kind = "identity-unverifiable";
    step.divergence->cause = {"recorded", "its record proves nothing", ""};
    return;
  }
  Seen seen;
  const auto started = clock_.Steady();
  while (true) {
    auto page = driver.Snapshot();
    if (page) {
      seen.page = base.ToRecorded(*std::move(page));
      if (HoldsLandmark(recorded, *seen.page)) {
        step.verdict = StepVerdict::kPassed;
        return;
      }
      if (const uint32_t named = CountNamed(recorded, *seen.page); named > 0) {
        seen.impostors = named;
        seen.differences = ScopeMismatches(recorded, *seen.page);
        if (seen.differences.empty()) {
          seen.differences = ClassifyLandmark(recorded, *seen.page).mismatches;
        }
      }
    } else {
      seen.trouble = page.error();
      if (page.error().code == ErrorCode::kBrowserGone) break;
    }
    if (clock_.Steady() - started >= options_.patience || cancelled_.load()) break;
    if (options_.pause) {
      options_.pause(options_.poll);
    } else {
      std::this_thread::sleep_for(options_.poll);
    }
  }
  step.divergence = Describe(recorded, seen);
}

}  // namespace topodb::replay
