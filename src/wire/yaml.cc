#include "wire/yaml.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/text.h"
#include "wire/repeated_keys.h"
#include "wire/yaml_events.h"
#include "wire/yaml_scalar.h"

namespace gh::wire {
namespace {

constexpr std::size_t kMaxFlowNesting = 2;  // strict dialect
constexpr std::string_view kBom = "\xEF\xBB\xBF";
constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

Mark mark_at(const YamlPlace& m) {
  return {static_cast<std::int64_t>(m.line) + 1, static_cast<std::int64_t>(m.column) + 1};
}

/// The last line of what ends there; a block scalar ends at the start of the next line.
std::int64_t last_line(const YamlPlace& start, const YamlPlace& end) {
  const bool is_next_line = end.column == 0 && end.line > start.line;
  return static_cast<std::int64_t>(end.line) + (is_next_line ? 0 : 1);
}

Mark mark_at(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const std::string_view line = before.substr(before.rfind('\n') + 1);  // npos + 1 is 0
  return {1 + std::ranges::count(before, '\n'),
          1 + std::ranges::count_if(line, [](char c) { return (c & '\xC0') != '\x80'; })};
}

/// A finished node: its value, the places inside it, and what it costs to copy.
struct Node {
  Value value;
  MarkTree marks;
  std::size_t nodes = 1, depth = 0;
};

/// What the next node of an open mapping belongs to.
struct PendingKey {
  std::string name;
  Mark mark;
  bool merges = false;  // a plain `<<`
};

struct Open {
  bool is_map = false, is_flow = false;
  Mark start{};
  std::string anchor{};
  std::optional<PendingKey> key{};
  std::vector<Value> merged{};
  std::size_t nodes = 1, depth = 1;
  std::size_t first_value = 0, first_key = 0, first_mark = 0;
};

/// A mapping that has ended.
struct Mapping {
  Mark start{};
  std::vector<std::pair<std::string, Value>> entries{};
  std::vector<MarkTree> marks{};
};

/// The last items of a stack, in a vector of their size.
template <class Item>
std::vector<Item> taken_from(std::vector<Item>& stack, std::size_t first) {
  const auto start = stack.begin() + static_cast<std::ptrdiff_t>(first);
  std::vector<Item> out(std::make_move_iterator(start), std::make_move_iterator(stack.end()));
  stack.erase(start, stack.end());
  return out;
}

/// Builds the document from events. Nesting lives in `open_`, not on the machine's stack. Members
/// of what is open wait in stacks of their own, so that each list and mapping is allocated once.
class Builder {
 public:
  Builder(std::string_view text, std::string_view name, YamlDialect dialect, YamlLimits limits)
      : text_(text), name_(name), dialect_(dialect), limits_(limits) {}

  Result<YamlDocument> build() {
    YamlEvents events(text_);
    for (;;) {
      const YamlEvent* event = events.next();
      if (event == nullptr) return refuse_syntax(events.problem());
      if (event->type == YamlEventType::stream_end) {
        document_.nodes = nodes_;
        return std::move(document_);
      }
      GH_DO(take(*event));
    }
  }

 private:
  bool strict() const { return dialect_ == YamlDialect::strict; }

  tl::unexpected<Error> refuse(Mark at, std::string_view what) const {
    return fail(Code::yaml_invalid, fmt::format("{}:{}:{}: {}", name_, at.line, at.column, what));
  }

  tl::unexpected<Error> refuse_syntax(const YamlProblem& p) const {
    const Mark at = p.is_reader ? mark_at(text_, p.offset) : mark_at(p.mark);
    return refuse(at, p.what == nullptr ? "not YAML" : p.what);
  }

  Status take(const YamlEvent& e) {
    const Mark at = mark_at(e.start);
    switch (e.type) {
      case YamlEventType::document_start:
        return start_document(e, at);
      case YamlEventType::alias:
        return take_alias(e.anchor, at);
      case YamlEventType::scalar:
        return take_scalar(e, at);
      case YamlEventType::sequence_start:
        return open({.is_flow = e.is_flow, .start = at, .anchor = std::string(e.anchor)}, e.tag,
                    "seq");
      case YamlEventType::mapping_start:
        return open(
            {.is_map = true, .is_flow = e.is_flow, .start = at, .anchor = std::string(e.anchor)},
            e.tag, "map");
      case YamlEventType::sequence_end:
      case YamlEventType::mapping_end:
        if (open_.back().is_flow) open_.back().start.end_line = last_line(e.start, e.end);
        return close();
      default:
        return {};
    }
  }

  Status start_document(const YamlEvent& e, Mark at) {
    if (std::exchange(started_, true)) return refuse(at, "a second document");
    if (strict() && e.has_directives) return refuse(at, "directives are not allowed");
    return {};
  }

  Status take_alias(std::string_view anchor, Mark at) {
    if (strict()) return refuse(at, "aliases are not allowed");
    const auto it = anchors_.find(anchor);
    if (it == anchors_.end())
      return refuse(at, fmt::format("alias '{}' has no finished anchor", printable(anchor, 60)));
    const Node& target = it->second;
    GH_DO(count(target.nodes, at));
    if (open_.size() + target.depth > limits_.max_depth) return too_deep(at);
    if (awaits_key()) return take_key_node(target.value, at);
    return add({target.value, {at}, target.nodes, target.depth}, "");
  }

  Status take_scalar(const YamlEvent& e, Mark at) {
    const std::string_view text = e.text, tag = e.tag, anchor = e.anchor;
    GH_DO(check_properties(anchor, tag, at));
    GH_DO(count(1, at));
    const bool is_plain = e.is_plain && tag.empty();
    if (awaits_key()) {
      if (is_plain && text == "<<" && strict()) return refuse(at, "merge keys are not allowed");
      open_.back().key = PendingKey{std::string(text), at, is_plain && text == "<<"};
      return keep_anchor(anchor, {Value(text), {at}});
    }
    GH_TRY(value, scalar_value(text, is_plain, tag, at));
    return add({std::move(value), {{at.line, at.column, last_line(e.start, e.end)}}}, anchor);
  }

  Result<Value> scalar_value(std::string_view text, bool is_plain, std::string_view tag, Mark at) {
    if (is_plain) return plain_scalar(text, dialect_);
    if (tag.empty() || tag == "!" || tag == "tag:yaml.org,2002:str") return Value(text);
    if (!tag.starts_with(kTagPrefix)) return refuse_tag(tag, at);
    Value value = plain_scalar(text, dialect_);
    const std::string_view kind = tag.substr(kTagPrefix.size());
    const bool fits = (kind == "int" && value.as_int() != nullptr) ||
                      (kind == "bool" && value.as_bool() != nullptr) ||
                      (kind == "null" && value.is_null()) ||
                      (kind == "float" &&
                       (std::holds_alternative<Number>(value.data()) || value.as_int() != nullptr));
    if (!fits) return refuse_tag(tag, at);
    return value;
  }

  tl::unexpected<Error> refuse_tag(std::string_view tag, Mark at) const {
    return refuse(at, fmt::format("tag '{}' is not allowed here", printable(tag, 60)));
  }

  Status check_properties(std::string_view anchor, std::string_view tag, Mark at) const {
    if ((strict() || !limits_.allows_anchors) && !anchor.empty())
      return refuse(at, "anchors are not allowed");
    if (!strict()) return {};
    if (!tag.empty()) return refuse(at, "tags are not allowed");
    return {};
  }

  /// A scalar alias may stand for a key.
  Status take_key_node(const Value& value, Mark at) {
    const std::string* name = value.as_string();
    if (name == nullptr) return refuse(at, "a key must be a plain word or string");
    open_.back().key = PendingKey{*name, at};
    return {};
  }

  bool awaits_key() const { return !open_.empty() && open_.back().is_map && !open_.back().key; }

  /// Children of what is open have places of their own.
  bool is_marked() const { return open_.size() <= limits_.marked_depth; }

  Status count(std::size_t nodes, Mark at) {
    nodes_ += nodes;
    if (nodes_ <= limits_.max_nodes) return {};
    return refuse(at, fmt::format("more than {} nodes", limits_.max_nodes));
  }

  tl::unexpected<Error> too_deep(Mark at) const {
    return refuse(at, fmt::format("nested deeper than {} levels", limits_.max_depth));
  }

  Status open(Open frame, std::string_view tag, std::string_view kind) {
    GH_DO(check_properties(frame.anchor, tag, frame.start));
    if (!tag.empty() && tag != "!" && tag != fmt::format("{}{}", kTagPrefix, kind))
      return refuse_tag(tag, frame.start);
    GH_DO(count(1, frame.start));
    if (awaits_key()) return refuse(frame.start, "a key must be a plain word or string");
    if (open_.size() == limits_.max_depth) return too_deep(frame.start);
    flow_nesting_ += frame.is_flow ? 1 : 0;
    if (strict() && flow_nesting_ > kMaxFlowNesting)
      return refuse(frame.start, fmt::format("flow style nested deeper than {}", kMaxFlowNesting));
    if (!frame.anchor.empty()) anchors_.erase(frame.anchor);  // not usable before it is complete
    frame.first_value = values_.size();
    frame.first_key = keys_.size();
    frame.first_mark = marks_.size();
    open_.push_back(std::move(frame));
    return {};
  }

  Status close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    flow_nesting_ -= done.is_flow ? 1 : 0;
    auto marks = taken_from(marks_, done.first_mark);
    if (!done.is_map)
      return add({Value(taken_from(values_, done.first_value)),
                  {done.start, std::move(marks)},
                  done.nodes,
                  done.depth},
                 done.anchor);
    Mapping mapping{done.start, {}, std::move(marks)};
    mapping.entries.reserve(keys_.size() - done.first_key);
    for (std::size_t i = done.first_key; i < keys_.size(); ++i)
      mapping.entries.emplace_back(std::move(keys_[i]),
                                   std::move(values_[done.first_value + i - done.first_key]));
    keys_.resize(done.first_key);
    values_.resize(done.first_value);
    GH_DO(settle_duplicates(mapping));
    GH_DO(merge(mapping, done.merged));
    return add({Value(Map(std::move(mapping.entries))),
                {done.start, std::move(mapping.marks)},
                done.nodes,
                done.depth},
               done.anchor);
  }

  /// Refuses a repeated key, or keeps its last value at its first place.
  Status settle_duplicates(Mapping& mapping) {
    std::vector<std::string_view> names;
    names.reserve(mapping.entries.size());
    for (const auto& entry : mapping.entries)
      names.push_back(entry.first);
    const std::vector<Repeat> repeats = repeated_keys(names);
    if (repeats.empty()) return {};
    if (strict()) {
      const Mark one = mapping.marks[repeats[0].first].mark;
      return refuse(mapping.marks[repeats[0].later].mark,
                    fmt::format("key '{}' is already at {}:{}",
                                printable(names[repeats[0].first], 60), one.line, one.column));
    }
    std::vector<bool> dropped(names.size());
    for (const Repeat& r : repeats) {
      const Mark lost = mapping.marks.empty() ? mapping.start : mapping.marks[r.first].mark;
      if (document_.repeats.size() < YamlDocument::kMaxRepeats)
        document_.repeats.push_back(
            fmt::format("'{}' at {}:{}", printable(names[r.first], 60), lost.line, lost.column));
      mapping.entries[r.first].second = std::move(mapping.entries[r.later].second);
      if (!mapping.marks.empty()) mapping.marks[r.first] = std::move(mapping.marks[r.later]);
      dropped[r.later] = true;
    }
    std::size_t at = 0;
    std::erase_if(mapping.entries, [&](const auto&) { return dropped[at++]; });
    if (mapping.marks.empty()) return {};
    at = 0;
    std::erase_if(mapping.marks, [&](const auto&) { return dropped[at++]; });
    return {};
  }

  /// YAML 1.1 `<<`: keys of the merged mappings that the mapping has not itself, earlier ones
  /// first.
  Status merge(Mapping& mapping, const std::vector<Value>& merged) {
    if (merged.empty()) return {};
    std::set<std::string, std::less<>> held;
    for (const auto& entry : mapping.entries)
      held.insert(entry.first);
    for (const Value& source : merged) {
      const Map* map = source.as_map();
      if (map == nullptr) return refuse(mapping.start, "'<<' merges mappings only");
      for (const auto& entry : map->entries()) {
        if (!held.insert(entry.first).second) continue;
        mapping.entries.push_back(entry);
        if (open_.size() < limits_.marked_depth) mapping.marks.push_back({mapping.start});
      }
    }
    return {};
  }

  /// Keeps a copy for aliases. Copies count too: nested anchors would otherwise multiply a text.
  Status keep_anchor(std::string_view anchor, const Node& node) {
    if (anchor.empty()) return {};
    anchored_nodes_ += node.nodes;
    if (anchored_nodes_ > limits_.max_nodes)
      return refuse(node.marks.mark, fmt::format("more than {} anchored nodes", limits_.max_nodes));
    anchors_.insert_or_assign(std::string(anchor),
                              Node{node.value, {node.marks.mark}, node.nodes, node.depth});
    return {};
  }

  Status add(Node node, std::string_view anchor) {
    GH_DO(keep_anchor(anchor, node));
    Mark& mark = node.marks.mark;
    mark.end_line = std::max(mark.end_line, mark.line);
    if (!open_.empty())
      open_.back().start.end_line = std::max(open_.back().start.end_line, mark.end_line);
    if (open_.empty()) {
      document_.root = std::move(node.value);
      document_.marks = std::move(node.marks);
      return {};
    }
    Open& parent = open_.back();
    parent.nodes += node.nodes;
    parent.depth = std::max(parent.depth, node.depth + 1);
    if (!parent.is_map) {
      values_.push_back(std::move(node.value));
      if (is_marked()) marks_.push_back(std::move(node.marks));
      return {};
    }
    PendingKey& key = *parent.key;
    if (!key.merges) {
      mark = {key.mark.line, key.mark.column, mark.end_line};
      keys_.push_back(std::move(key.name));
      values_.push_back(std::move(node.value));
      if (is_marked()) marks_.push_back(std::move(node.marks));
    }
    const bool merges = key.merges;
    parent.key.reset();
    return merges ? take_merge(parent, std::move(node.value)) : Status{};
  }

  static Status take_merge(Open& mapping, Value value) {
    if (List* list = value.as_list()) {
      std::ranges::move(*list, std::back_inserter(mapping.merged));
    } else {
      mapping.merged.push_back(std::move(value));
    }
    return {};
  }

  std::string_view text_, name_;
  YamlDialect dialect_;
  YamlLimits limits_;
  YamlDocument document_{.root = {}, .marks = {.mark = {1, 1}}};
  std::vector<Open> open_;
  std::vector<Value> values_;
  std::vector<std::string> keys_;
  std::vector<MarkTree> marks_;
  std::map<std::string, Node, std::less<>> anchors_;
  std::size_t nodes_ = 0, anchored_nodes_ = 0, flow_nesting_ = 0;
  bool started_ = false;
};

std::string unescaped(std::string_view part) {
  std::string out;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool escape = part[i] == '~' && i + 1 < part.size();
    out += escape ? (part[++i] == '1' ? '/' : '~') : part[i];
  }
  return out;
}

using Order = std::vector<std::uint32_t>;

std::size_t sorted_index(const Map& map, const Order& order, std::string_view key) {
  const auto key_of = [&](std::uint32_t i) { return std::string_view(map.entries()[i].first); };
  const auto at = std::ranges::lower_bound(order, key, {}, key_of);
  return at == order.end() || key_of(*at) != key ? std::string_view::npos : *at;
}

/// Index of the child that a pointer part names, or npos.
std::size_t child_index(const Value& parent, std::string_view part, const Order* order) {
  if (const Map* map = parent.as_map()) {
    const auto& entries = map->entries();
    const std::string key = unescaped(part);
    if (order != nullptr) return sorted_index(*map, *order, key);
    const auto it = std::ranges::find_if(entries, [&](const auto& e) { return e.first == key; });
    return it == entries.end() ? std::string_view::npos
                               : static_cast<std::size_t>(it - entries.begin());
  }
  std::size_t index = 0;
  const auto end = part.data() + part.size();
  if (parent.as_list() == nullptr || std::from_chars(part.data(), end, index).ptr != end ||
      index >= parent.as_list()->size())
    return std::string_view::npos;
  return index;
}

}  // namespace

Mark YamlDocument::mark_of(std::string_view pointer) const {
  const Value* value = &root;
  const MarkTree* tree = &marks;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);  // '/'
    const std::size_t end = std::min(pointer.find('/'), pointer.size());
    const Order* order = tree->order != 0 ? &key_orders[tree->order - 1] : nullptr;
    const std::size_t index = child_index(*value, pointer.substr(0, end), order);
    if (index >= tree->children.size()) break;
    tree = &tree->children[index];
    const Map* map = value->as_map();
    value = map != nullptr ? &map->entries()[index].second : &(*value->as_list())[index];
    pointer.remove_prefix(end);
  }
  return tree->mark;
}

void YamlDocument::index_keys() {
  constexpr std::size_t kFew = 16;
  struct Open {
    const Value* value;
    MarkTree* tree;
  };
  std::vector<Open> open{{&root, &marks}};
  while (!open.empty()) {
    const auto [value, tree] = open.back();
    open.pop_back();
    const Map* map = value->as_map();
    const std::size_t size = map != nullptr                ? map->size()
                             : value->as_list() != nullptr ? value->as_list()->size()
                                                           : 0;
    for (std::size_t i = 0; i < std::min(size, tree->children.size()); ++i)
      if (!tree->children[i].children.empty())
        open.push_back({map != nullptr ? &map->entries()[i].second : &(*value->as_list())[i],
                        &tree->children[i]});
    if (map == nullptr || size <= kFew || tree->children.empty()) continue;
    Order order(size);
    for (std::size_t i = 0; i < size; ++i)
      order[i] = static_cast<std::uint32_t>(i);
    std::ranges::sort(order, {},
                      [&](std::uint32_t i) { return std::string_view(map->entries()[i].first); });
    key_orders.push_back(std::move(order));
    tree->order = static_cast<std::uint32_t>(key_orders.size());
  }
}

Result<YamlDocument> read_yaml(std::string_view text, std::string_view name, YamlDialect dialect,
                               YamlLimits limits) {
  if (text.size() > limits.max_bytes)
    return fail(Code::document_too_large,
                fmt::format("{}:1:1: {} bytes, at most {}", name, text.size(), limits.max_bytes));
  const auto refuse_at = [&](std::size_t offset, std::string_view what) {
    const Mark at = mark_at(text, offset);
    return fail(Code::yaml_invalid, fmt::format("{}:{}:{}: {}", name, at.line, at.column, what));
  };
  if (text.starts_with(kBom)) {
    if (dialect == YamlDialect::strict) return refuse_at(0, "a byte order mark is not allowed");
    text.remove_prefix(kBom.size());
  }
  if (!is_utf8(text)) {
    const std::string escaped = utf8_or_escaped(text);  // differs from the first bad byte on
    const auto bad = std::ranges::mismatch(text, escaped).in1 - text.begin();
    return refuse_at(static_cast<std::size_t>(bad), "not UTF-8");
  }
  return Builder(text, name, dialect, limits).build();
}

}  // namespace gh::wire
