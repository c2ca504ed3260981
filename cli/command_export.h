#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <CLI/App.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/exit_code.h"
#include "schema/base/result.h"
#include "store/graph_reader.h"

namespace topodb::cli {

enum class ExportForm : uint8_t {
  kJson,
  kJsonl,
  kDot,
  kMermaid,
  kGraphml,
  kHtml,
  kPlaywright,  // of a path, as is the next
  kRecorder,
};

struct ExportOptions {
  std::string run = "latest";
  ExportForm form = ExportForm::kJson;
  std::filesystem::path output = "-";  // "-": standard output
  std::string to, guard;               // of kPlaywright and kRecorder: STATE and LANDMARK
};

// One run in that form. The file appears whole or not at all.
Status ExportToFile(const store::GraphReader& reader, const store::StoredRun& run, ExportForm form,
                    const std::filesystem::path& path);

void AddExport(CLI::App& app, Selection& selection);
// Writes one run, or a path of it, to a file or to standard output.
Result<ExitCode> RunExport(const ExportOptions& options, Console& console);

}  // namespace topodb::cli
