#include <string>

#include <boost/json/parse.hpp>

#include "capture/cdp/json.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

using namespace capture::cdp;

std::string Written(const Envelope& envelope) {
  ObjectWriter writer;
  writer.Optional("id", envelope.id);
  if (!envelope.session_id.empty()) writer.String("sessionId", envelope.session_id);
  if (!envelope.method.empty()) writer.String("method", envelope.method);
  if (!envelope.params.empty()) writer.Raw("params", envelope.params);
  if (!envelope.result.empty()) writer.Raw("result", envelope.result);
  if (envelope.error) {
    writer.Raw("error", ObjectWriter()
                            .Int("code", envelope.error->code)
                            .String("message", envelope.error->message)
                            .Take());
  }
  return writer.Take();
}

bool IsInside(std::string_view part, std::string_view whole) {
  return part.empty() ||
         (part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size());
}

void CheckEnvelope(std::string_view message) {
  const auto envelope = ParseEnvelope(message);
  if (!envelope) {
    Require(envelope.error().code == ErrorCode::kProtocol, "a refusal is kProtocol", message);
    return;
  }
  Require(IsInside(envelope->params, message) && IsInside(envelope->result, message),
          "params and result are parts of the message", message);
  const std::string written = Written(*envelope);
  const auto again = ParseEnvelope(written);
  Require(again.has_value(), "what was read can be written and read", message);
  Require(again->id == envelope->id && again->session_id == envelope->session_id &&
              again->method == envelope->method && again->params == envelope->params &&
              again->result == envelope->result && bool{again->error} == bool{envelope->error},
          "a message reads back equal", message);
}

// Another parser's opinion: what it takes for one object is read here, with the same id.
void CompareWithBoost(std::string_view message) {
  boost::system::error_code error;
  const auto value = boost::json::parse(message, error);
  if (error || !value.is_object()) return;
  Fields fields(message, "M");
  for (const auto& [key, member] : value.as_object()) {
    Require(fields.Has(key), "no member is missed", message);
  }
  Require(fields.Finish(0).has_value(), "what is an object is read", message);
}

FUZZ_TARGET(cdp_message) {
  CheckEnvelope(input);
  std::string repaired(input);
  ReplaceLoneSurrogates(repaired);
  Require(repaired.size() == input.size(), "a repaired message keeps its length", input);
  std::string twice = repaired;
  ReplaceLoneSurrogates(twice);
  Require(twice == repaired, "a repaired message needs no repair", input);
  CheckEnvelope(repaired);
  CompareWithBoost(repaired);

  const std::string quoted = QuoteJson(input);
  const auto text = DecodeJsonString(quoted);
  Require(text && QuoteJson(*text) == quoted, "a quoted text reads back equal", input);
  Require(!boost::json::parse(quoted).as_string().empty() == !input.empty(),
          "a quoted text is JSON", input);
}

}  // namespace
}  // namespace topodb::fuzz
