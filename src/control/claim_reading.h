#pragma once
// How the claim guard reads a text: folded code points, citations with their windows, and keywords
// that are not negated. Internal to claims.cc.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "control/claims.h"

namespace gh::control {

/// Part of a folded text, in code points.
struct Span {
  std::size_t from = 0, to = 0;
};

/// A text by code points, folded for comparison: in small letters, and in Latin ones where it looks
/// so (claim_disguise.h). Folding may lengthen it: `origin` says which code
/// point of the text each folded one stems from.
struct Folded {
  std::u32string text{};
  std::vector<std::size_t> origin{};
};
Folded folded(std::string_view utf8);
/// The same without what a reader of the rendered text does not see: HTML, marks of Markdown around
/// words, and characters without width.
Folded as_read(Folded);

bool is_space(char32_t);
/// Letters of other scripts too; beyond ASCII only marks and spaces are none.
bool is_word(char32_t);

bool is_report_only_family(std::string_view name);
/// Is it the first word of a metric family?
bool begins_family(std::u32string_view word);

/// The text that is checked. It must be UTF-8 and outlive the reader.
class ClaimReader {
 public:
  explicit ClaimReader(std::string_view utf8);

  const std::u32string& text() const { return folded_.text; }
  Span whole() const { return {0, text().size()}; }
  /// Which character of the text a folded code point belongs to.
  std::size_t character(std::size_t index) const;
  /// How many characters are read before it: what is not seen takes no room.
  std::size_t place(std::size_t index) const;
  std::string_view bytes(Span) const;
  std::size_t first_byte(Span) const;
  std::size_t end_byte(Span) const;

  /// Neither before nor after is a character that would make it part of something longer.
  bool stands_alone(Span, bool (*refused)(char32_t)) const;
  Span trimmed(Span) const;
  /// What stands around `at`, to the end of the sentence on either side.
  Span window(Span at) const;
  /// Does a sentence end with this character? A line end inside of a paragraph and the full stop of
  /// a name (pkg/a.py) end none.
  bool ends_sentence(std::size_t index) const;

 private:
  /// As it was written, before it was folded.
  char32_t original(std::size_t index) const;
  bool is_capital(std::size_t index) const;
  bool is_in_name(std::size_t full_stop) const;
  bool begins_block(std::size_t line) const;

  std::string_view utf8_;
  Folded folded_;
  std::vector<std::size_t> byte_of_{};  // of each code point, and the end
  std::vector<std::size_t> places_{};   // of each folded one, and the end
};

/// One citation while it is looked at.
struct FoundCitation {
  Citation citation{};
  Span at{}, window{};
  const CitedFinding* finding = nullptr;  // null: a metric family
};

/// All citations of a text, in their order. Reader and findings must outlive it.
class Citations {
 public:
  Citations(const ClaimReader&, const std::vector<CitedFinding>&);
  const std::vector<FoundCitation>& found() const { return found_; }
  /// The letters of a cited finding are a name: they claim nothing.
  bool is_name(Span) const;

 private:
  void add(Citation::Kind, const std::string& id, Span at, const CitedFinding*);

  const ClaimReader& reader_;
  std::vector<FoundCitation> found_{};
  std::vector<bool> is_name_{};  // for each folded code point
};
std::string_view to_string(Citation::Kind);

/// Whether one of the words stands in this part of the text, is no name, and is not negated.
class KeywordTest {
 public:
  KeywordTest(const ClaimReader&, const Citations&);
  /// `words` as the table of keywords has them.
  bool claims(Span part, std::span<const std::string_view> words) const;

 private:
  /// How far the keyword reaches from `at`, where a word begins; 0: it does not stand there.
  std::size_t keyword_length(Span part, std::size_t at, std::string_view keyword) const;
  bool is_negated(std::size_t begin, std::size_t at) const;
  bool ends_with_negation(std::size_t from, std::size_t end) const;
  bool is_plain_word(Span) const;

  const ClaimReader& reader_;
  const Citations& citations_;
  std::vector<std::u32string> negations_{};
};

}  // namespace gh::control
