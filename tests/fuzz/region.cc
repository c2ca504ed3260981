#include <string>
#include <string_view>

#include "capture/completion/region_profile.h"
#include "capture/completion/region_rules.h"
#include "tests/fuzz/fuzz_target.h"

namespace topodb::fuzz {
namespace {

using namespace capture;

void CheckProfile(std::string_view json) {
  const auto profile = ParseRegionProfile(json, "fuzz");
  if (profile) {
    Require(!profile->items.empty() && !profile->terminal_controls.empty(),
            "a profile finds items and proves their end", json);
    return;
  }
  Require(profile.error().code == ErrorCode::kInvalidArgument, "a bad profile is bad input", json);
}

void CheckTexts(std::string_view text) {
  const RegionProfile& chat = *FindBuiltInProfile("chatgpt");
  const std::string clean = CleanText(text, chat);
  Require(clean.empty() || text.find(clean) != std::string_view::npos,
          "a clean text is a part of the text", text);
  if (const auto id = ConversationOf(text, chat)) {
    Require(text.find("/c/" + *id) != std::string_view::npos,
            "a conversation stands in its address", text);
  }
}

// What a page answers: a proof is always of an item that it names, with a control.
void CheckReading(std::string_view json) {
  const RegionProfile& chat = *FindBuiltInProfile("chatgpt");
  const auto reading = ParseRegionReading(json);
  if (!reading) return;
  const auto sample = TakeSample(*reading, chat, 0);
  if (!sample) return;
  const Completion found = Correlate(*reading, *sample, 0);
  Require(found.finished == !found.control.empty(), "only a control is a proof", json);
  if (!found.finished) return;
  Require(!sample->message_id || found.message_id == sample->message_id,
          "a proof is of the sampled message", json);
  Require(!sample->turn_id || found.turn_id == sample->turn_id, "a proof is of the sampled turn",
          json);
}

FUZZ_TARGET(region) {
  Input bytes(input);
  const std::string pattern(bytes.Line());
  const std::string_view rest = bytes.Rest();
  if (const auto parsed = Pattern::Parse(pattern)) {
    const auto prefix = parsed->MatchPrefix(rest);
    Require(!prefix || parsed->Matches(rest.substr(0, *prefix)),
            "a prefix that matches is a text that matches", input);
  }
  CheckProfile(rest);
  CheckTexts(rest);
  CheckReading(rest);
}

}  // namespace
}  // namespace topodb::fuzz
