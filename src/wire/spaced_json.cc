#include "wire/spaced_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

#include <fmt/format.h>

#include "base/in_parts.h"
#include "base/text.h"
#include "base/unicode.h"

namespace gh::wire {
namespace {

void append_unit(std::string& out, std::uint32_t unit) {
  fmt::format_to(std::back_inserter(out), "\\u{:04x}", unit);
}

void append_code_point(std::string& out, char32_t c) {
  if (c < 0x10000) return append_unit(out, c);
  append_unit(out, 0xD800 + ((c - 0x10000) >> 10));
  append_unit(out, 0xDC00 + ((c - 0x10000) & 0x3FF));
}

/// True when a byte of the eight is not printable ASCII, or is escaped.
bool is_special(std::uint64_t word) {
  constexpr std::uint64_t kOnes = 0x0101010101010101, kHigh = 0x8080808080808080;
  const auto has = [&](char c) {
    const std::uint64_t w = word ^ (kOnes * static_cast<unsigned char>(c));
    return (w - kOnes) & ~w;
  };
  return ((word | (word - kOnes * ' ') | has('"') | has('\\') | has('\x7F')) & kHigh) != 0;
}

bool is_plain(std::string_view text) {
  std::uint64_t word;
  if (text.size() < sizeof word)
    return std::ranges::all_of(
        text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
  const char* const last = text.data() + text.size() - sizeof word;
  for (const char* at = text.data(); at < last; at += sizeof word) {
    std::memcpy(&word, at, sizeof word);
    if (is_special(word)) return false;
  }
  std::memcpy(&word, last, sizeof word);
  return !is_special(word);
}

bool append_plain(std::string& out, std::string_view text) {
  if (!is_plain(text)) return false;
  const std::size_t at = out.size();
  out.resize(at + text.size() + 2, '"');
  text.copy(out.data() + at + 1, text.size());
  return true;
}

/// The canonical string with everything beyond ASCII, and DEL as it is, escaped.
void append_ascii(std::string& out, std::string_view text) {
  if (append_plain(out, text)) return;
  std::string quoted;
  append_canonical(quoted, text);
  for (std::size_t at = 0; at < quoted.size();) {
    if (static_cast<unsigned char>(quoted[at]) < 0x80)
      out += quoted[at++];
    else
      append_code_point(out, next_code_point(quoted, at));
  }
}

bool is_whole(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Shortest digits that read back as the same double; an exponent from 1e16 and below 1e-4.
void append_double(std::string& out, double d) {
  std::array<char, 64> buffer;
  const double size = std::fabs(d);
  const bool is_plain = d == 0 || (size >= 1e-4 && size < 1e16);
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), d,
                    is_plain ? std::chars_format::fixed : std::chars_format::scientific)
          .ptr;
  const std::string_view digits(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  out += digits;
  if (is_plain && digits.find('.') == std::string_view::npos) out += ".0";
}

void append_number(std::string& out, const Number& n) {
  if (is_whole(n.text))
    out += n.text;
  else
    append_double(out, n.value);
}

struct Form {
  bool ascii = true, sorts_lists = false, keeps_order = false, indents = false;
  std::span<const std::string_view> dropped{};
};

constexpr Form kReport{.ascii = false, .keeps_order = true, .indents = true};

/// One text, written from left to right; what is open lives in `open_`.
class Writer {
 public:
  /// `depth` is how many lists and mappings are open around what it writes.
  Writer(Form form, std::string& out, std::size_t depth = 0)
      : form_(form), out_(out), depth_(depth) {}
  /// `piece` is the memory of what is handed on.
  Writer(Form form, std::string& piece, const Sink& sink, std::span<const LateItems> late = {})
      : form_(form), out_(piece), sink_(&sink), late_(late) {}

  template <class ValueOrMap>
  void write(const ValueOrMap& root) {
    begin(root);
    while (!open_.empty()) {
      step();
      if (out_.size() >= kPiece) flush();
    }
    flush();
  }

 private:
  /// Most keys differ in their first letters, which are compared without going to the key.
  struct Entry {
    std::uint64_t start;
    const std::pair<std::string, Value>* held;
    bool operator<(const Entry& other) const {
      return start != other.start ? start < other.start : held->first < other.held->first;
    }
  };
  struct Open {
    const List* list;  // nullptr: a mapping
    std::size_t first, size, next = 0;
  };

  void begin(const Map& map) {
    out_ += '{';
    const std::size_t first = entries_.size();
    take_entries(map);
    open_.push_back({nullptr, first, entries_.size() - first});
  }

  void begin(const Value& v) {
    if (const Map* map = v.as_map()) {
      begin(*map);
    } else if (const List* list = v.as_list()) {
      out_ += '[';
      const auto late = std::ranges::find(late_, list, &LateItems::place);
      if (late != late_.end()) {
        write_late(*late);
        open_.push_back({list, starts_.size(), late->count, late->count});
        return;
      }
      const bool is_long = depth_ == 0 && list->size() >= kLong && !form_.sorts_lists;
      if (is_long) write_long(*list);
      open_.push_back({list, starts_.size(), list->size(), is_long ? list->size() : 0});
    } else {
      append_scalar(v);
    }
  }

  /// The items of a long list, on all cores.
  void write_long(const List& list) {
    write_in_order(list.size(), [&](Writer& part, std::size_t i) { part.write(list[i]); });
  }
  void write_late(const LateItems& late) {
    write_in_order(late.count, [&](Writer& part, std::size_t i) { late.write(i, part.out_); });
  }

  template <class WriteItem>
  void write_in_order(std::size_t count, WriteItem write_item) {
    flush();
    const std::size_t depth = depth_ + open_.size() + 1;
    in_order(
        count, kItemsAtOnce,
        [&](std::size_t from, std::size_t to, std::string& text) {
          Writer part(form_, text, depth);
          for (std::size_t i = from; i < to; ++i) {
            if (i > 0) text += part.between();
            part.start_line();
            write_item(part, i);
          }
        },
        [&](std::string_view text) {
          if (sink_ != nullptr)
            (*sink_)(text);
          else
            out_ += text;
        });
  }

  void flush() {
    if (sink_ == nullptr) return;
    (*sink_)(out_);
    out_.clear();
  }

  void take_entries(const Map& map) {
    const auto first = static_cast<std::ptrdiff_t>(entries_.size());
    for (const auto& entry : map.entries())
      if (std::ranges::find(form_.dropped, entry.first) == form_.dropped.end())
        entries_.push_back({start_of(entry.first), &entry});
    if (!form_.keeps_order) std::sort(entries_.begin() + first, entries_.end());
  }

  /// The first eight bytes as a number that is ordered as they are.
  static std::uint64_t start_of(std::string_view key) {
    std::uint64_t out = 0;
    if (key.size() >= sizeof out) {
      for (std::size_t i = 0; i < sizeof out; ++i)
        out = out << 8 | static_cast<unsigned char>(key[i]);
      return out;
    }
    for (const char c : key)
      out = out << 8 | static_cast<unsigned char>(c);
    return key.empty() ? 0 : out << 8 * (sizeof out - key.size());
  }

  void step() {
    Open& top = open_.back();
    if (top.next == top.size) return close();
    const std::size_t at = top.next++;
    if (at > 0) out_ += between();
    start_line();
    if (top.list != nullptr) {
      if (form_.sorts_lists) starts_.push_back(out_.size());
      return begin((*top.list)[at]);
    }
    const auto& entry = *entries_[top.first + at].held;
    append_text(entry.first);
    out_ += ": ";
    begin(entry.second);
  }

  void close() {
    const Open done = open_.back();
    open_.pop_back();
    if (done.list != nullptr && form_.sorts_lists) {
      sort_items(done);
      starts_.resize(done.first);
    }
    if (done.list == nullptr) entries_.resize(done.first);
    if (done.size > 0) start_line();
    out_ += done.list != nullptr ? ']' : '}';
  }

  /// The items of the list that ends here, by their texts.
  void sort_items(const Open& list) {
    if (list.size < 2) return;
    const std::size_t first = starts_[list.first];
    const std::string written = out_.substr(first);
    std::vector<std::string_view> items;
    for (std::size_t i = list.first; i < starts_.size(); ++i) {
      const bool is_last = i + 1 == starts_.size();
      const std::size_t end = is_last ? out_.size() : starts_[i + 1] - kBetween.size();
      items.push_back(std::string_view(written).substr(starts_[i] - first, end - starts_[i]));
    }
    if (std::ranges::is_sorted(items)) return;
    std::ranges::sort(items);
    out_.resize(first);
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) out_ += kBetween;
      out_ += items[i];
    }
  }

  std::string_view between() const { return form_.indents ? "," : kBetween; }

  void start_line() {
    if (!form_.indents) return;
    out_ += '\n';
    out_.append(2 * (depth_ + open_.size()), ' ');
  }

  void append_text(std::string_view text) {
    if (form_.ascii)
      append_ascii(out_, text);
    else
      append_report_json(out_, text);
  }

  void append_scalar(const Value& v) {
    if (const std::string* s = v.as_string()) return append_text(*s);
    if (v.is_null()) out_ += "null";
    if (const bool* b = v.as_bool()) out_ += *b ? "true" : "false";
    if (const std::int64_t* i = v.as_int()) out_ += std::to_string(*i);
    if (const auto* d = std::get_if<Decimal>(&v.data())) append_canonical(out_, *d);
    if (const auto* n = std::get_if<Number>(&v.data())) append_number(out_, *n);
  }

  static constexpr std::string_view kBetween = ", ";
  static constexpr std::size_t kLong = 400;  // items are worth a thread
  static constexpr std::size_t kItemsAtOnce = 64;
  static constexpr std::size_t kPiece = 64 * 1024;  // as much is handed on at once
  Form form_;
  std::string& out_;
  const Sink* sink_ = nullptr;
  std::span<const LateItems> late_{};
  std::size_t depth_ = 0;
  std::vector<Open> open_;
  std::vector<Entry> entries_;       // of the open mappings
  std::vector<std::size_t> starts_;  // of the items of the open lists that are sorted
};

}  // namespace

std::string spaced_json(const Value& value) {
  std::string out;
  Writer(Form{}, out).write(value);
  return out;
}

std::string identity_json(const Value& value, std::span<const std::string_view> dropped) {
  std::string out;
  append_identity_json(out, value, dropped);
  return out;
}

std::string identity_json(const Map& map, std::span<const std::string_view> dropped) {
  std::string out;
  Writer(Form{.sorts_lists = true, .dropped = dropped}, out).write(map);
  return out;
}

void append_spaced_json(std::string& out, std::string_view text) { append_ascii(out, text); }
void append_spaced_json_or_null(std::string& out, std::string_view text) {
  if (text.empty())
    out += "null";
  else
    append_ascii(out, text);
}

void append_identity_json(std::string& out, const Value& value,
                          std::span<const std::string_view> dropped) {
  if (const std::string* text = value.as_string()) return append_ascii(out, *text);
  Writer(Form{.sorts_lists = true, .dropped = dropped}, out).write(value);
}

void write_spaced_json(const Value& value, const Sink& sink) {
  std::string piece;
  Writer(Form{}, piece, sink).write(value);
}

void write_report_json(const Value& value, std::span<const LateItems> late, const Sink& sink) {
  std::string piece;
  Writer(kReport, piece, sink, late).write(value);
}

void append_report_json(std::string& out, std::string_view text) {
  if (!append_plain(out, text)) append_canonical(out, text);
}

void append_identity_json(std::string& out, const std::vector<std::string>& texts) {
  std::vector<std::string> items;
  items.reserve(texts.size());
  for (const std::string& text : texts)
    append_ascii(items.emplace_back(), text);
  std::ranges::sort(items);
  out += '[';
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += ", ";
    out += items[i];
  }
  out += ']';
}

std::string report_json(const Value& value) {
  std::string out;
  Writer(kReport, out).write(value);
  return out;
}

std::string sorted_json(const Value& value) {
  std::string out;
  Writer(Form{.ascii = false, .indents = true}, out).write(value);
  return out + "\n";
}

}  // namespace gh::wire
