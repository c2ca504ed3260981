#include "capture/risk/risk_fields.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "capture/guard/url_parts.h"
#include "capture/risk/words.h"

namespace topodb::capture {
namespace {

// Link texts of more words are prose: headlines and teasers.
constexpr size_t kMaxLabelWords = 8;
constexpr size_t kMaxDenseLabelBytes = 72;  // 24 characters of CJK

template <size_t N>
bool IsOneOf(const std::array<std::string_view, N>& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

constexpr auto kInputTags =
    std::to_array<std::string_view>({"input", "textarea", "select", "option", "label"});
constexpr auto kInputRoles = std::to_array<std::string_view>(
    {"textbox", "searchbox", "combobox", "listbox", "option", "checkbox", "radio", "switch",
     "slider", "spinbutton", "menuitemcheckbox", "menuitemradio"});
constexpr auto kButtonTypes =
    std::to_array<std::string_view>({"button", "submit", "image", "reset"});
constexpr auto kButtonRoles = std::to_array<std::string_view>(
    {"button", "tab", "menuitem", "treeitem", "disclosuretriangle"});
constexpr auto kTestAttributes =
    std::to_array<std::string_view>({"id", "name", "data-testid", "data-test", "data-test-id",
                                     "data-cy", "data-qa", "data-action"});

std::string ControlType(const Element& element, const RiskHints& hints) {
  return FoldWord(hints.effective_type.empty() ? AttributeText(element, "type")
                                               : hints.effective_type);
}

std::string HrefOf(const Element& element, const RiskHints& hints) {
  return hints.href.empty() ? AttributeText(element, "href") : hints.href;
}

bool IsInput(const Element& element, const std::string& role, const std::string& type) {
  if (element.tag == "input" && IsOneOf(kButtonTypes, type)) return type == "reset";
  if (IsOneOf(kInputTags, element.tag) || element.interactability.editable) return true;
  const bool opener = element.tag == "button" && role == "combobox";
  return IsOneOf(kInputRoles, role) && !opener;
}

bool IsSubmit(const Element& element, const RiskHints& hints, const std::string& type) {
  if (element.tag != "button" && element.tag != "input") return false;
  const auto written = FoldWord(AttributeText(element, "type"));
  if (written == "submit" || written == "image") return true;
  // Any bare <button> calls itself a submit; outside a form it submits nothing.
  return (type == "submit" || type == "image") && (hints.in_form || !hints.form_action.empty());
}

bool IsLong(const std::vector<Word>& words) {
  size_t letters = 0, dense_bytes = 0;
  for (const auto& word : words) {
    letters += word.kind == WordKind::kLetters ? 1 : 0;
    dense_bytes += word.kind == WordKind::kDense ? word.text.size() : 0;
  }
  return letters > kMaxLabelWords || dense_bytes > kMaxDenseLabelBytes;
}

// A link that only explains: "How to delete an account".
bool IsQuestion(const std::vector<Word>& words, const Vocabulary& vocabulary) {
  return words.size() > 1 && vocabulary.asking.contains(words.front().text);
}

void AddLabels(const Element& element, const RiskHints& hints, const ElementShape& shape,
               const Vocabulary& vocabulary, std::vector<RiskField>& fields) {
  struct Label {
    std::string_view name;
    std::string_view text;
  };
  const auto view = [](const std::optional<std::string>& text) {
    return text ? std::string_view(*text) : std::string_view();
  };
  // What a button-like <input> shows.
  const auto value =
      element.tag == "input" && shape.button_like ? AttributeText(element, "value") : std::string();
  const Label labels[] = {{"name", view(element.accessible_name)},
                          {"text", view(element.text)},
                          {"label", view(element.label)},
                          {"title", hints.title},
                          {"placeholder", view(element.placeholder)},
                          {"description", hints.description},
                          {"value", value}};
  for (const auto& label : labels) {
    const bool known = std::any_of(fields.begin(), fields.end(), [&](const RiskField& field) {
      return field.text == label.text;
    });
    if (label.text.empty() || known) continue;
    Reading reading = Reading::kLabel;
    if (shape.link) {
      const auto words = SplitWords(label.text, CaseSplit::kOn);
      if (IsQuestion(words, vocabulary)) continue;
      if (IsLong(words)) reading = Reading::kProse;
    }
    fields.push_back({std::string(label.name), std::string(label.text), reading});
  }
}

void AddTokens(const Element& element, const RiskHints& hints, const ElementShape& shape,
               const Vocabulary& vocabulary, std::vector<RiskField>& fields) {
  const Reading icon = shape.has_words ? Reading::kIcon : Reading::kOnlyIcon;
  for (const auto& token : hints.icon_tokens) fields.push_back({"icon", token, icon});
  for (const auto& token : hints.class_tokens) {
    const auto words = SplitWords(token, CaseSplit::kOn);
    const bool is_icon = words.size() > 1 && vocabulary.icon_prefixes.contains(words[0].text);
    fields.push_back({"class", token, is_icon ? icon : Reading::kIdentifier});
  }
  for (const auto& [name, value] : element.attributes) {
    if (IsOneOf(kTestAttributes, name)) {
      fields.push_back({"attribute", value, Reading::kIdentifier});
    }
  }
  for (const auto& [name, value] : hints.request_attributes) {
    fields.push_back({name, value, Reading::kIdentifier});
  }
}

std::string WithoutExtension(const std::string& segment) {
  const auto dot = segment.rfind('.');
  const bool extension = dot != std::string::npos && dot > 0 && segment.size() - dot <= 6;
  return extension ? segment.substr(0, dot) : segment;
}

bool HasDigit(std::string_view text) {
  return text.find_first_of("0123456789") != std::string_view::npos;
}

void AddPath(const std::string& name, std::string_view path, const Vocabulary& vocabulary,
             std::vector<RiskField>& fields) {
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  bool below_help = false, behind_id = false;
  while (!path.empty()) {
    const auto slash = std::min(path.find('/'), path.size());
    const bool last = slash == path.size();
    const auto segment = WithoutExtension(PercentDecode(path.substr(0, slash)));
    path.remove_prefix(std::min(slash + 1, path.size()));
    const auto words = SplitWords(segment, CaseSplit::kOn);
    if (words.empty()) continue;
    // Below /help/ a slug of several words is the title of an article.
    if (!below_help || words.size() == 1) {
      const Reading at_end = behind_id ? Reading::kCommand : Reading::kLastSegment;
      fields.push_back({name, segment, last ? at_end : Reading::kSegment});
    }
    below_help = words.size() == 1 && vocabulary.help_paths.contains(words.front().text);
    behind_id = HasDigit(segment);
  }
}

bool AnyWordIn(const std::vector<Word>& words, const WordSet& set) {
  return std::any_of(words.begin(), words.end(),
                     [&](const Word& word) { return set.contains(word.text); });
}

void AddQuery(const std::string& name, std::string_view query, const Vocabulary& vocabulary,
              std::vector<RiskField>& fields) {
  for (const auto& pair : SplitQuery(query)) {
    const auto key = PercentDecode(pair.key, Plus::kSpace);
    const auto value = PercentDecode(pair.value, Plus::kSpace);
    const auto words = SplitWords(key, CaseSplit::kOn);
    const bool command = AnyWordIn(words, vocabulary.action_keys);
    if (!command && AnyWordIn(words, vocabulary.text_keys)) continue;
    fields.push_back({name, key, Reading::kCommand});
    if (value.find("//") == std::string::npos && (value.empty() || value.front() != '/')) {
      fields.push_back({name, value, Reading::kCommand});
    }
  }
}

}  // namespace

std::string AttributeText(const Element& element, std::string_view name) {
  for (const auto& [key, value] : element.attributes) {
    if (key == name) return value;
  }
  return {};
}

void AddUrlFields(const std::string& name, const std::string& url, const Vocabulary& vocabulary,
                  std::vector<RiskField>& fields) {
  const auto parts = SplitUrl(url);
  if (parts.scheme == "javascript") {
    fields.push_back({name, PercentDecode(url.substr(url.find(':') + 1)), Reading::kIdentifier});
    return;
  }
  if (!parts.scheme.empty() && !IsHierarchical(parts)) return;
  AddPath(name, parts.path, vocabulary, fields);
  if (parts.query) AddQuery(name, *parts.query, vocabulary, fields);
  if (!parts.fragment) return;
  const std::string_view fragment = *parts.fragment;
  if (!fragment.empty() && (fragment.front() == '/' || fragment.front() == '!')) {
    const auto mark = std::min(fragment.find('?'), fragment.size());
    AddPath(name, fragment.substr(0, mark), vocabulary, fields);
    if (mark < fragment.size()) AddQuery(name, fragment.substr(mark + 1), vocabulary, fields);
  } else if (SplitWords(fragment, CaseSplit::kOn).size() == 1) {
    fields.push_back({name, PercentDecode(fragment), Reading::kSegment});
  }
}

ElementShape DescribeShape(const Element& element, const RiskHints& hints) {
  ElementShape shape;
  const auto role = element.role ? FoldWord(*element.role) : std::string();
  const auto type = ControlType(element, hints);
  const auto href = HrefOf(element, hints);
  const auto scheme = SplitUrl(href).scheme;
  const bool script = scheme == "javascript";
  shape.submits = IsSubmit(element, hints, type);
  shape.input = !shape.submits && (IsInput(element, role, type) ||
                                   (element.tag == "button" && type == "reset" && hints.in_form));
  const bool anchor = element.tag == "a" || element.tag == "area" || role == "link";
  shape.link = !script && hints.request_attributes.empty() && !shape.submits &&
               ((anchor && !href.empty()) || (role == "link" && element.tag != "button"));
  shape.button_like = IsOneOf(kButtonRoles, role) || element.tag == "button" ||
                      element.tag == "summary" || anchor || script || hints.expanded_or_popup ||
                      (element.tag == "input" && IsOneOf(kButtonTypes, type));
  for (const auto* text : {&element.accessible_name, &element.text, &element.label}) {
    shape.has_words |= *text && HasWords(**text);
  }
  return shape;
}

std::vector<RiskField> CollectFields(const Element& element, const RiskHints& hints,
                                     const ElementShape& shape, const Vocabulary& vocabulary) {
  std::vector<RiskField> fields;
  AddLabels(element, hints, shape, vocabulary, fields);
  AddTokens(element, hints, shape, vocabulary, fields);
  AddUrlFields("href", HrefOf(element, hints), vocabulary, fields);
  if (shape.submits) AddUrlFields("form_action", hints.form_action, vocabulary, fields);
  return fields;
}

}  // namespace topodb::capture
