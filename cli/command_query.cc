#include "cli/command_query.h"

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "cli/command_path.h"
#include "cli/database.h"
#include "cli/found_record.h"
#include "cli/output.h"
#include "cli/record_rows.h"
#include "cli/references.h"
#include "cli/run_view.h"
#include "query/each_record.h"

namespace topodb::cli {
namespace {

// Shows the records that may be asked for: elements of a role or name over the index.
template <class Record>
Status Each(const QueryOptions& options, const RunView& view, const query::UseRecord<Record>& use) {
  if constexpr (std::is_same_v<Record, Element>) {
    if (!options.filter.role.empty() || !options.filter.name.empty()) {
      TOPODB_TRY(const auto places,
                 query::FindElements(view.reader(), view.number(),
                                     {.role = options.filter.role, .name = options.filter.name}));
      return query::EachElement(view.reader(), view.number(), places, use);
    }
  }
  return query::EachRecord<Record>(view.reader(), view.number(), use);
}

// How many elements there are, when role and name are all that was asked for: no record is needed.
template <class Record>
Result<std::optional<size_t>> CountByIndex(const QueryOptions& options, const RunView& view) {
  if constexpr (std::is_same_v<Record, Element>) {
    const FilterOptions& filter = options.filter;
    const bool indexed = filter.state.empty() && filter.element.empty() && filter.url.empty();
    if (options.count && indexed) {
      TOPODB_TRY(const auto places,
                 query::FindElements(view.reader(), view.number(),
                                     {.role = filter.role, .name = filter.name}));
      return std::optional(places.size());
    }
  }
  return std::optional<size_t>();
}

void PrintCount(size_t count, Console& console) {
  switch (console.format()) {
    case Format::kJson:
    case Format::kJsonl:
      console.Write("{\"count\":" + std::to_string(count) + "}\n");
      break;
    case Format::kCsv:
      console.Write(CsvLine({"count"}) + CsvLine({std::to_string(count)}));
      break;
    case Format::kText:
    case Format::kHtml:
    case Format::kJunit:
      console.Write(std::to_string(count) + "\n");
      break;
  }
}

template <class Record>
Result<ExitCode> List(const QueryOptions& options, const store::GraphReader& reader,
                      const std::vector<store::StoredRun>& runs, Console& console) {
  const size_t limit =
      options.limit == 0 || options.count ? std::numeric_limits<size_t>::max() : options.limit;
  size_t kept = 0;
  std::optional<RecordList> list;
  if (!options.count) list.emplace(console, ColumnsOf<Record>(), FieldsOf<Record>());
  for (const store::StoredRun& run : runs) {
    RunView view(reader, run);
    const Result<RecordFilter> filter = RecordFilter::Resolve(options.filter, view);
    // Among all runs, those that do not know the state or element have nothing to show.
    if (!filter && options.all_runs && filter.error().code == ErrorCode::kNotFound) continue;
    if (!filter) return filter.error();
    TOPODB_TRY(const auto counted, CountByIndex<Record>(options, view));
    if (counted) {
      kept += *counted;
      continue;
    }
    TOPODB_TRY_VOID(Each<Record>(options, view, [&](const Record& record) -> Result<query::Walk> {
      if (kept == limit) return query::Walk::kStop;
      if (!filter->Keeps(record, view)) return query::Walk::kGoOn;
      ++kept;
      if (list && list->for_people()) {
        list->AddRow(RowOf(record, view));
      } else if (list) {
        TOPODB_TRY(const std::string json, JsonOf(record, view));
        list->AddRecord(json);
      }
      return query::Walk::kGoOn;
    }));
    TOPODB_TRY_VOID(view.status());
  }
  if (list) {
    list->Finish();
  } else {
    PrintCount(kept, console);
  }
  return ExitCode::kSuccess;
}

// One kind of `topodb query`.
CLI::App* AddKind(CLI::App& query, Selection& selection, QueryKind kind, const char* name,
                  const char* description, QueryOptions*& options) {
  const auto declared = AddCommand(query, selection, name, description, RunQuery);
  options = declared.options;
  options->kind = kind;
  CLI::App* command = declared.command;
  const auto* run =
      command->add_option("--run", options->run, "the run [latest]")->type_name("RUN");
  command->add_flag("--all-runs", options->all_runs, "every run, newest first")
      ->excludes(const_cast<CLI::Option*>(run));
  command->add_option("--limit", options->limit, "at most N records")->type_name("N");
  command->add_flag("--count", options->count, "only how many");
  command->add_option("--url", options->filter.url, "of states whose URL matches; * is any text")
      ->type_name("PATTERN");
  return command;
}

void AddElementFilter(CLI::App& command, FilterOptions& filter) {
  command.add_option("--element", filter.element, "of this element")->type_name("ID");
  command.add_option("--role", filter.role, "of elements of this role")->type_name("ROLE");
  command.add_option("--name", filter.name, "of elements whose name contains this")
      ->type_name("TEXT");
}

void AddStateFilter(CLI::App& command, FilterOptions& filter) {
  command.add_option("--state", filter.state, "of this state: id, URL or entry")
      ->type_name("STATE");
}

void AddRiskFilter(CLI::App& command, FilterOptions& filter) {
  command.add_option("--risk", filter.risk, "low, medium or high")->type_name("LEVEL");
  command.add_option("--category", filter.category, "of this risk category")->type_name("CATEGORY");
}

void AddReasonFilter(CLI::App& command, FilterOptions& filter) {
  command.add_option("--reason", filter.reason, "of this reason")->type_name("REASON");
}

}  // namespace

void AddQuery(CLI::App& app, Selection& selection) {
  CLI::App* query = app.add_subcommand("query", "lists records of a run, or finds a path");
  query->require_subcommand(1);
  QueryOptions* options = nullptr;

  CLI::App* states =
      AddKind(*query, selection, QueryKind::kStates, "states", "lists states", options);
  AddStateFilter(*states, options->filter);

  CLI::App* elements =
      AddKind(*query, selection, QueryKind::kElements, "elements", "lists elements", options);
  AddStateFilter(*elements, options->filter);
  AddElementFilter(*elements, options->filter);

  CLI::App* edges =
      AddKind(*query, selection, QueryKind::kEdges, "edges", "lists action edges", options);
  AddStateFilter(*edges, options->filter);
  edges->add_option("--from", options->filter.from, "from this state")->type_name("STATE");
  edges->add_option("--to", options->filter.to, "to this state")->type_name("STATE");
  AddElementFilter(*edges, options->filter);
  AddRiskFilter(*edges, options->filter);

  CLI::App* skips = AddKind(*query, selection, QueryKind::kSkips, "skips",
                            "lists actions that the risk policy refused", options);
  AddStateFilter(*skips, options->filter);
  AddElementFilter(*skips, options->filter);
  AddRiskFilter(*skips, options->filter);
  AddReasonFilter(*skips, options->filter);

  CLI::App* failures = AddKind(*query, selection, QueryKind::kFailures, "failures",
                               "lists what could not be observed", options);
  AddStateFilter(*failures, options->filter);
  AddElementFilter(*failures, options->filter);
  AddReasonFilter(*failures, options->filter);

  CLI::App* observations =
      AddKind(*query, selection, QueryKind::kObservations, "observations",
              "lists what was waited for, and whether it was finished", options);
  AddStateFilter(*observations, options->filter);
  AddElementFilter(*observations, options->filter);

  AddPath(*query, selection);
}

Result<ExitCode> RunQuery(const QueryOptions& options, Console& console) {
  TOPODB_TRY(const auto store, OpenForRead(console.options()));
  const store::GraphReader reader = store->reader();
  std::vector<store::StoredRun> runs;
  if (options.all_runs) {
    TOPODB_TRY(runs, reader.Runs());
  } else {
    TOPODB_TRY(store::StoredRun run, reader.FindRun(options.run));
    runs.push_back(std::move(run));
  }
  switch (options.kind) {
    case QueryKind::kStates:
      return List<State>(options, reader, runs, console);
    case QueryKind::kElements:
      return List<Element>(options, reader, runs, console);
    case QueryKind::kEdges:
      return List<ActionEdge>(options, reader, runs, console);
    case QueryKind::kSkips:
      return List<SkippedAction>(options, reader, runs, console);
    case QueryKind::kFailures:
      return List<FailedObservation>(options, reader, runs, console);
    case QueryKind::kObservations:
      return List<CompletionObservation>(options, reader, runs, console);
  }
  return ExitCode::kSuccess;
}

}  // namespace topodb::cli
