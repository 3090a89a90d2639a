#include "ops/describe.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/global_options.h"
#include "report/columns.h"

namespace gh::ops {
namespace {

using report::Ink;
using report::Look;
using report::paint;

constexpr std::string_view kNewcomers = "START HERE";
constexpr int kOverviewWidth = 76;  // of the list of commands, behind heading and group

std::string_view first_word(std::string_view words) { return words.substr(0, words.find(' ')); }

/// Of "release baseline save" behind "release": "baseline"; empty when it does not lie behind.
std::string_view word_behind(std::string_view group, std::string_view words) {
  const bool lies_behind =
      words.size() > group.size() && words.starts_with(group) && words[group.size()] == ' ';
  return lies_behind ? first_word(words.substr(group.size() + 1)) : std::string_view();
}

/// "  left      right", the right side folded below itself.
std::string two_columns(std::string_view left, std::string_view right, int gap_at,
                        const Look& look) {
  const std::string fold = report::folded(right, std::max(30, look.width - gap_at), gap_at);
  if (report::columns(left) + 2 > gap_at - 1)
    return fmt::format("  {}\n{:{}}{}\n", left, "", gap_at, fold);
  return fmt::format("  {}{}\n", report::padded(left, gap_at - 2), fold);
}

std::string option_help(const Option& option) {
  // A flag that is set anyway is shown as what takes it back.
  const bool takes_back = option.type == OptionType::flag && option.fallback == "true";
  std::string out = (takes_back ? "turns off: " : "") + std::string(option.help);
  if (!option.choices.empty()) {
    std::string choices(option.choices);
    std::ranges::replace(choices, ' ', '|');
    out += fmt::format(" [{}]", choices);
  }
  if (!option.fallback.empty() && option.type != OptionType::flag)
    out += fmt::format(" (default: {})", option.fallback);
  return out;
}

constexpr int kOptionGap = 26;

std::string arguments_text(const Operation& op, const Look& look) {
  std::string out;
  if (!op.operands.empty()) {
    out += "\n" + paint(look, Ink::bold, "OPERANDS") + "\n";
    for (const Operand& operand : op.operands)
      out += two_columns(operand.name, operand.help, kOptionGap, look);
  }
  if (!op.options.empty()) {
    out += "\n" + paint(look, Ink::bold, "OPTIONS") + "\n";
    for (const Option& option : op.options)
      out += two_columns(option_form(option), option_help(option), kOptionGap, look);
  }
  return out;
}

std::string head_text(const Operation& op, const Look& look) {
  return fmt::format("{}: {}\n\n{} {}\n",
                     paint(look, Ink::bold, fmt::format("{} {}", kProduct, op.words)), op.summary,
                     paint(look, Ink::bold, "Usage:"), usage_line(op));
}

std::string exit_codes_text(const Operation& op, const Look& look) {
  std::string out = "\n" + paint(look, Ink::bold, "EXIT CODES") + "\n";
  for (std::string_view word : split(op.exit_codes, ' '))
    for (const ExitCodeRow& row : exit_codes())
      if (word == fmt::format("{}", static_cast<int>(row.code)))
        out += two_columns(word, row.meaning, 8, look);
  return out;
}

std::string_view effect_text(Effect effect) {
  switch (effect) {
    case Effect::reads:
      return "Changes nothing.";
    case Effect::writes_state:
      return "Writes below the git directory; never your files or your branches.";
    case Effect::writes_tree:
      return "Changes the work tree and index, or moves a ref.";
  }
  return {};
}

}  // namespace

std::vector<const Operation*> in_group(std::string_view words) {
  std::vector<const Operation*> out;
  for (const Operation& op : operations())
    if (!op.hidden && (op.words == words || !word_behind(words, op.words).empty()))
      out.push_back(&op);
  return out;
}

bool is_group(std::string_view words) {
  return std::ranges::any_of(operations(), [&](const Operation& op) {
    return !op.hidden && !word_behind(words, op.words).empty();
  });
}

std::vector<std::string> next_words(std::string_view words) {
  std::vector<std::string> out;
  for (const Operation* op : in_group(words)) {
    const std::string_view next = word_behind(words, op->words);
    if (!next.empty() && std::ranges::find(out, next) == out.end()) out.emplace_back(next);
  }
  return out;
}

std::vector<std::string> groups() {
  std::vector<std::string> out;
  for (const Operation& op : operations())
    for (std::size_t at = op.words.find(' '); !op.hidden && at != std::string_view::npos;
         at = op.words.find(' ', at + 1))
      if (const std::string_view group = op.words.substr(0, at);
          std::ranges::find(out, group) == out.end())
        out.emplace_back(group);
  return out;
}

std::vector<std::string> first_words() {
  std::vector<std::string> out;
  for (const Operation& op : operations()) {
    std::string word(first_word(op.words));
    if (!op.hidden && std::ranges::find(out, word) == out.end()) out.push_back(std::move(word));
  }
  return out;
}

std::vector<std::string_view> headings() {
  std::vector<std::string_view> out;
  for (const Operation& op : operations())
    if (!op.hidden && std::ranges::find(out, op.group) == out.end()) out.push_back(op.group);
  return out;
}

std::string usage_line(const Operation& op) {
  std::string out = fmt::format("{} {}", kProduct, op.words);
  for (const Operand& operand : op.operands) {
    switch (operand.arity) {
      case Arity::required:
        out += fmt::format(" {}", operand.name);
        break;
      case Arity::optional:
        out += fmt::format(" [{}]", operand.name);
        break;
      case Arity::many:
        out += fmt::format(" [{}...]", operand.name);
        break;
    }
  }
  return out + " [options]";
}

std::string option_form(const Option& option) {
  std::string out = option.letter == 0 ? std::string() : fmt::format("-{}, ", option.letter);
  if (option.type == OptionType::flag && option.fallback == "true")
    return out + fmt::format("--no-{}", option.name);
  out += fmt::format("--{}", option.name);
  if (!option.value_name.empty()) out += fmt::format(" {}", option.value_name);
  return out;
}

std::string render_overview(const Look& look) {
  std::string out = fmt::format(
      "{} {}: may this change enter the repository? Yes or no, with proof.\n{} {} <command> "
      "[options]\n{}\n",
      paint(look, Ink::bold, kProduct), kVersion, paint(look, Ink::bold, "Usage:"), kProduct,
      paint(look, Ink::bold, kNewcomers));
  for (const Operation& op : operations())
    if (!op.hidden && op.group == kNewcomers) out += two_columns(op.words, op.summary, 13, look);
  for (std::string_view heading : headings()) {
    if (heading == kNewcomers) continue;
    std::string_view shown = heading;  // beside its first line only
    const auto line = [&](std::string_view word, const std::vector<std::string>& members) {
      // One line each, so that all of it fits on a screen; help --all has the rest.
      const bool has_spaces = std::ranges::any_of(
          members, [](const std::string& member) { return contains(member, " "); });
      std::string text =
          report::folded(join(members, has_spaces ? ", " : "  "), kOverviewWidth - 5, 22);
      if (const std::size_t end = text.find('\n'); end != text.npos)
        text = text.substr(0, end) + (look.ascii ? "  ..." : "  …");
      out += fmt::format("{}{:<10}{}\n",
                         paint(look, Ink::bold, fmt::format("{:<12}", std::exchange(shown, ""))),
                         word, text);
    };
    std::vector<std::string> single;
    for (const std::string& word : first_words()) {
      std::vector<std::string> members;
      for (const Operation* op : in_group(word)) {
        if (op->group != heading) continue;
        const std::string_view next = word_behind(word, op->words);
        if (!next.empty() && in_group(word).size() > 1) {
          if (std::ranges::find(members, next) == members.end()) members.emplace_back(next);
        } else {
          single.emplace_back(op->words);
        }
      }
      if (members.size() > 2)
        line(word, members);
      else  // two are no more than single commands
        for (const std::string& member : members)
          single.push_back(fmt::format("{} {}", word, member));
    }
    if (!single.empty()) line("", single);
  }
  out += fmt::format(
      "{} help --all lists them, 'help patch apply' tells one. All take -C DIR, --json, -q, "
      "--help.\n",
      kProduct);
  return out;
}

std::string render_all_commands(const Look& look) {
  std::string out;
  for (std::string_view heading : headings()) {
    out += paint(look, Ink::bold, heading) + "\n";
    for (const Operation& op : operations())
      if (!op.hidden && op.group == heading) out += two_columns(op.words, op.summary, 20, look);
    out += "\n";
  }
  out += paint(look, Ink::bold, "OPTIONS OF EVERY COMMAND") + "\n";
  for (const Option& option : global_options())
    out += two_columns(option_form(option), option_help(option), kOptionGap, look);
  return out;
}

std::string render_short_help(const Operation& op, const Look& look) {
  std::string out = head_text(op, look) + arguments_text(op, look);
  out += "\n" + paint(look, Ink::bold, "EXAMPLES") + "\n";
  for (const Example& example : op.examples.first(2))
    out += fmt::format("  {}\n", example.command);
  return out + fmt::format("\nMore: {} help {}\n", kProduct, op.words);
}

std::string render_long_help(const Operation& op, const Look& look) {
  std::string out = head_text(op, look) + "\n";
  for (std::string_view paragraph : split(op.description, '\n'))
    out += report::folded(paragraph, look.width, 0) + "\n";
  out += fmt::format("\n{}\n", effect_text(op.effect)) + arguments_text(op, look);
  out += "\n" + paint(look, Ink::bold, "OPTIONS OF EVERY COMMAND") + "\n";
  for (const Option& option : global_options())
    out += two_columns(option_form(option), option_help(option), kOptionGap, look);
  out += "\n" + paint(look, Ink::bold, "EXAMPLES") + "\n";
  for (const Example& example : op.examples)
    out += fmt::format("  {}\n      {}\n", example.command, example.says);
  return out + exit_codes_text(op, look);
}

std::string spelled_for(std::string text, std::string_view program) {
  if (program != kOldName) return text;
  const auto put = [&](std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  put("gatehouse help release", "agents-shipgate help release");
  put("gatehouse release", kOldName);
  return text;
}

std::string render_group_help(std::string_view words, const Look& look) {
  std::string out = fmt::format("{} {} {} <command> [options]\n\n",
                                paint(look, Ink::bold, "Usage:"), kProduct, words);
  for (const Operation* op : in_group(words))
    out += two_columns(op->words, op->summary, 20, look);
  return out + fmt::format("\nMore: {} help {} <command>\n", kProduct, words);
}

}  // namespace gh::ops
