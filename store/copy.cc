#include "store/copy.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>

#include "store/keys.h"

namespace topodb::store {
namespace {

constexpr size_t kBatchBytes = size_t{1} << 20U;

bool IsOfDraft(const Key& key, const std::set<RunNumber>& drafts) {
  if (!drafts.contains(key.run)) return false;
  return key.kind == Kind::kDraft || std::ranges::find(kRunKinds, key.kind) != std::end(kRunKinds);
}

Result<std::set<RunNumber>> DraftsOf(const Kv& kv) {
  std::set<RunNumber> drafts;
  const KeyRange range = RangeOf(Kind::kDraft);
  const auto row = kv.Scan(range.begin, range.end);
  for (; row->Valid(); row->Next()) {
    TOPODB_TRY(const Key key, ParseKey(row->key()));
    drafts.insert(key.run);
  }
  TOPODB_TRY_VOID(row->status());
  return drafts;
}

}  // namespace

Status CopyPublished(const Kv& from, Kv& to) {
  TOPODB_TRY(const std::set<RunNumber> drafts, DraftsOf(from));
  Batch batch;
  size_t bytes = 0;
  const auto row = from.Scan({}, {});
  for (; row->Valid(); row->Next()) {
    // Rows that this build does not know are copied as they are.
    const auto key = ParseKey(row->key());
    if (key && IsOfDraft(*key, drafts)) continue;
    batch.Put(std::string(row->key()), std::string(row->value()));
    bytes += row->key().size() + row->value().size();
    if (bytes < kBatchBytes) continue;
    TOPODB_TRY_VOID(to.Apply(batch, Durability::kProcess));
    batch = {};
    bytes = 0;
  }
  TOPODB_TRY_VOID(row->status());
  if (batch.empty()) return {};
  return to.Apply(batch, Durability::kProcess);
}

}  // namespace topodb::store
