#include "diff/section_reader.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/error.h"
#include "diff/names.h"

namespace gh::diff {
namespace {

constexpr std::string_view kDevNull = "/dev/null";

enum HeaderBit : std::uint16_t {
  kOldMode = 1 << 0,
  kNewMode = 1 << 1,
  kNewFile = 1 << 2,
  kDeletedFile = 1 << 3,
  kRenameFrom = 1 << 4,
  kRenameTo = 1 << 5,
  kCopyFrom = 1 << 6,
  kCopyTo = 1 << 7,
  kSimilarity = 1 << 8,
  kDissimilarity = 1 << 9,
  kIndex = 1 << 10,
};
constexpr std::uint16_t kModePair = kOldMode | kNewMode;
constexpr std::uint16_t kRename = kRenameFrom | kRenameTo;
constexpr std::uint16_t kCopy = kCopyFrom | kCopyTo;

bool is_octal_mode(std::string_view text) {
  return text.size() == 6 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '7'; });
}

struct NameDefect {
  Rule rule;
  std::string_view message;
};
constexpr std::array kNameDefects{
    NameDefect{Rule::git_line_malformed, "the quoting of the diff --git line is broken"},
    NameDefect{Rule::git_line_ambiguous,
               "the diff --git line can be split into a/ and b/ names in more than one way"},
    NameDefect{Rule::prefix_missing, "old names must begin with a/ and new names with b/"},
    NameDefect{Rule::quote_unterminated, "a quoted name must end in a double quote on its line"},
    NameDefect{Rule::quote_invalid_escape, "a quoted name holds an escape that git does not write"},
    NameDefect{Rule::name_trailing_garbage, "nothing may follow the name but a lone TAB"},
    NameDefect{Rule::name_control_char, "a name holds a control character"},
};

tl::unexpected<Defect> bad_name(Rule rule, Line line) {
  const auto row = std::ranges::find(kNameDefects, rule, &NameDefect::rule);
  GH_ASSERT(row != kNameDefects.end());
  return defect(rule, line, std::string(row->message));
}

class SectionReader {
 public:
  SectionReader(Lines& lines, Section& section, const Grammar& grammar, std::vector<Note>& notes)
      : lines_(lines), section_(section), grammar_(grammar), notes_(notes) {}

  /// Reads the git line; both names are known when it succeeds.
  Checked<void> read_names() {
    git_line_ = lines_.take();
    const Line line = git_line_;
    if (line.text.ends_with('\r')) return crlf(line);
    auto names = read_git_line_names(line.text.substr(kGitLine.size()));
    if (!names) return bad_name(names.error(), line);
    section_.old_path = std::move(names->old_path);
    section_.new_path = std::move(names->new_path);
    section_.line = line.number;
    return {};
  }

  Checked<void> read_rest() {
    while (!lines_.done() && !lines_.starts_with("--- ") && !lines_.starts_with(kGitLine))
      GH_DO(read_header(lines_.take()));
    const bool has_hunks = lines_.starts_with("--- ");
    if (!has_hunks && seen_ == 0)
      return defect(Rule::section_empty, git_line_,
                    "the section has a diff --git line but no header and no hunk");
    GH_DO(settle_headers());
    if (!has_hunks) return accept_without_hunks();
    GH_DO(read_side("--- ", "a/", section_.old_path, has(kNewFile)));
    if (lines_.done() || !lines_.starts_with("+++ "))
      return defect(Rule::missing_plus_line, place(), "a +++ line must follow the --- line");
    GH_DO(read_side("+++ ", "b/", section_.new_path, has(kDeletedFile)));
    return read_hunks();
  }

 private:
  using Handler = Checked<void> (SectionReader::*)(std::string_view value, Line line);
  struct HeaderRow {
    std::string_view prefix;
    HeaderBit bit;
    std::uint16_t conflicts;  // headers that may not stand beside it
    Handler read;
  };
  static const std::array<HeaderRow, 11> kHeaders;

  bool has(unsigned bits) const { return (seen_ & bits) != 0; }
  bool has_one_of_two(unsigned pair) const { return has(pair) && (seen_ & pair) != pair; }

  /// The current line, or the last one when the input has ended.
  Line place() const {
    if (lines_.done()) return {{}, lines_.number() - 1};
    return lines_.current();
  }

  static tl::unexpected<Defect> crlf(Line line) {
    return defect(Rule::crlf_header, line, "the header line ends in CR; it must end in LF alone");
  }

  Checked<void> read_header(Line line) {
    for (const HeaderRow& row : kHeaders) {
      if (!line.text.starts_with(row.prefix)) continue;
      if (line.text.ends_with('\r')) return crlf(line);
      const std::string_view name = row.prefix.substr(0, row.prefix.size() - 1);
      if (has(row.bit))
        return defect(Rule::duplicate_header, line, fmt::format("\"{}\" stands there twice", name));
      if (has(row.conflicts))
        return defect(Rule::header_conflict, line,
                      fmt::format("\"{}\" contradicts an earlier header of the section", name));
      seen_ |= row.bit;
      return (this->*row.read)(line.text.substr(row.prefix.size()), line);
    }
    return unknown_header(line);
  }

  Checked<void> unknown_header(Line line) {
    struct Misplaced {
      std::string_view prefix;
      Rule rule;
      std::string_view message;
    };
    static constexpr std::array kMisplaced{
        Misplaced{"+++ ", Rule::missing_minus_line, "a --- line must stand before the +++ line"},
        Misplaced{"@@@", Rule::hunk_header_malformed, "combined diffs (@@@) are not accepted"},
        Misplaced{"@@", Rule::missing_minus_line, "the --- and +++ lines must stand before a hunk"},
        Misplaced{"GIT binary patch", Rule::binary_payload, "binary patches are not accepted"},
        Misplaced{"Binary files ", Rule::binary_payload, "binary patches are not accepted"},
        Misplaced{"Files ", Rule::binary_payload, "binary patches are not accepted"},
    };
    for (const Misplaced& m : kMisplaced) {
      if (line.text.starts_with(m.prefix)) return defect(m.rule, line, std::string(m.message));
    }
    return defect(Rule::header_unknown, line,
                  "only git's extended headers may stand between the diff --git and --- lines");
  }

  Checked<FileMode> mode(std::string_view text, Line line, Rule malformed) {
    if (!is_octal_mode(text))
      return defect(malformed, line, "a file mode must be six octal digits and nothing else");
    const auto known = patch_mode(text);
    if (!known)
      return defect(Rule::mode_unknown, line,
                    "a file mode must be 100644, 100755, 120000 or 160000");
    return *known;
  }

  Checked<void> read_old_mode(std::string_view value, Line line) {
    GH_TRY(m, mode(value, line, Rule::mode_malformed));
    section_.old_mode = m;
    return {};
  }
  Checked<void> read_new_mode(std::string_view value, Line line) {
    GH_TRY(m, mode(value, line, Rule::mode_malformed));
    section_.new_mode = m;
    return {};
  }
  Checked<void> read_new_file(std::string_view value, Line line) {
    section_.op = Operation::create;
    return read_new_mode(value, line);
  }
  Checked<void> read_deleted_file(std::string_view value, Line line) {
    section_.op = Operation::remove;
    return read_old_mode(value, line);
  }

  Checked<void> read_rename_from(std::string_view value, Line line) {
    return read_move(Operation::rename, value, line, section_.old_path, kRename);
  }
  Checked<void> read_rename_to(std::string_view value, Line line) {
    return read_move(Operation::rename, value, line, section_.new_path, kRename);
  }
  Checked<void> read_copy_from(std::string_view value, Line line) {
    return read_move(Operation::copy, value, line, section_.old_path, kCopy);
  }
  Checked<void> read_copy_to(std::string_view value, Line line) {
    return read_move(Operation::copy, value, line, section_.new_path, kCopy);
  }

  Checked<void> read_move(Operation op, std::string_view value, Line line,
                          const std::string& expected, std::uint16_t pair) {
    section_.op = op;
    auto name = read_bare_name(value);
    if (!name) return bad_name(name.error(), line);
    if (!has_one_of_two(pair) && *name == moved_name_)
      return defect(Rule::rename_same_name, line, "the old and the new name are the same");
    if (*name != expected)
      return defect(Rule::name_mismatch, line,
                    fmt::format("the header names {} but the diff --git line names {}",
                                shown(*name), shown(expected)));
    moved_name_ = std::move(*name);
    return {};
  }

  Checked<void> read_similarity(std::string_view value, Line line) {
    std::string_view digits = value;
    const bool has_sign = digits.ends_with('%');
    if (has_sign) digits.remove_suffix(1);
    const bool is_number =
        !digits.empty() && std::ranges::all_of(digits, [](char c) { return c >= '0' && c <= '9'; });
    const bool in_range =
        digits.size() == 1 || (digits.size() == 2 && digits[0] != '0') || digits == "100";
    if (!has_sign || !is_number || !in_range)
      return defect(Rule::similarity_malformed, line,
                    "a similarity must be a percentage from 0% to 100%");
    if (line.text.starts_with("similarity")) is_identical_ = digits == "100";
    return {};
  }

  Checked<void> read_index(std::string_view value, Line line) {
    const auto is_hex = [](std::string_view id) {
      return id.size() >= 4 && id.size() <= 64 && std::ranges::all_of(id, [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
             });
    };
    const std::size_t space = value.find(' ');
    const std::string_view ids = value.substr(0, space);
    const std::size_t dots = ids.find("..");
    if (dots == ids.npos || !is_hex(ids.substr(0, dots)) || !is_hex(ids.substr(dots + 2)))
      return defect(
          Rule::index_malformed, line,
          "an index line must read \"index OLD..NEW [MODE]\" with 4 to 64 hex digits each");
    section_.index = IndexLine{ids.substr(0, dots), ids.substr(dots + 2), std::nullopt};
    if (space == value.npos) return {};
    GH_TRY(m, mode(value.substr(space + 1), line, Rule::index_malformed));
    section_.index->mode = m;
    return {};
  }

  /// The headers are complete: pairs, company, and the names of the git line.
  Checked<void> settle_headers() {
    const Line line = git_line_;
    if (has_one_of_two(kRename))
      return defect(Rule::rename_incomplete, line, "rename from and rename to must both be there");
    if (has_one_of_two(kCopy))
      return defect(Rule::copy_incomplete, line, "copy from and copy to must both be there");
    if (has_one_of_two(kModePair))
      return defect(Rule::mode_pair_incomplete, line, "old mode and new mode must both be there");
    const bool moves = has(kRename | kCopy);
    if (has(kSimilarity) && !moves)
      return defect(Rule::header_conflict, line, "similarity index belongs to a rename or a copy");
    if (has(kDissimilarity) && section_.op != Operation::modify)
      return defect(Rule::header_conflict, line, "dissimilarity index belongs to a modified file");
    if (!moves && section_.old_path != section_.new_path)
      return defect(Rule::name_mismatch, line,
                    fmt::format("the diff --git line names {} and {} without rename headers",
                                shown(section_.old_path), shown(section_.new_path)));
    return {};
  }

  Checked<void> accept_without_hunks() {
    const bool says_something = section_.op != Operation::modify || has(kModePair);
    if (grammar_.profile == Profile::git && says_something) return {};
    return defect(Rule::section_without_hunks, git_line_,
                  "no hunk; make the patch with git diff --no-renames --no-ext-diff --no-textconv "
                  "--src-prefix=a/ --dst-prefix=b/");
  }

  /// A --- or +++ line must repeat the name of the git line, or be /dev/null where the side is
  /// void.
  Checked<void> read_side(std::string_view keyword, std::string_view prefix,
                          const std::string& expected, bool is_void) {
    const Line line = lines_.take();
    if (line.text.ends_with('\r')) return crlf(line);
    const std::string_view text = line.text.substr(keyword.size());
    if (text == kDevNull) {
      if (is_void) return {};
      return defect(Rule::devnull_mismatch, line,
                    fmt::format("{}/dev/null needs a \"{} file mode\" header", keyword,
                                prefix == "a/" ? "new" : "deleted"));
    }
    if (text.starts_with(kDevNull) && text[kDevNull.size()] == '\t')
      return bad_name(Rule::name_trailing_garbage, line);
    const auto name = read_prefixed_name(text, prefix);
    if (!name) return bad_name(name.error(), line);
    if (is_void)
      return defect(Rule::devnull_mismatch, line,
                    fmt::format("a created or deleted file must have {}/dev/null", keyword));
    if (*name != expected)
      return defect(Rule::name_mismatch, line,
                    fmt::format("the {}line names {} but the diff --git line names {}", keyword,
                                shown(*name), shown(expected)));
    return {};
  }

  Checked<void> read_hunks() {
    if (lines_.done() || !lines_.starts_with("@@"))
      return defect(Rule::missing_hunk, place(), "a hunk line (@@) must follow the +++ line");
    if (is_identical_)
      return defect(Rule::similarity_contradicts_hunks, place(),
                    "a section with similarity index 100% has no hunks");
    while (!lines_.done() && lines_.starts_with("@@"))
      GH_DO(read_hunk(lines_, section_, grammar_.position, notes_));
    if (!lines_.done() && !lines_.starts_with(kGitLine))
      return defect(
          Rule::junk_between_sections, place(),
          "after a complete hunk only another hunk, a diff --git line or the end may follow");
    return {};
  }

  Lines& lines_;
  Section& section_;
  const Grammar grammar_;
  std::vector<Note>& notes_;
  Line git_line_;
  std::uint16_t seen_ = 0;
  std::string moved_name_;  // the name on the first header of a rename or copy pair
  bool is_identical_ = false;
};

const std::array<SectionReader::HeaderRow, 11> SectionReader::kHeaders{{
    // clang-format off
    {"old mode ",            kOldMode,       kNewFile | kDeletedFile,                     &SectionReader::read_old_mode},
    {"new mode ",            kNewMode,       0,                                           &SectionReader::read_new_mode},
    {"new file mode ",       kNewFile,       kOldMode | kDeletedFile | kRename | kCopy,   &SectionReader::read_new_file},
    {"deleted file mode ",   kDeletedFile,   kOldMode | kNewFile | kRename | kCopy,       &SectionReader::read_deleted_file},
    {"rename from ",         kRenameFrom,    kNewFile | kDeletedFile | kCopy,             &SectionReader::read_rename_from},
    {"rename to ",           kRenameTo,      kNewFile | kDeletedFile | kCopy,             &SectionReader::read_rename_to},
    {"copy from ",           kCopyFrom,      kNewFile | kDeletedFile | kRename,           &SectionReader::read_copy_from},
    {"copy to ",             kCopyTo,        kNewFile | kDeletedFile | kRename,           &SectionReader::read_copy_to},
    {"similarity index ",    kSimilarity,    0,                                           &SectionReader::read_similarity},
    {"dissimilarity index ", kDissimilarity, 0,                                           &SectionReader::read_similarity},
    {"index ",               kIndex,         0,                                           &SectionReader::read_index},
    // clang-format on
}};

}  // namespace

Checked<void> read_section(Lines& lines, Section& section, const Grammar& grammar,
                           std::vector<Note>& notes) {
  SectionReader reader(lines, section, grammar, notes);
  GH_DO(reader.read_names());
  return reader.read_rest();
}

}  // namespace gh::diff
