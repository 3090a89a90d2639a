#include "report/styled.h"

#include <algorithm>

namespace gh::report {
namespace {

constexpr std::size_t kSteps = 10;
constexpr std::string_view kTimes = "\u00d7";

std::string bar_of(std::size_t full, bool ascii) {
  std::string out;
  for (std::size_t i = 0; i < kSteps; ++i)
    out += i < full ? (ascii ? "#" : "\u2588") : (ascii ? "." : "\u2591");
  return out;
}

std::string in_ascii(std::string_view text) {
  std::string out;
  for (std::size_t from = 0;;) {
    const std::size_t at = text.find(kTimes, from);
    out += text.substr(from, at - from);
    if (at == std::string_view::npos) return out;
    out += 'x';
    from = at + kTimes.size();
  }
}

}  // namespace

Styled& Styled::add(Ink ink, std::string_view text) {
  const bool joins = !pieces_.empty() && pieces_.back().ink == ink && !pieces_.back().is_bar;
  if (joins)
    pieces_.back().text += text;
  else
    pieces_.push_back({.ink = ink, .text = std::string(text)});
  return *this;
}

Styled& Styled::add(const Styled& more) {
  pieces_.insert(pieces_.end(), more.pieces_.begin(), more.pieces_.end());
  return *this;
}

Styled& Styled::bar(std::int64_t percent) {
  const std::int64_t full = (std::clamp<std::int64_t>(percent, 0, 100) + 5) / 10;
  const Ink ink = percent >= 75 ? Ink::good : percent >= 40 ? Ink::warning : Ink::bad;
  pieces_.push_back({.ink = ink, .text = std::to_string(full), .is_bar = true});
  return *this;
}

std::string Styled::drawn(const Look& look) const {
  std::string out;
  for (const Piece& piece : pieces_) {
    const std::string text = piece.is_bar ? bar_of(std::stoul(piece.text), look.ascii)
                             : look.ascii ? in_ascii(piece.text)
                                          : piece.text;
    out += piece.ink == Ink::plain ? text : paint(look, piece.ink, text);
  }
  return out;
}

Value Styled::to_value() const {
  List out;
  for (const Piece& piece : pieces_)
    out.emplace_back(List{static_cast<std::int64_t>(piece.ink), piece.is_bar, piece.text});
  return out;
}

Styled Styled::from_value(const Value& value) {
  Styled out;
  if (value.as_list() == nullptr) return {};
  for (const Value& row : *value.as_list()) {
    const List* cells = row.as_list();
    if (cells == nullptr || cells->size() != 3) return {};
    const std::int64_t* ink = (*cells)[0].as_int();
    const bool* is_bar = (*cells)[1].as_bool();
    const std::string* text = (*cells)[2].as_string();
    const bool fits = ink != nullptr && is_bar != nullptr && text != nullptr && *ink >= 0 &&
                      *ink <= static_cast<std::int64_t>(Ink::accent);
    const bool is_number = fits && !text->empty() && text->size() <= 2 &&
                           std::ranges::all_of(*text, [](char c) { return c >= '0' && c <= '9'; });
    if (!fits || (*is_bar && !is_number)) return {};
    out.pieces_.push_back({static_cast<Ink>(*ink), *text, *is_bar});
  }
  return out;
}

}  // namespace gh::report
