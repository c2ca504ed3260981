#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/base/result.h"

// The storage seam: ordered keys, atomic batches. RocksKv in the product; MemKv and FailingKv in
// tests/support.
namespace topodb::store {

enum class Durability {
  kProcess,  // survives the death of the process
  kSync,     // survives power loss when it returns
};

// Puts and deletes applied together or not at all, in this order.
class Batch {
 public:
  struct Operation {
    enum class Kind { kPut, kDelete, kDeleteRange };
    Kind kind;
    std::string key;
    std::string value;  // kDeleteRange: the end key, exclusive
  };

  void Put(std::string key, std::string value);
  void Delete(std::string key);
  void DeleteRange(std::string begin, std::string end);

  const std::vector<Operation>& operations() const { return operations_; }
  bool empty() const { return operations_.empty(); }

 private:
  std::vector<Operation> operations_;
};

// Keys in ascending byte order inside [begin, end). Valid views until the next Next().
//   for (; it->Valid(); it->Next()) Use(it->key(), it->value());
//   TOPODB_TRY_VOID(it->status());   // an error ends the walk and stands here
class Iterator {
 public:
  virtual ~Iterator() = default;
  virtual bool Valid() const = 0;
  virtual void Next() = 0;
  virtual std::string_view key() const = 0;
  virtual std::string_view value() const = 0;
  virtual Status status() const = 0;
};

// Reads see one moment: the open of a read-only Kv, each call of a writable one.
// Safe from several threads.
class Kv {
 public:
  virtual ~Kv() = default;
  // nullopt when absent. kCorruption, kIo.
  virtual Result<std::optional<std::string>> Get(std::string_view key) const = 0;
  // An empty `end` means "to the last key".
  virtual std::unique_ptr<Iterator> Scan(std::string_view begin, std::string_view end) const = 0;
  virtual Status Apply(const Batch& batch, Durability durability) = 0;
  // Everything applied so far becomes durable and is moved out of the log.
  virtual Status Flush() = 0;
  // Gives back the space of what was deleted between the keys; changes nothing that can be read. A
  // Kv that keeps nothing of what was deleted has nothing to do.
  virtual Status Reclaim(std::string_view /*begin*/, std::string_view /*end*/) { return {}; }
};

}  // namespace topodb::store
