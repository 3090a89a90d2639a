#include "patch/policy_gate.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "base/unicode.h"
#include "patch/gates.h"
#include "patch/paths.h"
#include "policy/glob.h"

namespace gh::patch {
namespace {

using diff::Operation;
using policy::PatchPolicy;

std::vector<std::string> folded(const std::vector<std::string>& entries) {
  std::vector<std::string> out;
  out.reserve(entries.size());
  for (const std::string& e : entries)
    out.push_back(nfc_casefold(e));
  return out;
}

// ---- budgets -------------------------------------------------------------------------------

std::int64_t named_paths(const diff::Section& s) { return s.old_path == s.new_path ? 1 : 2; }

struct Totals {
  std::int64_t bytes = 0, files = 0, added = 0, deleted = 0, deleted_files = 0, hunks = 0;
};

Totals totals_of(const diff::Patch& patch, std::size_t submitted_bytes) {
  Totals t{.bytes = static_cast<std::int64_t>(submitted_bytes),
           .added = patch.added,
           .deleted = patch.deleted,
           .hunks = patch.hunks};
  for (const diff::Section& s : patch.sections) {
    t.files += named_paths(s);
    t.deleted_files += s.op == Operation::remove ? 1 : 0;
  }
  return t;
}

struct Budget {
  Rule rule;
  std::int64_t PatchPolicy::*limit;
  std::int64_t Totals::*actual;
  std::string_view sentence;
};
constexpr std::array kBudgets{
    Budget{Rule::max_patch_bytes, &PatchPolicy::max_patch_bytes, &Totals::bytes,
           "the patch has {} bytes; max_patch_bytes is {}"},
    Budget{Rule::max_files, &PatchPolicy::max_files, &Totals::files,
           "the patch names {} files; max_files is {}"},
    Budget{Rule::max_added_lines, &PatchPolicy::max_added_lines, &Totals::added,
           "the patch adds {} lines; max_added_lines is {}"},
    Budget{Rule::max_deleted_lines, &PatchPolicy::max_deleted_lines, &Totals::deleted,
           "the patch deletes {} lines; max_deleted_lines is {}"},
    Budget{Rule::max_deleted_files, &PatchPolicy::max_deleted_files, &Totals::deleted_files,
           "the patch deletes {} files; max_deleted_files is {}"},
    Budget{Rule::max_hunks, &PatchPolicy::max_hunks, &Totals::hunks,
           "the patch has {} hunks; max_hunks is {}"},
};

void check_budgets(ViolationCollector& out, const Totals& totals, const PatchPolicy& policy) {
  for (const Budget& b : kBudgets) {
    const std::int64_t limit = policy.*b.limit, actual = totals.*b.actual;
    if (actual > limit)
      out.add({.rule = b.rule,
               .message = fmt::format(fmt::runtime(b.sentence), actual, limit),
               .limit = limit,
               .actual = actual});
  }
}

// ---- per path ------------------------------------------------------------------------------

struct PathForms {
  std::string_view exact;
  std::string folded;  // what deny rules see
};

using Hit = const std::string*;  // the entry that decides; nullptr: the rule holds

Hit secret_file(const CompiledPolicy& p, const PathForms& path) {
  const Hit hit = p.secrets.find(path.folded);
  return hit && !p.secret_exceptions.find(path.exact) ? hit : nullptr;
}
Hit control_file(const CompiledPolicy& p, const PathForms& path) {
  Hit hit = p.control_files.find(path.folded);
  // A folder in the place of a control file shuts out the file.
  const std::string_view whole = path.folded;
  for (std::size_t at = whole.find('/'); !hit && at != whole.npos; at = whole.find('/', at + 1))
    hit = p.control_files.find(whole.substr(0, at));
  return hit && !p.allow_control_files.find(path.exact) ? hit : nullptr;
}
Hit deny_prefixes(const CompiledPolicy& p, const PathForms& path) {
  const auto hit = std::ranges::find_if(p.deny_prefixes, [&](const std::string& prefix) {
    return policy::matches_prefix(path.folded, prefix);
  });
  return hit == p.deny_prefixes.end() ? nullptr : &*hit;
}
Hit deny_components(const CompiledPolicy& p, const PathForms& path) {
  Hit hit = nullptr;
  any_component(path.folded, [&](std::string_view c) {
    hit = p.deny_components.find(c);
    return hit != nullptr;
  });
  return hit;
}
Hit lock_file(const CompiledPolicy& p, const PathForms& path) {
  return p.deny_names.find(basename(path.folded));
}
Hit deny_suffixes(const CompiledPolicy& p, const PathForms& path) {
  return p.deny_suffixes.find(path.folded);
}
Hit binary_target(const CompiledPolicy& p, const PathForms& path) {
  return p.binary_suffixes.find(path.folded);
}
Hit artifact_target(const CompiledPolicy& p, const PathForms& path) {
  return p.artifacts.find(path.folded);
}
Hit allow_roots(const CompiledPolicy& p, const PathForms& path) {
  return is_in_allow_roots(p.values, path.exact) ? nullptr : &p.allow_roots_shown;
}

struct PathRule {
  Rule rule;
  Hit (*hit)(const CompiledPolicy&, const PathForms&);
  std::string_view sentence;  // path, entry
};
constexpr std::array kPathRules{
    PathRule{Rule::secret_file, secret_file, "{} may hold secrets (secret_patterns: {})"},
    PathRule{Rule::control_file, control_file,
             "{} steers git, CI, agents or this gate (control_files: {})"},
    PathRule{Rule::deny_prefixes, deny_prefixes, "{} lies in a denied folder (deny_prefixes: {})"},
    PathRule{Rule::deny_components, deny_components,
             "{} has a denied component (deny_components: {})"},
    PathRule{Rule::lock_file, lock_file, "{} is a lock file (deny_names: {})"},
    PathRule{Rule::deny_suffixes, deny_suffixes, "{} has a denied ending (deny_suffixes: {})"},
    PathRule{Rule::binary_target, binary_target,
             "{} is named like a binary file (binary_suffixes: {})"},
    PathRule{Rule::artifact_target, artifact_target,
             "{} is named like build output (artifact_patterns: {})"},
    PathRule{Rule::allow_roots, allow_roots, "{} lies outside the allowed roots (allow_roots: {})"},
};

// ---- per section ---------------------------------------------------------------------------

constexpr std::size_t kExcerptBytes = 512;  // before escaping; the document cuts again

/// One section under judgement.
struct Subject {
  const CompiledPolicy& policy;
  const diff::Section& section;
  std::int64_t number;
  ViolationCollector& out;

  const PatchPolicy& values() const { return policy.values; }
  void refuse(Rule rule, std::string message) const {
    out.add({.rule = rule,
             .message = std::move(message),
             .file = section.new_path,
             .line = section.line,
             .section = number});
  }
};

void check_path(const Subject& s, const std::string& path) {
  const PathForms forms{path, nfc_casefold(path)};
  for (const PathRule& row : kPathRules)
    if (const Hit hit = row.hit(s.policy, forms))
      s.out.add({.rule = row.rule,
                 .message = fmt::format(fmt::runtime(row.sentence), shown(path), shown(*hit)),
                 .file = path,
                 .line = s.section.line,
                 .section = s.number});
}

enum class Kind : std::uint8_t { file, link, submodule };
Kind kind_of(FileMode m) {
  return m == FileMode::symlink   ? Kind::link
         : m == FileMode::gitlink ? Kind::submodule
                                  : Kind::file;
}
bool declares(const diff::Section& s, FileMode mode) {
  return s.old_mode == mode || s.new_mode == mode;
}
bool changes_kind(const diff::Section& s) {
  return s.old_mode && s.new_mode && kind_of(*s.old_mode) != kind_of(*s.new_mode);
}

/// Whole content that a create section writes.
std::string created_content(const diff::Section& s) {
  std::string content;
  for (const diff::Hunk& h : s.hunks)
    diff::for_each_line(h, [&](char, std::string_view text, std::int64_t, bool has_newline) {
      content += text;
      if (has_newline) content += '\n';
    });
  return content;
}

void check_symlink(const Subject& s) {
  if (!declares(s.section, FileMode::symlink)) return;
  const std::string& path = s.section.new_path;
  if (!s.values().allow_symlinks) {
    s.refuse(Rule::mode_symlink, fmt::format("{} is a symbolic link (mode 120000)", shown(path)));
  } else if (changes_kind(s.section)) {
    s.refuse(
        Rule::mode_symlink,
        fmt::format("{} cannot turn into or from a symbolic link by a mode change", shown(path)));
  } else if (s.section.op == Operation::create) {
    if (auto why = link_target_defect(s.values(), path, created_content(s.section)))
      s.refuse(Rule::mode_symlink, *std::move(why));
  }
}

void check_gitlink(const Subject& s) {
  if (!declares(s.section, FileMode::gitlink)) return;
  const std::string& path = s.section.new_path;
  if (!s.values().allow_gitlinks) {
    s.refuse(Rule::mode_gitlink, fmt::format("{} is a submodule (mode 160000)", shown(path)));
  } else if (changes_kind(s.section)) {
    s.refuse(Rule::mode_gitlink,
             fmt::format("{} cannot turn into or from a submodule by a mode change", shown(path)));
  }
}

void check_operation(const Subject& s) {
  const diff::Section& section = s.section;
  if (section.op == Operation::rename && !s.values().allow_renames)
    s.refuse(Rule::rename_not_allowed,
             fmt::format("{} is renamed to {} while allow_renames is false",
                         shown(section.old_path), shown(section.new_path)));
  if (section.op == Operation::copy && !s.values().allow_copies)
    s.refuse(Rule::copy_not_allowed, fmt::format("{} is copied to {} while allow_copies is false",
                                                 shown(section.old_path), shown(section.new_path)));
  if (section.old_mode && section.new_mode && section.old_mode != section.new_mode &&
      !changes_kind(section) && !s.values().allow_mode_changes)
    s.refuse(Rule::mode_change,
             fmt::format("{} changes its mode from {} to {}", shown(section.new_path),
                         to_string(*section.old_mode), to_string(*section.new_mode)));
  if (section.op == Operation::create && section.new_mode == FileMode::executable &&
      !s.values().allow_new_executable)
    s.refuse(Rule::new_executable,
             fmt::format("{} is created as an executable (mode 100755)", shown(section.new_path)));
}

// ---- content -------------------------------------------------------------------------------

/// Whether `wanted` gives 1 for some byte. Blocks of fixed size and no branch inside: the compiler
/// turns them into vector code.
template <class Wanted>  // Wanted: (unsigned char) -> bool
bool any_byte(std::string_view bytes, Wanted wanted) {
  constexpr std::ptrdiff_t kBlock = 64;
  const auto* at = reinterpret_cast<const unsigned char*>(bytes.data());
  const auto* const end = at + bytes.size();
  for (; end - at >= kBlock; at += kBlock) {
    std::uint8_t found = 0;
    for (std::ptrdiff_t i = 0; i < kBlock; ++i)
      found = static_cast<std::uint8_t>(found | static_cast<std::uint8_t>(wanted(at[i])));
    if (found != 0) return true;
  }
  return std::any_of(at, end, wanted);
}

bool has_high_byte(std::string_view bytes) {
  return any_byte(bytes, [](unsigned char b) { return b >= 0x80; });
}

/// C0 and DEL without TAB, LF, FF and CR; the caller knows where CR and LF stand.
bool has_plain_control(std::string_view bytes) {
  return any_byte(bytes, [](unsigned char b) {
    return static_cast<bool>(((b < 0x20) & (b != '\t') & (b != '\n') & (b != '\f') & (b != '\r')) |
                             (b == 0x7F));
  });
}

bool holds_bidi_control(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  for (std::size_t i = text.find('\xD8'); i != std::string_view::npos; i = text.find('\xD8', i + 1))
    if (byte(i + 1) == 0x9C) return true;  // U+061C
  for (std::size_t i = text.find('\xE2'); i != std::string_view::npos;
       i = text.find('\xE2', i + 1)) {
    const unsigned b = byte(i + 1), c = byte(i + 2);
    if ((b == 0x80 || b == 0x81) && (c & 0xC0) == 0x80 &&
        is_bidi_control(0x2000 | (b & 0x3F) << 6 | (c & 0x3F)))
      return true;
  }
  return false;
}

bool holds_control_char(std::string_view line, bool has_newline) {
  if (has_newline && line.ends_with('\r')) line.remove_suffix(1);
  return has_plain_control(line) || line.find('\r') != std::string_view::npos;
}

/// CR only where LF follows. A marker behind such a line would take its LF away.
bool has_only_line_end_cr(const diff::Hunk& h) {
  const bool may_lose_newline = h.old_no_newline || h.new_no_newline;
  for (std::size_t i = h.body.find('\r'); i != std::string_view::npos; i = h.body.find('\r', i + 1))
    if (may_lose_newline || h.body[i + 1] != '\n') return false;
  return true;
}

/// Whether no line of the hunk, added or not, can break a content rule: the look at its lines is
/// for the hunks where this fails.
bool has_ordinary_content(const diff::Hunk& h, const PatchPolicy& policy) {
  if (policy.deny_control && (has_plain_control(h.body) || !has_only_line_end_cr(h))) return false;
  if (!has_high_byte(h.body)) return true;
  return !(policy.deny_bidi && holds_bidi_control(h.body)) &&
         !(policy.require_utf8_content && !is_utf8(h.body));
}

struct AddedLine {
  std::string_view text;
  std::int64_t number;
  bool has_newline;
};

void refuse_line(const Subject& s, Rule rule, const AddedLine& line, std::string_view what) {
  s.out.add(rule, [&] {
    return Violation{.rule = rule,
                     .message = fmt::format("an added line of {} (line {} of the patch) {}",
                                            shown(s.section.new_path), line.number, what),
                     .file = s.section.new_path,
                     .line = line.number,
                     .section = s.number,
                     .excerpt = std::string(line.text.substr(0, kExcerptBytes))};
  });
}

void check_content(const Subject& s, const AddedLine& line) {
  if (s.values().deny_bidi && holds_bidi_control(line.text))
    refuse_line(s, Rule::content_bidi, line, "holds a bidirectional control character");
  if (s.values().deny_control && holds_control_char(line.text, line.has_newline))
    refuse_line(s, Rule::content_control_char, line, "holds a control character");
  if (s.values().require_utf8_content && !is_utf8(line.text))
    refuse_line(s, Rule::content_invalid_utf8, line, "is not well-formed UTF-8");
}

void check_line_length(const Subject& s, ViolationCollector& budgets, const AddedLine& line) {
  const std::int64_t limit = s.values().max_line_bytes;
  const auto actual = static_cast<std::int64_t>(line.text.size());
  if (actual <= limit) return;
  budgets.add(Rule::max_line_bytes, [&] {
    return Violation{.rule = Rule::max_line_bytes,
                     .message = fmt::format("an added line of {} (line {} of the patch) has {} "
                                            "bytes; max_line_bytes is {}",
                                            shown(s.section.new_path), line.number, actual, limit),
                     .file = s.section.new_path,
                     .line = line.number,
                     .section = s.number,
                     .excerpt = std::string(line.text.substr(0, kExcerptBytes)),
                     .limit = limit,
                     .actual = actual};
  });
}

void check_added_lines(const Subject& s, ViolationCollector& budgets) {
  for (const diff::Hunk& h : s.section.hunks) {
    if (h.added == 0) continue;
    const bool ordinary = has_ordinary_content(h, s.values());
    const bool is_short = static_cast<std::int64_t>(h.body.size()) <= s.values().max_line_bytes;
    if (ordinary && is_short) continue;
    diff::for_each_line(
        h, [&](char kind, std::string_view text, std::int64_t number, bool has_newline) {
          if (kind != '+') return;
          const AddedLine line{text, number, has_newline};
          check_line_length(s, budgets, line);
          if (!ordinary) check_content(s, line);
        });
  }
}

Violations joined(Violations head, Violations tail) {
  const std::size_t room = std::min(kMaxViolations - head.first.size(), tail.first.size());
  std::move(tail.first.begin(), tail.first.begin() + static_cast<std::ptrdiff_t>(room),
            std::back_inserter(head.first));
  head.total += tail.total;
  return head;
}

}  // namespace

CompiledPolicy::CompiledPolicy(PatchPolicy policy)
    : values(std::move(policy)),
      secrets(folded(values.secret_patterns)),
      secret_exceptions(values.secret_exceptions),
      control_files(folded(values.control_files)),
      artifacts(folded(values.artifact_patterns)),
      allow_control_files(values.allow_control_files),
      deny_components(folded(values.deny_components)),
      deny_names(folded(values.deny_names)),
      deny_prefixes(folded(values.deny_prefixes)),
      deny_suffixes(folded(values.deny_suffixes)),
      binary_suffixes(folded(values.binary_suffixes)),
      allow_roots_shown(values.allow_roots.empty() ? "none" : join(values.allow_roots, " ")) {}

bool is_in_allow_roots(const PatchPolicy& policy, std::string_view path) {
  return std::ranges::any_of(policy.allow_roots, [&](const std::string& root) {
    return root == "." || policy::matches_prefix(path, root);
  });
}

std::optional<std::string> link_target_defect(const PatchPolicy& policy, std::string_view link,
                                              std::string_view target) {
  if (const auto defect = path_defect(target, policy.windows_rules))
    return fmt::format("the link {} points to a target that breaks {}: {}", shown(link),
                       to_string(defect->rule), shown(target));
  const std::string resolved =
      std::string(link.substr(0, link.size() - basename(link).size())) + std::string(target);
  if (!is_in_allow_roots(policy, resolved))
    return fmt::format("the link {} points outside the allowed roots, to {}", shown(link),
                       shown(resolved));
  return std::nullopt;
}

Violations check_policy(const diff::Patch& patch, const CompiledPolicy& policy,
                        std::size_t submitted_bytes) {
  ViolationCollector budgets, sections;
  check_budgets(budgets, totals_of(patch, submitted_bytes), policy.values);
  std::int64_t number = 0;
  for (const diff::Section& s : patch.sections) {
    const Subject subject{policy, s, ++number, sections};
    if (s.old_path != s.new_path) check_path(subject, s.old_path);
    check_path(subject, s.new_path);
    check_symlink(subject);
    check_gitlink(subject);
    check_operation(subject);
    check_added_lines(subject, budgets);
    sections.end_section();
  }
  return joined(budgets.take(), sections.take());
}

}  // namespace gh::patch
