// A script run in thought: does the answer of the gate reach its end?
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/ci_scripts.h"
#include "checks/gate_recipes.h"
#include "checks/gate_words.h"
#include "shell/script_tree.h"
#include "surface/words.h"

namespace gh::checks {
namespace {

using shell::Command;
using shell::Joint;
using shell::Node;
using shell::NodeKind;
using shell::NodeList;
using shell::ScriptTree;
using shell::Word;
using surface::is_one_of;
using surface::trimmed;
using Texts = std::vector<std::string>;

constexpr std::size_t kMaxPaths = 32, kMaxTokens = 64, kMaxRecipes = 64;
constexpr int kMaxFiles = 6;  // that run each other
constexpr int kMaxCalls = 8;  // of functions in each other
constexpr int kMaxSteps = 20'000;
constexpr int kMaxLevels = 150;  // constructs, functions and files in each other

// table: commands that do well wherever they stand
constexpr std::string_view kCalm =
    ": true echo printf cd pushd popd export declare local readonly typeset unset alias shopt "
    "umask mkdir touch source . wait shift read sleep date pwd ls cat tee";

enum class Status : std::uint8_t { ok, failed, unknown };
enum class End : std::uint8_t { runs, well, failed, unknown };

struct FunctionAt {
  const ScriptTree* tree = nullptr;
  const Node* node = nullptr;
};

/// One way through the script, as far as it got.
struct Path {
  Status status = Status::ok;
  End end = End::runs;
  bool errexit = false, pipefail = false;
  bool reached = false;       // the gate was called, and said no
  bool is_gate_last = false;  // in the pipeline that ran last
  bool is_returning = false, knows_folder = true;
  std::string folder{};
  std::string trap{};               // what runs at its end
  std::set<std::string> tainted{};  // variables that hold the gate's answer
  std::map<std::string, FunctionAt> functions{};
  std::string asked{};                                    // what its unknown status came from
  std::set<std::string> conditions{}, needs{}, doubts{};  // needs: of what was called

  bool goes_on() const { return end == End::runs && !is_returning; }
  bool is_like(const Path& o) const {
    const auto key = [](const Path& p) {
      return std::tie(p.status, p.end, p.errexit, p.pipefail, p.reached, p.is_gate_last,
                      p.is_returning, p.knows_folder, p.folder, p.trap, p.tainted, p.needs,
                      p.doubts);
    };
    const auto names = [](const Path& p) {
      Texts out;
      for (const auto& entry : p.functions)
        out.push_back(entry.first);
      return out;
    };
    return key(*this) == key(o) && names(*this) == names(o);
  }
};
using Paths = std::vector<Path>;

/// Ways that are alike again are one, with the conditions that both have.
void add_path(Paths& list, Path path) {
  for (Path& known : list) {
    if (!known.is_like(path)) continue;
    std::erase_if(known.conditions,
                  [&](const std::string& text) { return !path.conditions.contains(text); });
    return;
  }
  list.push_back(std::move(path));
}

std::string text_of(const Command& command) {
  std::string out;
  for (const Word& word : command.words) {
    out += word.text;
    for (const std::string& name : word.variables)
      out += "$" + name;
    out += ' ';
  }
  return out;
}

std::string without_comments(std::string_view script) {
  std::string out;
  for (const std::string_view line : split(script, '\n')) {
    const std::string_view body = trimmed(line);
    if (body.empty() || body.starts_with('#')) continue;
    out += body;
    out += '\n';
  }
  return out;
}

/// Path from the top of one that was written in a folder; nothing where it leads out.
std::optional<std::string> joined(std::string_view folder, std::string_view path) {
  if (path.empty() || path.starts_with('/')) return std::nullopt;
  int depth = 0;
  for (const std::string_view part : split(path, '/'))
    depth += part == ".." ? -1 : (part.empty() || part == "." ? 0 : 1);
  for (const std::string_view part : split(folder, '/'))
    depth += part.empty() ? 0 : 1;
  if (depth < 0) return std::nullopt;
  std::string out = normal_path(fmt::format("/{}/{}", folder, path)).substr(1);
  return out;
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? "" : std::string(path.substr(0, slash));
}

bool is_shell_text(std::string_view text) {
  if (!text.starts_with("#!")) return true;
  const std::string_view first = text.substr(0, text.find('\n'));
  return contains(first, "sh") && !contains(first, "pwsh");
}

/// A test whose answer stands in the text, or follows from the gate's.
std::optional<bool> test_of(const Command& command, const Path& path) {
  std::vector<const Word*> words;
  for (std::size_t i = 1; i < command.words.size(); ++i)
    if (!is_one_of(command.words[i].text, "] ]]")) words.push_back(&command.words[i]);
  bool is_negated = false;
  while (!words.empty() && words.front()->text == "!" && words.front()->is_plain()) {
    is_negated = !is_negated;
    words.erase(words.begin());
  }
  const auto said = [&](bool answer) { return std::optional(answer != is_negated); };
  const auto is_answer = [&](const Word& word) {  // of the gate: some number that is not 0
    return word.variables.size() == 1 && word.text.empty() &&
           (path.tainted.contains(word.variables[0]) ||
            (word.variables[0] == "?" && path.status == Status::failed) ||
            (word.variables[0] == "PIPESTATUS" && path.is_gate_last));
  };
  if (words.empty()) return said(false);
  if (words.size() == 1) return words[0]->is_plain() ? said(!words[0]->text.empty()) : std::nullopt;
  if (words.size() == 2 && words[1]->is_plain()) {
    if (words[0]->text == "-n") return said(!words[1]->text.empty());
    if (words[0]->text == "-z") return said(words[1]->text.empty());
  }
  if (words.size() != 3) return std::nullopt;
  const std::string& sign = words[1]->text;
  const bool is_equal = is_one_of(sign, "= == -eq"), is_other = is_one_of(sign, "!= -ne");
  if (words[0]->is_plain() && words[2]->is_plain()) {
    if (is_equal) return said(words[0]->text == words[2]->text);
    if (is_other) return said(words[0]->text != words[2]->text);
    return std::nullopt;
  }
  if (!is_answer(*words[0]) || words[2]->text != "0") return std::nullopt;
  if (is_equal || sign == "-le") return said(false);
  if (is_other || sign == "-gt") return said(true);
  return std::nullopt;
}

// ------------------------------------------------------------------------------------- the running

/// What all scripts together may use up.
struct Budget {
  CiBudget& whole;
  int steps = 0, levels = 0;
};

/// One script with the files that it runs.
class Run {
 public:
  Run(const ScriptFiles& files, std::string own, int depth, Budget& budget)
      : files_(files), own_folder_(folder_of(own)), depth_(depth), budget_(budget) {}

  GateCall judge(std::string_view script, const ShellUse& use) {
    const ScriptTree& tree = keep(script);
    GateCall out = run_whole(tree, use);
    // "; true" and "; exit 0" say that all is well, whatever the shell was told on the outside: a
    // script that leans on that alone is not one that stops.
    if (use.stops_at_errors && ends_well(tree)) {
      ShellUse soft = use;
      soft.stops_at_errors = false;
      out.is_swallowed = out.is_swallowed || run_whole(tree, soft).is_swallowed;
    }
    const std::string whole = without_comments(script);
    const bool is_inside = std::ranges::any_of(tree.inner, [&](const Node& node) {
      return node.kind == NodeKind::command && is_gate_call(tree.script.commands[node.command]);
    });
    if (is_inside || ((!tree.is_whole || is_cut_) && names_call(script))) {
      out.is_there = true;
      out.doubts.insert(whole);
    }
    if (out.is_there && (is_mixed_ || is_cut_)) out.doubts.insert(whole);
    return out;
  }

 private:
  GateCall run_whole(const ScriptTree& tree, const ShellUse& use) {
    Path start;
    start.errexit = use.stops_at_errors;
    start.pipefail = use.pipes_fail;
    start.folder = use.folder;
    start.knows_folder = use.knows_folder;
    return told(run_list(tree, tree.nodes, {std::move(start)}, false));
  }

  static bool ends_well(const ScriptTree& tree) {
    if (tree.nodes.size() < 2) return false;
    const Node& last = tree.nodes.back();
    if (last.kind != NodeKind::command || last.joint != Joint::sequence) return false;
    const auto& words = tree.script.commands[last.command].words;
    return !words.empty() &&
           (is_one_of(words[0].text, "true :") ||
            (words[0].text == "exit" && words.size() > 1 && words[1].text == "0"));
  }

  const ScriptTree& keep(std::string_view script) {
    if (!budget_.whole.read(script.size())) {
      is_cut_ = true;
      script = {};
    }
    trees_.push_back(shell::read_script_tree(script));
    return trees_.back();
  }

  Status at_end(const Path& path) {
    Status out = path.status;
    if (path.end == End::well) out = Status::ok;
    if (path.end == End::failed) out = Status::failed;
    if (path.end == End::unknown) out = Status::unknown;
    return path.trap.empty() || !path.reached ? out : after_trap(path, out);
  }

  /// What runs at the end may say something else than the script did.
  Status after_trap(const Path& path, Status with) {
    const ScriptTree& tree = keep(path.trap);
    Path inside = path;
    inside.trap.clear();
    inside.end = End::runs;
    inside.is_returning = false;
    inside.status = with;
    inside.errexit = false;
    if (!tree.is_whole) return Status::unknown;
    bool some_well = false, some_other = false;
    for (const Path& done : run_list(tree, tree.nodes, {inside}, false)) {
      some_well = some_well || done.end == End::well;
      some_other = some_other || done.end == End::unknown;
    }
    return some_well ? Status::ok : (some_other ? Status::unknown : with);
  }

  GateCall told(const Paths& paths) {
    GateCall out;
    bool some_fail = false, some_pass = false;
    for (const Path& path : paths) {
      if (!path.reached) continue;
      out.is_there = true;
      const Status end = at_end(path);
      some_fail = some_fail || end != Status::ok;
      some_pass = some_pass || end != Status::failed;
      out.doubts.insert(path.doubts.begin(), path.doubts.end());
      out.conditions.insert(path.needs.begin(), path.needs.end());
    }
    for (const Path& path : paths)
      if (out.is_there && !path.reached && at_end(path) != Status::failed)
        out.conditions.insert(path.conditions.begin(), path.conditions.end());
    out.is_swallowed = out.is_there && !some_fail;
    is_mixed_ = is_mixed_ || (some_fail && some_pass);
    return out;
  }

  // --- lists ---

  Paths run_list(const ScriptTree& tree, const NodeList& list, Paths paths, bool is_checked) {
    for (std::size_t from = 0; from < list.size();) {
      std::size_t to = from + 1;
      while (to < list.size() && list[to].joint != Joint::sequence)
        ++to;
      Paths next;
      for (Path& path : paths) {
        if (!path.goes_on()) {
          add_path(next, std::move(path));
          continue;
        }
        for (Path& after : run_chain(tree, list, from, to, std::move(path), is_checked))
          add_path(next, std::move(after));
      }
      if (next.size() > kMaxPaths) {
        next.resize(kMaxPaths);
        is_cut_ = true;
      }
      paths = std::move(next);
      from = to;
    }
    return paths;
  }

  struct Way {
    Path path;
    bool is_last = false;  // what ran last is the last of the chain
  };

  /// Pipelines joined by && and ||.
  Paths run_chain(const ScriptTree& tree, const NodeList& list, std::size_t from, std::size_t to,
                  Path path, bool is_checked) {
    bool is_apart = false;
    for (std::size_t at = from; at < to; ++at)
      is_apart = is_apart || list[at].in_background;
    const Path before = path;
    std::vector<Way> ways{{std::move(path)}};
    bool is_last_negated = false;
    for (std::size_t at = from; at < to;) {
      std::size_t end = at + 1;
      while (end < to && list[end].joint == Joint::pipe)
        ++end;
      is_last_negated = list[at].is_negated;
      std::vector<Way> next;
      for (Way& way : ways)
        step(tree, list, at, end, from, to, std::move(way), is_checked || is_apart, next);
      ways = std::move(next);
      at = end;
    }
    Paths out;
    for (Way& way : ways) {
      Path& now = way.path;
      if (is_apart) {
        Path parent = before;
        absorb(parent, now);
        parent.status = Status::ok;
        add_path(out, std::move(parent));
        continue;
      }
      const bool stops = now.goes_on() && now.status == Status::failed && way.is_last &&
                         now.errexit && !is_checked && !is_last_negated;
      if (stops) now.end = End::failed;
      add_path(out, std::move(now));
    }
    return out;
  }

  void step(const ScriptTree& tree, const NodeList& list, std::size_t at, std::size_t end,
            std::size_t from, std::size_t to, Way way, bool is_checked, std::vector<Way>& out) {
    if (!way.path.goes_on()) return out.push_back(std::move(way));
    const auto run = [&](Path path) {
      for (Path& after : run_pipeline(tree, list, at, end, std::move(path), is_checked || end < to))
        out.push_back({std::move(after), end == to});
    };
    if (at == from) return run(std::move(way.path));
    const bool wants_ok = list[at].joint == Joint::and_then;
    for (auto& [path, is_ok] : decided(std::move(way.path))) {
      if (is_ok == wants_ok)
        run(std::move(path));
      else
        out.push_back({std::move(path), false});
    }
  }

  /// Both ways where the status is not known.
  static std::vector<std::pair<Path, bool>> decided(Path path) {
    if (path.status != Status::unknown) {
      const bool is_ok = path.status == Status::ok;
      return {{std::move(path), is_ok}};
    }
    Path other = path;
    path.conditions.insert("if " + path.asked);
    other.conditions.insert("unless " + path.asked);
    path.status = Status::ok;
    other.status = Status::failed;
    std::vector<std::pair<Path, bool>> out;
    out.emplace_back(std::move(path), true);
    out.emplace_back(std::move(other), false);
    return out;
  }

  /// What a shell of its own leaves in the one that started it.
  void absorb(Path& parent, const Path& child) {
    parent.reached = parent.reached || child.reached;
    parent.conditions = child.conditions;
    parent.needs.insert(child.needs.begin(), child.needs.end());
    parent.doubts.insert(child.doubts.begin(), child.doubts.end());
    parent.asked = child.asked;
    parent.status = at_end(child);
  }

  template <class Body>
  Paths apart(const Path& path, const Body& body) {
    Paths out;
    Path start = path;
    start.trap.clear();
    for (const Path& child : body(start)) {
      Path parent = path;
      absorb(parent, child);
      add_path(out, std::move(parent));
    }
    return out;
  }

  Paths run_pipeline(const ScriptTree& tree, const NodeList& list, std::size_t at, std::size_t end,
                     Path path, bool is_checked) {
    const bool is_negated = list[at].is_negated;
    const bool was_reached = path.reached;
    Paths out;
    if (end == at + 1) {
      out = run_node(tree, list[at], std::move(path), is_checked || is_negated);
    } else {
      struct Part {
        Path path;
        bool has_failed = false;
      };
      std::vector<Part> parts{{std::move(path)}};
      for (; at < end; ++at) {
        std::vector<Part> next;
        for (const Part& part : parts)
          for (Path& after : apart(part.path, [&](const Path& p) {
                 return run_node(tree, list[at], p, is_checked);
               })) {
            const bool failed = part.has_failed || after.status == Status::failed;
            next.push_back({std::move(after), failed});
          }
        if (next.size() > kMaxPaths) next.resize(kMaxPaths), is_cut_ = true;
        parts = std::move(next);
      }
      for (Part& part : parts) {
        if (part.path.pipefail && part.has_failed) part.path.status = Status::failed;
        add_path(out, std::move(part.path));
      }
    }
    for (Path& after : out) {
      if (after.reached != was_reached) after.is_gate_last = true;
      if (!is_negated || !after.goes_on()) continue;
      if (after.status == Status::unknown)
        after.asked = "! " + after.asked;
      else
        after.status = after.status == Status::ok ? Status::failed : Status::ok;
    }
    return out;
  }

  // --- nodes ---

  Paths run_node(const ScriptTree& tree, const Node& node, Path path, bool is_checked) {
    if (++budget_.steps > kMaxSteps || budget_.levels >= kMaxLevels || !budget_.whole.step()) {
      is_cut_ = true;
      return {std::move(path)};
    }
    ++budget_.levels;
    Paths out = run_kind(tree, node, std::move(path), is_checked);
    --budget_.levels;
    return out;
  }

  Paths run_kind(const ScriptTree& tree, const Node& node, Path path, bool is_checked) {
    switch (node.kind) {
      case NodeKind::command:
        return run_command(tree, node, std::move(path), is_checked);
      case NodeKind::group:
        return run_list(tree, node.parts[0], {std::move(path)}, is_checked);
      case NodeKind::subshell:
        return apart(path,
                     [&](const Path& p) { return run_list(tree, node.parts[0], {p}, is_checked); });
      case NodeKind::choice:
        return run_choice(tree, node, std::move(path), is_checked);
      case NodeKind::loop:
        return run_loop(tree, node, std::move(path), is_checked);
      case NodeKind::each:
        return run_each(tree, node, std::move(path), is_checked);
      case NodeKind::cases:
        return run_cases(tree, node, std::move(path), is_checked);
      case NodeKind::function:
        if (!node.parts.empty() && !node.parts[0].empty())
          path.functions[node.name] = {&tree, &node.parts[0][0]};
        path.status = Status::ok;
        return {std::move(path)};
    }
    return {std::move(path)};
  }

  Paths run_choice(const ScriptTree& tree, const Node& node, Path path, bool is_checked) {
    Paths out, open{std::move(path)};
    std::size_t at = 0;
    for (; at + 1 < node.parts.size(); at += 2) {
      Paths next;
      for (Path& after : run_list(tree, node.parts[at], std::move(open), true)) {
        if (!after.goes_on()) {
          add_path(out, std::move(after));
          continue;
        }
        for (auto& [way, is_ok] : decided(std::move(after))) {
          if (!is_ok) {
            add_path(next, std::move(way));
            continue;
          }
          for (Path& done : run_list(tree, node.parts[at + 1], {std::move(way)}, is_checked))
            add_path(out, std::move(done));
        }
      }
      open = std::move(next);
    }
    for (Path& left : open) {
      if (at < node.parts.size()) {
        for (Path& done : run_list(tree, node.parts[at], {std::move(left)}, is_checked))
          add_path(out, std::move(done));
        continue;
      }
      left.status = Status::ok;
      add_path(out, std::move(left));
    }
    return out;
  }

  Paths run_loop(const ScriptTree& tree, const Node& node, Path path, bool is_checked) {
    const bool was_reached = path.reached;
    Paths out;
    for (Path& after : run_list(tree, node.parts[0], {std::move(path)}, true)) {
      if (!after.goes_on()) {
        add_path(out, std::move(after));
        continue;
      }
      for (auto& [way, is_ok] : decided(std::move(after))) {
        if (is_ok == node.is_until) {
          way.status = Status::ok;
          add_path(out, std::move(way));
          continue;
        }
        for (Path& done : run_list(tree, node.parts[1], {std::move(way)}, is_checked))
          add_path(out, std::move(done));
      }
    }
    // How often it runs is anybody's guess.
    for (Path& done : out)
      if (done.reached && !was_reached && done.end != End::failed)
        done.doubts.insert("a loop around the gate");
    return out;
  }

  Paths run_each(const ScriptTree& tree, const Node& node, Path path, bool is_checked) {
    const std::size_t in = node.name.find(" in ");
    const std::string words = in == std::string::npos ? " " : node.name.substr(in + 4);
    Paths out;
    if (words.empty()) {
      path.status = Status::ok;
      return {std::move(path)};
    }
    const auto many = static_cast<std::size_t>(std::ranges::count(words, ' '));
    if (trimmed(words).empty()) {  // variables alone: perhaps none
      Path none = path;
      none.conditions.insert("none of " + node.name);
      none.status = Status::ok;
      add_path(out, std::move(none));
    }
    const bool was_reached = path.reached;
    for (Path& done : run_list(tree, node.parts[0], {std::move(path)}, is_checked)) {
      if (done.reached && !was_reached && done.end == End::runs && many > 1)
        done.doubts.insert("a loop around the gate");
      add_path(out, std::move(done));
    }
    return out;
  }

  Paths run_cases(const ScriptTree& tree, const Node& node, Path path, bool is_checked) {
    Paths out;
    for (std::size_t i = 0; i < node.parts.size(); ++i) {
      Path way = path;
      way.conditions.insert(fmt::format("case {}{}", node.name, i));
      for (Path& done : run_list(tree, node.parts[i], {std::move(way)}, is_checked))
        add_path(out, std::move(done));
    }
    path.conditions.insert("case " + node.name);
    path.status = Status::ok;
    add_path(out, std::move(path));
    return out;
  }

  // --- commands ---

  Paths run_command(const ScriptTree& tree, const Node& node, Path path, bool is_checked) {
    const Command& command = tree.script.commands[node.command];
    const Status before = path.status;
    Paths ways{std::move(path)};
    for (const NodeList& inside : node.substitutions) {
      Paths next;
      for (const Path& way : ways)
        for (Path& after :
             apart(way, [&](const Path& p) { return run_list(tree, inside, {p}, is_checked); }))
          add_path(next, std::move(after));
      ways = std::move(next);
    }
    Paths out;
    for (Path& way : ways) {
      const Status inner = node.substitutions.empty() ? Status::ok : way.status;
      assign(command, before, way);
      if (command.words.empty()) {
        way.status = inner == Status::failed ? Status::failed : Status::ok;
        add_path(out, std::move(way));
        continue;
      }
      way.status = before;
      for (Path& after : run_words(tree, command, 0, std::move(way), is_checked))
        add_path(out, std::move(after));
    }
    return out;
  }

  static void assign(const Command& command, Status before, Path& path) {
    for (const auto& assignment : command.assignments) {
      if (is_one_of(assignment.name, kPathVariables))
        path.doubts.insert(assignment.name + "=" + assignment.value.text);
      if (!command.words.empty()) continue;
      const bool holds =
          std::ranges::any_of(assignment.value.variables, [&](const std::string& name) {
            return (name == "?" && before == Status::failed) || path.tainted.contains(name) ||
                   (name == "PIPESTATUS" && path.is_gate_last);
          });
      if (holds)
        path.tainted.insert(assignment.name);
      else
        path.tainted.erase(assignment.name);
    }
  }

  Paths one(Path path, Status status) {
    path.status = status;
    Paths out;
    out.push_back(std::move(path));
    return out;
  }

  /// The words from a place on, as a command.
  Paths run_words(const ScriptTree& tree, const Command& command, std::size_t from, Path path,
                  bool is_checked) {
    const Word& first = command.words[from];
    const std::string& name = first.text;
    if (const auto known = path.functions.find(name); known != path.functions.end())
      return call(known->second, std::move(path), is_checked);
    if (is_one_of(name, "exit return")) return end(command, from, std::move(path));
    if (name == "exec") return exec(tree, command, from, std::move(path));
    if (name == "set") return set(command, from, std::move(path));
    if (name == "trap") return trap(command, from, std::move(path));
    if (name == "kill" && contains(text_of(command), "$$")) path.end = End::failed;
    if (name == "false") return one(std::move(path), Status::failed);
    if (name == "eval") return eval(command, from, std::move(path), is_checked);
    if (is_one_of(name, ". source")) return source(command, from, std::move(path), is_checked);
    if (name == "cd" || name == "pushd") return move_to(command, from, std::move(path));
    if (is_one_of(name, "test [ [["))
      if (const auto answer = test_of(command, path))
        return one(std::move(path), *answer ? Status::ok : Status::failed);
    if (name == "alias" && names_gate(text_of(command))) path.doubts.insert(text_of(command));
    if (is_one_of(name, "export declare local readonly typeset env"))
      for (std::size_t at = from + 1; at < command.words.size(); ++at)
        if (const std::string& word = command.words[at].text;
            contains(word, "=") && is_one_of(word.substr(0, word.find('=')), kPathVariables))
          path.doubts.insert(text_of(command));
    if (name == "command" && command.words.size() > from + 1 &&
        is_one_of(command.words[from + 1].text, "-v -V"))
      return unknown(command, std::move(path), is_checked);
    bool is_ours = false;
    const auto places = program_places(command.words);
    for (const std::size_t at : places) {
      if (is_gate_at(command.words, at)) return gate(command, at, std::move(path));
      is_ours = is_ours || is_our_name(program_name(command.words[at].text));
    }
    for (const std::size_t at : places)
      if (auto told = is_ours ? std::nullopt : followed(command, at, path); told && told->is_there)
        return after(std::move(*told), std::move(path));
    if (is_one_of(name, kCalm)) return one(std::move(path), Status::ok);
    return unknown(command, std::move(path), is_checked);
  }

  Paths unknown(const Command& command, Path path, bool is_checked) {
    path.asked = text_of(command);
    return one(std::move(path), is_checked ? Status::unknown : Status::ok);
  }

  Paths gate(const Command& command, std::size_t at, Path path) {
    const Word& program = command.words[at];
    // A program of the repository under our name is what the repository says it is.
    if (contains(program.text, "/")) {
      if (auto told = run_file(program, path, {}, {})) {
        if (!told->is_there) return one(std::move(path), Status::ok);
        return after(std::move(*told), std::move(path));
      }
    }
    path.reached = true;
    return one(std::move(path), Status::failed);
  }

  Paths after(GateCall told, Path path) {
    if (!told.is_there) return one(std::move(path), Status::ok);
    path.reached = true;
    path.needs.insert(told.conditions.begin(), told.conditions.end());
    path.doubts.insert(told.doubts.begin(), told.doubts.end());
    return one(std::move(path), told.is_swallowed ? Status::ok : Status::failed);
  }

  Paths call(FunctionAt function, Path path, bool is_checked) {
    if (calls_ >= kMaxCalls) {
      is_cut_ = true;
      return one(std::move(path), Status::ok);
    }
    ++calls_;
    Paths out = run_node(*function.tree, *function.node, std::move(path), is_checked);
    --calls_;
    for (Path& done : out)
      done.is_returning = false;
    return out;
  }

  Paths end(const Command& command, std::size_t from, Path path) {
    Status with = path.status;
    if (command.words.size() > from + 1) {
      const Word& code = command.words[from + 1];
      if (code.is_plain())
        with = trimmed(code.text) == "0" ? Status::ok : Status::failed;
      else if (code.variables.size() == 1 && code.variables[0] == "?")
        with = path.status;
      else if (code.variables.size() == 1 && code.variables[0] == "PIPESTATUS")
        with = path.is_gate_last ? Status::failed : Status::ok;
      else if (code.variables.size() == 1 && path.tainted.contains(code.variables[0]))
        with = Status::failed;
      else
        with = path.reached ? Status::unknown : Status::ok;
    }
    path.status = with;
    const bool is_return = command.words[from].text == "return";
    if (is_return && (calls_ > 0 || sources_ > 0)) {
      path.is_returning = true;
      return {std::move(path)};
    }
    path.end =
        with == Status::ok ? End::well : (with == Status::failed ? End::failed : End::unknown);
    return {std::move(path)};
  }

  Paths exec(const ScriptTree& tree, const Command& command, std::size_t from, Path path) {
    std::size_t at = from + 1;
    while (at < command.words.size() && command.words[at].text.starts_with('-'))
      at += command.words[at].text == "-a" ? 2 : 1;
    if (at >= command.words.size()) return one(std::move(path), Status::ok);  // redirections alone
    Command rest = command;
    rest.words.erase(rest.words.begin(), rest.words.begin() + static_cast<std::ptrdiff_t>(at));
    path.functions.clear();  // it runs a program
    Paths out = run_words(tree, rest, 0, std::move(path), false);
    for (Path& done : out)
      if (done.end == End::runs) done.end = done.status == Status::failed ? End::failed : End::well;
    return out;
  }

  Paths set(const Command& command, std::size_t from, Path path) {
    for (std::size_t at = from + 1; at < command.words.size(); ++at) {
      const std::string& word = command.words[at].text;
      if (word == "--" || (!word.starts_with('-') && !word.starts_with('+'))) break;
      const bool on = word[0] == '-';
      for (std::size_t i = 1; i < word.size(); ++i) {
        if (word[i] == 'e') path.errexit = on;
        if (word[i] == 'n' && on) path.end = End::well;  // nothing behind it is run
        if (word[i] != 'o' || at + 1 >= command.words.size()) continue;
        const std::string& option = command.words[++at].text;
        if (option == "errexit") path.errexit = on;
        if (option == "pipefail") path.pipefail = on;
        if (option == "noexec" && on) path.end = End::well;
        break;
      }
    }
    return one(std::move(path), Status::ok);
  }

  static Paths trap(const Command& command, std::size_t from, Path path) {
    path.status = Status::ok;
    bool is_about_ends = false;
    for (std::size_t at = from + 2; at < command.words.size(); ++at)
      is_about_ends =
          is_about_ends || is_one_of(command.words[at].text, "EXIT exit 0 ERR err DEBUG SIGEXIT");
    if (is_about_ends) {
      const Word& handler = command.words[from + 1];
      path.trap = handler.text == "-" ? "" : handler.text;
      // Its variables were left out of the text; with them it might say anything.
      if (!handler.is_literal) path.doubts.insert("trap " + text_of(command));
    }
    Paths out;
    out.push_back(std::move(path));
    return out;
  }

  Paths eval(const Command& command, std::size_t from, Path path, bool is_checked) {
    std::string text;
    bool is_literal = true;
    for (std::size_t at = from + 1; at < command.words.size(); ++at) {
      text += command.words[at].text + " ";
      is_literal = is_literal && command.words[at].is_literal;
    }
    if (!is_literal) {
      if (names_gate(text)) path.reached = true;
      path.doubts.insert("eval " + text_of(command));
      return one(std::move(path), path.reached ? Status::failed : Status::ok);
    }
    const ScriptTree& tree = keep(text);
    if (!tree.is_whole) path.doubts.insert("eval " + text);
    return nested(tree, std::move(path), is_checked);
  }

  Paths nested(const ScriptTree& tree, Path path, bool is_checked) {
    if (calls_ >= kMaxCalls) {
      is_cut_ = true;
      return one(std::move(path), Status::ok);
    }
    ++calls_;
    path.status = Status::ok;
    Paths out = run_list(tree, tree.nodes, {std::move(path)}, is_checked);
    --calls_;
    for (Path& done : out)
      done.is_returning = false;
    return out;
  }

  /// A library is read where it stands: what it defines and sets is there afterwards.
  Paths source(const Command& command, std::size_t from, Path path, bool is_checked) {
    if (command.words.size() < from + 2) return one(std::move(path), Status::ok);
    const Word& word = command.words[from + 1];
    const auto file = find(word, path, true);
    if (!file) {
      path.doubts.insert("source " + text_of(command));
      return one(std::move(path), Status::ok);
    }
    const ScriptTree& tree = keep(file->second);
    if (!tree.is_whole) path.doubts.insert(file->second);
    ++sources_;
    Paths out = nested(tree, std::move(path), is_checked);
    --sources_;
    return out;
  }

  Paths move_to(const Command& command, std::size_t from, Path path) {
    const bool is_plain = command.words.size() == from + 2 && command.words[from + 1].is_plain();
    const auto to =
        is_plain ? joined(path.folder, command.words[from + 1].text) : std::optional<std::string>();
    path.knows_folder = to.has_value();
    path.folder = to.value_or("");
    return one(std::move(path), Status::ok);
  }

  // --- files of the repository ---

  /// The file that a word names: in the folder of the moment, at the top, beside the script.
  std::optional<std::pair<std::string, std::string>> find(const Word& word, const Path& path,
                                                          bool is_file) const {
    std::string_view text = word.text;
    if (text.empty() || word.has_pattern || !files_.read) return std::nullopt;
    Texts places;
    const auto place = [&](std::string_view folder) {
      if (const auto full = joined(folder, text); full && !full->empty()) places.push_back(*full);
    };
    if (!word.is_literal) {  // behind a variable that is a folder of the repository, as a rule
      while (text.starts_with('/'))
        text.remove_prefix(1);
      if (text.empty()) return std::nullopt;
    }
    if (path.knows_folder) place(path.folder);
    if (!word.is_literal || !path.knows_folder) {
      place("");
      place(own_folder_);
    }
    for (const std::string& full : places)
      if (auto found = files_.read(full)) return std::pair(full, std::move(*found));
    const bool is_path = is_file && !text.starts_with('/') && !text.starts_with('~');
    if (is_path && files_.miss) files_.miss(program_tail(text));
    return std::nullopt;
  }

  static std::string program_tail(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
  }

  /// What a command runs of the repository; nothing: it runs nothing of it.
  std::optional<GateCall> followed(const Command& command, std::size_t at, const Path& path) {
    const Word& word = command.words[at];
    const std::string name = program_name(word.text);
    const bool is_path = contains(word.text, "/") || word.text.ends_with(".sh");
    if (is_path && word.text != "./gradlew" && word.text != "./mvnw")
      if (auto told = run_file(word, path, {}, {})) return told;
    const Runner* runner = runner_named(name);
    if (runner == nullptr) return std::nullopt;
    switch (runner->kind) {
      case RunnerKind::shell:
        return run_shell(command, at, path);
      case RunnerKind::program:
        return run_program(command, at, path);
      case RunnerKind::settings:
        return run_settings(*runner, command, at, path);
      default:
        return run_recipes(*runner, command, at, path);
    }
  }

  GateCall deeper(std::string_view text, const std::string& file, const ShellUse& use) {
    if (depth_ >= kMaxFiles) return mentioned(text, {});
    return Run(files_, file, depth_ + 1, budget_).judge(text, use);
  }

  std::optional<bool> names(const std::string& path) const {
    if (files_.names) return files_.names(path);
    const auto text = files_.read(path);
    if (!text) return std::nullopt;
    return budget_.whole.read(text->size()) && names_call(*text);
  }

  /// A text that is no shell's: naming the gate is calling it. So is naming a file that does.
  GateCall mentioned(std::string_view text, const std::string& folder) const {
    GateCall out;
    if (!budget_.whole.read(text.size())) return out;
    out.is_there = names_call(text);
    if (out.is_there || !files_.read) return out;
    std::set<std::string> seen;
    std::string token;
    const auto look = [&] {
      const bool is_path = contains(token, "/") || contains(token, ".sh") || contains(token, ".py");
      if (!is_path || token.size() > 200 || seen.size() >= kMaxTokens || !seen.insert(token).second)
        return;
      for (const std::string& base : {folder, std::string()}) {
        const auto full = joined(base, token);
        if (!full || full->empty() || !budget_.whole.step()) continue;
        const auto found = names(*full);
        out.is_there = out.is_there || found.value_or(false);
        if (found) return;
      }
    };
    for (const char c : text) {
      const bool is_part = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '.' || c == '/' || c == '_' || c == '-';
      if (is_part) {
        token += c;
        continue;
      }
      look();
      token.clear();
    }
    look();
    return out;
  }

  std::optional<GateCall> run_file(const Word& word, const Path& path, bool errexit,
                                   bool pipefail) {
    auto found = find(word, path, true);
    if (!found) return std::nullopt;
    const std::string& text = found->second;
    if (!is_shell_text(text)) return mentioned(text, folder_of(found->first));
    ShellUse use{.stops_at_errors = errexit,
                 .pipes_fail = pipefail,
                 .folder = path.folder,
                 .knows_folder = path.knows_folder};
    if (text.starts_with("#!")) {
      const std::string_view first = std::string_view(text).substr(0, text.find('\n'));
      const std::size_t dash = first.find(" -");
      use.stops_at_errors =
          use.stops_at_errors || (dash != first.npos && contains(first.substr(dash), "e"));
    }
    return deeper(text, found->first, use);
  }

  std::optional<GateCall> run_shell(const Command& command, std::size_t at, const Path& path) {
    bool errexit = false, pipefail = false, is_text = false;
    for (++at; at < command.words.size(); ++at) {
      const Word& word = command.words[at];
      const std::string& text = word.text;
      if (text.starts_with("--") || (text.size() > 1 && (text[0] == '-' || text[0] == '+'))) {
        if (text.starts_with("--")) continue;
        errexit = errexit || contains(text, "e");
        is_text = is_text || contains(text, "c");
        if (contains(text, "n")) return GateCall{};
        if (text.ends_with('o') && at + 1 < command.words.size()) {
          pipefail = pipefail || command.words[at + 1].text == "pipefail";
          errexit = errexit || command.words[at + 1].text == "errexit";
          ++at;
        }
        continue;
      }
      if (!is_text) return run_file(word, path, errexit, pipefail);
      GateCall out =
          deeper(text, own_folder_ + "/", {errexit, pipefail, path.folder, path.knows_folder});
      if (!word.is_literal && out.is_there) out.doubts.insert(text_of(command));
      return out;
    }
    for (const auto& redirection : command.redirections)
      if (redirection.kind == shell::RedirectKind::here_document)
        return deeper(redirection.body, own_folder_ + "/",
                      {errexit, pipefail, path.folder, path.knows_folder});
    return std::nullopt;
  }

  std::optional<GateCall> run_program(const Command& command, std::size_t at, const Path& path) {
    bool is_text = false, is_module = false;
    for (++at; at < command.words.size(); ++at) {
      const Word& word = command.words[at];
      if (word.text.starts_with('-')) {
        is_text = is_one_of(word.text, "-c -e --eval -Command -command");
        is_module = word.text == "-m";
        continue;
      }
      if (is_text) return mentioned(word.text, path.folder);
      if (is_module) return run_module(word, path);
      auto found = find(word, path, contains(word.text, "."));
      if (!found) return std::nullopt;
      return mentioned(found->second, folder_of(found->first));
    }
    return std::nullopt;
  }

  std::optional<GateCall> run_module(const Word& word, const Path& path) {
    std::string base = word.text;
    std::ranges::replace(base, '.', '/');
    for (const std::string& name : {base + ".py", base + "/__main__.py"}) {
      Word file = word;
      file.text = name;
      if (auto found = find(file, path, false))
        return mentioned(found->second, folder_of(found->first));
    }
    return std::nullopt;
  }

  /// Files of settings: as far as nobody reads them, naming the gate is calling it.
  std::optional<GateCall> run_settings(const Runner& runner, const Command& command, std::size_t at,
                                       const Path& path) {
    GateCall out;
    for (const auto& [name, text] : files_of(runner, command, at, path)) {
      const GateCall told = mentioned(text, folder_of(name));
      if (!told.is_there) continue;
      out.is_there = true;
      for (const std::string_view line : split(std::string_view(text), '\n')) {
        const std::string_view body = trimmed(line);
        const bool ignores =
            (body.starts_with("- ") || body.starts_with('-')) && name.ends_with(".ini");
        if (names_call(body) && (ignores || contains(body, "|| true"))) out.is_swallowed = true;
        if (body.starts_with("ignore_outcome") && contains(body, "true")) out.is_swallowed = true;
      }
    }
    return out;
  }

  /// Those that it is told of, else those of its own names.
  std::vector<std::pair<std::string, std::string>> files_of(const Runner& runner,
                                                            const Command& command, std::size_t at,
                                                            Path path) {
    Texts names;
    for (std::size_t i = at + 1; i + 1 < command.words.size(); ++i) {
      const std::string& option = command.words[i].text;
      const std::string& value = command.words[i + 1].text;
      if (is_one_of(option, "-C --directory --prefix --cwd -d --dir --working-directory"))
        if (const auto to = joined(path.folder, value)) path.folder = *to;
      if (is_one_of(option, "-f --file --makefile --justfile --taskfile -t -c --config"))
        names.push_back(value);
    }
    for (std::size_t i = at + 1; i < command.words.size(); ++i)
      for (const char* option : {"--file=", "--makefile=", "--justfile=", "--prefix=", "--cwd="})
        if (command.words[i].text.starts_with(option)) {
          const std::string value = command.words[i].text.substr(std::string_view(option).size());
          if (contains(option, "file"))
            names.push_back(value);
          else if (const auto to = joined(path.folder, value))
            path.folder = *to;
        }
    const bool is_told = !names.empty();
    if (!is_told)
      for (const std::string_view name : split(runner.files, ' '))
        names.emplace_back(name);
    std::vector<std::pair<std::string, std::string>> out;
    for (const std::string& name : names) {
      Word word{.text = name};
      if (auto found = find(word, path, is_told)) {
        const bool is_first_only = runner.kind != RunnerKind::settings;
        out.push_back(std::move(*found));
        if (is_first_only) break;
      }
    }
    return out;
  }

  // --- recipes ---

  std::optional<GateCall> run_recipes(const Runner& runner, const Command& command, std::size_t at,
                                      const Path& path) {
    const auto files = files_of(runner, command, at, path);
    if (files.empty()) return std::nullopt;
    const std::string& text = files[0].second;
    const std::string folder = folder_of(files[0].first);
    if (!budget_.whole.read(text.size())) {
      is_cut_ = true;
      return std::nullopt;
    }
    const auto included = [&](const std::string& name) -> std::optional<std::string> {
      const auto full = joined(folder, name);
      return full && files_.read ? files_.read(*full) : std::nullopt;
    };
    Recipes recipes;
    switch (runner.kind) {
      case RunnerKind::make:
        recipes = read_makefile(text, included);
        break;
      case RunnerKind::just:
        recipes = read_justfile(text);
        break;
      case RunnerKind::task:
        recipes = read_taskfile(text);
        break;
      default:
        recipes = read_package_scripts(text);
        if (files_.read) (void)included(".npmrc");  // it may name another shell
        break;
    }
    Texts targets;
    bool is_dry = false, ignores = false;
    for (std::size_t i = at + 1; i < command.words.size(); ++i) {
      const std::string& word = command.words[i].text;
      if (is_one_of(word,
                    "-C --directory --prefix --cwd -d --dir -f --file --makefile --justfile "
                    "--taskfile -w --workspace")) {
        ++i;
        continue;
      }
      if (is_one_of(word, "-n --dry-run --just-print --recon -q --question -t --touch"))
        is_dry = true;
      if (is_one_of(word, "-i --ignore-errors")) ignores = true;
      if (word.starts_with('-') || contains(word, "=")) continue;
      const std::string plain = word.starts_with("npm:") ? word.substr(4) : word;
      if (recipes.by_name.contains(plain))
        targets.push_back(plain);
      else if (runner.kind != RunnerKind::package && !command.words[i].is_plain())
        targets.emplace_back();
    }
    if (runner.kind == RunnerKind::package && is_one_of("t", text_of(command)) &&
        recipes.by_name.contains("test"))
      targets.emplace_back("test");
    if (is_dry) return GateCall{};
    const bool names_none = targets.empty();
    if (names_none && runner.kind != RunnerKind::package && !recipes.first.empty())
      targets.push_back(recipes.first);
    GateCall out = run_targets(recipes, targets, folder, runner.kind);
    // A target that no rule of the file names, as far as it was read.
    const bool is_blind = runner.kind != RunnerKind::package &&
                          std::ranges::any_of(targets, [&](const std::string& name) {
                            return !recipes.by_name.contains(name);
                          });
    const bool is_odd =
        names_none && command.words.size() > at + 1 && runner.kind != RunnerKind::package;
    if (!out.is_there && (is_blind || is_odd)) out.is_there = names_call(text);
    if (!out.is_there) return out;
    out.doubts.insert(recipes.doubts.begin(), recipes.doubts.end());
    out.is_swallowed = out.is_swallowed || ignores;
    return out;
  }

  GateCall run_targets(const Recipes& recipes, const Texts& targets, const std::string& folder,
                       RunnerKind kind) {
    GateCall out;
    std::set<std::string> seen;
    Texts open(targets.rbegin(), targets.rend());
    bool some_holds = false;
    while (!open.empty() && seen.size() < kMaxRecipes) {
      const std::string name = open.back();
      open.pop_back();
      const auto found = recipes.by_name.find(name);
      if (!seen.insert(name).second || found == recipes.by_name.end()) continue;
      open.insert(open.end(), found->second.needs.begin(), found->second.needs.end());
      for (const RecipeLine& line : found->second.lines) {
        const GateCall told =
            deeper(line.script, folder + "/",
                   {.stops_at_errors = kind == RunnerKind::task, .folder = folder});
        if (!told.is_there) continue;
        out.is_there = true;
        if (told.is_swallowed || line.is_ignored || some_holds) continue;
        some_holds = true;
        out.conditions = told.conditions;
        out.doubts = told.doubts;
        if (kind == RunnerKind::make) doubt_target(recipes, name, folder, out);
        if (!line.condition.empty()) out.conditions.insert(line.condition);
      }
    }
    out.is_swallowed = out.is_there && !some_holds;
    return out;
  }

  /// A target that is no .PHONY is left alone where something of its name is there already.
  void doubt_target(const Recipes& recipes, const std::string& name, const std::string& folder,
                    GateCall& out) const {
    if (recipes.phony.contains(name)) return;
    out.doubts.insert(fmt::format("make: {} is no .PHONY target", name));
    const auto path = joined(folder, name);
    if (path && !path->empty() && files_.has && files_.has(*path))
      out.doubts.insert(fmt::format("make: {} is there already", *path));
  }

  const ScriptFiles& files_;
  std::string own_folder_;
  int depth_;
  Budget& budget_;
  std::deque<ScriptTree> trees_{};
  int calls_ = 0, sources_ = 0;
  bool is_mixed_ = false, is_cut_ = false;
};

}  // namespace

GateCall gate_call(std::string_view script, const ShellUse& use, const ScriptFiles& files) {
  CiBudget alone;
  Budget budget{.whole = files.budget != nullptr ? *files.budget : alone};
  return Run(files, use.folder + "/", 0, budget).judge(script, use);
}

}  // namespace gh::checks
