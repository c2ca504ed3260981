#include "cli/command_explain.h"

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "cli/database.h"
#include "cli/found_record.h"
#include "cli/output.h"
#include "cli/run_view.h"
#include "query/exchange/json_writer.h"
#include "schema/names.h"

namespace topodb::cli {
namespace {

// One thing that a record rests on.
struct Reason {
  std::string about;  // identity, unstable, risk, locator, effect, only in A …
  std::string kind;
  std::string detail;
};

using Reasons = std::vector<Reason>;

void AddEvidence(const std::vector<Evidence>& evidence, Reasons& reasons) {
  for (const Evidence& item : evidence) {
    reasons.push_back(
        {"evidence", fmt::format("{} {}", ToString(item.level), item.source), item.description});
  }
}

void AddRisk(RiskLevel level, RiskCategory category, Reasons& reasons) {
  reasons.push_back({"risk", std::string(ToString(level)), std::string(ToString(category))});
}

Reasons Explain(const State& state) {
  Reasons reasons;
  for (const IdentityPart& part : state.identity_parts) {
    reasons.push_back({"identity", part.kind, part.value});
  }
  for (const UnstablePart& part : state.unstable_parts) {
    reasons.push_back({"unstable", part.kind, part.key});
  }
  AddEvidence(state.evidence, reasons);
  return reasons;
}

Reasons Explain(const Element& element) {
  Reasons reasons;
  reasons.push_back({"identity", "anchor", element.anchor_key.ToString()});
  for (const Locator& locator : element.locators) {
    reasons.push_back(
        {"locator",
         fmt::format("{:.2f} {}", locator.score, locator.verified ? "verified" : "unverified"),
         fmt::format("{} — {}", locator.expression, locator.reason)});
  }
  AddEvidence(element.evidence, reasons);
  return reasons;
}

Reasons Explain(const ActionEdge& edge) {
  Reasons reasons;
  AddRisk(edge.risk_level, edge.risk_category, reasons);
  reasons.push_back({"identity", std::string(ToString(edge.target.verification)),
                     edge.target.verification_reason});
  for (const Effect& effect : edge.effects) {
    reasons.push_back({"effect", std::string(ToString(effect.type)), effect.description});
  }
  AddEvidence(edge.evidence, reasons);
  return reasons;
}

Reasons Explain(const SkippedAction& skip) {
  Reasons reasons;
  AddRisk(skip.risk_level, skip.risk_category, reasons);
  reasons.push_back({"refusal", std::string(ToString(skip.action_type)), skip.reason});
  AddEvidence(skip.evidence, reasons);
  return reasons;
}

Reasons Explain(const FailedObservation& failure) {
  Reasons reasons;
  reasons.push_back({"failure", std::string(ToString(failure.reason)), failure.message});
  AddEvidence(failure.evidence, reasons);
  return reasons;
}

Reasons Explain(const CompletionObservation& observation) {
  Reasons reasons;
  reasons.push_back(
      {"completion", std::string(ToString(observation.status)),
       observation.error_code.empty() ? observation.proof.control : observation.error_code});
  for (const std::string& fallback : observation.used_fallbacks) {
    reasons.push_back({"fallback", fallback, ""});
  }
  for (const std::string& warning : observation.warnings) {
    reasons.push_back({"warning", "", warning});
  }
  AddEvidence(observation.evidence, reasons);
  return reasons;
}

Reasons Explain(const Landmark& landmark) {
  return {{"identity", std::string(ToString(landmark.identity.verification)),
           landmark.identity.verification_reason}};
}

Reasons Explain(const Run& run) {
  Reasons reasons = {{"fingerprint", "value", run.input_fingerprint.ToString()},
                     {"fingerprint", "seed", run.input_seed},
                     {"fingerprint", "mode", std::string(ToString(run.mode))},
                     {"fingerprint", "risk policy", run.risk_policy_version},
                     {"fingerprint", "policy hash", run.policy_hash},
                     {"fingerprint", "normalization", run.normalization_rule_version},
                     {"fingerprint", "locator scoring", run.locator_scoring_version}};
  for (const Budget& budget : run.budgets) {
    if (budget.hit) reasons.push_back({"budget", budget.name, std::to_string(budget.limit)});
  }
  for (const std::string& warning : run.warnings) reasons.push_back({"warning", "", warning});
  return reasons;
}

// What two states' ids are made of: parts that both have, and parts of one.
Reasons Compare(const State& a, const State& b) {
  Reasons reasons;
  const auto has = [](const State& state, const IdentityPart& part) {
    return std::find(state.identity_parts.begin(), state.identity_parts.end(), part) !=
           state.identity_parts.end();
  };
  for (const IdentityPart& part : a.identity_parts) {
    reasons.push_back({has(b, part) ? "in both" : "only in first", part.kind, part.value});
  }
  for (const IdentityPart& part : b.identity_parts) {
    if (!has(a, part)) reasons.push_back({"only in second", part.kind, part.value});
  }
  return reasons;
}

CellStyle StyleOf(std::string_view about) {
  return about.starts_with("only") ? CellStyle::kCaution : CellStyle::kPlain;
}

void Print(const Reasons& reasons, Console& console) {
  RecordList list(console, {{"ABOUT"}, {"KIND"}, {"DETAIL", 120}}, {"about", "kind", "detail"});
  for (const Reason& reason : reasons) {
    if (list.for_people()) {
      list.AddRow({{reason.about, StyleOf(reason.about)}, {reason.kind}, {reason.detail}});
      continue;
    }
    std::string text;
    query::JsonWriter json(text);
    json.BeginObject();
    json.Key("about");
    json.String(reason.about);
    json.Key("kind");
    json.String(reason.kind);
    json.Key("detail");
    json.String(reason.detail);
    json.EndObject();
    list.AddRecord(text);
  }
  list.Finish();
}

}  // namespace

void AddExplain(CLI::App& app, Selection& selection) {
  const auto [command, options] =
      AddCommand(app, selection, "explain", "says what a record rests on", RunExplain);
  command->add_option("ID", options->id, "id prefix of any record")->required();
  command->add_option("OTHER", options->other, "a second state: what sets the two apart");
  command->add_option("--run", options->run, "look in this run only")->type_name("RUN");
}

Result<ExitCode> RunExplain(const ExplainOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  TOPODB_TRY(const LocatedRecord first, LocateRecord(reader, options.id, options.run));
  if (options.other.empty()) {
    Print(std::visit([](const auto& record) { return Explain(record); }, first.record), console);
    return ExitCode::kSuccess;
  }
  TOPODB_TRY(const LocatedRecord second, LocateRecord(reader, options.other, options.run));
  const auto* a = std::get_if<State>(&first.record);
  const auto* b = std::get_if<State>(&second.record);
  if (a == nullptr || b == nullptr) {
    return Error{ErrorCode::kInvalidArgument,
                 "two records can be compared only when both are states",
                 "give one id to explain any other record"};
  }
  Print(Compare(*a, *b), console);
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
