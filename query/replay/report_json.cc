#include "query/replay/report_json.h"

#include <string_view>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "schema/base/text.h"
#include "schema/names.h"

namespace topodb::replay {
namespace {

namespace json = boost::json;

constexpr int kDivergenceVersion = 1;

json::string Text(std::string_view text) {
  const std::string cut = TruncateUtf8(text, kMaxReportString);
  return json::string(cut.data(), cut.size());
}

template <class Items, class Make>
json::array List(const Items& items, const Make& make) {
  json::array list;
  for (const auto& item : items) list.emplace_back(make(item));
  return list;
}

json::object Summary(const NodeSummary& node) {
  json::object out;
  out["role"] = Text(node.role);
  out["name"] = Text(node.name);
  out["rowKey"] = node.row_key ? json::value(Text(*node.row_key)) : json::value(nullptr);
  out["ids"] = List(node.ids, Text);
  return out;
}

json::object MismatchOf(const Mismatch& mismatch) {
  json::object out;
  out["field"] = Text(mismatch.field);
  out["recorded"] = Text(mismatch.recorded);
  out["observed"] = Text(mismatch.observed);
  return out;
}

json::object BindingOf(const TargetBinding& binding) {
  json::object out;
  out["classification"] = ToString(binding.classification);
  out["matchCount"] = binding.match_count;
  out["recorded"] = Summary(binding.recorded);
  out["observed"] =
      binding.observed ? json::value(Summary(*binding.observed)) : json::value(nullptr);
  out["mismatches"] = List(binding.mismatches, MismatchOf);
  out["candidates"] = List(binding.candidates, Summary);
  return out;
}

json::object ActionOf(const StepReport& step) {
  json::object out;
  out["type"] = ToString(step.action);
  out["role"] = Text(step.role);
  out["name"] = Text(step.name);
  out["locator"] = Text(step.locator);
  return out;
}

json::object ResumeOf(const ResumePoint& point, const std::string& plan_digest) {
  json::object out;
  out["allowed"] = !plan_digest.empty();
  out["from"] = point.from;
  out["planDigest"] = plan_digest;
  out["alternateFrom"] =
      point.alternate_from ? json::value(*point.alternate_from) : json::value(nullptr);
  return out;
}

json::object DivergenceOf(const StepReport& step, const Divergence& divergence,
                          const std::string& plan_digest) {
  json::object out;
  out["version"] = kDivergenceVersion;
  out["kind"] = Text(divergence.kind);
  out["step"] = {{"index", step.index}, {"source", step.edge.ToString()}};
  out["action"] = ActionOf(step);
  out["cause"] = {{"code", Text(divergence.cause.code)},
                  {"message", Text(divergence.cause.message)},
                  {"hint", Text(divergence.cause.hint)}};
  out["screen"] = {{"state", divergence.screen_available ? "available" : "unavailable"},
                   {"refs", List(divergence.screen_refs, Text)}};
  out["outcome"] = List(divergence.outcome, MismatchOf);
  out["suggestions"] = List(divergence.suggestions, [](const Suggestion& suggestion) {
    return json::object{{"selector", Text(suggestion.selector)}, {"basis", Text(suggestion.basis)}};
  });
  if (const auto point = ResumePointOf(step)) out["resume"] = ResumeOf(*point, plan_digest);
  out["repairHint"] = ToString(divergence.repair_hint);
  if (divergence.binding) out["targetBinding"] = BindingOf(*divergence.binding);
  return out;
}

// Takes something away, least useful first. False when nothing is left to take.
bool Shrink(Divergence& divergence) {
  const auto halve = [](auto& list) {
    if (list.empty()) return false;
    list.resize(list.size() / 2);
    return true;
  };
  if (halve(divergence.screen_refs)) return true;
  if (divergence.binding && halve(divergence.binding->candidates)) return true;
  if (halve(divergence.suggestions)) return true;
  if (divergence.binding && halve(divergence.binding->mismatches)) return true;
  return halve(divergence.outcome);
}

json::object Bounded(const StepReport& step, const std::string& plan_digest, size_t ceiling) {
  Divergence divergence = *step.divergence;
  json::object out = DivergenceOf(step, divergence, plan_digest);
  while (json::serialize(out).size() > ceiling && Shrink(divergence)) {
    out = DivergenceOf(step, divergence, plan_digest);
  }
  return out;
}

json::object StepOf(const StepReport& step, const std::string& plan_digest, ReportDetail detail) {
  json::object out;
  out["index"] = step.index;
  out["edgeId"] = step.edge.ToString();
  out["elementId"] = step.element.ToString();
  out["fromStateId"] = step.from.ToString();
  out["toStateId"] = step.to ? json::value(step.to->ToString()) : json::value(nullptr);
  out["action"] = ActionOf(step);
  out["verdict"] = ToString(step.verdict);
  if (!step.reason.empty()) out["reason"] = Text(step.reason);
  if (step.arrival != Arrival::kNo) out["destination"] = ToString(step.arrival);
  if (step.digits_drifted) out["labelDrift"] = true;
  if (step.divergence) {
    out["code"] = "REPLAY_DIVERGENCE";
    out["divergence"] = Bounded(step, plan_digest, CeilingOf(detail));
  }
  return out;
}

}  // namespace

size_t CeilingOf(ReportDetail detail) {
  switch (detail) {
    case ReportDetail::kBrief:
      return 8U << 10U;
    case ReportDetail::kDefault:
      return 24U << 10U;
    case ReportDetail::kFull:
      return 64U << 10U;
  }
  return 8U << 10U;
}

std::string ToJson(const StepReport& step, ReportDetail detail) {
  return json::serialize(StepOf(step, "", detail));
}

std::string ToJson(const ReplayReport& report, ReportDetail detail) {
  const VerdictCounts counts = report.Count();
  json::object out;
  out["crawlSessionId"] = report.run.ToString();
  out["name"] = Text(report.run_name);
  out["entryUrl"] = Text(report.entry_url);
  out["end"] = ToString(report.end);
  out["planDigest"] = report.plan_digest;
  out["passed"] = report.AllPassed();
  out["counts"] = {{"passed", counts.passed},     {"passedPositional", counts.passed_positional},
                   {"diverged", counts.diverged}, {"unverified", counts.unverified},
                   {"skipped", counts.skipped},   {"notRun", counts.not_run}};
  out["steps"] = List(report.steps, [&](const StepReport& step) {
    return StepOf(step, report.plan_digest, detail);
  });
  return json::serialize(out);
}

}  // namespace topodb::replay
