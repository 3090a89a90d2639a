#include "policy/patch_keys.h"

#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/glob.h"
#include "policy/path_entry.h"
#include "policy/verify_commands.h"
#include "wire/json.h"

namespace gh::policy {
namespace {

using Strings = std::vector<std::string>;
using PatchKey = Key<PatchPolicy>;

constexpr std::int64_t kNoMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kDayMs = 86'400'000;
constexpr std::int64_t kWholeRatio = 10'000;  // 1.0

bool holds(const Strings& list, std::string_view entry) {
  return std::ranges::find(list, entry) != list.end();
}

/// Denies grow: what either side lists is denied.
bool unite(Strings& into, const Strings& asked) {
  for (const std::string& entry : asked)
    if (!holds(into, entry)) into.push_back(entry);
  return true;
}

/// Exceptions shrink: only what both sides list stays.
bool intersect(Strings& into, const Strings& asked) {
  const bool wider = std::ranges::any_of(asked, [&](const auto& e) { return !holds(into, e); });
  std::erase_if(into, [&](const std::string& entry) { return !holds(asked, entry); });
  return !wider;
}

bool is_in_root(std::string_view path, std::string_view root) {
  return root == "." || (path != "." && matches_prefix(path, root));
}

/// The smaller of each pair of roots that lie one inside the other.
bool intersect_roots(Strings& into, const Strings& asked) {
  Strings both;
  bool wider = false;
  for (const std::string& wanted : asked) {
    wider |= std::ranges::none_of(into, [&](const auto& root) { return is_in_root(wanted, root); });
    for (const std::string& root : into) {
      if (is_in_root(wanted, root)) {
        both.push_back(wanted);
      } else if (is_in_root(root, wanted)) {
        both.push_back(root);
      }
    }
  }
  into.clear();
  unite(into, both);
  return !wider;
}

template <auto Field>
Value show_field(const PatchPolicy& p) {
  return Value(p.*Field);
}

template <auto Field, std::int64_t Max = kNoMax>
constexpr PatchKey limit(std::string_view path) {
  return {
      path,
      [](PatchPolicy& p, const Value& v, const At& at) { return load_limit(p.*Field, v, at, Max); },
      show_field<Field>,
      [](PatchPolicy& into, const PatchPolicy& asked) {
        const bool wider = asked.*Field > into.*Field;
        into.*Field = std::min(into.*Field, asked.*Field);
        return !wider;
      }};
}

template <auto Field, bool Strict>
constexpr PatchKey flag(std::string_view path) {
  return {path,
          [](PatchPolicy& p, const Value& v, const At& at) { return load_flag(p.*Field, v, at); },
          show_field<Field>,
          [](PatchPolicy& into, const PatchPolicy& asked) {
            const bool wider = into.*Field == Strict && asked.*Field != Strict;
            if (!wider) into.*Field = asked.*Field;
            return !wider;
          }};
}

constexpr std::array<std::string_view, 2> kProfiles{"strict", "git"};
constexpr std::array<std::string_view, 2> kPositions{"exact", "unique"};

/// One of two words, the stricter first.
template <auto Field, const std::array<std::string_view, 2>& Words>
constexpr PatchKey choice(std::string_view path) {
  return {path,
          [](PatchPolicy& p, const Value& v, const At& at) -> Status {
            GH_TRY(index, load_choice(v, at, Words));
            p.*Field = Words[index];
            return {};
          },
          show_field<Field>,
          [](PatchPolicy& into, const PatchPolicy& asked) {
            const bool wider = into.*Field == Words[0] && asked.*Field != Words[0];
            if (!wider) into.*Field = asked.*Field;
            return !wider;
          }};
}

template <auto Field, EntryKind Kind, bool (*Merge)(Strings&, const Strings&)>
constexpr PatchKey names(std::string_view path) {
  return {
      path,
      [](PatchPolicy& p, const Value& v, const At& at) {
        return load_entries(p.*Field, v, at, Kind);
      },
      [](const PatchPolicy& p) { return string_list(p.*Field); },
      [](PatchPolicy& into, const PatchPolicy& asked) { return Merge(into.*Field, asked.*Field); }};
}

constexpr std::array<std::string_view, 2> kContentWords{"bidi", "control"};

Status load_deny_content(PatchPolicy& p, const Value& value, const At& at) {
  const List* list = value.as_list();
  if (list == nullptr) return at.expected("a list of bidi, control", value);
  std::array<bool, 2> denied{};
  for (std::size_t i = 0; i < list->size(); ++i) {
    GH_TRY(index, load_choice((*list)[i], at.item(i), kContentWords));
    denied[index] = true;
  }
  p.deny_bidi = denied[0];
  p.deny_control = denied[1];
  return {};
}

Value show_deny_content(const PatchPolicy& p) {
  List out;
  if (p.deny_bidi) out.emplace_back(kContentWords[0]);
  if (p.deny_control) out.emplace_back(kContentWords[1]);
  return out;
}

bool narrow_deny_content(PatchPolicy& into, const PatchPolicy& asked) {
  into.deny_bidi |= asked.deny_bidi;
  into.deny_control |= asked.deny_control;
  return true;
}

constexpr std::array<std::string_view, 3> kRewriteModes{"off", "retry_only", "always"};

Status load_rewrite_mode(PatchPolicy& p, const Value& value, const At& at) {
  GH_TRY(index, load_choice(value, at, kRewriteModes));
  p.rewrite_mode = static_cast<RewriteMode>(index);
  return {};
}

Value show_rewrite_mode(const PatchPolicy& p) {
  return kRewriteModes[static_cast<std::size_t>(p.rewrite_mode)];
}

bool narrow_rewrite_mode(PatchPolicy& into, const PatchPolicy& asked) {
  const bool wider = asked.rewrite_mode < into.rewrite_mode;
  into.rewrite_mode = std::max(into.rewrite_mode, asked.rewrite_mode);
  return !wider;
}

/// The value in ten-thousandths, or 0 when it is no number with at most four decimals.
std::int64_t ten_thousandths(const Value& value) {
  if (const auto* d = std::get_if<Decimal>(&value.data())) return d->ten_thousandths;
  if (const std::int64_t* i = value.as_int(); i != nullptr && *i == 1) return kWholeRatio;
  const auto* n = std::get_if<Number>(&value.data());
  if (n == nullptr || !(n->value > 0 && n->value <= 1)) return 0;
  const double scaled = n->value * static_cast<double>(kWholeRatio);
  return std::abs(scaled - std::round(scaled)) < 1e-9 ? std::llround(scaled) : 0;
}

Status load_ratio(PatchPolicy& p, const Value& value, const At& at) {
  const std::int64_t ratio = ten_thousandths(value);
  if (ratio < 1 || ratio > kWholeRatio)
    return at.expected("a number above 0 and up to 1 with at most four decimals", value);
  p.rewrite_ratio_ten_thousandths = ratio;
  return {};
}

Value show_ratio(const PatchPolicy& p) { return Decimal{p.rewrite_ratio_ten_thousandths}; }

bool narrow_ratio(PatchPolicy& into, const PatchPolicy& asked) {
  const bool wider = asked.rewrite_ratio_ten_thousandths > into.rewrite_ratio_ten_thousandths;
  into.rewrite_ratio_ten_thousandths =
      std::min(into.rewrite_ratio_ten_thousandths, asked.rewrite_ratio_ten_thousandths);
  return !wider;
}

Status load_git_path(PatchPolicy& p, const Value& value, const At& at) {
  if (value.is_null()) {
    p.git_path.clear();
    return {};
  }
  const std::string* folder = value.as_string();
  if (folder == nullptr || !folder->starts_with('/'))
    return at.expected("an absolute folder, or null for the system's", value);
  GH_TRY(text, load_text(value, at));
  p.git_path = text;
  return {};
}

Value show_git_path(const PatchPolicy& p) {
  return p.git_path.empty() ? Value() : Value(p.git_path);
}

/// Another git is another program, neither wider nor narrower: a run cannot choose it.
bool narrow_git_path(PatchPolicy& into, const PatchPolicy& asked) {
  return into.git_path == asked.git_path;
}

Status load_trusted_owners(PatchPolicy& p, const Value& value, const At& at) {
  const List* list = value.as_list();
  if (list == nullptr) return at.expected("a list of user names or numeric ids", value);
  Strings owners;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Value& item = (*list)[i];
    if (const std::int64_t* id = item.as_int(); id != nullptr && *id >= 0) {
      owners.push_back(std::to_string(*id));
      continue;
    }
    GH_TRY(name, load_text(item, at.item(i)));
    owners.push_back(name);
  }
  p.trusted_owners = std::move(owners);
  return {};
}

/// Applied before the other keys (load_patch_block), so nothing is left to do in its turn.
Status load_preset(PatchPolicy&, const Value&, const At&) { return {}; }

using P = PatchPolicy;
using enum EntryKind;

// clang-format off
constexpr PatchKey kPatchKeys[] = {
    {"preset", load_preset, nullptr, nullptr},
    names<&P::allow_roots, root, intersect_roots>("allow_roots"),
    names<&P::deny_prefixes, prefix, unite>("deny_prefixes"),
    names<&P::deny_components, component, unite>("deny_components"),
    names<&P::deny_suffixes, suffix, unite>("deny_suffixes"),
    names<&P::deny_names, component, unite>("deny_names"),
    names<&P::binary_suffixes, suffix, unite>("binary_suffixes"),
    names<&P::artifact_patterns, pattern, unite>("artifact_patterns"),
    names<&P::control_files, pattern, unite>("control_files"),
    names<&P::allow_control_files, path, intersect>("allow_control_files"),
    names<&P::secret_patterns, pattern, unite>("secret_patterns"),
    names<&P::secret_exceptions, pattern, intersect>("secret_exceptions"),
    names<&P::allow_filters, pattern, intersect>("allow_filters"),
    limit<&P::max_files>("max_files"),
    limit<&P::max_added_lines>("max_added_lines"),
    limit<&P::max_deleted_lines>("max_deleted_lines"),
    limit<&P::max_deleted_files>("max_deleted_files"),
    limit<&P::max_hunks>("max_hunks"),
    limit<&P::max_patch_bytes>("max_patch_bytes"),
    limit<&P::max_line_bytes>("max_line_bytes"),
    limit<&P::max_result_file_bytes>("max_result_file_bytes"),
    flag<&P::allow_renames, false>("allow_renames"),
    flag<&P::allow_copies, false>("allow_copies"),
    flag<&P::allow_mode_changes, false>("allow_mode_changes"),
    flag<&P::allow_new_executable, false>("allow_new_executable"),
    flag<&P::allow_symlinks, false>("allow_symlinks"),
    flag<&P::allow_gitlinks, false>("allow_gitlinks"),
    {"deny_content", load_deny_content, show_deny_content, narrow_deny_content},
    flag<&P::require_utf8_content, true>("require_utf8_content"),
    {"full_rewrite.mode", load_rewrite_mode, show_rewrite_mode, narrow_rewrite_mode},
    {"full_rewrite.ratio", load_ratio, show_ratio, narrow_ratio},
    limit<&P::rewrite_min_lines>("full_rewrite.min_lines"),
    choice<&P::position, kPositions>("position"),
    choice<&P::profile, kProfiles>("grammar.profile"),
    flag<&P::windows_rules, true>("path.windows_rules"),
    {"git.path", load_git_path, show_git_path, narrow_git_path},
    limit<&P::git_timeout_ms, kDayMs>("git.timeout_ms"),
    flag<&P::git_allow_old, false>("git.allow_old"),
    limit<&P::lock_timeout_ms, kDayMs>("lock.timeout_ms"),
    limit<&P::max_attempts>("retry.max_attempts"),
    {"trusted_owners", load_trusted_owners,
     [](const P& p) { return string_list(p.trusted_owners); },
     [](P& into, const P& asked) { return intersect(into.trusted_owners, asked.trusted_owners); }},
    {"verify", load_verify, show_verify, narrow_verify},
};
// clang-format on

Note widening_note(const PatchKey& key, const PatchPolicy& base, const PatchPolicy& asked,
                   std::string_view source_name) {
  return {.id = "policy_widening_ignored",
          .message =
              fmt::format("{}: {}: {} is wider than the policy's {} and was ignored", source_name,
                          key.path, printable(wire::canonical_json(key.show(asked)), 80),
                          printable(wire::canonical_json(key.show(base)), 80))};
}

}  // namespace

Status load_entries(std::vector<std::string>& field, const Value& value, const At& at,
                    EntryKind kind) {
  const List* list = value.as_list();
  if (list == nullptr) return at.expected("a list of strings", value);
  Strings entries;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string* text = (*list)[i].as_string();
    if (text == nullptr) return at.item(i).expected("a string", (*list)[i]);
    const std::string entry = normal_entry(kind, *text);
    if (const auto why = entry_defect(kind, entry); !why.empty())
      return at.item(i).fail(Code::policy_bad_path,
                             fmt::format("'{}' {}", printable(*text, 60), why));
    entries.push_back(entry);
  }
  field = std::move(entries);
  return {};
}

Result<PatchPolicy> load_patch_block(const Value& block, const At& at) {
  PatchPolicy policy = default_patch_policy();
  if (const Map* map = block.as_map())
    if (const Value* chosen = map->find("preset")) {
      const At here = at.key("preset");
      GH_TRY(name, load_text(*chosen, here));
      auto values = preset(name);
      if (!values) return here.fail(values.error().code, values.error().message);
      policy = std::move(*values);
    }
  GH_DO(load_keys(policy, block, at, kPatchKeys));
  return policy;
}

Value to_value(const PatchPolicy& policy) { return show_keys(policy, kPatchKeys); }

Result<Narrowed> narrow(const PatchPolicy& base, const Value& document,
                        std::string_view source_name) {
  const PlaceOf place = [&](std::string_view) { return std::string(source_name); };
  const At at{&place, "", ""};
  if (const Map* map = document.as_map(); map != nullptr && map->find("preset") != nullptr)
    return at.key("preset").fail(Code::policy_bad_value, "a run cannot choose a preset");
  PatchPolicy asked = base;
  GH_TRY(given, load_keys(asked, document, at, kPatchKeys));
  Narrowed out{base, {}};
  for (const PatchKey* key : given)
    if (!key->narrow(out.policy, asked))
      out.notes.push_back(widening_note(*key, base, asked, source_name));
  return out;
}

}  // namespace gh::policy
