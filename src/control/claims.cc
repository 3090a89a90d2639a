#include "control/claims.h"

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <tuple>

#include <fmt/format.h>

#include "analysis/report_view.h"
#include "analysis/short_ids.h"
#include "base/text.h"
#include "base/unicode.h"

namespace gh::control {
namespace {

constexpr std::size_t kWindow = 80;    // characters on each side of a citation
constexpr std::size_t kNegation = 48;  // characters before a keyword in which a negation counts
constexpr int kWordsBetween = 4;       // of a negation and its keyword
constexpr std::size_t kShownClaim = 80;

using Words = std::span<const std::string_view>;

// table: metric families of claims
struct FamilyRow {
  std::string_view name;
  bool is_report_only;
};
constexpr std::array<FamilyRow, 11> kFamilies{{
    {"complexity", false},
    {"coupling", false},
    {"cohesion", false},
    {"dependencies", false},
    {"dead_code", false},
    {"health", false},
    {"coverage_adoption", false},
    {"api_surface", false},
    {"overloaded_modules", true},
    {"security_surfaces", true},
    {"coverage_join", false},
}};

// table: negations
constexpr std::array<std::string_view, 9> kNegations{
    "cannot", "can't", "can not", "does not", "doesn't", "do not", "don't", "never", "not"};

// table: claim keywords
constexpr std::array<std::string_view, 8> kSecurityWords{
    "vulnerab", "exploit",       "attack",       "cve",
    "threat",   "security flaw", "security bug", "security issue"};
constexpr std::array<std::string_view, 9> kGateWords{
    "fail", "block", "gate", "ci ", "ci-", "pipeline", "break build", "must fix", "blocking"};
constexpr std::array<std::string_view, 7> kNewWords{
    "new ", "regress", "introduc", "just appeared", "added", "caused by", "broke"};
constexpr std::array<std::string_view, 7> kDeadWords{
    "dead", "unused", "unreachable", "remove", "delete", "safe to remove", "definitely dead"};
constexpr std::array<std::string_view, 7> kFixWords{
    "fixed", "resolved", "eliminated", "removed the", "cleaned up", "refactored away", "no longer"};
constexpr std::array<std::string_view, 7> kStructuralWords{
    "no structural regression", "no regressions",        "regression-free",
    "structural verification",  "structurally verified", "all checks passed",
    "code quality verified"};
constexpr std::array<std::string_view, 3> kCleanTreeWords{"clean working tree", "clean tree",
                                                          "nothing else changed"};

/// A text by code points, folded for comparison. Folding may lengthen it: `origin` says which code
/// point of the text each folded one stems from.
struct Folded {
  std::u32string text{};
  std::vector<std::size_t> origin{};
};

char32_t as_apostrophe(char32_t point) { return point == U'\u2019' ? U'\'' : point; }

void append_folded(std::string_view one, char32_t point, std::u32string& out) {
  if (point < 0x80) {
    out += point >= 'A' && point <= 'Z' ? point + ('a' - 'A') : point;
    return;
  }
  const std::string folded = nfc_casefold(one);
  for (std::size_t at = 0; at < folded.size();)
    out += as_apostrophe(next_code_point(folded, at));
}

Folded folded(std::string_view utf8) {
  Folded out;
  std::size_t index = 0;
  for (std::size_t at = 0; at < utf8.size(); ++index) {
    const std::size_t start = at;
    const char32_t point = next_code_point(utf8, at);
    append_folded(utf8.substr(start, at - start), point, out.text);
    out.origin.resize(out.text.size(), index);
  }
  return out;
}

std::u32string ascii(std::string_view word) { return {word.begin(), word.end()}; }

bool is_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xA0 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x3000;
}
bool is_ascii_word(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
/// Letters of other scripts too; beyond ASCII only marks and spaces are none.
bool is_word(char32_t c) {
  if (c < 0x80) return is_ascii_word(c);
  const bool is_mark = c < 0xC0 || (c >= 0x2000 && c <= 0x2BFF) || (c >= 0x3000 && c <= 0x303F) ||
                       (c >= 0xFF00 && c <= 0xFF0F) || c >= 0x1F000;
  return !is_mark;
}
bool is_id_letter(char32_t c) { return is_ascii_word(c) || c == ':'; }
bool ends_sentence(char32_t c) { return c == '.' || c == '!' || c == '?' || c == '\n'; }

struct Span {
  std::size_t from = 0, to = 0;  // of folded code points
};

/// One citation while it is looked at.
struct Found {
  Citation citation{};
  Span at{}, window{};
  const CitedFinding* finding = nullptr;
};

/// The text that is checked, and how it is read.
class Reader {
 public:
  explicit Reader(std::string_view text) : utf8_(text), folded_(folded(text)) {
    for (std::size_t at = 0; at < utf8_.size(); next_code_point(utf8_, at))
      byte_of_.push_back(at);
    byte_of_.push_back(utf8_.size());
  }

  const std::u32string& text() const { return folded_.text; }
  std::size_t character(std::size_t index) const {
    return index < folded_.origin.size() ? folded_.origin[index] : byte_of_.size() - 1;
  }
  std::string_view bytes(Span span) const {
    const std::size_t from = first_byte(span);
    return utf8_.substr(from, end_byte(span) - from);
  }
  std::size_t first_byte(Span span) const { return byte_of_[character(span.from)]; }
  std::size_t end_byte(Span span) const { return byte_of_[character(span.to)]; }

  template <class Refused>
  bool has_no(std::size_t index, Refused refused) const {
    return index >= text().size() || !refused(text()[index]);
  }
  /// Neither before nor after is a character that would make it part of something longer.
  template <class Refused>
  bool stands_alone(Span span, Refused refused) const {
    return (span.from == 0 || has_no(span.from - 1, refused)) && has_no(span.to, refused);
  }

  Span trimmed(Span span) const {
    while (span.from < span.to && is_space(text()[span.from]))
      ++span.from;
    while (span.from < span.to && is_space(text()[span.to - 1]))
      --span.to;
    return span;
  }

  /// What stands around `at`, to the end of the sentence on either side.
  Span window(Span at) const {
    Span out = at;
    while (out.from > 0 && character(at.from) - character(out.from - 1) <= kWindow &&
           !ends_sentence(text()[out.from - 1]))
      --out.from;
    const std::size_t end = character(at.to);
    while (out.to < text().size() && character(out.to) - end < kWindow)
      if (ends_sentence(text()[out.to++])) break;
    return trimmed(out);
  }

 private:
  std::string_view utf8_;
  Folded folded_;
  std::vector<std::size_t> byte_of_{};  // of each code point, and the end
};

// ---------------------------------------------------------------------------------- citations

/// Finding ids by their folded text, so that one walk over a text finds all of them.
class IdIndex {
 public:
  explicit IdIndex(const std::vector<CitedFinding>& findings) {
    for (const CitedFinding& finding : findings)
      for (const std::string* id : {&finding.id, &finding.short_id})
        if (!id->empty() && is_utf8(*id)) rows_.push_back({folded(*id).text, id, &finding});
    std::ranges::stable_sort(rows_, {}, &Row::text);
    const auto is_same = [](const Row& a, const Row& b) {
      return a.text == b.text && *a.id == *b.id;
    };
    rows_.erase(std::unique(rows_.begin(), rows_.end(), is_same), rows_.end());
  }

  /// Calls `found(length, id, finding)` for each id that begins at `at`.
  template <class Fn>
  void at(const std::u32string& text, std::size_t at, Fn found) const {
    auto from = rows_.begin(), to = rows_.end();
    for (std::size_t n = 0; from != to; ++n) {
      for (; from != to && from->text.size() == n; ++from)
        found(n, *from->id, from->finding);
      if (at + n >= text.size()) return;
      const char32_t c = text[at + n];
      const auto letter = [n](const Row& row) { return row.text[n]; };
      from = std::ranges::lower_bound(from, to, c, {}, letter);
      to = std::ranges::upper_bound(from, to, c, {}, letter);
    }
  }

 private:
  struct Row {
    std::u32string text;
    const std::string* id;
    const CitedFinding* finding;
  };
  std::vector<Row> rows_{};
};

/// How far the family name reaches from `at`; 0: it does not stand there.
std::size_t family_length(const std::u32string& text, std::size_t at, std::string_view name) {
  std::size_t i = at;
  for (const char c : name) {
    if (i >= text.size()) return 0;
    if (c == '_' && is_space(text[i])) {
      while (i < text.size() && is_space(text[i]))
        ++i;
      continue;
    }
    if (text[i++] != static_cast<char32_t>(c)) return 0;
  }
  return i - at;
}

class Citations {
 public:
  Citations(const Reader& reader, const std::vector<CitedFinding>& findings)
      : reader_(reader), is_name_(reader.text().size()) {
    const IdIndex ids(findings);
    for (std::size_t at = 0; at < reader.text().size(); ++at) {
      ids.at(reader.text(), at, [&](std::size_t n, const std::string& id, const CitedFinding* f) {
        if (reader.stands_alone({at, at + n}, is_id_letter))
          add(Citation::Kind::finding, id, {at, at + n}, f);
      });
      for (const FamilyRow& row : kFamilies)
        if (const std::size_t n = family_length(reader.text(), at, row.name);
            n != 0 && reader.stands_alone({at, at + n}, is_word))
          add(Citation::Kind::metric_family, std::string(row.name), {at, at + n}, nullptr);
    }
    const auto key = [](const Found& f) {
      return std::tuple(f.citation.start, f.citation.end, kind_name(f.citation.kind),
                        std::string_view(f.citation.id));
    };
    std::ranges::sort(found_, {}, key);
    const auto is_same = [&](const Found& a, const Found& b) { return key(a) == key(b); };
    found_.erase(std::unique(found_.begin(), found_.end(), is_same), found_.end());
  }

  static std::string_view kind_name(Citation::Kind kind) {
    return kind == Citation::Kind::finding ? "finding" : "metric_family";
  }
  const std::vector<Found>& found() const { return found_; }

  /// The letters of a cited finding are a name: they claim nothing.
  bool is_name(Span span) const {
    const auto first = is_name_.begin() + static_cast<std::ptrdiff_t>(span.from);
    return std::any_of(first, first + static_cast<std::ptrdiff_t>(span.to - span.from),
                       [](bool is_one) { return is_one; });
  }

 private:
  void add(Citation::Kind kind, const std::string& id, Span at, const CitedFinding* finding) {
    if (finding != nullptr)
      std::fill_n(is_name_.begin() + static_cast<std::ptrdiff_t>(at.from), at.to - at.from, true);
    const Span window = reader_.window(at);
    found_.push_back({.citation = {.kind = kind,
                                   .id = id,
                                   .start = reader_.first_byte(at),
                                   .end = reader_.end_byte(at),
                                   .window = std::string(reader_.bytes(window))},
                      .at = at,
                      .window = window,
                      .finding = finding});
  }

  const Reader& reader_;
  std::vector<Found> found_{};
  std::vector<bool> is_name_{};  // for each folded code point
};

// ----------------------------------------------------------------------------------- keywords

class KeywordTest {
 public:
  KeywordTest(const Reader& reader, const Citations& citations)
      : reader_(reader), citations_(citations) {
    for (const std::string_view negation : kNegations)
      negations_.push_back(ascii(negation));
  }

  /// Whether one of the words stands in this part of the text, and is not negated.
  bool claims(Span part, Words words) const {
    const std::u32string_view text(reader_.text().data() + part.from, part.to - part.from);
    return std::ranges::any_of(words, [&](std::string_view word) {
      const std::u32string sought = ascii(word);
      for (std::size_t at = text.find(sought); at != std::u32string_view::npos;
           at = text.find(sought, at + 1)) {
        const Span found{part.from + at, part.from + at + sought.size()};
        if (!citations_.is_name(found) && !is_negated(part.from, found.from)) return true;
      }
      return false;
    });
  }

 private:
  bool is_negated(std::size_t begin, std::size_t at) const {
    std::size_t from = at;
    while (from > begin && reader_.character(at) - reader_.character(from - 1) <= kNegation)
      --from;
    std::size_t end = at;  // of what is left to look at
    for (int words = 0; words <= kWordsBetween; ++words) {
      const std::size_t word_end = skip_spaces(from, end);
      if (word_end < end && ends_with_negation(from, word_end)) return true;
      const std::size_t word = skip_word(from, word_end);
      if (word == word_end || !is_plain_word({word, word_end})) return false;
      end = word;
    }
    return false;
  }

  std::size_t skip_spaces(std::size_t from, std::size_t end) const {
    while (end > from && is_space(reader_.text()[end - 1]))
      --end;
    return end;
  }
  std::size_t skip_word(std::size_t from, std::size_t end) const {
    while (end > from && !is_space(reader_.text()[end - 1]))
      --end;
    return end;
  }
  bool ends_with_negation(std::size_t from, std::size_t end) const {
    const std::u32string_view before(reader_.text().data() + from, end - from);
    return std::ranges::any_of(negations_, [&](const std::u32string& negation) {
      if (!before.ends_with(negation)) return false;
      const std::size_t start = end - negation.size();
      return start == 0 || !is_word(reader_.text()[start - 1]);
    });
  }
  /// A comma, a colon or a dash ends what was negated.
  bool is_plain_word(Span word) const {
    constexpr std::u32string_view kClauseEnds = U",;:.!?";
    const std::u32string_view letters(reader_.text().data() + word.from, word.to - word.from);
    return kClauseEnds.find(letters.back()) == std::u32string_view::npos &&
           std::ranges::any_of(letters, is_word);
  }

  const Reader& reader_;
  const Citations& citations_;
  std::vector<std::u32string> negations_{};
};

// ----------------------------------------------------------------------------------- patterns

bool is_report_only(const Found& f) {
  const auto row = std::ranges::find(kFamilies, f.citation.id, &FamilyRow::name);
  return f.finding == nullptr && row != kFamilies.end() && row->is_report_only;
}

bool is_dead_code(const CitedFinding& f) {
  return f.id.starts_with("dead_code:") || f.family == "dead_code" || f.category == "dead_code";
}

struct PatternRow {
  std::string_view pattern;
  bool (*applies)(const Found&, const ClaimFacts&);
  Words keywords;
  std::string_view reason;
  std::string_view source_flag;  // {}: the cited id
};
// clang-format off
// table: claim patterns
constexpr std::array<PatternRow, 5> kPatterns{{
    {"P-1", [](const Found& f, const ClaimFacts&) { return f.finding == nullptr && f.citation.id == "security_surfaces"; },
     kSecurityWords, "security_surfaces lists where code reaches beyond the project; it is no evidence of a weakness",
     "{}.gate_keys=()"},
    {"P-2", [](const Found& f, const ClaimFacts&) { return is_report_only(f); },
     kGateWords, "this family is reported and gates nothing", "{}.gate_keys=()"},
    {"P-3", [](const Found& f, const ClaimFacts&) { return f.finding != nullptr && f.finding->novelty == "known"; },
     kNewWords, "the baseline holds this finding: it is not new", "finding.novelty='known'"},
    {"P-4", [](const Found& f, const ClaimFacts&) { return f.finding != nullptr && is_dead_code(*f.finding) && f.finding->is_reached; },
     kDeadWords, "something registers this symbol at run time: it may be in use", "runtime_reachability.evidence_present"},
    {"P-5", [](const Found& f, const ClaimFacts& c) { return f.finding != nullptr && !c.comparison_run_available; },
     kFixWords, "there is no earlier run to compare with: a fix cannot be shown", "session.comparison_run_available=false"},
}};
// clang-format on

constexpr std::string_view kHealthPattern = "health_regression_overclaim";

std::string flag_of(const PatternRow& row, const std::string& id) {
  constexpr std::string_view kPlace = "{}";
  std::string out(row.source_flag);
  if (const std::size_t at = out.find(kPlace); at != std::string::npos)
    out.replace(at, kPlace.size(), id);
  return out;
}

std::vector<ClaimViolation> overclaims(const Citations& citations, const KeywordTest& keywords,
                                       const ClaimFacts& facts) {
  std::set<ClaimViolation> out;
  for (const Found& f : citations.found())
    for (const PatternRow& row : kPatterns)
      if (row.applies(f, facts) && keywords.claims(f.window, row.keywords))
        out.insert({.pattern = std::string(row.pattern),
                    .claim = f.citation.window,
                    .cited_id = f.citation.id,
                    .reason = std::string(row.reason),
                    .source_flag = flag_of(row, f.citation.id)});
  std::vector<ClaimViolation> sorted(out.begin(), out.end());
  std::ranges::stable_sort(sorted, {}, [](const ClaimViolation& v) {
    return std::tuple(std::string_view(v.pattern), std::string_view(v.cited_id),
                      std::string_view(v.claim));
  });
  return sorted;
}

// ----------------------------------------------------------------------------------- warnings

/// F-<digits> that no finding of the run is called.
bool names_unknown_finding(const Reader& reader, const std::vector<CitedFinding>& findings) {
  const std::u32string& text = reader.text();
  const auto is_known = [&](Span token) {
    const std::u32string sought = text.substr(token.from, token.to - token.from);
    return std::ranges::any_of(findings, [&](const CitedFinding& f) {
      return is_utf8(f.short_id) && folded(f.short_id).text == sought;
    });
  };
  for (std::size_t at = text.find(U"f-"); at != std::u32string::npos;
       at = text.find(U"f-", at + 1)) {
    std::size_t end = at + 2;
    while (end < text.size() && text[end] >= '0' && text[end] <= '9')
      ++end;
    if (end > at + 2 && reader.stands_alone({at, end}, is_word) && !is_known({at, end}))
      return true;
  }
  return false;
}

/// All that a warning depends on.
struct Signs {
  bool has_citations = false, names_unknown = false, claims_structure = false,
       claims_clean_tree = false;
};
bool is_negative(const ClaimFacts& c) { return c.patch_health_delta.value_or(0) < 0; }

struct WarningRow {
  std::string_view type;
  bool (*applies)(const Signs&, const ClaimFacts&);
  std::string_view message;
};
// clang-format off
// table: claim warnings
constexpr std::array<WarningRow, 5> kWarnings{{
    {"no_citations", [](const Signs& s, const ClaimFacts& c) { return c.require_citations && !s.has_citations; },
     "the text cites no finding and no metric family of the run"},
    {"unknown_finding", [](const Signs& s, const ClaimFacts&) { return s.names_unknown; },
     "the text names a finding that the run does not have"},
    {"structural_checks_not_applicable", [](const Signs& s, const ClaimFacts& c) { return c.is_structural == false && s.claims_structure; },
     "the text speaks of structural checks, and none applied to this patch"},
    {"health_regression_overclaim", [](const Signs& s, const ClaimFacts& c) { return is_negative(c) && s.claims_structure; },
     "the text claims that nothing got worse, and the health of the code fell"},
    {"external_changes_present", [](const Signs& s, const ClaimFacts& c) { return c.external_changes && s.claims_clean_tree; },
     "the text claims a clean tree, and files outside of the scope are changed"},
}};
// clang-format on

std::string first_characters(const Reader& reader, Span whole) {
  Span part = reader.trimmed(whole);
  const std::size_t first = reader.character(part.from);
  while (part.to > part.from && reader.character(part.to) - first > kShownClaim)
    --part.to;
  return std::string(reader.bytes(part));
}

std::size_t characters(std::string_view utf8) {
  return static_cast<std::size_t>(
      std::ranges::count_if(utf8, [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace

std::vector<CitedFinding> cited_findings(const Value& report) {
  using namespace analysis;
  std::set<std::string_view> reached;
  for (const Value& fact : list_in(report, {"metrics", "families", "dead_code", "registrations"}))
    reached.insert(text_in(fact, "target_qualname"));
  const std::vector<const Value*> groups = finding_groups(report);
  std::vector<std::string> ids;
  for (const Value* group : groups)
    ids.emplace_back(text_in(*group, "id"));
  const ShortIds shorts = short_ids(ids);
  std::vector<CitedFinding> out;
  for (const Value* group : groups) {
    CitedFinding finding{.id = std::string(text_in(*group, "id")),
                         .short_id = shorts.at(std::string(text_in(*group, "id"))),
                         .family = std::string(text_in(*group, "family")),
                         .category = std::string(text_in(*group, "category")),
                         .novelty = std::string(text_in(*group, "novelty"))};
    finding.is_reached = std::ranges::any_of(list_in(*group, {"items"}), [&](const Value& item) {
      return reached.contains(text_in(item, "qualname"));
    });
    out.push_back(std::move(finding));
  }
  return out;
}

Status check_claim_text(std::string_view text) {
  const std::string valid = utf8_or_escaped(text);
  const Folded points = folded(valid);
  if (std::ranges::all_of(points.text, is_space))
    return fail(Code::text_empty, "the review text is empty");
  if (const std::size_t n = characters(valid); n > kMaxClaimCharacters)
    return fail(
        Code::text_too_long,
        fmt::format("the review text has {} characters, {} are allowed", n, kMaxClaimCharacters));
  return {};
}

ClaimAnswer check_claims(std::string_view bytes, const ClaimFacts& facts) {
  const std::string text = utf8_or_escaped(bytes);
  const Reader reader(text);
  const Citations citations(reader, facts.findings);
  const KeywordTest keywords(reader, citations);
  const Span whole{0, reader.text().size()};
  const Signs signs{.has_citations = !citations.found().empty(),
                    .names_unknown = names_unknown_finding(reader, facts.findings),
                    .claims_structure = keywords.claims(whole, kStructuralWords),
                    .claims_clean_tree = keywords.claims(whole, kCleanTreeWords)};
  ClaimAnswer out{.run_id = facts.run_id};
  for (const Found& f : citations.found())
    out.citations.push_back(f.citation);
  out.violations = overclaims(citations, keywords, facts);
  if (is_negative(facts) && signs.claims_structure)
    out.violations.push_back(
        {.pattern = std::string(kHealthPattern),
         .claim = first_characters(reader, whole),
         .cited_id = "",
         .reason = "the health of the code fell with this patch: it is not free of regressions",
         .source_flag = fmt::format("patch.health_delta={}", *facts.patch_health_delta)});
  for (const WarningRow& row : kWarnings)
    if (row.applies(signs, facts))
      out.warnings.push_back({std::string(row.type), std::string(row.message)});
  return out;
}

Map document(const ClaimAnswer& answer) {
  List violations, warnings, citations;
  std::set<std::pair<std::string_view, std::string_view>> refuted;
  for (const ClaimViolation& v : answer.violations)
    refuted.emplace(v.cited_id, v.claim);
  for (const ClaimViolation& v : answer.violations)
    violations.emplace_back(Map{{"pattern", v.pattern},
                                {"claim", v.claim},
                                {"cited_id", v.cited_id},
                                {"reason", v.reason},
                                {"source_flag", v.source_flag}});
  for (const ClaimWarning& w : answer.warnings)
    warnings.emplace_back(Map{{"type", w.type}, {"message", w.message}});
  for (const Citation& c : answer.citations)
    citations.emplace_back(Map{{"cited_id", c.id},
                               {"kind", Citations::kind_name(c.kind)},
                               {"valid", !refuted.contains({c.id, c.window})}});
  return Map{{"run_id", answer.run_id.substr(0, 8)},
             {"valid", answer.valid()},
             {"citations_found", static_cast<std::int64_t>(answer.citations.size())},
             {"violations", std::move(violations)},
             {"warnings", std::move(warnings)},
             {"validated_citations", std::move(citations)}};
}

}  // namespace gh::control
