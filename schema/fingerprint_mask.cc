#include <algorithm>
#include <array>
#include <optional>

#include "schema/fingerprint.h"

// Masking of volatile text. English words and digits only: what it misses is found by observing a
// page twice. A hand-written scanner, because it runs over every name of every page.
namespace topodb {
namespace {

constexpr std::string_view kDate = "<date>", kTime = "<time>", kWhen = "<when>", kUuid = "<uuid>",
                           kToken = "<token>";

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
bool IsLetter(char c) { return Lower(c) >= 'a' && Lower(c) <= 'z'; }
bool IsAlnum(char c) { return IsDigit(c) || IsLetter(c); }
bool IsHex(char c) { return IsDigit(c) || (Lower(c) >= 'a' && Lower(c) <= 'f'); }

// Letters beyond ASCII continue a word.
bool IsWord(char c) { return IsAlnum(c) || static_cast<unsigned char>(c) >= 0x80; }

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() && std::equal(text.begin(), text.end(), lower.begin(),
                                                   [](char a, char b) { return Lower(a) == b; });
}

template <size_t N>
bool IsOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view other) { return EqualsIgnoringCase(word, other); });
}

constexpr std::array<std::string_view, 25> kMonths{
    "jan",   "feb",  "mar",  "apr",    "may",       "jun",     "jul",      "aug",
    "sep",   "sept", "oct",  "nov",    "dec",       "january", "february", "march",
    "april", "june", "july", "august", "september", "october", "november", "december"};
constexpr std::array<std::string_view, 14> kWeekdays{
    "mon",    "tue",     "wed",       "thu",      "fri",    "sat",      "sun",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"};
constexpr std::array<std::string_view, 33> kUnits{
    "s",       "sec", "secs", "second", "seconds", "m",     "min", "mins",  "minute",
    "minutes", "h",   "hr",   "hrs",    "hour",    "hours", "d",   "day",   "days",
    "w",       "wk",  "wks",  "week",   "weeks",   "mo",    "mos", "month", "months",
    "y",       "yr",  "yrs",  "year",   "years",   "moment"};
constexpr std::array<std::string_view, 5> kAmountWords{"a", "an", "one", "few", "several"};

// Reads forward over one text; each Take… moves only when it returns true.
class Scanner {
 public:
  Scanner(std::string_view text, size_t position) : text_(text), position_(position) {}

  size_t position() const { return position_; }
  bool AtEnd() const { return position_ >= text_.size(); }
  char Peek() const { return AtEnd() ? '\0' : text_[position_]; }
  bool AtWordEnd() const { return AtEnd() || !IsWord(Peek()); }

  bool Take(char c) {
    if (AtEnd() || Peek() != c) return false;
    ++position_;
    return true;
  }
  bool TakeOneOf(std::string_view chars) {
    if (AtEnd() || chars.find(Peek()) == std::string_view::npos) return false;
    ++position_;
    return true;
  }
  // A whole run of digits whose length is in the range.
  bool TakeDigits(size_t min, size_t max) {
    size_t end = position_;
    while (end < text_.size() && IsDigit(text_[end])) ++end;
    const size_t count = end - position_;
    if (count < min || count > max) return false;
    position_ = end;
    return true;
  }
  // A whole run of letters; empty when there is none.
  std::string_view TakeLetters() {
    const size_t begin = position_;
    while (!AtEnd() && IsLetter(Peek())) ++position_;
    return text_.substr(begin, position_ - begin);
  }
  bool TakeWord(std::string_view lower) {
    Scanner ahead = *this;
    if (!EqualsIgnoringCase(ahead.TakeLetters(), lower) || !ahead.AtWordEnd()) return false;
    *this = ahead;
    return true;
  }
  bool TakeHex(size_t count) {
    if (text_.size() - position_ < count) return false;
    const std::string_view digits = text_.substr(position_, count);
    if (!std::all_of(digits.begin(), digits.end(), IsHex)) return false;
    position_ += count;
    return true;
  }
  // Runs `take` on a copy and keeps the copy when it succeeds.
  template <class TakeAll>
  bool Try(TakeAll take) {
    Scanner ahead = *this;
    if (!take(ahead)) return false;
    *this = ahead;
    return true;
  }

 private:
  std::string_view text_;
  size_t position_;
};

// 10:30, 10:30:59.123, 9:05 PM, 9 pm
bool TakeTime(Scanner& in) {
  return in.Try([](Scanner& s) {
    if (!s.TakeDigits(1, 2)) return false;
    const bool minutes = s.Take(':');
    if (minutes && !s.TakeDigits(2, 2)) return false;
    if (minutes && s.Try([](Scanner& t) { return t.Take(':') && t.TakeDigits(2, 2); })) {
      s.Try([](Scanner& t) { return t.TakeOneOf(".,") && t.TakeDigits(1, 9); });
    }
    const bool half_day = s.Try([](Scanner& t) {
      t.Take(' ');
      return t.TakeWord("am") || t.TakeWord("pm");
    });
    if (!half_day && minutes) s.Try([](Scanner& t) { return t.Take('Z') && t.AtWordEnd(); });
    return (minutes || half_day) && s.AtWordEnd() && s.Peek() != ':';
  });
}

void TakeZone(Scanner& in) {
  in.Try([](Scanner& s) {
    return s.TakeOneOf("+-") &&
           (s.TakeDigits(4, 4) || (s.TakeDigits(2, 2) && s.Take(':') && s.TakeDigits(2, 2)));
  });
}

// 2024-05-31, 2024/5/31, 2024-05-31T10:30:00Z, 31.12.2024, 5/31/24
bool TakeNumericDate(Scanner& in) {
  return in.Try([](Scanner& s) {
    const bool year_first = s.TakeDigits(4, 4);
    if (!year_first && !s.TakeDigits(1, 2)) return false;
    const char separator = s.Peek();
    if (!s.TakeOneOf("-/.") || !s.TakeDigits(1, 2) || !s.Take(separator)) return false;
    // Two digits for the year only with slashes: 1.2.34 is a version, 1-2-34 a part number.
    const bool complete = year_first
                              ? s.TakeDigits(1, 2)
                              : s.TakeDigits(4, 4) || (separator == '/' && s.TakeDigits(2, 2));
    if (!complete) return false;
    if (s.Try([](Scanner& t) { return t.Take('T') && TakeTime(t); })) TakeZone(s);
    return s.AtWordEnd();
  });
}

bool TakeDay(Scanner& in) {
  return in.Try([](Scanner& s) {
    if (!s.TakeDigits(1, 2)) return false;
    for (const std::string_view suffix : {"st", "nd", "rd", "th"}) {
      if (s.TakeWord(suffix)) break;
    }
    return s.AtWordEnd();
  });
}

bool TakeMonth(Scanner& in) {
  return in.Try([](Scanner& s) {
    if (!IsOneOf(s.TakeLetters(), kMonths)) return false;
    s.Take('.');
    return s.AtWordEnd();
  });
}

// Nov 29, 29 November, Wed, 29 Nov 2023, November 29th, 2023; a month with a year alone stays: it
// is what a calendar shows.
bool TakeNamedDate(Scanner& in) {
  return in.Try([](Scanner& s) {
    s.Try([](Scanner& t) {
      if (!IsOneOf(t.TakeLetters(), kWeekdays)) return false;
      t.TakeOneOf(",.");
      return t.Take(' ');
    });
    const bool day_first =
        s.Try([](Scanner& t) { return TakeDay(t) && t.TakeOneOf(" -") && TakeMonth(t); });
    const bool month_first = !day_first && s.Try([](Scanner& t) {
      return TakeMonth(t) && t.TakeOneOf(" -") && TakeDay(t);
    });
    if (!day_first && !month_first) return false;
    s.Try([](Scanner& t) {
      t.Take(',');
      return t.TakeOneOf(" -") && t.TakeDigits(4, 4) && t.AtWordEnd() && t.Peek() != ':';
    });
    return true;
  });
}

// 5 minutes, 5m, an hour, a few seconds
bool TakeSpan(Scanner& in) {
  return in.Try([](Scanner& s) {
    if (!s.TakeDigits(1, 4)) {
      if (!IsOneOf(s.TakeLetters(), kAmountWords) || !s.Take(' ')) return false;
      s.Try([](Scanner& t) { return t.TakeWord("few") && t.Take(' '); });
    } else {
      s.Take(' ');
    }
    return IsOneOf(s.TakeLetters(), kUnits) && s.AtWordEnd();
  });
}

bool TakeWords(Scanner& in, std::string_view first, std::string_view second) {
  return in.Try([&](Scanner& s) { return s.TakeWord(first) && s.Take(' ') && s.TakeWord(second); });
}

// 5 minutes ago, just now, moments ago, in 2 hours
bool TakeRelative(Scanner& in) {
  return in.Try([](Scanner& s) { return TakeSpan(s) && s.Take(' ') && s.TakeWord("ago"); }) ||
         in.Try([](Scanner& s) { return s.TakeWord("in") && s.Take(' ') && TakeSpan(s); }) ||
         TakeWords(in, "just", "now") || TakeWords(in, "moments", "ago");
}

bool TakeUuid(Scanner& in) {
  return in.Try([](Scanner& s) {
    return s.TakeHex(8) && s.Take('-') && s.TakeHex(4) && s.Take('-') && s.TakeHex(4) &&
           s.Take('-') && s.TakeHex(4) && s.Take('-') && s.TakeHex(12) && s.AtWordEnd();
  });
}

// Letters and digits mixed as no word or model number mixes them.
bool IsToken(std::string_view word) {
  size_t digits = 0;
  size_t switches = 0;  // between letter and digit
  bool hex = true;
  for (size_t i = 0; i < word.size(); ++i) {
    if (IsDigit(word[i])) ++digits;
    if (i > 0 && IsDigit(word[i]) != IsDigit(word[i - 1])) ++switches;
    hex = hex && IsHex(word[i]);
  }
  if (digits == 0 || digits == word.size()) return false;
  return word.size() >= 20 || (word.size() >= 10 && switches >= 3) ||
         (word.size() >= 6 && switches >= 4) || (hex && word.size() >= 12) ||
         (hex && word.size() >= 8 && switches >= 2);
}

bool TakeToken(Scanner& in, std::string_view text) {
  return in.Try([&](Scanner& s) {
    const size_t begin = s.position();
    size_t end = begin;
    while (end < text.size() && IsAlnum(text[end])) ++end;
    if (!IsToken(text.substr(begin, end - begin))) return false;
    s = Scanner(text, end);
    return s.AtWordEnd();
  });
}

// What stands for the volatile text that begins here; `in` moves behind it.
std::optional<std::string_view> TakeVolatile(Scanner& in, std::string_view text) {
  if (TakeUuid(in)) return kUuid;
  if (TakeNumericDate(in) || TakeNamedDate(in)) return kDate;
  if (TakeRelative(in)) return kWhen;
  if (TakeTime(in)) return kTime;
  if (TakeToken(in, text)) return kToken;
  return std::nullopt;
}

bool Contains(std::string_view text, std::string_view lower) {
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(),
                     [](char a, char b) { return Lower(a) == b; }) != text.end();
}

// True when nothing volatile can be in it: everything that is masked has a digit or one of these.
bool IsPlain(std::string_view text) {
  return std::none_of(text.begin(), text.end(), IsDigit) && !Contains(text, "ago") &&
         !Contains(text, "now") && !Contains(text, "in ");
}

}  // namespace

std::string MaskVolatile(std::string_view text) {
  if (IsPlain(text)) return std::string(text);
  std::string masked;
  masked.reserve(text.size());
  bool in_word = false;
  for (size_t i = 0; i < text.size();) {
    Scanner scanner(text, i);
    const auto placeholder =
        in_word || !IsAlnum(text[i]) ? std::nullopt : TakeVolatile(scanner, text);
    if (placeholder) {
      masked += *placeholder;
      i = scanner.position();
      in_word = false;
    } else {
      in_word = IsWord(text[i]);
      masked += text[i++];
    }
  }
  return masked;
}

std::string MaskDigits(std::string_view text) {
  const std::string masked = MaskVolatile(text);
  std::string out;
  out.reserve(masked.size());
  for (size_t i = 0; i < masked.size();) {
    if (!IsDigit(masked[i])) {
      out += masked[i++];
      continue;
    }
    out += '#';
    // "1,234.50" is one number, so that 999 growing to 1,000 changes nothing.
    const auto in_number = [&](size_t at) {
      if (at >= masked.size()) return false;
      if (IsDigit(masked[at])) return true;
      const bool separator = masked[at] == '.' || masked[at] == ',';
      return separator && at + 1 < masked.size() && IsDigit(masked[at + 1]);
    };
    while (in_number(i)) ++i;
  }
  return out;
}

}  // namespace topodb
