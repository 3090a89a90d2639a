// Rules of our own: what keyword and annotation rules of the contract let pass (tool-surface 16.2).
// They gate in the extended profile only.
#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/text.h"
#include "base/unicode.h"
#include "checks/check_groups.h"
#include "model/peek.h"
#include "surface/verbs.h"

namespace gh::checks {
namespace {

using surface::is_one_of;
using surface::Tool;
using Texts = std::vector<std::string>;

bool is_mutating_scope(std::string_view scope) {
  return std::ranges::any_of(surface::tokens_of(scope), [](const std::string& w) {
    return is_one_of(w, "write delete create update manage modify admin");
  });
}

bool says_false(const Tool& tool, std::string_view key) {
  const Value* given = tool.annotations.find(key);
  return given != nullptr && *given == Value(false);
}

/// Evidence against a tool's claim that it is harmless; protocol evidence first.
struct Against {
  Texts evidence{};
  bool is_protocol = false;
};

Against evidence_against(const Tool& tool, bool destructive_only) {
  Against out;
  const std::string method = http_method(tool);
  if (!destructive_only && annotation_is_true(tool, "destructiveHint"))
    out.evidence.emplace_back("annotation:destructiveHint");
  if (is_one_of(method, destructive_only ? "DELETE" : "POST PUT PATCH DELETE"))
    out.evidence.push_back(fmt::format("method:{}", method));
  out.is_protocol = !out.evidence.empty();
  if (const auto verb = surface::verb_of(tool);
      verb && (destructive_only ? verb->what == "destructive" : is_mutating(*verb)))
    out.evidence.push_back(fmt::format("verb:{}", verb->verb));
  if (!destructive_only)
    for (const std::string& scope : tool.auth.scopes)
      if (is_mutating_scope(scope)) out.evidence.push_back(fmt::format("scope:{}", scope));
  return out;
}

// -------------------------------------------------------------------------------------- poisoning

/// Characters that a reader does not see and a model does.
bool is_hidden(char32_t c) {
  return (c >= 0x200B && c <= 0x200F) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x2069) || c == 0xFEFF || (c >= 0xE000 && c <= 0xF8FF) ||
         (c >= 0xE0000 && c <= 0xE007F);
}

bool has_hidden(std::string_view text) {
  for (std::size_t at = 0; at < text.size();)
    if (is_hidden(next_code_point(text, at))) return true;
  return false;
}

struct Signal {
  std::string_view name;
  const char* pattern;
};
// clang-format off
// table: poisoning signals
constexpr std::array<Signal, 6> kSignals{{
    {"instruction_block", "(?i)<(important|system|instructions?|secret)>"},
    {"instruction_phrase", "(?i)(before|after) (using|calling) (this|any|the) tool|do not (tell|mention|inform)|don't (tell|mention)|always call .{1,60} first"},
    {"credential_path", "~/\\.ssh|\\bid_rsa\\b|\\.aws/credentials|(^|[\\s/'\"`])\\.env\\b|\\bmcp\\.json\\b"},
    {"encoded_blob", "[A-Za-z0-9+/]{65,}={0,2}|\\b[0-9a-fA-F]{65,}\\b"},
    {"data_url", "!\\[[^\\]]{0,80}\\]\\(https?://[^)]{0,200}[{$]|https?://[^\\s]{0,200}[?&][a-z_]+=[{$]"},
    {"concealment", "(?i)without (telling|informing|asking) the user|(the user|users?) (must|should) not (see|know)"},
}};
// clang-format on

template <std::size_t Row>
const RE2& signal_row() {
  static const RE2 regex(kSignals[Row].pattern);
  return regex;
}
constexpr std::array kSignalRegexes{&signal_row<0>, &signal_row<1>, &signal_row<2>,
                                    &signal_row<3>, &signal_row<4>, &signal_row<5>};

/// Every text that a host may hand to a model.
Texts texts_of(const Tool& tool) {
  Texts out{tool.name, tool.description};
  const Value annotations(tool.annotations);
  std::vector<const Value*> open{&annotations, &tool.input_schema.value(),
                                 &tool.output_schema.value()};
  while (!open.empty()) {
    const Value* v = open.back();
    open.pop_back();
    if (const std::string* text = v->as_string()) out.push_back(*text);
    if (const List* list = v->as_list())
      for (const Value& item : *list)
        open.push_back(&item);
    if (const Map* map = v->as_map())
      for (const auto& [key, value] : map->entries()) {
        out.push_back(key);
        open.push_back(&value);
      }
  }
  return out;
}

Texts signals_of(const Tool& tool) {
  std::set<std::string> out;
  for (const std::string& text : texts_of(tool)) {
    if (has_hidden(text)) out.insert("hidden_characters");
    for (std::size_t i = 0; i < kSignals.size(); ++i)
      if (RE2::PartialMatch(text, kSignalRegexes[i]())) out.emplace(kSignals[i].name);
  }
  return {out.begin(), out.end()};
}

// ------------------------------------------------------------------------------------ supply chain

/// Why what is started tomorrow may be something else than today; empty when it may not.
std::string why_unpinned(const surface::ServerCommand& s) {
  if (s.url.starts_with("http://")) return "plain_http";
  const std::string_view program = std::string_view(s.command).substr(s.command.rfind('/') + 1);
  const std::string line = fmt::format("{} {}", s.command, join(s.arguments, " "));
  if (contains(line, "curl") && contains(line, "| sh")) return "pipe_to_shell";
  const bool is_docker =
      program == "docker" && std::ranges::find(s.arguments, "run") != s.arguments.end();
  if (is_docker)
    return std::ranges::any_of(s.arguments,
                               [](const std::string& a) { return contains(a, "@sha256:"); })
               ? ""
               : "image_without_digest";
  if (!is_one_of(program, "npx uvx pipx bunx")) return {};
  const auto package = std::ranges::find_if(
      s.arguments, [](const std::string& a) { return !a.starts_with('-') && a != "run"; });
  if (package == s.arguments.end()) return {};
  const std::size_t at = package->find('@', 1), equals = package->find("==");
  const std::string version = equals != std::string::npos ? package->substr(equals + 2)
                              : at != std::string::npos   ? package->substr(at + 1)
                                                          : "";
  const bool is_exact = !version.empty() && version[0] >= '0' && version[0] <= '9' &&
                        version.find_first_of("x*^~<> ") == std::string::npos;
  return is_exact ? "" : "package_without_version";
}

bool is_secret_name(std::string_view name) {
  const auto words = surface::name_words(name);
  const std::string joined_words = join(words, "_");
  if (words.empty()) return false;
  // Places in a list of results are tokens, too, and nobody's secret.
  if (std::ranges::any_of(words, [](const std::string& w) {
        return is_one_of(w, "page next continuation sync cursor max tokens count limit");
      }))
    return false;
  constexpr std::string_view kKeys =
      "api access private secret signing encryption auth master service webhook deploy account";
  const bool is_key =
      words.size() > 1 && words.back() == "key" && is_one_of(words[words.size() - 2], kKeys);
  return is_key || contains(joined_words, "secret_key") || words.back().ends_with("password") ||
         is_one_of(words.back(),
                   "token passwd pwd secret apikey passphrase credential credentials authtoken");
}

using Servers = std::vector<surface::ServerCommand>;

/// Names alone; values are never looked at.
void tell_secrets(const Check& check, const Servers& servers, Found& found) {
  for (const auto& server : servers) {
    Texts names;
    std::ranges::copy_if(server.environment, std::back_inserter(names), is_secret_name);
    if (!names.empty())
      found.about_agent(check, {.what = server.server,
                                .evidence = {{"server", server.server},
                                             {"path", server.path},
                                             {"names", string_list(names)}}});
  }
}

// -------------------------------------------------------------------------------------- data flow

bool has_word(const Tool& tool, std::string_view words) {
  const auto name = surface::name_words(tool.name);
  return std::ranges::any_of(name, [&](const std::string& w) { return is_one_of(w, words); });
}

bool reads_private(const Tool& tool) {
  const bool is_of_mailbox = has_word(tool, "inbox mailbox mail mails email emails messages") &&
                             !has_word(tool, "send reply create post forward draft");
  return has(tool, {"sensitive_data_access"}) || is_of_mailbox ||
         has_word(tool,
                  "customer customers account accounts database db secret secrets vault crm "
                  "payroll patient");
}
bool takes_untrusted(const Tool& tool) {
  return has_word(tool,
                  "fetch browse crawl web url scrape inbox mail mails email emails issue issues "
                  "ticket tickets") &&
         !has(tool, {"external_write"}) && !has_word(tool, "send reply create post");
}
/// What only reads of those who are outside sends them nothing.
bool begins_with_a_read(const Tool& tool) {
  const auto words = surface::name_words(tool.name);
  return !words.empty() &&
         is_one_of(words.front(),
                   "read get list lookup preview search status view describe count check compare "
                   "find inspect show summarize validate fetch query look");
}

bool sends_outward(const Tool& tool) {
  if (has_word(tool, "send post publish upload reply webhook")) return true;
  return has(tool, {"external_write", "customer_communication"}) && !begins_with_a_read(tool);
}

using Candidates = std::vector<const Tool*>;

Candidates all_that(const Scan& scan, bool (*fits)(const Tool&)) {
  constexpr std::size_t kMaxOfAKind = 50;
  Candidates out;
  for (const Tool& tool : scan.surface.tools)
    if (fits(tool) && out.size() < kMaxOfAKind) out.push_back(&tool);
  return out;
}

bool is_waived(const Scan& scan, std::string_view check_id, const Map& evidence) {
  return std::ranges::any_of(scan.manifest.ignore, [&](const surface::IgnoreEntry& entry) {
    return entry.check_id == check_id && entry.tool == triple_of(evidence) &&
           !surface::is_expired(entry, scan.today);
  });
}

/// Triples of three tools first, then those in which one tool has two parts.
template <class Take>
void each_triple(const Scan& scan, Take take) {
  const Candidates readers = all_that(scan, reads_private),
                   takers = all_that(scan, takes_untrusted),
                   senders = all_that(scan, sends_outward);
  for (const bool is_shared : {false, true})
    for (const Tool* taker : takers)
      for (const Tool* reader : readers)
        for (const Tool* sender : senders)
          if (reader != taker && sender != taker && (sender == reader) == is_shared &&
              !take(Map{{"private_data", reader->name},
                        {"untrusted_content", taker->name},
                        {"outward", sender->name}}))
            return;
}

// ----------------------------------------------------------------------------------------- names

/// Letters that look alike become one.
std::string skeleton(std::string_view name) {
  std::string out;
  for (const char c : surface::lower_case(name)) {
    if (c == '_' || c == '-' || c == '.') continue;
    out += c == '0' ? 'o' : c == '1' || c == 'i' ? 'l' : c == '5' ? 's' : c;
  }
  return out;
}

}  // namespace

void annotation_contradiction(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    const bool claims_read = annotation_is_true(tool, "readOnlyHint");
    if (!claims_read && !says_false(tool, "destructiveHint")) continue;
    Against against = evidence_against(tool, !claims_read);
    if (against.evidence.empty()) continue;
    found.about_tool(check, tool,
                     {.evidence = {{"claim", claims_read ? "readOnlyHint" : "destructiveHint"},
                                   {"against", string_list(against.evidence)}},
                      .provenance = against.is_protocol ? Provenance::static_declaration
                                                        : Provenance::keyword_heuristic});
  }
}

void risk_unclassified(const Check& check, const Scan& scan, Found& found) {
  for (const surface::Action& action : scan.actions) {
    const Tool* tool = scan.surface.tool_named(action.tool_name);
    if (tool == nullptr || action.is_declared || !tool->hints.empty() ||
        !tool->auth.scopes.empty() || !http_method(*tool).empty() ||
        surface::is_evidence(surface::verb_of(*tool)) || tool->annotations.find("readOnlyHint") ||
        tool->annotations.find("destructiveHint"))
      continue;
    Told told{.evidence = {{"tool_name", tool->name}, {"source_id", tool->source_id}}};
    if (scan.manifest.is_production_like()) told.severity = FindingSeverity::high;
    found.about_tool(check, *tool, std::move(told));
  }
}

void risk_verb(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    const auto verb = surface::verb_of(tool);
    // Who is caught saying the contrary of what it does is not believed to be read-only.
    const bool reads = is_read_only(tool) && evidence_against(tool, false).evidence.empty();
    if (!verb || !is_mutating(*verb) || is_write(tool) || is_high_risk(tool) || reads) continue;
    const bool wants_approval = verb->what != "write";
    if (wants_approval ? scan.surface.approval_tools.contains(tool.name)
                       : !tool.auth.scopes.empty())
      continue;
    Told told{.what = verb->verb,
              .evidence = {{"verb", verb->verb},
                           {"class", verb->what},
                           {"stands_for", wants_approval ? "SHIP-POLICY-APPROVAL-MISSING"
                                                         : "SHIP-AUTH-MISSING-SCOPE"}}};
    if (wants_approval) told.severity = FindingSeverity::critical;
    found.about_tool(check, tool, std::move(told));
  }
}

void tool_shadowing(const Check& check, const Scan& scan, Found& found) {
  for (const auto& shadow : scan.surface.shadows)
    if (const Tool* tool = scan.surface.tool_named(shadow.name))
      found.about_tool(check, *tool,
                       {.what = shadow.other_source,
                        .evidence = {{"sources", List{shadow.kept_source, shadow.other_source}},
                                     {"differing", string_list(shadow.differing)}}});
  std::map<std::string, const Tool*> known;
  for (const Tool& tool : scan.surface.tools) {
    const auto [same, is_new] = known.emplace(skeleton(tool.name), &tool);
    if (is_new || same->second->name == tool.name || same->second->source_id == tool.source_id)
      continue;
    found.about_tool(check, tool,
                     {.what = same->second->name,
                      .evidence = {{"sources", List{same->second->source_id, tool.source_id}},
                                   {"looks_like", same->second->name}}});
  }
}

void tool_poisoning(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools) {
    const Texts signals = signals_of(tool);
    const bool hidden = std::ranges::find(signals, "hidden_characters") != signals.end();
    if (!hidden && signals.size() < 2) continue;  // one weak sign alone is no proof
    Told told{.evidence = {{"signals", string_list(signals)}}};
    if (hidden) told.severity = FindingSeverity::critical;
    found.about_tool(check, tool, std::move(told));
  }
}

std::string triple_of(const Map& evidence) {
  const auto name = [&](std::string_view part) { return Peek(evidence.find(part)).text(); };
  return fmt::format("{}, {}, {}", name("private_data"), name("untrusted_content"),
                     name("outward"));
}

/// The first triple that nobody waived, and those in front of it: a waiver is for one triple.
void flow_trifecta(const Check& check, const Scan& scan, Found& found) {
  each_triple(scan, [&](Map evidence) {
    const bool goes_on = is_waived(scan, check.id, evidence);
    found.about_agent(check, {.what = triple_of(evidence), .evidence = std::move(evidence)});
    return goes_on;
  });
}

void secret_parameter(const Check& check, const Scan& scan, Found& found) {
  for (const Tool& tool : scan.surface.tools)
    for (const auto& p : tool.parameters)
      if (is_secret_name(p.name))
        found.about_tool(check, tool, {.what = p.name, .evidence = {{"parameter", p.name}}});
}

void exec_unpinned(const Check& check, const Scan& scan, Found& found) {
  const auto look = [&](const Servers& servers) {
    for (const auto& server : servers)
      if (const std::string why = why_unpinned(server); !why.empty())
        found.about_agent(
            check,
            {.what = server.server,
             .evidence = {{"server", server.server}, {"path", server.path}, {"reason", why}}});
  };
  if (scan.surface.codex) look(scan.surface.codex->commands);
  look(scan.surface.codex_config_servers);
  look(scan.surface.source_servers);
  look(scan.surface.host.servers);
}

void env_passthrough(const Check& check, const Scan& scan, Found& found) {
  if (scan.surface.codex) tell_secrets(check, scan.surface.codex->commands, found);
  tell_secrets(check, scan.surface.codex_config_servers, found);
  tell_secrets(check, scan.surface.source_servers, found);
}

void env_secret_passthrough(const Check& check, const Scan& scan, Found& found) {
  tell_secrets(check, scan.surface.host.servers, found);
}

void source_partial(const Check& check, const Scan& scan, Found& found) {
  for (const std::string& id : scan.surface.partial_sources)
    found.about_agent(check, {.what = id, .evidence = {{"source_id", id}}});
}

void unused_source(const Check& check, const Scan& scan, Found& found) {
  if (scan.surface.tools.empty()) return;  // SHIP-INVENTORY-NOT-ENUMERABLE says so already
  for (const std::string& id : scan.surface.empty_sources)
    found.about_agent(check, {.what = id, .evidence = {{"source_id", id}}});
}

}  // namespace gh::checks
