#pragma once
// diff: reads a unified diff in the small unambiguous language of docs/reference/patch-grammar.md,
// refuses everything outside it at the first offending byte, and prints the canonical form.
//
// All string_views point into the submitted bytes, which must outlive the Patch.
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/object_id.h"
#include "model/patch_rule.h"

namespace gh::diff {

enum class Operation : std::uint8_t { create, remove, modify, rename, copy };
std::string_view to_string(Operation);  // wire names: create, delete, modify, rename, copy

struct Hunk {
  std::int64_t old_start = 0, old_count = 0, new_start = 0, new_count = 0;
  std::string_view body;  // raw body lines, markers included, each with its LF
  std::int64_t line = 0;  // 1-based line of the @@ line in the submission
  std::int64_t added = 0, deleted = 0;
  std::int64_t leading_context = 0, trailing_context = 0;
  bool old_no_newline = false, new_no_newline = false;  // marker closes that side
  bool has_blank_context = false;                       // some context line came without its space
};

struct IndexLine {
  std::string_view old_id, new_id;  // hex, possibly abbreviated; advisory unless full length
  std::optional<FileMode> mode;
};

struct Section {
  Operation op = Operation::modify;
  std::string old_path,
      new_path;  // decoded bytes without a/ b/; both filled for create and delete too
  std::optional<FileMode> old_mode, new_mode;  // from headers; create: new_mode, delete: old_mode
  std::optional<IndexLine> index;
  std::vector<Hunk> hunks;
  std::int64_t line = 0;  // 1-based line of its "diff --git" line
  std::int64_t added = 0, deleted = 0;
};

struct Patch {
  std::vector<Section> sections;  // in submission order
  std::int64_t added = 0, deleted = 0, hunks = 0;
  std::vector<Note> notes;
};

enum class Profile : std::uint8_t { strict, git };     // patch-gate 4.8
enum class Position : std::uint8_t { exact, unique };  // patch-gate 4.6, 7

inline constexpr std::size_t kMaxPatchBytes = 67'108'864;
inline constexpr std::int64_t kMaxLines = 1'000'000;

/// The shape gate. Stops at the first error in byte order. Linear time, no recursion. The patch
/// holds views of `bytes`.
Judged<Patch> parse(std::string_view bytes, Profile, Position);
template <std::same_as<std::string> S>
Judged<Patch> parse(S&& dying, Profile, Position) = delete;

/// C-style quoted name, `text` beginning at the opening quote: decoded bytes, `used` = bytes
/// consumed including both quotes. Refuses with quote_unterminated, quote_invalid_escape,
/// name_control_char.
struct Unquoted {
  std::string bytes;
  std::size_t used = 0;
};
tl::expected<Unquoted, Rule> unquote(std::string_view text);

/// Name as git writes it with core.quotepath=true: plain, or in double quotes with escapes.
std::string quote(std::string_view name);

/// The bytes that git is given and that canonical_sha256 covers (patch-gate 4.7).
std::string print_canonical(const Patch&);

/// Calls fn(kind, text, line_number) for each body line; kind is ' ', '+' or '-', text excludes
/// kind byte and LF; has_newline false when a marker follows. A bare LF is an empty context line.
template <class Fn>
void for_each_line(const Hunk& hunk, Fn&& fn);

}  // namespace gh::diff

#include "diff/hunk_lines.h"
