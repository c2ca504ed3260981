#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/console.h"
#include "cli/exit_code.h"
#include "cli/junit.h"
#include "cli/output.h"
#include "query/replay/report.h"
#include "query/replay/report_json.h"

// How replays of runs and of scripts are shown: the two reports differ in what their steps are.
namespace topodb::cli {

// With --verbose, a line on stderr that says how far it is. `action`: what the step does.
void NoteStep(const replay::StepReport& step, std::string_view action, size_t total,
              Console& console);

JunitCase JunitCaseOf(std::string name, const replay::StepReport& step);

// `report` in the console's format, of those that reports have; `cases`: its steps for JUnit.
template <class Report>
void PrintReport(const Report& report, std::string_view title, const std::vector<JunitCase>& cases,
                 Console& console) {
  if (console.format() == Format::kJson) {
    const auto detail =
        console.options().verbose ? replay::ReportDetail::kFull : replay::ReportDetail::kDefault;
    console.Write(PrettyJson(ToJson(report, detail)));
  } else if (console.format() == Format::kJunit) {
    console.Write(JunitXml(title, cases));
  } else {
    console.Write(ToText(report));  // clean already
  }
}

template <class Report>
ExitCode ExitCodeFor(const Report& report) {
  const ExitCode verdict = report.AllPassed() ? ExitCode::kSuccess : ExitCode::kFound;
  return report.end == replay::ReplayEnd::kBrowserGone ? Worst(verdict, ExitCode::kBrowser)
                                                       : verdict;
}

}  // namespace topodb::cli
