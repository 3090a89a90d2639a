// git: what its commands write, which branches they move, which settings they make.
#include <algorithm>
#include <array>
#include <utility>

#include "shell/classifier.h"

namespace gh::shell {
namespace {

// table: git_long_values
constexpr std::string_view kGitLongValues =
    "source,message,file,author,date,format,since,until,max-count,branch,track";

// table: git_program_options
constexpr std::array<std::string_view, 4> kGitProgramOptions{"upload-pack", "receive-pack", "exec",
                                                             "open-files-in-pager"};

constexpr std::string_view kOwnNotes = "gatehouse";  // refs/notes/gatehouse

bool runs_program(std::string_view option) {
  return std::ranges::any_of(kGitProgramOptions,
                             [&](std::string_view name) { return name.starts_with(option); });
}

/// A path of this machine, as git takes it: what is no name of a remote and no address.
bool is_path(std::string_view place) {
  constexpr std::string_view kFileUrl = "file://";
  if (place.starts_with(kFileUrl) || place == "." || place == "..") return true;
  const std::size_t slash = place.find('/'), colon = place.find(':');
  return slash != place.npos && (colon == place.npos || slash < colon);
}

/// Where the refs of a remote are kept here.
std::string tracked_below(std::string_view remote) {
  return "refs/remotes/" + std::string(remote) + "/";
}

/// Does a remote keep what it fetches where another one does? `key` is remote.NAME.fetch.
bool fetches_for_another(std::string_view key, std::string_view value) {
  constexpr std::string_view kFront = "remote.", kBack = ".fetch", kTracked = "refs/remotes/";
  if (!lower(key).starts_with(kFront) || !lower(key).ends_with(kBack) ||
      key.size() <= kFront.size() + kBack.size())
    return false;
  const std::size_t colon = value.rfind(':');
  if (colon == value.npos) return false;
  const std::string_view to = value.substr(colon + 1);
  const std::string_view name =
      key.substr(kFront.size(), key.size() - kFront.size() - kBack.size());
  return (to.starts_with(kTracked) && !to.starts_with(tracked_below(name))) ||
         (to.find('*') != to.npos && kTracked.starts_with(to.substr(0, to.find('*'))));
}

bool has_option(const Arguments& arguments, std::string_view names) {
  return std::ranges::any_of(arguments.options, [&](const Arguments::Option& option) {
    return is_among(names, option.name);
  });
}

bool only_shows_refs(std::string_view name, const Arguments& arguments) {
  if (!arguments.is_certain || has_option(arguments, "d,delete")) return false;
  if (name == "symbolic-ref") return arguments.operands.size() < 2;
  return name == "replace" && (arguments.operands.empty() || has_option(arguments, "l,list"));
}

std::string shown(const BranchRow& row) {
  const std::string_view option = row.options.substr(0, row.options.find(','));
  return "git " + std::string(row.command) + (option.empty() ? "" : " -") + std::string(option);
}

constexpr std::string_view kConfigWords = "list,get,set,unset,rename-section,remove-section,edit";

std::string_view git_config_verb(const Arguments& arguments) {
  constexpr std::array<std::string_view, 12> kVerbs{
      "get",  "get-all", "get-regexp", "get-urlmatch",   "get-color",      "get-colorbool",
      "list", "edit",    "unset-all",  "rename-section", "remove-section", "add"};
  for (const Arguments::Option& option : arguments.options) {
    if (option.name == "l" || option.name == "e") return option.name;
    for (const std::string_view verb : kVerbs)
      if (option.name.size() > 1 && verb.starts_with(option.name))
        return verb.starts_with("get") ? verb.substr(0, 3) : verb;
  }
  return {};
}

}  // namespace

bool is_guarded_setting(std::string_view key, std::string_view value) {
  if (fetches_for_another(key, value)) return true;
  const GitKeyRow* row = find_git_key(lower(key));
  return row != nullptr && !(row->shows_only && is_idle_program(value));
}

void Classifier::git(const Command&, Words words) {
  std::size_t i = 0;
  for (; i < words.size(); ++i) {
    const Word& word = words[i];
    if (!word.is_plain()) {
      hides_words_ = sees_git_ = true;
      return opaque("an option that only the shell knows");
    }
    const std::string& text = word.text;
    if (!text.starts_with('-')) break;
    const Word* next = i + 1 < words.size() ? &words[i + 1] : nullptr;
    if (text == "-C" && next != nullptr) {
      folder_ = next->is_plain() ? below(next->text) : std::nullopt;
      ++i;
    } else if (text == "-c" && next != nullptr) {
      git_setting(*next);
      ++i;
    } else if (text.starts_with("--config-env") || text.starts_with("--exec-path=")) {
      bypass("git " + text);
      opaque("a setting of git");
      if (text.find('=') == text.npos) ++i;
    } else if (text.starts_with("--git-dir") || text.starts_with("--work-tree") ||
               text.starts_with("--namespace")) {
      opaque("another repository");
      if (text.find('=') == text.npos) ++i;
    }
  }
  hides_words_ = hides_words_ || adds_operands_;
  if (i < words.size()) git_here(words[i].text, words.subspan(i + 1));
}

void Classifier::git_here(std::string_view name, Words words) {
  sees_git_ = sees_git_ || name.find('/') == name.npos;  // else a path, and git is a name as well
  if (folder_)
    out_.git_folders.push_back(*folder_);
  else
    opaque("git in a folder that nobody knows");
  git_texts(name, words);
  git_command(name, words);
}

/// What git has a shell run, or runs itself, with every commit, file or module.
void Classifier::git_texts(std::string_view name, Words words) {
  if (name == "for-each-repo") {
    const Arguments arguments = read_arguments(words, "", "config", true);
    if (!arguments.operands.empty())
      git_runs(words.subspan(static_cast<std::size_t>(arguments.operands[0] - words.data())), true);
    return;
  }
  const GitTextRow* row = find_git_text(name);
  if (row == nullptr) return;
  const Arguments arguments = read_arguments(words, row->options.substr(0, 1), row->options, false);
  for (const Arguments::Option& option : arguments.options)
    if (!row->options.empty() && is_among(row->options, option.name) && option.value != nullptr &&
        option.value->is_literal)
      texts_.push_back({std::string(option.attached), folder_});
  if (row->second.empty()) return;
  auto from = std::ranges::find(words, row->second, &Word::text);
  while (from != words.end() && (from->text == row->second || from->text.starts_with('-')))
    ++from;
  git_runs(words.subspan(static_cast<std::size_t>(from - words.begin())), false);
}

/// One word alone is a text; each repository and module has a folder of its own.
void Classifier::git_runs(Words words, bool is_git) {
  if (words.empty() || ++searches_ > kMaxSearches) return;
  const auto here = std::exchange(folder_, std::nullopt);
  if (is_git)
    git({}, words);
  else if (words.size() == 1 && words[0].is_literal)
    texts_.push_back({words[0].text, folder_});
  else
    run({}, words, {});
  folder_ = here;
}

void Classifier::git_setting(const Word& setting) {
  const std::size_t equals = setting.text.find('=');
  const std::string key = lower(setting.text.substr(0, equals));
  const std::string value = equals == setting.text.npos ? "" : setting.text.substr(equals + 1);
  if (is_guarded_setting(setting.text.substr(0, equals), value)) bypass("git -c " + setting.text);
  set_remote("git -c " + setting.text, setting.text.substr(0, equals), value);
  if (!key.starts_with("user.") && !key.starts_with("color.")) opaque("a setting of git");
}

/// remote.NAME.url, set to a path: what is kept of the remote may then be anything.
void Classifier::set_remote(std::string_view words, std::string_view key, std::string_view value) {
  constexpr std::string_view kFront = "remote.", kBack = ".url";
  if (!lower(key).starts_with(kFront) || !lower(key).ends_with(kBack) || !is_path(value)) return;
  const std::string_view name = key.substr(kFront.size(), key.rfind('.') - kFront.size());
  out_.branches.push_back({std::string(words), tracked_below(name), folder_, true});
}

/// git remote set-url NAME PATH
void Classifier::git_remote(const Arguments& arguments) {
  const auto& operands = arguments.operands;
  if (operands.size() > 2 && operands[0]->text == "set-url" && is_path(operands[2]->text))
    out_.branches.push_back({"git remote set-url " + operands[1]->text,
                             tracked_below(operands[1]->text), folder_, true});
}

void Classifier::git_command(std::string_view name, Words words) {
  if (name == "config") return git_config(words);
  if (name == "stash") {
    if (!words.empty() && (words[0].text == "list" || words[0].text == "show")) return;
    return opaque("git stash");
  }
  if (name == "notes") return git_notes(words);
  const GitRow* row = find_git_command(name);
  if (row == nullptr) return opaque("git " + std::string(name));
  const Arguments arguments = read_arguments(words, row->short_values, kGitLongValues, false);
  for (const Arguments::Option& option : arguments.options) {
    const bool is_long =
        option.name.size() > 4 && std::string_view("no-verify").starts_with(option.name);
    const bool is_short = option.name == "n" && (name == "commit" || name == "am");
    if (row->has_gate && (is_long || is_short))
      bypass("git " + std::string(name) + (is_long ? " --no-verify" : " -n"));
    if (option.name == "help") opaque("the manual");
    if (option.name.size() > 1 && runs_program(option.name))
      opaque("an option of git that names a program");
    if (option.name == "output") {
      if (option.value != nullptr && option.value->is_plain())
        write(option.attached);
      else
        opaque("a path that only the shell knows");
    }
  }
  const bool meets_gate =
      row->has_gate && (row->gated.empty() || (!arguments.operands.empty() &&
                                               is_among(row->gated, arguments.operands[0]->text)));
  if (meets_gate) {
    out_.meets_gate = true;
    bypass(git_lead_);
  }
  if (name == "remote") git_remote(arguments);
  if (meets_gate && !arguments.is_certain) {
    hides_words_ = true;
    opaque("an option that only the shell knows");
  }
  move_branches(name, arguments);
  switch (row->effect) {
    case GitEffect::keeps:
      return;
    case GitEffect::patches:
      if (circumstances_.patch_first) bypass("git " + std::string(name));
      return opaque("git " + std::string(name));
    case GitEffect::unknown:
      return opaque("git " + std::string(name));
    case GitEffect::refs:
      if (only_shows_refs(name, arguments)) return;
      bypass("git " + std::string(name));
      return opaque("git " + std::string(name));
    case GitEffect::paths:
      break;
  }
  git_paths(name, arguments);
}

/// Receipts are notes of ours: they are written by the hooks.
void Classifier::git_notes(Words words) {
  opaque("git notes");
  const Arguments arguments = read_arguments(words, "", "ref", true);
  const auto& operands = arguments.operands;
  const bool only_shows = operands.empty() || operands[0]->text == "list" ||
                          operands[0]->text == "show" || operands[0]->text == "get-ref";
  for (const Arguments::Option& option : arguments.options)
    if (is_among("ref", option.name) && option.value != nullptr && !only_shows &&
        (!option.value->is_plain() || option.attached.find(kOwnNotes) != option.attached.npos))
      bypass("git notes --ref " + std::string(option.attached));
}

void Classifier::move_branches(std::string_view name, const Arguments& arguments) {
  if (name == "branch" && !arguments.is_certain) opaque("an option that only the shell knows");
  for (const BranchRow& row : branch_rows())
    if (row.command == name && (row.options.empty() || has_option(arguments, row.options)))
      by_branch_row(row, arguments);
}

void Classifier::by_branch_row(const BranchRow& row, const Arguments& arguments) {
  const auto& operands = arguments.operands;
  switch (row.names) {
    case Names::first:
      if (!operands.empty()) move_branch(row, *operands.front(), operands.front()->text);
      return;
    case Names::last:
      if (!operands.empty()) move_branch(row, *operands.back(), operands.back()->text);
      return;
    case Names::all_and_current:
      if (operands.size() < 2) out_.branches.push_back({shown(row), "", folder_});
      [[fallthrough]];
    case Names::all:
      for (const Word* operand : operands)
        move_branch(row, *operand, operand->text);
      return;
    case Names::value:
      for (const Arguments::Option& option : arguments.options)
        if (is_among(row.options, option.name) && option.value != nullptr)
          return move_branch(row, *option.value, option.attached);
      if (!operands.empty()) move_branch(row, *operands.front(), operands.front()->text);
      return;
    case Names::pushed:
      return pushed(row, arguments);
    case Names::refspecs:
      return fetched(row, arguments);
  }
}

void Classifier::fetched(const BranchRow& row, const Arguments& arguments) {
  const auto& operands = arguments.operands;
  const bool is_local = !operands.empty() && is_path(operands[0]->text);
  for (const Arguments::Option& option : arguments.options)
    if (option.name == "refmap" && option.value != nullptr)
      move_branch(row, *option.value, option.attached.substr(option.attached.rfind(':') + 1),
                  is_local);
  for (std::size_t i = 1; i < operands.size(); ++i) {
    const std::string_view text = operands[i]->text;
    const std::size_t colon = text.rfind(':');
    if (colon != text.npos || !operands[i]->is_plain())
      move_branch(row, *operands[i], text.substr(colon == text.npos ? 0 : colon + 1), is_local);
  }
}

/// A push to a path, which may lead back to where it comes from, and whose hooks run here.
void Classifier::pushed(const BranchRow& row, const Arguments& arguments) {
  const auto& operands = arguments.operands;
  if (operands.empty()) return;
  constexpr std::string_view kFileUrl = "file://";
  std::string_view to = operands[0]->text;
  if (to.starts_with(kFileUrl)) to.remove_prefix(kFileUrl.size());
  if (!operands[0]->is_plain() || !is_path(operands[0]->text)) return;
  opaque("a push to a path");
  const auto here = std::exchange(folder_, below(to));
  for (std::size_t i = 1; i < operands.size(); ++i) {
    std::string_view ref = operands[i]->text;
    ref = ref.substr(ref.starts_with('+') ? 1 : 0);
    ref = ref.substr(ref.find(':') == ref.npos ? 0 : ref.rfind(':') + 1);
    move_branch(row, *operands[i], ref, true);
  }
  folder_ = here;
}

/// A name that only the shell or git knows: the hook of refs sees to it where it is told.
void Classifier::move_branch(const BranchRow& row, const Word& word, std::string_view name,
                             bool is_local) {
  if (!word.is_plain() || name == "-" || name.find("@{") != name.npos) {
    if (!row.has_hook) bypass(shown(row));
    opaque("a branch that only the shell knows");
    if (!is_local) return;  // else what is known of it may do
  }
  if (name.empty()) return;
  const bool is_spec = row.names == Names::refspecs || row.names == Names::pushed;
  const bool is_whole = is_spec && name.starts_with("refs/");
  const bool is_half = is_spec && (name.starts_with("heads/") || name.starts_with("remotes/"));
  const std::string_view front = is_whole ? "" : is_half ? "refs/" : "refs/heads/";
  out_.branches.push_back({shown(row) + " " + std::string(name),
                           std::string(front) + std::string(name), folder_, is_local});
}

/// Without paths they write wherever the index or another commit differs.
void Classifier::git_paths(std::string_view name, const Arguments& arguments) {
  const bool all_are_paths = name == "rm" || name == "mv" || name == "restore" || name == "clean";
  const auto& paths = all_are_paths ? arguments.operands : arguments.after_dashes;
  const bool from_file = std::ranges::any_of(
      arguments.options, [](const auto& option) { return option.name.starts_with("pathspec-"); });
  if (name == "clean") return git_clean(arguments);
  if (paths.empty() || from_file || !arguments.is_certain)
    return opaque("git " + std::string(name));
  for (const Word* path : paths) {
    if (path->text.starts_with(':')) return opaque("a pathspec of git");
    write(*path);
  }
  if (name == "mv" && paths.size() > 1)
    for (std::size_t i = 0; i + 1 < paths.size(); ++i)
      write(*paths.back(), last_part(paths[i]->text));
}

/// What it removes no look sees when it was ignored, and nothing brings back. So a folder counts
/// as a whole where the paths are not known.
void Classifier::git_clean(const Arguments& arguments) {
  if (arguments.is_certain && has_option(arguments, "n,dry-run")) return;
  const bool is_known = arguments.is_certain && !arguments.operands.empty() &&
                        std::ranges::all_of(arguments.operands, [](const Word* path) {
                          return path->is_plain() && !path->text.starts_with(':');
                        });
  if (!is_known) return write(".");
  for (const Word* path : arguments.operands)
    write(*path);
}

/// `git config KEY VALUE`, with verbs as options or, in newer gits, as the first word.
void Classifier::git_config(Words words) {
  const Arguments arguments =
      read_arguments(words, "f", "file,blob,type,default,comment,value,url", false);
  std::vector<const Word*> operands = arguments.operands;
  std::string_view verb = git_config_verb(arguments);
  if (verb.empty() && !operands.empty() && is_among(kConfigWords, operands[0]->text)) {
    verb = operands[0]->text;
    operands.erase(operands.begin());
  }
  if (!arguments.is_certain) opaque("an option that only the shell knows");
  if (verb == "get" || verb == "list" || verb == "l") return;
  if (verb.empty() && operands.size() < 2) return only_reads_settings(arguments, operands);
  opaque("a setting of git");
  if (verb == "edit" || verb == "e") return bypass("git config --edit");
  if (operands.empty()) return;
  const std::string_view value =
      operands.size() > 1 ? std::string_view(operands[1]->text) : std::string_view();
  const bool is_section = verb.ends_with("-section");
  const bool leads =
      is_section ? std::ranges::any_of(
                       operands, [](const Word* word) { return has_git_key(lower(word->text)); })
                 : is_guarded_setting(operands[0]->text, verb.starts_with("unset") ? "" : value);
  if (leads || !operands[0]->is_plain()) bypass("git config " + operands[0]->text);
  set_remote("git config " + operands[0]->text, operands[0]->text, value);
}

/// `git config KEY` tells its value.
void Classifier::only_reads_settings(const Arguments& arguments,
                                     const std::vector<const Word*>& operands) {
  const bool is_known = operands.empty() || operands[0]->is_literal;
  if (!arguments.is_certain || !is_known) opaque("a setting of git");
}

}  // namespace gh::shell
