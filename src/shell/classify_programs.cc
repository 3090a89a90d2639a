// Programs that write, run others, or need a reading of their own.
#include <algorithm>
#include <array>

#include "shell/classifier.h"
#include "shell/patch_text.h"

namespace gh::shell {
namespace {

/// chmod --reference X FILE, and chmod -x FILE, whose mode looks like an option.
bool has_no_first(const CommandRow& row, const Arguments& arguments) {
  constexpr std::string_view kModes = "rwxXstugo01234567";
  return std::ranges::any_of(arguments.options, [&](const Arguments::Option& option) {
    if (option.name.size() > 1) return std::string_view("reference").starts_with(option.name);
    return row.name == "chmod" && kModes.find(option.name) != kModes.npos;
  });
}

/// What sets variables by their names.
bool fills_variables(std::string_view name, Words words) {
  // table: shell_fillers
  constexpr std::array<std::string_view, 5> kFillers{"getopts", "mapfile", "read", "readarray",
                                                     "wait"};
  return std::ranges::find(kFillers, name) != kFillers.end() ||
         (name == "printf" && !words.empty() && words[0].text.starts_with("-v"));
}

}  // namespace

bool is_read_apart(std::string_view name) {
  // table: shell_apart
  constexpr std::array<std::string_view, 3> kApart{"dd", "find", "sed"};
  return std::ranges::find(kApart, name) != kApart.end();
}

void Classifier::run_program(const Command& command, std::string_view name, Words words) {
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
  if (fills_variables(name, words)) read_into(name, words);
  const CommandRow* row = find_command(name);
  if (row == nullptr) {
    search_for_git(command, words);
    read_patches(command, words);
    if (const DownloadRow* download_row = find_download(name)) download(*download_row, words);
    return opaque(std::string(name));
  }
  by_row(*row, words);
}

/// `apply_patch`, whatever it is called: hosts run it as the tool of that name.
void Classifier::read_patches(const Command& command, Words words) {
  const auto read = [&](std::string_view text) {
    const PatchText patch = read_patch_text(text);
    if (!patch.begins) return;
    for (const std::string& path : patch.paths)
      write(path);
    if (patch.is_too_long) write("/");  // a folder that holds whatever is guarded
  };
  for (const Word& word : words)
    read(word.text);
  for (const Redirection& redirection : command.redirections)
    read(redirection.kind == RedirectKind::here_document ? redirection.body
                                                         : redirection.target.text);
}

/// Variables that get a value by their names.
void Classifier::read_into(std::string_view name, Words words) {
  for (const Word& word : words) {
    const bool is_attached = word.text.size() > 2 && word.text.starts_with('-');
    const std::string_view variable =
        is_attached ? std::string_view(word.text).substr(2) : word.text;
    unmark(variable, std::string(name) + " " + word.text);
    assign(variable, std::string(name) + " " + word.text);
    if (!word.is_plain() && name == "read") opaque("a variable that only the shell knows");
  }
  if (name == "printf" && words.size() > 1 && !words[1].is_plain())
    opaque("a variable that only the shell knows");
}

void Classifier::by_row(const CommandRow& row, Words words) {
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

/// `ln TARGET`: the link has the target's name, here.
void Classifier::write_here(const CommandRow& row, const std::vector<const Word*>& operands) {
  if (operands.empty()) return;
  if (row.name == "ln" && operands[0]->is_plain()) return write(last_part(operands[0]->text));
  opaque(std::string(row.name));
}

void Classifier::source(const Command&, Words) { opaque("a file of commands"); }

void Classifier::define(const Command&, Words words) {
  if (!words.empty()) opaque("an alias");
}

void Classifier::options(const Command&, Words words) {
  for (const Word& word : words) {
    if (!word.is_plain()) opaque("an option that only the shell knows");
    const bool takes_assignments =
        word.text == "keyword" || (word.text.starts_with('-') && !word.text.starts_with("--") &&
                                   word.text.find('k') != word.text.npos);
    if (takes_assignments) opaque("words that change what programs do");
  }
}

/// [[ … ]] reads what it compares as numbers as expressions; -v takes a subscript everywhere.
void Classifier::condition(const Command& command, Words words) {
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
void Classifier::trap(const Command&, Words words) {
  if (words.empty() || words[0].text == "-p" || words[0].text == "-l") return;
  const Word& first = words[0].text == "--" && words.size() > 1 ? words[1] : words[0];
  if (!first.is_plain()) return opaque("commands that only the shell knows");
  if (first.text == "-" || first.text.empty()) return;
  opaque("commands for later");
  texts_.push_back({first.text, folder_});
}

/// su -c TEXT and the like; to some every word with a blank is a text.
void Classifier::run_text(const Command& command, const TextProgram& program, Words words) {
  opaque(std::string(program.name));
  drops_marks_ = drops_marks_ || program.is_other_user;
  search_for_git(command, words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    if (program.reads_operands && words[i].is_literal && text.find(' ') != text.npos)
      texts_.push_back({words[i].text, folder_});
    const bool is_short =
        text.size() > 1 && text.starts_with('-') && !text.starts_with("--") && text.ends_with('c');
    if (!is_short && text != "--command" && text != "--session-command") continue;
    if (i + 1 >= words.size()) return;
    if (words[i + 1].is_literal) texts_.push_back({words[i + 1].text, folder_});
    if (!program.reads_operands) return;
  }
}

/// With a name for another variable, or values that are expressions, nobody knows what is set.
void Classifier::declare(const Command& command, Words words) {
  const auto has = [&](std::string_view letters) {
    return std::ranges::any_of(words, [&](const Word& word) {
      return word.text.starts_with('-') && word.text.find_first_of(letters) != word.text.npos;
    });
  };
  if (has("ni")) opaque("a variable that only the shell knows");
  const bool is_list = has("aA");  // which no program is given
  for (const Word& word : words) {
    const std::size_t equals = word.text.find('=');
    if (is_list) unmark(word.text.substr(0, equals), "declare -a " + word.text);
    if (!has("n") || word.text.starts_with('-')) continue;
    names_others_ = true;
    names_unknown_ = names_unknown_ || !word.is_plain();
    if (equals != word.text.npos) {
      const std::string other = word.text.substr(equals + 1);
      unmark(other, "declare -n " + other);
    }
  }
  set(command, words);
}

void Classifier::set(const Command&, Words words) {
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

void Classifier::unset(const Command&, Words words) {
  for (const Word& word : words) {
    if (!word.is_plain()) {
      opaque("a variable that only the shell knows");
      may_lack_marks_ = true;
    }
    if (names_unknown_) may_lack_marks_ = true;
    unmark(word.text, "unset " + word.text);
  }
}

void Classifier::change(const Command& command, Words words) {
  if (command.reads_pipe || command.writes_pipe || command.in_background)
    return;  // in a process of its own
  // table: shell_movers
  constexpr std::array<std::string_view, 5> kMovers{"builtin", "cd", "command", "popd", "pushd"};
  if (command.words.empty() || std::ranges::find(kMovers, command.words[0].text) == kMovers.end())
    return opaque("a program that moves only itself");
  const Arguments arguments = read_arguments(words, "", "", false);
  moved_to_.emplace();
  if (arguments.operands.size() != 1 || !arguments.operands[0]->is_plain() ||
      arguments.operands[0]->text == "-")
    return;
  *moved_to_ = below(arguments.operands[0]->text);
}

void Classifier::copy_blocks(const Command&, Words words) {
  for (const Word& word : words) {
    if (!word.is_literal) return opaque("an option that only the shell knows");
    if (word.text.starts_with("of=")) write(std::string_view(word.text).substr(3));
  }
}

/// curl -o FILE and the like; - is what everybody reads.
void Classifier::download(const DownloadRow& row, Words words) {
  std::string below;
  for (std::size_t i = 0; i + 1 < words.size(); ++i)
    if (!row.folder.empty() && words[i].text == "--" + std::string(row.folder))
      below = words[i + 1].text + "/";
  const auto save = [&](const Word* word, std::string_view path) {
    if (word == nullptr || path == "-") return;
    if (!word->is_plain()) return out_.fragments.push_back(word->text);
    write(path.starts_with('/') ? std::string(path) : below + std::string(path));
  };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    const Word* next = i + 1 < words.size() ? &words[i + 1] : nullptr;
    const std::string_view next_text = next == nullptr ? std::string_view() : next->text;
    if (text.starts_with("--")) {
      const std::size_t equals = text.find('=');
      const std::string_view name = text.substr(2, equals == text.npos ? text.npos : equals - 2);
      if (name.size() < 3 || name == row.folder || !is_among(row.outputs, name)) continue;
      if (equals == text.npos)
        save(next, next_text);
      else
        save(&words[i], text.substr(equals + 1));
      continue;
    }
    for (std::size_t at = 1; text.starts_with('-') && at < text.size(); ++at) {
      if (row.short_values.find(text[at]) == row.short_values.npos) continue;
      const bool is_attached = at + 1 < text.size();
      if (is_among(row.outputs, text.substr(at, 1)))
        save(is_attached ? &words[i] : next, is_attached ? text.substr(at + 1) : next_text);
      break;
    }
  }
}

void Classifier::evaluate(const Command&, Words words) {
  std::string text;
  for (const Word& word : words) {
    if (!word.is_plain()) return opaque("commands that only the shell knows");
    text += word.text + " ";
  }
  texts_.push_back({std::move(text), folder_});
}

/// sh -c TEXT, sh FILE, or commands that come in.
void Classifier::shell(const Command& command, Words words) {
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

void Classifier::find(const Command& command, Words words) {
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
void Classifier::sed(const Command&, Words words) {
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

void Classifier::gatehouse(Words words, bool by_old_name) {
  OwnCall call{.is_certain = !adds_operands_, .by_old_name = by_old_name, .folder = folder_};
  for (const Word& word : words) {
    call.words.push_back(word.text);
    call.is_certain = call.is_certain && word.is_plain();
  }
  out_.own.push_back(std::move(call));
}

}  // namespace gh::shell
