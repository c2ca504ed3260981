#include "store/graph_writer.h"

#include "store/publication.h"

namespace topodb::store {
namespace {

Error NoOpenRun() { return {ErrorCode::kInvalidArgument, "no run has been begun", {}}; }

}  // namespace

Status GraphWriter::BeginRun(const Run& run) {
  if (run_id_) return Error{ErrorCode::kInvalidArgument, "the last run has not been ended", {}};
  TOPODB_TRY(const RunNumber number, BeginDraft(kv_, run));
  run_id_ = run.id;
  progress_ = {};
  progress_.number = number;
  progress_.id_scheme = run.id_scheme;
  return {};
}

template <class Part>
Status GraphWriter::Record(const Part& part) {
  if (!run_id_) return NoOpenRun();
  RunChange change(kv_, progress_);
  TOPODB_TRY_VOID(change.Add(part));
  return std::move(change).Apply(per_call_);
}

Status GraphWriter::AddState(const StateBundle& bundle) { return Record(bundle); }

Status GraphWriter::AddTransition(const Transition& transition) { return Record(transition); }

Status GraphWriter::AddFailure(const FailedObservation& failure) { return Record(failure); }

Status GraphWriter::AddCompletion(const CompletionObservation& observation) {
  return Record(observation);
}

Status GraphWriter::AddObservation(const StateObservation& observation) {
  return Record(observation);
}

Status GraphWriter::AddForeignIds(const std::vector<ForeignId>& ids) { return Record(ids); }

Status GraphWriter::EndRun(const Run& run) {
  if (!run_id_) return NoOpenRun();
  if (run.id != *run_id_) {
    return Error{ErrorCode::kInvalidArgument, "another run was begun than is ended", {}};
  }
  if (run.status == RunStatus::kRunning) {
    return Error{ErrorCode::kInvalidArgument, "an ended run cannot be running", {}};
  }
  TOPODB_TRY_VOID(PublishDraft(kv_, progress_.number, run, progress_.totals));
  run_id_.reset();
  return {};
}

Status GraphWriter::DiscardRun() {
  if (!run_id_) return NoOpenRun();
  TOPODB_TRY_VOID(DeleteRun(kv_, progress_.number));
  run_id_.reset();
  return {};
}

}  // namespace topodb::store
