#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "query/script/script.h"

// Scripts made from a seed: every verb, every field, texts that are hard to write down.
namespace topodb::script {

class ScriptMaker {
 public:
  explicit ScriptMaker(uint32_t seed) : random_(seed) {}

  Script Make() {
    Script script;
    for (size_t i = Below(4); i > 0; --i) script.variables.push_back("NAME_" + std::to_string(i));
    script.url = "http://127.0.0.1/" + Text();
    script.scope = Coin() ? EntryScope::kOrigin : EntryScope::kDirectory;
    for (size_t i = Below(6); i > 0; --i) script.steps.push_back(MakeStep(script.variables));
    return script;
  }

  Step MakeStep(const std::vector<std::string>& variables) {
    constexpr size_t kVerbs = 8;
    Step step{.verb = static_cast<Verb>(Below(kVerbs)),
              .role = Text(),
              .name = Text(),
              .value = {},
              .target = {}};
    if (TakesValue(step.verb) && !variables.empty() && Coin()) {
      step.value.variable = variables[Below(variables.size())];
    } else if (TakesValue(step.verb)) {
      step.value.text = Text();
    }
    if (Below(8) == 0) return step;
    step.target = MakeTarget(step);
    return step;
  }

  TargetRecord MakeTarget(const Step& step) {
    TargetRecord target;
    target.identity = {.scope = {"@entry", Text(), Texts(), Texts(), Text()},
                       .ids = {},
                       .role = step.role,
                       .name = step.name,
                       .name_hash = Number(),
                       .masked_hash = Coin() ? 0 : Number(),
                       .ancestry = {},
                       .row_key = MaybeText(),
                       .sibling = Small(),
                       .region_order = Small(),
                       .region = Text(),
                       .identity_count = Small(),
                       .matched_count = Small(),
                       .state = {Coin(), Coin(), MaybeBool(), MaybeBool(), Text()},
                       .verification = static_cast<Verification>(1 + Below(3)),
                       .verification_reason = Text()};
    for (size_t i = Below(3); i > 0; --i) {
      target.identity.ids.push_back({static_cast<IdKind>(1 + Below(4)), Text(), Text(), Small()});
    }
    for (size_t i = Below(4); i > 0; --i) target.identity.ancestry.push_back({Text(), MaybeText()});
    if (!IsAction(step.verb)) return target;
    for (size_t i = Below(3); i > 0; --i) target.locators.push_back(MakeLocator());
    target.expected = MakeExpectation();
    return target;
  }

  LocatorDescriptor MakeLocator() {
    LocatorDescriptor locator;
    locator.strategy = static_cast<LocatorStrategy>(1 + Below(8));
    if (locator.strategy == LocatorStrategy::kRole) locator.role = Text();
    if (locator.strategy == LocatorStrategy::kTestId) locator.attribute = "data-testid";
    locator.value = Text();
    for (size_t i = Below(3); i > 0; --i) {
      locator.within.push_back(
          {static_cast<ContextKind>(1 + Below(6)), Text(), MaybeText(), MaybeText()});
    }
    if (Coin()) locator.nth = Small();
    return locator;
  }

  Expectation MakeExpectation() {
    Expectation expected;
    for (uint8_t& byte : expected.from.bytes) byte = static_cast<uint8_t>(Below(256));
    if (Coin()) expected.state = expected.from;
    expected.url_key = Text();
    expected.modal_stack = Texts();
    expected.template_key = Text();
    for (size_t i = Below(3); i > 0; --i) expected.unstable_parts.push_back({Text(), Text()});
    for (size_t i = Below(3); i > 0; --i) {
      Effect effect;
      effect.type = static_cast<EffectType>(1 + Below(12));
      effect.after = MaybeText();
      effect.details = {{"kind", Text()}, {"method", Text()}};
      expected.effects.push_back(effect);
    }
    return expected;
  }

 private:
  size_t Below(size_t bound) { return random_() % bound; }
  bool Coin() { return Below(2) == 0; }
  uint64_t Number() { return (uint64_t{random_()} << 32U) | random_(); }
  uint32_t Small() { return static_cast<uint32_t>(Below(5)); }
  std::optional<bool> MaybeBool() {
    return Coin() ? std::optional<bool>() : std::optional<bool>(Coin());
  }
  std::optional<std::string> MaybeText() {
    return Coin() ? std::optional<std::string>() : std::optional<std::string>(Text());
  }
  std::vector<std::string> Texts() {
    std::vector<std::string> texts;
    for (size_t i = Below(3); i > 0; --i) texts.push_back(Text());
    return texts;
  }
  std::string Text() {
    static const std::vector<std::string> kPieces = {"",
                                                     "a",
                                                     "Save all",
                                                     "\"",
                                                     "\\",
                                                     "\n",
                                                     "\r",
                                                     "\t",
                                                     "${NAME}",
                                                     "#",
                                                     "@target-v1",
                                                     "\x1b",
                                                     "\x7f",
                                                     "\xC3\xA9",
                                                     "\xF0\x9F\x98\x80",
                                                     "\xE2\x80\xAE",
                                                     "\xE2\x80\xA8",
                                                     "'",
                                                     "=",
                                                     " ",
                                                     "{",
                                                     "null"};
    std::string text;
    for (size_t i = Below(4); i > 0; --i) text += kPieces[Below(kPieces.size())];
    return text;
  }

  std::mt19937 random_;
};

}  // namespace topodb::script
