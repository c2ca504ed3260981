#include "query/replay/script_report.h"

#include <string_view>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <fmt/format.h>

#include "query/replay/report_text.h"
#include "schema/base/text.h"

namespace topodb::replay {
namespace {

namespace json = boost::json;

// A step of a script has no records behind it whose ids could be named.
json::value StepOf(const PlayedStep& step, ReportDetail detail) {
  json::value value = json::parse(ToJson(step.report, detail));
  json::object& out = value.as_object();
  for (const char* id : {"edgeId", "elementId", "fromStateId", "toStateId"}) out.erase(id);
  const std::string_view verb = script::ToString(step.verb);
  out["action"].as_object()["type"] = verb;
  if (json::value* const divergence = out.if_contains("divergence")) {
    divergence->at("step").as_object()["source"] = fmt::format("step {}", step.report.index);
    divergence->at("action").as_object()["type"] = verb;
  }
  return value;
}

std::string TextOf(const PlayedStep& step) {
  std::string text = fmt::format("{:>4} {:<17} {} {} \"{}\"", step.report.index,
                                 ToString(step.report.verdict), script::ToString(step.verb),
                                 NormalizeText(step.report.role), NormalizeText(step.report.name));
  if (!step.report.reason.empty()) text += fmt::format("  ({})", NormalizeText(step.report.reason));
  // Below the first line stands how it diverged.
  const std::string whole = ToText(step.report);
  return text + whole.substr(std::min(whole.find('\n'), whole.size()));
}

}  // namespace

std::string ToText(const PlayReport& report) {
  std::string text;
  for (const PlayedStep& step : report.steps) text += TextOf(step);
  const VerdictCounts counts = report.Count();
  text += fmt::format("{} steps: {} passed, {} diverged, {} unverified, {} skipped, {} not run\n",
                      report.steps.size(), counts.passed + counts.passed_positional,
                      counts.diverged, counts.unverified, counts.skipped, counts.not_run);
  if (report.end != ReplayEnd::kCompleted) {
    text += fmt::format("ended early: {}\n", ToString(report.end));
  }
  return text;
}

std::string ToJson(const PlayReport& report, ReportDetail detail) {
  const VerdictCounts counts = report.Count();
  json::object out;
  out["entryUrl"] = report.url;
  out["end"] = ToString(report.end);
  out["passed"] = report.AllPassed();
  out["counts"] = {{"passed", counts.passed},
                   {"diverged", counts.diverged},
                   {"unverified", counts.unverified},
                   {"skipped", counts.skipped},
                   {"notRun", counts.not_run}};
  json::array steps;
  for (const PlayedStep& step : report.steps) steps.push_back(StepOf(step, detail));
  out["steps"] = std::move(steps);
  return json::serialize(out);
}

}  // namespace topodb::replay
