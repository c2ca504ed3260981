#include "query/exchange/iso_time.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace topodb::query {
namespace {

using std::chrono::milliseconds;

constexpr std::chrono::sys_time<milliseconds> kFirst =
    std::chrono::sys_days{std::chrono::year{0} / 1 / 1};
constexpr std::chrono::sys_time<milliseconds> kLast =
    std::chrono::sys_days{std::chrono::year{10000} / 1 / 1} - milliseconds{1};

// Takes fields off the front of a text; once one is missing, `ok` stays false.
struct Cursor {
  std::string_view text;
  bool ok = true;

  int Digits(size_t count) {
    int value = 0;
    for (size_t i = 0; i < count; ++i) {
      if (text.empty() || text.front() < '0' || text.front() > '9') {
        ok = false;
        return 0;
      }
      value = value * 10 + (text.front() - '0');
      text.remove_prefix(1);
    }
    return value;
  }

  void Expect(char c) {
    if (!Skip(c)) ok = false;
  }

  bool Skip(char c) {
    if (text.empty() || text.front() != c) return false;
    text.remove_prefix(1);
    return true;
  }
};

milliseconds ParseFraction(Cursor& cursor) {
  if (!cursor.Skip('.')) return milliseconds{0};
  int value = 0;
  size_t digits = 0;
  while (!cursor.text.empty() && cursor.text.front() >= '0' && cursor.text.front() <= '9') {
    const int digit = cursor.Digits(1);
    if (digits < 3) value = value * 10 + digit;
    ++digits;
  }
  if (digits == 0 || digits > 9) cursor.ok = false;
  for (; digits < 3; ++digits) value *= 10;
  return milliseconds{value};
}

std::chrono::minutes ParseOffset(Cursor& cursor) {
  if (cursor.Skip('Z')) return std::chrono::minutes{0};
  const int sign = cursor.Skip('-') ? -1 : 1;
  if (sign == 1) cursor.Expect('+');
  const int hours = cursor.Digits(2);
  cursor.Expect(':');
  const int minutes = cursor.Digits(2);
  if (hours > 23 || minutes > 59) cursor.ok = false;
  return std::chrono::minutes{sign * (hours * 60 + minutes)};
}

}  // namespace

std::string ToIsoTime(Timestamp time) {
  const int64_t millis = std::clamp(time.millis, int64_t{kFirst.time_since_epoch().count()},
                                    int64_t{kLast.time_since_epoch().count()});
  const std::chrono::sys_time<milliseconds> point{milliseconds{millis}};
  const auto day = std::chrono::floor<std::chrono::days>(point);
  const std::chrono::year_month_day date{day};
  const std::chrono::hh_mm_ss clock{point - day};
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", int{date.year()},
                     unsigned{date.month()}, unsigned{date.day()}, clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::optional<Timestamp> ParseIsoTime(std::string_view text) {
  Cursor cursor{text};
  const std::chrono::year year{cursor.Digits(4)};
  cursor.Expect('-');
  const std::chrono::month month{static_cast<unsigned>(cursor.Digits(2))};
  cursor.Expect('-');
  const std::chrono::day day{static_cast<unsigned>(cursor.Digits(2))};
  cursor.Expect('T');
  const std::chrono::hours hours{cursor.Digits(2)};
  cursor.Expect(':');
  const std::chrono::minutes minutes{cursor.Digits(2)};
  cursor.Expect(':');
  const std::chrono::seconds seconds{cursor.Digits(2)};
  const milliseconds fraction = ParseFraction(cursor);
  const std::chrono::minutes offset = ParseOffset(cursor);
  const std::chrono::year_month_day date{year, month, day};
  if (!cursor.ok || !cursor.text.empty() || !date.ok() || hours.count() > 23 ||
      minutes.count() > 59 || seconds.count() > 59) {
    return std::nullopt;
  }
  const std::chrono::sys_time<milliseconds> point =
      std::chrono::sys_days{date} + hours + minutes + seconds + fraction - offset;
  return Timestamp{point.time_since_epoch().count()};
}

}  // namespace topodb::query
