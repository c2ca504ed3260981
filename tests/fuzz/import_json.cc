#include "query/exchange/import_json.h"

#include <string>
#include <utility>

#include "query/check.h"
#include "query/exchange/export_json.h"
#include "store/graph_writer.h"
#include "tests/fuzz/fuzz_target.h"
#include "tests/support/mem_kv.h"

namespace topodb::fuzz {
namespace {

using namespace query;

Result<ImportReport> Import(store::Kv& kv, std::string text, const ImportOptions& options = {}) {
  store::GraphWriter writer(kv, store::Durability::kProcess);
  const auto source = FromText(std::move(text));
  return ImportJson(*source, options, writer);
}

std::string Export(const store::Kv& kv, std::string_view detail) {
  const store::GraphReader reader(kv);
  const auto run = reader.FindRun("latest");
  Require(run.has_value(), "an imported run is found", detail);
  std::string text;
  const Status status = ExportJson(reader, *run, {}, [&](std::string_view piece) -> Status {
    text += piece;
    return {};
  });
  Require(status.has_value(), "an imported run can be exported", detail);
  return text;
}

// What an import takes is a whole database, and its export is imported as the same.
FUZZ_TARGET(import_json) {
  testing::MemKv kv;
  const std::string text(input);
  const auto report = Import(kv, text);
  if (!report) {
    Require(kv.Contents().empty(), "a refused document leaves nothing", input);
    return;
  }
  const auto rows = Check(store::GraphReader(kv));
  Require(rows.has_value(), "an imported run can be checked", input);
  for (const auto& violation : rows->violations) {
    // What a document says of its records may be wrong; how they are stored may not.
    Require(violation.invariant > Invariant::kIdUnique, violation.message, input);
  }
  testing::MemKv strict;
  const bool clean =
      Import(strict, text, {.name = {}, .strictness = ImportStrictness::kRefuse}).has_value();
  Require(clean == report->warnings.empty(), "strictness refuses what warns", input);
  const std::string exported = Export(kv, input);
  testing::MemKv copy;
  const auto again = Import(copy, exported);
  Require(again.has_value(), again ? "" : again.error().message, input);
  Require(Export(copy, input) == exported, "an export reads back to the same bytes", input);
}

}  // namespace
}  // namespace topodb::fuzz
