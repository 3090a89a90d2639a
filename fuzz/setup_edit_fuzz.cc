// Files of others that we write into: what is put in is there, a second time changes nothing, and
// taking it out gives the bytes from before.
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/require.h"
#include "setup/ci_files.h"
#include "setup/hook_managers.h"
#include "setup/hosts.h"
#include "setup/json_edit.h"
#include "setup/line_text.h"

namespace {

bool is_subsequence(std::string_view part, std::string_view whole) {
  std::size_t at = 0;
  for (const char c : whole)
    if (at < part.size() && part[at] == c) ++at;
  return at == part.size();
}

/// Nothing that looks like ours is in it yet, so that everything that comes is an insertion.
bool is_foreign(std::string_view text) { return text.find("gatehouse") == text.npos; }

void try_json(std::string_view text) {
  for (const gh::setup::HostFile& row : gh::setup::host_files()) {
    if (row.form != gh::setup::FileForm::json || text.empty()) continue;
    const auto with = gh::setup::with_ours(row, text, "gatehouse");
    if (!with) continue;
    const auto again = gh::setup::with_ours(row, *with, "gatehouse");
    REQUIRE(again && *again == *with);
    if (!is_foreign(text) || text.find("Edit(") != text.npos || text.find("Write(") != text.npos)
      continue;
    REQUIRE(is_subsequence(text, *with));
    const auto without = gh::setup::without_ours(row, *with);
    // A file that says nothing but what a new one of ours would say cannot be told from it.
    REQUIRE(without && (*without == text || without->empty()));
    if (without->empty()) REQUIRE(row.path == ".cursor/hooks.json");
  }
}

void try_lines(std::string_view text) {
  const gh::setup::Lines lines{"one", "", "two"};
  for (const gh::setup::Marks& marks : {gh::setup::html_marks(), gh::setup::hash_marks("x")}) {
    const std::string with = gh::setup::with_block(text, lines, marks);
    REQUIRE(gh::setup::with_block(with, lines, marks) == with);
    if (is_foreign(text)) REQUIRE(gh::setup::without_block(with, marks) == text);
  }
}

void try_ci(std::string_view text) {
  for (const gh::setup::CiRow& row : gh::setup::ci_files()) {
    const auto with = gh::setup::with_ci_step(row, text);
    if (!with || row.form == gh::setup::CiForm::file) continue;
    const auto again = gh::setup::with_ci_step(row, *with);
    if (!is_foreign(text)) continue;
    REQUIRE(again && *again == *with);
    REQUIRE(gh::setup::without_ci_step(row, *with) == text);
  }
}

void try_toml(std::string_view text) {
  const gh::setup::Lines lines{"command = \"x\"", "# why"};
  const auto with = gh::setup::with_toml_table(text, "mcp_servers.gatehouse", lines, "f");
  if (!with) return;
  const auto again = gh::setup::with_toml_table(*with, "mcp_servers.gatehouse", lines, "f");
  REQUIRE(again && *again == *with);
  const auto without = gh::setup::without_toml_table(*with, "mcp_servers.gatehouse", lines, "f");
  if (is_foreign(text)) REQUIRE(without && *without == text);
}

void try_managers(std::string_view text) {
  for (const gh::setup::ManagerRow& row : gh::setup::managers()) {
    if (row.manager == gh::setup::Manager::husky) continue;
    const auto with = gh::setup::with_entries(row, text, "gatehouse");
    if (!with) continue;
    const auto again = gh::setup::with_entries(row, *with, "gatehouse");
    REQUIRE(again && *again == *with);
    if (!is_foreign(text)) continue;
    const auto without = gh::setup::without_entries(row, *with);
    REQUIRE(without && *without == text);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try_json(text);
  try_lines(text);
  try_toml(text);
  try_managers(text);
  try_ci(text);
  return 0;
}
