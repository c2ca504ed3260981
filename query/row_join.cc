#include "query/row_join.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "store/identity_scan.h"

namespace topodb::query {
namespace {

using store::IdentityRow;
using store::IdentityScan;

// The record says the name again.
Result<IdentityRow> Nameless(const IdentityScan& scan) {
  TOPODB_TRY(IdentityRow row, scan.Row());
  row.name = {};
  return row;
}

Status Append(const IdentityScan& scan, std::vector<IdentityRow>& rows) {
  TOPODB_TRY(rows.emplace_back(), Nameless(scan));
  return {};
}

bool StandsBefore(const IdentityRow& a, const IdentityRow& b) {
  return std::tie(a.state, a.ordinal) < std::tie(b.state, b.ordinal);
}

}  // namespace

Result<RowJoin> JoinRows(const store::Kv& before, store::RunNumber run_before,
                         const store::Kv& after, store::RunNumber run_after,
                         store::RecordKind kind) {
  IdentityScan was(before, run_before, kind);
  IdentityScan is(after, run_after, kind);
  RowJoin join;
  while (was.Valid() || is.Valid()) {
    const int order = !was.Valid() ? 1 : !is.Valid() ? -1 : was.id().compare(is.id());
    if (order < 0) {
      TOPODB_TRY_VOID(Append(was, join.removed));
    } else if (order > 0) {
      TOPODB_TRY_VOID(Append(is, join.added));
    } else if (was.content() == is.content()) {
      ++join.equal;
    } else {
      RowPair& pair = join.changed.emplace_back();
      TOPODB_TRY(pair.before, Nameless(was));
      TOPODB_TRY(pair.after, Nameless(is));
    }
    if (order <= 0) was.Next();
    if (order >= 0) is.Next();
  }
  TOPODB_TRY_VOID(was.status());
  TOPODB_TRY_VOID(is.status());
  std::ranges::sort(join.removed, StandsBefore);
  std::ranges::sort(join.added, StandsBefore);
  std::ranges::sort(join.changed, StandsBefore, &RowPair::before);
  return join;
}

}  // namespace topodb::query
