#include "wire/report_row.h"

#include "base/error.h"
#include "wire/spaced_json.h"

namespace gh::wire {

using namespace std::string_view_literals;

void ValueRow::open(std::string_view key) {
  around_.emplace_back(key, std::move(entries_));
  entries_ = {};
}

void ValueRow::close() {
  Value inner = Map(std::move(entries_));
  auto [key, outer] = std::move(around_.back());
  around_.pop_back();
  entries_ = std::move(outer);
  entries_.emplace_back(std::move(key), std::move(inner));
}

TextRow::TextRow(std::string& out, std::size_t depth) : out_(out), depth_(depth + 1) {
  out_ += '{';
}

/// A line of its own, behind a comma or none: the report has two blanks for each level.
void TextRow::start_line(bool is_first) {
  constexpr std::string_view kLine = ",\n                ";
  const std::size_t size = 2 + 2 * depth_;
  GH_ASSERT(size <= kLine.size());
  const std::size_t from = is_first ? 1 : 0;
  out_.append(kLine.data() + from, size - from);
}

void TextRow::begin(std::string_view key) {
  start_line(is_first_);
  is_first_ = false;
  out_ += '"';
  out_ += key;
  out_ += "\": "sv;
}

void TextRow::text(std::string_view key, std::string_view value) {
  begin(key);
  append_report_json(out_, value);
}

void TextRow::flag(std::string_view key, std::optional<bool> value) {
  begin(key);
  out_ += std::string_view(!value ? "null" : *value ? "true" : "false");
}

void TextRow::number(std::string_view key, std::int64_t value) {
  begin(key);
  out_ += std::to_string(value);
}

void TextRow::texts(std::string_view key, const std::vector<std::string>& value) {
  begin(key);
  out_ += '[';
  ++depth_;
  for (std::size_t i = 0; i < value.size(); ++i) {
    start_line(i == 0);
    append_report_json(out_, value[i]);
  }
  --depth_;
  if (!value.empty()) start_line(true);
  out_ += ']';
}

void TextRow::null(std::string_view key) {
  begin(key);
  out_ += "null"sv;
}

void TextRow::open(std::string_view key) {
  begin(key);
  out_ += '{';
  ++depth_;
  is_first_ = true;
}

void TextRow::close() {
  --depth_;
  if (!is_first_) start_line(true);
  is_first_ = false;
  out_ += '}';
}

}  // namespace gh::wire
