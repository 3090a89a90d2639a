// The own applier: what it accepts is what the hunks show, can be undone, and does not depend on
// how the place was found. Input: the base, a byte 0x1E, the hunks.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diff/patch.h"
#include "fuzz/require.h"
#include "patch/gates.h"

namespace gh {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

/// The slow and obvious way: take old lines out at their place, put new lines in.
std::string applied_naively(const diff::Section& section, std::string_view base) {
  std::vector<std::string> lines = lines_of(base);
  std::int64_t moved = 0;
  for (const diff::Hunk& hunk : section.hunks) {
    auto at = (hunk.old_count == 0 ? hunk.old_start : hunk.old_start - 1) + moved;
    diff::for_each_line(
        hunk, [&](char kind, std::string_view text, std::int64_t, bool has_newline) {
          const std::string line = std::string(text) + (has_newline ? "\n" : "");
          if (kind == '+') {
            lines.insert(lines.begin() + at++, line);
            return;
          }
          REQUIRE(at < std::ssize(lines) && lines[static_cast<std::size_t>(at)] == line);
          if (kind == '-') {
            lines.erase(lines.begin() + at);
          } else {
            ++at;
          }
        });
    moved += hunk.new_count - hunk.old_count;
  }
  std::string out;
  for (const std::string& line : lines)
    out += line;
  return out;
}

/// The same hunks with the sides exchanged.
std::string reversed(const diff::Section& section) {
  std::string out = "diff --git a/f b/f\n--- a/f\n+++ b/f\n";
  const auto range = [](std::int64_t start, std::int64_t count) {
    return std::to_string(start) + "," + std::to_string(count);
  };
  for (const diff::Hunk& hunk : section.hunks) {
    out += "@@ -" + range(hunk.new_start, hunk.new_count) + " +" +
           range(hunk.old_start, hunk.old_count) + " @@\n";
    diff::for_each_line(hunk,
                        [&](char kind, std::string_view text, std::int64_t, bool has_newline) {
                          out += kind == '+' ? '-' : kind == '-' ? '+' : ' ';
                          out += std::string(text) + "\n";
                          if (!has_newline) out += "\\ No newline at end of file\n";
                        });
  }
  return out;
}

}  // namespace
}  // namespace gh

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t separator = input.find('\x1e');
  if (separator == input.npos) return 0;
  const std::string_view base = input.substr(0, separator);
  const std::string text =
      "diff --git a/f b/f\n--- a/f\n+++ b/f\n" + std::string(input.substr(separator + 1));
  const auto patch = diff::parse(text, diff::Profile::git, diff::Position::exact);
  if (!patch || patch->sections.size() != 1) return 0;
  const diff::Section& section = patch->sections[0];

  const auto unique = patch::apply_section(section, base, diff::Position::unique);
  const auto exact = patch::apply_section(section, base, diff::Position::exact);
  if (!exact) return 0;
  REQUIRE(exact->notes.empty());
  REQUIRE(exact->bytes == applied_naively(section, base));
  if (unique && unique->notes.empty()) REQUIRE(unique->bytes == exact->bytes);

  const std::string undo = reversed(section);
  const auto back = diff::parse(undo, diff::Profile::git, diff::Position::exact);
  if (!back) return 0;  // two removals next to each other have the same new start
  const auto restored =
      patch::apply_section(back->sections[0], exact->bytes, diff::Position::exact);
  if (restored) REQUIRE(restored->bytes == base);
  return 0;
}
