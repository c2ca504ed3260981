#include "capture/risk/term_finder.h"

#include <algorithm>

namespace topodb::capture {
namespace {

// A path segment of more words is the title of an article, not a command.
constexpr size_t kMaxSegmentWords = 4;
constexpr char kGapMark = '\x1f';  // in dense text: something that is not dense stood here

bool CarriesMeaning(const Word& word) {
  return word.kind == WordKind::kLetters || word.kind == WordKind::kDense;
}

bool IsSegmentLike(Reading reading) {
  return reading == Reading::kSegment || reading == Reading::kLastSegment ||
         reading == Reading::kCommand;
}

bool SegmentTakes(Reading reading, TermKind kind) {
  if (kind == TermKind::kWhole) return reading == Reading::kCommand;
  return kind != TermKind::kSoft || reading != Reading::kSegment;
}

bool VerbsOnly(Reading reading) {
  return reading == Reading::kIdentifier || reading == Reading::kIcon ||
         reading == Reading::kOnlyIcon;
}

// "dElete" must not hide a verb behind its spelling: such text is read unsplit too.
bool MayBeSplitByCase(std::string_view text) {
  for (size_t i = 1; i < text.size(); ++i) {
    const bool upper = text[i] >= 'A' && text[i] <= 'Z';
    const bool inside = text[i - 1] != ' ' && text[i - 1] != '-';
    if ((upper && inside) || static_cast<unsigned char>(text[i]) >= 0x80) return true;
  }
  return false;
}

void ReplaceAll(std::string& text, std::string_view what) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at)) {
    text.replace(at, what.size(), 1, kGapMark);
  }
}

}  // namespace

// Words [begin, end) of one phrase.
struct TermFinder::Clause {
  size_t begin = 0, end = 0;
};

TermFinder::Index TermFinder::MakeIndex(const std::vector<Term>& terms) {
  Index index;
  for (const auto& term : terms) {
    if (term.dense) {
      index.dense.push_back(&term);
    } else {
      index.by_word[term.words.front()].push_back(&term);
    }
  }
  return index;
}

TermFinder::TermFinder(const Vocabulary& vocabulary)
    : vocabulary_(vocabulary),
      terms_(MakeIndex(vocabulary.terms)),
      icons_(MakeIndex(vocabulary.icons)) {
  for (const auto& phrase : vocabulary.harmless) {
    if (phrase.dense) {
      dense_harmless_.push_back(&phrase);
    } else {
      harmless_[phrase.words.front()].push_back(&phrase);
    }
  }
  // Longest first, so that a phrase is not broken by a shorter one inside it.
  std::stable_sort(dense_harmless_.begin(), dense_harmless_.end(), [](auto* left, auto* right) {
    return left->words.front().size() > right->words.front().size();
  });
}

std::vector<TermHit> TermFinder::Find(std::string_view text, Reading reading) const {
  std::vector<TermHit> hits;
  const auto words = SplitWords(text, CaseSplit::kOn);
  FindIn(words, reading, hits);
  if (MayBeSplitByCase(text)) {
    const auto unsplit = SplitWords(text, CaseSplit::kOff);
    if (unsplit.size() != words.size()) FindIn(unsplit, reading, hits);
  }
  std::vector<TermHit> once;
  for (auto& hit : hits) {
    const bool known = std::any_of(once.begin(), once.end(), [&](const TermHit& seen) {
      return seen.term->text == hit.term->text && seen.term->category == hit.term->category;
    });
    if (!known) once.push_back(std::move(hit));
  }
  return once;
}

void TermFinder::FindIn(const std::vector<Word>& words, Reading reading,
                        std::vector<TermHit>& hits) const {
  if (IsSegmentLike(reading) && words.size() > kMaxSegmentWords) return;
  for (size_t begin = 0; begin < words.size();) {
    Clause clause{begin, begin};
    while (clause.end < words.size() && words[clause.end].clause == words[begin].clause) {
      ++clause.end;
    }
    FindWords(clause, words, terms_, reading, hits);
    if (reading == Reading::kIcon || reading == Reading::kOnlyIcon) {
      FindWords(clause, words, icons_, reading, hits);
    }
    FindDense(clause, words, reading, hits);
    begin = clause.end;
  }
}

size_t TermFinder::MatchAt(const Clause& clause, const std::vector<Word>& words, size_t at,
                           const std::vector<std::string>& expected) const {
  for (size_t i = 0; i < expected.size(); ++at) {
    if (at >= clause.end) return 0;
    if (words[at].text == expected[i]) {
      ++i;
    } else if (i == 0 || !vocabulary_.function_words.contains(words[at].text)) {
      return 0;
    }
  }
  return at;
}

std::vector<char> TermFinder::MaskHarmless(const Clause& clause,
                                           const std::vector<Word>& words) const {
  std::vector<char> masked(words.size(), 0);
  for (size_t i = clause.begin; i < clause.end; ++i) {
    const auto found = harmless_.find(words[i].text);
    if (found == harmless_.end()) continue;
    for (const auto* phrase : found->second) {
      const size_t end = MatchAt(clause, words, i, phrase->words);
      for (size_t k = i; k < end; ++k) masked[k] = 1;
    }
  }
  return masked;
}

void TermFinder::FindWords(const Clause& clause, const std::vector<Word>& words, const Index& index,
                           Reading reading, std::vector<TermHit>& hits) const {
  const auto masked = MaskHarmless(clause, words);
  for (size_t i = clause.begin; i < clause.end; ++i) {
    const auto found = index.by_word.find(words[i].text);
    if (found == index.by_word.end() || masked[i] != 0) continue;
    for (const auto* term : found->second) {
      const size_t end = MatchAt(clause, words, i, term->words);
      if (end == 0 || !Counts(term->kind, clause, words, i, end, reading)) continue;
      std::string token;
      for (size_t k = i; k < end; ++k) token += (k == i ? "" : " ") + words[k].raw;
      hits.push_back({term, std::move(token)});
    }
  }
}

bool TermFinder::Counts(TermKind kind, const Clause& clause, const std::vector<Word>& words,
                        size_t begin, size_t end, Reading reading) const {
  if (kind == TermKind::kVerb) return reading != Reading::kProse || IsHead(clause, words, begin);
  if (VerbsOnly(reading)) return reading == Reading::kOnlyIcon && kind == TermKind::kNoun;
  if (reading == Reading::kProse) return false;
  if (IsSegmentLike(reading)) {
    return SegmentTakes(reading, kind) && IsWhole(words, begin, end);
  }
  switch (kind) {
    case TermKind::kSoft:
      return IsHead(clause, words, begin) || IsWhole(words, begin, end);
    case TermKind::kNoun:
      return IsLastNoun(clause, words, end);
    default:
      return IsWhole(words, begin, end);
  }
}

bool TermFinder::IsHead(const Clause& clause, const std::vector<Word>& words, size_t begin) const {
  for (size_t i = clause.begin; i < begin; ++i) {
    if (CarriesMeaning(words[i]) && !vocabulary_.fillers.contains(words[i].text)) return false;
  }
  return true;
}

bool TermFinder::IsLastNoun(const Clause& clause, const std::vector<Word>& words,
                            size_t end) const {
  if (vocabulary_.looking.contains(words[clause.begin].text)) return false;
  return end == clause.end || !CarriesMeaning(words[end]) ||
         vocabulary_.function_words.contains(words[end].text);
}

bool TermFinder::IsWhole(const std::vector<Word>& words, size_t begin, size_t end) const {
  for (size_t i = 0; i < words.size(); ++i) {
    if (i >= begin && i < end) continue;
    if (CarriesMeaning(words[i]) && !vocabulary_.fillers.contains(words[i].text) &&
        !vocabulary_.function_words.contains(words[i].text)) {
      return false;
    }
  }
  return true;
}

void TermFinder::FindDense(const Clause& clause, const std::vector<Word>& words, Reading reading,
                           std::vector<TermHit>& hits) const {
  std::string text;
  size_t letters_outside = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    const bool inside = i >= clause.begin && i < clause.end;
    if (inside && words[i].kind == WordKind::kDense) {
      text += words[i].text;
    } else if (CarriesMeaning(words[i])) {
      ++letters_outside;
      if (inside && !text.empty()) text += kGapMark;
    }
  }
  if (text.empty()) return;
  const std::string whole = text;
  for (const auto* phrase : dense_harmless_) ReplaceAll(text, phrase->words.front());
  for (const auto* term : terms_.dense) {
    const std::string& word = term->words.front();
    const size_t at = text.find(word);
    if (at == std::string::npos) continue;
    const bool is_whole = letters_outside == 0 && whole == word;
    const bool at_edge = at == 0 || text.rfind(word) == text.size() - word.size();
    bool counts = is_whole && (!IsSegmentLike(reading) || SegmentTakes(reading, term->kind));
    if (!VerbsOnly(reading) && term->kind == TermKind::kSoft) counts |= at == 0;
    if (term->kind == TermKind::kVerb || term->kind == TermKind::kNoun) {
      counts |= reading != Reading::kProse || at_edge;
    }
    if (counts) hits.push_back({term, word});
  }
}

}  // namespace topodb::capture
