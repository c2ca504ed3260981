#include <array>

#include "capture/risk/vocabulary.h"

namespace topodb::capture {
namespace {

bool IsVowel(char c) { return std::string_view("aeiou").find(c) != std::string_view::npos; }

bool EndsWith(std::string_view word, std::string_view suffix) {
  return word.size() >= suffix.size() && word.substr(word.size() - suffix.size()) == suffix;
}

size_t CountVowelGroups(std::string_view word) {
  size_t groups = 0;
  bool inside = false;
  for (size_t i = 0; i < word.size(); ++i) {
    const bool vowel = IsVowel(word[i]) && !(word[i] == 'u' && i > 0 && word[i - 1] == 'q');
    if (vowel && !inside) ++groups;
    inside = vowel;
  }
  return groups;
}

// "drop" but not "wipe", "reboot", "pay", "fix".
bool DoublesLastConsonant(std::string_view verb, const WordSet& doubled) {
  if (doubled.contains(verb)) return true;
  if (verb.size() < 3 || CountVowelGroups(verb) != 1) return false;
  const char last = verb[verb.size() - 1], vowel = verb[verb.size() - 2];
  const bool after_consonant =
      !IsVowel(verb[verb.size() - 3]) || EndsWith(verb.substr(0, verb.size() - 2), "qu");
  return !IsVowel(last) && std::string_view("wxy").find(last) == std::string_view::npos &&
         IsVowel(vowel) && after_consonant;
}

}  // namespace

std::string ThirdPerson(std::string_view verb) {
  if (verb.size() < 2) return std::string(verb) + "s";
  if (verb.back() == 'y' && !IsVowel(verb[verb.size() - 2])) {
    return std::string(verb.substr(0, verb.size() - 1)) + "ies";
  }
  constexpr std::array<std::string_view, 6> kSibilants = {"s", "x", "z", "ch", "sh", "o"};
  for (const auto suffix : kSibilants) {
    if (EndsWith(verb, suffix)) return std::string(verb) + "es";
  }
  return std::string(verb) + "s";
}

std::string Gerund(std::string_view verb, const WordSet& doubled) {
  if (EndsWith(verb, "ie")) return std::string(verb.substr(0, verb.size() - 2)) + "ying";
  if (EndsWith(verb, "e") && !EndsWith(verb, "ee")) {
    return std::string(verb.substr(0, verb.size() - 1)) + "ing";
  }
  if (DoublesLastConsonant(verb, doubled)) return std::string(verb) + verb.back() + "ing";
  return std::string(verb) + "ing";
}

}  // namespace topodb::capture
