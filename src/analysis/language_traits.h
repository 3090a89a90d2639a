// What differs between languages after the IR: who is public, what is alive by its name alone, how
// things are documented. One row per language.
#pragma once

#include <span>
#include <string_view>

#include "syntax/languages.h"

namespace gh::analysis {

enum class Visibility : std::uint8_t {
  offered,     // what `Offered` says
  underscore,  // what does not begin with one, in modules of which no part does
};
/// What makes a symbol one that other programs may name: then it is alive by itself.
enum class Offered : std::uint8_t {
  nowhere,
  by_word,         // `pub`, `public`, `protected`
  with_its_class,  // `export`, and with a class all of it that is not private
  by_capital,
  in_header,  // declared there, and neither `static` nor private
};
enum class Documented : std::uint8_t { by_docstring, by_comment_above };

struct LanguageTraits {
  bool finds_dead_code = false;
  bool has_optional_types = false;  // only then it matters how much is annotated
  Visibility visibility = Visibility::offered;
  Offered offered = Offered::nowhere;
  Documented documented = Documented::by_comment_above;
  std::span<const std::string_view> doc_openings{};  // of a comment above
  std::span<const std::string_view> hook_functions{};
  std::span<const std::string_view> hook_methods{}, hook_method_prefixes{};
  std::span<const std::string_view> hook_prefixes{};   // of any symbol
  std::span<const std::string_view> public_methods{};  // although they begin with an underscore
  bool dunders_are_hooks = false;
  bool constructors_bear_class_name = false;
  bool has_overloads = false;
  std::span<const std::string_view> entry_methods{};  // they keep their class, too
  char header_end = '{';
};
const LanguageTraits& traits_of(syntax::Language);

}  // namespace gh::analysis
