#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "store/kv.h"

namespace topodb::testing {

// A Kv in memory. Keeps the whole contract except durability; copies what it scans.
class MemKv : public store::Kv {
 public:
  Result<std::optional<std::string>> Get(std::string_view key) const override;
  std::unique_ptr<store::Iterator> Scan(std::string_view begin,
                                        std::string_view end) const override;
  Status Apply(const store::Batch& batch, store::Durability durability) override;
  Status Flush() override;

  // Everything in it, for comparisons.
  std::map<std::string, std::string> Contents() const;

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::string, std::less<>> rows_;
};

}  // namespace topodb::testing
