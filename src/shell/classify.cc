#include "shell/classify.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/sorted.h"
#include "base/text.h"
#include "shell/classifier.h"

namespace gh::shell {
namespace {

constexpr std::size_t kMaxTexts = 64;     // texts inside of texts: sh -c, eval, here-documents
constexpr std::size_t kMaxWrappers = 16;  // env nice timeout … in front of each other

// table: shell_devices
constexpr std::array<std::string_view, 7> kDevices{
    "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero", "/dev/full", "/dev/random"};
// table: shell_homes
constexpr std::array<std::string_view, 6> kHomes{"/bin/",  "/usr/bin/",  "/usr/local/bin/",
                                                 "/sbin/", "/usr/sbin/", "/usr/local/sbin/"};

constexpr std::string_view kGit = "git";

/// git, or one of its commands as a program: git-push.
bool is_git(std::string_view name) {
  return name == kGit || (name.starts_with("git-") && name.size() > 4);
}

/// Of a program where the system keeps its own, however that folder is spelled. A step up may lead
/// anywhere where a folder is a link.
std::string_view without_home(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::string_view folder = path.substr(0, path.size() - name.size());
  if (!folder.starts_with('/') || contains(folder, "/../")) return path;
  return std::ranges::find(kHomes, normal_path(folder) + "/") == kHomes.end() ? path : name;
}

bool is_known(std::string_view name) {
  return is_git(name) || find_wrapper(name) != nullptr || is_shell(name) ||
         find_text_program(name) != nullptr || is_read_apart(name) || find_command(name) != nullptr;
}

/// A word of another program that may be one itself: git, a shell, or what only starts them. The
/// commands of git are also words that people look for, so those count by a path alone.
bool may_start_git(const Word& word) {
  const std::string_view name = last_part(word.text);
  if (!word.is_plain() && name.size() == word.text.size()) return false;
  if (name == kGit || is_shell(name) || find_wrapper(name) != nullptr) return true;
  return is_git(name) && name.size() != word.text.size();
}

/// /dev/fd/3, and nothing that climbs from there.
bool is_open_file(std::string_view path) {
  constexpr std::string_view kOpenFiles = "/dev/fd/";
  if (!path.starts_with(kOpenFiles) || path.size() == kOpenFiles.size()) return false;
  return std::ranges::all_of(path.substr(kOpenFiles.size()),
                             [](char c) { return c >= '0' && c <= '9'; });
}

/// bash runs what stands in a subscript, wherever it reads a text as the name of a variable or as a
/// number: in test, read, printf -v, declare, and in expansions of a variable with such a value.
bool has_code_in_subscript(const Word& word) {
  const std::size_t bracket = word.text.find('[');
  if (bracket == word.text.npos) return false;
  return word.text.find("$(", bracket) != word.text.npos ||
         word.text.find('`', bracket) != word.text.npos;
}

/// Does a variable keep the value that the command gives it? Before a program it is for that one.
bool lasts(const Command& command) {
  // table: shell_setters
  constexpr std::array<std::string_view, 7> kSetters{"declare",  "export", "local",  "printf",
                                                     "readonly", "read",   "typeset"};
  return command.words.empty() ||
         std::ranges::find(kSetters, command.words[0].text) != kSetters.end();
}

struct ClassRow {
  ShellClass shell_class;
  std::string_view word;
};
// table: shell_classes
constexpr std::array kClasses{ClassRow{ShellClass::read_only, "read_only"},
                              ClassRow{ShellClass::writes, "writes"},
                              ClassRow{ShellClass::opaque, "opaque"}};

}  // namespace

Reading Classifier::read(std::string_view text) {
  texts_.push_back({std::string(text), std::string()});
  read_texts();
  sort_unique(out_.writes);
  sort_unique(out_.git_folders);
  if (!out_.why.empty())
    out_.shell_class = ShellClass::opaque;
  else if (!out_.writes.empty())
    out_.shell_class = ShellClass::writes;
  return std::move(out_);
}

void Classifier::read_texts() {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (i >= kMaxTexts) {
      opaque("texts inside of texts");
      break;
    }
    const Text now = texts_[i];
    read_text(now);
  }
  if (hides_words_ && holds("--no-ver")) bypass("--no-verify");
  if (out_.meets_gate) bypass(kept_lead_);
  if (sees_git_ && names_others_ &&
      std::ranges::any_of(circumstances_.agent_variables,
                          [&](std::string_view name) { return holds(name); }))
    bypass("another name for a variable of the host");
}

bool Classifier::holds(std::string_view words) const {
  return std::ranges::any_of(
      texts_, [&](const Text& text) { return text.text.find(words) != text.text.npos; });
}

void Classifier::opaque(std::string why) {
  if (out_.why.empty()) out_.why = std::move(why);
}

void Classifier::bypass(std::string_view words) {
  if (out_.bypass.empty()) out_.bypass = words;
}

void Classifier::read_text(const Text& text) {
  const Script script = read_script(text.text);
  if (script.evaluates) opaque("a value that the shell reads as an expression");
  moves_home_ = false;
  for (const std::string& name : script.assigned)
    assign(name, name + "=");
  if (moves_home_) kept_lead_ = git_lead_;
  if (script.defect) {
    opaque("text that cannot be read in one way");
    search_for_git(text.text);
  }
  std::vector<Place> places;
  bool moved = false;
  for (const Command& command : script.commands) {
    auto place = std::ranges::find(places, command.list, &Place::list);
    if (place == places.end())  // a subshell may begin anywhere that cd led to
      place = places.insert(places.end(), {command.list, moved ? std::nullopt : text.folder});
    if (place->by_cd && command.joint != Joint::and_then && command.joint != Joint::pipe)
      *place = {command.list};  // did cd succeed?
    folder_ = place->folder;
    adds_operands_ = moves_home_ = by_path_ = false;
    drops_marks_ = text.drops_marks;
    git_lead_ = text.git_lead;
    moved_to_.reset();
    const std::size_t known = texts_.size();
    read_command(command, script);
    for (std::size_t i = known; i < texts_.size(); ++i) {
      texts_[i].git_lead = git_lead_;
      texts_[i].drops_marks = drops_marks_;
    }
    if (moves_home_ && lasts(command)) kept_lead_ = git_lead_;
    if (!moved_to_) continue;
    moved = true;
    *place = {command.list, script.repeats ? std::nullopt : *moved_to_, true};
  }
}

void Classifier::write(std::string_view path, std::string_view into, bool makes_folder) {
  if (path.empty()) return;
  if (std::ranges::find(kDevices, path) != kDevices.end() || is_open_file(path)) return;
  if (auto whole = below(path))
    out_.writes.push_back({*std::move(whole), std::string(into), makes_folder});
  else
    opaque("a path in a folder that nobody knows");
}

void Classifier::write(const Word& word, std::string_view into, bool makes_folder) {
  if (!word.is_plain()) {
    out_.fragments.push_back(word.text);
    return opaque("a path that only the shell knows");
  }
  write(word.text, into, makes_folder);
}

void Classifier::read_command(const Command& command, const Script& script) {
  for (const Redirection& redirection : command.redirections)
    if (redirection.kind == RedirectKind::write || redirection.kind == RedirectKind::read_write)
      write(redirection.target);
  for (const Assignment& assignment : command.assignments) {
    assign(assignment.name, assignment.name + "=" + assignment.value.text,
           known_value(assignment.value, 0));
    keep_name(assignment.value.text);
    if (names_unknown_ && assignment.value.text.empty()) may_lack_marks_ = true;
    if (has_code_in_subscript(assignment.value)) opaque("code inside of a subscript");
  }
  if (std::ranges::any_of(command.words, has_code_in_subscript))
    opaque("code inside of a subscript");
  if (command.words.empty()) return;
  run(command, command.words, script);
}

/// Of a text that was not read to its end: does git stand in it with words that pass a gate by?
void Classifier::search_for_git(std::string_view text) {
  constexpr std::string_view kEnds = "\n;|&()`";
  std::size_t from = 0;
  for (std::size_t count = 0; count < kMaxTexts; ++count) {
    from = text.find("git ", from);
    if (from == text.npos) return;
    const bool is_word = from == 0 ||
                         std::string_view(" \t/{$").find(text[from - 1]) != text.npos ||
                         kEnds.find(text[from - 1]) != kEnds.npos;
    const std::size_t end = std::min(text.find_first_of(kEnds, from), text.size());
    if (is_word)
      for (const Command& command : read_script(text.substr(from, end - from)).commands)
        if (!command.words.empty()) pass_by_git(command, Words(command.words).subspan(1));
    from += 4;
  }
}

/// What another program, or nobody knows which, does with these words may be to run git.
bool Classifier::pass_by_git(const Command& command, Words words) {
  Classifier other(circumstances_);
  other.folder_ = folder_;
  other.git_lead_ = git_lead_;
  other.git(command, words);
  return take_over(other);
}

/// The same of any program, whose words may be texts.
bool Classifier::pass_by(const Command& command, Words words) {
  Classifier other(circumstances_);
  other.searches_ = searches_;
  other.folder_ = folder_;
  other.git_lead_ = git_lead_;
  other.drops_marks_ = drops_marks_;
  other.may_lack_marks_ = may_lack_marks_;
  other.run(command, words, {});
  for (Text& text : other.texts_) {
    text.git_lead = other.git_lead_;
    text.drops_marks = other.drops_marks_;
  }
  other.read_texts();
  searches_ = other.searches_;
  return take_over(other);
}

/// Of what may be a program only this counts, and only where it is about git.
bool Classifier::take_over(Classifier& other) {
  if (!other.sees_git_) return false;
  sees_git_ = true;
  out_.meets_gate = out_.meets_gate || other.out_.meets_gate;
  bypass(other.out_.bypass);
  return true;
}

/// Any word may be a program that this one runs: git, or what starts it.
bool Classifier::search_for_git(const Command& command, Words words) {
  bool found = false;
  std::string_view dropped;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    if (dropped.empty() && takes_mark(word.text)) dropped = word.text;
    const bool is_held = !word.is_plain() && holds_git_;
    if (!is_held && !may_start_git(word)) continue;
    if (searches_ >= kMaxSearches) {
      bypass("programs that start each other");
      return true;
    }
    ++searches_;
    const bool is_here =
        is_held ? pass_by_git(command, words.subspan(i + 1)) : pass_by(command, words.subspan(i));
    if (is_here && !dropped.empty()) bypass(dropped);
    found = found || is_here;
  }
  return found;
}

bool Classifier::marks_agents(std::string_view name) const {
  return std::ranges::find(circumstances_.agent_variables, name) !=
         circumstances_.agent_variables.end();
}

/// A word that has a program leave such a variable out: X, -uX, --unset=X, X=, or all of them.
bool Classifier::takes_mark(std::string_view word) const {
  // table: shell_clearers
  constexpr std::array<std::string_view, 2> kClearers{"--clearenv", "--reset-env"};
  if (std::ranges::find(kClearers, word) != kClearers.end()) return true;
  return std::ranges::any_of(circumstances_.agent_variables, [&](std::string_view name) {
    return word == name || word == "-u" + std::string(name) || word == std::string(name) + "=" ||
           (word.starts_with("--") && word.ends_with("=" + std::string(name)));
  });
}

/// What hosts mark their programs with is taken away: whoever looks for it would see a person.
void Classifier::unmark(std::string_view name, std::string_view shown) {
  if (marks_agents(name)) bypass(shown);
}

/// `value` where it is known.
void Classifier::assign(std::string_view name, std::string_view shown, std::string_view value) {
  if (shown.ends_with('=')) unmark(name, shown);
  const VariableRow* row = find_variable(name);
  if (row == nullptr || is_harmless(*row, value)) return;
  if (row->bypasses) bypass(shown);
  if (row->git_looks != GitLooks::elsewhere && shown != name) {
    git_lead_ = shown;
    moves_home_ = moves_home_ || row->git_looks == GitLooks::for_settings;
  }
  opaque("a variable that changes what programs do");
}

/// A program and its arguments, behind everything that only starts it.
void Classifier::run(const Command& command, Words words, const Script& script) {
  for (std::size_t depth = 0; depth < kMaxWrappers; ++depth) {
    if (words.empty()) return;
    const Word& first = words[0];
    if (depth == 0 && first.is_plain() &&
        std::ranges::find(script.functions, first.text) != script.functions.end()) {
      search_for_git(command, words);  // its commands are read where they stand
      return;
    }
    const std::string_view name = read_name(first);
    if (is_own_program(name)) gatehouse(words.subspan(1), last_part(name) == kOldOwnName);
    if (name.empty()) return run_unknown(command, words);
    if (is_own_program(name)) return;
    if (is_git(name) && (drops_marks_ || may_lack_marks_))
      bypass("git without the environment of the host");
    if (name != kGit && is_git(name)) {
      opaque(std::string(name));
      hides_words_ = hides_words_ || adds_operands_;
      return git_here(name.substr(kGit.size() + 1), words.subspan(1));
    }
    const WrapperRow* wrapper = find_wrapper(name);
    if (wrapper == nullptr) return run_program(command, name, words.subspan(1));
    words = behind(*wrapper, words.subspan(1));
  }
  opaque("programs that start each other");
}

/// The name that a program is known by; empty: there is none.
std::string_view Classifier::read_name(const Word& word) {
  const std::string_view name = without_home(word.text);
  by_path_ = word.text.find('/') != word.text.npos;
  if (word.is_plain() && name.find('/') == name.npos) return name;
  // A program of that name that is elsewhere may be the same one.
  opaque(word.is_plain() ? "a program of its own" : "a program whose name only the shell knows");
  const std::string_view last = last_part(name);
  return by_path_ && (is_own_program(last) || is_known(last)) ? last : std::string_view();
}

/// With a name that only the shell knows, or one of its own. The shell may find no name at all.
void Classifier::run_unknown(const Command& command, Words words) {
  const Words rest = words.subspan(1);
  if (words[0].is_plain()) {
    search_for_git(command, rest);
    return;
  }
  adds_operands_ = true;
  if (holds_own_name_) gatehouse(rest, false);
  if (holds_git_) pass_by_git(command, rest);
  for (const Word& word : rest)
    if (word.text == "--no-verify") bypass(word.text);
  search_for_git(command, rest);
  if (!rest.empty() && rest[0].text == "unset") unset(command, rest.subspan(1));
}

Words Classifier::behind(const WrapperRow& wrapper, Words words) {
  const Arguments arguments =
      read_arguments(words, wrapper.short_values, wrapper.long_values, true);
  if (!arguments.is_certain) opaque("a program whose name only the shell knows");
  const bool is_other_user = wrapper.name == "sudo" || wrapper.name == "doas";
  const bool is_env = wrapper.name == "env" || is_other_user;
  drops_marks_ = drops_marks_ || is_other_user;
  bool is_cleared = false;
  for (const Arguments::Option& option : arguments.options) {
    if (is_env && (option.name == "S" || option.name == "split-string")) {
      opaque("a program inside of a text");
      if (option.value != nullptr) texts_.push_back({std::string(option.attached), folder_});
    }
    if (wrapper.name == "command" && lower(option.name) == "v") return {};  // only names it
    if (wrapper.name == "env") is_cleared = take_from_environment(option) || is_cleared;
    if (wrapper.name == "exec" && option.name == "c") bypass("exec -c");
    if (option.name == "C" || option.name == "chdir" || option.name == "D") folder_ = std::nullopt;
  }
  std::size_t skip = wrapper.operands;
  if (wrapper.name == "env" && skip < arguments.operands.size() &&
      arguments.operands[skip]->text == "-") {
    if (++skip < arguments.operands.size()) bypass("env -");
  }
  while (is_env && skip < arguments.operands.size()) {
    const std::string& text = arguments.operands[skip]->text;
    const std::size_t equals = text.find('=');
    if (equals == text.npos) break;
    assign(std::string_view(text).substr(0, equals), text,
           known_value(*arguments.operands[skip], equals + 1));
    ++skip;
  }
  if (skip >= arguments.operands.size()) return {};
  const Word* from = arguments.operands[skip];
  const Words rest = words.subspan(static_cast<std::size_t>(from - words.data()));
  // A tool that only handles files starts no git, which would take the agent for a person.
  if (is_cleared && find_command(rest[0].text) == nullptr) bypass("env -i");
  // What xargs adds to the words comes from elsewhere.
  if (wrapper.name == "xargs") {
    const CommandRow* row = find_command(rest[0].text);
    adds_operands_ = true;
    if (row == nullptr || row->effect != Effect::reads || !row->outputs.empty())
      opaque("operands that come from elsewhere");
  }
  return rest;
}

/// True where nothing of it is left.
bool Classifier::take_from_environment(const Arguments::Option& option) {
  const auto is_short_for = [&](std::string_view name) {
    return option.name.size() > 1 && name.starts_with(option.name);
  };
  if (option.name == "u" || is_short_for("unset"))
    unmark(option.attached, "env -u " + std::string(option.attached));
  return option.name == "i" || is_short_for("ignore-environment");
}

void Classifier::keep_name(std::string_view value) {
  holds_own_name_ = holds_own_name_ || is_own_program(value);
  holds_git_ = holds_git_ || last_part(value) == "git";
}

/// A path seen from where everything starts.
std::optional<std::string> Classifier::below(std::string_view path) const {
  if (path.starts_with('/')) return std::string(path);
  if (!folder_) return std::nullopt;
  return folder_->empty() ? std::string(path) : *folder_ + "/" + std::string(path);
}

std::string_view to_string(ShellClass shell_class) {
  return std::ranges::find(kClasses, shell_class, &ClassRow::shell_class)->word;
}

Reading classify(std::string_view text, const Circumstances& circumstances) {
  return Classifier(circumstances).read(text);
}

}  // namespace gh::shell
