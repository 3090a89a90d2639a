#include "syntax/cst.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <tree_sitter/api.h>

namespace gh::syntax {
namespace {

struct Deleter {
  void operator()(TSTree* tree) const { ts_tree_delete(tree); }
  void operator()(TSParser* parser) const { ts_parser_delete(parser); }
};

constexpr TSSymbol kErrorSymbol = 0xffff;

/// Numbers of one grammar, looked up once: symbol to row, field to field.
struct Resolved {
  const LanguageSpec* spec = nullptr;
  const TSLanguage* grammar = nullptr;
  std::vector<std::uint16_t> rows{};
  std::vector<Field> fields{};
};

Resolved resolve(Language language) {
  GH_ASSERT(spec_of(language) != nullptr);
  const LanguageSpec& spec = *spec_of(language);
  Resolved out{.spec = &spec, .grammar = spec.grammar(), .rows = {}, .fields = {}};
  std::map<std::string_view, std::uint16_t> by_type;
  for (std::size_t i = 0; i < spec.rows.size(); ++i)
    by_type.emplace(spec.rows[i].type, static_cast<std::uint16_t>(i));
  const std::uint32_t symbols = ts_language_symbol_count(out.grammar);
  for (std::uint32_t s = 0; s < symbols; ++s) {
    const auto symbol = static_cast<TSSymbol>(s);
    const bool named = ts_language_symbol_type(out.grammar, symbol) == TSSymbolTypeRegular;
    const std::string_view type = ts_language_symbol_name(out.grammar, symbol);
    const auto found = by_type.find(type);
    out.rows.push_back(!named                      ? kTokenRow
                       : found != by_type.end()    ? found->second
                       : type.ends_with("comment") ? kCommentRow
                                                   : kUnknownRow);
  }
  out.fields.resize(ts_language_field_count(out.grammar) + 1, Field::none);
  for (std::size_t f = 1; f < kFieldCount; ++f) {
    const std::string_view name = to_string(static_cast<Field>(f));
    const TSFieldId id = ts_language_field_id_for_name(out.grammar, name.data(),
                                                       static_cast<std::uint32_t>(name.size()));
    if (id != 0) out.fields[id] = static_cast<Field>(f);
  }
  return out;
}

const Resolved& resolved(Language language) {
  static std::array<std::once_flag, kLanguageCount> once;
  static std::array<Resolved, kLanguageCount> all;
  const auto i = static_cast<std::size_t>(language);
  std::call_once(once[i], [&] { all[i] = resolve(language); });
  return all[i];
}

}  // namespace

struct Parser::Impl {
  std::unique_ptr<TSParser, Deleter> parser{ts_parser_new()};
  std::vector<std::uint32_t> open{};
};

Parser::Parser() : impl_(new Impl) {}
Parser::~Parser() { delete impl_; }

namespace {

class Flattening {
 public:
  Flattening(const Resolved& names, TSNode root, std::vector<std::uint32_t>& open, Cst& out)
      : names_(names), cursor_(ts_tree_cursor_new(root)), open_(open), out_(out) {}
  ~Flattening() { ts_tree_cursor_delete(&cursor_); }
  Flattening(const Flattening&) = delete;
  Flattening& operator=(const Flattening&) = delete;

  /// False beyond the limits.
  bool run() {
    open_.clear();
    for (;;) {
      if (out_.nodes.size() >= kMaxNodes || open_.size() >= kMaxDepth) return false;
      const auto index = static_cast<std::uint32_t>(out_.nodes.size());
      append();
      if (ts_tree_cursor_goto_first_child(&cursor_)) {
        open_.push_back(index);
        continue;
      }
      out_.nodes[index].next = index + 1;
      while (!ts_tree_cursor_goto_next_sibling(&cursor_)) {
        if (open_.empty()) return true;
        ts_tree_cursor_goto_parent(&cursor_);
        out_.nodes[open_.back()].next = static_cast<std::uint32_t>(out_.nodes.size());
        open_.pop_back();
      }
    }
  }

 private:
  void append() {
    const TSNode node = ts_tree_cursor_current_node(&cursor_);
    const TSSymbol symbol = ts_node_symbol(node);
    const std::uint16_t row = symbol == kErrorSymbol     ? kErrorRow
                              : ts_node_is_missing(node) ? kMissingRow
                                                         : names_.rows[symbol];
    out_.nodes.push_back({.row = row,
                          .symbol = symbol,
                          .field = names_.fields[ts_tree_cursor_current_field_id(&cursor_)],
                          .start = ts_node_start_byte(node),
                          .end = ts_node_end_byte(node),
                          .next = 0});
  }

  const Resolved& names_;
  TSTreeCursor cursor_;
  std::vector<std::uint32_t>& open_;
  Cst& out_;
};

}  // namespace

bool Parser::parse(Language language, std::string_view source, Cst& cst) {
  const Resolved& names = resolved(language);
  cst.nodes.clear();
  cst.source = source;
  cst.spec = names.spec;
  TSParser* parser = impl_->parser.get();
  GH_ASSERT(ts_parser_set_language(parser, names.grammar));  // both are of this build
  std::string readable;
  if (names.spec->readable != nullptr) readable = names.spec->readable(source);
  const std::string_view text = names.spec->readable != nullptr ? readable : source;
  GH_ASSERT(text.size() == source.size());
  const std::unique_ptr<TSTree, Deleter> tree(ts_parser_parse_string(
      parser, nullptr, text.data(), static_cast<std::uint32_t>(text.size())));
  return tree && Flattening(names, ts_tree_root_node(tree.get()), impl_->open, cst).run();
}

}  // namespace gh::syntax
