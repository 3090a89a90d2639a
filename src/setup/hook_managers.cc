#include "setup/hook_managers.h"

#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "setup/line_text.h"
#include "setup/yaml_place.h"

namespace gh::setup {
namespace {

// clang-format off
// table: hook_managers
constexpr std::array<ManagerRow, 5> kManagers{{
    {Manager::husky,      "husky",      ".husky",                  "pre-commit prepare-commit-msg commit-msg post-commit pre-push", "npm install && npx husky"},
    {Manager::lefthook,   "lefthook",   "lefthook.yml",            "pre-commit prepare-commit-msg commit-msg post-commit pre-push", "lefthook install"},
    {Manager::lefthook,   "lefthook",   "lefthook.yaml",           "pre-commit prepare-commit-msg commit-msg post-commit pre-push", "lefthook install"},
    {Manager::lefthook,   "lefthook",   ".lefthook.yml",           "pre-commit prepare-commit-msg commit-msg post-commit pre-push", "lefthook install"},
    {Manager::pre_commit, "pre-commit", ".pre-commit-config.yaml", "pre-commit commit-msg pre-push", "pre-commit install -t pre-commit -t commit-msg -t pre-push"},
}};
// clang-format on

constexpr std::string_view kInRepos = "pre-commit";

Lines framework_item(std::string_view command) {
  Lines out{"- repo: local", "  hooks:"};
  struct Entry {
    std::string_view id, name, hook;
    bool with_names;
  };
  for (const Entry& e :
       {Entry{"gatehouse", "gatehouse (staged changes)", "pre-commit", false},
        Entry{"gatehouse-msg", "gatehouse (commit message)", "commit-msg", true},
        Entry{"gatehouse-push", "gatehouse (verify before push)", "pre-push", false}}) {
    out.push_back(fmt::format("    - id: {}", e.id));
    out.push_back(fmt::format("      name: {}", e.name));
    out.push_back(fmt::format("      entry: {} hook git {}", command, e.hook));
    out.push_back("      language: system");
    if (!e.with_names) {
      out.push_back("      pass_filenames: false");
      out.push_back("      always_run: true");
    }
    if (e.hook == "pre-commit") out.push_back("      require_serial: true");
    out.push_back(fmt::format("      stages: [{}]", e.hook));
  }
  return out;
}

/// As the first item of `repos`.
Result<std::string> with_framework(const ManagerRow& row, std::string_view text,
                                   std::string_view command) {
  const Lines item = framework_item(command);
  if (has_block(text, hash_marks(kInRepos)))
    return with_block_at(text, item, hash_marks(kInRepos), 0, [&] {
      for (const std::string_view line : split(text, '\n'))
        if (contains(line, hash_marks(kInRepos).begin)) return indent_of(line);
      return std::string();
    }());
  GH_TRY(document, read_others_yaml(text, row.file));
  const Map* root = document.root.as_map();
  const Value* repos = root == nullptr ? nullptr : root->find("repos");
  const wire::Mark at = document.mark_of("/repos");
  if (repos == nullptr || repos->as_list() == nullptr || repos->as_list()->empty() ||
      !opens_block(line_of(text, at.line)))
    return by_hand(row.file, item);
  const std::string_view first = line_of(text, document.mark_of("/repos/0").line);
  if (!std::string_view(first).substr(indent_of(first).size()).starts_with('-'))
    return by_hand(row.file, item);
  return with_block_at(text, item, hash_marks(kInRepos), static_cast<std::size_t>(at.line),
                       indent_of(first));
}

Lines lefthook_command(std::string_view command, std::string_view hook) {
  Lines out{"gatehouse:", fmt::format("  run: {} hook git {} {{0}}", command, hook)};
  if (hook == "pre-push") out.push_back("  use_stdin: true");
  return out;
}

/// Below `commands` of the hook, or with whatever of that is missing.
Result<std::string> with_lefthook_hook(const ManagerRow& row, std::string_view text,
                                       std::string_view hook, std::string_view command) {
  const Marks marks = hash_marks(hook);
  GH_TRY(document, read_others_yaml(text, row.file));
  const Map* root = document.root.as_map();
  if (root == nullptr && !document.root.is_null())
    return by_hand(row.file, lefthook_command(command, hook));
  Lines lines = lefthook_command(command, hook);
  const auto deeper = [&lines](std::string_view above) {
    for (std::string& line : lines)
      line.insert(0, "  ");
    lines.insert(lines.begin(), fmt::format("{}:", above));
  };
  const Value* found = root == nullptr ? nullptr : root->find(hook);
  if (has_block(text, marks)) {
    if (contains(text, lines[1])) return std::string(text);
    return with_lefthook_hook(row, without_block(text, marks), hook, command);
  }
  if (found == nullptr) {
    deeper("commands");
    deeper(hook);
    return with_block(text, lines, marks);
  }
  const bool has_commands =
      found->as_map() != nullptr && found->as_map()->find("commands") != nullptr;
  if (!has_commands) deeper("commands");
  const std::string pointer = fmt::format("/{}{}", hook, has_commands ? "/commands" : "");
  const std::string_view line = line_of(text, document.mark_of(pointer).line);
  const Value* place = has_commands ? found->as_map()->find("commands") : found;
  const bool has_jobs = found->as_map() != nullptr && found->as_map()->find("jobs") != nullptr;
  if (place->as_map() == nullptr || place->as_map()->entries().empty() || has_jobs ||
      !opens_block(line))
    return by_hand(row.file, lines);
  const std::string child = fmt::format("{}/{}", pointer, place->as_map()->entries().front().first);
  return with_block_at(text, lines, marks, static_cast<std::size_t>(document.mark_of(pointer).line),
                       indent_of(line_of(text, document.mark_of(child).line)));
}

}  // namespace

std::span<const ManagerRow> managers() { return kManagers; }

Result<std::string> with_entries(const ManagerRow& row, std::string_view text,
                                 std::string_view command) {
  std::string out(text);
  if (row.manager == Manager::pre_commit) {
    GH_TRY(with, with_framework(row, text, command));
    out = std::move(with);
  } else {
    for (const std::string_view hook : split(row.hooks, ' ')) {
      GH_TRY(with, with_lefthook_hook(row, out, hook, command));
      out = std::move(with);
    }
  }
  GH_TRY(readable, read_others_yaml(out, row.file));
  (void)readable;
  return out;
}

Result<std::string> without_entries(const ManagerRow& row, std::string_view text) {
  std::string out(text);
  const std::vector<std::string_view> hooks = split(row.hooks, ' ');
  for (std::size_t i = hooks.size(); i > 0; --i)  // the last one first, as they came
    out = without_block(out, hash_marks(hooks[i - 1]));
  return out;
}

std::string with_husky_entry(std::string_view script, std::string_view hook, bool blocks,
                             std::string_view command) {
  return with_block(script,
                    {fmt::format("{} hook git {} \"$@\"{}", command, hook, blocks ? "" : " || :")},
                    hash_marks());
}

std::string without_husky_entry(std::string_view script) {
  return without_block(script, hash_marks());
}

}  // namespace gh::setup
