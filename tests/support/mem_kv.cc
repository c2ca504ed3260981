#include "tests/support/mem_kv.h"

#include <utility>
#include <vector>

namespace topodb::testing {
namespace {

class VectorIterator : public store::Iterator {
 public:
  explicit VectorIterator(std::vector<std::pair<std::string, std::string>> rows)
      : rows_(std::move(rows)) {}

  bool Valid() const override { return position_ < rows_.size(); }
  void Next() override { ++position_; }
  std::string_view key() const override { return rows_.at(position_).first; }
  std::string_view value() const override { return rows_.at(position_).second; }
  Status status() const override { return {}; }

 private:
  std::vector<std::pair<std::string, std::string>> rows_;
  size_t position_ = 0;
};

}  // namespace

Result<std::optional<std::string>> MemKv::Get(std::string_view key) const {
  const std::lock_guard lock(mutex_);
  const auto found = rows_.find(key);
  if (found == rows_.end()) return std::optional<std::string>();
  return std::optional<std::string>(found->second);
}

std::unique_ptr<store::Iterator> MemKv::Scan(std::string_view begin, std::string_view end) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::string, std::string>> rows;
  for (auto row = rows_.lower_bound(begin); row != rows_.end(); ++row) {
    if (!end.empty() && row->first >= end) break;
    rows.emplace_back(*row);
  }
  return std::make_unique<VectorIterator>(std::move(rows));
}

Status MemKv::Apply(const store::Batch& batch, store::Durability) {
  using OperationKind = store::Batch::Operation::Kind;
  const std::lock_guard lock(mutex_);
  for (const auto& operation : batch.operations()) {
    switch (operation.kind) {
      case OperationKind::kPut:
        rows_.insert_or_assign(operation.key, operation.value);
        break;
      case OperationKind::kDelete:
        rows_.erase(operation.key);
        break;
      case OperationKind::kDeleteRange:
        rows_.erase(rows_.lower_bound(operation.key), rows_.lower_bound(operation.value));
        break;
    }
  }
  return {};
}

Status MemKv::Flush() { return {}; }

std::map<std::string, std::string> MemKv::Contents() const {
  const std::lock_guard lock(mutex_);
  return {rows_.begin(), rows_.end()};
}

}  // namespace topodb::testing
