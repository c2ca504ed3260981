#include "query/exchange/json_text.h"

#include <string>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "capture/cdp/json.h"
#include "query/exchange/json_writer.h"
#include "schema/base/text.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

using namespace query;

std::string WithoutReplacements(std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  std::string kept(text);
  for (size_t at = 0; (at = kept.find(kReplacement, at)) != std::string::npos;) {
    kept.erase(at, kReplacement.size());
  }
  return kept;
}

FUZZ_TARGET(json_text) {
  const auto value = ParseJson(input);
  if (value) {
    boost::system::error_code error;
    boost::json::parse_options options;
    options.max_depth = kMaxJsonDepth;
    const auto other = boost::json::parse(input, error, {}, options);
    Require(!error, "what is accepted is JSON", input);
    const auto again = ParseJson(boost::json::serialize(*value));
    Require(again && *again == *value, "a value reads back equal", input);
  } else {
    Require(value.error().offset <= input.size(), "a problem stands in the text", input);
    Require(!value.error().message.empty(), "a problem is named", input);
  }

  std::string literal;
  AppendJsonString(input, literal);
  const auto text = ParseJson(literal);
  Require(text && text->is_string(), "a written text is JSON", input);
  const std::string_view read(text->get_string());
  // How many U+FFFD stand for a run of bad bytes is not said.
  Require(WithoutReplacements(read) == WithoutReplacements(ReplaceInvalidUtf8(input)),
          "a written text reads back equal", input);
  for (const char c : literal) {
    const auto byte = static_cast<unsigned char>(c);
    Require(byte >= 0x20 && byte != 0x7F, "a written text holds no controls", input);
  }

  std::string ours(input), theirs(input);
  RepairSurrogates(ours);
  capture::cdp::ReplaceLoneSurrogates(theirs);
  Require(ours == theirs, "both repairs of surrogates do the same", input);
}

}  // namespace
}  // namespace topodb::fuzz
