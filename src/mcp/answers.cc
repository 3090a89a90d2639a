#include "mcp/answers.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "mcp/inside.h"
#include "mcp/tool_words.h"
#include "model/peek.h"
#include "report/error_document.h"
#include "wire/json.h"

namespace gh::mcp {
namespace {

constexpr std::string_view kStructuredSince = "2025-06-18";
constexpr std::size_t kMaxLine = 400, kMaxRendered = 2'000, kSpareForText = 2'500;
constexpr int kMostCuts = 200;
constexpr std::int64_t kCharactersOfAToken = 4;

std::string line(std::string_view text) { return printable(text, kMaxLine) + "\n"; }

std::string place(const Peek& reason) {
  std::string out(reason["path"].text());
  if (!out.empty() && reason["line"].number() > 0)
    out += fmt::format(":{}", reason["line"].number());
  return out.empty() ? out : out + " ";
}

std::string next_of(const Peek& next) {
  const std::string_view tool = next["tool"].text();
  if (tool.empty()) return std::string(next["command"].text());
  const Map& arguments = next["arguments"].map();
  if (arguments.empty()) return fmt::format("call {}", tool);
  return fmt::format("call {} with {}", tool, wire::canonical_json(arguments));
}

std::string ids_of(const Peek& document) {
  std::string out;
  for (const std::string_view id : {"intent_id", "run_id", "patch_run_id", "proposal_id"})
    if (!document[id].text().empty()) out += line(fmt::format("{}: {}", id, document[id].text()));
  return out;
}

struct Told {
  std::array<std::string_view, 3> way;
  std::string_view label;
};
// table: members that the text of a tool tells
constexpr std::array<Told, 5> kTold{{
    {{"worktree", "path", ""}, "work in: "},
    {{"landing", "commit", ""}, "commit: "},
    {{"landing", "worktree", ""}, "left behind: "},
    {{"receipt_digest", "value", ""}, "receipt: sha256:"},
    {{"receipt", "receipt_digest", "value"}, "receipt: sha256:"},
}};
// table: lists of paths that the text of a tool tells
constexpr std::array<Told, 9> kToldPaths{{
    {{"unexpected_files", "", ""}, "outside of the scope: "},
    {{"forbidden_touched", "", ""}, "forbidden: "},
    {{"scope_check", "unexpected_files", ""}, "outside of the scope: "},
    {{"scope_check", "forbidden_touched", ""}, "forbidden: "},
    {{"workspace_hygiene", "dirty_paths_in_scope", ""}, "uncommitted: "},
    {{"external_changes", "sample", ""}, "changed besides: "},
    {{"committed_outside_scope", "sample", ""}, "committed besides: "},
    {{"committed_not_named", "sample", ""}, "committed and not named: "},
    {{"ignored_in_scope", "sample", ""}, "ignored by git: "},
}};

Peek at(Peek document, const std::array<std::string_view, 3>& way) {
  for (const std::string_view step : way)
    if (!step.empty()) document = document[step];
  return document;
}

std::string members_of(const Peek& document) {
  std::string out;
  for (const Told& row : kTold)
    if (const std::string_view text = at(document, row.way).text(); !text.empty())
      out += line(fmt::format("{}{}", row.label, text));
  for (const Told& row : kToldPaths) {
    std::vector<std::string> paths;
    for (const Value& path : at(document, row.way).list())
      paths.emplace_back(Peek(path).text());
    if (!paths.empty()) out += line(fmt::format("{}{}", row.label, join(paths, ", ")));
  }
  if (document["landing"]["landed"].is_true()) out += line("landed in the main work tree");
  std::size_t shown = 0;
  for (const Value& warning : document["warnings"].list())
    if (shown++ < kMaxReasons)
      out += line(fmt::format("warning: {}", Peek(warning)["message"].text()));
  return out;
}

/// Documents whose verdict is a word, and what is done about it.
struct WordRow {
  std::string_view schema, verdict, next;
};
// clang-format off
// table: next steps of verdicts that are words
constexpr std::array<WordRow, 5> kWordSteps{{
    {"gatehouse.run_comparison/1", "regressed",       "call findings with the later run_id for their places; fix them, analyse, and compare again"},
    {"gatehouse.run_comparison/1", "mixed",           "call findings with the later run_id for their places; fix them, analyse, and compare again"},
    {"gatehouse.run_comparison/1", "incomparable",    "call analyze_repository with the settings of the other run, and compare its run_id"},
    {"gatehouse.review_receipt/1", "needs_attention", "have a person decide what the receipt asks (human_decision_points)"},
    {"gatehouse.review_receipt/1", "incomplete",      "call finish_controlled_change: it checks what this receipt could not"},
}};
// clang-format on

/// What the document says by itself, where it has no verdict or says more.
std::string own_words(const Peek& document, std::string_view headline) {
  std::string out;
  const std::string_view reason = document["reason"].text();
  for (const std::string_view word : {"status", "action_taken"})
    if (const std::string_view said = document[word].text(); !said.empty())
      out += line(reason.empty() ? fmt::format("{}: {}", word, said)
                                 : fmt::format("{}: {} ({})", word, said, reason));
  // Active and not to be edited under yet: what it says besides is easily overlooked.
  const Peek may_edit = document["edit_allowed"];
  if (document["status"].text() == "active" && may_edit.exists() && !may_edit.is_true())
    out += line("edit_allowed: false");
  out += ids_of(document);
  const std::string_view message = document["message"].text();
  if (!message.empty() && message != headline && message != document["next_step"].text())
    out += line(message);
  return out;
}

std::string word_text(const Peek& document, std::string_view word) {
  const std::string_view reason = document["reason"].text();
  std::string out = line(reason.empty() ? fmt::format("verdict: {}", word)
                                        : fmt::format("verdict: {} ({})", word, reason));
  if (const std::string_view summary = document["summary"].text(); !summary.empty())
    out += line(summary);
  out += own_words(document, {}) + members_of(document);
  std::size_t shown = 0;
  for (const Value& card : document["regressions"].list())
    if (shown++ < kMaxReasons)
      out += line(fmt::format("- {} {}", Peek(card)["severity"].text(), Peek(card)["id"].text()));
  if (shown > kMaxReasons) out += line(fmt::format("and {} more regressions", shown - kMaxReasons));
  for (const WordRow& row : kWordSteps)
    if (row.schema == document["schema"].text() && row.verdict == word && !row.next.empty())
      out += line(fmt::format("next: {}", row.next));
  return out;
}

/// What the claim guard found; of other documents nothing.
const List& violated_claims(const Peek& document) {
  static const List none;
  return document["schema"].text() == "gatehouse.claims/1" ? document["violations"].list() : none;
}

std::string cut(std::string text, std::size_t max) {
  if (text.size() <= max) return text;
  const std::size_t end = text.rfind('\n', max);
  text.resize(end == std::string::npos ? max : end);
  return utf8_or_escaped(text) + "\n…\n";
}

std::size_t bytes_of(const Value& value) { return wire::canonical_json(value).size(); }

/// The longest list below the document, by its bytes, with the way to it.
struct Longest {
  List* list = nullptr;
  std::string member{};
  std::size_t bytes = 0;
};
void look_for_longest(Map& map, const std::string& above, int depth, Longest& found) {
  for (const auto& [key, ignored] : map.entries()) {
    Value* value = map.find(key);
    const std::string member = above.empty() ? key : above + "." + key;
    if (member == "omitted") continue;
    if (Map* inner = value->as_map(); inner != nullptr && depth > 0)
      look_for_longest(*inner, member, depth - 1, found);
    List* list = value->as_list();
    if (list == nullptr || list->size() < 2) continue;
    if (const std::size_t bytes = bytes_of(*value); bytes > found.bytes)
      found = {list, member, bytes};
  }
}

void note_omitted(Map& document, const std::string& member, std::int64_t total,
                  std::int64_t shown) {
  if (document.find("omitted") == nullptr) document.set("omitted", List{});
  List& omitted = *document.find("omitted")->as_list();
  for (Value& known : omitted)
    if (Peek(known)["member"].text() == member) {
      known.as_map()->set("shown", shown);
      return;
    }
  omitted.emplace_back(Map{{"member", member}, {"total", total}, {"shown", shown}});
}

/// Of change control only these may be left out (change-control 20.3), in this order.
struct Spare {
  std::string_view outer, inner, retrieve;
};
constexpr std::array<Spare, 3> kSpares{{
    {"receipt", "markdown", "receipt_get with format markdown"},
    {"receipt", "body", "receipt_get"},
    {"patch_trail", "", "receipt_get with part patch_trail"},
}};

bool drop_spare(Map& document, const Spare& spare) {
  Value* outer = document.find(spare.outer);
  if (outer == nullptr || outer->as_map() == nullptr) return false;
  if (spare.inner.empty()) {
    Map kept;
    for (const auto& [key, value] : outer->as_map()->entries())
      if (value.as_list() == nullptr && value.as_map() == nullptr) kept.set(key, value);
    if (kept.size() == outer->as_map()->size()) return false;
    document.set(std::string(spare.outer), std::move(kept));
  } else if (!outer->as_map()->erase(spare.inner)) {
    return false;
  }
  if (document.find("omitted") == nullptr) document.set("omitted", List{});
  document.find("omitted")->as_list()->emplace_back(
      Map{{"member", spare.inner.empty() ? std::string(spare.outer)
                                         : fmt::format("{}.{}", spare.outer, spare.inner)},
          {"retrieve", spare.retrieve}});
  return true;
}

}  // namespace

std::string compact_text(const Value& document, const ops::Reply& reply) {
  const Peek whole(document);
  const bool is_verdict = whole["schema"].text().starts_with("gatehouse.verdict/");
  const Peek verdict = is_verdict ? whole : whole["verdict"];
  if (!verdict.text().empty()) return word_text(whole, verdict.text());
  std::string out;
  if (verdict.exists())
    out += line(fmt::format("{}: {}", verdict["decision"].text(), verdict["headline"].text()));
  out += own_words(whole, verdict["headline"].text());
  const bool is_found = whole["status"].text() == "ok" && !whole["content"].exists();
  if ((out == ids_of(whole) || is_found) && reply.text)  // it says nothing by itself
    return out + cut(reply.text(report::Look{}), kMaxRendered);
  if (const std::string_view page = whole["content"].text(); !page.empty())
    return out + cut(std::string(page), kMaxRendered);
  out += members_of(whole);
  std::string next(whole["next_step"].text());
  if (const std::string call = next_of(whole["next"]); !call.empty() && !next.empty())
    next = fmt::format("{} ({})", call, next);
  std::size_t shown = 0;
  const List& claims = violated_claims(whole);
  for (const Value& item : claims) {
    const Peek claim(item);
    if (shown++ < kMaxReasons)
      out += line(fmt::format("- {} {}: \"{}\"", claim["pattern"].text(), claim["reason"].text(),
                              claim["claim"].text()));
  }
  for (const Value& item : verdict["reasons"].list()) {
    if (!claims.empty()) break;  // they name the pattern alone
    const Peek reason(item);
    if (shown++ < kMaxReasons)
      out += line(
          fmt::format("- {} {}{}", reason["id"].text(), place(reason), reason["message"].text()));
    if (next.empty()) next = next_of(reason["next"]);
  }
  if (shown > kMaxReasons) out += line(fmt::format("and {} more reasons", shown - kMaxReasons));
  if (const std::string tool = next_of(whole["next"]);
      !next.empty() && !whole["next"]["tool"].text().empty() && !contains(next, tool))
    next += fmt::format(" ({})", tool);
  if (!next.empty()) out += line("next: " + next);
  return out;
}

Map fitted(Map document, std::size_t budget, bool is_change_control) {
  if (bytes_of(document) <= budget) return document;
  if (is_change_control) {
    for (const Spare& spare : kSpares)
      if (bytes_of(document) > budget) drop_spare(document, spare);
    return document;
  }
  for (int i = 0; i < kMostCuts && bytes_of(document) > budget; ++i) {
    Longest longest;
    look_for_longest(document, {}, 3, longest);
    if (longest.list == nullptr) break;
    const auto total = static_cast<std::int64_t>(longest.list->size());
    longest.list->resize(longest.list->size() / 2);
    note_omitted(document, longest.member, total, static_cast<std::int64_t>(longest.list->size()));
  }
  return document;
}

Rpc<Map> paged(std::string_view key, const Tool& tool, Map document, const Translated& asked) {
  Value* all = document.find(tool.pages);
  if (all == nullptr || all->as_list() == nullptr) return document;
  std::vector<std::pair<std::string, Value>> items;
  for (Value& item : *all->as_list()) {
    std::string name;
    for (const std::string_view id : {"id", "intent_id", "patch_id", "digest"})
      if (name.empty()) name = Peek(item)[id].text();
    if (name.empty()) name = fmt::to_string(items.size());
    items.emplace_back(std::move(name), std::move(item));
  }
  const auto total = static_cast<std::int64_t>(items.size());
  auto page = page_of(key, std::move(items), asked.cursor, asked.limit);
  if (!page) return tl::make_unexpected(std::move(page).error());
  document.set("total", total);
  document.set("shown", static_cast<std::int64_t>(page->items.size()));
  document.set("truncated", !page->next.empty());
  if (!page->next.empty()) document.set("next_cursor", std::move(page->next));
  document.set(std::string(tool.pages), std::move(page->items));
  return document;
}

Map token_estimate(const Map& document) {
  const std::string text = wire::canonical_json(document);
  const auto characters = std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return {{std::string(kMetaTokens), (characters + kCharactersOfAToken - 1) / kCharactersOfAToken},
          {std::string(kMetaTokenEncoding), "chars_approx"}};
}

Map tool_result(const Call& call, Map document, std::string text, bool is_error) {
  const bool is_structured = call.is_at_least(kStructuredSince);
  if (!is_structured) text = wire::canonical_json(document);
  Map out{{"content", List{Map{{"type", "text"}, {"text", std::move(text)}}}}};
  if (is_structured) out.set("structuredContent", std::move(document));
  if (is_error) out.set("isError", true);
  return out;
}

Map fault_document(const Error& error, std::string_view incident) {
  Map out = report::error_document(error, incident);
  out.set("next", Map{{"kind", "tool"},
                      {"command", nullptr},
                      {"tool", "explain"},
                      {"arguments", Map{{"id", to_string(error.code)}}},
                      {"why", in_tool_words(help(error))}});
  return out;
}

Map tool_fault(const Call& call, const Error& error, std::string_view incident) {
  std::string text = line(report::error_line(error, incident));
  text += line(fmt::format("next: {}", in_tool_words(help(error))));
  return tool_result(call, fault_document(error, incident), std::move(text), true);
}

}  // namespace gh::mcp
