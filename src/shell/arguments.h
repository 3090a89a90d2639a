#pragma once
// The words of a program, told apart: options, their values, operands. Private to shell.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shell/script.h"

namespace gh::shell {

using Words = std::span<const Word>;

/// Letters of ASCII alone.
std::string lower(std::string_view text);

/// Is the name one of those between the commas? Also a long name that is cut short, as most
/// programs take it.
bool is_among(std::string_view names, std::string_view name);

/// What stands in the word from there on; nothing where the shell puts more into it.
std::string_view known_value(const Word&, std::size_t from);

/// Of a path.
std::string_view last_part(std::string_view path);

/// The words of a program, told apart.
struct Arguments {
  struct Option {
    std::string_view name;
    const Word* value;  // null: it has none
    std::string_view attached{};
  };
  std::vector<Option> options{};
  std::vector<const Word*> operands{};
  std::vector<const Word*> after_dashes{};  // also among the operands
  bool is_certain = true;                   // no word could turn out to be an option
};

Arguments read_arguments(Words, std::string_view short_values, std::string_view long_values,
                         bool stops_at_operand);

}  // namespace gh::shell
