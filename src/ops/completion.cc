#include "ops/completion.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/data.h"
#include "base/product.h"
#include "base/text.h"
#include "ops/describe.h"
#include "ops/global_options.h"
#include "ops/operation.h"
#include "ops/support_ops.h"

namespace gh::ops {
namespace {

std::string_view kind_name(Completes kind) {
  switch (kind) {
    case Completes::rule:
      return "rule";
    case Completes::run:
      return "run";
    case Completes::ref:
      return "ref";
    case Completes::schema:
      return "schema";
    case Completes::command:
      return "command";
    case Completes::nothing:
    case Completes::file:
    case Completes::folder:
    case Completes::written_file:
    case Completes::written_folder:
      return {};
  }
  return {};
}

bool is_file(Completes kind) { return kind == Completes::file || kind == Completes::written_file; }
bool is_folder(Completes kind) {
  return kind == Completes::folder || kind == Completes::written_folder;
}

bool is_valued(const Option& option) { return option.type != OptionType::flag; }

std::vector<const Operation*> listed() {
  std::vector<const Operation*> out;
  for (const Operation& op : operations())
    if (!op.hidden) out.push_back(&op);
  return out;
}

std::string with_underscores(std::string_view words) {
  std::string out(words);
  std::ranges::replace(out, ' ', '_');
  return out;
}

/// "'patch' | 'release baseline'"
std::string group_pattern() {
  std::vector<std::string> out;
  for (const std::string& group : groups())
    out.push_back(fmt::format("'{}'", group));
  return join(out, " | ");
}

/// "-C|--directory|--format|...": global options that take a value.
std::string valued_globals() {
  std::vector<std::string> out;
  for (const Option& option : global_options()) {
    if (!is_valued(option)) continue;
    if (option.letter != 0) out.push_back(fmt::format("-{}", option.letter));
    out.push_back(fmt::format("--{}", option.name));
  }
  return join(out, "|");
}

std::string long_names(std::span<const Option> options) {
  std::string out;
  for (const Option& option : options) {
    const bool only_off = option.type == OptionType::flag && option.fallback == "true";
    out += fmt::format("{}--{}{}", out.empty() ? "" : " ", only_off ? "no-" : "", option.name);
  }
  return out;
}

std::string_view summary_of(std::string_view words) {
  return is_group(words) ? std::string_view("command group") : find_operation(words)->summary;
}

/// The embedded template with each @NAME@ replaced.
std::string filled(std::string_view file,
                   std::initializer_list<std::pair<std::string_view, std::string>> values) {
  std::string out(data::find(file));
  for (const auto& [name, value] : values) {
    const std::string mark = fmt::format("@{}@", name);
    for (std::size_t at = 0; (at = out.find(mark, at)) != std::string::npos; at += value.size())
      out.replace(at, mark.size(), value);
  }
  return out;
}

// --- bash ---------------------------------------------------------------------------------------

std::string bash_values(Completes kind, std::string_view choices) {
  if (!choices.empty()) return fmt::format("_gatehouse_words '{}'", choices);
  if (is_file(kind)) return "_gatehouse_files -f";
  if (is_folder(kind)) return "_gatehouse_files -d";
  if (!kind_name(kind).empty()) return fmt::format("_gatehouse_ask {}", kind_name(kind));
  return ":";
}

std::string bash_option_values() {
  std::string out;
  for (const Option& option : global_options()) {
    if (!is_valued(option)) continue;
    const std::string letter = option.letter != 0 ? fmt::format("*:-{} | ", option.letter) : "";
    out += fmt::format("    {}*:--{}) {}; return ;;\n", letter, option.name,
                       bash_values(option.completes, option.choices));
  }
  for (const Operation* op : listed())
    for (const Option& option : op->options)
      if (is_valued(option))
        out += fmt::format("    '{}:--{}') {}; return ;;\n", op->words, option.name,
                           bash_values(option.completes, option.choices));
  return out;
}

std::string bash_options() {
  std::string out;
  for (const Operation* op : listed())
    if (!op->options.empty())
      out += fmt::format("      '{}') options='{}' ;;\n", op->words, long_names(op->options));
  return out;
}

std::string bash_operands() {
  std::string out = fmt::format("    '') _gatehouse_words '{}' ;;\n", join(first_words(), " "));
  for (const std::string& group : groups())
    out += fmt::format("    '{}') _gatehouse_words '{}' ;;\n", group, join(next_words(group), " "));
  for (const Operation* op : listed())
    if (!op->operands.empty())
      out += fmt::format("    '{}') {} ;;\n", op->words,
                         bash_values(op->operands.front().completes, op->operands.front().choices));
  return out;
}

// --- zsh ----------------------------------------------------------------------------------------

/// Text inside a single-quoted _arguments or _describe entry.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else if (c == '[' || c == ']' || c == ':') {
      out += '\\';
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string zsh_values(Completes kind, std::string_view choices) {
  if (!choices.empty()) return fmt::format("({})", choices);
  if (is_file(kind)) return "_files";
  if (is_folder(kind)) return "_files -/";
  if (!kind_name(kind).empty()) return fmt::format("_gatehouse_ask {}", kind_name(kind));
  return " ";
}

std::string zsh_option(const Option& option) {
  const bool only_off = option.type == OptionType::flag && option.fallback == "true";
  const std::string name = fmt::format("--{}{}", only_off ? "no-" : "", option.name);
  const std::string value =
      is_valued(option)
          ? fmt::format(":{}:{}", option.value_name, zsh_values(option.completes, option.choices))
          : std::string();
  std::string out = fmt::format("    '{}{}[{}]{}'\n", name, is_valued(option) ? "=" : "",
                                zsh_text(option.help), value);
  if (option.letter != 0)
    out += fmt::format("    '-{}{}[{}]{}'\n", option.letter, is_valued(option) ? "+" : "",
                       zsh_text(option.help), value);
  return out;
}

std::string zsh_described(std::string_view word, std::string_view summary) {
  return fmt::format("    '{}:{}'\n", word, zsh_text(summary));
}

std::string zsh_command(const Operation& op) {
  std::string out = fmt::format("_gatehouse_{}() {{\n  _arguments -s -S : $_gatehouse_globals",
                                with_underscores(op.words));
  for (const Option& option : op.options) {
    std::string line = zsh_option(option);
    line.pop_back();
    out += fmt::format(" \\\n{}", line);
  }
  for (const Operand& operand : op.operands)
    out += fmt::format(" \\\n    '{}:{}:{}'", operand.arity == Arity::many ? "*" : "1",
                       operand.name, zsh_values(operand.completes, operand.choices));
  return out + "\n}\n\n";
}

std::string zsh_group(std::string_view group) {
  std::string commands, cases;
  const std::string name = with_underscores(group);
  for (const std::string& word : next_words(group)) {
    commands += zsh_described(word, summary_of(fmt::format("{} {}", group, word)));
    cases += fmt::format("        {}) _gatehouse_{}_{} ;;\n", word, name, word);
  }
  return fmt::format(
      "_gatehouse_{0}() {{\n"
      "  local curcontext=\"$curcontext\" state\n"
      "  local -a line commands\n"
      "  commands=(\n{1}  )\n"
      "  _arguments -C -s -S : $_gatehouse_globals '1:command:->command' '*::argument:->argument'\n"
      "  case $state in\n"
      "    command) _describe command commands ;;\n"
      "    argument)\n      case $line[1] in\n{2}      esac ;;\n"
      "  esac\n}}\n\n",
      name, commands, cases);
}

// --- fish ---------------------------------------------------------------------------------------

std::string fish_text(std::string_view text) {
  std::string out = "'";
  for (char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string fish_values(Completes kind, std::string_view choices) {
  if (!choices.empty()) return fmt::format(" -x -a {}", fish_text(choices));
  if (is_file(kind)) return " -r -F";
  if (is_folder(kind)) return " -x -a '(__fish_complete_directories)'";
  if (!kind_name(kind).empty())
    return fmt::format(" -x -a '(__gatehouse_ask {})'", kind_name(kind));
  return " -x";
}

std::string fish_option(const Option& option, std::string_view condition) {
  const bool only_off = option.type == OptionType::flag && option.fallback == "true";
  std::string out = fmt::format("complete -c {}{}", kProduct, condition);
  if (option.letter != 0) out += fmt::format(" -s {}", option.letter);
  out += fmt::format(" -l {}{}", only_off ? "no-" : "", option.name);
  if (is_valued(option)) out += fish_values(option.completes, option.choices);
  return out + fmt::format(" -d {}\n", fish_text(option.help));
}

std::string fish_commands() {
  std::string out;
  for (const std::string& word : first_words()) {
    out += fmt::format("complete -c {} -n '__gatehouse_is \"\"' -a {} -d {}\n", kProduct, word,
                       fish_text(summary_of(word)));
  }
  for (const std::string& group : groups())
    for (const std::string& word : next_words(group))
      out += fmt::format("complete -c {} -n '__gatehouse_is \"{}\"' -a {} -d {}\n", kProduct, group,
                         word, fish_text(summary_of(fmt::format("{} {}", group, word))));
  return out;
}

std::string fish_arguments() {
  std::string out;
  for (const Operation* op : listed()) {
    const std::string condition = fmt::format(" -n '__gatehouse_in \"{}\"'", op->words);
    for (const Option& option : op->options)
      out += fish_option(option, condition);
    for (const Operand& operand : op->operands) {
      const std::string values = fish_values(operand.completes, operand.choices);
      if (values != " -x") out += fmt::format("complete -c {}{}{}\n", kProduct, condition, values);
    }
  }
  return out;
}

}  // namespace

std::string bash_completion() {
  return filled("templates/completion.bash", {{"VALUED_GLOBALS", valued_globals()},
                                              {"GROUPS", group_pattern()},
                                              {"OPTION_VALUES", bash_option_values()},
                                              {"OPTIONS", bash_options()},
                                              {"GLOBALS", long_names(global_options())},
                                              {"OPERANDS", bash_operands()}});
}

std::string zsh_completion() {
  std::string globals, commands, functions, cases;
  for (const Option& option : global_options())
    globals += zsh_option(option);
  for (const std::string& word : first_words()) {
    commands += zsh_described(word, summary_of(word));
    cases += fmt::format("        {}) _gatehouse_{} ;;\n", word, word);
  }
  for (const Operation* op : listed())
    functions += zsh_command(*op);
  for (const std::string& group : groups())
    functions += zsh_group(group);
  return filled(
      "templates/completion.zsh",
      {{"GLOBALS", globals}, {"FUNCTIONS", functions}, {"COMMANDS", commands}, {"CASES", cases}});
}

std::string fish_completion() {
  std::string skipped = valued_globals();
  std::ranges::replace(skipped, '|', ' ');
  std::string arguments;
  for (const Option& option : global_options())
    arguments += fish_option(option, "");
  arguments += fish_commands() + fish_arguments();
  return filled("templates/completion.fish",
                {{"VALUED_GLOBALS", skipped}, {"ARGUMENTS", arguments}});
}

Result<Reply> completion(const Request& request, Context&) {
  const std::string shell = request.text("SHELL");
  const std::string script = shell == "bash"  ? bash_completion()
                             : shell == "zsh" ? zsh_completion()
                                              : fish_completion();
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.completion/1"},
                       {"shell", shell},
                       {"script", script},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [script](const report::Look&) { return script; };
  return reply;
}

}  // namespace gh::ops
