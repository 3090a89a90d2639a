// Agents that CI starts: in steps of GitHub workflows, and in commands of other systems.
#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "powers/facts.h"
#include "powers/words.h"
#include "shell/script.h"
#include "wire/yaml.h"

namespace gh::powers {
namespace {

using Words = std::vector<std::string>;

constexpr wire::YamlLimits kLimits{
    .max_bytes = kMaxFileBytes, .max_depth = 64, .max_nodes = 100'000, .marked_depth = 64};

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

/// Does an agent's name stand there as a word? Of what cannot be read otherwise.
bool mentions_agent(std::string_view text) {
  const auto has_word = [&](std::string_view word) {
    if (word.empty()) return false;
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
      const bool starts = at == 0 || !is_name_letter(text[at - 1]);
      const std::size_t end = at + word.size();
      if (starts && (end == text.size() || !is_name_letter(text[end]))) return true;
    }
    return false;
  };
  for (const ProgramName& program : agent_programs())
    if (has_word(program.name) || has_word(program.packages)) return true;
  return contains(text, kCopilotSetup) || contains(text, "claude-code") ||
         contains(text, "codex-action") || contains(text, "run-gemini-cli") ||
         contains(text, "gemini-cli-action");
}

/// Does some line call a workflow of such a name?
bool calls_agent_workflow(std::string_view text) {
  for (const std::string_view line : split(text, '\n'))
    if (contains(line, "uses:") && names_agent_workflow(line)) return true;
  return false;
}

/// Expressions of the CI become words that a shell can read.
std::string without_expressions(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool opens = text.substr(at, 3) == "${{";
    const std::size_t end = opens ? text.find("}}", at) : text.npos;
    if (opens && end != text.npos) {
      out += "CI_EXPRESSION";
      for (const char c : text.substr(at, end - at))
        if (c == '\n') out += ' ';
      at = end + 2;
    } else {
      out += text[at++];
    }
  }
  return out;
}

/// For people: the place of an expression, not our word for it.
std::string with_expressions(std::string_view text) {
  constexpr std::string_view kWord = "CI_EXPRESSION";
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with(kWord)) {
      out += "${{…}}";
      at += kWord.size();
    } else {
      out += text[at++];
    }
  }
  return out;
}

/// Expressions that stand for a value of JSON become texts.
std::string with_quoted_expressions(std::string_view text) {
  std::string out;
  bool is_in_text = false;
  for (std::size_t at = 0; at < text.size();) {
    const bool opens = text.substr(at, 3) == "${{";
    const std::size_t end = opens ? text.find("}}", at) : text.npos;
    if (opens && end != text.npos) {
      const std::string word = without_expressions(text.substr(at, end + 2 - at));
      out += is_in_text ? word : fmt::format("\"{}\"", word);
      at = end + 2;
      continue;
    }
    if (text[at] == '\\' && is_in_text && at + 1 < text.size()) out += text[at++];
    if (text[at] == '"') is_in_text = !is_in_text;
    out += text[at++];
  }
  return out;
}

struct Call {
  std::string program;
  Words words;  // behind the program
};

/// The agent that a command starts, also by a package runner or behind words that only pass it on.
std::optional<Call> call_of(const shell::Command& command) {
  constexpr std::string_view kPassing =
      "sudo env timeout time nohup exec command nice npx bunx pnpx pnpm yarn dlx uvx bun x npm "
      "stdbuf xvfb-run";
  for (std::size_t i = 0; i < command.words.size(); ++i) {
    const std::string& word = command.words[i].text;
    const std::string_view name = last_part(word);
    // @scope/name@version
    const std::size_t at = word.find('@', 1);
    const std::string_view package = std::string_view(word).substr(0, std::min(at, word.size()));
    for (const ProgramName& program : agent_programs())
      if (name == program.name || package == program.name ||
          (!program.packages.empty() && package == program.packages)) {
        Call out{std::string(program.name), {}};
        for (std::size_t w = i + 1; w < command.words.size(); ++w)
          out.words.push_back(command.words[w].text);
        return out;
      }
    const bool passes = is_among(kPassing, name) || word.starts_with('-') ||
                        word.find('=') != word.npos ||
                        (!word.empty() && word.front() >= '0' && word.front() <= '9');
    if (!passes) return std::nullopt;
  }
  return std::nullopt;
}

/// Tools in one text: separated by commas or blanks, brackets stay together.
Words tools_of(std::string_view text) {
  Words out;
  std::string one;
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')' && depth > 0) --depth;
    if (depth == 0 && (c == ',' || is_white(c))) {
      if (!one.empty()) out.push_back(one);
      one.clear();
    } else {
      one += c;
    }
  }
  if (!one.empty()) out.push_back(one);
  return out;
}

class Job {
 public:
  Job(std::string name, const Owner& owner, Facts& out)
      : name_(std::move(name)), owner_(owner), out_(out) {
    owner_.kind = Kind::workflow;
    owner_.space += "|" + name_;
    owner_.part = owner_.space;
  }

  void prepares_agent(std::int64_t line) {
    use(std::string(kCopilotSetup), "", line, std::string(kCopilotSetup));
  }
  bool has_agents() const { return has_agents_; }
  const std::string& part() const { return owner_.part; }

  void run(std::string_view text, std::int64_t line) {
    if (!mentions_agent(text)) return;
    const std::string plain = without_expressions(text);
    const shell::Script script = shell::read_script(plain);
    bool found = false;
    for (const shell::Command& command : script.commands)
      if (const auto call = call_of(command)) {
        if (!call->words.empty() && is_no_session(call->words.front())) continue;
        found = true;
        use(call->program, "", line, call->program);
        flags(call->program, call->words, line);
      }
    if (script.defect) {
      has_agents_ = has_agents_ || found;
      unreadable("commands", text, line);
    }
  }

  void step(const Node& step) {
    const Node uses = step.member("uses");
    const std::string_view name = uses.text();
    const std::size_t at = name.find('@');
    const ActionRow* action = find_action(name.substr(0, at));
    const bool had_agents = has_agents_;
    has_agents_ = false;
    if (action != nullptr) {
      use(std::string(name.substr(0, at)), at == name.npos ? "" : std::string(name.substr(at + 1)),
          uses.line, std::string(name));
      inputs(*action, step.member("with"));
    }
    const Node run_text = step.member("run");
    run(run_text.text(), run_text.line);
    if (has_agents_) {
      secrets(step.member("with"));
      secrets(step.member("env"));
      secrets(run_text);
      condition(step.member("if"), "step ");
    }
    has_agents_ = has_agents_ || had_agents;
  }

  /// A job that is a workflow of another file.
  void called(const Node& job) {
    const Node uses = job.member("uses");
    if (!names_agent_workflow(uses.text())) return;
    const std::size_t at = uses.text().find('@');
    use(std::string(uses.text().substr(0, at)),
        at == uses.text().npos ? "" : std::string(uses.text().substr(at + 1)), uses.line,
        std::string(uses.text()));
    const Node given = job.member("secrets");
    secrets(given);
    if (given.text() == "inherit")
      grant("secrets", "inherit", Language::exact, Level::allow, Weight::high, given.line,
            "secrets: inherit");
  }

  void condition(const Node& node, std::string_view which) {
    if (node.value == nullptr) return;
    out_.named.push_back({.owner = at(node.line),
                          .name = std::string(which) + "if",
                          .value = flowing(shown_value(*node.value)),
                          .shown = fmt::format("{}: {}if {}", name_, which,
                                               printable(flowing(shown_value(*node.value)), 300)),
                          .added = Effect::narrows,
                          .removed = Effect::widens,
                          .added_weight = Weight::low,
                          .changed_weight = Weight::medium,
                          .removed_as = Change::widened});
  }

  /// Secrets that are handed over, but for the token that every job has and the agent's own key.
  void secrets(const Node& root) {
    struct Open {
      Node node;
      std::string name;
    };
    std::vector<Open> open{{root, ""}};
    while (!open.empty()) {
      const auto [node, name] = std::move(open.back());
      open.pop_back();
      if (node.value == nullptr) continue;
      const std::size_t children = node.map() != nullptr    ? node.map()->entries().size()
                                   : node.list() != nullptr ? node.list()->size()
                                                            : 0;
      for (std::size_t i = 0; i < children; ++i)
        open.push_back(
            {node.child(i), node.map() != nullptr ? node.map()->entries()[i].first : ""});
      const std::string_view text = node.text();
      constexpr std::string_view kSecrets = "secrets.";
      for (std::size_t from = text.find(kSecrets); from != text.npos;
           from = text.find(kSecrets, from + 1)) {
        std::size_t end = from + kSecrets.size();
        while (end < text.size() && is_name_letter(text[end]))
          ++end;
        const std::string_view secret =
            text.substr(from + kSecrets.size(), end - from - kSecrets.size());
        if (secret == "GITHUB_TOKEN" || is_own_key(name, secret)) continue;
        grant("secrets", std::string(text.substr(from, end - from)), Language::exact, Level::allow,
              Weight::high, node.line, std::string(text.substr(from, end - from)));
      }
    }
  }

  void permissions(const Node& own, const Node& of_workflow, std::int64_t line) {
    const Node& node = own.value != nullptr ? own : of_workflow;
    Permissions out{.owner = at(node.value != nullptr ? node.line : line), .job = name_};
    out.place = out.owner.place;
    if (node.value == nullptr || node.value->is_null()) {
      out.is_default = node.value == nullptr;
    } else if (const Map* map = node.map()) {
      for (std::size_t i = 0; i < map->entries().size(); ++i) {
        const auto& [scope, level] = map->entries()[i];
        const std::string_view word =
            level.as_string() != nullptr ? *level.as_string() : std::string_view();
        const int rank = word == "write" ? 2 : word == "read" ? 1 : word == "none" ? 0 : 2;
        if (rank > 0) out.scopes[scope] = rank;
        out.places[scope] = {owner_.place.path, node.child(i).line};
      }
    } else {
      out.is_all = node.text() != "read-all";
      if (!out.is_all) out.scopes["read-all"] = 1;
    }
    out_.permissions.push_back(std::move(out));
  }

 private:
  Owner at(std::int64_t line) const {
    Owner out = owner_;
    out.place.line = line;
    return out;
  }

  void use(std::string action, std::string ref, std::int64_t line, const std::string& shown) {
    has_agents_ = true;
    out_.uses.push_back({.owner = at(line),
                         .job = name_,
                         .action = std::move(action),
                         .ref = std::move(ref),
                         .shown = fmt::format("{}: {}", name_, shown)});
    out_.uses.back().owner.part.clear();
  }

  void unreadable(std::string_view what, std::string_view text, std::int64_t line) {
    Owner owner = at(line);
    out_.unknown.push_back({owner, fmt::format("{}: {}", name_, what), std::string(text)});
  }

  void grant(std::string_view section, std::string rule, Language language, Level level,
             Weight weight, std::int64_t line, const std::string& shown) {
    Grant out{.owner = at(line),
              .level = level,
              .language = language,
              .rule = std::move(rule),
              .shown = fmt::format("{}: {}", name_, with_expressions(shown)),
              .weight = weight};
    out.owner.space += fmt::format("|{}", section);
    out_.grants.push_back(std::move(out));
  }

  void tools(std::string_view program, std::string_view text, Language language, Level level,
             std::int64_t line) {
    const std::string space = fmt::format("{}|{} permission", owner_.space, program);
    for (const std::string& tool : tools_of(text))
      grant(fmt::format("{} permission", program), tool, language, level,
            level == Level::allow ? weight_of(language, tool) : Weight::high, line,
            fmt::format("{} {}", level == Level::allow ? "allow" : "deny", tool));
    for (Grant& one : out_.grants)
      if (one.owner.covered_by.empty() && one.owner.space == space) {
        one.owner.covered_by = everything(program);
      }
  }

  /// Everything that flags of the program could give in this job.
  std::string everything(std::string_view program) const {
    return fmt::format("{}|{} everything", owner_.space, program);
  }

  /// The token that GitHub gives each job: what it may do stands in the permissions.
  static bool is_token_of_job(std::string_view value) {
    std::string plain;
    for (const char c : value)
      if (!is_white(c)) plain += c;
    return plain == "${{secrets.GITHUB_TOKEN}}" || plain == "${{github.token}}";
  }

  /// Settings that are written into an input or behind a flag. False: it is no such text.
  bool document(std::string_view program, std::string_view name, const std::string& text,
                std::int64_t line) {
    const auto keys = document_keys(program, name);
    if (keys.empty() || !without_margin(text).starts_with('{')) return false;
    auto read = json_document(text, name);
    if (!read) read = json_document(with_quoted_expressions(text), name);
    if (!read || read->root.as_map() == nullptr) return false;
    Owner owner = at(line);
    owner.within = owner.part;
    owner.space += fmt::format("|{}", name);
    Facts own;
    const std::string of = fmt::format("{}: ", name_);
    collect_keys(keys, {&read->root, nullptr, line}, owner, "", fmt::format("{}.", name), "", 0,
                 own);
    for_each_owner(own, [](Owner& one) { one.kind = Kind::workflow; });
    const auto take = [&](auto& from, auto& to, auto member) {
      for (auto& one : from) {
        (one.*member).insert(0, of);
        to.push_back(std::move(one));
      }
    };
    take(own.grants, out_.grants, &Grant::shown);
    take(own.restrictions, out_.restrictions, &Restriction::prefix);
    take(own.scales, out_.scales, &Scale::shown);
    take(own.named, out_.named, &Named::shown);
    take(own.servers, out_.servers, &Server::name);
    take(own.unknown, out_.unknown, &Unknown::key);
    std::ranges::move(own.hooks, std::back_inserter(out_.hooks));
    std::ranges::move(own.parts, std::back_inserter(out_.parts));
    return true;
  }

  void named(const std::string& name, std::string value, std::string shown, Weight weight,
             std::int64_t line) {
    Named out{.owner = at(line),
              .name = name,
              .value = std::move(value),
              .shown = fmt::format("{}: {}", name_, shown),
              .added_weight = weight,
              .changed_weight = weight};
    if (weight == Weight::low) out.added = out.changed = out.removed = Effect::tells;
    out_.named.push_back(std::move(out));
  }

  void flags(std::string_view program, const Words& words, std::int64_t line) {
    for (std::size_t i = 0; i < words.size(); ++i) {
      const std::string& word = words[i];
      if (!word.starts_with('-') || word == "-" || word == "--") continue;
      const std::size_t equals = word.find('=');
      const std::string flag = word.substr(0, equals);
      const auto rows = flag_rows();
      const auto row = std::ranges::find_if(
          rows, [&](const FlagRow& r) { return r.program == program && is_among(r.names, flag); });
      if (row == rows.end()) continue;
      std::string value = equals != word.npos ? word.substr(equals + 1) : "";
      const auto take_next = [&] {
        if (equals == word.npos && i + 1 < words.size()) value = words[++i];
      };
      const std::string_view name = row->names.substr(0, row->names.find(' '));
      const std::string shown = fmt::format("{} {}", program, name);
      switch (row->form) {
        case FlagForm::on:
          if (row->weight == Weight::low) break;
          grant(fmt::format("{} flags", program), std::string(name), Language::exact, Level::allow,
                row->weight, line, shown);
          if (row->weight == Weight::critical) {
            out_.grants.back().owner.covered_by = everything(program);
            out_.grants.back().gives = everything(program);
          }
          break;
        case FlagForm::scale: {
          take_next();
          Owner owner = at(line);
          owner.space += "|" + shown;
          // A value that gives everything is what some flags give, too.
          const bool can_give_all = contains(row->words, ":critical");
          if (can_give_all) owner.covered_by = everything(program);
          out_.scales.push_back({owner, fmt::format("{}: {}", name_, shown), value, row->words,
                                 row->fallback, -1,
                                 can_give_all ? everything(program) : std::string()});
          break;
        }
        case FlagForm::allow:
        case FlagForm::deny: {
          if (equals == word.npos)
            while (i + 1 < words.size() && !words[i + 1].starts_with('-'))
              value += " " + words[++i];
          tools(program, value, row->language,
                row->form == FlagForm::allow ? Level::allow : Level::deny, line);
          break;
        }
        case FlagForm::document:
        case FlagForm::named: {
          take_next();
          if (row->form == FlagForm::document && document(program, name, value, line)) break;
          named(fmt::format("{} {}", shown, value.substr(0, value.find('='))), value,
                fmt::format("{} {}", shown, printable(flowing(value), 200)), row->weight, line);
          break;
        }
        case FlagForm::with_value:
          take_next();
          break;
      }
    }
  }

  void inputs(const ActionRow& action, const Node& with) {
    const Map* map = with.map();
    if (map == nullptr) return;
    for (std::size_t i = 0; i < map->entries().size(); ++i) {
      const std::string& key = map->entries()[i].first;
      const Node node = with.child(i);
      const std::string value = shown_value(*node.value);
      const InputRow* row = find_input(action.program, key);
      const InputForm form = row == nullptr ? InputForm::told : row->form;
      switch (form) {
        case InputForm::ignored:
          break;
        case InputForm::scale: {
          Owner owner = at(node.line);
          owner.space += "|" + key;
          out_.scales.push_back(
              {owner, fmt::format("{}: {}", name_, key), value, row->words, row->fallback, 0});
          break;
        }
        case InputForm::allow:
        case InputForm::deny:
          if (row->language == Language::claude)
            tools(action.program, value, row->language,
                  form == InputForm::allow ? Level::allow : Level::deny, node.line);
          else
            for (const std::string& item : tools_of(value))
              grant(key, item, row->language, Level::allow,
                    weight_of(row->language, item, row->weight), node.line,
                    fmt::format("{}: {}", key, item));
          break;
        case InputForm::token:
          if (is_token_of_job(value)) break;
          named(key, flowing(value), key, row->weight, node.line);
          break;
        case InputForm::document:
          if (document(action.program, key, value, node.line)) break;
          [[fallthrough]];
        case InputForm::named:
          named(key, flowing(value), key, row->weight, node.line);
          break;
        case InputForm::told: {
          Named out{.owner = at(node.line),
                    .name = key,
                    .value = flowing(value),
                    .shown = fmt::format("{}: {}", name_, key),
                    .added = Effect::tells,
                    .changed = Effect::tells,
                    .removed = Effect::tells,
                    .added_weight = Weight::low,
                    .changed_weight = Weight::low};
          out.owner.kind = contains(key, "prompt") || contains(key, "instruction")
                               ? Kind::instruction
                               : Kind::workflow;
          out_.named.push_back(std::move(out));
          break;
        }
        case InputForm::flags: {
          std::string line_of_words = std::string(action.program);
          for (const std::string_view line : split(value, '\n'))
            if (!without_margin(line).starts_with('#')) (line_of_words += ' ') += line;
          const shell::Script script = shell::read_script(without_expressions(line_of_words));
          for (const shell::Command& command : script.commands)
            if (const auto call = call_of(command)) flags(call->program, call->words, node.line);
          if (script.defect) unreadable(key, value, node.line);
          break;
        }
      }
    }
  }

  std::string name_;
  Owner owner_;
  Facts& out_;
  bool has_agents_ = false;
};

/// What starts it. YAML 1.1 reads the key as true.
void triggers(const Node& root, const Owner& owner, Facts& out) {
  Node on = root.member("on");
  if (on.value == nullptr) on = root.member("true");
  if (on.value == nullptr) return;
  const auto put = [&](const std::string& name, std::int64_t line) {
    Grant grant{.owner = owner,
                .language = Language::exact,
                .rule = name,
                .shown = "on " + name,
                .weight = weight_of_trigger(name)};
    grant.owner.kind = Kind::workflow;
    grant.owner.part = owner.space;
    grant.owner.space += "|on";
    grant.owner.place.line = line;
    out.grants.push_back(std::move(grant));
  };
  if (!on.text().empty()) put(std::string(on.text()), on.line);
  if (const List* list = on.list())
    for (std::size_t i = 0; i < list->size(); ++i)
      put(shown_value((*list)[i]), on.child(i).line);
  if (const Map* map = on.map())
    for (std::size_t i = 0; i < map->entries().size(); ++i)
      put(map->entries()[i].first, on.child(i).line);
}

void collect_job(const std::string& name, const Node& node, const Node& root, const Owner& owner,
                 Facts& out) {
  Facts own;
  Job job(name, owner, own);
  const Node steps = node.member("steps");
  if (const List* list = steps.list())
    for (std::size_t i = 0; i < list->size(); ++i)
      job.step(steps.child(i));
  job.called(node);
  if (name == kCopilotSetup) job.prepares_agent(node.line);
  if (!job.has_agents()) return;
  job.condition(node.member("if"), "");
  job.secrets(node.member("env"));
  job.secrets(root.member("env"));
  job.permissions(node.member("permissions"), root.member("permissions"), node.line);
  out.parts.push_back(job.part());
  std::ranges::move(own.grants, std::back_inserter(out.grants));
  std::ranges::move(own.restrictions, std::back_inserter(out.restrictions));
  std::ranges::move(own.scales, std::back_inserter(out.scales));
  std::ranges::move(own.hooks, std::back_inserter(out.hooks));
  std::ranges::move(own.servers, std::back_inserter(out.servers));
  std::ranges::move(own.parts, std::back_inserter(out.parts));
  std::ranges::move(own.named, std::back_inserter(out.named));
  std::ranges::move(own.uses, std::back_inserter(out.uses));
  std::ranges::move(own.permissions, std::back_inserter(out.permissions));
  std::ranges::move(own.unknown, std::back_inserter(out.unknown));
}

/// Every text below it may be a command.
void collect_commands(const std::string& name, const Node& root, const Owner& owner, Facts& out) {
  Facts own;
  Job job(name, owner, own);
  std::vector<Node> open{root};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (node.value == nullptr) continue;
    const std::size_t children = node.map() != nullptr    ? node.map()->entries().size()
                                 : node.list() != nullptr ? node.list()->size()
                                                          : 0;
    for (std::size_t i = children; i > 0; --i)
      open.push_back(node.child(i - 1));
    if (!node.text().empty()) job.run(node.text(), node.line);
  }
  if (!job.has_agents()) return;
  out.parts.push_back(job.part());
  std::ranges::move(own.grants, std::back_inserter(out.grants));
  std::ranges::move(own.restrictions, std::back_inserter(out.restrictions));
  std::ranges::move(own.scales, std::back_inserter(out.scales));
  std::ranges::move(own.hooks, std::back_inserter(out.hooks));
  std::ranges::move(own.servers, std::back_inserter(out.servers));
  std::ranges::move(own.parts, std::back_inserter(out.parts));
  std::ranges::move(own.named, std::back_inserter(out.named));
  std::ranges::move(own.uses, std::back_inserter(out.uses));
  std::ranges::move(own.unknown, std::back_inserter(out.unknown));
}

}  // namespace

Defect collect_workflow(const std::string& path, const std::string& file, std::string_view text,
                        bool is_github, Facts& out) {
  const bool calls_one = is_github && calls_agent_workflow(text);
  if (!mentions_agent(text) && !calls_one) return {};
  if (text.size() > kMaxFileBytes) return {.what = "too large"};
  auto read = wire::read_yaml(text, path, wire::YamlDialect::compatible, kLimits);
  if (!read) return defect_of(read.error(), path);
  const Node root{&read->root, &read->marks, 1};
  const Owner owner{
      .host = Host::ci, .kind = Kind::workflow, .space = "ci|" + file, .place = {.path = path}};
  const std::size_t before = out.parts.size();
  if (is_github) {
    if (const Node runs = root.member("runs"); runs.value != nullptr)
      collect_job("action", runs, root, owner, out);
    const Node jobs = root.member("jobs");
    if (const Map* map = jobs.map())
      for (std::size_t i = 0; i < map->entries().size(); ++i)
        collect_job(map->entries()[i].first, jobs.child(i), root, owner, out);
    if (out.parts.size() == before) return {};
    triggers(root, owner, out);
    out.parts.push_back(owner.space);
    return {};
  }
  const Map* map = root.map();
  for (std::size_t i = 0; map != nullptr && i < map->entries().size(); ++i) {
    const Node node = root.child(i);
    const std::string& name = map->entries()[i].first;
    const Map* inner = name == "jobs" || name == "pipelines" ? node.map() : nullptr;
    for (std::size_t j = 0; inner != nullptr && j < inner->entries().size(); ++j)
      collect_commands(inner->entries()[j].first, node.child(j), owner, out);
    if (inner == nullptr) collect_commands(name, node, owner, out);
  }
  return {};
}

Defect collect_rights(const std::string& path, std::string_view text, Facts& out) {
  if (text.size() > kMaxFileBytes) return {.what = "too large"};
  auto read = wire::read_yaml(text, path, wire::YamlDialect::compatible, kLimits);
  if (!read) return defect_of(read.error(), path);
  const Node root{&read->root, &read->marks, 1};
  const Owner owner{
      .host = Host::ci, .kind = Kind::workflow, .space = "ci|" + path, .place = {.path = path}};
  const Node jobs = root.member("jobs");
  if (const Map* map = jobs.map())
    for (std::size_t i = 0; i < map->entries().size(); ++i) {
      const Node job = jobs.child(i);
      Job(map->entries()[i].first, owner, out)
          .permissions(job.member("permissions"), root.member("permissions"), job.line);
    }
  triggers(root, owner, out);
  return {};
}

std::string jobs_with_agents(const std::string& path, std::string_view text) {
  Facts facts;
  if (collect_workflow(path, "", text, true, facts).is_set()) return {};
  std::ranges::sort(facts.parts);
  return join(facts.parts, "\n");
}

}  // namespace gh::powers
