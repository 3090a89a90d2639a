#pragma once
// A cursor over the lines of a submission. Only LF ends a line, and every line has one: parse()
// refuses a missing final LF before a cursor is made.
#include <cstdint>
#include <cstring>
#include <string_view>

namespace gh::diff {

struct Line {
  std::string_view text;    // without LF
  std::int64_t number = 0;  // 1-based
};

class Lines {
 public:
  explicit Lines(std::string_view bytes)
      : at_(bytes.data()),
        end_(bytes.data() + bytes.size()),
        content_end_(bytes.data() + bytes.find_last_not_of('\n') + 1) {}

  /// Only empty lines are left.
  bool done() const { return at_ >= content_end_; }
  bool at_end() const { return at_ == end_; }
  bool starts_with(std::string_view prefix) const { return rest().starts_with(prefix); }
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  const char* at() const { return at_; }
  std::int64_t number() const { return number_; }

  Line current() const {
    const char* lf = static_cast<const char*>(std::memchr(at_, '\n', rest().size()));
    return {{at_, static_cast<std::size_t>(lf - at_)}, number_};
  }
  Line take() {
    const Line line = current();
    at_ += line.text.size() + 1;
    ++number_;
    return line;
  }

 private:
  const char* at_;
  const char* end_;
  const char* content_end_;
  std::int64_t number_ = 1;
};

}  // namespace gh::diff
