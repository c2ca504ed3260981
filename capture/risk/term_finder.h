#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "capture/risk/vocabulary.h"
#include "capture/risk/words.h"

namespace topodb::capture {

// What a text is; how its words are to be read.
enum class Reading : uint8_t {
  kLabel,        // name, title …: every kind of term, as TermKind says
  kProse,        // the long text of a link: verbs only, and only at a clause's head
  kSegment,      // of a path: verbs anywhere, nouns as the whole segment
  kLastSegment,  // of a path: soft verbs as the whole segment too; "/order/17" only shows an order
  kCommand,      // of a query, or behind an id ("/posts/5/archive"): any term as the whole segment
  kIdentifier,   // class, test id, script: verbs only
  kIcon,         // an icon's name: verbs and icon verbs
  kOnlyIcon,     // of an element without words: icon nouns too
};

struct TermHit {
  const Term* term = nullptr;  // lives as long as the finder's vocabulary
  std::string token;           // as on the page
  bool operator==(const TermHit&) const = default;
};

// Finds terms in text. Immutable after construction; any number of threads. The vocabulary must
// outlive it.
class TermFinder {
 public:
  explicit TermFinder(const Vocabulary& vocabulary);

  // Every hit, in text order; each term at most once.
  std::vector<TermHit> Find(std::string_view text, Reading reading) const;

 private:
  // Positions by first word; scripts without word spaces apart.
  struct Index {
    std::unordered_map<std::string_view, std::vector<const Term*>> by_word;
    std::vector<const Term*> dense;
  };
  struct Clause;

  static Index MakeIndex(const std::vector<Term>& terms);
  void FindIn(const std::vector<Word>& words, Reading reading, std::vector<TermHit>& hits) const;
  void FindDense(const Clause& clause, const std::vector<Word>& words, Reading reading,
                 std::vector<TermHit>& hits) const;
  void FindWords(const Clause& clause, const std::vector<Word>& words, const Index& index,
                 Reading reading, std::vector<TermHit>& hits) const;
  std::vector<char> MaskHarmless(const Clause& clause, const std::vector<Word>& words) const;
  // One past the last word of `expected` at `at`, or 0.
  size_t MatchAt(const Clause& clause, const std::vector<Word>& words, size_t at,
                 const std::vector<std::string>& expected) const;
  bool Counts(TermKind kind, const Clause& clause, const std::vector<Word>& words, size_t begin,
              size_t end, Reading reading) const;
  bool IsHead(const Clause& clause, const std::vector<Word>& words, size_t begin) const;
  bool IsLastNoun(const Clause& clause, const std::vector<Word>& words, size_t end) const;
  bool IsWhole(const std::vector<Word>& words, size_t begin, size_t end) const;

  const Vocabulary& vocabulary_;
  Index terms_, icons_;
  std::unordered_map<std::string_view, std::vector<const HarmlessPhrase*>> harmless_;
  std::vector<const HarmlessPhrase*> dense_harmless_;
};

}  // namespace topodb::capture
