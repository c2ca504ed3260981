#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "capture/browser/clock.h"
#include "capture/completion/pattern.h"
#include "schema/base/result.h"

// What a region that fills by and by looks like, as data (docs/completion.md has the format).
namespace topodb::capture {

// A control that is there while the region fills. It counts when it is visible and its label holds
// none of `except`, any case.
struct StopControl {
  std::string selector;
  std::vector<std::string> except;
};

// A value of an attribute counts only with this prefix: a test id is on buttons, too.
struct TurnIdRule {
  std::string attribute;
  std::string prefix;
};

// Which images are the answer. An image is one of them when its source matches, and its alternative
// text or the id of an element around it does.
struct ImageRule {
  std::vector<Pattern> sources, alternatives, ancestor_ids;
  std::vector<Pattern> chrome;  // what a turn with nothing but images may say
};

struct RegionTimings {
  Millis quiet{1'000};       // so long must the text stand still, and the control be there
  Millis busy_quiet{5'000};  // the same while something may still be at work
  Millis baseline_every{500};
  uint32_t baseline_reads = 3;   // equal ones
  Millis baseline_limit{8'000};  // for all of them
  Millis action_limit{120'000};  // for what one action of a capture begins
};

struct RegionProfile {
  std::string name;
  std::vector<std::string> hosts;  // where it is for; empty: anywhere
  std::vector<Pattern> conversation;
  std::vector<std::string> items, roles, wrappers, user_items, bodies;  // selectors
  std::optional<std::string> message_id;                                // attribute
  std::optional<TurnIdRule> turn_id;
  std::vector<StopControl> stop_controls;
  std::vector<std::string> terminal_controls, copy_controls;
  std::vector<Pattern> placeholders;  // whole texts that are no answer
  std::vector<Pattern> prefixes;      // what is cut off the beginning of a text
  ImageRule images;
  RegionTimings timings;
  std::string json;  // for the page: selectors and attributes only

  // Whether the profile is for pages of this host. This machine is every host.
  bool IsFor(std::string_view host) const;
};

// A profile document. `name` is what to call it in messages, and its name unless it has one.
// kInvalidArgument with one line that says which field is wrong and why.
Result<RegionProfile> ParseRegionProfile(std::string_view json, std::string_view name);

// The built-in profile of that name, or null.
const RegionProfile* FindBuiltInProfile(std::string_view name);
std::vector<std::string> BuiltInProfileNames();

// `reference`: a built-in name or the path of a file. kInvalidArgument; kIo.
Result<RegionProfile> LoadRegionProfile(const std::string& reference);

}  // namespace topodb::capture
