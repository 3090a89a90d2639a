#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <vector>

#include "base/text.h"
#include "wire/json.h"
#include "wire/json_as_read.h"
#include "wire/json_stream.h"

namespace gh::wire {
namespace {

using Entry = std::pair<std::string, Value>;

constexpr bool is_plain(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && c != '"' && c != '\\';
}

/// True exactly when one of the eight bytes needs an escape (bytes below a bound, or zero after
/// xor).
constexpr bool has_escape(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  const auto has_zero = [](std::uint64_t w) { return (w - kOnes) & ~w & kHigh; };
  const std::uint64_t control = (word - kOnes * 0x20) & ~word & kHigh;
  return (control | has_zero(word ^ (kOnes * '"')) | has_zero(word ^ (kOnes * '\\'))) != 0;
}

std::size_t plain_run(std::string_view text, std::size_t from) {
  std::size_t at = from;
  for (std::uint64_t word; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if (has_escape(word)) break;
  }
  while (at < text.size() && is_plain(text[at]))
    ++at;
  return at;
}

void append_escape(std::string& out, char c) {
  constexpr std::string_view kHex = "0123456789abcdef";
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\b':
      out += "\\b";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += kHex[byte >> 4];
  out += kHex[byte & 15];
}

void append_string(std::string& out, std::string_view text) {
  std::string escaped;
  if (!is_utf8(text)) text = escaped = utf8_or_escaped(text);
  out += '"';
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = plain_run(text, at);
    out.append(text.data() + at, end - at);
    if (end == text.size()) break;
    append_escape(out, text[end]);
    at = end + 1;
  }
  out += '"';
}

void append_int(std::string& out, std::uint64_t magnitude) {
  if (magnitude < 10) {
    out += static_cast<char>('0' + magnitude);
    return;
  }
  std::array<char, 20> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), magnitude).ptr;
  out.append(digits.data(), end);
}

std::uint64_t magnitude_of(std::int64_t v) {
  return v < 0 ? ~static_cast<std::uint64_t>(v) + 1 : static_cast<std::uint64_t>(v);
}

void append_decimal(std::string& out, Decimal d) {
  const std::uint64_t magnitude = magnitude_of(d.ten_thousandths);
  if (d.ten_thousandths < 0) out += '-';
  append_int(out, magnitude / 10'000);
  const auto part = static_cast<unsigned>(magnitude % 10'000);
  const auto digit = [](unsigned n) { return static_cast<char>('0' + n % 10); };
  const std::array<char, 5> text{'.', digit(part / 1000), digit(part / 100), digit(part / 10),
                                 digit(part)};
  std::size_t length = text.size();
  while (length > 2 && text[length - 1] == '0')
    --length;
  out.append(text.data(), length);
}

void append_scalar(std::string& out, const Value& v, bool keeps_numbers) {
  const Number* const number = std::get_if<Number>(&v.data());
  GH_ASSERT(number == nullptr || keeps_numbers);
  if (number != nullptr) {
    out += number->text;
  } else if (const std::string* s = v.as_string()) {
    append_string(out, *s);
  } else if (const std::int64_t* i = v.as_int()) {
    if (*i < 0) out += '-';
    append_int(out, magnitude_of(*i));
  } else if (const bool* b = v.as_bool()) {
    out += *b ? "true" : "false";
  } else if (const Decimal* d = std::get_if<Decimal>(&v.data())) {
    append_decimal(out, *d);
  } else {
    out += "null";
  }
}

constexpr std::size_t kPiece = 64 * 1024;  // as much is handed on at once

/// An open list or mapping: what is left to write of it.
struct Open {
  const List* list = nullptr;
  const LateItems* late = nullptr;     // a list whose items are made now
  std::vector<const Entry*> sorted{};  // mapping only
  std::size_t next = 0;
  bool is_list() const { return list != nullptr || late != nullptr; }
  std::size_t size() const {
    return late != nullptr ? late->count : list != nullptr ? list->size() : sorted.size();
  }
};

std::vector<const Entry*> sorted_entries(const Map& map) {
  std::vector<const Entry*> sorted;
  sorted.reserve(map.size());
  for (const Entry& e : map.entries())
    sorted.push_back(&e);
  std::ranges::sort(sorted, {}, [](const Entry* e) { return std::string_view(e->first); });
  return sorted;
}

/// One walk for both forms, with its own stack: depth is the document's, not the machine's.
class Writer {
 public:
  explicit Writer(bool indented, bool keeps_numbers = false)
      : indented_(indented), keeps_numbers_(keeps_numbers) {}
  Writer(std::span<const LateItems> late, const Sink& sink) : late_(late), sink_(&sink) {}

  std::string write(const Value& root) && {
    begin(root);
    while (!open_.empty()) {
      step();
      if (sink_ != nullptr && out_.size() >= kPiece) flush();
    }
    return std::move(out_);
  }
  void flush() {
    (*sink_)(out_);
    out_.clear();
  }

 private:
  void begin(const Value& v) {
    if (const List* list = v.as_list()) {
      const auto late = std::ranges::find(late_, list, &LateItems::place);
      open_container('[', late != late_.end() ? Open{.late = &*late} : Open{.list = list});
    } else if (const Map* map = v.as_map()) {
      open_container('{', {.sorted = sorted_entries(*map)});
    } else {
      append_scalar(out_, v, keeps_numbers_);
    }
  }

  void open_container(char bracket, Open frame) {
    out_ += bracket;
    open_.push_back(std::move(frame));
  }

  void step() {
    Open& top = open_.back();
    if (top.next == top.size()) {
      const char bracket = top.is_list() ? ']' : '}';
      const bool was_empty = top.next == 0;
      open_.pop_back();
      if (!was_empty) new_line();
      out_ += bracket;
      return;
    }
    if (top.next > 0) out_ += ',';
    new_line();
    const std::size_t at = top.next++;
    if (top.list != nullptr) return begin((*top.list)[at]);
    if (top.late != nullptr) return top.late->write(at, out_);
    const Entry& entry = *top.sorted[at];
    append_string(out_, entry.first);
    out_ += indented_ ? ": " : ":";
    begin(entry.second);
  }

  void new_line() {
    if (!indented_) return;
    out_ += '\n';
    out_.append(2 * open_.size(), ' ');
  }

  bool indented_ = false, keeps_numbers_ = false;
  std::span<const LateItems> late_{};
  const Sink* sink_ = nullptr;
  std::string out_;
  std::vector<Open> open_;
};

}  // namespace

std::string canonical_json(const Value& v) { return Writer(false).write(v); }

void write_canonical_json(const Value& v, std::span<const LateItems> late, const Sink& sink) {
  sink(Writer(late, sink).write(v));
}

void append_canonical(std::string& out, std::string_view text) { append_string(out, text); }
void append_canonical(std::string& out, std::uint64_t number) { append_int(out, number); }
void append_canonical(std::string& out, Decimal number) { append_decimal(out, number); }

std::string json_as_read(const Value& v, bool indented) {
  return Writer(indented, true).write(v) + (indented ? "\n" : "");
}

std::string pretty_json(const Value& v) { return Writer(true).write(v) + '\n'; }

}  // namespace gh::wire
