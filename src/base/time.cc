#include "base/time.h"

#include <charconv>
#include <chrono>

#include <fmt/format.h>

namespace gh {
namespace {

using std::chrono::day;
using std::chrono::month;
using std::chrono::sys_days;
using std::chrono::year;
using std::chrono::year_month_day;

/// Reads exactly `digits` decimal digits at `at` and steps over them; -1 when there are fewer.
int take_number(std::string_view text, std::size_t& at, std::size_t digits) {
  int value = 0;
  if (text.size() < at + digits) return -1;
  for (std::size_t end = at + digits; at < end; ++at) {
    if (text[at] < '0' || text[at] > '9') return -1;
    value = value * 10 + (text[at] - '0');
  }
  return value;
}

bool take(std::string_view text, std::size_t& at, char wanted) {
  if (at >= text.size() || text[at] != wanted) return false;
  ++at;
  return true;
}

/// Offset east of UTC in seconds; the zone must end the text.
bool take_zone(std::string_view text, std::size_t& at, std::int64_t& offset) {
  offset = 0;
  if (take(text, at, 'Z')) return at == text.size();
  if (at >= text.size() || (text[at] != '+' && text[at] != '-')) return false;
  const std::int64_t sign = text[at++] == '-' ? -1 : 1;
  const int hours = take_number(text, at, 2);
  if (!take(text, at, ':')) return false;
  const int minutes = take_number(text, at, 2);
  if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false;
  offset = sign * (hours * 3600 + minutes * 60);
  return at == text.size();
}

/// The digits of `number`, the last one at `at`.
template <class N>
void put_digits(std::string& text, std::size_t at, N number) {
  for (; number > 0; number /= 10)
    text[at--] = static_cast<char>('0' + number % 10);
}

}  // namespace

std::string to_string(Timestamp t) {
  const std::chrono::sys_seconds at{std::chrono::seconds(t.seconds)};
  const auto midnight = std::chrono::floor<std::chrono::days>(at);
  const year_month_day date{midnight};
  const std::chrono::hh_mm_ss clock{at - midnight};
  const int year = static_cast<int>(date.year());
  const bool is_plain = year >= 0 && year <= 9999;
  // Digit by digit: every row of the ledger has some.
  std::string out =
      is_plain ? "0000-00-00T00:00:00Z" : fmt::format("{:04}", year) + "-00-00T00:00:00Z";
  if (is_plain) put_digits(out, 3, year);
  put_digits(out, out.size() - 14, static_cast<unsigned>(date.month()));
  put_digits(out, out.size() - 11, static_cast<unsigned>(date.day()));
  put_digits(out, out.size() - 8, clock.hours().count());
  put_digits(out, out.size() - 5, clock.minutes().count());
  put_digits(out, out.size() - 2, clock.seconds().count());
  return out;
}

Result<Timestamp> parse_timestamp(std::string_view text) {
  std::size_t at = 0;
  const int y = take_number(text, at, 4);
  const bool dashed = take(text, at, '-');
  const int mo = take_number(text, at, 2);
  const bool dashed_twice = take(text, at, '-');
  const int d = take_number(text, at, 2);
  const bool has_t = take(text, at, 'T');
  const int h = take_number(text, at, 2);
  const bool colon = take(text, at, ':');
  const int mi = take_number(text, at, 2);
  const bool colon_twice = take(text, at, ':');
  const int s = take_number(text, at, 2);
  if (take(text, at, '.')) {
    const std::size_t first = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9')
      ++at;
    if (at == first) at = std::string_view::npos;
  }
  std::int64_t offset = 0;
  const year_month_day date{year(y), month(static_cast<unsigned>(mo)),
                            day(static_cast<unsigned>(d))};
  if (!dashed || !dashed_twice || !has_t || !colon || !colon_twice || y < 0 || !date.ok() ||
      h < 0 || h > 23 || mi < 0 || mi > 59 || s < 0 || s > 59 || !take_zone(text, at, offset))
    return fail(Code::bad_argument, fmt::format("'{}' is no RFC 3339 time with a zone",
                                                std::string(text.substr(0, 64))));
  const std::int64_t days = sys_days(date).time_since_epoch().count();
  return Timestamp{days * 86'400 + h * 3600L + mi * 60L + s - offset};
}

}  // namespace gh
