#include "store/kv.h"

#include <utility>

namespace topodb::store {

void Batch::Put(std::string key, std::string value) {
  operations_.push_back({Operation::Kind::kPut, std::move(key), std::move(value)});
}

void Batch::Delete(std::string key) {
  operations_.push_back({Operation::Kind::kDelete, std::move(key), {}});
}

void Batch::DeleteRange(std::string begin, std::string end) {
  operations_.push_back({Operation::Kind::kDeleteRange, std::move(begin), std::move(end)});
}

}  // namespace topodb::store
