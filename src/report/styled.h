#pragma once
// Text for people before anybody knows how it will be drawn: it can be kept and drawn later.
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"
#include "report/look.h"

namespace gh::report {

class Styled {
 public:
  Styled& add(std::string_view text) { return add(Ink::plain, text); }
  Styled& add(Ink ink, std::string_view text);
  Styled& add(const Styled& more);
  /// Ten steps, `percent` of them full; without symbols where only ASCII is wanted.
  Styled& bar(std::int64_t percent);

  std::string drawn(const Look&) const;
  Value to_value() const;
  /// Empty when `value` is no text that to_value made.
  static Styled from_value(const Value& value);

 private:
  struct Piece {
    Ink ink = Ink::plain;
    std::string text;  // of a bar: how many steps are full
    bool is_bar = false;
  };
  std::vector<Piece> pieces_{};
};

}  // namespace gh::report
