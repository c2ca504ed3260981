#include "query/script/make_script.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "query/exchange/json_writer.h"
#include "query/script/script_text.h"
#include "query/script/variable_names.h"
#include "schema/names.h"

namespace topodb::script {
namespace {

constexpr size_t kShownLandmarks = 10;
constexpr size_t kShownDigits = 8;

Error Refused(std::string message, std::string hint) {
  return {ErrorCode::kInvalidArgument, std::move(message), std::move(hint)};
}

// role "name", harmless on a terminal.
std::string Called(std::string_view role, std::string_view name) {
  std::string text(role);
  text += ' ';
  query::AppendJsonString(name, text);
  return text;
}

// ---- the guard ---------------------------------------------------------------------------------

bool Proves(const Landmark& landmark) {
  return landmark.identity.verification == Verification::kVerified &&
         !landmark.identity.name.empty();
}

// A line for each landmark that can be a guard, in stored order, which is best first.
std::string ListOf(const std::vector<Landmark>& landmarks) {
  std::string list;
  size_t listed = 0, left = 0;
  for (const Landmark& landmark : landmarks) {
    if (!Proves(landmark)) continue;
    if (listed == kShownLandmarks) {
      ++left;
      continue;
    }
    ++listed;
    list += fmt::format("\n{}  {}",
                        landmark.id.ToString().substr(0, LandmarkId::kPrefix.size() + kShownDigits),
                        Called(landmark.identity.role, landmark.identity.name));
  }
  if (left > 0) list += fmt::format("\nand {} more", left);
  return list;
}

std::string Choices(const std::vector<Landmark>& landmarks) {
  const std::string list = ListOf(landmarks);
  if (list.empty()) return "no landmark of the state proves anything: go to another state";
  return "name one with --guard, best first:" + list;
}

bool IsNamed(const Landmark& landmark, std::string_view reference) {
  const std::string id = landmark.id.ToString();
  if (id.starts_with(reference) || id.substr(LandmarkId::kPrefix.size()).starts_with(reference)) {
    return true;
  }
  const std::string name = landmark.name.value_or("");
  return reference == fmt::format("{} \"{}\"", landmark.role, name) ||
         reference == Called(landmark.role, name) ||
         (landmark.locator && reference == landmark.locator->expression);
}

Result<Step> MakeGuard(const std::vector<Landmark>& landmarks, std::string_view reference) {
  if (reference.empty()) {
    return Refused("a script needs a landmark that proves where it led", Choices(landmarks));
  }
  std::vector<const Landmark*> named;
  for (const Landmark& landmark : landmarks) {
    if (IsNamed(landmark, reference)) named.push_back(&landmark);
  }
  if (named.empty()) {
    return Refused(fmt::format("no landmark of the state is called '{}'", reference),
                   Choices(landmarks));
  }
  if (named.size() > 1) {
    return Error{ErrorCode::kAmbiguous,
                 fmt::format("several landmarks of the state are called '{}'", reference),
                 Choices(landmarks)};
  }
  const TargetIdentity& identity = named.front()->identity;
  if (!Proves(*named.front())) {
    return Refused(
        fmt::format("{} proves nothing: {}", Called(identity.role, identity.name),
                    identity.name.empty() ? "it has no name" : identity.verification_reason),
        Choices(landmarks));
  }
  return Step{.verb = Verb::kWait,
              .role = identity.role,
              .name = identity.name,
              .value = {},
              .target = TargetRecord{.identity = identity, .locators = {}, .expected = {}}};
}

// ---- steps -------------------------------------------------------------------------------------

// Of an effect's details, those that a replay compares.
std::vector<NameValue> Compared(const Effect& effect) {
  constexpr auto kCompared =
      std::to_array<std::pair<EffectType, std::string_view>>({{EffectType::kNetwork, "blocked"},
                                                              {EffectType::kNetwork, "method"},
                                                              {EffectType::kDialog, "kind"},
                                                              {EffectType::kStorage, "area"},
                                                              {EffectType::kStorage, "key"}});
  std::vector<NameValue> details;
  for (const NameValue& detail : effect.details) {
    if (std::ranges::find(kCompared, std::pair(effect.type, std::string_view(detail.first))) !=
        kCompared.end()) {
      details.push_back(detail);
    }
  }
  return details;
}

Expectation MakeExpectation(const RecordedStep& recorded) {
  const State& state = recorded.destination;
  Expectation expected{.from = recorded.edge.from_state_id,
                       .state = state.id,
                       .url_key = state.url_canonical_key,
                       .modal_stack = state.modal_stack,
                       .template_key = state.template_key,
                       .unstable_parts = state.unstable_parts,
                       .effects = {}};
  for (const Effect& effect : recorded.edge.effects) {
    const bool has_address = effect.type == EffectType::kNetwork || effect.type == EffectType::kUrl;
    expected.effects.push_back({.type = effect.type,
                                .before = std::nullopt,
                                .after = has_address ? effect.after : std::nullopt,
                                .description = "",
                                .details = Compared(effect)});
  }
  return expected;
}

// The edge's own locator first, then the verified ones in stored order.
std::vector<LocatorDescriptor> LocatorsOf(const RecordedStep& recorded) {
  std::vector<LocatorDescriptor> locators;
  for (const Locator& locator : recorded.element.locators) {
    const bool own = recorded.edge.locator_id == locator.id;
    if (own) locators.insert(locators.begin(), locator.descriptor);
    if (!own && locator.verified) locators.push_back(locator.descriptor);
  }
  return locators;
}

Value MakeValue(const RecordedStep& recorded, VariableNames& names) {
  const auto& [edge, element, destination] = recorded;
  if (edge.action_type == ActionType::kUpload) {
    return {.text = {}, .variable = names.NameFor(element, "_FILE")};
  }
  if (HoldsSecret(edge, element)) return {.text = {}, .variable = names.NameFor(element, "")};
  for (const auto& [name, value] : edge.action_params) {
    if (name == "value" || name == "key") return {.text = value, .variable = {}};
  }
  return {};
}

Result<Step> MakeStep(const RecordedStep& recorded, VariableNames& names) {
  const TargetIdentity& identity = recorded.edge.target;
  if (identity.verification != Verification::kVerified) {
    return Refused(
        fmt::format(
            "{} of {}: the recorded target is {}{}", ToString(recorded.edge.action_type),
            Called(identity.role, identity.name), ToString(identity.verification),
            identity.verification_reason.empty() ? "" : ": " + identity.verification_reason),
        "a script acts only on targets that nothing else can be taken for: give the element a test "
        "id or a name of its own, and capture the site again");
  }
  Step step{.verb = VerbOf(recorded.edge.action_type),
            .role = identity.role,
            .name = identity.name,
            .value = {},
            .target = TargetRecord{.identity = identity,
                                   .locators = LocatorsOf(recorded),
                                   .expected = MakeExpectation(recorded)}};
  if (TakesValue(step.verb)) step.value = MakeValue(recorded, names);
  return step;
}

}  // namespace

Result<Script> MakeScript(const RecordedWay& way, std::string_view guard) {
  TOPODB_TRY(Step last, MakeGuard(way.landmarks, guard));
  Script script{.variables = {}, .url = way.entry_url, .scope = way.scope, .steps = {}};
  VariableNames names;
  for (const RecordedStep& recorded : way.steps) {
    TOPODB_TRY(Step step, MakeStep(recorded, names));
    script.steps.push_back(std::move(step));
  }
  script.steps.push_back(std::move(last));
  script.variables = names.Take();
  TOPODB_TRY_VOID(CheckGuard(script));
  // Nothing is published that could not be read again.
  const auto read = ParseScript(Serialize(script));
  if (!read) return Error(read.error()).With("as a script the path would not be readable");
  return script;
}

Status CheckGuard(const Script& script) {
  for (auto step = script.steps.rbegin(); step != script.steps.rend(); ++step) {
    if (IsAction(step->verb)) break;
    if (step->target && !step->name.empty() &&
        step->target->identity.verification == Verification::kVerified) {
      return {};
    }
  }
  return Refused("nothing proves where the script leads",
                 "end it with a wait for a landmark that has a name and a verified record");
}

}  // namespace topodb::script
