#include "capture/cdp/protocol/dom_debugger.h"

#include "capture/cdp/json.h"

namespace topodb::capture::cdp::dom_debugger {

std::string GetEventListeners::Params() const {
  return ObjectWriter()
      .String("objectId", object_id)
      .Int("depth", depth)
      .Flag("pierce", pierce)
      .Take();
}

Result<GetEventListeners::Reply> GetEventListeners::ParseReply(std::string_view result_json) {
  Fields fields(result_json, kMethod);
  return fields.Finish(Reply{.listeners_json = std::string(fields.Raw("listeners"))});
}

}  // namespace topodb::capture::cdp::dom_debugger
