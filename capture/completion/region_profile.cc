#include "capture/completion/region_profile.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

namespace topodb {
extern const std::string_view kChatgptProfileJson;
extern const std::string_view kGenericLogProfileJson;
}  // namespace topodb

namespace topodb::capture {
namespace {

namespace json = boost::json;

constexpr std::string_view kVersion = "topodb-region-1";
constexpr size_t kMaxProfileBytes = size_t{256} << 10U;
constexpr int64_t kLongestMillis = 3'600'000;

// Reads one document; the first problem is kept, with the path of its field.
class ProfileReader {
 public:
  explicit ProfileReader(RegionProfile& profile) : profile_(profile) {}

  std::optional<std::string> Read(const json::value& document) {
    if (!document.is_object()) return "expected an object";
    const json::object& object = document.get_object();
    Known(object, "",
          {"version", "name", "hosts", "conversation", "items", "roles", "wrappers", "userItems",
           "bodies", "messageId", "turnId", "stopControls", "terminalControls", "copyControls",
           "placeholders", "prefixes", "images", "timings"});
    std::string version;
    Text(object, "", "version", version);
    if (version != kVersion) Fail("version", fmt::format("expected \"{}\"", kVersion));
    Text(object, "", "name", profile_.name);
    Texts(object, "", "hosts", profile_.hosts);
    Patterns(object, "", "conversation", profile_.conversation);
    Texts(object, "", "items", profile_.items);
    Texts(object, "", "roles", profile_.roles);
    Texts(object, "", "wrappers", profile_.wrappers);
    Texts(object, "", "userItems", profile_.user_items);
    Texts(object, "", "bodies", profile_.bodies);
    Texts(object, "", "terminalControls", profile_.terminal_controls);
    Texts(object, "", "copyControls", profile_.copy_controls);
    if (object.contains("messageId")) Text(object, "", "messageId", profile_.message_id.emplace());
    ReadTurnId(object);
    ReadStopControls(object);
    Patterns(object, "", "placeholders", profile_.placeholders);
    Patterns(object, "", "prefixes", profile_.prefixes);
    ReadImages(object);
    ReadTimings(object);
    if (profile_.items.empty()) Fail("items", "expected at least one selector");
    if (profile_.terminal_controls.empty()) {
      Fail("terminalControls", "expected at least one selector: nothing else proves the end");
    }
    for (const Pattern& pattern : profile_.conversation) {
      if (pattern.text().find("{id}") == std::string::npos) {
        Fail("conversation", fmt::format("\"{}\" has no {{id}}", pattern.text()));
      }
    }
    return problem_;
  }

 private:
  void Fail(std::string_view where, std::string_view why) {
    if (!problem_) problem_ = fmt::format("{}: {}", where, why);
  }

  void Known(const json::object& object, std::string_view in,
             std::initializer_list<std::string_view> names) {
    for (const auto& [name, value] : object) {
      const std::string_view key(name.data(), name.size());
      if (std::find(names.begin(), names.end(), key) == names.end()) {
        Fail(fmt::format("{}{}", in, key), "there is no such field");
      }
    }
  }

  void Text(const json::object& object, std::string_view in, std::string_view key,
            std::string& out) {
    const json::value* const value = object.if_contains(key);
    if (value == nullptr) return;
    if (!value->is_string() || value->get_string().empty()) {
      return Fail(fmt::format("{}{}", in, key), "expected a text");
    }
    out = value->get_string();
  }

  void Texts(const json::object& object, std::string_view in, std::string_view key,
             std::vector<std::string>& out) {
    const json::value* const value = object.if_contains(key);
    if (value == nullptr) return;
    const std::string where = fmt::format("{}{}", in, key);
    if (!value->is_array()) return Fail(where, "expected a list of texts");
    for (size_t i = 0; i < value->get_array().size(); ++i) {
      const json::value& item = value->get_array()[i];
      if (!item.is_string() || item.get_string().empty()) {
        return Fail(fmt::format("{}[{}]", where, i), "expected a text");
      }
      out.emplace_back(item.get_string());
    }
  }

  void Patterns(const json::object& object, std::string_view in, std::string_view key,
                std::vector<Pattern>& out) {
    std::vector<std::string> texts;
    Texts(object, in, key, texts);
    for (size_t i = 0; i < texts.size(); ++i) {
      auto pattern = Pattern::Parse(texts[i]);
      if (!pattern) return Fail(fmt::format("{}{}[{}]", in, key, i), pattern.error().message);
      out.push_back(*std::move(pattern));
    }
  }

  // The object under `key`; null when there is none.
  const json::object* Inner(const json::object& object, std::string_view key,
                            std::initializer_list<std::string_view> names) {
    const json::value* const value = object.if_contains(key);
    if (value == nullptr) return nullptr;
    if (!value->is_object()) {
      Fail(key, "expected an object");
      return nullptr;
    }
    Known(value->get_object(), fmt::format("{}.", key), names);
    return &value->get_object();
  }

  void ReadTurnId(const json::object& object) {
    const json::object* const rule = Inner(object, "turnId", {"attribute", "prefix"});
    if (rule == nullptr) return;
    TurnIdRule& out = profile_.turn_id.emplace();
    Text(*rule, "turnId.", "attribute", out.attribute);
    Text(*rule, "turnId.", "prefix", out.prefix);
    if (out.attribute.empty()) Fail("turnId.attribute", "missing");
    if (out.prefix.empty()) Fail("turnId.prefix", "missing");
  }

  void ReadStopControls(const json::object& object) {
    const json::value* const value = object.if_contains("stopControls");
    if (value == nullptr) return;
    if (!value->is_array()) return Fail("stopControls", "expected a list of objects");
    for (size_t i = 0; i < value->get_array().size(); ++i) {
      const std::string where = fmt::format("stopControls[{}]", i);
      const json::value& item = value->get_array()[i];
      if (!item.is_object()) return Fail(where, "expected an object");
      Known(item.get_object(), where + ".", {"selector", "except"});
      StopControl& out = profile_.stop_controls.emplace_back();
      Text(item.get_object(), where + ".", "selector", out.selector);
      Texts(item.get_object(), where + ".", "except", out.except);
      if (out.selector.empty()) Fail(where + ".selector", "missing");
    }
  }

  void ReadImages(const json::object& object) {
    const json::object* const rule =
        Inner(object, "images", {"sources", "alternatives", "ancestorIds", "chrome"});
    if (rule == nullptr) return;
    Patterns(*rule, "images.", "sources", profile_.images.sources);
    Patterns(*rule, "images.", "alternatives", profile_.images.alternatives);
    Patterns(*rule, "images.", "ancestorIds", profile_.images.ancestor_ids);
    Patterns(*rule, "images.", "chrome", profile_.images.chrome);
    if (profile_.images.sources.empty()) Fail("images.sources", "expected at least one pattern");
  }

  void Duration(const json::object& object, std::string_view key, Millis& out) {
    const json::value* const value = object.if_contains(key);
    if (value == nullptr) return;
    const bool fits =
        value->is_int64() && value->get_int64() > 0 && value->get_int64() <= kLongestMillis;
    if (!fits) {
      return Fail(fmt::format("timings.{}", key),
                  fmt::format("expected milliseconds from 1 to {}", kLongestMillis));
    }
    out = Millis(value->get_int64());
  }

  void ReadTimings(const json::object& object) {
    const json::object* const timings =
        Inner(object, "timings",
              {"quietMs", "busyQuietMs", "baselineEveryMs", "baselineLimitMs", "actionLimitMs"});
    if (timings == nullptr) return;
    Duration(*timings, "quietMs", profile_.timings.quiet);
    Duration(*timings, "busyQuietMs", profile_.timings.busy_quiet);
    Duration(*timings, "baselineEveryMs", profile_.timings.baseline_every);
    Duration(*timings, "baselineLimitMs", profile_.timings.baseline_limit);
    Duration(*timings, "actionLimitMs", profile_.timings.action_limit);
    if (profile_.timings.quiet < RegionTimings{}.quiet) {
      Fail("timings.quietMs",
           fmt::format("less than {} proves nothing", RegionTimings{}.quiet.count()));
    }
    if (profile_.timings.busy_quiet < profile_.timings.quiet) {
      Fail("timings.busyQuietMs", "expected no less than quietMs");
    }
  }

  RegionProfile& profile_;
  std::optional<std::string> problem_;
};

json::array ListOf(const std::vector<std::string>& texts) {
  return json::array(texts.begin(), texts.end());
}

// What completion.js needs of it.
std::string ForPage(const RegionProfile& profile) {
  json::object out;
  out["items"] = ListOf(profile.items);
  out["roles"] = ListOf(profile.roles);
  out["wrappers"] = ListOf(profile.wrappers);
  out["userItems"] = ListOf(profile.user_items);
  out["bodies"] = ListOf(profile.bodies);
  out["terminalControls"] = ListOf(profile.terminal_controls);
  out["copyControls"] = ListOf(profile.copy_controls);
  json::array stops;
  for (const StopControl& control : profile.stop_controls) {
    stops.emplace_back(json::string(control.selector));
  }
  out["stopControls"] = std::move(stops);
  if (profile.message_id) out["messageId"] = *profile.message_id;
  if (profile.turn_id) {
    out["turnId"] = {{"attribute", profile.turn_id->attribute},
                     {"prefix", profile.turn_id->prefix}};
  }
  return json::serialize(out);
}

struct BuiltIn {
  std::string_view name;
  const std::string_view& json;
};
constexpr std::array kBuiltIn = {BuiltIn{"chatgpt", kChatgptProfileJson},
                                 BuiltIn{"generic-log", kGenericLogProfileJson}};

std::string Joined(const std::vector<std::string>& names) {
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool RegionProfile::IsFor(std::string_view host) const {
  if (hosts.empty()) return true;
  for (const std::string_view local : {"", "localhost", "127.0.0.1", "[::1]"}) {
    if (host == local) return true;
  }
  return std::find(hosts.begin(), hosts.end(), host) != hosts.end();
}

Result<RegionProfile> ParseRegionProfile(std::string_view text, std::string_view name) {
  const auto invalid = [&](std::string_view why) {
    return Error{ErrorCode::kInvalidArgument, fmt::format("profile '{}': {}", name, why),
                 "docs/completion.md has the format"};
  };
  if (text.size() > kMaxProfileBytes) return invalid("it is too large");
  json::stream_parser parser;
  boost::system::error_code error;
  const size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error) parser.finish(error);
  if (error || read < text.size()) {
    const std::string_view before = text.substr(0, std::min(read, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    return invalid(fmt::format("line {} is no JSON", line));
  }
  RegionProfile profile;
  profile.name = name;
  if (const auto problem = ProfileReader(profile).Read(parser.release())) return invalid(*problem);
  if (profile.roles.empty()) profile.roles = profile.items;
  profile.json = ForPage(profile);
  return profile;
}

const RegionProfile* FindBuiltInProfile(std::string_view name) {
  static const auto kProfiles = [] {
    std::vector<RegionProfile> profiles;
    for (const BuiltIn& one : kBuiltIn) {
      auto profile = ParseRegionProfile(one.json, one.name);
      if (profile) profiles.push_back(*std::move(profile));
    }
    return profiles;
  }();
  const auto found = std::find_if(kProfiles.begin(), kProfiles.end(),
                                  [&](const RegionProfile& one) { return one.name == name; });
  return found == kProfiles.end() ? nullptr : &*found;
}

std::vector<std::string> BuiltInProfileNames() {
  std::vector<std::string> names;
  for (const BuiltIn& one : kBuiltIn) names.emplace_back(one.name);
  return names;
}

Result<RegionProfile> LoadRegionProfile(const std::string& reference) {
  if (const RegionProfile* const built_in = FindBuiltInProfile(reference)) return *built_in;
  std::ifstream file(reference, std::ios::binary);
  std::error_code error;
  if (!file || !std::filesystem::is_regular_file(reference, error)) {
    return Error{ErrorCode::kInvalidArgument,
                 fmt::format("'{}' is neither a profile nor a file", reference),
                 fmt::format("the profiles are {}; a file holds one as JSON",
                             Joined(BuiltInProfileNames()))};
  }
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return ParseRegionProfile(text, reference);
}

}  // namespace topodb::capture
