#pragma once
// The files of systems that build a repository, and the step of ours in them. Rows; texts are under
// data/setup/.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"

namespace gh::setup {

/// How our step gets into the file of a CI.
enum class CiForm : std::uint8_t {
  file,     // a file of its own
  block,    // lines at the end
  parts,    // below keys that are there already, or at the end with those
  by_hand,  // a program of its own language: only a person can
};
struct CiRow {
  std::string_view shown_by, name;
  CiForm form;
  std::string_view file, data;    // the file that is written; its text, below data/setup/
  std::string_view not_beside{};  // keys at the top with which our part would mean something else
};
std::span<const CiRow> ci_files();

/// What a person would add.
std::string_view ci_step(const CiRow&);
/// The file with our step; `text` is what stands there now. conflict when only a person can put it
/// in, input_unreadable when it cannot be read.
Result<std::string> with_ci_step(const CiRow&, std::string_view text);
std::string without_ci_step(const CiRow&, std::string_view text);

}  // namespace gh::setup
