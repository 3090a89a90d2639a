#include "control/claim_reading.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "base/text.h"
#include "base/unicode.h"
#include "control/claim_disguise.h"

namespace gh::control {
namespace {

constexpr std::size_t kWindow = 80;    // characters on each side of a citation
constexpr std::size_t kNegation = 48;  // characters before a keyword in which a negation counts
constexpr int kWordsBetween = 4;       // of a negation and its keyword

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

/// How a keyword may go on and still be that word.
// table: endings of keywords
constexpr std::array<std::u32string_view, 6> kEndings{U"", U"s", U"es", U"d", U"ed", U"ing"};

// table: negations
constexpr std::array<std::string_view, 9> kNegations{
    "cannot", "can't", "can not", "does not", "doesn't", "do not", "don't", "never", "not"};

std::u32string ascii(std::string_view word) { return {word.begin(), word.end()}; }

bool is_ascii_word(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_id_letter(char32_t c) { return is_ascii_word(c) || c == ':'; }
bool is_digit(char32_t c) { return c >= '0' && c <= '9'; }

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

std::size_t before_spaces(const std::u32string& text, std::size_t from, std::size_t end) {
  while (end > from && is_space(text[end - 1]))
    --end;
  return end;
}
std::size_t before_word(const std::u32string& text, std::size_t from, std::size_t end) {
  while (end > from && !is_space(text[end - 1]))
    --end;
  return end;
}

}  // namespace

Folded folded(std::string_view utf8) {
  Folded out;
  std::size_t index = 0;
  for (std::size_t at = 0; at < utf8.size(); ++index) {
    const std::size_t start = at;
    const char32_t point = next_code_point(utf8, at);
    append_as_seen(utf8.substr(start, at - start), point, out.text);
    out.origin.resize(out.text.size(), index);
  }
  return out;
}

bool is_space(char32_t c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || c == 0x85 || c == 0xA0 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x3000;
}
bool is_word(char32_t c) {
  if (c < 0x80) return is_ascii_word(c);
  const bool is_mark = c < 0xC0 || (c >= 0x2000 && c <= 0x2BFF) || (c >= 0x3000 && c <= 0x303F) ||
                       (c >= 0xFF00 && c <= 0xFF0F) || c >= 0x1F000;
  return !is_mark;
}
namespace {

/// Nobody sees it: without width, a control character, or none at all.
bool is_invisible(char32_t c) {
  if (is_space(c)) return false;
  if (c < 0x80) return c < 0x20 || c == 0x7F;
  const bool is_selector = (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0x180B && c <= 0x180F);
  const bool is_filler = c == 0x034F || c == 0x115F || c == 0x1160 || c == 0x3164 || c == 0xFFA0;
  return c < 0xA0 || is_selector || is_filler || is_unsafe_in_path(c);
}

/// Marks inside of a line, whatever stands beside them. A star or tilde that stands free is a
/// bullet, or a star.
bool is_mark(const std::u32string& text, std::size_t at) {
  const char32_t c = text[at];
  if (c == '`' || c == '[' || c == ']') return true;
  if (c != '*' && c != '~') return false;
  const bool is_free_before = at == 0 || is_space(text[at - 1]);
  const bool is_free_after = at + 1 >= text.size() || is_space(text[at + 1]);
  return !(is_free_before && is_free_after);
}

/// Names of Python that are also words of a claim: `__new__` stays a name.
// table: names between double underscores
constexpr std::array<std::u32string_view, 2> kDunders{U"new", U"delete"};

/// Underscores around words. They are letters of names (`_helper`, dead_code): only a pair that
/// stands around something is a mark.
class Underscores {
 public:
  explicit Underscores(const std::u32string& text) : text_(text) {}

  /// Calls `drop(from, to)` for each run that is a mark.
  template <class Drop>
  void each(Drop drop) const {
    for (std::size_t at = text_.find(U'_'); at != text_.npos;) {
      const std::size_t end = run_end(at);
      const std::size_t closing = opens(at, end) ? closing_of(at, end) : text_.npos;
      if (closing != text_.npos) {
        drop(at, end);
        drop(closing, closing + (end - at));
        at = text_.find(U'_', closing + (end - at));
      } else {
        at = text_.find(U'_', end);
      }
    }
  }

 private:
  static constexpr std::size_t kReach = 400;  // code points from one to the other
  static constexpr std::u32string_view kOpeners = U"([{\"'*~", kClosers = U")]}\"'*~.,;:!?";

  std::size_t run_end(std::size_t at) const {
    while (at < text_.size() && text_[at] == '_')
      ++at;
    return at;
  }
  bool opens(std::size_t at, std::size_t end) const {
    const bool is_free =
        at == 0 || is_space(text_[at - 1]) || kOpeners.find(text_[at - 1]) != kOpeners.npos;
    return is_free && end < text_.size() && !is_space(text_[end]);
  }
  bool closes(std::size_t at, std::size_t end) const {
    const bool is_free =
        end == text_.size() || is_space(text_[end]) || kClosers.find(text_[end]) != kClosers.npos;
    return is_free && !is_space(text_[at - 1]);
  }
  std::size_t closing_of(std::size_t from, std::size_t begin) const {
    const std::size_t size = begin - from;
    const std::u32string_view near(text_.data() + begin, std::min(kReach, text_.size() - begin));
    const std::size_t limit = begin + std::min(near.find(U"\n\n"), near.size());  // a paragraph
    for (std::size_t at = text_.find(U'_', begin); at < limit;) {
      const std::size_t end = run_end(at);
      if (end - at == size && closes(at, end)) {
        const std::u32string_view word(text_.data() + begin, at - begin);
        const bool is_name = size == 2 && std::ranges::find(kDunders, word) != kDunders.end();
        return is_name ? text_.npos : at;
      }
      at = text_.find(U'_', end);
    }
    return text_.npos;
  }

  const std::u32string& text_;
};

Folded without(const Folded& from, const std::vector<bool>& dropped) {
  Folded out;
  for (std::size_t i = 0; i < from.text.size(); ++i) {
    if (dropped[i]) continue;
    out.text += from.text[i];
    out.origin.push_back(from.origin[i]);
  }
  return out;
}

}  // namespace

Folded as_read(Folded from) {
  from = without_markup(from);
  std::vector<bool> dropped;
  for (const char32_t c : from.text)
    dropped.push_back(is_invisible(c));
  from = without(from, dropped);
  dropped.assign(from.text.size(), false);
  for (std::size_t i = 0; i < from.text.size(); ++i)
    dropped[i] = is_mark(from.text, i);
  Underscores(from.text).each([&](std::size_t first, std::size_t end) {
    std::fill(dropped.begin() + static_cast<std::ptrdiff_t>(first),
              dropped.begin() + static_cast<std::ptrdiff_t>(end), true);
  });
  return without(from, dropped);
}

bool begins_family(std::u32string_view word) {
  return std::ranges::any_of(kFamilies, [&](const FamilyRow& row) {
    return ascii(row.name.substr(0, row.name.find('_'))) == word;
  });
}

bool is_report_only_family(std::string_view name) {
  const auto row = std::ranges::find(kFamilies, name, &FamilyRow::name);
  return row != kFamilies.end() && row->is_report_only;
}

ClaimReader::ClaimReader(std::string_view utf8) : utf8_(utf8), folded_(as_read(folded(utf8))) {
  for (std::size_t at = 0; at < utf8_.size(); next_code_point(utf8_, at))
    byte_of_.push_back(at);
  byte_of_.push_back(utf8_.size());
  std::size_t read = 0;
  for (std::size_t i = 0; i < folded_.origin.size(); ++i) {
    if (i > 0 && folded_.origin[i] != folded_.origin[i - 1]) ++read;
    places_.push_back(read);
  }
  places_.push_back(places_.empty() ? 0 : read + 1);
}

std::size_t ClaimReader::character(std::size_t index) const {
  return index < folded_.origin.size() ? folded_.origin[index] : byte_of_.size() - 1;
}
std::size_t ClaimReader::place(std::size_t index) const {
  return places_[std::min(index, places_.size() - 1)];
}
std::size_t ClaimReader::first_byte(Span span) const { return byte_of_[character(span.from)]; }
std::size_t ClaimReader::end_byte(Span span) const { return byte_of_[character(span.to)]; }
std::string_view ClaimReader::bytes(Span span) const {
  const std::size_t from = first_byte(span);
  return utf8_.substr(from, end_byte(span) - from);
}

bool ClaimReader::stands_alone(Span span, bool (*refused)(char32_t)) const {
  const bool is_free_before = span.from == 0 || !refused(original(span.from - 1));
  const bool is_free_after = span.to >= text().size() || !refused(original(span.to));
  return is_free_before && is_free_after;
}

char32_t ClaimReader::original(std::size_t index) const {
  std::size_t at = byte_of_[character(index)];
  return next_code_point(utf8_, at);
}

Span ClaimReader::trimmed(Span span) const {
  while (span.from < span.to && is_space(text()[span.from]))
    ++span.from;
  span.to = before_spaces(text(), span.from, span.to);
  return span;
}

bool ClaimReader::is_capital(std::size_t index) const {
  if (index >= text().size()) return false;
  const std::size_t first = byte_of_[character(index)];
  std::size_t at = first;
  const char32_t point = next_code_point(utf8_, at);
  const std::string_view one = utf8_.substr(first, at - first);
  return point < 0x80 ? point >= 'A' && point <= 'Z' : nfc_casefold(one) != one;
}

/// pkg/a.py, pkg.core: a letter or digit before it, a small letter behind it.
bool ClaimReader::is_in_name(std::size_t full_stop) const {
  const std::size_t next = full_stop + 1;
  return full_stop > 0 && next < text().size() && is_word(text()[full_stop - 1]) &&
         is_word(text()[next]) && !is_digit(text()[next]) && !is_capital(next);
}

/// Whatever Markdown sets apart from the lines above, and what reads like a new sentence.
bool ClaimReader::begins_block(std::size_t line) const {
  constexpr std::u32string_view kMarks = U"#>|", kBullets = U"-*+";
  const auto at = [&](std::size_t i) { return i < text().size() ? text()[i] : U'\n'; };
  if (at(line) == '\n' || kMarks.find(at(line)) != kMarks.npos) return true;
  if (kBullets.find(at(line)) != kBullets.npos) return is_space(at(line + 1));
  std::size_t digits = line;
  while (is_digit(at(digits)))
    ++digits;
  if (digits > line && (at(digits) == '.' || at(digits) == ')') && is_space(at(digits + 1)))
    return true;
  return is_capital(line) && !is_capital(line + 1);
}

bool ClaimReader::ends_sentence(std::size_t index) const {
  const char32_t c = text()[index];
  if (c == '.') return !is_in_name(index);
  if (c != '\n') return c == '!' || c == '?';
  std::size_t line = index;  // the one that ends here
  while (line > 0 && text()[line - 1] != '\n')
    --line;
  if (text()[line] == '#') return true;
  std::size_t next = index + 1;
  while (next < text().size() && is_space(text()[next]) && text()[next] != '\n')
    ++next;
  return begins_block(next);
}

Span ClaimReader::window(Span at) const {
  Span out = at;
  while (out.from > 0 && place(at.from) - place(out.from - 1) <= kWindow &&
         !ends_sentence(out.from - 1))
    --out.from;
  const std::size_t end = place(at.to);
  while (out.to < text().size() && place(out.to) - end < kWindow)
    if (ends_sentence(out.to++)) break;
  return trimmed(out);
}

std::string_view to_string(Citation::Kind kind) {
  return kind == Citation::Kind::finding ? "finding" : "metric_family";
}

Citations::Citations(const ClaimReader& reader, const std::vector<CitedFinding>& findings)
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
  const auto key = [](const FoundCitation& f) {
    return std::tuple(f.citation.start, f.citation.end, to_string(f.citation.kind),
                      std::string_view(f.citation.id));
  };
  std::ranges::sort(found_, {}, key);
  const auto is_same = [&](const FoundCitation& a, const FoundCitation& b) {
    return key(a) == key(b);
  };
  found_.erase(std::unique(found_.begin(), found_.end(), is_same), found_.end());
}

bool Citations::is_name(Span span) const {
  const auto first = is_name_.begin() + static_cast<std::ptrdiff_t>(span.from);
  return std::any_of(first, first + static_cast<std::ptrdiff_t>(span.to - span.from),
                     [](bool is_one) { return is_one; });
}

void Citations::add(Citation::Kind kind, const std::string& id, Span at,
                    const CitedFinding* finding) {
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

KeywordTest::KeywordTest(const ClaimReader& reader, const Citations& citations)
    : reader_(reader), citations_(citations) {
  for (const std::string_view negation : kNegations)
    negations_.push_back(ascii(negation));
}

bool KeywordTest::claims(Span part, std::span<const std::string_view> words) const {
  for (std::size_t at = part.from; at < part.to; ++at) {
    if (at > 0 && is_word(reader_.text()[at - 1])) continue;
    for (const std::string_view word : words)
      if (const std::size_t n = keyword_length(part, at, word);
          n != 0 && !citations_.is_name({at, at + n}) && !is_negated(part.from, at))
        return true;
  }
  return false;
}

std::size_t KeywordTest::keyword_length(Span part, std::size_t at, std::string_view keyword) const {
  const std::u32string& text = reader_.text();
  const bool is_stem = keyword.ends_with('*');
  if (is_stem) keyword.remove_suffix(1);
  std::size_t end = at;
  for (const char c : keyword) {
    if (end >= part.to) return 0;
    if (c == ' ') {
      const std::size_t blank = end;
      while (end < part.to && is_space(text[end]) && !reader_.ends_sentence(end))
        ++end;
      if (end == blank) return 0;
      continue;
    }
    if (text[end++] != static_cast<char32_t>(c)) return 0;
  }
  if (is_stem || keyword.ends_with(' ') || keyword.ends_with('-')) return end - at;
  std::size_t last = end;
  while (last < text.size() && is_word(text[last]))
    ++last;
  const std::u32string_view ending(text.data() + end, last - end);
  return std::ranges::find(kEndings, ending) != kEndings.end() ? end - at : 0;
}

bool KeywordTest::is_negated(std::size_t begin, std::size_t at) const {
  std::size_t from = at;
  while (from > begin && reader_.place(at) - reader_.place(from - 1) <= kNegation)
    --from;
  std::size_t end = at;  // of what is left to look at
  for (int words = 0; words <= kWordsBetween; ++words) {
    const std::size_t word_end = before_spaces(reader_.text(), from, end);
    if (word_end < end && ends_with_negation(from, word_end)) return true;
    const std::size_t word = before_word(reader_.text(), from, word_end);
    if (word == word_end || !is_plain_word({word, word_end})) return false;
    end = word;
  }
  return false;
}

bool KeywordTest::ends_with_negation(std::size_t from, std::size_t end) const {
  const std::u32string_view before(reader_.text().data() + from, end - from);
  return std::ranges::any_of(negations_, [&](const std::u32string& negation) {
    if (!before.ends_with(negation)) return false;
    const std::size_t start = end - negation.size();
    return start == 0 || !is_word(reader_.text()[start - 1]);
  });
}

/// A comma, a colon or a dash ends what was negated.
bool KeywordTest::is_plain_word(Span word) const {
  constexpr std::u32string_view kClauseEnds = U",;:.!?";
  const std::u32string_view letters(reader_.text().data() + word.from, word.to - word.from);
  return kClauseEnds.find(letters.back()) == std::u32string_view::npos &&
         std::ranges::any_of(letters, is_word);
}

}  // namespace gh::control
