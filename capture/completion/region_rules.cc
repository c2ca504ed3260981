#include "capture/completion/region_rules.h"

#include <algorithm>
#include <ranges>

#include <fmt/format.h>

#include "capture/guard/url.h"

namespace topodb::capture {
namespace {

constexpr std::string_view kSpaces = " \t\r\n\f\v";

std::string_view Trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(kSpaces);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

std::string Folded(std::string_view text) {
  std::string folded;
  for (const char c : text) folded += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return folded;
}

bool MatchesAny(const std::vector<Pattern>& patterns, std::string_view text) {
  return std::ranges::any_of(patterns, [&](const Pattern& one) { return one.Matches(text); });
}

bool IsOld(int64_t index, uint64_t baseline_count) {
  return index < static_cast<int64_t>(baseline_count);
}

bool IsExcepted(const StopSeen& stop, const RegionProfile& profile) {
  if (stop.rule >= profile.stop_controls.size()) return false;
  const std::string label = Folded(stop.label);
  return std::ranges::any_of(profile.stop_controls[stop.rule].except, [&](const std::string& word) {
    return label.find(Folded(word)) != std::string::npos;
  });
}

bool IsAnswer(const RegionImage& image, const ImageRule& rule) {
  if (!MatchesAny(rule.sources, image.source)) return false;
  return MatchesAny(rule.alternatives, image.alternative) ||
         std::ranges::any_of(image.ancestor_ids, [&](const std::string& id) {
           return MatchesAny(rule.ancestor_ids, id);
         });
}

}  // namespace

std::string CleanText(std::string_view text, const RegionProfile& profile) {
  text = Trimmed(text);
  if (MatchesAny(profile.placeholders, text)) return {};
  std::optional<size_t> cut;
  for (const Pattern& pattern : profile.prefixes) {
    const auto length = pattern.MatchPrefix(text);
    if (length) cut = std::max(cut.value_or(0), *length);
  }
  if (cut) text = Trimmed(text.substr(*cut));
  return MatchesAny(profile.placeholders, text) ? std::string() : std::string(text);
}

std::optional<RegionSample> TakeSample(const RegionReading& reading, const RegionProfile& profile,
                                       uint64_t baseline_count) {
  for (const RegionTurn& turn : std::views::reverse(reading.turns)) {
    if (IsOld(turn.index, baseline_count) || !turn.text) return std::nullopt;
    std::string text = CleanText(*turn.text, profile);
    if (text.empty()) continue;
    return RegionSample{.text = std::move(text),
                        .message_id = turn.message_id,
                        .turn_id = turn.turn_id,
                        .turn_index = turn.index};
  }
  return std::nullopt;
}

Completion Correlate(const RegionReading& reading, const RegionSample& sample,
                     uint64_t baseline_count) {
  const bool has_identity = sample.message_id || sample.turn_id;
  for (const RegionTurn& turn : std::views::reverse(reading.turns)) {
    if (has_identity) {
      if (sample.message_id && turn.message_id != sample.message_id) continue;
      if (sample.turn_id && turn.turn_id != sample.turn_id) continue;
    } else if (IsOld(turn.index, baseline_count)) {
      continue;
    } else if (turn.index != sample.turn_index) {
      return {};
    }
    if (turn.control.empty()) return {};
    return {.finished = true,
            .message_id = turn.message_id,
            .turn_id = turn.turn_id,
            .turn_index = turn.index,
            .control = turn.control};
  }
  return {};
}

Activity ActivityOf(const RegionReading& reading, const RegionProfile& profile) {
  if (reading.activity_unread) {
    return {.level = ActivityLevel::kUnknown, .evidence = "stop controls could not be looked at"};
  }
  for (const StopSeen& stop : reading.stops) {
    if (IsExcepted(stop, profile)) continue;
    return {.level = ActivityLevel::kStrong,
            .evidence = fmt::format("stop control \"{}\"", stop.label)};
  }
  if (!reading.progress.empty()) {
    return {.level = ActivityLevel::kStrong, .evidence = reading.progress};
  }
  if (reading.turns.empty()) return {};
  const RegionTurn& latest = reading.turns.back();
  if (latest.busy) return {.level = ActivityLevel::kWeak, .evidence = "the latest item is busy"};
  if (latest.text && CleanText(*latest.text, profile).empty()) {
    return {.level = ActivityLevel::kWeak, .evidence = "the latest item has no text yet"};
  }
  return {};
}

bool IsStale(const RegionReading& reading, const RegionSample& sample) {
  return reading.before_last_user && sample.turn_index < *reading.before_last_user;
}

std::vector<RegionImage> ImagesOf(const RegionReading& reading, const RegionProfile& profile,
                                  uint64_t baseline_count, std::optional<int64_t> only) {
  std::vector<RegionImage> images;
  for (const RegionTurn& turn : reading.turns) {
    if (IsOld(turn.index, baseline_count) || (only && turn.index != *only)) continue;
    for (const RegionImage& image : turn.images) {
      if (IsAnswer(image, profile.images)) images.push_back(image);
    }
  }
  return images;
}

const RegionTurn* ImageOnlyTurn(const RegionReading& reading, const RegionProfile& profile,
                                uint64_t baseline_count) {
  if (reading.turns.empty()) return nullptr;
  const RegionTurn& latest = reading.turns.back();
  if (IsOld(latest.index, baseline_count)) return nullptr;
  if (reading.before_last_user && latest.index < *reading.before_last_user) return nullptr;
  const auto images = ImagesOf(reading, profile, baseline_count, latest.index);
  if (images.empty()) return nullptr;
  if (!std::ranges::all_of(images, [](const RegionImage& image) { return image.loaded; })) {
    return nullptr;
  }
  const std::string_view text = Trimmed(latest.text ? *latest.text : std::string_view());
  const bool chrome = text.empty() || MatchesAny(profile.images.chrome, text);
  return chrome ? &latest : nullptr;
}

std::optional<std::string> ConversationOf(std::string_view url, const RegionProfile& profile) {
  const std::string_view path = WithoutQuery(url);
  const size_t scheme = path.find("://");
  const size_t begin = path.find('/', scheme == std::string_view::npos ? 0 : scheme + 3);
  if (begin == std::string_view::npos) return std::nullopt;
  for (const Pattern& pattern : profile.conversation) {
    if (auto id = pattern.FindId(path.substr(begin))) return id;
  }
  return std::nullopt;
}

}  // namespace topodb::capture
