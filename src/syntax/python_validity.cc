#include "syntax/python_validity.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace gh::syntax {
namespace {

using Check = bool (*)(const Cst&, std::uint32_t node);
using Place = std::uint32_t (*)(const Cst&, std::uint32_t node);

constexpr bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         static_cast<unsigned char>(c) >= 0x80;
}

/// Children in order, tokens included; comments and line continuations are nobody's.
template <class Do>
void each_child(const Cst& cst, std::uint32_t node, Do visit) {
  for (std::uint32_t i = node + 1; i < cst.nodes[node].next; i = cst.nodes[i].next)
    if (cst.nodes[i].row != kCommentRow && cst.type(i) != "line_continuation") visit(i);
}

bool has_child(const Cst& cst, std::uint32_t node, std::string_view type) {
  bool out = false;
  each_child(cst, node, [&](std::uint32_t i) { out = out || cst.type(i) == type; });
  return out;
}

bool has_token(const Cst& cst, std::uint32_t node, std::string_view text) {
  bool out = false;
  each_child(cst, node, [&](std::uint32_t i) {
    out = out || (cst.nodes[i].row == kTokenRow && cst.text(i) == text);
  });
  return out;
}

// --- layout --------------------------------------------------------------------------------------

/// Where a line's first word stands, measured as Python does: tabs to every eighth column, and as
/// one column each; two lines of a block agree in both.
struct Column {
  std::size_t wide = 0, narrow = 0;
  bool operator==(const Column&) const = default;
};

/// False when the node is not the first of its line.
bool column_of(const Cst& cst, std::uint32_t node, Column& out) {
  const std::size_t start = cst.nodes[node].start;
  const std::size_t line = start == 0 ? 0 : cst.source.find_last_of("\r\n", start - 1) + 1;
  out = {};
  for (std::size_t i = line; i < start; ++i)
    switch (cst.source[i]) {
      case ' ':
        ++out.wide, ++out.narrow;
        break;
      case '\t':
        out.wide = (out.wide / 8 + 1) * 8, ++out.narrow;
        break;
      case '\f':
        out = {};
        break;
      default:
        if (line == 0 && i < 3 && cst.source.starts_with("\xef\xbb\xbf")) break;
        return false;
    }
  if (line < 2) return true;
  std::size_t end = line - 1;  // of the line before, which a backslash continues
  if (cst.source[end] == '\n' && cst.source[end - 1] == '\r') --end;
  return end == 0 || cst.source[end - 1] != '\\';
}

/// Statements of one block begin at one column: where the first one stands that does not.
std::uint32_t stray_line(const Cst& cst, std::uint32_t node, Column wanted, bool is_known) {
  std::uint32_t out = kNowhere;
  each_child(cst, node, [&](std::uint32_t i) {
    Column here;
    if (out != kNowhere || !cst.is_named(i) || !column_of(cst, i, here)) return;
    if (is_known && here != wanted) out = cst.nodes[i].start;
    wanted = here, is_known = true;
  });
  return out;
}

std::uint32_t module(const Cst& cst, std::uint32_t node) { return stray_line(cst, node, {}, true); }

std::uint32_t block(const Cst& cst, std::uint32_t node) {
  bool is_empty = true;
  each_child(cst, node, [&](std::uint32_t) { is_empty = false; });
  return is_empty ? cst.nodes[node].start : stray_line(cst, node, {}, false);
}

// --- statements ----------------------------------------------------------------------------------

bool try_statement(const Cst& cst, std::uint32_t node) {
  std::size_t handlers = 0, groups = 0;
  bool has_bare = false, is_wrong = false, has_else = false, has_finally = false;
  each_child(cst, node, [&](std::uint32_t i) {
    const std::string_view type = cst.type(i);
    has_else = has_else || type == "else_clause";
    has_finally = has_finally || type == "finally_clause";
    if (type != "except_clause") return;
    is_wrong = is_wrong || has_bare;  // a bare one is the last
    ++handlers;
    const bool is_group = has_token(cst, i, "except*") || has_token(cst, i, "*");
    bool has_type = false;
    each_child(cst, i, [&](std::uint32_t c) {
      has_type = has_type || (cst.is_named(c) && cst.type(c) != "block");
    });
    groups += is_group ? 1 : 0;
    has_bare = !has_type && !is_group;
    is_wrong = is_wrong || (is_group && !has_type);
  });
  return is_wrong || (groups != 0 && groups != handlers) ||
         (handlers == 0 && (!has_finally || has_else));
}

/// `print x` and `exec x`. What could go on as an expression of Python 3, as `print - 1` does, may.
bool old_statement(const Cst& cst, std::uint32_t node) {
  std::string_view text = cst.text(node);
  const std::size_t word =
      static_cast<std::size_t>(std::ranges::find_if_not(text, is_word) - text.begin());
  text.remove_prefix(std::min(text.find_first_not_of(" \t", word), text.size()));
  if (text.empty()) return false;
  for (const std::string_view joint : {"in", "is", "and", "or", "not", "if"})
    if (text.starts_with(joint) && (text.size() == joint.size() || !is_word(text[joint.size()])))
      return false;
  return is_word(text[0]) || std::string_view("\"'`{~").find(text[0]) != std::string_view::npos;
}

bool raise_statement(const Cst& cst, std::uint32_t node) {
  return has_child(cst, node, "expression_list");
}

bool expression_statement(const Cst& cst, std::uint32_t node) {
  return node + 1 < cst.nodes[node].next && cst.type(node + 1) == "named_expression";
}

/// Nothing can be written to or deleted there.
bool is_no_place(std::string_view type) {
  constexpr auto kValues = std::to_array<std::string_view>({"await",
                                                            "binary_operator",
                                                            "boolean_operator",
                                                            "call",
                                                            "comparison_operator",
                                                            "concatenated_string",
                                                            "conditional_expression",
                                                            "dictionary",
                                                            "dictionary_comprehension",
                                                            "ellipsis",
                                                            "false",
                                                            "float",
                                                            "generator_expression",
                                                            "integer",
                                                            "lambda",
                                                            "list_comprehension",
                                                            "none",
                                                            "not_operator",
                                                            "set",
                                                            "set_comprehension",
                                                            "string",
                                                            "true",
                                                            "unary_operator"});
  return std::ranges::binary_search(kValues, type);
}

bool holds_no_place(const Cst& cst, std::uint32_t node) {
  bool out = false;
  each_child(cst, node, [&](std::uint32_t i) {
    out = out || is_no_place(cst.type(i));
    if (cst.type(i) == "expression_list")
      each_child(cst, i, [&](std::uint32_t c) { out = out || is_no_place(cst.type(c)); });
  });
  return out;
}

/// `x: A: B`; only type parameters have bounds.
bool bounded_type(const Cst& cst, std::uint32_t node) {
  bool out = false;
  each_child(cst, node, [&](std::uint32_t i) {
    out = out || (cst.type(i) == "type" && has_child(cst, i, "constrained_type"));
  });
  return out;
}

// --- parameters, arguments, patterns -------------------------------------------------------------

/// Of a function or a lambda: `a, /, b=1, *c, d, **e`.
bool parameters(const Cst& cst, std::uint32_t node) {
  bool has_default = false, has_star = false, has_slash = false, has_last = false, out = false;
  bool is_owed = false;  // a lone star wants a name behind it
  std::size_t seen = 0;
  each_child(cst, node, [&](std::uint32_t i) {
    if (!cst.is_named(i) || out) return;
    const std::string_view text = cst.text(i), type = cst.type(i);
    out = has_last;
    if (text.starts_with("**")) {
      out = out || is_owed;
      has_last = true;
    } else if (text.starts_with('*')) {
      out = out || has_star;
      has_star = true;
      is_owed = type == "keyword_separator";
    } else if (type == "positional_separator") {
      out = out || has_slash || has_star || seen == 0;
      has_slash = true;
    } else if (text.starts_with('(')) {
      out = true;  // Python 2 took lists apart here
    } else {
      const bool is_default = type.ends_with("default_parameter");
      out = out || (has_default && !is_default && !has_star);
      has_default = has_default || is_default;
      is_owed = false;
    }
    ++seen;
  });
  return out || is_owed;
}

bool has_bad_parameters(const Cst& cst, std::uint32_t node) {
  bool out = false;
  each_child(cst, node, [&](std::uint32_t i) {
    out = out || (cst.nodes[i].field == Field::parameters && parameters(cst, i));
  });
  return out;
}

/// Names come after places, and nothing but names after `**`.
bool argument_list(const Cst& cst, std::uint32_t node) {
  bool has_name = false, has_last = false, out = false;
  each_child(cst, node, [&](std::uint32_t i) {
    if (!cst.is_named(i)) return;
    const std::string_view type = cst.type(i);
    if (type == "keyword_argument") {
      has_name = true;
    } else if (type == "dictionary_splat") {
      has_last = true;
    } else {
      const bool is_star = type == "list_splat" || type == "parenthesized_list_splat";
      out = out || has_last || (has_name && !is_star);
    }
  });
  return out;
}

/// `for x in a, b` is one of statements alone.
bool for_in_clause(const Cst& cst, std::uint32_t node) { return has_token(cst, node, ","); }

bool class_pattern(const Cst& cst, std::uint32_t node) {
  bool has_name = false, out = false;
  each_child(cst, node, [&](std::uint32_t i) {
    if (cst.type(i) != "case_pattern") return;
    const bool is_name = has_child(cst, i, "keyword_pattern");
    out = out || (has_name && !is_name);
    has_name = has_name || is_name;
  });
  return out;
}

/// `1 + 2j`: the second is imaginary.
bool complex_pattern(const Cst& cst, std::uint32_t node) {
  const char last = cst.text(node).back();
  return last != 'j' && last != 'J';
}

// --- words ---------------------------------------------------------------------------------------

bool comparison_operator(const Cst& cst, std::uint32_t node) { return has_token(cst, node, "<>"); }

/// `0777` and `1L`.
bool integer(const Cst& cst, std::uint32_t node) {
  const std::string_view text = cst.text(node);
  if (text.ends_with('l') || text.ends_with('L')) return true;
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || c == '_'; };
  return text.size() > 1 && text[0] == '0' && std::ranges::all_of(text, is_digit) &&
         text.find_first_not_of("0_") != std::string_view::npos;
}

/// `ur''`, and backticks.
bool string_start(const Cst& cst, std::uint32_t node) {
  const std::string_view text = cst.text(node);
  const std::size_t prefix = text.find_first_of("\"'`");
  return text.find('`') != std::string_view::npos ||
         (prefix > 1 && text.substr(0, prefix).find_first_of("uU") != std::string_view::npos);
}

struct ValidityRow {
  std::string_view type;
  Check is_invalid = nullptr;
  Place invalid_at = nullptr;  // where it is not the node itself
};

// clang-format off
constexpr auto kChecks = std::to_array<ValidityRow>({
    {"module",               nullptr, module},
    {"block",                nullptr, block},
    {"try_statement",        try_statement},
    {"print_statement",      old_statement},
    {"exec_statement",       old_statement},
    {"raise_statement",      raise_statement},
    {"expression_statement", expression_statement},
    {"delete_statement",     holds_no_place},
    {"as_pattern_target",    holds_no_place},
    {"assignment",           bounded_type},
    {"typed_parameter",      bounded_type},
    {"function_definition",  has_bad_parameters},
    {"lambda",               has_bad_parameters},
    {"argument_list",        argument_list},
    {"for_in_clause",        for_in_clause},
    {"class_pattern",        class_pattern},
    {"complex_pattern",      complex_pattern},
    {"comparison_operator",  comparison_operator},
    {"integer",              integer},
    {"string_start",         string_start},
});
// clang-format on

/// The checks by the rows of the language.
class ByRow {
 public:
  explicit ByRow(const LanguageSpec& spec) {
    for (std::size_t row = 0; row < spec.rows.size(); ++row)
      for (const ValidityRow& check : kChecks)
        if (check.type == spec.rows[row].type) checks_.at(row) = &check;
  }
  const ValidityRow* of(std::uint16_t row) const {
    return row < checks_.size() ? checks_[row] : nullptr;
  }

 private:
  std::array<const ValidityRow*, 256> checks_{};
};

}  // namespace

std::uint32_t invalid_python_at(const Cst& cst, std::uint32_t node) {
  static const ByRow rows(*cst.spec);
  const ValidityRow* check = rows.of(cst.nodes[node].row);
  if (check == nullptr) return kNowhere;
  if (check->invalid_at != nullptr) return check->invalid_at(cst, node);
  return check->is_invalid(cst, node) ? cst.nodes[node].start : kNowhere;
}

}  // namespace gh::syntax
