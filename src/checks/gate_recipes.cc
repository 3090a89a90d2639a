#include "checks/gate_recipes.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "surface/words.h"
#include "wire/document.h"
#include "wire/spaced_json.h"

namespace gh::checks {
namespace {

using surface::is_one_of;
using surface::trimmed;
using Texts = std::vector<std::string>;

constexpr int kMaxIncludes = 16, kExpansions = 4;
constexpr std::size_t kMaxLine = 64u << 10, kMaxExpanded = 2u << 20;

Texts words_of(std::string_view text) {
  Texts out;
  std::string word;
  for (const char c : text) {
    if (c == ' ' || c == '\t') {
      if (!word.empty()) out.push_back(std::exchange(word, {}));
    } else {
      word += c;
    }
  }
  if (!word.empty()) out.push_back(std::move(word));
  return out;
}

/// Lines, those that end with a backslash joined with the next.
Texts joined_lines(std::string_view text) {
  Texts out;
  bool goes_on = false;
  for (const std::string_view line : split(text, '\n')) {
    std::string_view body = line;
    if (body.ends_with('\r')) body.remove_suffix(1);
    const bool more = body.ends_with('\\');
    if (more) body.remove_suffix(1);
    if (goes_on)
      out.back() += " " + std::string(trimmed(body));
    else
      out.emplace_back(body);
    goes_on = more;
  }
  return out;
}

/// The signs before a line of a recipe: "-" ignores its answer.
RecipeLine recipe_line(std::string_view text) {
  RecipeLine out;
  text = trimmed(text);
  while (!text.empty() && (text[0] == '@' || text[0] == '-' || text[0] == '+' || text[0] == ' ')) {
    out.is_ignored = out.is_ignored || text[0] == '-';
    text.remove_prefix(1);
  }
  out.script = std::string(text);
  return out;
}

// --------------------------------------------------------------------------------------- makefiles

class Makefile {
 public:
  explicit Makefile(const ReadFile& read) : read_(read) {}

  Recipes read(std::string_view text) {
    take(text);
    for (auto& [name, recipe] : out_.by_name) {
      for (RecipeLine& line : recipe.lines) {
        line.script = expanded(std::move(line.script));
        const RecipeLine again = recipe_line(line.script);  // a sign may come from a variable
        line.script = again.script;
        line.is_ignored = line.is_ignored || again.is_ignored || ignores_all_ ||
                          std::ranges::find(ignored_, name) != ignored_.end();
      }
      if (is_one_shell_) join_lines(recipe);
      for (std::string& need : recipe.needs)
        need = expanded(std::move(need));
    }
    if (const auto named = variables_.find(".DEFAULT_GOAL"); named != variables_.end())
      out_.first = expanded(named->second);
    for (const std::string& names : phony_)
      for (std::string& name : words_of(expanded(names)))
        out_.phony.insert(std::move(name));
    if (expanded_ > kMaxExpanded) out_.doubts.emplace_back("could not be read to its end");
    return std::move(out_);
  }

 private:
  void take(std::string_view text) {
    Texts open;  // recipes that the lines belong to
    Texts conditions;
    for (const std::string& line : joined_lines(text)) {
      if (line.size() > kMaxLine) continue;
      const bool is_recipe = line.starts_with('\t') && !open.empty();
      const std::string_view body = trimmed(line);
      if (is_recipe) {
        RecipeLine step = recipe_line(body);
        step.condition = gh::join(conditions, "; ");
        if (!step.script.starts_with('#'))
          for (const std::string& name : open)
            give(name, step);
        continue;
      }
      if (body.empty() || body.starts_with('#')) continue;
      const std::string_view word = body.substr(0, body.find_first_of(" \t("));
      if (is_one_of(word, "ifeq ifneq ifdef ifndef")) {
        conditions.emplace_back(body);
      } else if (word == "else" && !conditions.empty()) {
        conditions.back() = fmt::format("not {}", conditions.back());
      } else if (word == "endif" && !conditions.empty()) {
        conditions.pop_back();
      } else if (is_one_of(word, "include -include sinclude")) {
        include(body.substr(word.size()));
      } else {
        take_line(body, open, conditions);
      }
    }
  }

  void include(std::string_view names) {
    for (const std::string& name : words_of(expanded(std::string(names)))) {
      if (++includes_ > kMaxIncludes) return;
      if (const auto text = read_(name)) take(*text);
    }
  }

  void take_line(std::string_view body, Texts& open, const Texts& conditions) {
    for (const char* prefix : {"export ", "override ", "private "})
      if (body.starts_with(prefix)) body = trimmed(body.substr(std::string_view(prefix).size()));
    const std::size_t equals = body.find('='), colon = body.find(':');
    const bool is_rule = colon != body.npos && (equals == body.npos || colon < equals) &&
                         body.substr(colon, 2) != ":=" && body.substr(colon, 3) != "::=";
    if (!is_rule) {
      if (equals == body.npos) return;
      open.clear();
      std::string_view name = body.substr(0, equals);
      while (!name.empty() && std::string_view(":?+! \t").find(name.back()) != name.npos)
        name.remove_suffix(1);
      if (is_one_of(name, "SHELL .SHELLFLAGS MAKEFLAGS MAKE PATH")) out_.doubts.emplace_back(body);
      std::string& value = variables_[std::string(name)];
      const bool adds = equals > 0 && body[equals - 1] == '+';
      value = (adds ? value + " " : "") + std::string(trimmed(body.substr(equals + 1)));
      return;
    }
    const std::string targets = expanded(std::string(body.substr(0, colon)));
    std::string_view rest = trimmed(body.substr(body.find_first_not_of(':', colon) == body.npos
                                                    ? body.size()
                                                    : body.find_first_not_of(':', colon)));
    std::string_view inline_recipe;
    if (const std::size_t at = rest.find(';'); at != rest.npos) {
      inline_recipe = rest.substr(at + 1);
      rest = rest.substr(0, at);
    }
    rest = rest.substr(0, rest.find('#'));
    open = words_of(targets);
    begun_.clear();
    if (body.substr(colon, 2) != "::") begun_.insert(open.begin(), open.end());
    for (const std::string& name : open) {
      const Texts needs = words_of(rest);
      if (name == ".IGNORE") {
        ignored_.insert(ignored_.end(), needs.begin(), needs.end());
        ignores_all_ = ignores_all_ || needs.empty();
      }
      if (name == ".PHONY") phony_.emplace_back(rest);
      is_one_shell_ = is_one_shell_ || name == ".ONESHELL";
      if (name.starts_with('.') && !contains(name, "/")) continue;
      if (out_.first.empty() && !contains(name, "%")) out_.first = name;
      Recipe& recipe = out_.by_name[name];
      recipe.needs.insert(recipe.needs.end(), needs.begin(), needs.end());
      if (inline_recipe.empty()) continue;
      RecipeLine step = recipe_line(inline_recipe);
      step.condition = gh::join(conditions, "; ");
      give(name, std::move(step));
    }
  }

  /// The recipe of a later rule takes the place of what an earlier one said, unless nobody can tell
  /// which of them is read.
  void give(const std::string& name, RecipeLine line) {
    std::vector<RecipeLine>& lines = out_.by_name[name].lines;
    if (begun_.erase(name) != 0 && line.condition.empty()) lines.clear();
    lines.push_back(std::move(line));
  }

  static void join_lines(Recipe& recipe) {
    if (recipe.lines.size() < 2) return;
    RecipeLine whole = recipe.lines[0];
    for (std::size_t i = 1; i < recipe.lines.size(); ++i) {
      whole.script += "\n" + recipe.lines[i].script;
      if (whole.condition.empty()) whole.condition = recipe.lines[i].condition;
    }
    recipe.lines = {std::move(whole)};
  }

  /// Variables of the file; one that it does not set is left to the shell.
  std::string expanded(std::string text) {
    for (int round = 0; round < kExpansions && contains(text, "$"); ++round) {
      // Variables of variables grow without end: what all of them make together is bounded.
      if (expanded_ > kMaxExpanded) break;
      std::string out;
      bool changed = false;
      for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '$' || at + 1 >= text.size()) {
          out += text[at];
          continue;
        }
        const char open = text[at + 1];
        if (open == '$') {  // the shell's own
          out += "$$";
          ++at;
          continue;
        }
        const std::size_t end =
            open == '(' ? text.find(')', at) : (open == '{' ? text.find('}', at) : text.npos);
        if (end == text.npos) {
          out += '$';
          continue;
        }
        const std::string name = text.substr(at + 2, end - at - 2);
        const auto found = variables_.find(name);
        if (found != variables_.end()) {
          out += found->second;
          changed = true;
        } else if (name == "MAKE") {
          out += "make";
        } else {
          out += text.substr(at, end - at + 1);
        }
        at = end;
        if (out.size() > kMaxLine) {
          expanded_ += out.size();
          return out;
        }
      }
      expanded_ += out.size();
      text = std::move(out);
      if (!changed) break;
    }
    std::string out;
    for (std::size_t at = 0; at < text.size(); ++at) {
      while (text[at] == '$' && at + 1 < text.size() && text[at + 1] == '$')
        ++at;
      out += text[at];
    }
    return out;
  }

  const ReadFile& read_;
  Recipes out_{};
  std::map<std::string, std::string> variables_{};
  Texts ignored_{}, phony_{};
  std::set<std::string> begun_{};  // targets of the open rule that have no line of it yet
  std::size_t expanded_ = 0;
  bool ignores_all_ = false, is_one_shell_ = false;
  int includes_ = 0;
};

}  // namespace

Recipes read_makefile(std::string_view text, const ReadFile& read) {
  return Makefile(read).read(text);
}

Recipes read_justfile(std::string_view text) {
  Recipes out;
  Recipe* open = nullptr;
  bool is_script = false;
  for (const std::string& line : joined_lines(text)) {
    const std::string_view body = trimmed(line);
    if (body.empty() || line.size() > kMaxLine) continue;
    const bool is_inside = line[0] == ' ' || line[0] == '\t';
    if (is_inside && open != nullptr) {
      if (open->lines.empty() && body.starts_with("#!")) is_script = true;
      if (body.starts_with('#') && !is_script) continue;
      if (is_script && !open->lines.empty())
        open->lines[0].script += "\n" + std::string(body);
      else
        open->lines.push_back(is_script ? RecipeLine{std::string(body)} : recipe_line(body));
      continue;
    }
    open = nullptr;
    is_script = false;
    if (body.starts_with("set shell") || body.starts_with("set windows-shell"))
      out.doubts.emplace_back(body);
    const std::size_t colon = body.find(':');
    if (body.starts_with('#') || body.starts_with('[') || colon == body.npos ||
        body.substr(colon, 2) == ":=")
      continue;
    const Texts names = words_of(body.substr(0, colon));
    if (names.empty()) continue;
    std::string name = names[0];
    if (name.starts_with('@')) name.erase(0, 1);
    if (out.first.empty()) out.first = name;
    open = &out.by_name[name];
    for (std::string need : words_of(body.substr(colon + 1))) {
      std::erase_if(need, [](char c) { return c == '(' || c == ')' || c == '&'; });
      if (!need.empty()) open->needs.push_back(std::move(need));
    }
  }
  return out;
}

Recipes read_taskfile(std::string_view yaml) {
  Recipes out;
  const auto document = wire::read_document(yaml, "Taskfile.yml");
  if (!document) return out;
  out.first = "default";
  for (const auto& [name, task] : Peek(document->root)["tasks"].map().entries()) {
    Recipe& recipe = out.by_name[name];
    const Peek at(task);
    for (const Value& need : at["deps"].list())
      recipe.needs.emplace_back(Peek(need)["task"].exists() ? Peek(need)["task"].text()
                                                            : Peek(need).text());
    std::string condition;
    for (const char* key : {"status", "preconditions", "if", "platforms", "run"})
      if (at[key].exists())
        condition += fmt::format("{}: {};", key, wire::spaced_json(*task.as_map()->find(key)));
    const auto add = [&](const Value& command) {
      const Peek cmd(command);
      if (cmd["task"].exists()) return recipe.needs.emplace_back(cmd["task"].text()), void();
      const std::string_view text = cmd["cmd"].exists() ? cmd["cmd"].text() : cmd.text();
      recipe.lines.push_back(
          {.script = std::string(text),
           .is_ignored = cmd["ignore_error"].is_true() || at["ignore_error"].is_true(),
           .condition = condition});
    };
    for (const Value& command : at["cmds"].list())
      add(command);
    for (const Value& command : Peek(task).list())  // a task may be its list of commands
      add(command);
    if (!Peek(task).text().empty()) add(task);
    if (at["cmd"].exists()) add(*task.as_map()->find("cmd"));
  }
  return out;
}

Recipes read_package_scripts(std::string_view json) {
  Recipes out;
  const auto document = wire::read_document(json, "package.json");
  if (!document) return out;
  out.first = "start";
  const Map& scripts = Peek(document->root)["scripts"].map();
  for (const auto& [name, script] : scripts.entries()) {
    Recipe& recipe = out.by_name[name];
    if (scripts.find("pre" + name) != nullptr) recipe.needs.push_back("pre" + name);
    recipe.lines.push_back({.script = std::string(Peek(script).text())});
    if (scripts.find("post" + name) != nullptr) recipe.needs.push_back("post" + name);
  }
  return out;
}

}  // namespace gh::checks
