#include "capture/browser/page_answer.h"

#include <utility>

#include <fmt/format.h>

#include "capture/cdp/protocol/runtime.h"

namespace topodb::capture {

Result<std::string> AskPage(const FrameWorld& world, const std::string& expression, Millis limit) {
  TOPODB_TRY(auto reply,
             world.session->Call(cdp::runtime::Evaluate{.expression = expression,
                                                        .unique_context_id = world.context_id,
                                                        .return_by_value = true,
                                                        .await_promise = true},
                                 limit));
  if (reply.exception) {
    return Error{ErrorCode::kProtocol,
                 fmt::format("looking at the page failed: {}", reply.exception->description), ""};
  }
  return std::move(reply.result.value_json);
}

}  // namespace topodb::capture
