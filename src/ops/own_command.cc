#include "ops/own_command.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/describe.h"
#include "ops/git_hook.h"
#include "ops/global_options.h"

namespace gh::ops {
namespace {

using Words = std::span<const std::string>;

/// A flag that has another option's file written.
struct Switch {
  std::string_view operation, flag, option, fallback;
};
// table: own_switches
constexpr std::array kSwitches{
    Switch{"analyze", "update-baseline", "baseline", "gatehouse.baseline.json"},
    Switch{"analyze", "update-metrics-baseline", "metrics-baseline", "gatehouse.baseline.json"}};

/// Flags with which a command only says what it would do.
// table: own_harmless_flags
constexpr std::array<std::string_view, 3> kHarmless{"help", "dry-run", "check"};

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

/// An option as a word spells it.
struct Spelled {
  const Option* option = nullptr;
  std::optional<std::string> value{};
  bool is_off = false;  // --no-NAME, or a value for a flag: never taken for the flag itself
};

Spelled spelled(std::string_view word, const Operation* op) {
  const auto find = [&](auto matches) -> const Option* {
    if (op != nullptr)
      if (const auto own = std::ranges::find_if(op->options, matches); own != op->options.end())
        return &*own;
    const auto global = std::ranges::find_if(global_options(), matches);
    return global == global_options().end() ? nullptr : &*global;
  };
  if (!word.starts_with("--")) {
    Spelled out{find([&](const Option& option) { return option.letter == word[1]; })};
    if (word.size() == 2 || out.option == nullptr) return out;
    out.value = word.substr(word[2] == '=' ? 3 : 2);
    return out;
  }
  const std::size_t equals = word.find('=');
  const std::string_view name = word.substr(2, equals == word.npos ? word.npos : equals - 2);
  Spelled out{find([&](const Option& option) { return option.name == name; })};
  if (equals != word.npos) out.value = word.substr(equals + 1);
  if (out.option == nullptr && name.starts_with("no-")) {
    out.option = find([&](const Option& option) { return option.name == name.substr(3); });
    out.is_off = true;
  }
  return out;
}

/// The words of the command and what stands behind or between them.
struct Split {
  std::string command{};
  std::vector<std::string> rest{};
};

Split split_words(Words words) {
  Split out;
  bool open = true;  // more words of the command may come
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (open && words[i] == "--") open = false;
    if (!open || is_option(words[i])) {
      out.rest.push_back(words[i]);
      const Spelled option = open ? spelled(words[i], nullptr) : Spelled{};
      const bool takes_next = option.option != nullptr && !option.value &&
                              option.option->type != OptionType::flag && i + 1 < words.size();
      if (takes_next) out.rest.push_back(words[++i]);
      continue;
    }
    out.command += (out.command.empty() ? "" : " ") + words[i];
    open = is_group(out.command);
  }
  return out;
}

/// Options by name and operands, as far as the gate asks for them.
struct Given {
  std::map<std::string_view, std::vector<std::string>> options{};
  std::vector<std::string> operands{};
  std::vector<std::string_view> flags{};
  bool is_harmless = false;
};

class Reader {
 public:
  Reader(const Operation& op, Words words) : op_(op), words_(words) {}

  Given read() {
    bool only_operands = false;
    for (; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (!only_operands && word == "--")
        only_operands = true;
      else if (only_operands || !is_option(word))
        out_.operands.push_back(word);
      else
        take(spelled(word, &op_));
    }
    out_.is_harmless = out_.is_harmless && !takes_back_;
    return std::move(out_);
  }

 private:
  void take(Spelled word) {
    if (word.option == nullptr) return;
    const Option& option = *word.option;
    if (option.type == OptionType::flag) return take_flag(word);
    std::vector<std::string>& values = out_.options[option.name];
    const bool has_next = at_ + 1 < words_.size();
    if (word.value) {
      values.push_back(*std::move(word.value));
    } else if (option.type == OptionType::path_list) {
      while (at_ + 1 < words_.size() && !is_option(words_[at_ + 1]))
        values.push_back(words_[++at_]);
    } else if (!option.bare.empty()) {
      if (has_next && is_value_of(option, words_[at_ + 1]))
        values.push_back(words_[++at_]);
      else
        values.emplace_back(option.bare);
    } else if (has_next) {
      values.push_back(words_[++at_]);
    }
  }

  void take_flag(const Spelled& word) {
    const bool harmless = std::ranges::find(kHarmless, word.option->name) != kHarmless.end();
    if (!word.is_off && !word.value) {
      out_.flags.push_back(word.option->name);
      out_.is_harmless = out_.is_harmless || harmless;
    } else if (harmless) {
      takes_back_ = true;
    } else {
      out_.flags.push_back(word.option->name);  // whatever it says: the worse is assumed
    }
  }

  const Operation& op_;
  Words words_;
  std::size_t at_ = 0;
  bool takes_back_ = false;
  Given out_{};
};

void add(std::vector<std::string>& out, const std::vector<std::string>& values) {
  out.insert(out.end(), values.begin(), values.end());
}

bool is_report(const Option& option) { return option.value_name == "FORMAT=FILE"; }

/// Behind the form of a report stands its file. Reports come beside whatever else is written.
void add_reports(std::vector<std::string>& out, const std::vector<std::string>& values) {
  for (const std::string& value : values)
    if (const std::string file = value.substr(value.find('=') + 1); file != "-")
      out.push_back(file);
}

std::vector<std::string> written_by(const Operation& op, const Given& given) {
  std::vector<std::string> out;
  const auto values = [&](std::string_view name) {
    const auto found = given.options.find(name);
    return found == given.options.end() ? std::vector<std::string>() : found->second;
  };
  bool has_folder = false;  // then files that are asked for without a name lie there
  for (const Option& option : op.options)
    has_folder = has_folder || (option.completes == Completes::written_folder &&
                                given.options.contains(option.name));
  for (const Option& option : op.options) {
    if (!is_written(option.completes) || is_report(option)) continue;
    for (const std::string& value : values(option.name))
      if (!has_folder || value != option.bare) out.push_back(value);
  }
  for (std::size_t i = 0; i < given.operands.size() && !op.operands.empty(); ++i)
    if (is_written(op.operands[std::min(i, op.operands.size() - 1)].completes))
      out.push_back(given.operands[i]);
  if (out.empty() && !op.writes.empty()) out.emplace_back(op.writes);
  for (const Option& option : op.options)
    if (is_report(option)) add_reports(out, values(option.name));
  for (const Switch& row : kSwitches) {
    if (op.words != row.operation || std::ranges::find(given.flags, row.flag) == given.flags.end())
      continue;
    add(out, values(row.option));
    if (values(row.option).empty()) out.emplace_back(row.fallback);
  }
  return out;
}

}  // namespace

OwnMeaning meaning_of(std::span<const std::string> words) {
  const Split split = split_words(words);
  const Operation* op = find_operation(split.command);
  if (op == nullptr) return {};
  const Given given = Reader(*op, split.rest).read();
  if (given.is_harmless) return {.is_known = true};
  return {.is_known = true,
          .is_for_agents = op->audience == Audience::anybody,
          .changes_tree = op->effect == Effect::writes_tree,
          .writes = written_by(*op, given)};
}

Status check_caller(const Request& request, const Context& context) {
  const Operation& op = request.operation();
  if (op.audience != Audience::people) return {};
  for (const std::string_view flag : kHarmless)
    if (find_option(op, flag) != nullptr && request.flag(flag)) return {};
  const std::string agent = agent_of(context);
  if (agent.empty()) return {};
  return fail(Code::not_permitted,
              fmt::format("'{}' is for people; {} shows that an agent asks", op.words, agent));
}

}  // namespace gh::ops
