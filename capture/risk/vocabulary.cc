#include "capture/risk/vocabulary.h"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include "capture/risk/words.h"
#include "schema/base/hash.h"
#include "schema/names.h"

namespace topodb::capture {
namespace {

namespace json = boost::json;

constexpr std::string_view kInfoMacro = "@info";

Error Bad(std::string_view field, std::string_view problem, std::string_view hint = {}) {
  return Error{ErrorCode::kInvalidArgument, fmt::format("risk policy: {}: {}", field, problem),
               std::string(hint)};
}

template <class T>
void SortUnique(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

// Folded words of a list entry; one element for text of a dense script.
struct EntryWords {
  std::vector<std::string> words;
  bool dense = false;
};

EntryWords SplitEntry(std::string_view text) {
  EntryWords entry;
  std::string joined;
  for (auto& word : SplitWords(text, CaseSplit::kOff)) {
    entry.dense |= word.kind == WordKind::kDense;
    joined += word.text;
    entry.words.push_back(std::move(word.text));
  }
  if (entry.dense) entry.words = {std::move(joined)};
  return entry;
}

Result<std::vector<std::string>> ReadStrings(const json::value& value, const std::string& field) {
  const auto* array = value.if_array();
  if (array == nullptr) return Bad(field, "not a list of strings");
  std::vector<std::string> strings;
  for (size_t i = 0; i < array->size(); ++i) {
    const auto* text = (*array)[i].if_string();
    if (text == nullptr) return Bad(fmt::format("{}[{}]", field, i), "not a string");
    if (SplitEntry(*text).words.empty() && *text != kInfoMacro) {
      return Bad(fmt::format("{}[{}]", field, i), "contains no word");
    }
    strings.emplace_back(*text);
  }
  return strings;
}

template <class Enum>
Result<Enum> ReadEnum(const json::value& value, const std::string& field) {
  const auto* text = value.if_string();
  if (text == nullptr) return Bad(field, "not a string");
  const auto parsed = Parse<Enum>(std::string_view(*text));
  if (!parsed) return Bad(field, fmt::format("unknown value \"{}\"", std::string_view(*text)));
  return *parsed;
}

struct KindName {
  TermKind kind;
  std::string_view name;
};
constexpr std::array kKindNames = {
    KindName{TermKind::kVerb, "verb"}, KindName{TermKind::kSoft, "soft"},
    KindName{TermKind::kNoun, "noun"}, KindName{TermKind::kWhole, "whole"}};

std::vector<std::string> WithFirst(std::vector<std::string> words, std::string first) {
  words.front() = std::move(first);
  return words;
}

// Adds the term and, for English, its inflected forms. Past participles ("deleted") describe what
// happened and are no terms; a gerund counts as a noun ("deleting" alone, not "paying guide").
void AddEnglish(const Term& term, const WordSet& doubled, std::vector<Term>& terms) {
  const auto add = [&](TermKind kind, std::vector<std::string> words) {
    terms.push_back({term.category, kind, term.text, std::move(words), false});
  };
  const std::string& first = term.words.front();
  if (term.kind == TermKind::kVerb) {
    add(TermKind::kVerb, WithFirst(term.words, ThirdPerson(first)));
    add(TermKind::kNoun, WithFirst(term.words, Gerund(first, doubled)));
  } else if (term.kind == TermKind::kSoft) {
    add(TermKind::kWhole, WithFirst(term.words, Gerund(first, doubled)));
  } else if (term.kind == TermKind::kNoun) {
    auto plural = term.words;
    plural.back() = ThirdPerson(plural.back());
    add(TermKind::kNoun, std::move(plural));
  }
}

class PolicyReader {
 public:
  PolicyReader(const json::object& document, Vocabulary vocabulary)
      : document_(document), vocabulary_(std::move(vocabulary)) {}

  Result<Vocabulary> Read() {
    TOPODB_TRY_VOID(CheckKeys());
    TOPODB_TRY_VOID(ReadWordSets());
    TOPODB_TRY_VOID(ReadTerms());
    TOPODB_TRY_VOID(ReadIcons());
    TOPODB_TRY_VOID(ReadHarmless());
    TOPODB_TRY_VOID(ReadMethods());
    TOPODB_TRY_VOID(ReadLevels());
    TOPODB_TRY_VOID(RemoveTerms());
    SortUnique(vocabulary_.terms);
    SortUnique(vocabulary_.icons);
    SortUnique(vocabulary_.harmless);
    return std::move(vocabulary_);
  }

 private:
  struct SetField {
    std::string_view name;
    WordSet* words;
  };

  std::vector<SetField> SetFields() {
    auto& v = vocabulary_;
    return {{"fillers", &v.fillers},
            {"function_words", &v.function_words},
            {"looking", &v.looking},
            {"asking", &v.asking},
            {"affirmatives", &v.affirmatives},
            {"help_paths", &v.help_paths},
            {"action_keys", &v.action_keys},
            {"text_keys", &v.text_keys},
            {"icon_prefixes", &v.icon_prefixes},
            {"info", &v.info},
            {"doubled", &v.doubled}};
  }

  Status CheckKeys() {
    std::vector<std::string_view> known = {"version",  "extends", "terms",  "icons",
                                           "harmless", "methods", "levels", "without"};
    for (const auto& field : SetFields()) known.push_back(field.name);
    for (const auto& [key, value] : document_) {
      if (std::find(known.begin(), known.end(), std::string_view(key)) == known.end()) {
        return Bad(std::string_view(key), "unknown field",
                   fmt::format("known fields: {}", fmt::join(known, ", ")));
      }
    }
    return {};
  }

  Status ReadWordSets() {
    for (const auto& field : SetFields()) {
      const auto* value = document_.if_contains(field.name);
      if (value == nullptr) continue;
      TOPODB_TRY(const auto strings, ReadStrings(*value, std::string(field.name)));
      for (const auto& text : strings) {
        for (auto& word : SplitEntry(text).words) field.words->insert(std::move(word));
      }
    }
    return {};
  }

  Status ReadTerms() {
    const auto* value = document_.if_contains("terms");
    if (value == nullptr) return {};
    const auto* groups = value->if_array();
    if (groups == nullptr) return Bad("terms", "not a list");
    for (size_t i = 0; i < groups->size(); ++i) {
      const auto field = fmt::format("terms[{}]", i);
      const auto* group = (*groups)[i].if_object();
      if (group == nullptr) return Bad(field, "not an object");
      TOPODB_TRY_VOID(ReadGroup(*group, field, vocabulary_.terms));
    }
    return {};
  }

  // {"category": C, "lang": L, "verb": […], "soft": […], "noun": […], "whole": […]}
  Status ReadGroup(const json::object& group, const std::string& field, std::vector<Term>& out) {
    const auto* category_value = group.if_contains("category");
    if (category_value == nullptr) return Bad(field + ".category", "missing");
    TOPODB_TRY(const auto category, ReadEnum<RiskCategory>(*category_value, field + ".category"));
    const auto* lang = group.if_contains("lang");
    if (lang != nullptr && !lang->is_string()) return Bad(field + ".lang", "not a string");
    const bool english = lang != nullptr && lang->get_string() == "en";
    for (const auto& [json_key, value] : group) {
      // A lambda of Clang before version 16 cannot capture the binding itself.
      const std::string_view key = json_key;
      if (key == "category" || key == "lang") continue;
      const auto kind = std::find_if(kKindNames.begin(), kKindNames.end(),
                                     [&](const auto& known) { return known.name == key; });
      const auto name = fmt::format("{}.{}", field, key);
      if (kind == kKindNames.end()) {
        return Bad(name, "unknown field", "lists of terms are verb, soft, noun, whole");
      }
      TOPODB_TRY(const auto strings, ReadStrings(value, name));
      for (const auto& text : strings) {
        auto entry = SplitEntry(text);
        Term term{category, kind->kind, text, std::move(entry.words), entry.dense};
        if (english) AddEnglish(term, vocabulary_.doubled, out);
        out.push_back(std::move(term));
      }
    }
    return {};
  }

  Status ReadIcons() {
    const auto* value = document_.if_contains("icons");
    if (value == nullptr) return {};
    const auto* groups = value->if_array();
    if (groups == nullptr) return Bad("icons", "not a list");
    for (size_t i = 0; i < groups->size(); ++i) {
      const auto field = fmt::format("icons[{}]", i);
      const auto* group = (*groups)[i].if_object();
      if (group == nullptr) return Bad(field, "not an object");
      TOPODB_TRY_VOID(ReadGroup(*group, field, vocabulary_.icons));
    }
    return {};
  }

  // "order @info" stands for "order history", "order guide" and so on.
  Status ReadHarmless() {
    const auto* value = document_.if_contains("harmless");
    if (value == nullptr) return {};
    TOPODB_TRY(const auto strings, ReadStrings(*value, "harmless"));
    for (const auto& text : strings) {
      const auto macro = text.find(kInfoMacro);
      if (macro == std::string::npos) {
        auto entry = SplitEntry(text);
        vocabulary_.harmless.push_back({std::move(entry.words), entry.dense});
        continue;
      }
      for (const auto& word : vocabulary_.info) {
        auto expanded = text;
        auto entry = SplitEntry(expanded.replace(macro, kInfoMacro.size(), word));
        vocabulary_.harmless.push_back({std::move(entry.words), entry.dense});
      }
    }
    return {};
  }

  Status ReadMethods() {
    const auto* value = document_.if_contains("methods");
    if (value == nullptr) return {};
    const auto* methods = value->if_object();
    if (methods == nullptr) return Bad("methods", "not an object");
    for (const auto& [method, category] : *methods) {
      TOPODB_TRY(
          vocabulary_.methods[FoldWord(method)],
          ReadEnum<RiskCategory>(category, fmt::format("methods.{}", std::string_view(method))));
    }
    return {};
  }

  Status ReadLevels() {
    const auto* value = document_.if_contains("levels");
    if (value == nullptr) return {};
    const auto* levels = value->if_object();
    if (levels == nullptr) return Bad("levels", "not an object");
    for (const auto& [name, level_value] : *levels) {
      const auto field = fmt::format("levels.{}", std::string_view(name));
      TOPODB_TRY(const auto level, ReadEnum<RiskLevel>(level_value, field));
      if (name == "form_submit_get") {
        vocabulary_.get_form_level = level;
        continue;
      }
      const auto category = Parse<RiskCategory>(std::string_view(name));
      if (!category) return Bad(field, "no such category");
      vocabulary_.levels[*category] = level;
    }
    return {};
  }

  Status RemoveTerms() {
    const auto* value = document_.if_contains("without");
    if (value == nullptr) return {};
    TOPODB_TRY(const auto strings, ReadStrings(*value, "without"));
    for (size_t i = 0; i < strings.size(); ++i) {
      const auto words = SplitEntry(strings[i]).words;
      const auto matches = [&](const Term& term) { return SplitEntry(term.text).words == words; };
      if (std::erase_if(vocabulary_.terms, matches) + std::erase_if(vocabulary_.icons, matches) ==
          0) {
        return Bad(fmt::format("without[{}]", i), fmt::format("no term \"{}\"", strings[i]));
      }
    }
    return {};
  }

  const json::object& document_;
  Vocabulary vocabulary_;
};

void AddTerms(Canonical& canonical, const std::vector<Term>& terms) {
  canonical.AddNumber(terms.size());
  for (const auto& term : terms) {
    canonical.Add(ToString(term.category)).AddNumber(static_cast<uint64_t>(term.kind));
    canonical.AddNumber(term.words.size());
    for (const auto& word : term.words) canonical.Add(word);
  }
}

}  // namespace

Result<Vocabulary> ParseVocabulary(std::string_view text, const Vocabulary& base) {
  boost::system::error_code error;
  const auto document = json::parse(text, error);
  if (error) return Bad("document", fmt::format("not JSON: {}", error.message()));
  const auto* object = document.if_object();
  if (object == nullptr) return Bad("document", "not an object");
  Vocabulary start;
  start.levels = base.levels;
  if (const auto* extends = object->if_contains("extends")) {
    const auto* name = extends->if_string();
    if (name == nullptr || (*name != "builtin" && *name != "nothing")) {
      return Bad("extends", "neither \"builtin\" nor \"nothing\"");
    }
    if (*name == "builtin") start = base;
  } else {
    start = base;
  }
  return PolicyReader(*object, std::move(start)).Read();
}

std::string HashVocabulary(const Vocabulary& v) {
  Canonical canonical("risk-policy");
  AddTerms(canonical, v.terms);
  AddTerms(canonical, v.icons);
  canonical.AddNumber(v.harmless.size());
  for (const auto& phrase : v.harmless) {
    canonical.AddNumber(phrase.words.size());
    for (const auto& word : phrase.words) canonical.Add(word);
  }
  for (const auto* words : {&v.fillers, &v.function_words, &v.looking, &v.asking, &v.affirmatives,
                            &v.help_paths, &v.action_keys, &v.text_keys, &v.icon_prefixes}) {
    canonical.AddNumber(words->size());
    for (const auto& word : *words) canonical.Add(word);
  }
  canonical.AddNumber(v.methods.size());
  for (const auto& [method, category] : v.methods) canonical.Add(method).Add(ToString(category));
  canonical.AddNumber(v.levels.size());
  for (const auto& [category, level] : v.levels) {
    canonical.Add(ToString(category)).Add(ToString(level));
  }
  canonical.Add(ToString(v.get_form_level));
  return ToHex(canonical.Hash());
}

}  // namespace topodb::capture
