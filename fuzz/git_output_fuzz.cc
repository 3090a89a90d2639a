// Readers of what git prints: whatever the bytes, they end, and what they accept has one meaning.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "fuzz/require.h"
#include "git/listings.h"
#include "git/numstat.h"
#include "git/objects.h"
#include "git/tail.h"

namespace gh {
namespace {

/// A tree as git writes it; entries of historical modes come out shorter or equal.
std::string written(const Tree& entries) {
  std::string out;
  for (const TreeEntryView e : entries)
    append_entry(out, e.name, e.mode, e.id);
  return out;
}

void check_tree(std::string_view bytes, HashKind kind) {
  const auto tree = git::parse_tree(std::string(bytes), kind);
  if (!tree) return;
  const std::string again = written(*tree);
  const auto reread = git::parse_tree(again, kind);
  REQUIRE(reread.has_value() && written(*reread) == again && again.size() <= bytes.size());
}

void check_numstat(std::string_view bytes) {
  const auto rows = git::parse_apply_numstat(bytes);
  if (!rows) return;
  std::string again;
  for (const git::NumstatRow& row : *rows)
    again +=
        std::to_string(row.added) + '\t' + std::to_string(row.deleted) + '\t' + row.path + '\0';
  REQUIRE(git::parse_apply_numstat(again) == rows);
}

void check_tail(std::string_view bytes) {
  const std::string tail = git::output_tail(bytes, "/repo");
  REQUIRE(tail.size() <= git::kTailBytes && is_utf8(tail));
  REQUIRE(std::ranges::count(tail, '\n') < static_cast<std::ptrdiff_t>(git::kTailLines));
}

}  // namespace
}  // namespace gh

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  gh::check_tree(bytes, gh::HashKind::sha1);
  gh::check_tree(bytes, gh::HashKind::sha256);
  gh::check_numstat(bytes);
  gh::check_tail(bytes);
  (void)gh::git::parse_log_numstat(bytes);
  (void)gh::git::parse_status(bytes);
  (void)gh::git::parse_staged(bytes);
  (void)gh::git::parse_attributes(bytes);
  (void)gh::git::parse_commit(*gh::ObjectId::parse(std::string(40, 'a')), bytes);
  return 0;
}
