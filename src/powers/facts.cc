#include "powers/facts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "base/unicode.h"
#include "powers/pattern.h"
#include "powers/words.h"
#include "setup/json_text.h"
#include "wire/json.h"
#include "wire/json_marks.h"
#include "wire/spaced_json.h"
#include "wire/toml.h"
#include "wire/yaml.h"

namespace gh::powers {
namespace {

using Words = std::vector<std::string>;
using wire::Document;

constexpr std::size_t kMaxShown = 300;  // code points of one value

// --------------------------------------------------------------------------------- keys

bool fits(std::string_view pattern, std::string_view key) {
  if (pattern == key || pattern == "*") return true;
  return pattern.find('*') != pattern.npos && takes_all_of(pattern, key);
}

enum class Fit : std::uint8_t { none, whole, above, all_below };
/// How the path stands to the key of a row: it is the key, it leads there, or the row takes
/// everything there.
Fit fit_of(std::string_view key, const Words& path) {
  const bool takes_all = key.ends_with("/**");
  if (takes_all) key.remove_suffix(3);
  std::size_t at = 0;
  while (at < path.size()) {
    const std::size_t end = std::min(key.find('/'), key.size());
    if (!fits(key.substr(0, end), path[at])) return Fit::none;
    ++at;
    if (end == key.size()) {
      if (at == path.size()) return takes_all ? Fit::all_below : Fit::whole;
      return takes_all ? Fit::all_below : Fit::none;
    }
    key.remove_prefix(end + 1);
  }
  return Fit::above;
}

struct Match {
  const KeyRow* row = nullptr;    // about this very key
  const KeyRow* below = nullptr;  // about everything at and below some key on the way
  bool leads_on = false;          // rows are about what is below
};
Match match_of(std::span<const KeyRow> rows, const Words& path) {
  Match out;
  for (const KeyRow& row : rows) {
    const Fit fit = fit_of(row.key, path);
    if (fit == Fit::whole && out.row == nullptr) out.row = &row;
    if (fit == Fit::all_below && out.below == nullptr) out.below = &row;
    if (fit == Fit::above) out.leads_on = true;
  }
  return out;
}

/// Texts of a list, or of a text with commas or blanks between them; what stands in brackets stays
/// together. nullopt: something else is among them.
struct Item {
  std::string text;
  std::int64_t line;
};
std::optional<std::vector<Item>> items_of(const Node& node) {
  std::vector<Item> out;
  if (const std::string* text = node.value->as_string()) {
    int depth = 0;
    std::string one;
    const auto put = [&] {
      if (!without_margin(one).empty())
        out.push_back({std::string(without_margin(one)), node.line});
      one.clear();
    };
    for (const char c : *text) {
      if (c == '(') ++depth;
      if (c == ')' && depth > 0) --depth;
      if (depth == 0 && (c == ',' || is_white(c)))
        put();
      else
        one += c;
    }
    put();
    return out;
  }
  if (node.value->is_null()) return out;
  const List* list = node.list();
  if (list == nullptr) return std::nullopt;
  for (std::size_t i = 0; i < list->size(); ++i) {
    const Node item = node.child(i);
    if (const std::string* text = (*list)[i].as_string())
      out.push_back({*text, item.line});
    else if (const std::int64_t* number = (*list)[i].as_int())
      out.push_back({std::to_string(*number), item.line});
    else
      return std::nullopt;
  }
  return out;
}

bool is_rule(const KeyRow& row) {
  return (row.kind == Kind::permission || row.kind == Kind::agent) &&
         (row.language == Language::claude || row.language == Language::cursor ||
          row.language == Language::gemini) &&
         row.form != Form::only;
}

std::string_view word_of(Level level) {
  return level == Level::allow ? "allow" : level == Level::ask ? "ask" : "deny";
}

/// What stands between the strokes that are in no brackets. nullopt: brackets do not match.
std::optional<Words> alternatives(std::string_view text) {
  Words out(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (depth < 0) return std::nullopt;
    if (c == '|' && depth == 0)
      out.emplace_back();
    else
      out.back() += c;
  }
  if (depth != 0) return std::nullopt;
  for (std::string& one : out)
    one = std::string(without_margin(one));
  return out;
}

/// "(A|B)" and "(?:A|B)" without what is around the names; anything else as it is.
std::string_view without_brackets(std::string_view text) {
  for (const std::string_view start : {"(?:", "("})
    if (text.starts_with(start) && text.ends_with(')'))
      return text.substr(start.size(), text.size() - start.size() - 1);
  return text;
}

class Collector {
 public:
  Collector(std::span<const KeyRow> rows, const Owner& owner, std::string_view prefix,
            std::string_view path_of_unknown, std::string_view unknown, int layer, Facts& out)
      : rows_(rows),
        owner_(owner),
        prefix_(prefix),
        path_of_unknown_(path_of_unknown),
        unknown_(unknown),
        layer_(layer),
        out_(out) {}

  void run(const Node& root) {
    struct Open {
      Node node;
      Words path;
    };
    std::vector<Open> open{{root, {}}};
    while (!open.empty()) {
      const Open now = std::move(open.back());
      open.pop_back();
      const Map* map = now.node.map();
      if (map == nullptr) continue;
      for (std::size_t i = 0; i < map->entries().size(); ++i) {
        Words path = now.path;
        path.push_back(map->entries()[i].first);
        const Node node = now.node.child(i);
        Words below = path;
        if (below.size() > 2 && below.front() == "profiles")
          below.erase(below.begin(), below.begin() + 2);
        const bool is_profile = path.front() == "profiles" && path.size() <= 2;
        const Match match = match_of(rows_, below);
        // A key that is one value in one release is a mapping in the next.
        const bool is_value = match.row != nullptr &&
                              (match.row->form == Form::scale || match.row->form == Form::ignored);
        const KeyRow* row = match.row != nullptr ? match.row : match.below;
        if (is_value && node.map() != nullptr && (match.leads_on || match.below != nullptr))
          row = match.below;
        // What is only told of is told of by its name.
        const bool is_told = row != nullptr && row == match.below && row->form == Form::told;
        const bool descends = node.map() != nullptr && (match.leads_on || is_profile || is_told) &&
                              (row == match.below || is_value);
        if (descends)
          open.push_back({node, std::move(path)});
        else if (row != nullptr)
          take(*row, node, path);
        else
          take_unknown(node, path);
      }
    }
  }

 private:
  Owner owner_at(const Node& node, Kind kind, std::string_view section) const {
    Owner out = owner_;
    out.kind = kind;
    out.space += fmt::format("|{}", section);
    out.place.line = node.line;
    return out;
  }
  static std::string joined(const Words& path) { return join(path, "."); }

  void take_unknown(const Node& node, const Words& path) {
    const std::string key = joined(path);
    if (!unknown_.empty()) {
      const auto prefixes = split(unknown_, ' ');
      if (std::ranges::none_of(prefixes, [&](std::string_view p) { return key.starts_with(p); }))
        return;
    }
    std::string shown = std::string(path_of_unknown_) + key;
    if (shown.empty()) shown = "\"\"";  // a key may be empty, a row says something
    out_.unknown.push_back({owner_at(node, Kind::setting, shown), shown, text_of(*node.value)});
  }

  void take(const KeyRow& row, const Node& node, const Words& path) {
    const std::string key = row.shown.empty() ? joined(path) : std::string(row.shown);
    switch (row.form) {
      case Form::ignored:
        return;
      case Form::scale:
        if (node.value->is_null()) return;
        if (node.map() != nullptr || node.list() != nullptr) return take_unknown(node, path);
        out_.scales.push_back({owner_at(node, row.kind, key), prefix_ + key,
                               shown_value(*node.value), row.words, row.fallback, layer_});
        if (const std::string_view list = list_given_by(key); !list.empty())
          out_.scales.back().gives = fmt::format("{}|{}", owner_.space, list);
        return;
      case Form::allow:
        return take_items(row, Level::allow, node, path, key);
      case Form::ask:
        return take_items(row, Level::ask, node, path, key);
      case Form::deny:
        return take_items(row, Level::deny, node, path, key);
      case Form::only:
        return take_items(row, Level::allow, node, path, key);
      case Form::flags:
        return take_flags(row, node, path, key);
      case Form::approvals:
        return take_approvals(row, node, path, key);
      case Form::runs:
      case Form::named:
        return take_named(row, node, key);
      case Form::told:
        out_.named.push_back({.owner = owner_at(node, row.kind, key),
                              .name = key,
                              .value = text_of(*node.value),
                              .shown = prefix_ + key,
                              .added = Effect::tells,
                              .changed = Effect::tells,
                              .removed = Effect::tells,
                              .added_weight = Weight::low,
                              .changed_weight = Weight::low});
        return;
      case Form::variables:
        return take_environment(row, node, path, key);
      case Form::hooks:
        return take_hooks(node, path);
      case Form::servers:
        return take_servers(node, path);
      case Form::marketplaces:
        return take_marketplaces(row, node, path, key);
      case Form::policies:
        return take_policies(node, path);
    }
  }

  void take_items(const KeyRow& row, Level level, const Node& node, const Words& path,
                  const std::string& key) {
    const auto items = items_of(node);
    if (!items) return take_unknown(node, path);
    const bool is_agent_list = row.kind == Kind::agent && row.form == Form::only;
    const std::string space = is_rule(row) ? "permission" : key;
    const std::string prefix = is_agent_list ? prefix_ : prefix_ + key + ": ";
    if (row.form == Form::only)
      out_.restrictions.push_back({owner_at(node, row.kind, space), prefix, row.weight});
    for (const Item& item : *items) {
      Grant grant{.owner = owner_at(node, row.kind, space),
                  .level = level,
                  .language = row.language,
                  .rule = item.text,
                  .shown = is_rule(row) ? fmt::format("{}{} {}", prefix_, word_of(level), item.text)
                                        : prefix + item.text,
                  .weight = row.weight};
      grant.owner.place.line = item.line;
      grant.owner.covered_by = grant.owner.space;
      if (level == Level::allow) grant.weight = weight_of(row.language, item.text, row.weight);
      if (level == Level::ask) grant.weight = Weight::medium;
      if (is_agent_list) grant.weight = std::min(grant.weight, Weight::medium);
      if (row.form == Form::only && !is_agent_list) grant.weight = row.weight;
      out_.grants.push_back(std::move(grant));
    }
  }

  void put_flag(const KeyRow& row, const std::string& name, std::int64_t line,
                const std::string& key) {
    Grant grant{.owner = owner_at({}, row.kind, key),
                .language = Language::exact,
                .rule = name,
                .shown = fmt::format("{}{}: {}", prefix_, key, name),
                .weight = row.weight};
    grant.owner.place.line = line;
    out_.grants.push_back(std::move(grant));
  }
  void take_flags(const KeyRow& row, const Node& node, const Words& path, const std::string& key) {
    if (const Map* map = node.map()) {
      for (std::size_t i = 0; i < map->entries().size(); ++i) {
        const auto& [name, value] = map->entries()[i];
        const bool is_off = (value.as_bool() != nullptr && !*value.as_bool()) || value.is_null();
        if (!is_off) put_flag(row, name, node.child(i).line, key);
      }
    } else if (const auto items = items_of(node)) {
      for (const Item& item : *items)
        put_flag(row, item.text, item.line, key);
    } else {
      take_unknown(node, path);
    }
  }

  void take_approvals(const KeyRow& row, const Node& node, const Words& path,
                      const std::string& key) {
    const auto put = [&](const std::string& pattern, bool approves, std::int64_t line) {
      Grant grant{
          .owner = owner_at(node, row.kind, key),
          .level = approves ? Level::allow : Level::deny,
          .language = row.language,
          .rule = pattern,
          .shown = fmt::format("{}{}: {} = {}", prefix_, key, pattern, approves),
          .weight = approves ? weight_of(row.language, pattern, Weight::medium) : row.weight};
      grant.owner.place.line = line;
      out_.grants.push_back(std::move(grant));
    };
    if (const Map* map = node.map()) {
      for (std::size_t i = 0; i < map->entries().size(); ++i) {
        const auto& [pattern, value] = map->entries()[i];
        const Node item = node.child(i);
        if (const bool* flag = value.as_bool()) {
          put(pattern, *flag, item.line);
        } else if (const Map* parts = value.as_map()) {
          bool approves = false;
          for (const auto& [name, part] : parts->entries())
            approves = approves || (name.starts_with("approve") && part.as_bool() != nullptr &&
                                    *part.as_bool());
          put(pattern, approves, item.line);
        } else if (!value.is_null()) {
          take_unknown(item, {key, pattern});
        }
      }
    } else if (const auto items = items_of(node)) {
      for (const Item& item : *items)
        put(item.text, true, item.line);
    } else {
      take_unknown(node, path);
    }
  }

  void take_named(const KeyRow& row, const Node& node, const std::string& key) {
    if (node.value->is_null()) return;
    Words words;
    if (const List* list = node.list())
      for (const Value& item : *list)
        words.push_back(shown_value(item));
    const bool is_plain = node.map() == nullptr;
    const std::string value = node.list() != nullptr ? join(words, " ") : shown_value(*node.value);
    const Weight weight =
        looks_secret(key) && row.weight < Weight::high ? Weight::high : row.weight;
    out_.named.push_back(
        {.owner = owner_at(node, row.kind, key),
         .name = key,
         .value = text_of(*node.value),
         .shown = is_plain ? fmt::format("{}{} = {}", prefix_, key, printable(value, kMaxShown))
                           : prefix_ + key,
         .added_weight = weight,
         .changed_weight = weight});
  }

  void take_environment(const KeyRow& row, const Node& node, const Words& path,
                        const std::string& key) {
    const Map* map = node.map();
    if (map == nullptr) return take_unknown(node, path);
    const bool is_header = contains(key, "headers");
    const bool is_of_server = row.kind == Kind::server;
    for (std::size_t i = 0; i < map->entries().size(); ++i) {
      const auto& [name, value] = map->entries()[i];
      const Node item = node.child(i);
      if (!is_of_server && is_powerless_variable(name)) continue;
      const bool is_risky = is_risky_variable(name);
      Named named{.owner = owner_at(item, row.kind, key),
                  .name = name,
                  .value = text_of(value),
                  .shown = fmt::format("{}{} {}", prefix_, is_header ? "header" : key, name),
                  .added_weight = is_risky ? Weight::high : Weight::medium,
                  .changed_weight = is_risky && !is_of_server ? Weight::high : Weight::medium};
      if (!is_of_server && !is_risky) {
        named.added = named.changed = named.removed = Effect::tells;
        named.added_weight = named.changed_weight = Weight::low;
      }
      out_.named.push_back(std::move(named));
    }
  }

  // --- hooks ---
  void take_hook(const Node& node, const std::string& event, const std::string& matcher) {
    const Map* map = node.map();
    if (map == nullptr) return take_unknown(node, {"hooks", event});
    Hook hook{.owner = owner_at(node, Kind::hook, "hooks"), .event = event, .matcher = matcher};
    const auto text = [&](std::string_view key) { return std::string(node.member(key).text()); };
    std::string program = text("command");
    if (const List* args = node.member("args").list())
      for (const Value& arg : *args)
        program += " " + shown_value(arg);
    for (const std::string_view system : {"bash", "windows", "linux", "osx", "powershell"})
      if (const std::string other = text(system); !other.empty())
        program += (program.empty() ? "" : " | ") + fmt::format("{}: {}", system, other);
    const std::string type = text("type");
    if (type == "http" || !text("url").empty()) program = "http " + text("url");
    if (type == "prompt" || type == "agent")
      program = fmt::format("{} {}", type, flowing(text("prompt")));
    if (type == "mcp_tool") program = fmt::format("mcp_tool {} {}", text("server"), text("tool"));
    if (program.empty()) return take_unknown(node, {"hooks", event});
    hook.program = printable(program, kMaxShown);
    std::string_view rest = matcher;
    // Names as a whole: "^(?:A|B)$" takes what "A|B" takes.
    bool is_whole = false;
    for (const std::string_view start : {"^(?:", "^("})
      if (!is_whole && rest.starts_with(start) && rest.ends_with(")$")) {
        const std::string_view inner = rest.substr(start.size(), rest.size() - start.size() - 2);
        if (alternatives(inner)) {
          rest = inner;
          is_whole = true;
        }
      }
    if (matcher.empty() || matcher == "*" || matcher == ".*" || matcher == "^.*$") {
      hook.tools = {"*"};
    } else if (!is_whole && (contains(matcher, "(") || contains(matcher, "["))) {
      // What it takes is not known, and more than the names that stand in it.
      hook.tools = {matcher};
      if (!contains(matcher, "["))
        for (const std::string_view one : split(without_brackets(matcher), '|'))
          hook.tools.emplace_back(without_margin(one));
      std::ranges::sort(hook.tools);
    } else {
      const auto names = alternatives(rest);
      hook.tools = names ? *names : Words{std::string(rest)};
      std::ranges::sort(hook.tools);
    }
    const auto is_true = [&](std::string_view key) {
      const Node flag = node.member(key);
      return flag.value != nullptr && flag.value->as_bool() != nullptr && *flag.value->as_bool();
    };
    if (text("onFailure") == "block") {
      hook.closes = true;
      hook.closes_as = " (onFailure block)";
    }
    if (is_true("failClosed")) {
      hook.closes = true;
      hook.closes_as = " (failClosed)";
    }
    hook.waits = !is_true("async") && !is_true("asyncRewake");
    hook.only_if = text("if");
    for (const auto& [key, value] : map->entries()) {
      constexpr std::string_view kKnown =
          " command args type url prompt server tool onFailure failClosed async asyncRewake if "
          "bash windows "
          "linux osx powershell matcher statusMessage name description loop_limit sequential ";
      if (contains(kKnown, " " + key + " ")) continue;
      // A guard that is given up earlier lets more through; of others it says nothing.
      if (key.starts_with("timeout") && !is_guard_event(event)) continue;
      hook.extra += fmt::format("{}={};", key, text_of(value));
    }
    out_.hooks.push_back(std::move(hook));
  }

  void take_hooks(const Node& node, const Words& path) {
    const Map* events = node.map();
    if (events == nullptr) return take_unknown(node, path);
    for (std::size_t e = 0; e < events->entries().size(); ++e) {
      const std::string& event = events->entries()[e].first;
      const Node groups = node.child(e);
      const List* list = groups.list();
      if (list == nullptr) {
        const Match match = match_of(rows_, {"hooks", event});
        if (match.row != nullptr)
          take(*match.row, groups, {"hooks", event});
        else
          take_unknown(groups, {"hooks", event});
        continue;
      }
      for (std::size_t g = 0; g < list->size(); ++g) {
        const Node group = groups.child(g);
        const std::string matcher(group.member("matcher").text());
        const Node hooks = group.member("hooks");
        if (const List* inner = hooks.list()) {
          for (std::size_t h = 0; h < inner->size(); ++h)
            take_hook(hooks.child(h), event, matcher);
        } else {
          take_hook(group, event, matcher);
        }
      }
    }
  }

  // --- servers ---
  void take_servers(const Node& node, const Words& path) {
    const Map* servers = node.map();
    if (servers == nullptr) return take_unknown(node, path);
    for (std::size_t i = 0; i < servers->entries().size(); ++i) {
      const std::string& name = servers->entries()[i].first;
      const Node server = node.child(i);
      if (server.map() == nullptr) {
        take_unknown(server, {joined(path), name});
        continue;
      }
      Owner owner = owner_at(server, Kind::server, "servers");
      owner.part = fmt::format("{}|{}", owner.space, name);
      Server out{
          .owner = owner, .name = name, .rest = text_of(*server.value), .members = *server.map()};
      for (const std::string_view key : {"httpUrl", "url", "serverUrl"})
        if (!out.is_url && !server.member(key).text().empty()) {
          out.is_url = true;
          out.words = {std::string(server.member(key).text())};
        }
      if (!out.is_url) {
        const Node command = server.member("command");
        if (!command.text().empty()) out.words.emplace_back(command.text());
        for (const Node& all : {command, server.member("args")})
          if (const List* args = all.list())
            for (const Value& arg : *args)
              out.words.push_back(shown_value(arg));
      }
      out_.parts.push_back(owner.part);
      out_.servers.push_back(std::move(out));
      Owner inner = owner;
      inner.space += "|" + name;
      collect_keys(server_keys(), server, inner, name + " ",
                   fmt::format("{}{}.{}.", path_of_unknown_, joined(path), name), "", layer_, out_);
    }
  }

  void take_marketplaces(const KeyRow& row, const Node& node, const Words& path,
                         const std::string& key) {
    const Map* map = node.map();
    const List* list = node.list();
    if (map == nullptr && list == nullptr) return take_unknown(node, path);
    const std::size_t count = map != nullptr ? map->entries().size() : list->size();
    for (std::size_t i = 0; i < count; ++i) {
      const Node item = node.child(i);
      const std::string name =
          map != nullptr ? map->entries()[i].first : std::string(item.member("name").text());
      if (item.map() == nullptr || name.empty()) {
        take_unknown(item, {key, std::to_string(i)});
        continue;
      }
      const Node source = item.member("source");
      std::string words;
      if (!source.text().empty()) words = " " + std::string(source.text());
      for (const std::string_view part : {"source", "repo", "url", "package", "path", "ref"})
        if (!source.member(part).text().empty())
          words += " " + std::string(source.member(part).text());
      // The version of a plugin that lies in the repository is a word about it.
      const bool is_here = source.text().starts_with('.');
      Map weighs;
      for (const auto& [part, value] : item.map()->entries())
        if (!is_description_of_plugin(part) && !(is_here && part == "version"))
          weighs.set(part, value);
      if (!is_here && !item.member("version").text().empty())
        words += " " + std::string(item.member("version").text());
      out_.named.push_back(
          {.owner = owner_at(item, row.kind, key),
           .name = name,
           .value = text_of(Value(std::move(weighs))),
           .shown = fmt::format("{}{}: {}{}", prefix_, key, name, printable(words, kMaxShown)),
           .added_weight = row.weight,
           .changed_weight = row.weight});
    }
  }

  /// [[rule]] of Gemini: which tool, with which words, and what then.
  void take_policies(const Node& node, const Words& path) {
    const List* rules = node.list();
    if (rules == nullptr) return take_unknown(node, path);
    for (std::size_t i = 0; i < rules->size(); ++i) {
      const Node rule = node.child(i);
      const std::string_view decision = rule.member("decision").text();
      const bool is_known = decision == "allow" || decision == "deny" || decision == "ask_user";
      const auto texts = [&](std::string_view key) {
        const Node member = rule.member(key);
        Words out;
        if (member.list() != nullptr)
          for (const Value& item : *member.list())
            out.push_back(shown_value(item));
        else if (!member.text().empty())
          out.emplace_back(member.text());
        return out;
      };
      Words tools = texts("toolName"), words = texts("commandPrefix");
      for (const std::string_view key : {"commandRegex", "argsPattern"})
        for (const std::string& pattern : texts(key))
          words.push_back("/" + pattern + "/");
      if (tools.empty()) tools = {"*"};
      if (const std::string server(rule.member("mcpName").text()); !server.empty())
        for (std::string& tool : tools)
          tool = "mcp_" + server + "_" + tool;
      if (words.empty()) words = {""};
      if (!is_known || rule.map() == nullptr) {
        take_unknown(rule, {joined(path), std::to_string(i)});
        continue;
      }
      const Level level = decision == "allow"  ? Level::allow
                          : decision == "deny" ? Level::deny
                                               : Level::ask;
      for (const std::string& tool : tools)
        for (const std::string& word : words) {
          const std::string text = word.empty() ? tool : fmt::format("{}({})", tool, word);
          Grant grant{.owner = owner_at(rule, Kind::permission, "permission"),
                      .level = level,
                      .language = Language::gemini,
                      .rule = text,
                      .shown = fmt::format("{} {}", word_of(level), text),
                      .weight = level == Level::allow  ? weight_of(Language::gemini, text)
                                : level == Level::deny ? Weight::high
                                                       : Weight::medium};
          grant.owner.place.line = rule.line;
          out_.grants.push_back(std::move(grant));
        }
    }
  }

  std::span<const KeyRow> rows_;
  Owner owner_;
  std::string prefix_, path_of_unknown_;
  std::string_view unknown_;
  int layer_;
  Facts& out_;
};

// --------------------------------------------------------------------------------- Markdown

struct Head {
  std::string yaml{};               // with the lines of the file: line 1 is empty
  std::string told{};               // everything else that tells something, in its lines
  std::vector<std::string> keys{};  // what is told in the head; the order of keys tells nothing
  std::string body{};
};

/// Lines of keys that a row is about, apart from the rest.
Head head_of(std::string_view text, std::span<const KeyRow> rows) {
  Head out;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  const auto lines = split(text, '\n');
  const auto is_fence = [](std::string_view line) { return without_margin(line) == "---"; };
  std::size_t end = 0;
  if (!lines.empty() && is_fence(lines.front()))
    for (std::size_t i = 1; i < lines.size() && end == 0; ++i)
      if (is_fence(lines[i])) end = i;
  enum class What : std::uint8_t { power, nothing, told } what = What::told;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view line = lines[i];
    const bool is_in_head = end != 0 && i > 0 && i < end;
    if (is_in_head && !line.empty() && !is_white(line.front()) && line.front() != '-' &&
        line.front() != ']' && line.front() != '}') {
      const std::string_view key =
          without_margin(line.substr(0, std::min(line.find(':'), line.size())));
      const bool is_power =
          std::ranges::any_of(rows, [&](const KeyRow& row) { return row.key == key; });
      what = is_power ? What::power : is_powerless_head_key(key) ? What::nothing : What::told;
      if (what == What::told) out.keys.emplace_back();
    }
    if (!is_in_head) {
      if (end == 0 || i > end) (out.body += line) += '\n';
      out.told += line;
    } else if (what == What::power) {
      out.yaml += line;
    } else if (what == What::told) {
      if (out.keys.empty()) out.keys.emplace_back();
      (out.keys.back() += line) += '\n';
      out.told += line;
    }
    out.yaml += '\n';
    out.told += '\n';
  }
  std::ranges::sort(out.keys);
  return out;
}

std::string stem_of(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::string(name.substr(0, name.rfind('.')));
}

/// Hosts read "tools: *" and "allowed-tools: Bash(a: b)", YAML does not: such values in quotes.
std::string with_quotes(std::string_view yaml) {
  std::string out;
  for (const std::string_view line : split(yaml, '\n')) {
    const std::size_t colon = line.find(": ");
    std::string_view value =
        colon == line.npos || is_white(line.front()) ? "" : line.substr(colon + 2);
    value = without_margin(value.substr(0, std::min(value.find(" #"), value.size())));
    if (value.empty() || contains("[{\"'|>", value.substr(0, 1))) {
      out += line;
    } else {
      (out += line.substr(0, colon)) += ": '";
      for (const char c : value)
        out += c == '\'' ? std::string("''") : std::string(1, c);
      out += '\'';
    }
    out += '\n';
  }
  return out;
}

Defect collect_head(const KnownFile& file, const std::string& path, std::string_view text,
                    const Owner& owner, Facts& out) {
  const Head head = head_of(text, file.row->keys);
  constexpr wire::YamlLimits kLimits{
      .max_bytes = kMaxFileBytes, .max_depth = 32, .max_nodes = 100'000};
  auto read = wire::read_yaml(head.yaml, path, wire::YamlDialect::compatible, kLimits);
  if (!read) {
    const Defect defect = defect_of(read.error(), path);
    read = wire::read_yaml(with_quotes(head.yaml), path, wire::YamlDialect::compatible, kLimits);
    if (!read) return defect;
  }
  std::string name = stem_of(path);
  for (const std::string_view end : {".agent", ".chatmode"})
    if (name.ends_with(end)) name.erase(name.size() - end.size());
  std::string_view kind = "command";
  if (file.row->reader == Reader::skill) {
    kind = "skill";
    const std::string_view folder = std::string_view(path).substr(0, path.rfind('/'));
    name = std::string(folder.substr(folder.rfind('/') + 1));
  }
  if (file.row->reader == Reader::agent) kind = "agent";
  const Node root{&read->root, &read->marks, 1};
  Owner inner = owner;
  inner.space += fmt::format("|{} {}", kind, path);
  const std::string prefix = fmt::format("{} {}: ", kind, name);
  Owner listed = inner;
  if (kind == "agent") {
    listed.part = inner.space;
    out.parts.push_back(listed.part);
    Facts own;
    collect_keys(file.row->keys, root, listed, prefix, prefix, "\x01", 0, own);
    std::vector<std::string> tools;
    for (const Grant& grant : own.grants)
      if (grant.level == Level::allow) tools.push_back(grant.rule);
    std::ranges::sort(tools);
    Owner whole = inner;
    whole.kind = Kind::agent;
    out.named.push_back(
        {.owner = whole,
         .name = "",
         .value = "",
         .shown = prefix + (own.restrictions.empty() ? "all tools" : join(tools, ", ")),
         .added_weight = Weight::medium});
    for (Scale& scale : own.scales)
      scale.owner.part.clear();
    for (Hook& hook : own.hooks)
      hook.owner.part.clear();
    std::ranges::move(own.grants, std::back_inserter(out.grants));
    std::ranges::move(own.restrictions, std::back_inserter(out.restrictions));
    std::ranges::move(own.scales, std::back_inserter(out.scales));
    std::ranges::move(own.named, std::back_inserter(out.named));
    std::ranges::move(own.hooks, std::back_inserter(out.hooks));
  } else {
    collect_keys(file.row->keys, root, inner, prefix, prefix, "\x01", 0, out);
  }
  Owner told = listed;
  add_instruction(told, text, head.told, flowing(join(head.keys, "\n") + "\n---\n" + head.body),
                  out);
  return {};
}

bool is_blank_json(std::string_view text) {
  return without_margin(text).empty() || without_margin(text) == "\xEF\xBB\xBF";
}

}  // namespace

Node Node::child(std::size_t index) const {
  Node out;
  if (const Map* entries = map(); entries != nullptr && index < entries->entries().size())
    out.value = &entries->entries()[index].second;
  else if (const List* items = list(); items != nullptr && index < items->size())
    out.value = &(*items)[index];
  out.marks =
      marks != nullptr && index < marks->children.size() ? &marks->children[index] : nullptr;
  out.line = out.marks != nullptr && out.marks->mark.line > 0 ? out.marks->mark.line : line;
  return out;
}

Node Node::member(std::string_view key) const {
  if (const Map* entries = map())
    for (std::size_t i = 0; i < entries->entries().size(); ++i)
      if (entries->entries()[i].first == key) return child(i);
  return {};
}

std::string_view Node::text() const {
  const std::string* s = value != nullptr ? value->as_string() : nullptr;
  return s != nullptr ? std::string_view(*s) : std::string_view();
}

Result<Document> json_document(std::string_view text, std::string_view name) {
  GH_TRY(read, setup::JsonText::read(text, name));
  const setup::JsonNode& root = read.at(setup::JsonText::kRoot);
  const std::string_view before = std::string_view(read.text()).substr(0, root.begin);
  const std::size_t line_start = before.rfind('\n');
  const wire::Mark start{
      1 + std::ranges::count(before, '\n'),
      static_cast<std::int64_t>(1 + root.begin - (line_start == before.npos ? 0 : line_start + 1))};
  return Document{
      .root = read.value_of(setup::JsonText::kRoot),
      .marks = wire::json_marks(read.plain(setup::JsonText::kRoot), setup::kMaxJsonDepth, start)};
}

bool gives_all(const Scale& scale) {
  if (scale.gives.empty()) return false;
  const auto word = find_word(scale.words, scale.value);
  return word && (scale.value == "true" || word->weight == Weight::critical);
}

std::string text_of(const Value& value) { return wire::spaced_json(value); }

std::string shown_value(const Value& value) {
  if (const std::string* text = value.as_string()) return *text;
  if (const bool* flag = value.as_bool()) return *flag ? "true" : "false";
  return text_of(value);
}

void collect_keys(std::span<const KeyRow> rows, const Node& root, const Owner& owner,
                  std::string_view prefix, std::string_view path_of_unknown,
                  std::string_view unknown, int layer, Facts& out) {
  Collector(rows, owner, prefix, path_of_unknown, unknown, layer, out).run(root);
}

Defect defect_of(const Error& error, std::string_view name) {
  Defect out{.what = "syntax"};
  if (error.code == Code::document_too_large) out.what = "too large";
  std::string_view message = error.message;
  if (message.starts_with(name)) message.remove_prefix(name.size());
  std::int64_t line = 0;
  if (message.starts_with(':'))
    for (std::size_t i = 1; i < message.size() && message[i] >= '0' && message[i] <= '9' && i < 10;
         ++i)
      line = line * 10 + (message[i] - '0');
  if (line > 0) out.line = line;
  const std::size_t key = message.find("key '");
  if (key != message.npos && contains(message, "' is already at")) {
    const std::string_view rest = message.substr(key + 5);
    out.what = fmt::format("duplicate key {}", rest.substr(0, rest.find("' is already at")));
  }
  return out;
}

std::string flowing(std::string_view text) {
  std::string out;
  bool gap = false;
  for (const char c : text) {
    if (is_white(c)) {
      gap = true;
      continue;
    }
    if (gap && !out.empty()) out += ' ';
    gap = false;
    out += c;
  }
  return out;
}

std::vector<char32_t> hidden_characters(std::string_view text) {
  std::vector<char32_t> out;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (!is_utf8(text)) return {0xFFFD};
  constexpr char32_t kJoiner = 0x200D, kNonJoiner = 0x200C, kSoftHyphen = 0xAD;
  char32_t before = 0;
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    // Joiners shape scripts and emoji, private use draws symbols; between letters they hide
    // nothing.
    const bool is_joiner = (c == kJoiner || c == kNonJoiner) && before > 0x7F;
    const bool is_private = c >= 0xE000 && c <= 0xF8FF;
    if (c > 0x7F && is_unsafe_in_path(c) && !is_joiner && !is_private && c != kSoftHyphen)
      out.push_back(c);
    before = c;
  }
  return out;
}

void add_instruction(const Owner& owner, std::string_view text, std::string_view told,
                     std::string value, Facts& out) {
  Owner whose = owner;
  whose.kind = Kind::instruction;
  whose.place.line = 1;
  out.instructions.push_back(
      {std::move(whose), std::string(told), std::move(value), hidden_characters(text)});
}

Defect collect(const KnownFile& file, const std::string& path, std::string_view text, Facts& out) {
  const FileRow& row = *file.row;
  Owner owner{.host = row.host,
              .space = fmt::format("{}|{}", to_string(row.host), file.base),
              .place = {.path = path}};
  if (text.size() > kMaxFileBytes) return {.what = "too large"};
  switch (row.reader) {
    case Reader::settings_json: {
      if (is_blank_json(text)) return {};
      auto read = json_document(text, path);
      if (!read) return defect_of(read.error(), path);
      if (read->root.as_map() == nullptr) return {.what = "no object"};
      collect_keys(row.keys, {&read->root, &read->marks, 1}, owner, "", "", row.unknown, row.layer,
                   out);
      return {};
    }
    case Reader::settings_toml: {
      auto read = wire::read_toml(text, path, {.max_bytes = kMaxFileBytes, .levels = 32});
      if (!read) return defect_of(read.error(), path);
      // What an agent of Codex may do is its own, other files share what they say.
      if (path.find("agents/") != path.npos) {
        owner.space += "|" + path;
        Owner whole = owner;
        whole.kind = Kind::agent;
        out.named.push_back({.owner = whole,
                             .name = "",
                             .value = "",
                             .shown = "agent " + stem_of(path),
                             .added = Effect::tells,
                             .removed = Effect::tells,
                             .added_weight = Weight::low});
        owner.part = owner.space;
        out.parts.push_back(owner.part);
      }
      collect_keys(row.keys, {&read->root, &read->marks, 1}, owner, "", "", row.unknown, row.layer,
                   out);
      return {};
    }
    case Reader::agent:
    case Reader::command:
    case Reader::skill:
      return collect_head(file, path, text, owner, out);
    case Reader::instruction:
      owner.space += "|" + path;
      add_instruction(owner, text, text, flowing(text), out);
      return {};
    case Reader::workflow:
    case Reader::ci_file:
      return collect_workflow(path, path, text, row.reader == Reader::workflow, out);
    case Reader::script:
    case Reader::other: {
      owner.space += "|" + path;
      owner.kind = row.reader == Reader::script ? Kind::program : Kind::setting;
      out.named.push_back({.owner = owner,
                           .name = path,
                           .value = std::string(text),
                           .shown = path,
                           .added = Effect::tells,
                           .changed = row.reader == Reader::script ? Effect::widens : Effect::tells,
                           .removed = Effect::tells,
                           .added_weight = Weight::low,
                           .changed_weight = Weight::medium,
                           .is_text = true});
      return {};
    }
    case Reader::none:
      return {.what = "no reader for this kind of file"};
  }
  return {};
}

}  // namespace gh::powers
