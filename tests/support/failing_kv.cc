#include "tests/support/failing_kv.h"

namespace topodb::testing {
namespace {

Error Injected() { return {ErrorCode::kIo, "injected write failure", {}}; }

}  // namespace

bool FailingKv::NextWriteFails() {
  const int write = writes_++;
  return write == fail_write_ || (write > fail_write_ && after_ == After::kStayBroken);
}

Result<std::optional<std::string>> FailingKv::Get(std::string_view key) const {
  return kv_.Get(key);
}

std::unique_ptr<store::Iterator> FailingKv::Scan(std::string_view begin,
                                                 std::string_view end) const {
  return kv_.Scan(begin, end);
}

Status FailingKv::Apply(const store::Batch& batch, store::Durability durability) {
  if (NextWriteFails()) return Injected();
  return kv_.Apply(batch, durability);
}

Status FailingKv::Flush() {
  if (NextWriteFails()) return Injected();
  return kv_.Flush();
}

}  // namespace topodb::testing
