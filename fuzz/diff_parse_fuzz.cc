// The shape gate: what it accepts has one canonical form that means the same, what it refuses is
// refused with a rule, a place and one printable sentence.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text.h"
#include "diff/patch.h"
#include "diff/places.h"
#include "fuzz/require.h"

namespace gh::diff {
namespace {

bool same_hunk(const Hunk& a, const Hunk& b) {
  return a.old_start == b.old_start && a.old_count == b.old_count && a.new_start == b.new_start &&
         a.new_count == b.new_count && a.added == b.added && a.deleted == b.deleted &&
         a.leading_context == b.leading_context && a.trailing_context == b.trailing_context &&
         a.old_no_newline == b.old_no_newline && a.new_no_newline == b.new_no_newline;
}

bool same_section(const Section& a, const Section& b) {
  return a.op == b.op && a.old_path == b.old_path && a.new_path == b.new_path &&
         a.old_mode == b.old_mode && a.new_mode == b.new_mode &&
         std::ranges::equal(a.hunks, b.hunks, same_hunk);
}

/// The counts of a hunk are those of its lines, whatever its header claims.
void check_lines(const Hunk& hunk) {
  std::int64_t old_lines = 0, new_lines = 0, added = 0, deleted = 0;
  for_each_line(hunk, [&](char kind, std::string_view text, std::int64_t, bool) {
    REQUIRE(text.find('\n') == text.npos);
    REQUIRE(kind == ' ' || kind == '+' || kind == '-');
    old_lines += kind != '+';
    new_lines += kind != '-';
    added += kind == '+';
    deleted += kind == '-';
  });
  REQUIRE(old_lines == hunk.old_count && new_lines == hunk.new_count);
  REQUIRE(added == hunk.added && deleted == hunk.deleted && added + deleted > 0);
}

void check_accepted(const Patch& patch, Profile profile, Position position) {
  REQUIRE(!patch.sections.empty() && patch.notes.size() <= 50);
  for (const Section& section : patch.sections) {
    REQUIRE(!section.hunks.empty() || profile == Profile::git);
    for (const Hunk& hunk : section.hunks)
      check_lines(hunk);
  }
  const std::string canonical = print_canonical(patch);
  const auto again = parse(canonical, profile, position);
  REQUIRE(again.has_value());
  REQUIRE(print_canonical(*again) == canonical);
  REQUIRE(again->notes.empty());
  auto sorted = patch.sections;
  std::ranges::sort(sorted, {}, &Section::new_path);
  REQUIRE(std::ranges::equal(sorted, again->sections, same_section));
}

void check_refused(const Violation& v, std::string_view input) {
  REQUIRE(step_of(v.rule) == PatchStep::shape);
  REQUIRE(!v.message.empty() && is_utf8(v.message) && printable(v.message, 240) == v.message);
  REQUIRE(v.line >= 0 && v.line <= 1 + std::ranges::count(input, '\n'));
}

}  // namespace
}  // namespace gh::diff

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gh::diff;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::vector<FileHunks> hunked = hunks_of(input);
  const std::vector<BlobIds> files = blob_ids(input);
  REQUIRE(files.size() == hunked.size());
  for (std::size_t i = 0; i < files.size(); ++i) {
    REQUIRE(!files[i].path.empty() && files[i].before.find('\n') == files[i].before.npos);
    REQUIRE(files[i] == hunked[i].file);
    for (const Place& place : places_of(hunked[i].hunks, input))
      REQUIRE(place.before < place.fits || place.fits == 0);
  }
  bool stricter_accepted = false;
  // From the narrowest setting to the widest: what one accepts, the next accepts too.
  for (const auto& [profile, position] :
       {std::pair{Profile::strict, Position::exact}, std::pair{Profile::git, Position::exact},
        std::pair{Profile::git, Position::unique}}) {
    const auto patch = parse(input, profile, position);
    if (patch) {
      check_accepted(*patch, profile, position);
    } else {
      REQUIRE(!stricter_accepted);
      check_refused(patch.error(), input);
    }
    stricter_accepted = patch.has_value();
  }
  return 0;
}
