#include "checks/ci_gate.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/ci_scripts.h"
#include "checks/gate_words.h"
#include "checks/trust_roots.h"
#include "model/peek.h"
#include "policy/glob.h"
#include "surface/words.h"
#include "wire/document.h"
#include "wire/spaced_json.h"

namespace gh::checks {
namespace {

using surface::is_one_of;
using surface::trimmed;
using Texts = std::vector<std::string>;

constexpr int kMaxNesting = 4;  // of files that include files
constexpr std::size_t kMaxNeeds = 256, kMaxMatches = 64, kMaxFolders = 200;

constexpr std::array<std::string_view, 5> kCauses{
    "job_removed", "trigger_removed", "condition_false", "continue_on_error", "exit_swallowed"};

// table: events by which a change itself starts a run
constexpr std::string_view kChangeEvents = "pull_request pull_request_target merge_group pr";

Texts texts(const Value& value) {
  Texts out;
  if (value.as_string() != nullptr) out.push_back(*value.as_string());
  for (const Value& item : Peek(value).list())
    out.emplace_back(Peek(item).text());
  return out;
}

Texts texts(Peek at, const Value* value) { return at.exists() ? texts(*value) : Texts{}; }

const Value* member(const Value& value, std::string_view key) {
  const Map* map = value.as_map();
  return map != nullptr ? map->find(key) : nullptr;
}

// ------------------------------------------------------------------------------------- conditions

enum class Truth : std::uint8_t { no, yes, unknown };

/// An expression of a workflow as far as constants decide it: operands joined by && and ||.
Truth truth_of(std::string_view text) {
  text = trimmed(text);
  if (text.starts_with("${{") && text.ends_with("}}"))
    text = trimmed(text.substr(3, text.size() - 5));
  const auto operand = [](std::string_view word) {
    word = trimmed(word);
    bool negated = false;
    for (;; word = trimmed(word.substr(1))) {
      if (!word.starts_with('!')) break;
      negated = !negated;
    }
    while (word.size() >= 2 && word.front() == '(' && word.back() == ')')
      word = trimmed(word.substr(1, word.size() - 2));
    const std::string folded = surface::lower_case(word);
    Truth out = Truth::unknown;
    if (folded == "false" || folded == "0" || folded == "''" || folded == "null" ||
        folded == "never()" || folded == "failed()")
      out = Truth::no;
    if (folded == "true" || folded == "1" || folded == "always()" || folded == "success()" ||
        folded == "succeeded()" || folded == "!cancelled()")
      out = Truth::yes;
    if (!negated || out == Truth::unknown) return out;
    return out == Truth::yes ? Truth::no : Truth::yes;
  };
  const auto parts = [](std::string_view whole, std::string_view joint) {
    std::vector<std::string_view> out;
    for (std::size_t at; (at = whole.find(joint)) != whole.npos; whole.remove_prefix(at + 2))
      out.push_back(whole.substr(0, at));
    out.push_back(whole);
    return out;
  };
  Truth any = Truth::no;
  for (const std::string_view term : parts(text, "||")) {
    Truth all = Truth::yes;
    for (const std::string_view word : parts(term, "&&")) {
      const Truth one = operand(word);
      if (one == Truth::no) all = Truth::no;
      if (one == Truth::unknown && all != Truth::no) all = Truth::unknown;
    }
    if (all == Truth::yes) return Truth::yes;
    if (all == Truth::unknown) any = Truth::unknown;
  }
  return any;
}

std::string scalar_text(const Value& value) {
  if (const std::string* text = value.as_string()) return *text;
  if (const bool* flag = value.as_bool()) return *flag ? "true" : "false";
  return wire::spaced_json(value);
}

void take_condition(const Value* value, GateJob& job) {
  if (value == nullptr || value->is_null()) return;
  const std::string text = scalar_text(*value);
  const Truth truth = truth_of(text);
  if (truth == Truth::no) job.causes.insert(GateCause::condition_false);
  if (truth == Truth::unknown) job.conditions.insert(text);
}

void take_continuation(const Value* value, GateJob& job) {
  if (value == nullptr || value->is_null()) return;
  // GitLab lists the codes that it lets pass.
  if (value->as_map() != nullptr) return void(job.causes.insert(GateCause::continue_on_error));
  const std::string text = scalar_text(*value);
  const Truth truth = truth_of(text);
  if (truth == Truth::yes) job.causes.insert(GateCause::continue_on_error);
  if (truth == Truth::unknown) job.continuations.insert(text);
}

/// The best of several calls in one job decides: what one of them stops is stopped.
void merge_step(std::optional<GateJob>& best, GateJob step) {
  const auto weight = [](const GateJob& j) {
    return j.causes.size() * 100 + j.conditions.size() + j.continuations.size() + j.doubts.size();
  };
  if (!best || weight(step) < weight(*best)) best = std::move(step);
}

void add(GateJob& job, const GateJob& more) {
  job.causes.insert(more.causes.begin(), more.causes.end());
  job.conditions.insert(more.conditions.begin(), more.conditions.end());
  job.continuations.insert(more.continuations.begin(), more.continuations.end());
  job.doubts.insert(more.doubts.begin(), more.doubts.end());
}

/// Variables that decide which program a script runs, or what runs before it.
void take_environment(const Value* env, GateJob& job) {
  if (env == nullptr || env->as_map() == nullptr) return;
  for (const auto& [name, value] : env->as_map()->entries())
    if (is_one_of(name, kPathVariables))
      job.doubts.insert(fmt::format("{}={}", name, scalar_text(value)));
}

std::string joined_folder(std::string_view folder, std::string_view path) {
  if (path.starts_with('/')) folder = {};
  const std::string out = normal_path(fmt::format("/{}/{}", folder, path));
  return out.substr(1);
}

bool has_name(const Texts& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// What all systems share while one file is read, and the files that it includes.
class CiFile {
 public:
  CiFile(std::string path, const ReadInTree& read, const ListInTree& list)
      : path_(std::move(path)), read_(read), list_(list) {}

  CiReading reading{};

  CiBudget budget{};

  /// A file of the repository that is put in the place of what names it, parsed once; nullptr:
  /// there is none, or nobody can read it.
  const Value* included(const std::string& path) {
    if (!budget.step()) return missed(path), nullptr;
    const auto known = parsed_.find(path);
    if (known != parsed_.end()) return known->second ? &*known->second : nullptr;
    const auto text = include(path);
    const auto& kept = parsed_[path] = text ? parse(*text, path) : std::nullopt;
    return kept ? &*kept : nullptr;
  }

  /// A text of the tree, read from it once.
  std::optional<std::string> text(const std::string& path) {
    if (budget.is_spent()) return missed(path), std::nullopt;
    auto known = texts_.find(path);
    if (known == texts_.end()) known = texts_.emplace(path, read_(path)).first;
    // A file that is not there costs as well.
    if (!budget.load(known->second ? known->second->size() : 64)) return missed(path), std::nullopt;
    return known->second;
  }

  std::optional<bool> names(const std::string& path) {
    const auto known = names_.find(path);
    if (known != names_.end()) return known->second;
    const auto found = text(path);
    if (budget.is_spent()) return std::nullopt;
    if (found && !budget.read(found->size())) return missed(path), std::nullopt;
    return names_[path] = found ? std::optional(names_call(*found)) : std::nullopt;
  }

  bool has(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == path.npos ? "" : path.substr(0, slash);
    if (list_ && has_name(list_(folder), path.substr(slash + 1))) return true;
    return text(path).has_value() || (list_ && !list_(path).empty());
  }

  std::optional<Value> parse(std::string_view text, std::string_view name) {
    if (text.size() > kMaxCiFile) return std::nullopt;
    auto document = wire::read_document(text, fmt::format("{}.yml", name));
    if (!document) return std::nullopt;
    return std::move(document->root);
  }

  std::optional<std::string> include(const std::string& path) {
    if (std::ranges::find(reading.included, path) != reading.included.end()) return text(path);
    if (reading.included.size() >= kMaxCiIncludes) return std::nullopt;
    auto found = text(path);
    if (found) reading.included.push_back(path);
    return found;
  }

  /// Files that a pattern names, `**` for folders in each other.
  Texts matching(const std::string& pattern) const {
    if (!contains(pattern, "*") && !contains(pattern, "?")) return {pattern};
    Texts out;
    if (!list_) return out;
    const std::size_t slash = pattern.rfind('/', pattern.find_first_of("*?"));
    Texts open{slash == pattern.npos ? "" : pattern.substr(0, slash)};
    for (std::size_t at = 0; at < open.size() && at < kMaxFolders; ++at) {
      const std::string folder = open[at];
      for (const std::string& name : list_(folder)) {
        std::string path = folder.empty() ? name : fmt::format("{}/{}", folder, name);
        if (policy::matches_pathglob(path, pattern) && out.size() < kMaxMatches)
          out.push_back(path);
        const bool is_file = name.ends_with(".yml") || name.ends_with(".yaml");
        if (!is_file) open.push_back(std::move(path));
      }
    }
    return out;
  }

  /// A script of a step, with scripts of the repository that it runs. They count for the gate where
  /// it is called there.
  std::optional<GateJob> script(std::string_view text, ShellUse use) {
    if (use.folder == ".") use.folder.clear();
    std::set<std::string> read;
    const ScriptFiles files = files_into(read);
    GateCall call = gate_call(text, use, files);
    if (!call.is_there) return std::nullopt;
    take_files({read.begin(), read.end()});
    GateJob out{.conditions = std::move(call.conditions), .doubts = std::move(call.doubts)};
    if (call.is_swallowed) out.causes.insert(GateCause::exit_swallowed);
    return out;
  }

  /// A program of the repository that nobody follows: it calls the gate where it names it so.
  std::optional<GateJob> program(const std::string& path) {
    if (!names(path).value_or(false)) return std::nullopt;
    take_files({path});
    return GateJob{};
  }

  std::vector<JenkinsCall> jenkins(std::string_view text) {
    std::set<std::string> read;
    const ScriptFiles files = files_into(read);
    auto out = jenkins_calls(text, files);
    if (!out.empty()) take_files({read.begin(), read.end()});
    return out;
  }

  const std::string& path() const { return path_; }

 private:
  /// The tree as scripts see it; `read` has what they looked into. What one seems to run and nobody
  /// finds may be what calls the gate.
  ScriptFiles files_into(std::set<std::string>& read) {
    return {.read = [this, &read](const std::string& path) -> std::optional<std::string> {
              auto found = this->text(path);
              if (found) read.insert(path);
              return found;
            },
            .miss = [this](const std::string& name) { reading.missed.insert(name); },
            .has = [this](const std::string& path) { return has(path); },
            .names =
                [this, &read](const std::string& path) {
                  const auto found = names(path);
                  if (found) read.insert(path);
                  return found;
                },
            .budget = &budget};
  }

  /// What nobody looked into any more is part of the gate when it changes.
  void missed(const std::string& path) { reading.missed.insert(path.substr(path.rfind('/') + 1)); }

  void take_files(const Texts& files) {
    for (const std::string& file : files)
      if (std::ranges::find(reading.included, file) == reading.included.end())
        reading.included.push_back(file);
  }

  std::string path_;
  const ReadInTree& read_;
  const ListInTree& list_;
  std::map<std::string, std::optional<Value>> parsed_{};
  std::map<std::string, std::optional<std::string>> texts_{};
  std::map<std::string, std::optional<bool>> names_{};
};

// ----------------------------------------------------------------------------------------- GitHub

/// Some part of the path of an action is our name.
bool is_gate_action(std::string_view uses) {
  const std::string folded = surface::lower_case(uses.substr(0, uses.find('@')));
  if (folded.starts_with("./") || folded.starts_with("docker:")) return false;
  return std::ranges::any_of(split(std::string_view(folded), '/'), [](std::string_view part) {
    return part.starts_with("gatehouse") || part.starts_with("agents-shipgate");
  });
}

/// An action that is taken for the gate by its name: whose it is has to stay the same.
GateJob job_of_action(std::string_view uses) {
  return {.actions = {surface::lower_case(uses.substr(0, uses.find('@')))}};
}

/// Expressions of a workflow as variables of a shell: what they say is as little known.
std::string without_expressions(std::string_view script) {
  std::string out;
  for (std::size_t at; (at = script.find("${{")) != script.npos;) {
    const std::size_t end = script.find("}}", at);
    if (end == script.npos) break;
    out += script.substr(0, at);
    out += "${e_";
    for (const char c : script.substr(at + 3, end - at - 3))
      if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) out += c;
    out += '}';
    script.remove_prefix(end + 2);
  }
  return out + std::string(script);
}

/// The folder of a step: its own, else that of the job, else that of the file.
ShellUse in_folder(ShellUse use, std::string_view folder) {
  folder = trimmed(folder);
  use.knows_folder = !contains(folder, "$");
  for (const char* top : {"${{ github.workspace }}", "${{github.workspace}}", "$GITHUB_WORKSPACE",
                          "$(Build.SourcesDirectory)", "$(System.DefaultWorkingDirectory)"})
    if (folder.starts_with(top)) {
      folder.remove_prefix(std::string_view(top).size());
      use.knows_folder = !contains(folder, "$");
    }
  while (folder.starts_with('/'))
    folder.remove_prefix(1);
  if (use.knows_folder) use.folder = joined_folder("", folder);
  return use;
}

class GithubFile {
 public:
  explicit GithubFile(CiFile& file) : file_(file) {}

  void read(const Value& root) {
    read_events(root);
    const Map* jobs = Peek(root)["jobs"].exists() ? member(root, "jobs")->as_map() : nullptr;
    if (jobs == nullptr) return;
    for (const auto& [id, job] : jobs->entries())
      if (auto found = read_job(job, root, 0)) {
        found->id = id;
        follow_needs(*jobs, id, *found);
        file_.reading.jobs.push_back(std::move(*found));
      }
  }

 private:
  void read_events(const Value& root) {
    const Value* on = nullptr;
    for (const char* key : {"on", "true", "True"})  // a reader of YAML 1.1 takes it for a boolean
      if (on == nullptr) on = member(root, key);
    if (on == nullptr) return;
    for (const std::string& event : texts(*on))
      file_.reading.events[event];
    if (on->as_map() == nullptr) return;
    for (const auto& entry : on->as_map()->entries()) {
      CiEvent& event = file_.reading.events[entry.first];
      const auto take = [&](const char* key, bool& has, Texts& list) {
        const Value* found = member(entry.second, key);
        has = found != nullptr;
        if (has) list = texts(*found);
      };
      take("paths", event.has_paths, event.paths);
      take("paths-ignore", event.has_paths_ignore, event.paths_ignore);
      take("branches", event.has_branches, event.branches);
      take("branches-ignore", event.has_branches_ignore, event.branches_ignore);
      take("types", event.has_types, event.types);
    }
  }

  /// bash stops at the first error, and with `shell: bash` in a pipe, too; a shell of one's own may
  /// do neither.
  static std::pair<bool, bool> shell_of(std::string_view shell) {
    if (shell.empty() || shell == "sh") return {true, false};
    if (shell == "bash" || shell == "pwsh" || shell == "powershell") return {true, true};
    const bool strict = contains(shell, " -e") || contains(shell, "errexit");
    return {strict, contains(shell, "pipefail")};
  }

  static bool runs_scripts(std::string_view shell) {
    return shell.empty() ||
           is_one_of(shell.substr(0, shell.find(' ')), "sh bash pwsh powershell zsh cmd");
  }

  struct Usual {
    std::string_view shell{}, folder{};
  };

  std::optional<GateJob> read_steps(const Value& steps, Usual usual, int depth) {
    std::optional<GateJob> best;
    for (const Value& step : Peek(steps).list()) {
      const Peek at(step);
      std::optional<GateJob> found;
      const std::string_view uses = at["uses"].text();
      if (is_gate_action(uses)) found = job_of_action(uses);
      if (uses.starts_with("./")) found = read_action(joined_folder("", uses), depth);
      const std::string_view shell = at["shell"].exists() ? at["shell"].text() : usual.shell;
      if (at["run"].exists()) {
        const auto [stops, pipes] = shell_of(shell);
        const std::string_view folder =
            at["working-directory"].exists() ? at["working-directory"].text() : usual.folder;
        found = file_.script(without_expressions(at["run"].text()),
                             in_folder({.stops_at_errors = stops, .pipes_fail = pipes}, folder));
        if (found && !runs_scripts(shell)) found->causes.insert(GateCause::exit_swallowed);
      }
      if (!found) continue;
      take_environment(member(step, "env"), *found);
      take_condition(member(step, "if"), *found);
      take_continuation(member(step, "continue-on-error"), *found);
      merge_step(best, std::move(*found));
    }
    return best;
  }

  std::optional<GateJob> read_action(const std::string& folder, int depth) {
    if (depth >= kMaxNesting) return std::nullopt;
    for (const char* name : {"action.yml", "action.yaml"}) {
      const std::string path = folder.empty() ? name : fmt::format("{}/{}", folder, name);
      const Value* root = file_.included(path);
      if (root == nullptr) continue;
      const Value* runs = member(*root, "runs");
      const Value* steps = runs != nullptr ? member(*runs, "steps") : nullptr;
      if (steps != nullptr) return read_steps(*steps, {}, depth + 1);
      // A program or an image of the repository.
      for (const char* key : {"main", "pre", "image", "entrypoint"})
        if (const std::string_view file = Peek(runs)[key].text(); !file.empty())
          if (auto found = file_.program(joined_folder(folder, file))) return found;
      return file_.program(joined_folder(folder, "Dockerfile"));
    }
    return std::nullopt;
  }

  /// A workflow of the repository that the job calls: the best of its jobs.
  std::optional<GateJob> read_called(const std::string& path, int depth) {
    if (depth >= kMaxNesting) return std::nullopt;
    const Value* root = file_.included(path);
    if (root == nullptr) return std::nullopt;
    std::optional<GateJob> best;
    const Value* jobs = member(*root, "jobs");
    for (const auto& [id, job] : Peek(jobs).map().entries())
      if (auto found = read_job(job, *root, depth + 1)) merge_step(best, std::move(*found));
    return best;
  }

  std::optional<GateJob> read_job(const Value& job, const Value& root, int depth) {
    if (!file_.budget.step()) return std::nullopt;
    const Peek at(job);
    std::optional<GateJob> found;
    const std::string_view uses = at["uses"].text();
    if (uses.starts_with("./")) found = read_called(joined_folder("", uses), depth);
    if (is_gate_action(uses)) found = job_of_action(uses);
    Usual usual;
    for (const Peek defaults : {Peek(root)["defaults"]["run"], at["defaults"]["run"]}) {
      if (defaults["shell"].exists()) usual.shell = defaults["shell"].text();
      if (defaults["working-directory"].exists())
        usual.folder = defaults["working-directory"].text();
    }
    if (const Value* steps = member(job, "steps")) {
      auto in_steps = read_steps(*steps, usual, depth);
      if (in_steps) merge_step(found, std::move(*in_steps));
    }
    if (!found) return std::nullopt;
    take_condition(member(job, "if"), *found);
    take_continuation(member(job, "continue-on-error"), *found);
    take_environment(member(root, "env"), *found);
    take_environment(member(job, "env"), *found);
    // A matrix that an expression fills may be empty.
    if (const std::string_view matrix = at["strategy"]["matrix"].text(); !matrix.empty())
      found->conditions.insert(fmt::format("matrix: {}", matrix));
    return found;
  }

  /// A job does not run when one that it needs does not.
  static void follow_needs(const Map& jobs, const std::string& id, GateJob& job) {
    const Value* own = jobs.find(id);
    if (const Value* condition = member(*own, "if");
        condition != nullptr && contains(scalar_text(*condition), "always()"))
      return;
    std::set<std::string> seen{id};
    Texts open{id};
    while (!open.empty() && seen.size() < kMaxNeeds) {
      const Value* at = jobs.find(open.back());
      open.pop_back();
      if (at == nullptr) continue;
      const Value* needs = member(*at, "needs");
      if (needs == nullptr) continue;
      for (const std::string& name : texts(*needs)) {
        if (!seen.insert(name).second) continue;
        open.push_back(name);
        if (const Value* needed = jobs.find(name)) take_condition(member(*needed, "if"), job);
      }
    }
  }

  CiFile& file_;
};

// ------------------------------------------------------------------------------------ GitLab et al

// table: keys of .gitlab-ci.yml that are no jobs
constexpr std::string_view kGitlabKeys =
    "default include stages variables workflow image services cache before_script after_script "
    "pages spec";

class GitlabFile {
 public:
  explicit GitlabFile(CiFile& file, int depth = 0) : file_(file), depth_(depth) {}

  void read(const Value& root) {
    collect(root, 0);
    for (const auto& [name, job] : jobs_.entries())
      if (!name.starts_with('.')) read_job(name, merged(job));
  }

 private:
  static Texts local_paths(const Value& include) {
    Texts out;
    const auto add = [&](const Value& item) {
      if (item.as_string() != nullptr) out.push_back(*item.as_string());
      if (Peek(item)["local"].exists()) out.emplace_back(Peek(item)["local"].text());
    };
    add(include);
    for (const Value& item : Peek(include).list())
      add(item);
    for (std::string& path : out)
      path.erase(0, path.find_first_not_of('/') == path.npos ? 0 : path.find_first_not_of('/'));
    return out;
  }

  void collect(const Value& root, int depth) {
    if (root.as_map() == nullptr || depth >= kMaxNesting) return;
    if (const Value* include = member(root, "include"))
      for (const std::string& pattern : local_paths(*include))
        for (const std::string& path : file_.matching(pattern))
          if (const Value* inner = file_.included(path)) collect(*inner, depth + 1);
    if (const Value* workflow = member(root, "workflow"))
      file_.reading.routing += wire::spaced_json(*workflow);
    for (const Value* place : {&root, member(root, "default")})
      if (const Value* before = place != nullptr ? member(*place, "before_script") : nullptr)
        before_ = lines_of(*before, 0);
    take_environment(member(root, "variables"), usual_);
    for (const auto& [name, job] : root.as_map()->entries())
      if (job.as_map() != nullptr && !is_one_of(name, kGitlabKeys)) jobs_.set(name, job);
  }

  /// Lists in lists are one.
  static Texts lines_of(const Value& value, int depth) {
    Texts out;
    if (value.as_string() != nullptr) out.push_back(*value.as_string());
    for (const Value& item : Peek(value).list()) {
      if (depth >= kMaxNesting) break;
      for (std::string& line : lines_of(item, depth + 1))
        out.push_back(std::move(line));
    }
    return out;
  }

  /// With what it extends, the nearer winning.
  Value merged(const Value& job) const {
    Map out = *job.as_map();
    Texts open = texts(Peek(job)["extends"], member(job, "extends"));
    for (int i = 0; i < 16 && !open.empty(); ++i) {
      const Value* base = jobs_.find(open.back());
      open.pop_back();
      if (base == nullptr) continue;
      for (const auto& [key, value] : base->as_map()->entries())
        if (out.find(key) == nullptr || key == "extends") {
          if (key != "extends") out.set(key, value);
          if (key == "extends") {
            const Texts more = texts(value);
            open.insert(open.end(), more.begin(), more.end());
          }
        }
    }
    return out;
  }

  void read_job(const std::string& name, const Value& job) {
    std::optional<GateJob> found;
    if (const Value* script = member(job, "script")) {
      const Value* before = member(job, "before_script");
      Texts lines = before != nullptr ? lines_of(*before, 0) : before_;
      for (std::string& line : lines_of(*script, 0))
        lines.push_back(std::move(line));
      found = file_.script(gh::join(lines, "\n"), {.stops_at_errors = true, .pipes_fail = true});
    }
    if (const Value* trigger = member(job, "trigger")) found = read_child(*trigger);
    if (!found) return;
    found->id = name;
    take_continuation(member(job, "allow_failure"), *found);
    take_environment(member(job, "variables"), *found);
    add(*found, usual_);
    take_runs(job, *found);
    follow_needs(name, *found);
    file_.reading.jobs.push_back(std::move(*found));
  }

  /// A pipeline of its own: its answer counts where the job waits for it.
  std::optional<GateJob> read_child(const Value& trigger) {
    const Value* include = member(trigger, "include");
    if (include == nullptr || depth_ >= kMaxNesting) return std::nullopt;
    std::optional<GateJob> best;
    for (const std::string& path : local_paths(*include)) {
      const Value* root = file_.included(path);
      if (root == nullptr) continue;
      std::vector<GateJob> outer = std::exchange(file_.reading.jobs, {});
      GitlabFile(file_, depth_ + 1).read(*root);
      for (GateJob& job : std::exchange(file_.reading.jobs, std::move(outer)))
        merge_step(best, std::move(job));
    }
    if (best && Peek(trigger)["strategy"].text() != "depend")
      best->causes.insert(GateCause::continue_on_error);
    return best;
  }

  /// Whether and when the job runs.
  static void take_runs(const Value& job, GateJob& out) {
    const std::string_view when = Peek(job)["when"].text();
    if (is_one_of(when, "never manual delayed on_failure") && !when.empty())
      out.causes.insert(GateCause::condition_false);
    for (const char* key : {"rules", "only", "except"})
      if (const Value* rules = member(job, key)) take_rules(key, *rules, out);
  }

  static void take_rules(std::string_view key, const Value& rules, GateJob& job) {
    bool runs = key != "rules";
    for (const Value& rule : Peek(rules).list()) {
      const std::string_view when = Peek(rule)["when"].text();
      runs = runs || (when != "never" && when != "manual");
      if (Peek(rule)["allow_failure"].is_true()) job.causes.insert(GateCause::continue_on_error);
    }
    if (!runs) job.causes.insert(GateCause::condition_false);
    job.conditions.insert(fmt::format("{}: {}", key, wire::spaced_json(rules)));
  }

  /// A job does not run when one that it needs does not.
  void follow_needs(const std::string& id, GateJob& job) const {
    std::set<std::string> seen{id};
    Texts open{id};
    while (!open.empty() && seen.size() < kMaxNeeds) {
      const Value* raw = jobs_.find(open.back());
      open.pop_back();
      if (raw == nullptr) continue;
      const Value at = merged(*raw);
      const Value* needs = member(at, "needs");
      if (needs == nullptr) continue;
      for (const Value& item : Peek(needs).list()) {
        const std::string name(item.as_string() != nullptr ? *item.as_string()
                                                           : Peek(item)["job"].text());
        if (!seen.insert(name).second) continue;
        open.push_back(name);
        const Value* needed = jobs_.find(name);
        if (needed == nullptr) continue;
        GateJob other;
        take_runs(merged(*needed), other);
        other.causes.erase(GateCause::continue_on_error);
        add(job, other);
      }
    }
  }

  CiFile& file_;
  int depth_;
  Map jobs_{};
  Texts before_{};
  GateJob usual_{};
};

class CircleFile {
 public:
  explicit CircleFile(CiFile& file) : file_(file) {}

  void read(const Value& root) {
    for (const auto& [name, job] : Peek(root)["jobs"].map().entries()) {
      auto best =
          read_steps(root, Peek(job)["steps"].list(), Peek(job)["working_directory"].text(), {}, 0);
      if (!best) continue;
      best->id = name;
      take_environment(member(job, "environment"), *best);
      bool is_used = false;
      for (const auto& [id, workflow] : Peek(root)["workflows"].map().entries())
        for (const Value& entry : Peek(workflow)["jobs"].list())
          is_used = take_use(name, entry, workflow, *best) || is_used;
      if (!is_used) best->causes.insert(GateCause::trigger_removed);
      file_.reading.jobs.push_back(std::move(*best));
    }
  }

 private:
  std::optional<GateJob> read_steps(const Value& root, const List& steps, std::string_view folder,
                                    const GateJob& outer, int depth) {
    std::optional<GateJob> best;
    if (depth >= kMaxNesting) return best;
    GateJob here = outer;
    for (const Value& step : steps) {
      std::optional<GateJob> found = read_run(step, folder);
      for (const char* key : {"when", "unless"})
        if (const Value* inner = member(step, key);
            inner != nullptr && inner->as_map() != nullptr) {
          GateJob under = here;
          take_turned(member(*inner, "condition"), std::string_view(key) == "unless", under);
          found = read_steps(root, Peek(inner)["steps"].list(), folder, under, depth + 1);
        }
      if (const std::string name = named(step); !name.empty())
        if (const Peek command = Peek(root)["commands"][name]; command["steps"].exists())
          found = read_steps(root, command["steps"].list(), folder, {}, depth + 1);
      if (halts(step)) here.conditions.insert("halts: " + wire::spaced_json(step));
      if (!found) continue;
      add(*found, here);
      merge_step(best, std::move(*found));
    }
    return best;
  }

  std::optional<GateJob> read_run(const Value& step, std::string_view usual) {
    const Peek run = Peek(step)["run"];
    const std::string_view text = run["command"].exists() ? run["command"].text() : run.text();
    if (text.empty()) return std::nullopt;
    const std::string_view folder =
        run["working_directory"].exists() ? run["working_directory"].text() : usual;
    const std::string_view place = folder.starts_with('~') ? std::string_view() : folder;
    auto found =
        file_.script(text, in_folder({.stops_at_errors = true, .pipes_fail = true}, place));
    if (!found) return found;
    if (run["when"].text() == "on_fail") found->causes.insert(GateCause::condition_false);
    if (run["background"].is_true()) found->causes.insert(GateCause::exit_swallowed);
    take_environment(
        Peek(step)["run"].exists() ? member(*member(step, "run"), "environment") : nullptr, *found);
    return found;
  }

  /// A step that ends the job well.
  static bool halts(const Value& step) {
    const std::string text = wire::spaced_json(step);
    return contains(text, "step halt");
  }

  static std::string named(const Value& step) {
    if (step.as_string() != nullptr) return *step.as_string();
    const Map* map = step.as_map();
    return map != nullptr && map->entries().size() == 1 ? map->entries().begin()->first : "";
  }

  static void take_turned(const Value* condition, bool is_turned, GateJob& job) {
    if (condition == nullptr || condition->is_null()) return;
    const std::string text = scalar_text(*condition);
    const Truth truth = truth_of(text);
    if (truth == (is_turned ? Truth::yes : Truth::no))
      job.causes.insert(GateCause::condition_false);
    if (truth == Truth::unknown)
      job.conditions.insert(fmt::format("{}{}", is_turned ? "unless " : "", text));
  }

  static void take_workflow(const Value& workflow, GateJob& job) {
    take_turned(member(workflow, "when"), false, job);
    take_turned(member(workflow, "unless"), true, job);
    // One with a timetable runs at no change.
    if (const Value* triggers = member(workflow, "triggers"))
      job.conditions.insert("triggers: " + wire::spaced_json(*triggers));
  }

  static void take_options(const Value& options, GateJob& job) {
    if (const Value* filters = member(options, "filters"))
      job.conditions.insert("filters: " + wire::spaced_json(*filters));
    if (Peek(options)["type"].text() == "approval") job.causes.insert(GateCause::condition_false);
  }

  static const Value* use_of(const std::string& name, const Value& entry) {
    if (Peek(entry).text() == name) return &entry;
    const Map* map = entry.as_map();
    if (map == nullptr) return nullptr;
    for (const auto& [job, options] : map->entries())
      if (job == name || Peek(options)["name"].text() == name) return &options;
    return nullptr;
  }

  /// With the jobs that have to end well before it.
  static bool take_use(const std::string& name, const Value& entry, const Value& workflow,
                       GateJob& job) {
    const Value* options = use_of(name, entry);
    if (options == nullptr) return false;
    take_workflow(workflow, job);
    take_options(*options, job);
    std::set<std::string> seen{name};
    Texts open = texts(Peek(*options)["requires"], member(*options, "requires"));
    while (!open.empty() && seen.size() < kMaxNeeds) {
      const std::string needed = open.back();
      open.pop_back();
      if (!seen.insert(needed).second) continue;
      for (const Value& other : Peek(workflow)["jobs"].list()) {
        const Value* use = use_of(needed, other);
        if (use == nullptr) continue;
        take_options(*use, job);
        for (std::string& more : texts(Peek(*use)["requires"], member(*use, "requires")))
          open.push_back(std::move(more));
      }
    }
    return true;
  }

  CiFile& file_;
};

class AzureFile {
 public:
  explicit AzureFile(CiFile& file) : file_(file) {}

  void read(const Value& root) {
    file_.reading.events["pr"];  // where nothing is said, every change
    for (const char* key : {"pr", "trigger"})
      if (const Value* trigger = member(root, key)) read_event(key, *trigger);
    read_pipeline(root, folder_of_file(file_.path()), 0);
  }

 private:
  struct Item {
    Value value;
    GateJob outer;
    std::string folder;  // of the file that it stands in
  };

  static std::string folder_of_file(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    return slash == path.npos ? "" : std::string(path.substr(0, slash));
  }

  void read_event(const char* key, const Value& trigger) {
    CiEvent event;
    const Texts words = texts(trigger);
    file_.reading.events.erase(key);
    if (words.size() == 1 && words[0] == "none") {
      file_.reading.events[std::string("no ") + key];
      return;
    }
    if (!words.empty()) {
      event.has_branches = true;
      event.branches = words;
    }
    const auto take = [&](const char* what, const char* list, bool& has, Texts& out) {
      const Value* at = member(trigger, what);
      const Value* found = at != nullptr ? member(*at, list) : nullptr;
      if (found == nullptr) return;
      has = true;
      out = texts(*found);
      for (std::string& pattern : out)  // a folder means all that is in it
        if (std::string_view(what) == "paths") pattern = azure_path(pattern);
    };
    take("branches", "include", event.has_branches, event.branches);
    take("branches", "exclude", event.has_branches_ignore, event.branches_ignore);
    take("paths", "include", event.has_paths, event.paths);
    take("paths", "exclude", event.has_paths_ignore, event.paths_ignore);
    file_.reading.events[key] = std::move(event);
  }

  static std::string azure_path(std::string pattern) {
    while (pattern.starts_with('/'))
      pattern.erase(0, 1);
    if (pattern == "*" || pattern.empty()) return "**";
    if (pattern.ends_with('/')) return pattern + "**";
    return pattern;
  }

  /// Steps, jobs or stages of a file, templates of the repository put in their place.
  void read_pipeline(const Value& root, const std::string& folder, int depth) {
    GateJob here;
    take_environment(member(root, "variables"), here);
    if (const Value* extends = member(root, "extends"))
      if (const auto [inner, inside] = opened(Peek(extends)["template"].text(), folder);
          inner && depth < kMaxNesting)
        read_pipeline(*inner, inside, depth + 1);
    if (member(root, "steps") != nullptr) read_steps("pipeline", root, here, folder);
    read_jobs(root, here, folder);
    for (const Item& stage : items(root, "stages", here, folder, 0)) {
      GateJob outer = stage.outer;
      take_condition(member(stage.value, "condition"), outer);
      follow(root, "stages", "stage", stage.value, folder, outer);
      read_jobs(stage.value, outer, stage.folder);
    }
  }

  void read_jobs(const Value& place, const GateJob& outer, const std::string& folder) {
    for (const Item& job : items(place, "jobs", outer, folder, 0)) {
      const Peek at(job.value);
      std::string name(at["job"].exists() ? at["job"].text() : at["deployment"].text());
      if (name.empty()) name = "job";
      GateJob inside = job.outer;
      follow(place, "jobs", "job", job.value, folder, inside);
      read_steps(name, job.value, inside, job.folder);
      for (const auto& [kind, strategy] : at["strategy"].map().entries())
        for (const auto& [hook, value] : Peek(strategy).map().entries())
          if (Peek(value)["steps"].exists()) read_steps(name, value, inside, job.folder);
    }
  }

  std::pair<const Value*, std::string> opened(std::string_view name, const std::string& folder) {
    if (name.ends_with("@self")) name.remove_suffix(5);
    if (name.empty() || contains(name, "@")) return {};
    const std::string path = joined_folder(folder, name);
    return {file_.included(path), folder_of_file(path)};
  }

  /// The members of a list; what stands below an expression under its condition.
  std::vector<Item> items(const Value& place, const std::string& key, const GateJob& outer,
                          const std::string& folder, int depth) {
    std::vector<Item> out;
    const Value* list = member(place, key);
    if (list == nullptr || depth >= kMaxNesting) return out;
    const auto take = [&](std::vector<Item> more) {
      for (Item& item : more)
        if (out.size() < kMaxNeeds) out.push_back(std::move(item));
    };
    for (const Value& item : Peek(list).list()) {
      if (out.size() >= kMaxNeeds || !file_.budget.step()) break;
      const Map* map = item.as_map();
      if (map == nullptr) continue;
      if (const std::string_view name = Peek(item)["template"].text(); !name.empty()) {
        GateJob inner = outer;
        take_condition(member(item, "condition"), inner);
        if (const auto [root, inside] = opened(name, folder); root)
          take(items(*root, key, inner, inside, depth + 1));
        continue;
      }
      bool is_expression = false;
      for (const auto& [word, value] : map->entries()) {
        if (!word.starts_with("${{")) continue;
        is_expression = true;
        GateJob inner = outer;
        if (const std::string_view body = trimmed(std::string_view(word).substr(3));
            body.starts_with("if ")) {
          std::string condition(trimmed(body.substr(3)));
          if (condition.ends_with("}}")) condition.resize(condition.size() - 2);
          take_condition(&as_value(condition), inner);
        } else {
          inner.conditions.insert(word);
        }
        take(items(Map{{key, value}}, key, inner, folder, depth + 1));
      }
      if (!is_expression) out.push_back({item, outer, folder});
    }
    return out;
  }

  const Value& as_value(std::string text) {
    kept_ = Value(std::move(text));
    return kept_;
  }

  /// What it depends on has to have run, unless a condition of its own says otherwise.
  void follow(const Value& place, const std::string& key, const std::string& name,
              const Value& from, const std::string& folder, GateJob& job) {
    if (Peek(from)["condition"].exists()) return;
    const auto all = items(place, key, {}, folder, 0);
    std::set<std::string> seen;
    Texts open = texts(Peek(from)["dependsOn"], member(from, "dependsOn"));
    // Stages follow each other where nothing is said.
    if (key == "stages" && member(from, "dependsOn") == nullptr)
      for (const Item& item : all) {
        if (Peek(item.value)[name].text() == Peek(from)[name].text()) break;
        take_condition(member(item.value, "condition"), job);
      }
    while (!open.empty() && seen.size() < kMaxNeeds) {
      const std::string needed = open.back();
      open.pop_back();
      if (!seen.insert(needed).second) continue;
      for (const Item& item : all) {
        if (Peek(item.value)[name].text() != needed) continue;
        take_condition(member(item.value, "condition"), job);
        add(job, item.outer);
        for (std::string& more :
             texts(Peek(item.value)["dependsOn"], member(item.value, "dependsOn")))
          open.push_back(std::move(more));
      }
    }
  }

  void read_steps(std::string name, const Value& job, const GateJob& outer,
                  const std::string& folder) {
    std::optional<GateJob> best;
    for (const Item& item : items(job, "steps", {}, folder, 0)) {
      const Value& step = item.value;
      const Peek at(step), inputs = at["inputs"];
      std::optional<GateJob> found;
      const std::string_view place = at["workingDirectory"].exists()
                                         ? at["workingDirectory"].text()
                                         : inputs["workingDirectory"].text();
      const ShellUse use = in_folder({.stops_at_errors = false}, place);
      for (const char* key : {"script", "bash", "pwsh", "powershell"})
        if (const Value* text = member(step, key); text != nullptr && !found)
          found = file_.script(Peek(text).text(), use);
      if (at["task"].exists() && !found) {
        for (const char* key : {"script", "inlineScript"})
          if (inputs[key].exists() && !found) found = file_.script(inputs[key].text(), use);
        if (inputs["filePath"].exists() && !found)
          found = file_.script(fmt::format("bash {}", inputs["filePath"].text()), use);
        if (at["task"].text().starts_with("Npm@") && !found)
          found = file_.script(fmt::format("npm {}", inputs["customCommand"].text()), use);
        if (at["task"].text().starts_with("Make") && !found)
          found = file_.script(fmt::format("make {}", inputs["targets"].text()), use);
      }
      if (!found) continue;
      if (at["enabled"].exists() && !at["enabled"].is_true())
        found->causes.insert(GateCause::condition_false);
      take_environment(member(step, "env"), *found);
      take_condition(member(step, "condition"), *found);
      take_continuation(member(step, "continueOnError"), *found);
      add(*found, item.outer);
      merge_step(best, std::move(*found));
    }
    if (!best) return;
    best->id = std::move(name);
    take_condition(member(job, "condition"), *best);
    take_continuation(member(job, "continueOnError"), *best);
    add(*best, outer);
    file_.reading.jobs.push_back(std::move(*best));
  }

  CiFile& file_;
  Value kept_{};
};

// ---------------------------------------------------------------------------------------- compare

bool matches_any(const std::string& text, const Texts& patterns) {
  bool out = false;
  for (const std::string& pattern : patterns) {
    const bool is_negative = pattern.starts_with('!');
    const std::string_view body = std::string_view(pattern).substr(is_negative ? 1 : 0);
    if (policy::matches_pathglob(text, body)) out = !is_negative;
  }
  return out;
}

bool is_change_event(std::string_view name) { return is_one_of(name, kChangeEvents); }

/// Does an event with these filters meet a change of the manifest for that branch?
bool meets(std::string_view name, const CiEvent& e, const CiChange& change) {
  if (e.has_paths && !matches_any(change.manifest, e.paths)) return false;
  if (e.has_paths_ignore && matches_any(change.manifest, e.paths_ignore)) return false;
  const auto met = [&](const Texts& patterns) {
    if (!change.target_branch.empty()) return matches_any(change.target_branch, patterns);
    return matches_any("main", patterns) || matches_any("master", patterns);
  };
  if (e.has_branches && !met(e.branches)) return false;
  if (e.has_branches_ignore && met(e.branches_ignore)) return false;
  if (!e.has_types || !is_change_event(name)) return true;
  const auto has = [&](std::string_view type) {
    return std::ranges::find(e.types, type) != e.types.end();
  };
  return name == "merge_group" ? has("checks_requested") : has("opened") && has("synchronize");
}

/// Base ran on some event, and no such one is left. Events of a change itself count alone, where
/// base had one.
bool lost_trigger(const CiReading& base, const CiReading& head, const CiChange& change) {
  const auto running = [&](const CiReading& reading, bool of_change) {
    return std::ranges::any_of(reading.events, [&](const auto& event) {
      return !event.first.starts_with("no ") && (!of_change || is_change_event(event.first)) &&
             meets(event.first, event.second, change);
    });
  };
  if (base.routing != head.routing) return true;
  if (running(base, true)) return !running(head, true);
  return !base.events.empty() && running(base, false) && !running(head, false);
}

/// What is wrong with the job of head that was not with that of base.
std::set<GateCause> new_causes(const GateJob& base, const GateJob& head) {
  std::set<GateCause> out;
  std::ranges::set_difference(head.causes, base.causes, std::inserter(out, out.end()));
  const auto is_new = [](const std::set<std::string>& now, const std::set<std::string>& then) {
    return std::ranges::any_of(now, [&](const std::string& text) { return !then.contains(text); });
  };
  if (is_new(head.conditions, base.conditions)) out.insert(GateCause::condition_false);
  if (is_new(head.continuations, base.continuations)) out.insert(GateCause::continue_on_error);
  if (is_new(head.doubts, base.doubts)) out.insert(GateCause::exit_swallowed);
  // An action of somebody else is another command, whatever it is called.
  if (is_new(head.actions, base.actions)) out.insert(GateCause::job_removed);
  return out;
}

const GateJob* job_named(const CiReading* reading, const std::string& id) {
  if (reading == nullptr) return nullptr;
  const auto job = std::ranges::find(reading->jobs, id, &GateJob::id);
  return job == reading->jobs.end() ? nullptr : &*job;
}

const CiReading* reading_at(const CiGates& gates, const std::string& path) {
  const auto found = gates.find(path);
  return found == gates.end() ? nullptr : &found->second;
}

/// Of a job that is not where it was: the least that is wrong with any that is new in head.
std::set<GateCause> causes_elsewhere(const CiReading& base, const GateJob& job,
                                     const CiChange& change) {
  std::optional<std::set<GateCause>> least;
  for (const auto& [path, reading] : change.head) {
    const CiReading* before = reading_at(change.base, path);
    for (const GateJob& other : reading.jobs) {
      std::set<GateCause> causes = new_causes(job, other);
      // One that base had already is another gate: it counts as far as it was one.
      if (const GateJob* known = job_named(before, other.id)) causes = new_causes({}, *known);
      if (lost_trigger(base, reading, change)) causes.insert(GateCause::trigger_removed);
      if (!least || causes.size() < least->size()) least = std::move(causes);
    }
  }
  return least.value_or(std::set{GateCause::job_removed});
}

/// Of a file whose reading came to its bound every job is in doubt; one that was not found any more
/// is gone. Neither is nothing where base was read to its end.
CiReading told(CiFile& file) {
  if (file.budget.is_spent())
    for (GateJob& job : file.reading.jobs)
      job.doubts.insert("could not be read to its end");
  return std::move(file.reading);
}

}  // namespace

std::string_view to_string(GateCause cause) { return kCauses[static_cast<std::size_t>(cause)]; }

bool calls_gate(std::string_view script) {
  return gate_call(script, {.stops_at_errors = true, .pipes_fail = true}, {}).is_there;
}

CiReading read_ci(std::string_view path, std::string_view text, const ReadInTree& read,
                  const ListInTree& list) {
  CiFile file{std::string(path), read, list};
  const std::string name = surface::lower_case(path.substr(path.rfind('/') + 1));
  if (name == "jenkinsfile") {
    if (text.size() > kMaxCiFile) return {.is_readable = false};
    for (JenkinsCall& call : file.jenkins(text)) {
      GateJob job{.id = call.stage.empty() ? "pipeline" : call.stage,
                  .conditions = std::move(call.conditions),
                  .doubts = std::move(call.doubts)};
      if (call.is_swallowed) job.causes.insert(GateCause::exit_swallowed);
      if (call.is_never) job.causes.insert(GateCause::condition_false);
      if (!call.condition.empty()) job.conditions.insert(call.condition);
      file.reading.jobs.push_back(std::move(job));
    }
    return told(file);
  }
  const auto root = file.parse(text, path);
  if (!root || (root->as_map() == nullptr && !root->is_null())) {
    file.reading.is_readable = false;
    return std::move(file.reading);
  }
  if (contains(surface::lower_case(path), ".github/workflows/"))
    GithubFile(file).read(*root);
  else if (name == ".gitlab-ci.yml")
    GitlabFile(file).read(*root);
  else if (name == "config.yml")
    CircleFile(file).read(*root);
  else if (name == "azure-pipelines.yml")
    AzureFile(file).read(*root);
  return told(file);
}

std::vector<NeuteredGate> neutered_gates(const CiChange& change) {
  std::vector<NeuteredGate> out;
  for (const auto& [path, base] : change.base) {
    if (std::ranges::find(change.head_files, path) == change.head_files.end()) continue;
    const CiReading* head = reading_at(change.head, path);
    std::set<GateCause> causes;
    std::string where;
    for (const GateJob& job : base.jobs) {
      if (!job.causes.empty()) continue;  // it stopped nothing in base either
      const GateJob* now = job_named(head, job.id);
      std::set<GateCause> found;
      if (now != nullptr) {
        found = new_causes(job, *now);
        if (lost_trigger(base, *head, change)) found.insert(GateCause::trigger_removed);
      } else {
        found = causes_elsewhere(base, job, change);
      }
      if (!found.empty() && where.empty()) where = job.id;
      causes.insert(found.begin(), found.end());
    }
    if (causes.empty()) continue;
    NeuteredGate row{path, where, {}};
    for (const GateCause cause : causes)
      row.causes.emplace_back(to_string(cause));
    out.push_back(std::move(row));
  }
  return out;
}

}  // namespace gh::checks
