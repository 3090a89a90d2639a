#pragma once
// Programs that manage git hooks themselves: they get an entry in their own file, and go on calling
// all others.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace gh::setup {

enum class Manager : std::uint8_t { husky, lefthook, pre_commit };

struct ManagerRow {
  Manager manager;
  std::string_view name;
  std::string_view file;     // whose presence shows it; of husky a folder
  std::string_view hooks;    // that it calls for us, separated by spaces
  std::string_view install;  // what has git call it, once in each clone
};
std::span<const ManagerRow> managers();

/// The manager's file with our entries. conflict, with what to add by hand, when it has no place
/// for them that can be told; input_unreadable when it cannot be read.
Result<std::string> with_entries(const ManagerRow&, std::string_view text,
                                 std::string_view command);
Result<std::string> without_entries(const ManagerRow&, std::string_view text);

/// One hook of husky: a shell script.
std::string with_husky_entry(std::string_view script, std::string_view hook, bool blocks,
                             std::string_view command);
std::string without_husky_entry(std::string_view script);

}  // namespace gh::setup
