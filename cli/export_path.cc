#include "cli/export_path.h"

#include "capture/locate/locator_builder.h"
#include "cli/output.h"
#include "cli/references.h"
#include "query/script/export_playwright.h"
#include "query/script/export_recorder.h"
#include "query/script/make_script.h"

namespace topodb::cli {

Result<std::string> ExportPath(const store::GraphReader& reader, const store::StoredRun& run,
                               const PathExport& wanted) {
  if (wanted.to.empty()) {
    return Error{ErrorCode::kInvalidArgument, "a path ends at a state, and none is named",
                 "add --to STATE; topodb query states lists them"};
  }
  TOPODB_TRY(const StateId to, FindState(reader, run, wanted.to));
  TOPODB_TRY(const script::RecordedWay way, script::LoadWay(reader, run, to));
  TOPODB_TRY(const script::Script script, script::MakeScript(way, wanted.guard));
  if (wanted.form == PathForm::kPlaywright) {
    return script::ToPlaywright(script, capture::ToExpression);
  }
  TOPODB_TRY(const std::string recording, script::ToRecorder(script, way));
  return PrettyJson(recording);
}

}  // namespace topodb::cli
