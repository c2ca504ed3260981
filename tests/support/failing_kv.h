#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "store/kv.h"

namespace topodb::testing {

// Passes everything on to another Kv, except that one write (Apply or Flush, counted from 0) fails
// with kIo and changes nothing.
class FailingKv : public store::Kv {
 public:
  enum class After { kRecover, kStayBroken };

  // Does not own `kv`, which must outlive it.
  FailingKv(store::Kv& kv, int fail_write, After after = After::kRecover)
      : kv_(kv), fail_write_(fail_write), after_(after) {}

  Result<std::optional<std::string>> Get(std::string_view key) const override;
  std::unique_ptr<store::Iterator> Scan(std::string_view begin,
                                        std::string_view end) const override;
  Status Apply(const store::Batch& batch, store::Durability durability) override;
  Status Flush() override;

  // How many writes were tried, the failed ones included.
  int writes() const { return writes_; }
  // Whether the failure was reached.
  bool failed() const { return writes_ > fail_write_; }

 private:
  bool NextWriteFails();

  store::Kv& kv_;
  int fail_write_;
  After after_;
  int writes_ = 0;
};

}  // namespace topodb::testing
