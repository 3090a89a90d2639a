// The languages that are read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace gh::syntax {

enum class Language : std::uint8_t { python, c, cpp, javascript, typescript, tsx, go, rust, java };
inline constexpr std::size_t kLanguageCount = static_cast<std::size_t>(Language::java) + 1;
std::string_view to_string(Language);
/// By its extension. `.h` is C here: whether a project holds C++ is not seen from one path.
std::optional<Language> language_of_path(std::string_view path);

}  // namespace gh::syntax
