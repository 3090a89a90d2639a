#include "analysis/suppressions.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>

#include <fmt/format.h>

#include "analysis/finding.h"
#include "analysis/language_traits.h"
#include "analysis/report_view.h"
#include "analysis/statements.h"
#include "base/product.h"
#include "base/text.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Tree;

// table: suppression rules
constexpr std::array<std::string_view, 8> kRules{
    "dead-code",          "clone",
    "complexity",         "coupling",
    "cohesion",           "duplicated-branches",
    "clone-cohort-drift", "clone-guard-exit-divergence"};
// table: suppression spellings
constexpr std::array<std::string_view, 2> kSpellings{kProduct, "codeclone"};

std::string_view trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); };
  while (!text.empty() && is_blank(text.front()))
    text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back()))
    text.remove_suffix(1);
  return text;
}

std::string_view without_marks(std::string_view comment) {
  if (comment.starts_with("/*")) {
    comment.remove_prefix(2);
    if (comment.ends_with("*/")) comment.remove_suffix(2);
  } else if (comment.starts_with("//")) {
    comment.remove_prefix(2);
  } else if (comment.starts_with('#')) {
    comment.remove_prefix(1);
  }
  return trimmed(comment);
}

bool is_rule_name(std::string_view text) {
  return !text.empty() && text.front() != '-' && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  });
}

/// Nothing for a comment that is no directive; no rules for one that is written wrongly.
std::optional<std::vector<std::string_view>> rules_in(std::string_view comment) {
  std::string_view text = without_marks(comment);
  const auto spelling = std::ranges::find_if(
      kSpellings, [&](std::string_view word) { return text.starts_with(word); });
  if (spelling == kSpellings.end()) return std::nullopt;
  text = text.substr(spelling->size());
  constexpr std::string_view kIgnore = "ignore";
  if (!text.starts_with(':') || !trimmed(text.substr(1)).starts_with(kIgnore)) return std::nullopt;
  text = trimmed(text.substr(1)).substr(kIgnore.size());
  std::vector<std::string_view> rules;
  if (!text.starts_with('[') || !text.ends_with(']') || text.size() < 2) return rules;
  for (const std::string_view part : split(text.substr(1, text.size() - 2), ',')) {
    rules.push_back(trimmed(part));
    if (!is_rule_name(rules.back())) return std::vector<std::string_view>{};
  }
  return rules;
}

/// The lines to which a directive may be attached.
struct Header {
  std::uint32_t first;  // of the first decorator, or the keyword
  std::uint32_t keyword;
  std::uint32_t closing;  // where the header ends
};

std::uint32_t closing_line(const Tree& tree, std::uint32_t node, char mark) {
  std::uint32_t from = tree[node].start, to = tree.ends[node], body = from;
  for (const std::uint32_t child : Children(tree, node)) {
    if (tree[child].kind == Kind::Decorator) continue;
    if (tree[child].kind == Kind::Block)
      body = to = std::max(from, tree[child].start);
    else
      from = std::max(from, tree.ends[child]);
  }
  auto comment = std::ranges::lower_bound(tree.comments, from, {},
                                          [](const syntax::Comment& c) { return c.start; });
  for (std::uint32_t at = from; at < to; ++at) {
    if (comment != tree.comments.end() && comment->start == at) {
      at = std::max(at, comment->end - 1);
      ++comment;
    } else if (tree.source[at] == mark) {
      return tree.line_at(at);
    }
  }
  return tree.line_at(std::max(from, body));  // where the mark is a part of the body
}

Header header_of(const Tree& tree, std::uint32_t node) {
  Header out{.first = tree.start_line(node),
             .keyword = tree.start_line(node),
             .closing = closing_line(tree, node, traits_of(tree.language).header_end)};
  for (const std::uint32_t child : Children(tree, node))
    if (tree[child].kind == Kind::Decorator)
      out.first = std::min(out.first, tree.start_line(child));
  return out;
}

/// A function that is the value of a variable is declared where the variable is.
void begin_with_variables(const Tree& tree, const std::vector<std::uint32_t>& nodes,
                          std::vector<Header>& headers) {
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i) {
    if (tree[i].kind != Kind::Assign) continue;
    for (const std::uint32_t child : Children(tree, i)) {
      const auto at = std::ranges::lower_bound(nodes, child);
      if (at == nodes.end() || *at != child) continue;
      Header& header = headers[static_cast<std::size_t>(at - nodes.begin())];
      header.first = std::min(header.first, tree.start_line(i));
    }
  }
}

/// Attributes of Rust and `template <…>` of C++ stand before what they are about.
bool is_heading(const Tree& tree, std::uint32_t node) {
  if (tree[node].kind != Kind::Type) return false;
  return (tree.language == syntax::Language::rust && tree.text(node).starts_with('#')) ||
         (tree.language == syntax::Language::cpp && tree.text(node).starts_with('<'));
}

void begin_with_headings(const Tree& tree, const std::vector<std::uint32_t>& nodes,
                         std::vector<Header>& headers) {
  const auto read = [&](std::uint32_t list) {
    std::uint32_t first = 0;  // line of the first heading before the next declaration; 0: none
    for (const std::uint32_t child : Children(tree, list)) {
      if (is_heading(tree, child)) {
        if (first == 0) first = tree.start_line(child);
        continue;
      }
      const auto at = std::ranges::lower_bound(nodes, child);
      if (first != 0 && at != nodes.end() && *at == child) {
        Header& header = headers[static_cast<std::size_t>(at - nodes.begin())];
        header.first = std::min(header.first, first);
      }
      first = 0;
    }
  };
  for (std::uint32_t i = 0; i < tree.nodes.size(); ++i)
    if (i == 0 || tree[i].kind == Kind::Block) read(i);
}

/// In Rust what documents a declaration is an attribute too.
void begin_with_docs(const Tree& tree, std::vector<Header>& headers) {
  if (tree.language != syntax::Language::rust) return;
  std::unordered_map<std::uint32_t, std::uint32_t> first_line_of;  // by the last line
  for (const syntax::Comment& comment : tree.comments) {
    const std::string_view text = tree.source.substr(comment.start, comment.end - comment.start);
    if (text.starts_with("///") || text.starts_with("/**"))
      first_line_of.emplace(tree.line_at(comment.end - 1), tree.line_at(comment.start));
  }
  for (Header& header : headers)
    for (auto at = first_line_of.find(header.first - 1); at != first_line_of.end();
         at = first_line_of.find(header.first - 1))
      header.first = at->second;
}

bool stands_alone(const Tree& tree, const syntax::Comment& comment) {
  const std::uint32_t line = tree.line_starts[tree.line_at(comment.start) - 1];
  return trimmed(tree.source.substr(line, comment.start - line)).empty();
}

/// Which declaration a line belongs to: the first of those that have it in their headers.
class HeaderLines {
 public:
  explicit HeaderLines(const std::vector<Header>& headers) {
    for (std::uint32_t i = 0; i < headers.size(); ++i) {
      above_.try_emplace(headers[i].first - 1, i);
      above_.try_emplace(headers[i].keyword - 1, i);
      beside_.try_emplace(headers[i].keyword, i);
      beside_.try_emplace(headers[i].closing, i);
    }
  }
  std::uint32_t declaration_at(std::uint32_t line, bool alone) const {
    const auto& lines = alone ? above_ : beside_;
    const auto at = lines.find(line);
    return at == lines.end() ? kNone : at->second;
  }

 private:
  std::unordered_map<std::uint32_t, std::uint32_t> above_{}, beside_{};
};

HeaderLines header_lines(const Tree& tree, const std::vector<std::uint32_t>& nodes) {
  std::vector<Header> headers;
  for (const std::uint32_t node : nodes)
    headers.push_back(header_of(tree, node));
  begin_with_variables(tree, nodes, headers);
  begin_with_headings(tree, nodes, headers);
  begin_with_docs(tree, headers);
  return HeaderLines(headers);
}

// Directives are kept in the order of what they bind to: functions, then classes, then nothing.
// Among its kind a declaration has the same place by its number as by that of its unit or class, so
// that either is found by halving.
enum class Bound : std::uint8_t { function, class_, nothing };

Bound bound_of(const Declarations& declarations, const Directive& directive) {
  if (directive.declaration == kNone) return Bound::nothing;
  return declarations.all[directive.declaration].kind == DeclarationKind::class_ ? Bound::class_
                                                                                 : Bound::function;
}

void sort_by_declaration(const Declarations& declarations, std::vector<Directive>& directives) {
  std::ranges::stable_sort(directives, {}, [&](const Directive& directive) {
    return std::pair(bound_of(declarations, directive), directive.declaration);
  });
}

std::vector<const Directive*> by_line(const FileFacts& facts) {
  std::vector<const Directive*> out;
  for (const Directive& directive : facts.suppressions.directives)
    out.push_back(&directive);
  std::ranges::stable_sort(out, {}, &Directive::line);
  return out;
}

/// Whether a directive names the rule among those whose key, next to what they bind to, is `key`.
template <class KeyOf>
bool has_rule(const FileFacts& facts, std::pair<Bound, std::uint32_t> key, Rule rule,
              const KeyOf& key_of) {
  const auto bound_and_key = [&](const Directive& directive) {
    return std::pair(bound_of(facts.declarations, directive), key_of(directive));
  };
  const auto& all = facts.suppressions.directives;
  for (auto at = std::ranges::lower_bound(all, key, {}, bound_and_key);
       at != all.end() && bound_and_key(*at) == key; ++at)
    for (const NameId name : at->rules)
      if (facts.names[name] == to_string(rule)) return true;
  return false;
}

/// For each declaration, how many before it and with it have its name.
std::vector<std::uint32_t> occurrences(const FileFacts& facts) {
  std::unordered_map<NameId, std::uint32_t> count;
  std::vector<std::uint32_t> out;
  for (const DeclarationFact& fact : facts.declarations.all)
    out.push_back(++count[fact.local_name]);
  return out;
}

void add_bound(const AnalysedFile& file, List& out) {
  if (file.facts.suppressions.directives.empty()) return;
  const std::vector<std::uint32_t> occurrence = occurrences(file.facts);
  for (const Directive* directive : by_line(file.facts)) {
    if (directive->declaration == kNone) continue;
    const DeclarationFact& target = file.facts.declarations.all[directive->declaration];
    for (const NameId id : directive->rules) {
      const std::string_view rule = file.facts.names[id];
      if (std::ranges::find(kRules, rule) == kRules.end()) continue;
      Map entry{{"relative_path", file.path},
                {"line", number(directive->line)},
                {"qualname", qualname_of(file, file.facts.names[target.local_name])},
                {"rule", rule}};
      if (const std::uint32_t n = occurrence[directive->declaration]; n > 1)
        entry.set("occurrence", number(n));
      out.emplace_back(std::move(entry));
    }
  }
}

std::int64_t occurrence_in(const Value& entry) { return int_in(entry, "occurrence").value_or(1); }

/// Two functions of one name are told apart, and so are two files of one package.
auto identity_of(const Value& entry) {
  return std::tuple(text_in(entry, "relative_path"), text_in(entry, "qualname"),
                    occurrence_in(entry), text_in(entry, "rule"));
}

Value unused_entry(const AnalysedFile& file, const Directive& directive, std::string_view rule,
                   std::string_view reason) {
  return Map{{"relative_path", file.path},
             {"line", number(directive.line)},
             {"rule", rule},
             {"reason", reason}};
}

}  // namespace

std::string_view to_string(Rule rule) { return kRules[static_cast<std::size_t>(rule)]; }

Suppressions suppressions_of(const Tree& tree, const Declarations& declarations,
                             const std::vector<std::uint32_t>& nodes, NameWriter& names) {
  Suppressions out;
  std::optional<HeaderLines> lines;
  for (const syntax::Comment& comment : tree.comments) {
    const auto rules = rules_in(tree.source.substr(comment.start, comment.end - comment.start));
    if (!rules) continue;
    if (!lines) lines = header_lines(tree, nodes);
    Directive directive{.line = tree.line_at(comment.start), .is_malformed = rules->empty()};
    directive.declaration = lines->declaration_at(directive.line, stands_alone(tree, comment));
    for (const std::string_view rule : *rules)
      directive.rules.push_back(names.id_of(rule));
    out.directives.push_back(std::move(directive));
  }
  sort_by_declaration(declarations, out.directives);
  return out;
}

bool is_suppressed(const FileFacts& facts, std::uint32_t declaration, Rule rule) {
  const Bound bound = bound_of(facts.declarations, Directive{.declaration = declaration});
  return has_rule(facts, {bound, declaration}, rule,
                  [](const Directive& directive) { return directive.declaration; });
}

namespace {

bool is_fact_suppressed(const FileFacts& facts, std::uint32_t index, Bound bound, Rule rule) {
  return has_rule(facts, {bound, index}, rule, [&](const Directive& directive) {
    return directive.declaration == kNone ? kNone
                                          : facts.declarations.all[directive.declaration].fact;
  });
}

}  // namespace

bool is_unit_suppressed(const FileFacts& facts, std::uint32_t unit, Rule rule) {
  return is_fact_suppressed(facts, unit, Bound::function, rule);
}
bool is_class_suppressed(const FileFacts& facts, std::uint32_t class_index, Rule rule) {
  return is_fact_suppressed(facts, class_index, Bound::class_, rule);
}
bool is_suppressed(const Project& project, UnitRef ref, Rule rule) {
  return is_unit_suppressed(project.files[ref.file].facts, ref.unit, rule);
}

List unused_suppressions(const Project& project) {
  List out;
  for (const AnalysedFile& file : project.files)
    for (const Directive* directive : by_line(file.facts)) {
      if (directive->is_malformed) out.push_back(unused_entry(file, *directive, "", "malformed"));
      for (const NameId id : directive->rules) {
        const std::string_view rule = file.facts.names[id];
        if (std::ranges::find(kRules, rule) == kRules.end())
          out.push_back(unused_entry(file, *directive, rule, "unknown_rule"));
        else if (directive->declaration == kNone)
          out.push_back(unused_entry(file, *directive, rule, "misplaced"));
      }
    }
  return out;
}

List bound_suppressions(const Project& project) {
  List out;
  for (const AnalysedFile& file : project.files)
    add_bound(file, out);
  return out;
}

List added_suppressions(const List& before, const List& after) {
  std::map<decltype(identity_of(Value())), std::size_t> known;
  for (const Value& entry : before)
    ++known[identity_of(entry)];
  List out;
  for (const Value& entry : after) {
    std::size_t& left = known[identity_of(entry)];
    if (left == 0)
      out.push_back(entry);
    else
      --left;
  }
  return out;
}

List suppression_cards(const List& added) {
  List out;
  for (const Value& entry : added) {
    const std::string_view rule = text_in(entry, "rule"), qualname = text_in(entry, "qualname");
    const std::int64_t n = occurrence_in(entry);
    const std::string which = n > 1 ? fmt::format("{}#{}", qualname, n) : std::string(qualname);
    out.emplace_back(Map{{"relative_path", text_in(entry, "relative_path")},
                         {"line", int_in(entry, "line").value_or(0)},
                         {"qualname", qualname},
                         {"rule", rule},
                         {"id", fmt::format("suppression_added:{}:{}", rule, which)},
                         {"kind", "suppression_added"},
                         {"severity", "warning"}});
  }
  return out;
}

Project without_suppressions(Project project, const List& added) {
  std::set<std::tuple<std::string_view, std::int64_t, std::string_view>> taken;
  for (const Value& entry : added)
    taken.emplace(text_in(entry, "relative_path"), int_in(entry, "line").value_or(0),
                  text_in(entry, "rule"));
  for (AnalysedFile& file : project.files)
    for (Directive& directive : file.facts.suppressions.directives)
      std::erase_if(directive.rules, [&](NameId id) {
        return taken.contains({file.path, directive.line, file.facts.names[id]});
      });
  return project;
}

}  // namespace gh::analysis
