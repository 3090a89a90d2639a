#include "policy/verify_commands.h"

#include <array>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::policy {
namespace {

constexpr std::int64_t kMaxVerifySeconds = 3600;

bool is_command_name(std::string_view name) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 64 && is_word(name[0]) &&
         std::ranges::all_of(name, [&](char c) { return is_word(c) || c == '_' || c == '-'; });
}

Status load_command_name(VerifyCommand& c, const Value& value, const At& at) {
  const std::string* name = value.as_string();
  if (name == nullptr || !is_command_name(*name))
    return at.expected("1 to 64 of a-z 0-9 _ - that start with a letter or digit", value);
  c.name = *name;
  return {};
}

Status load_command_argv(VerifyCommand& c, const Value& value, const At& at) {
  const List* list = value.as_list();
  if (list == nullptr || list->empty())
    return at.expected("a non-empty list of strings, not a shell line", value);
  c.argv.clear();
  for (std::size_t i = 0; i < list->size(); ++i) {
    const std::string* word = (*list)[i].as_string();
    const bool startable = word != nullptr && !contains(*word, std::string_view("\0", 1)) &&
                           !(i == 0 && word->empty());
    if (!startable) return at.item(i).expected("a string without NUL", (*list)[i]);
    c.argv.push_back(*word);
  }
  return {};
}

Status load_command_timeout(VerifyCommand& c, const Value& value, const At& at) {
  return load_limit(c.timeout_s, value, at, kMaxVerifySeconds);
}

constexpr std::array<Key<VerifyCommand>, 3> kCommandKeys{{
    {"name", load_command_name, [](const VerifyCommand& c) { return Value(c.name); }, nullptr},
    {"argv", load_command_argv, [](const VerifyCommand& c) { return string_list(c.argv); },
     nullptr},
    {"timeout_s", load_command_timeout, [](const VerifyCommand& c) { return Value(c.timeout_s); },
     nullptr},
}};

}  // namespace

Status load_commands(std::vector<VerifyCommand>& into, const Value& value, const At& at) {
  const List* list = value.as_list();
  if (list == nullptr) return at.expected("a list of {name, argv, timeout_s}", value);
  std::vector<VerifyCommand> commands;
  for (std::size_t i = 0; i < list->size(); ++i) {
    VerifyCommand c;
    GH_DO(load_keys(c, (*list)[i], at.item(i), kCommandKeys));
    if (c.name.empty()) return at.item(i).fail(Code::policy_bad_value, "'name' is missing");
    if (c.argv.empty()) return at.item(i).fail(Code::policy_bad_value, "'argv' is missing");
    if (std::ranges::find(commands, c.name, &VerifyCommand::name) != commands.end())
      return at.item(i).fail(Code::policy_bad_value,
                             fmt::format("the name '{}' is taken by an earlier entry", c.name));
    commands.push_back(std::move(c));
  }
  into = std::move(commands);
  return {};
}

Value show_commands(const std::vector<VerifyCommand>& commands) {
  List out;
  for (const VerifyCommand& c : commands)
    out.push_back(show_keys(c, kCommandKeys));
  return out;
}

Status load_verify(PatchPolicy& p, const Value& value, const At& at) {
  return load_commands(p.verify, value, at);
}

Value show_verify(const PatchPolicy& p) { return show_commands(p.verify); }

bool narrow_verify(PatchPolicy& into, const PatchPolicy& asked) {
  bool replaces = false;
  for (const VerifyCommand& c : asked.verify) {
    const auto held = std::ranges::find(into.verify, c.name, &VerifyCommand::name);
    if (held == into.verify.end()) {
      into.verify.push_back(c);
    } else {
      replaces |= *held != c;
    }
  }
  return !replaces;
}

}  // namespace gh::policy
