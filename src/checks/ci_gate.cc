#include "checks/ci_gate.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "checks/ci_scripts.h"
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
constexpr std::size_t kMaxNeeds = 256;

constexpr std::array<std::string_view, 5> kCauses{
    "job_removed", "trigger_removed", "condition_false", "continue_on_error", "exit_swallowed"};

// table: events by which a change itself starts a run
constexpr std::string_view kChangeEvents = "pull_request pull_request_target merge_group";

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
    return j.causes.size() * 100 + j.conditions.size() + j.continuations.size();
  };
  if (!best || weight(step) < weight(*best)) best = std::move(step);
}

void add(GateJob& job, const GateJob& more) {
  job.causes.insert(more.causes.begin(), more.causes.end());
  job.conditions.insert(more.conditions.begin(), more.conditions.end());
  job.continuations.insert(more.continuations.begin(), more.continuations.end());
}

/// What all systems share while one file is read, and the files that it includes.
class CiFile {
 public:
  CiFile(std::string path, const ReadInTree& read) : path_(std::move(path)), read_(read) {}

  CiReading reading{};

  std::optional<Value> parse(std::string_view text, std::string_view name) {
    if (text.size() > kMaxCiFile) return std::nullopt;
    auto document = wire::read_document(text, fmt::format("{}.yml", name));
    if (!document) return std::nullopt;
    return std::move(document->root);
  }

  std::optional<std::string> include(const std::string& path) {
    if (reading.included.size() >= kMaxCiIncludes) return std::nullopt;
    auto text = read_(path);
    if (text && std::ranges::find(reading.included, path) == reading.included.end())
      reading.included.push_back(path);
    return text;
  }

  /// A script of a step, with scripts of the repository that it runs.
  std::optional<GateJob> script(std::string_view text, bool stops_at_errors, bool pipes_fail) {
    GateCall call = gate_call(text, stops_at_errors, pipes_fail);
    for (const std::string& file : call.scripts) {
      if (call.is_there) break;
      const auto inner = include(file);
      if (!inner) continue;
      const bool strict = contains(inner->substr(0, inner->find('\n')), "-e");
      const GateCall there = gate_call(*inner, strict, false);
      if (there.is_there) {
        const GateCall outer = gate_call(text, stops_at_errors, pipes_fail, file);
        call.is_there = true;
        call.is_swallowed = there.is_swallowed || outer.is_swallowed;
      }
    }
    if (!call.is_there) return std::nullopt;
    GateJob out;
    if (call.is_swallowed) out.causes.insert(GateCause::exit_swallowed);
    return out;
  }

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  const ReadInTree& read_;
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

  std::optional<GateJob> read_steps(const Value& steps, std::string_view usual_shell, int depth) {
    std::optional<GateJob> best;
    for (const Value& step : Peek(steps).list()) {
      const Peek at(step);
      std::optional<GateJob> found;
      const std::string_view uses = at["uses"].text();
      if (is_gate_action(uses)) found.emplace();
      if (uses.starts_with("./")) found = read_action(std::string(uses.substr(2)), depth);
      const std::string_view shell = at["shell"].exists() ? at["shell"].text() : usual_shell;
      if (at["run"].exists()) {
        const auto [stops, pipes] = shell_of(shell);
        found = file_.script(at["run"].text(), stops, pipes);
        if (found && !runs_scripts(shell)) found->causes.insert(GateCause::exit_swallowed);
      }
      if (!found) continue;
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
      const auto text = file_.include(path);
      if (!text) continue;
      const auto root = file_.parse(*text, path);
      if (!root) return std::nullopt;
      const Value* runs = member(*root, "runs");
      const Value* steps = runs != nullptr ? member(*runs, "steps") : nullptr;
      return steps != nullptr ? read_steps(*steps, "", depth + 1) : std::nullopt;
    }
    return std::nullopt;
  }

  /// A workflow of the repository that the job calls: the best of its jobs.
  std::optional<GateJob> read_called(const std::string& path, int depth) {
    if (depth >= kMaxNesting) return std::nullopt;
    const auto text = file_.include(path);
    if (!text) return std::nullopt;
    const auto root = file_.parse(*text, path);
    if (!root) return std::nullopt;
    std::optional<GateJob> best;
    const Value* jobs = member(*root, "jobs");
    for (const auto& [id, job] : Peek(jobs).map().entries())
      if (auto found = read_job(job, *root, depth + 1)) merge_step(best, std::move(*found));
    return best;
  }

  std::optional<GateJob> read_job(const Value& job, const Value& root, int depth) {
    const Peek at(job);
    std::optional<GateJob> found;
    const std::string_view uses = at["uses"].text();
    if (uses.starts_with("./")) found = read_called(std::string(uses.substr(2)), depth);
    if (is_gate_action(uses)) found.emplace();
    std::string_view shell = Peek(root)["defaults"]["run"]["shell"].text();
    if (at["defaults"]["run"]["shell"].exists()) shell = at["defaults"]["run"]["shell"].text();
    if (const Value* steps = member(job, "steps")) {
      auto in_steps = read_steps(*steps, shell, depth);
      if (in_steps) merge_step(found, std::move(*in_steps));
    }
    if (!found) return std::nullopt;
    take_condition(member(job, "if"), *found);
    take_continuation(member(job, "continue-on-error"), *found);
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
  explicit GitlabFile(CiFile& file) : file_(file) {}

  void read(const Value& root) {
    collect(root, 0);
    for (const auto& [name, job] : jobs_.entries())
      if (!name.starts_with('.')) read_job(name, merged(job));
  }

 private:
  void collect(const Value& root, int depth) {
    if (root.as_map() == nullptr || depth >= kMaxNesting) return;
    if (const Value* include = member(root, "include")) {
      Texts paths;
      const auto add = [&](const Value& item) {
        if (item.as_string() != nullptr) paths.push_back(*item.as_string());
        if (Peek(item)["local"].exists()) paths.emplace_back(Peek(item)["local"].text());
      };
      add(*include);
      for (const Value& item : Peek(include).list())
        add(item);
      for (std::string path : paths) {
        if (path.starts_with('/')) path.erase(0, 1);
        if (const auto text = file_.include(path))
          if (const auto inner = file_.parse(*text, path)) collect(*inner, depth + 1);
      }
    }
    if (const Value* workflow = member(root, "workflow"))
      file_.reading.routing += wire::spaced_json(*workflow);
    for (const auto& [name, job] : root.as_map()->entries())
      if (job.as_map() != nullptr && !is_one_of(name, kGitlabKeys)) jobs_.set(name, job);
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
    const Value* script = member(job, "script");
    if (script == nullptr) return;
    auto found = file_.script(gh::join(texts(*script), "\n"), true, true);
    if (!found) return;
    found->id = name;
    take_continuation(member(job, "allow_failure"), *found);
    const std::string_view when = Peek(job)["when"].text();
    if (is_one_of(when, "never manual delayed on_failure") && !when.empty())
      found->causes.insert(GateCause::condition_false);
    for (const char* key : {"rules", "only", "except"})
      if (const Value* rules = member(job, key)) take_rules(key, *rules, *found);
    file_.reading.jobs.push_back(std::move(*found));
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

  CiFile& file_;
  Map jobs_{};
};

class CircleFile {
 public:
  explicit CircleFile(CiFile& file) : file_(file) {}

  void read(const Value& root) {
    for (const auto& [name, job] : Peek(root)["jobs"].map().entries()) {
      std::optional<GateJob> best;
      for (const Value& step : Peek(job)["steps"].list()) {
        const Peek run = Peek(step)["run"];
        const std::string_view text = run["command"].exists() ? run["command"].text() : run.text();
        auto found = file_.script(text, true, true);
        if (found && is_one_of(run["when"].text(), "on_fail"))
          found->causes.insert(GateCause::condition_false);
        if (found) merge_step(best, std::move(*found));
      }
      if (!best) continue;
      best->id = name;
      bool is_used = false;
      for (const auto& [id, workflow] : Peek(root)["workflows"].map().entries())
        for (const Value& entry : Peek(workflow)["jobs"].list())
          is_used = take_use(name, entry, workflow, *best) || is_used;
      if (!is_used) best->causes.insert(GateCause::trigger_removed);
      file_.reading.jobs.push_back(std::move(*best));
    }
  }

 private:
  static bool take_use(const std::string& name, const Value& entry, const Value& workflow,
                       GateJob& job) {
    if (Peek(entry).text() == name) {
      take_condition(member(workflow, "when"), job);
      return true;
    }
    const Value* options = member(entry, name);
    if (options == nullptr) return false;
    take_condition(member(workflow, "when"), job);
    if (const Value* filters = member(*options, "filters"))
      job.conditions.insert("filters: " + wire::spaced_json(*filters));
    if (Peek(*options)["type"].text() == "approval") job.causes.insert(GateCause::condition_false);
    return true;
  }

  CiFile& file_;
};

class AzureFile {
 public:
  explicit AzureFile(CiFile& file) : file_(file) {}

  void read(const Value& root) {
    for (const char* key : {"pr", "trigger"})
      if (const Value* trigger = member(root, key)) {
        CiEvent& event = file_.reading.events[key];
        const Texts words = texts(*trigger);
        if (words.size() == 1 && words[0] == "none") {
          file_.reading.events.erase(key);
          file_.reading.events[std::string("no ") + key];
          continue;
        }
        if (const Value* branches = member(*trigger, "branches")) {
          event.has_branches = member(*branches, "include") != nullptr;
          if (event.has_branches) event.branches = texts(*member(*branches, "include"));
        }
      }
    read_steps("pipeline", root, {});
    for (const Value& job : Peek(root)["jobs"].list())
      read_steps(std::string(Peek(job)["job"].text()), job, {});
    for (const Value& stage : Peek(root)["stages"].list()) {
      GateJob outer;
      take_condition(member(stage, "condition"), outer);
      for (const Value& job : Peek(stage)["jobs"].list())
        read_steps(std::string(Peek(job)["job"].text()), job, outer);
    }
  }

 private:
  void read_steps(std::string name, const Value& job, const GateJob& outer) {
    std::optional<GateJob> best;
    for (const Value& step : Peek(job)["steps"].list()) {
      std::optional<GateJob> found;
      for (const char* key : {"script", "bash", "pwsh"})
        if (const Value* text = member(step, key); text != nullptr && !found)
          found = file_.script(Peek(text).text(), false, false);
      if (!found) continue;
      take_condition(member(step, "condition"), *found);
      take_continuation(member(step, "continueOnError"), *found);
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

/// Does an event with these filters meet a change of the manifest for that branch?
bool meets(const CiEvent& e, const CiChange& change) {
  if (e.has_paths && !matches_any(change.manifest, e.paths)) return false;
  if (e.has_paths_ignore && matches_any(change.manifest, e.paths_ignore)) return false;
  const auto met = [&](const Texts& patterns) {
    if (!change.target_branch.empty()) return matches_any(change.target_branch, patterns);
    return matches_any("main", patterns) || matches_any("master", patterns);
  };
  if (e.has_branches && !met(e.branches)) return false;
  if (e.has_branches_ignore && met(e.branches_ignore)) return false;
  if (!e.has_types) return true;
  return std::ranges::any_of(e.types, [](const std::string& type) {
    return is_one_of(type, "opened synchronize checks_requested");
  });
}

bool is_change_event(std::string_view name) { return is_one_of(name, kChangeEvents); }

/// Base ran on some event, and no such one is left. Events of a change itself count alone, where
/// base had one.
bool lost_trigger(const CiReading& base, const CiReading& head, const CiChange& change) {
  const auto running = [&](const CiReading& reading, bool of_change) {
    return std::ranges::any_of(reading.events, [&](const auto& event) {
      return !event.first.starts_with("no ") && (!of_change || is_change_event(event.first)) &&
             meets(event.second, change);
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

}  // namespace

std::string_view to_string(GateCause cause) { return kCauses[static_cast<std::size_t>(cause)]; }

bool calls_gate(std::string_view script) { return gate_call(script, true, true).is_there; }

CiReading read_ci(std::string_view path, std::string_view text, const ReadInTree& read) {
  CiFile file{std::string(path), read};
  const std::string name = surface::lower_case(path.substr(path.rfind('/') + 1));
  if (name == "jenkinsfile") {
    if (text.size() > kMaxCiFile) return {.is_readable = false};
    for (JenkinsCall& call : jenkins_calls(text)) {
      GateJob job{.id = call.stage.empty() ? "pipeline" : call.stage};
      if (call.is_swallowed) job.causes.insert(GateCause::exit_swallowed);
      if (call.is_never) job.causes.insert(GateCause::condition_false);
      if (!call.condition.empty()) job.conditions.insert(call.condition);
      file.reading.jobs.push_back(std::move(job));
    }
    return std::move(file.reading);
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
  return std::move(file.reading);
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
