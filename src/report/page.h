#pragma once
// Parts of a page that needs no script: text from outside is escaped and made visible here, and
// nowhere else.
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/peek.h"

namespace gh::report {

/// Escaped; control, bidi and invisible characters are shown as escapes; cut after `max`.
std::string html(std::string_view text, std::size_t max = 2000);

/// "12 345", with spaces that do not break.
std::string grouped(std::int64_t number);

/// "83.2 %" of a permille.
std::string percent(std::int64_t permille);

/// The colour of a score from 0 to 100: good, fair, bad.
std::string_view band_of(std::int64_t score);

/// A word with a colour of its own, when the style knows it.
std::string pill(std::string_view word);

/// Name, with file and line below it.
std::string place_cell(const Peek& row);

std::string none(std::string_view sentence = "None.");

struct Column {
  std::string_view title;
  std::string_view key;                            // of a row; when there is no `cell`
  std::string (*cell)(const Peek& row) = nullptr;  // makes the inside of a cell itself
  bool is_number = false;
};

/// Rows beyond the first ones are folded away; those beyond a limit are counted.
std::string table_of(const List& rows, std::initializer_list<Column>,
                     std::string_view when_empty = "None.");

struct Card {
  std::string_view title;
  std::string value;     // HTML
  std::string_view key;  // which value of the document it shows
};
std::string cards(const std::vector<Card>&);

struct Fact {
  std::string_view name;
  std::string value;  // HTML
};
std::string facts(const std::vector<Fact>&);

}  // namespace gh::report
