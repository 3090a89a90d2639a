#include "cli/arguments.h"

#include <algorithm>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/describe.h"
#include "ops/global_options.h"
#include "ops/hidden_options.h"

namespace gh::cli {
namespace {

using Strings = std::vector<std::string>;

constexpr int kMaxOperands = 1 << 20;

std::string hint(std::string_view word, const Strings& known) {
  const auto close = did_you_mean(word, known);
  return close ? fmt::format("; did you mean '{}'?", *close) : std::string();
}

bool is_option(std::string_view arg) { return arg.size() > 1 && arg.front() == '-'; }

/// The global option that `arg` spells, and whether its value is the next argument.
struct GlobalUse {
  const ops::Option* option = nullptr;
  bool takes_next = false;
};

GlobalUse global_use(std::string_view arg) {
  for (const ops::Option& option : ops::global_options()) {
    const bool valued = option.type != ops::OptionType::flag;
    const std::string name = fmt::format("--{}", option.name);
    if (arg == name) return {&option, valued};
    if (valued && arg.starts_with(name + "=")) return {&option, false};
    if (!valued && arg == fmt::format("--no-{}", option.name)) return {&option, false};
    if (option.letter != 0 && arg.size() >= 2 && arg[0] == '-' && arg[1] == option.letter)
      return {&option, valued && arg.size() == 2};
  }
  return {};
}

/// The command's words, taken out of the arguments; global options may stand before them.
struct Split {
  Strings words;
  Strings rest;
};

Split split_command(std::span<const std::string> args) {
  Split out;
  bool open = true;  // more command words may come
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& arg = args[i];
    if (open && arg == "--") open = false;
    if (!open || is_option(arg)) {
      out.rest.push_back(arg);
      if (open && global_use(arg).takes_next && i + 1 < args.size()) out.rest.push_back(args[++i]);
      continue;
    }
    out.words.push_back(arg);
    open = ops::is_group(join(out.words, " "));
  }
  return out;
}

Result<const ops::Operation*> operation_named(const Strings& words) {
  const std::string joined = join(words, " ");
  if (const ops::Operation* op = ops::find_operation(joined)) return op;
  const std::string& first = words.front();
  if (!ops::is_group(first)) {
    Strings known = ops::first_words();
    for (const ops::Operation& op : ops::operations())
      if (!op.hidden && contains(op.words, " "))
        known.emplace_back(op.words.substr(op.words.find(' ') + 1));
    const auto close = did_you_mean(first, known);
    std::string tail;
    if (close) {
      const auto owner = std::ranges::find_if(ops::operations(), [&](const ops::Operation& op) {
        return op.words == *close || op.words.ends_with(" " + *close);
      });
      tail = fmt::format("; did you mean '{} {}'?", kProduct,
                         owner == ops::operations().end() ? *close : std::string(owner->words));
    }
    return fail(Code::unknown_command,
                fmt::format("'{}' is not a command{}", printable(first, 60), tail));
  }
  if (ops::is_group(joined))
    return fail(Code::missing_argument, fmt::format("'{}' needs a command: {}", joined,
                                                    join(ops::next_words(joined), ", ")));
  const std::string group = join(Strings(words.begin(), words.end() - 1), " ");
  return fail(Code::unknown_command,
              fmt::format("'{}' has no command '{}'{}", group, printable(words.back(), 60),
                          hint(words.back(), ops::next_words(group))));
}

/// One CLI11 option per row; their raw texts are read back after parsing.
struct Bound {
  const ops::Option* row;
  CLI::Option* handle;
};

Bound bind(CLI::App& app, const ops::Option& row) {
  std::string names = fmt::format("--{}", row.name);
  if (row.letter != 0) names = fmt::format("-{},{}", row.letter, names);
  CLI::Option* handle = nullptr;
  if (row.type == ops::OptionType::flag) {
    handle = app.add_flag(fmt::format("{},!--no-{}", names, row.name));
  } else {
    handle = app.add_option(names);
    handle->expected(1);
  }
  handle->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return {&row, handle};
}

/// Whether one of the arguments may spell this option: CLI11 takes longer to hear of fifty options
/// than to read three.
bool may_spell(const Strings& args, const ops::Option& row) {
  return std::ranges::any_of(args, [&](std::string_view arg) {
    if (!arg.starts_with('-')) return false;
    if (!arg.starts_with("--")) return row.letter != 0 && contains(arg, {&row.letter, 1});
    arg.remove_prefix(2);
    if (arg.starts_with(row.name)) return true;
    return arg.starts_with("no-") && arg.substr(3).starts_with(row.name);
  });
}

Status refuse_unknown(const CLI::App& app, const ops::Operation* op) {
  for (const std::string& arg : app.remaining()) {
    if (arg == "--") continue;
    Strings known;
    const auto add = [&](const ops::Option& row) {
      known.push_back(fmt::format("--{}", row.name));
      if (row.type == ops::OptionType::flag) known.push_back(fmt::format("--no-{}", row.name));
    };
    if (op != nullptr) std::ranges::for_each(op->options, add);
    std::ranges::for_each(ops::global_options(), add);
    const std::string name = arg.substr(0, arg.find('='));
    return fail(Code::unknown_option,
                fmt::format("{} no option '{}'{}",
                            op == nullptr ? "there is" : fmt::format("'{}' has", op->words),
                            printable(name, 60), hint(name, known)));
  }
  return {};
}

Status check_global_choice(const ops::Option& row, const std::string& value) {
  Strings known;
  if (row.type == ops::OptionType::flag) known = {"true", "false"};
  for (std::string_view word : split(row.choices, ' '))
    if (!word.empty()) known.emplace_back(word);
  if (known.empty() || std::ranges::find(known, value) != known.end()) return {};
  return fail(Code::bad_argument,
              fmt::format("--{} takes one of {}, not '{}'{}", row.name, join(known, ", "),
                          printable(value, 60), hint(value, known)));
}

/// `--x=` would make CLI11 take the next argument as the value.
Status refuse_empty_values(const Strings& args) {
  for (const std::string& arg : args) {
    if (arg == "--") return {};
    if (arg.starts_with("--") && arg.ends_with("="))
      return fail(Code::bad_argument, fmt::format("{} takes a value, not an empty text",
                                                  arg.substr(0, arg.size() - 1)));
  }
  return {};
}

/// A word that belongs to the list option before it. `-` alone stands for standard input.
bool is_listed(const Strings& args, std::size_t at) {
  return at < args.size() && (args[at] == "-" || !args[at].starts_with('-'));
}

/// Options whose value may be left out get it here, so that what follows is never mistaken for one.
/// Words that may have been meant as one are remembered.
Strings with_values(const Strings& args, const ops::Operation* op,
                    std::map<std::string, std::string, std::less<>>& not_values) {
  Strings out;
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i] == "--") {
      out.insert(out.end(), args.begin() + static_cast<std::ptrdiff_t>(i), args.end());
      break;
    }
    const ops::Option* row = op != nullptr && args[i].starts_with("--")
                                 ? ops::find_option(*op, std::string_view(args[i]).substr(2))
                                 : nullptr;
    if (row != nullptr && row->type == ops::OptionType::path_list) {
      if (!is_listed(args, i + 1)) out.push_back(args[i]);
      for (const std::string& name = args[i]; is_listed(args, i + 1); ++i)
        if (!args[i + 1].empty()) out.push_back(fmt::format("{}={}", name, args[i + 1]));
    } else if (row == nullptr || (row->type != ops::OptionType::integer && row->bare.empty())) {
      out.push_back(args[i]);
    } else if (i + 1 < args.size() && ops::is_value_of(*row, args[i + 1])) {
      out.push_back(fmt::format("{}={}", args[i], args[i + 1]));
      ++i;
    } else if (!row->bare.empty()) {
      out.push_back(fmt::format("{}={}", args[i], row->bare));
      if (i + 1 < args.size()) not_values.emplace(args[i + 1], row->name);
    } else {
      out.push_back(args[i]);
    }
  }
  return out;
}

struct GlobalFlags {
  bool help = false, version = false;
};

Result<GlobalFlags> take_globals(const std::vector<Bound>& bound, Globals& globals) {
  GlobalFlags out;
  bool json = false;
  for (const auto& [row, handle] : bound) {
    const Strings values = handle->results();
    if (values.empty()) continue;
    const std::string& last = values.back();
    GH_DO(check_global_choice(*row, last));
    const bool on = last == "true";
    const std::string_view name = row->name;
    if (name == "directory") globals.folder = last;
    if (name == "json") json = on;
    if (name == "format")
      globals.format = last == "json" ? Format::json : last == "ctcp" ? Format::ctcp : Format::text;
    if (name == "field") globals.field = last;
    if (name == "quiet" && on) globals.verbosity = -1;
    if (name == "verbose" && on)
      globals.verbosity = static_cast<int>(std::ranges::count(values, "true"));
    if (name == "color")
      globals.colour = last == "always"  ? When::always
                       : last == "never" ? When::never
                                         : When::automatic;
    if (name == "ascii") globals.ascii = on;
    if (name == "pager") globals.pager = on;
    if (name == "exit-codes") globals.exits = *ops::exit_map_named(last);
    if (name == "help") out.help = on;
    if (name == "version") out.version = on;
  }
  if (json && globals.format == Format::ctcp)
    return fail(Code::bad_argument, "--json and --format ctcp exclude each other");
  if (json) globals.format = Format::json;
  return out;
}

Result<Invocation> parse(const Split& split, const ops::Operation* op) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  Invocation out;
  const Strings rest = with_values(split.rest, op, out.raw.not_values);
  std::vector<Bound> globals, own;
  for (const ops::Option& row : ops::global_options())
    if (may_spell(rest, row) &&
        (op == nullptr || ops::find_option(*op, row.name) == nullptr))  // its own --format wins
      globals.push_back(bind(app, row));
  if (op != nullptr)
    for (const auto options : {op->options, ops::hidden_options(*op)})
      for (const ops::Option& row : options)
        if (may_spell(rest, row)) own.push_back(bind(app, row));
  // Not allow_extra_args: CLI11 would then split an operand "[a,b]" into two.
  CLI::Option* operands = app.add_option("OPERANDS");
  operands->expected(kMaxOperands)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);

  Strings reversed(rest.rbegin(), rest.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ArgumentMismatch& mismatch) {
    const std::string what = mismatch.what();
    return fail(Code::missing_argument,
                fmt::format("{} needs a value", what.substr(0, what.find(':'))));
  } catch (const CLI::ParseError& error) {
    return fail(Code::bad_argument, error.what());
  }
  GH_DO(refuse_unknown(app, op));

  GH_TRY(flags, take_globals(globals, out.globals));
  out.operation = op;
  out.wants_help = flags.help;
  out.wants_version = flags.version;
  for (const auto& [row, handle] : own) {
    Strings values = handle->results();
    if (values.empty()) continue;
    if (row->type == ops::OptionType::flag) values = {values.back()};
    // An own --format that knows JSON means by it what --json means.
    if (row->name == "format" && row->type == ops::OptionType::choice && values.back() == "json")
      out.globals.format = Format::json;
    out.raw.options[std::string(row->name)] = std::move(values);
  }
  out.raw.operands = operands->results();
  const bool wants_review = out.raw.options.contains("exit-review");
  if (wants_review && out.globals.exits != ops::ExitMap::native)
    return fail(Code::bad_argument, "--exit-codes and --exit-review exclude each other");
  return out;
}

}  // namespace

bool asks_for_json(std::span<const std::string> args) {
  bool out = false;
  for (std::size_t i = 0; i < args.size() && args[i] != "--"; ++i) {
    const std::string& arg = args[i];
    if (arg == "--json" || arg == "--format=json") out = true;
    if (arg == "--no-json") out = false;
    if (arg == "--format" && i + 1 < args.size()) out = args[i + 1] == "json";
  }
  return out;
}

ops::ExitMap asked_exit_map(std::span<const std::string> args) {
  constexpr std::string_view kName = "--exit-codes";
  std::optional<ops::ExitMap> out;
  for (std::size_t i = 0; i < args.size() && args[i] != "--"; ++i) {
    const std::string_view arg = args[i];
    if (arg.starts_with(kName) && arg.substr(kName.size()).starts_with('='))
      out = ops::exit_map_named(arg.substr(kName.size() + 1));
    if (arg == kName && i + 1 < args.size()) out = ops::exit_map_named(args[i + 1]);
  }
  return out.value_or(ops::ExitMap::native);
}

namespace {

Strings in_old_group(std::span<const std::string> args) {
  constexpr std::string_view kGroup = "release";
  Strings out(args.begin(), args.end());
  for (std::size_t i = 0; i < out.size() && out[i] != "--"; ++i) {
    if (is_option(out[i])) {
      if (global_use(out[i]).takes_next) ++i;
      continue;
    }
    if (out[i] == "evidence-packet") out[i] = "packet";
    const Strings known = ops::next_words(kGroup);
    if (std::ranges::find(known, out[i]) != known.end())
      out.insert(out.begin() + static_cast<std::ptrdiff_t>(i), std::string(kGroup));
    return out;
  }
  const bool wants_help = std::ranges::any_of(
      out, [](const std::string& arg) { return arg == "--help" || arg == "-h"; });
  if (out.empty() || wants_help) return {std::string(kGroup), "--help"};
  return out;
}

}  // namespace

Strings from_old_name(std::span<const std::string> args) {
  Strings out = in_old_group(args);
  out.insert(out.begin(), "--exit-codes=shipgate");  // the last one counts
  return out;
}

Result<Invocation> read_arguments(std::span<const std::string> args) {
  const Split split = split_command(args);
  GH_DO(refuse_empty_values(split.rest));
  if (split.words.empty()) {
    GH_TRY(out, parse(split, nullptr));
    if (!out.raw.operands.empty())
      return fail(Code::unknown_command,
                  fmt::format("'{}' stands after --; the command comes before it",
                              printable(out.raw.operands.front(), 60)));
    out.wants_overview = !out.wants_version;
    return out;
  }
  const bool wants_group = ops::is_group(join(split.words, " "));
  const ops::Operation* op = nullptr;
  if (!wants_group) {
    GH_TRY(found, operation_named(split.words));
    op = found;
  }
  GH_TRY(out, parse(split, op));
  if (!wants_group) return out;
  if (!out.wants_help && !out.wants_version)
    return tl::make_unexpected(operation_named(split.words).error());
  out.help_group = join(split.words, " ");
  return out;
}

}  // namespace gh::cli
