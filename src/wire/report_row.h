#pragma once
// One row of a long list of a report, told member by member: as a value for those who look into it,
// or at once as the text that write_report_json makes of that value. Whoever tells a row does not
// know which.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/value.h"

namespace gh::wire {

class ValueRow {
 public:
  void text(std::string_view key, std::string_view value) { add(key, value); }
  void flag(std::string_view key, std::optional<bool> value) {
    add(key, value ? Value(*value) : Value());
  }
  void number(std::string_view key, std::int64_t value) { add(key, value); }
  void texts(std::string_view key, const std::vector<std::string>& value) {
    add(key, string_list(value));
  }
  void null(std::string_view key) { add(key, Value()); }
  void open(std::string_view key);  // a mapping
  void close();
  Map done() { return Map(std::move(entries_)); }

 private:
  using Entries = std::vector<std::pair<std::string, Value>>;
  void add(std::string_view key, Value value) {
    entries_.emplace_back(std::string(key), std::move(value));
  }

  Entries entries_;
  std::vector<std::pair<std::string, Entries>> around_;  // what is open around it, with its key
};

/// Appends to `out`. `depth` is how many lists and mappings are open around the row: at most four.
class TextRow {
 public:
  TextRow(std::string& out, std::size_t depth);
  void text(std::string_view key, std::string_view value);
  void flag(std::string_view key, std::optional<bool> value);
  void number(std::string_view key, std::int64_t value);
  void texts(std::string_view key, const std::vector<std::string>& value);
  void null(std::string_view key);
  void open(std::string_view key);
  void close();

 private:
  void begin(std::string_view key);
  void start_line(bool is_first);

  std::string& out_;
  std::size_t depth_;
  bool is_first_ = true;
};

/// A text that is null when it is empty.
template <class Row>
void optional_text(Row& row, std::string_view key, std::string_view value) {
  if (value.empty())
    row.null(key);
  else
    row.text(key, value);
}

}  // namespace gh::wire
