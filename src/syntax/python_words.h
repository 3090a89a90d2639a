// Keywords and operators of Python by their bytes.
#pragma once

#include <bit>
#include <cstring>

#include "syntax/python_tokens.h"

namespace gh::syntax::python {

struct Known {
  Word word = Word::name;
  Soft soft = Soft::none;
};

struct KeyWord {
  std::string_view text;
  Known known;
};
// table: words of python
inline constexpr std::array kKeyWords = std::to_array<KeyWord>({
    {"False", {Word::false_}},
    {"None", {Word::none_}},
    {"True", {Word::true_}},
    {"and", {Word::and_}},
    {"as", {Word::as_}},
    {"assert", {Word::assert_}},
    {"async", {Word::async_}},
    {"await", {Word::await_}},
    {"break", {Word::break_}},
    {"class", {Word::class_}},
    {"continue", {Word::continue_}},
    {"def", {Word::def_}},
    {"del", {Word::del_}},
    {"elif", {Word::elif_}},
    {"else", {Word::else_}},
    {"except", {Word::except_}},
    {"finally", {Word::finally_}},
    {"for", {Word::for_}},
    {"from", {Word::from_}},
    {"global", {Word::global_}},
    {"if", {Word::if_}},
    {"import", {Word::import_}},
    {"in", {Word::in_}},
    {"is", {Word::is_}},
    {"lambda", {Word::lambda_}},
    {"nonlocal", {Word::nonlocal_}},
    {"not", {Word::not_}},
    {"or", {Word::or_}},
    {"pass", {Word::pass_}},
    {"raise", {Word::raise_}},
    {"return", {Word::return_}},
    {"try", {Word::try_}},
    {"while", {Word::while_}},
    {"with", {Word::with_}},
    {"yield", {Word::yield_}},
    {"print", {Word::name, Soft::print}},
    {"exec", {Word::name, Soft::exec}},
    {"match", {Word::name, Soft::match}},
    {"case", {Word::name, Soft::case_}},
    {"type", {Word::name, Soft::type}},
});
inline constexpr std::size_t kLongestKeyWord = 8;

/// Words of up to eight bytes as one number, its slot by one multiplication.
class KeyWordSlots {
 public:
  constexpr KeyWordSlots() {
    for (std::uint64_t factor = 0x9e3779b97f4a7c15; !place(factor);)
      factor = factor * 0x5851f42d4c957f2d + 0x14057b7ef767814e;
  }
  constexpr Known find(std::uint64_t packed) const {
    const Slot& slot = slots_[slot_of(packed, factor_)];
    return slot.packed == packed ? slot.known : Known{};
  }

 private:
  static constexpr std::size_t kBits = 8;
  struct Slot {
    std::uint64_t packed = 0;
    Known known{};
  };
  static constexpr std::uint64_t packed(std::string_view text) {
    std::uint64_t out = 0;
    for (std::size_t i = text.size(); i > 0; --i)
      out = out << 8 | static_cast<unsigned char>(text[i - 1]);
    return out;
  }
  static constexpr std::size_t slot_of(std::uint64_t packed, std::uint64_t factor) {
    return static_cast<std::size_t>((packed * factor) >> (64 - kBits));
  }
  constexpr bool place(std::uint64_t factor) {
    slots_ = {};
    factor_ = factor;
    for (const KeyWord& word : kKeyWords) {
      Slot& slot = slots_[slot_of(packed(word.text), factor)];
      if (slot.packed != 0) return false;
      slot = {packed(word.text), word.known};
    }
    return true;
  }

  std::array<Slot, 1U << kBits> slots_{};
  std::uint64_t factor_ = 0;
};
inline constexpr KeyWordSlots kKeyWordSlots;

/// The eight bytes at `text` must be readable.
inline Known known_word(const char* text, std::size_t length) {
  static_assert(std::endian::native == std::endian::little);
  if (length > kLongestKeyWord || length < 2) return {};
  std::uint64_t packed = 0;
  std::memcpy(&packed, text, sizeof packed);
  return kKeyWordSlots.find(packed & (~std::uint64_t{0} >> (64 - 8 * length)));
}

struct Operator {
  Word word = Word::end;
  std::uint32_t length = 0;
};

/// One that may stand before '=': the byte is one of + - * / % @ & | ^ < >, the last two doubled.
inline Operator operator_at(const char* text) {
  const bool is_double = text[1] == text[0];
  switch (*text) {
    case '+':
      return {Word::plus, 1};
    case '-':
      return {Word::minus, 1};
    case '*':
      return is_double ? Operator{Word::power, 2} : Operator{Word::star, 1};
    case '/':
      return is_double ? Operator{Word::double_slash, 2} : Operator{Word::slash, 1};
    case '%':
      return {Word::percent, 1};
    case '@':
      return {Word::at, 1};
    case '&':
      return {Word::ampersand, 1};
    case '|':
      return {Word::pipe, 1};
    case '^':
      return {Word::caret, 1};
    case '<':
      return {Word::shift_left, 2};
    default:
      return {Word::shift_right, 2};
  }
}

}  // namespace gh::syntax::python
