#include "wire/spaced_json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "base/text.h"
#include "base/unicode.h"
#include "wire/json_stream.h"

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

/// The canonical string with everything beyond ASCII, and DEL as it is, escaped.
void append_ascii(std::string& out, std::string_view text) {
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

/// Texts are put together from the inside out; what is open lives in `open_`.
class Writer {
 public:
  explicit Writer(Form form) : form_(form) {}

  std::string write(const Value& root) && {
    begin(root);
    while (!open_.empty())
      step();
    return std::move(result_);
  }

 private:
  using Entry = std::pair<std::string, Value>;
  struct Open {
    const Value* value;
    std::vector<const Entry*> entries{};
    std::vector<std::string> parts{};
    std::size_t next = 0;
  };

  void begin(const Value& v) {
    if (const Map* map = v.as_map()) {
      open_.push_back({&v, entries_of(*map)});
    } else if (v.as_list() != nullptr) {
      open_.push_back({&v});
    } else {
      finish(scalar(v));
    }
  }

  std::vector<const Entry*> entries_of(const Map& map) const {
    std::vector<const Entry*> out;
    for (const Entry& entry : map.entries())
      if (std::ranges::find(form_.dropped, entry.first) == form_.dropped.end())
        out.push_back(&entry);
    if (!form_.keeps_order)
      std::ranges::sort(out, {}, [](const Entry* e) { return std::string_view(e->first); });
    return out;
  }

  void step() {
    Open& top = open_.back();
    const List* list = top.value->as_list();
    const std::size_t size = list != nullptr ? list->size() : top.entries.size();
    if (top.next < size) {
      const std::size_t at = top.next++;
      return begin(list != nullptr ? (*list)[at] : top.entries[at]->second);
    }
    Open done = std::move(top);
    open_.pop_back();
    if (list != nullptr && form_.sorts_lists) std::ranges::sort(done.parts);
    finish(joined(done, list != nullptr));
  }

  std::string joined(const Open& done, bool is_list) const {
    if (done.parts.empty()) return is_list ? "[]" : "{}";
    const std::string inner = form_.indents ? "\n" + std::string(2 * (open_.size() + 1), ' ') : "";
    std::string out = is_list ? "[" : "{";
    for (std::size_t i = 0; i < done.parts.size(); ++i) {
      if (i > 0) out += form_.indents ? "," : ", ";
      out += inner;
      if (!is_list) {
        append_text(out, done.entries[i]->first);
        out += ": ";
      }
      out += done.parts[i];
    }
    if (form_.indents) out += "\n" + std::string(2 * open_.size(), ' ');
    return out + (is_list ? "]" : "}");
  }

  void finish(std::string text) {
    if (open_.empty())
      result_ = std::move(text);
    else
      open_.back().parts.push_back(std::move(text));
  }

  void append_text(std::string& out, std::string_view text) const {
    if (form_.ascii)
      append_ascii(out, text);
    else
      append_canonical(out, text);
  }

  std::string scalar(const Value& v) const {
    std::string out;
    if (v.is_null()) return "null";
    if (const bool* b = v.as_bool()) return *b ? "true" : "false";
    if (const std::int64_t* i = v.as_int()) return std::to_string(*i);
    if (const std::string* s = v.as_string()) append_text(out, *s);
    if (const auto* d = std::get_if<Decimal>(&v.data())) append_canonical(out, *d);
    if (const auto* n = std::get_if<Number>(&v.data())) append_number(out, *n);
    return out;
  }

  Form form_;
  std::vector<Open> open_;
  std::string result_;
};

}  // namespace

std::string spaced_json(const Value& value) { return Writer(Form{}).write(value); }

std::string identity_json(const Value& value, std::span<const std::string_view> dropped) {
  return Writer(Form{.sorts_lists = true, .dropped = dropped}).write(value);
}

std::string report_json(const Value& value) {
  return Writer(Form{.ascii = false, .keeps_order = true, .indents = true}).write(value);
}

std::string sorted_json(const Value& value) {
  return Writer(Form{.ascii = false, .indents = true}).write(value) + "\n";
}

}  // namespace gh::wire
