#include "query/replay/outcome.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "capture/guard/url.h"

namespace topodb::replay {
namespace {

using capture::RequestSeen;
using capture::WithoutQuery;

std::string Detail(const Effect& effect, std::string_view name) {
  for (const auto& [key, value] : effect.details) {
    if (key == name) return value;
  }
  return "";
}

std::string_view QueryAndFragment(std::string_view url) {
  const size_t at = url.find_first_of("?#");
  return at == std::string_view::npos ? std::string_view() : url.substr(at);
}

template <class Predicate>
size_t CountEffects(const ActionEdge& edge, EffectType type, Predicate&& predicate) {
  return static_cast<size_t>(std::count_if(
      edge.effects.begin(), edge.effects.end(),
      [&](const Effect& effect) { return effect.type == type && predicate(effect); }));
}

constexpr auto kAny = [](const Effect&) { return true; };

bool IsKnownBlocked(const RequestSeen& request, const ActionFacts& facts) {
  const auto same = [&](std::string_view method, std::string_view url) {
    return method == request.method && WithoutQuery(url) == WithoutQuery(request.url);
  };
  const bool own = std::any_of(
      facts.own_requests.begin(), facts.own_requests.end(),
      [&](const RequestSeen& other) { return other.blocked && same(other.method, other.url); });
  return own || CountEffects(facts.edge, EffectType::kNetwork, [&](const Effect& effect) {
                  return Detail(effect, "blocked") == "true" &&
                         same(Detail(effect, "method"), effect.after.value_or(""));
                }) > 0;
}

}  // namespace

std::optional<Cause> UnexpectedEvent(const ActionFacts& facts) {
  const capture::PageEvents& events = facts.report.events;
  for (const auto& request : events.requests) {
    if (!request.blocked || IsKnownBlocked(request, facts)) continue;
    return Cause{
        "request-blocked",
        fmt::format("{} {} was blocked by {}", request.method, request.url, request.blocked_by),
        "the action now wants to change something that it did not change when recorded"};
  }
  for (const auto& dialog : events.dialogs) {
    const auto of_kind = [&](const Effect& effect) {
      return Detail(effect, "kind") == dialog.kind;
    };
    const auto seen = static_cast<size_t>(
        std::count_if(events.dialogs.begin(), events.dialogs.end(),
                      [&](const capture::DialogSeen& other) { return other.kind == dialog.kind; }));
    if (seen <= CountEffects(facts.edge, EffectType::kDialog, of_kind)) continue;
    return Cause{"unexpected-dialog",
                 fmt::format("the page opened {} \"{}\"", dialog.kind, dialog.text), ""};
  }
  if (events.popups.size() > CountEffects(facts.edge, EffectType::kPopup, kAny)) {
    return Cause{"unexpected-popup",
                 fmt::format("the page opened a window at {}", events.popups.back()), ""};
  }
  if (events.downloads.size() > CountEffects(facts.edge, EffectType::kDownload, kAny)) {
    return Cause{"unexpected-download",
                 fmt::format("the page started a download of {}", events.downloads.back()), ""};
  }
  return std::nullopt;
}

bool SawRecordedEffect(const ActionFacts& facts) {
  const capture::PageEvents& events = facts.report.events;
  const auto seen = [&](const Effect& effect) {
    switch (effect.type) {
      case EffectType::kUrl:
        // A fragment is no part of the canonical key, but a link to one moves the page there.
        return facts.before.url != facts.after.url &&
               QueryAndFragment(facts.after.url) == QueryAndFragment(effect.after.value_or(""));
      case EffectType::kDom:
        return facts.before.dom_hash != facts.after.dom_hash;
      case EffectType::kVisibleText:
      case EffectType::kInventory:
        return facts.before.visible_text_hash != facts.after.visible_text_hash;
      case EffectType::kFormState:
        return facts.report.value_changed ||
               facts.before.form_state_hash != facts.after.form_state_hash;
      case EffectType::kNetwork:
        return std::any_of(
            events.requests.begin(), events.requests.end(), [&](const RequestSeen& request) {
              return request.method == Detail(effect, "method") &&
                     WithoutQuery(request.url) == WithoutQuery(effect.after.value_or(""));
            });
      case EffectType::kDownload:
        return !events.downloads.empty();
      case EffectType::kDialog:
        return !events.dialogs.empty() || !events.prompts.empty();
      case EffectType::kStorage:
        return std::any_of(events.storage_touched.begin(), events.storage_touched.end(),
                           [&](const capture::StorageTouched& touched) {
                             return touched.area == Detail(effect, "area") &&
                                    touched.key == Detail(effect, "key");
                           });
      case EffectType::kPopup:
        return !events.popups.empty();
      case EffectType::kConsole:
        return !events.console_errors.empty();
      case EffectType::kFocus:
        return facts.before.focused != facts.after.focused;
    }
    return false;
  };
  return std::any_of(facts.edge.effects.begin(), facts.edge.effects.end(), seen);
}

}  // namespace topodb::replay
