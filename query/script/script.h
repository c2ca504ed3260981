#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/ids.h"
#include "schema/identity/target_identity.h"
#include "schema/model.h"

// A portable script (docs/script.md): one page to open, what to do there, and the landmarks that
// prove where it led. Plain values; text in script_text.h.
namespace topodb::script {

inline constexpr int kFormatVersion = 1;

// What "@entry" stands for in the recorded addresses, see capture::EntryScope.
enum class EntryScope : uint8_t { kOrigin, kDirectory };

enum class Verb : uint8_t { kClick, kFill, kSelect, kCheck, kPress, kUpload, kHover, kWait };

std::string_view ToString(Verb verb);
std::optional<Verb> ParseVerb(std::string_view text);

// Whether a step may change the page or the site; waits only look.
bool IsAction(Verb verb);
// Whether a step enters something.
bool TakesValue(Verb verb);
// Of actions only.
ActionType ActionTypeOf(Verb verb);
Verb VerbOf(ActionType type);

// What a step enters: a text, or the name of a variable that holds it. Secrets and files are always
// variables. Both empty: nothing.
struct Value {
  std::string text;
  std::string variable;
  bool operator==(const Value&) const = default;
};

// What an action led to when it was recorded.
struct Expectation {
  StateId from, state;
  std::string url_key;  // State::url_canonical_key
  std::vector<std::string> modal_stack;
  std::string template_key;
  std::vector<UnstablePart> unstable_parts;
  std::vector<Effect> effects;  // only what a replay compares
  bool operator==(const Expectation&) const = default;
};

// The annotation "target-v1": which node the step is about.
struct TargetRecord {
  TargetIdentity identity;                  // of a wait: of a landmark
  std::vector<LocatorDescriptor> locators;  // best first; none for a wait
  std::optional<Expectation> expected;      // of every action, and of no wait
  bool operator==(const TargetRecord&) const = default;
};

struct Step {
  Verb verb = Verb::kClick;
  std::string role, name;  // of the target
  Value value;
  std::optional<TargetRecord> target;  // absent: the file has none that this version reads
  bool operator==(const Step&) const = default;
};

struct Script {
  std::vector<std::string> variables;  // in the order of the file, each once
  std::string url;                     // to open, redacted
  EntryScope scope = EntryScope::kOrigin;
  std::vector<Step> steps;
  bool operator==(const Script&) const = default;
};

// A name for variables: a capital letter, then capital letters, digits and '_'; at most 64.
bool IsVariableName(std::string_view name);

}  // namespace topodb::script
