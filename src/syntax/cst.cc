#include "syntax/cst.h"

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include <tree_sitter/api.h>

#include "syntax/c_macros.h"
#include "syntax/parse_memory.h"
#include "syntax/tree_walk.h"

namespace gh::syntax {
namespace {

struct Deleter {
  void operator()(gh_tree_walk* walk) const { gh_tree_walk_delete(walk); }
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
  std::vector<std::uint32_t> open{};
};

Parser::Parser() : impl_(new Impl) {
  static std::once_flag once;
  std::call_once(once, use_parse_memory);
}
Parser::~Parser() { delete impl_; }

namespace {

/// False beyond the limits.
bool flatten(const Resolved& names, const TSTree* tree, std::vector<std::uint32_t>& open,
             Cst& out) {
  const std::unique_ptr<gh_tree_walk, Deleter> walk(gh_tree_walk_new(tree));
  std::uint32_t index = 0;
  const auto close = [&](std::size_t depth) {
    for (; open.size() > depth; open.pop_back())
      out.nodes[open.back()].next = index;
  };
  open.clear();
  const std::uint16_t* const rows = names.rows.data();  // of each symbol and field of the grammar
  const Field* const fields = names.fields.data();
  std::array<gh_tree_node, 256> some;
  std::uint32_t count = 0;
  while ((count = gh_tree_walk_some(walk.get(), some.data(), some.size())) > 0) {
    if (index + count > kMaxNodes) return false;
    out.nodes.resize(index + count);
    for (const gh_tree_node& node : std::span(some).first(count)) {
      if (node.depth >= kMaxDepth) return false;
      close(node.depth);
      open.push_back(index);
      out.nodes[index++] = {.row = node.symbol == kErrorSymbol ? kErrorRow
                                   : node.missing              ? kMissingRow
                                                               : rows[node.symbol],
                            .symbol = node.symbol,
                            .field = fields[node.field],
                            .start = node.start,
                            .end = node.end,
                            .next = 0};
    }
  }
  close(0);
  return true;
}

void drop(TSTree* tree) {
  if (tree != nullptr && !parse_memory_is_dropped()) ts_tree_delete(tree);
}

/// Names that the parser was not shown stand behind all that it read, below nothing.
void add_set_aside(std::string_view source, std::string_view text, Cst& out) {
  for (const Comment& name : arguments_set_aside(source, text))
    out.nodes.push_back({.row = kTokenRow,
                         .symbol = 0,
                         .field = Field::none,
                         .start = name.start,
                         .end = name.end,
                         .next = static_cast<std::uint32_t>(out.nodes.size()) + 1});
}

/// Everything that tree-sitter made for one file ends with it.
struct ParseEnd {
  ~ParseEnd() { drop_parse_memory(); }
};

}  // namespace

bool Parser::parse(Language language, std::string_view source, Cst& cst) {
  const Resolved& names = resolved(language);
  cst.nodes.clear();
  cst.source = source;
  cst.spec = names.spec;
  const ParseEnd end;
  std::unique_ptr<TSParser, Deleter> parser(ts_parser_new());
  GH_ASSERT(ts_parser_set_language(parser.get(), names.grammar));  // both are of this build
  std::string readable;
  if (names.spec->readable != nullptr) readable = names.spec->readable(source);
  const std::string_view text = names.spec->readable != nullptr ? readable : source;
  GH_ASSERT(text.size() == source.size());
  TSTree* tree = parse_within_budget(parser.get(), text);
  const bool is_whole = tree == nullptr || !ts_node_has_error(ts_tree_root_node(tree));
  if (!is_whole && names.spec->second_reading != nullptr)
    if (const std::optional<std::string> second = names.spec->second_reading(text)) {
      GH_ASSERT(second->size() == source.size());
      drop(tree);
      tree = parse_within_budget(parser.get(), *second);
    }
  if (tree == nullptr) {
    static_cast<void>(parser.release());  // left in the middle: it ends with its memory
    return false;
  }
  const bool read = flatten(names, tree, impl_->open, cst);
  drop(tree);
  if (language == Language::c || language == Language::cpp) add_set_aside(source, text, cst);
  return read;
}

}  // namespace gh::syntax
