#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "capture/guard/network_guard.h"
#include "capture/guard/scope.h"
#include "cli/duration.h"
#include "query/exchange/iso_time.h"
#include "query/exchange/record_css.h"
#include "schema/base/ids.h"
#include "schema/names.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

// The small texts that people and documents write: each value has a text that reads back.
void CheckTimes(std::string_view text) {
  if (const auto duration = cli::ParseDuration(text)) {
    Require(duration->count() >= 0, "no duration is negative", text);
    const auto again = cli::ParseDuration(fmt::format("{}ms", duration->count()));
    Require(again && *again == *duration, "a duration reads back equal", text);
  }
  if (const auto time = query::ParseIsoTime(text)) {
    const std::string written = query::ToIsoTime(*time);
    const auto again = query::ParseIsoTime(written);
    Require(again && query::ToIsoTime(*again) == written, "a time reads back", text);
    // An offset can lead out of the years that can be written.
    Require(written.starts_with("0000-") || written.starts_with("9999-") || *again == *time,
            "a time reads back equal", text);
  }
}

void CheckNames(std::string_view text) {
  if (const auto id = StateId::Parse(text)) {
    Require(id->ToString() == text, "an id has one spelling", text);
  }
  if (const auto level = Parse<RiskLevel>(text)) {
    Require(ToString(*level) == text, "an enumerator has one name", text);
  }
  std::string attribute, value;
  if (query::ParseAttributeSelector(text, attribute, value)) {
    std::string again_attribute, again_value;
    const bool again = query::ParseAttributeSelector(query::AttributeSelector(attribute, value),
                                                     again_attribute, again_value);
    const bool controls = value.find_first_of("\x7F\n\t\r") != std::string::npos;
    Require(!again || (again_attribute == attribute && again_value == value),
            "a selector reads back equal or not at all", text);
    Require(again || controls ||
                std::any_of(value.begin(), value.end(),
                            [](char c) { return static_cast<unsigned char>(c) < 0x20; }),
            "a selector without controls reads back", text);
  }
}

void CheckRules(std::string_view text) {
  using namespace capture;
  if (const auto origin = ParseAllowOrigin(text)) {
    const ScopePolicy policy{.entry_url = "https://entry.example/", .allow_origins = {*origin}};
    for (const char* url : {"https://entry.example.evil.test/", "https://evil.test/"}) {
      Require(!Judge(policy, url, RequestKind::kTopNavigation).allowed ||
                  origin->find("evil.test") != std::string::npos,
              "an allowed origin opens no other", text);
    }
  }
  if (const auto rule = ParseGuardAllow(text, "https://entry.example/")) {
    Require(rule->text == text && !rule->method.empty() && !rule->pattern.empty(),
            "a rule has a method and a pattern", text);
    const GuardRules rules{.mode = GuardMode::kMutations, .allow = {*rule}};
    const auto verdict = JudgeRequest({.method = "POST", .url = "https://evil.test/"}, rules);
    Require(!verdict.allowed || rule->pattern.find("evil") != std::string::npos ||
                rule->pattern.find("*.") != std::string::npos,
            "a rule opens no other host", text);
  }
}

FUZZ_TARGET(argument) {
  CheckTimes(input);
  CheckNames(input);
  CheckRules(input);
}

}  // namespace
}  // namespace topodb::fuzz
