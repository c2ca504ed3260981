#include "capture/explore/effects.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "schema/fingerprint.h"

namespace topodb::capture {
namespace {

void AddDifference(std::vector<Effect>& effects, EffectType type, const std::string& before,
                   const std::string& after, std::string_view description) {
  if (before == after) return;
  effects.push_back({.type = type,
                     .before = before,
                     .after = after,
                     .description = std::string(description),
                     .details = {}});
}

std::string InventoryHash(const PageSnapshot& snapshot) {
  return BuildState(snapshot, {}).actionable_signature_hash;
}

std::optional<std::string> FocusOf(const PageSnapshot& snapshot) {
  if (!snapshot.focused || *snapshot.focused >= snapshot.nodes.size()) return std::nullopt;
  const Element& element = snapshot.nodes[*snapshot.focused].element;
  return fmt::format("{} \"{}\"", element.role.value_or(element.tag),
                     element.accessible_name.value_or(""));
}

bool FocusIsOn(const PageSnapshot& snapshot, const Element& element) {
  return snapshot.focused && *snapshot.focused < snapshot.nodes.size() &&
         ComputeAnchorKey(snapshot.nodes[*snapshot.focused].element) == ComputeAnchorKey(element);
}

void AddFocus(std::vector<Effect>& effects, const EffectInput& input) {
  // Another document starts with a focus of its own.
  if (input.before.url != input.after->url || FocusIsOn(*input.after, input.acted)) return;
  auto before = FocusOf(input.before);
  auto after = FocusOf(*input.after);
  if (before == after) return;
  effects.push_back({.type = EffectType::kFocus,
                     .before = std::move(before),
                     .after = std::move(after),
                     .description = "Focus moved after action",
                     .details = {}});
}

Effect NetworkEffect(const RequestSeen& request) {
  Effect effect{.type = EffectType::kNetwork,
                .before = std::nullopt,
                .after = request.url,
                .description = {},
                .details = {{"blocked", request.blocked ? "true" : "false"}}};
  if (request.blocked && !request.blocked_by.empty()) {
    effect.details.emplace_back("blockedBy", request.blocked_by);
  }
  if (!request.allowed_by.empty()) effect.details.emplace_back("allowedBy", request.allowed_by);
  effect.details.emplace_back("method", request.method);
  if (!request.resource_type.empty()) {
    effect.details.emplace_back("resourceType", request.resource_type);
  }
  if (request.status) effect.details.emplace_back("status", std::to_string(*request.status));
  effect.description =
      fmt::format("{} {} {}", request.method, request.url, request.blocked ? "blocked" : "sent");
  return effect;
}

Effect UrlEvent(EffectType type, const std::string& url, std::string_view description) {
  return {.type = type,
          .before = std::nullopt,
          .after = url,
          .description = std::string(description),
          .details = {}};
}

Effect PlainEvent(EffectType type, std::string description, std::vector<NameValue> details) {
  return {.type = type,
          .before = std::nullopt,
          .after = std::nullopt,
          .description = std::move(description),
          .details = std::move(details)};
}

// Dialogs keep their order: it is the page's own and tells a conversation.
void AddDialogs(std::vector<Effect>& effects, const PageEvents& events) {
  for (const DialogSeen& dialog : events.dialogs) {
    effects.push_back(PlainEvent(
        EffectType::kDialog, fmt::format("{} \"{}\" {}", dialog.kind, dialog.text, dialog.answer),
        {{"answer", dialog.answer}, {"kind", dialog.kind}, {"text", dialog.text}}));
  }
  for (const std::string& what : events.prompts) {
    if (what == kFileChooserPrompt || what == kPrintPrompt) {
      effects.push_back(
          PlainEvent(EffectType::kDialog,
                     what == kPrintPrompt ? "print dialog dismissed" : "file chooser dismissed",
                     {{"answer", "dismissed"}, {"kind", what}}));
    } else {
      effects.push_back(PlainEvent(EffectType::kDialog,
                                   fmt::format("permission for {} denied", what),
                                   {{"answer", "denied"}, {"kind", "permission"}, {"text", what}}));
    }
  }
}

template <class Item, class Make>
void AddSorted(std::vector<Effect>& effects, const std::vector<Item>& items, const Make& make) {
  std::vector<Effect> made;
  made.reserve(items.size());
  std::ranges::transform(items, std::back_inserter(made), make);
  std::ranges::stable_sort(made, [](const Effect& a, const Effect& b) {
    return std::tie(a.after, a.description, a.details) <
           std::tie(b.after, b.description, b.details);
  });
  std::ranges::move(made, std::back_inserter(effects));
}

void AddEvents(std::vector<Effect>& effects, const PageEvents& events) {
  AddSorted(effects, events.requests, NetworkEffect);
  AddSorted(effects, events.downloads, [](const std::string& url) {
    return UrlEvent(EffectType::kDownload, url, "Download denied");
  });
  AddDialogs(effects, events);
  AddSorted(effects, events.storage_touched, [](const StorageTouched& touched) {
    if (touched.key.empty()) {
      return PlainEvent(EffectType::kStorage, touched.area + " cleared", {{"area", touched.area}});
    }
    return PlainEvent(EffectType::kStorage,
                      fmt::format("{} \"{}\" changed", touched.area, touched.key),
                      {{"area", touched.area}, {"key", touched.key}});
  });
  AddSorted(effects, events.popups, [](const std::string& url) {
    return UrlEvent(EffectType::kPopup, url, "Window opened");
  });
  AddSorted(effects, events.console_errors,
            [](const std::string& text) { return PlainEvent(EffectType::kConsole, text, {}); });
}

}  // namespace

std::vector<Effect> ObserveEffects(const EffectInput& input) {
  std::vector<Effect> effects;
  if (input.after != nullptr) {
    const PageSnapshot& before = input.before;
    const PageSnapshot& after = *input.after;
    AddDifference(effects, EffectType::kUrl, before.url, after.url, "URL changed after action");
    AddDifference(effects, EffectType::kDom, before.dom_hash, after.dom_hash,
                  "DOM changed after action");
    AddDifference(effects, EffectType::kVisibleText, before.visible_text_hash,
                  after.visible_text_hash, "Visible text changed after action");
    AddDifference(effects, EffectType::kInventory, InventoryHash(before), InventoryHash(after),
                  "Actionable inventory changed after action");
    AddDifference(effects, EffectType::kFormState, before.form_state_hash, after.form_state_hash,
                  "Form state changed after action");
    // The state of a form tells whether something is entered, not what.
    if (input.report.value_changed && before.form_state_hash == after.form_state_hash) {
      effects.push_back(
          PlainEvent(EffectType::kFormState, "Value of the control changed after action", {}));
    }
  }
  AddEvents(effects, input.report.events);
  if (input.after != nullptr) AddFocus(effects, input);
  return effects;
}

std::vector<Effect> BlockedRequestEffects(const std::vector<RequestSeen>& requests) {
  std::vector<RequestSeen> blocked;
  std::ranges::copy_if(requests, std::back_inserter(blocked), &RequestSeen::blocked);
  std::vector<Effect> effects;
  AddSorted(effects, blocked, NetworkEffect);
  return effects;
}

}  // namespace topodb::capture
