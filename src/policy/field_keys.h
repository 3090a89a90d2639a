#pragma once
// Rows for keys that fill one field of their settings, whatever settings those are. Private to
// policy.
#include <cstdint>
#include <string_view>

#include <fmt/format.h>

#include "policy/key_table.h"

namespace gh::policy::keys {

template <class Member>
struct Owner;
template <class Settings, class Field>
struct Owner<Field Settings::*> {
  using type = Settings;
};
template <auto Field>
using SettingsOf = typename Owner<decltype(Field)>::type;

template <auto Field>
Value show_field(const SettingsOf<Field>& settings) {
  return Value(settings.*Field);
}

template <auto Field>
constexpr Key<SettingsOf<Field>> flag(std::string_view path) {
  return {path,
          [](SettingsOf<Field>& settings, const Value& value, const At& at) {
            return load_flag(settings.*Field, value, at);
          },
          show_field<Field>, nullptr};
}

template <auto Field, std::int64_t Min, std::int64_t Max>
constexpr Key<SettingsOf<Field>> number(std::string_view path) {
  return {path,
          [](SettingsOf<Field>& settings, const Value& value, const At& at) -> Status {
            const std::int64_t* given = value.as_int();
            if (given == nullptr || *given < Min || *given > Max)
              return at.expected(fmt::format("an integer from {} to {}", Min, Max), value);
            settings.*Field = *given;
            return {};
          },
          show_field<Field>, nullptr};
}

}  // namespace gh::policy::keys
