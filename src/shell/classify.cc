#include "shell/classify.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "base/sorted.h"
#include "shell/commands.h"
#include "shell/script.h"

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

using Words = std::span<const Word>;

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
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

/// Also of a long name that is cut short, as most programs take it.
bool is_among(std::string_view names, std::string_view name) {
  for (std::size_t from = 0; from <= names.size();) {
    const std::size_t comma = std::min(names.find(',', from), names.size());
    const std::string_view one = names.substr(from, comma - from);
    if (one == name || (name.size() > 1 && one.starts_with(name))) return true;
    from = comma + 1;
  }
  return false;
}

/// What stands in the word from there on; nothing where the shell puts more into it.
std::string_view known_value(const Word& word, std::size_t from) {
  return word.is_plain() ? std::string_view(word.text).substr(from) : std::string_view();
}

std::string_view last_part(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/'))
    path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1);
}

/// The words of a program, told apart.
struct Arguments {
  struct Option {
    std::string_view name;
    const Word* value;  // null: it has none
    std::string_view attached{};
  };
  std::vector<Option> options{};
  std::vector<const Word*> operands{};
  std::vector<const Word*> after_dashes{};  // also among the operands
  bool is_certain = true;                   // no word could turn out to be an option
};

Arguments read_arguments(Words words, std::string_view short_values, std::string_view long_values,
                         bool stops_at_operand) {
  Arguments out;
  bool only_operands = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    const std::string_view text = word.text;
    if (only_operands || text.size() < 2 || text[0] != '-') {
      if (!only_operands && !word.is_literal && text.empty()) out.is_certain = false;
      if (!only_operands && !word.is_literal && text.starts_with('-')) out.is_certain = false;
      out.operands.push_back(&word);
      if (only_operands) out.after_dashes.push_back(&word);
      if (stops_at_operand) {
        for (++i; i < words.size(); ++i)
          out.operands.push_back(&words[i]);
      }
      continue;
    }
    if (!word.is_plain()) out.is_certain = false;
    if (text == "--") {
      only_operands = true;
      continue;
    }
    const Word* next = i + 1 < words.size() ? &words[i + 1] : nullptr;
    if (text.starts_with("--")) {
      const std::size_t equals = text.find('=');
      const std::string_view name = text.substr(2, equals == text.npos ? text.npos : equals - 2);
      if (equals != text.npos) {
        out.options.push_back({name, &word, text.substr(equals + 1)});
      } else if (is_among(long_values, name) && next != nullptr) {
        out.options.push_back({name, next, next->text});
        ++i;
      } else {
        out.options.push_back({name, nullptr});
      }
      continue;
    }
    for (std::size_t at = 1; at < text.size(); ++at) {
      const std::string_view letter = text.substr(at, 1);
      if (short_values.find(letter[0]) == short_values.npos) {
        out.options.push_back({letter, nullptr});
        continue;
      }
      if (at + 1 < text.size()) {
        out.options.push_back({letter, &word, text.substr(at + 1)});
      } else if (next != nullptr) {
        out.options.push_back({letter, next, next->text});
        ++i;
      }
      break;
    }
  }
  return out;
}

class Classifier {
 public:
  explicit Classifier(const Circumstances& circumstances) : circumstances_(circumstances) {}

  Reading read(std::string_view text) {
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
    sort_unique(out_.writes);
    sort_unique(out_.git_folders);
    if (!out_.why.empty())
      out_.shell_class = ShellClass::opaque;
    else if (!out_.writes.empty())
      out_.shell_class = ShellClass::writes;
    return std::move(out_);
  }

 private:
  struct Text {
    std::string text{};
    std::optional<std::string> folder{};  // where it runs, seen from the start; none: nobody knows
  };

  bool holds_no_verify() const {
    return std::ranges::any_of(
        texts_, [](const Text& text) { return text.text.find("--no-ver") != text.text.npos; });
  }

  void opaque(std::string why) {
    if (out_.why.empty()) out_.why = std::move(why);
  }
  void bypass(std::string_view words) {
    if (out_.bypass.empty()) out_.bypass = words;
  }

  /// Where the commands of one list run.
  struct Place {
    std::uint32_t list = 0;
    std::optional<std::string> folder{};
    bool by_cd = false;  // it holds as long as commands are joined by &&
  };

  void read_text(const Text& text) {
    const Script script = read_script(text.text);
    if (script.evaluates) opaque("a value that the shell reads as an expression");
    for (const std::string& name : script.assigned)
      assign(name, name + "=");
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
      adds_operands_ = drops_marks_ = false;
      moved_to_.reset();
      read_command(command, script);
      if (!moved_to_) continue;
      moved = true;
      *place = {command.list, script.repeats ? std::nullopt : *moved_to_, true};
    }
  }

  void write(std::string_view path, std::string_view into = {}, bool makes_folder = false) {
    if (path.empty()) return;
    if (std::ranges::find(kDevices, path) != kDevices.end() || is_open_file(path)) return;
    if (auto whole = below(path))
      out_.writes.push_back({*std::move(whole), std::string(into), makes_folder});
    else
      opaque("a path in a folder that nobody knows");
  }
  void write(const Word& word, std::string_view into = {}, bool makes_folder = false) {
    if (!word.is_plain()) {
      out_.fragments.push_back(word.text);
      return opaque("a path that only the shell knows");
    }
    write(word.text, into, makes_folder);
  }

  void read_command(const Command& command, const Script& script) {
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
  void search_for_git(std::string_view text) {
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
  void pass_by_git(const Command& command, Words words) {
    Classifier other(circumstances_);
    other.folder_ = folder_;
    other.git(command, words);
    bypass(other.out_.bypass);
  }
  void search_for_git(const Command& command, Words words) {
    const auto found = std::ranges::find_if(
        words, [](const Word& word) { return word.is_plain() && last_part(word.text) == "git"; });
    if (found != words.end())
      pass_by_git(command, words.subspan(static_cast<std::size_t>(found - words.begin()) + 1));
  }

  bool marks_agents(std::string_view name) const {
    return std::ranges::find(circumstances_.agent_variables, name) !=
           circumstances_.agent_variables.end();
  }
  /// What hosts mark their programs with is taken away: whoever looks for it would see a person.
  void unmark(std::string_view name, std::string_view shown) {
    if (marks_agents(name)) bypass(shown);
  }

  /// `value` where it is known.
  void assign(std::string_view name, std::string_view shown, std::string_view value = {}) {
    if (shown.ends_with('=')) unmark(name, shown);
    const VariableRow* row = find_variable(name);
    if (row == nullptr || is_harmless(*row, value)) return;
    if (row->bypasses) bypass(shown);
    opaque("a variable that changes what programs do");
  }

  /// A program and its arguments, behind everything that only starts it.
  void run(const Command& command, Words words, const Script& script) {
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

  Words behind(const WrapperRow& wrapper, Words words) {
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
      if (option.name == "C" || option.name == "chdir" || option.name == "D")
        folder_ = std::nullopt;
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
  bool take_from_environment(const Arguments::Option& option) {
    const auto is_short_for = [&](std::string_view name) {
      return option.name.size() > 1 && name.starts_with(option.name);
    };
    if (option.name == "u" || is_short_for("unset"))
      unmark(option.attached, "env -u " + std::string(option.attached));
    return option.name == "i" || is_short_for("ignore-environment");
  }

  void run_program(const Command& command, std::string_view name, Words words) {
    struct Own {
      std::string_view name;
      void (Classifier::*read)(const Command&, Words);
    };
    static constexpr std::array kOwn{
        Own{".", &Classifier::source},        Own{"[", &Classifier::condition},
        Own{"[[", &Classifier::condition},    Own{"alias", &Classifier::define},
        Own{"cd", &Classifier::change},       Own{"dd", &Classifier::copy_blocks},
        Own{"declare", &Classifier::declare}, Own{"eval", &Classifier::evaluate},
        Own{"export", &Classifier::set},      Own{"find", &Classifier::find},
        Own{"git", &Classifier::git},         Own{"popd", &Classifier::change},
        Own{"pushd", &Classifier::change},    Own{"local", &Classifier::declare},
        Own{"readonly", &Classifier::set},    Own{"sed", &Classifier::sed},
        Own{"set", &Classifier::options},     Own{"source", &Classifier::source},
        Own{"test", &Classifier::condition},  Own{"trap", &Classifier::trap},
        Own{"typeset", &Classifier::declare}, Own{"unset", &Classifier::unset},
    };
    if (const auto own = std::ranges::find(kOwn, name, &Own::name); own != kOwn.end())
      return (this->*own->read)(command, words);
    if (is_shell(name)) return shell(command, words);
    if (const TextProgram* program = find_text_program(name))
      return run_text(command, *program, words);
    const CommandRow* row = find_command(name);
    if (row == nullptr) {
      search_for_git(command, words);
      return opaque(std::string(name));
    }
    if (name == "read" || (name == "printf" && !words.empty() && words[0].text.starts_with("-v")))
      read_into(name, words);
    by_row(*row, words);
  }

  /// Variables that get a value by their names.
  void read_into(std::string_view name, Words words) {
    for (const Word& word : words) {
      const std::string_view variable =
          word.text.starts_with("-v") ? std::string_view(word.text).substr(2) : word.text;
      unmark(variable, std::string(name) + " " + word.text);
      assign(variable, std::string(name) + " " + word.text);
      if (!word.is_plain() && name == "read") opaque("a variable that only the shell knows");
    }
    if (name == "printf" && words.size() > 1 && !words[1].is_plain())
      opaque("a variable that only the shell knows");
  }

  void by_row(const CommandRow& row, Words words) {
    const Arguments arguments = read_arguments(words, row.short_values, row.long_values, false);
    const bool may_write = row.effect != Effect::reads || !row.outputs.empty();
    if (may_write && !arguments.is_certain) return opaque("an option that only the shell knows");
    bool has_target = false;
    for (const Arguments::Option& option : arguments.options) {
      if (names_program(row.name, option.name)) opaque("an option that names a program");
      if (row.outputs.empty() || !is_among(row.outputs, option.name)) continue;
      if (option.value == nullptr || !option.value->is_plain())
        return opaque("a path that only the shell knows");
      has_target = true;
      if (row.effect == Effect::reads) {
        write(option.attached);
      } else {
        for (const Word* source : arguments.operands)
          write(option.attached, last_part(source->text));
      }
    }
    const auto& operands = arguments.operands;
    switch (row.effect) {
      case Effect::reads:
        return;
      case Effect::writes_all:
        for (const Word* operand : operands)
          write(*operand);
        return;
      case Effect::folders:
        for (const Word* operand : operands)
          write(*operand, {}, true);
        return;
      case Effect::after_first:
        for (std::size_t i = has_no_first(row, arguments) ? 0 : 1; i < operands.size(); ++i)
          write(*operands[i]);
        return;
      case Effect::second:
        for (std::size_t i = 1; i < operands.size(); ++i)  // options of one letter may be longer
          write(*operands[i]);
        return;
      case Effect::moves:
      case Effect::writes_last:
        break;
    }
    const std::size_t sources = operands.size() - (has_target || operands.empty() ? 0 : 1);
    for (std::size_t i = 0; i < sources; ++i) {
      if (row.effect == Effect::moves) write(*operands[i]);
      if (!has_target) write(*operands.back(), last_part(operands[i]->text));
      if (!operands[i]->is_plain()) opaque("a path that only the shell knows");
    }
    if (sources == 0 && !has_target) write_here(row, operands);
  }
  /// chmod --reference X FILE, and chmod -x FILE, whose mode looks like an option.
  static bool has_no_first(const CommandRow& row, const Arguments& arguments) {
    constexpr std::string_view kModes = "rwxXstugo01234567";
    return std::ranges::any_of(arguments.options, [&](const Arguments::Option& option) {
      if (option.name.size() > 1) return std::string_view("reference").starts_with(option.name);
      return row.name == "chmod" && kModes.find(option.name) != kModes.npos;
    });
  }
  /// `ln TARGET`: the link has the target's name, here.
  void write_here(const CommandRow& row, const std::vector<const Word*>& operands) {
    if (operands.empty()) return;
    if (row.name == "ln" && operands[0]->is_plain()) return write(last_part(operands[0]->text));
    opaque(std::string(row.name));
  }

  // --- programs that need a reading of their own ---
  void source(const Command&, Words) { opaque("a file of commands"); }
  void define(const Command&, Words words) {
    if (!words.empty()) opaque("an alias");
  }
  void options(const Command&, Words words) {
    for (const Word& word : words) {
      if (!word.is_plain()) opaque("an option that only the shell knows");
      const bool takes_assignments =
          word.text == "keyword" || (word.text.starts_with('-') && !word.text.starts_with("--") &&
                                     word.text.find('k') != word.text.npos);
      if (takes_assignments) opaque("words that change what programs do");
    }
  }

  /// [[ … ]] reads what it compares as numbers as expressions; -v takes a subscript everywhere.
  void condition(const Command& command, Words words) {
    constexpr std::string_view kNumeric = "-eq,-ne,-lt,-le,-gt,-ge";
    const bool is_extended = !command.words.empty() && command.words[0].text == "[[";
    const auto is_number = [](const Word& word) {
      return word.is_literal && !word.text.empty() &&
             word.text.find_first_not_of("-0123456789") == word.text.npos;
    };
    for (std::size_t i = 0; i < words.size(); ++i) {
      const bool has_next = i + 1 < words.size();
      const std::string_view text = words[i].text;
      if ((text == "-v" || text == "-R") && has_next && !words[i + 1].is_plain())
        opaque("a value that the shell reads as an expression");
      if (!is_extended || text.size() != 3 || kNumeric.find(text) == kNumeric.npos) continue;
      if ((i > 0 && !is_number(words[i - 1])) || (has_next && !is_number(words[i + 1])))
        opaque("a value that the shell reads as an expression");
    }
  }

  /// What is done at the end or at a signal; where, nobody knows.
  void trap(const Command&, Words words) {
    if (words.empty() || words[0].text == "-p" || words[0].text == "-l") return;
    const Word& first = words[0].text == "--" && words.size() > 1 ? words[1] : words[0];
    if (!first.is_plain()) return opaque("commands that only the shell knows");
    if (first.text == "-" || first.text.empty()) return;
    opaque("commands for later");
    texts_.push_back({first.text, folder_});
  }

  /// su -c TEXT and the like.
  void run_text(const Command& command, const TextProgram& program, Words words) {
    opaque(std::string(program.name));
    search_for_git(command, words);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const std::string_view text = words[i].text;
      const bool is_short = text.size() > 1 && text.starts_with('-') && !text.starts_with("--") &&
                            text.ends_with('c');
      if (!is_short && text != "--command" && text != "--session-command") continue;
      if (words[i + 1].is_literal) texts_.push_back({words[i + 1].text, folder_});
      may_lack_marks_ = may_lack_marks_ || program.is_other_user;
      return;
    }
  }

  void keep_name(std::string_view value) {
    holds_own_name_ = holds_own_name_ || is_own_program(value);
    holds_git_ = holds_git_ || last_part(value) == "git";
  }

  /// With a name for another variable, or values that are expressions, nobody knows what is set.
  void declare(const Command& command, Words words) {
    for (const Word& word : words)
      if (word.text.starts_with('-') && word.text.find_first_of("ni") != word.text.npos)
        opaque("a variable that only the shell knows");
    set(command, words);
  }
  void set(const Command&, Words words) {
    const bool hides = std::ranges::any_of(words, [](const Word& word) {
      return word.text == "-n" ||
             (word.text.starts_with('+') && word.text.find('x') != word.text.npos);
    });
    for (const Word& word : words) {
      const std::size_t equals = word.text.find('=');
      const std::string_view name = std::string_view(word.text).substr(0, equals);
      assign(name, word.text,
             equals == word.text.npos ? std::string_view() : known_value(word, equals + 1));
      if (equals != word.text.npos) keep_name(word.text.substr(equals + 1));
      if (!word.is_plain()) opaque("a variable that only the shell knows");
      if (hides) unmark(name, "export -n " + std::string(name));
    }
  }

  void unset(const Command&, Words words) {
    for (const Word& word : words) {
      if (!word.is_plain()) {
        opaque("a variable that only the shell knows");
        may_lack_marks_ = true;
      }
      unmark(word.text, "unset " + word.text);
    }
  }

  void change(const Command& command, Words words) {
    if (command.reads_pipe || command.writes_pipe || command.in_background)
      return;  // in a process of its own
    const Arguments arguments = read_arguments(words, "", "", false);
    moved_to_.emplace();
    if (arguments.operands.size() != 1 || !arguments.operands[0]->is_plain() ||
        arguments.operands[0]->text == "-")
      return;
    *moved_to_ = below(arguments.operands[0]->text);
  }

  /// A path seen from where everything starts.
  std::optional<std::string> below(std::string_view path) const {
    if (path.starts_with('/')) return std::string(path);
    if (!folder_) return std::nullopt;
    return folder_->empty() ? std::string(path) : *folder_ + "/" + std::string(path);
  }

  void copy_blocks(const Command&, Words words) {
    for (const Word& word : words) {
      if (!word.is_literal) return opaque("an option that only the shell knows");
      if (word.text.starts_with("of=")) write(std::string_view(word.text).substr(3));
    }
  }

  void evaluate(const Command&, Words words) {
    std::string text;
    for (const Word& word : words) {
      if (!word.is_plain()) return opaque("commands that only the shell knows");
      text += word.text + " ";
    }
    texts_.push_back({std::move(text), folder_});
  }

  /// sh -c TEXT, sh FILE, or commands that come in.
  void shell(const Command& command, Words words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Word& word = words[i];
      if (!word.is_plain()) return opaque("commands that only the shell knows");
      if (!word.text.starts_with('-') && !word.text.starts_with('+'))
        return opaque("a file of commands");
      if (word.text == "--version" || word.text == "--help") return;
      if (word.text == "-n") continue;
      if (!word.text.starts_with("--") && word.text.starts_with('-') &&
          word.text.find('i') != word.text.npos)
        opaque("a shell that reads the settings of its user");
      if (word.text.starts_with("--") || word.text.find('c') == word.text.npos) {
        if (word.text == "-o" || word.text == "-O" || word.text == "+O") ++i;
        continue;
      }
      if (i + 1 >= words.size()) return;
      if (!words[i + 1].is_literal) return opaque("commands that only the shell knows");
      texts_.push_back({words[i + 1].text, folder_});
      return;
    }
    for (const Redirection& redirection : command.redirections) {
      if (redirection.kind == RedirectKind::here_document) {
        if (!redirection.target.is_quoted && redirection.body.find('$') != std::string::npos)
          opaque("commands that only the shell knows");
        texts_.push_back({redirection.body, folder_});
      } else if (redirection.kind == RedirectKind::here_string && redirection.target.is_literal) {
        texts_.push_back({redirection.target.text, folder_});
      } else {
        opaque("commands that come from elsewhere");
      }
    }
    if (command.reads_pipe || command.redirections.empty())
      opaque("commands that come from elsewhere");
  }

  void find(const Command& command, Words words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Word& word = words[i];
      if (!word.is_literal) return opaque("an option that only the shell knows");
      if (word.text == "-delete") return opaque("files that a search finds");
      if (word.text.starts_with("-fprint") || word.text == "-fls") {
        if (i + 1 < words.size()) write(words[i + 1]);
        continue;
      }
      if (word.text != "-exec" && word.text != "-execdir" && word.text != "-ok" &&
          word.text != "-okdir")
        continue;
      // The command it runs, up to ; or +: harmless only when none of its operands is written.
      std::size_t end = i + 1;
      while (end < words.size() && words[end].text != ";" && words[end].text != "+")
        ++end;
      if (word.text.ends_with("dir")) folder_ = std::nullopt;  // wherever something is found
      const std::size_t known = out_.writes.size();
      run(command, words.subspan(i + 1, end - i - 1), {});
      if (out_.writes.size() != known) opaque("files that a search finds");
      i = end;
    }
  }

  /// Without -i, and without commands that write or run something.
  void sed(const Command&, Words words) {
    const Arguments arguments = read_arguments(words, "efl", "expression,file,line-length", false);
    if (!arguments.is_certain) return opaque("an option that only the shell knows");
    bool in_place = false, has_script = false;
    const auto look_at = [&](const Word* word, std::string_view text) {
      has_script = true;
      if (!word->is_literal || text.find_first_of("weWF") != text.npos) opaque("a script of sed");
    };
    for (const Arguments::Option& option : arguments.options) {
      if (option.name == "i" || std::string_view("in-place").starts_with(option.name))
        in_place = in_place || option.name == "i" || option.name.size() >= 2;
      if ((option.name == "e" || option.name == "expression") && option.value != nullptr)
        look_at(option.value, option.attached);
      if (option.name == "f" || option.name == "file") has_script = true, opaque("a script of sed");
    }
    std::size_t from = 0;
    if (!has_script && !arguments.operands.empty()) {
      if (!in_place) look_at(arguments.operands[0], arguments.operands[0]->text);
      from = 1;
    }
    if (!in_place) return;
    for (std::size_t i = from; i < arguments.operands.size(); ++i)
      write(*arguments.operands[i]);
  }

  void gatehouse(Words words, bool by_old_name) {
    OwnCall call{.is_certain = !adds_operands_, .by_old_name = by_old_name, .folder = folder_};
    for (const Word& word : words) {
      call.words.push_back(word.text);
      call.is_certain = call.is_certain && word.is_plain();
    }
    out_.own.push_back(std::move(call));
  }

  void git(const Command&, Words words) {
    std::size_t i = 0;
    for (; i < words.size(); ++i) {
      const Word& word = words[i];
      if (!word.is_plain()) {
        hides_words_ = true;
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
    if (i >= words.size()) return;
    if (folder_)
      out_.git_folders.push_back(*folder_);
    else
      opaque("git in a folder that nobody knows");
    git_command(words[i].text, words.subspan(i + 1));
  }

  void git_setting(const Word& setting) {
    const std::size_t equals = setting.text.find('=');
    const std::string key = lower(setting.text.substr(0, equals));
    const std::string value = equals == setting.text.npos ? "" : setting.text.substr(equals + 1);
    if (leads_git(key, value)) bypass("git -c " + setting.text);
    if (!key.starts_with("user.") && !key.starts_with("color.")) opaque("a setting of git");
  }

  static bool leads_git(const std::string& key, std::string_view value) {
    const GitKeyRow* row = find_git_key(key);
    return row != nullptr && !(row->shows_only && is_idle_program(value));
  }

  void git_command(std::string_view name, Words words) {
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
    if (row->has_gate && !arguments.is_certain) {
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
  void git_notes(Words words) {
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

  static bool has_option(const Arguments& arguments, std::string_view names) {
    return std::ranges::any_of(arguments.options, [&](const Arguments::Option& option) {
      return is_among(names, option.name);
    });
  }

  static bool only_shows_refs(std::string_view name, const Arguments& arguments) {
    if (!arguments.is_certain || has_option(arguments, "d,delete")) return false;
    if (name == "symbolic-ref") return arguments.operands.size() < 2;
    return name == "replace" && (arguments.operands.empty() || has_option(arguments, "l,list"));
  }

  void move_branches(std::string_view name, const Arguments& arguments) {
    if (name == "branch" && !arguments.is_certain) opaque("an option that only the shell knows");
    for (const BranchRow& row : branch_rows())
      if (row.command == name && (row.options.empty() || has_option(arguments, row.options)))
        by_branch_row(row, arguments);
  }

  void by_branch_row(const BranchRow& row, const Arguments& arguments) {
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
        for (std::size_t i = 1; i < operands.size(); ++i) {
          const std::string_view text = operands[i]->text;
          const std::size_t colon = text.rfind(':');
          if (colon != text.npos || !operands[i]->is_plain())
            move_branch(row, *operands[i], text.substr(colon == text.npos ? 0 : colon + 1));
        }
        return;
    }
  }

  /// A push to a path, which may lead back to where it comes from.
  void pushed(const BranchRow& row, const Arguments& arguments) {
    const auto& operands = arguments.operands;
    if (operands.empty()) return;
    constexpr std::string_view kFileUrl = "file://";
    std::string_view to = operands[0]->text;
    if (to.starts_with(kFileUrl)) to.remove_prefix(kFileUrl.size());
    if (!operands[0]->is_plain() || (!to.starts_with('.') && !to.starts_with('/'))) return;
    const auto here = std::exchange(folder_, below(to));
    for (std::size_t i = 1; i < operands.size(); ++i) {
      std::string_view ref = operands[i]->text;
      ref = ref.substr(ref.starts_with('+') ? 1 : 0);
      ref = ref.substr(ref.find(':') == ref.npos ? 0 : ref.rfind(':') + 1);
      move_branch(row, *operands[i], ref);
    }
    folder_ = here;
  }

  static std::string shown(const BranchRow& row) {
    const std::string_view option = row.options.substr(0, row.options.find(','));
    return "git " + std::string(row.command) + (option.empty() ? "" : " -") + std::string(option);
  }

  /// A name that only the shell or git knows: the hook of refs sees to it where it is told.
  void move_branch(const BranchRow& row, const Word& word, std::string_view name) {
    if (!word.is_plain() || name == "-" || name.find("@{") != name.npos) {
      if (!row.has_hook) bypass(shown(row));
      return opaque("a branch that only the shell knows");
    }
    if (name.empty()) return;
    const bool is_spec = row.names == Names::refspecs || row.names == Names::pushed;
    const bool is_whole = is_spec && name.starts_with("refs/");
    const bool is_half = is_spec && name.starts_with("heads/");
    const std::string_view front = is_whole ? "" : is_half ? "refs/" : "refs/heads/";
    out_.branches.push_back(
        {shown(row) + " " + std::string(name), std::string(front) + std::string(name), folder_});
  }

  /// Without paths they write wherever the index or another commit differs.
  void git_paths(std::string_view name, const Arguments& arguments) {
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
  void git_clean(const Arguments& arguments) {
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
  void git_config(Words words) {
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
    const std::string key = lower(operands[0]->text);
    const std::string_view value =
        operands.size() > 1 ? std::string_view(operands[1]->text) : std::string_view();
    const bool is_section = verb.ends_with("-section");
    const bool leads =
        is_section ? std::ranges::any_of(
                         operands, [](const Word* word) { return has_git_key(lower(word->text)); })
                   : leads_git(key, verb.starts_with("unset") ? "" : value);
    if (leads || !operands[0]->is_plain()) bypass("git config " + operands[0]->text);
  }
  static constexpr std::string_view kConfigWords =
      "list,get,set,unset,rename-section,remove-section,edit";
  static std::string_view git_config_verb(const Arguments& arguments) {
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
  /// `git config KEY` tells its value.
  void only_reads_settings(const Arguments& arguments, const std::vector<const Word*>& operands) {
    const bool is_known = operands.empty() || operands[0]->is_literal;
    if (!arguments.is_certain || !is_known) opaque("a setting of git");
  }

  Circumstances circumstances_;
  bool holds_own_name_ = false;  // some variable names our own program
  bool holds_git_ = false;       // some variable names git
  bool hides_words_ = false;     // of a git that meets a gate some word is not known
  bool may_lack_marks_ = false;  // what follows may run without the host's variables
  bool adds_operands_ = false;   // of the command that is read not every word is known
  bool drops_marks_ = false;     // it runs as another user, who has none of the host's variables
  Reading out_{};
  std::vector<Text> texts_{};
  std::optional<std::string> folder_{};                   // of the command that is read
  std::optional<std::optional<std::string>> moved_to_{};  // by it
};

struct ClassRow {
  ShellClass shell_class;
  std::string_view word;
};
// table: shell_classes
constexpr std::array kClasses{ClassRow{ShellClass::read_only, "read_only"},
                              ClassRow{ShellClass::writes, "writes"},
                              ClassRow{ShellClass::opaque, "opaque"}};

}  // namespace

std::string_view to_string(ShellClass shell_class) {
  return std::ranges::find(kClasses, shell_class, &ClassRow::shell_class)->word;
}

Reading classify(std::string_view text, const Circumstances& circumstances) {
  return Classifier(circumstances).read(text);
}

}  // namespace gh::shell
