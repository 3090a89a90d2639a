#include "shell/classify.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/sorted.h"
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
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    if (i >= kMaxTexts) {
      opaque("texts inside of texts");
      break;
    }
    const Text now = texts_[i];
    read_text(now);
  }
  if (hides_words_ && holds_no_verify()) bypass("--no-verify");
  if (out_.meets_gate) bypass(kept_lead_);
  sort_unique(out_.writes);
  sort_unique(out_.git_folders);
  if (!out_.why.empty())
    out_.shell_class = ShellClass::opaque;
  else if (!out_.writes.empty())
    out_.shell_class = ShellClass::writes;
  return std::move(out_);
}

bool Classifier::holds_no_verify() const {
  return std::ranges::any_of(
      texts_, [](const Text& text) { return text.text.find("--no-ver") != text.text.npos; });
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
    adds_operands_ = drops_marks_ = moves_home_ = false;
    git_lead_ = text.git_lead;
    moved_to_.reset();
    const std::size_t known = texts_.size();
    read_command(command, script);
    for (std::size_t i = known; i < texts_.size(); ++i)
      texts_[i].git_lead = git_lead_;
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
void Classifier::pass_by_git(const Command& command, Words words) {
  Classifier other(circumstances_);
  other.folder_ = folder_;
  other.git_lead_ = git_lead_;
  other.git(command, words);
  out_.meets_gate = out_.meets_gate || other.out_.meets_gate;
  bypass(other.out_.bypass);
}

void Classifier::search_for_git(const Command& command, Words words) {
  const auto found = std::ranges::find_if(
      words, [](const Word& word) { return word.is_plain() && last_part(word.text) == "git"; });
  if (found != words.end())
    pass_by_git(command, words.subspan(static_cast<std::size_t>(found - words.begin()) + 1));
}

bool Classifier::marks_agents(std::string_view name) const {
  return std::ranges::find(circumstances_.agent_variables, name) !=
         circumstances_.agent_variables.end();
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
    if (!first.is_plain()) {
      adds_operands_ = true;
      if (holds_own_name_) gatehouse(words.subspan(1), false);
      if (holds_git_) pass_by_git(command, words.subspan(1));
      for (const Word& word : words.subspan(1))
        if (word.text == "--no-verify") bypass(word.text);
      return opaque("a program whose name only the shell knows");
    }
    std::string_view name = first.text;
    if (depth == 0 && std::ranges::find(script.functions, name) != script.functions.end())
      return search_for_git(command, words);  // its commands are read where they stand
    for (const std::string_view home : kHomes)
      if (name.starts_with(home)) name.remove_prefix(home.size());
    if (is_own_program(name)) gatehouse(words.subspan(1), last_part(name) == kOldOwnName);
    if (name.find('/') != name.npos) return opaque("a program of its own");
    if (is_own_program(name)) return;
    if (name == "git" && (drops_marks_ || may_lack_marks_))
      bypass("git without the environment of the host");
    const WrapperRow* wrapper = find_wrapper(name);
    if (wrapper == nullptr) return run_program(command, name, words.subspan(1));
    words = behind(*wrapper, words.subspan(1));
  }
  opaque("programs that start each other");
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
