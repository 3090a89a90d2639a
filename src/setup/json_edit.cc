#include "setup/json_edit.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::setup {
namespace {

constexpr std::string_view kUnit = "  ";

// ------------------------------------------------------------------------------------ layout

struct Layout {
  std::string unit{kUnit}, line_end = "\n";
};

Layout layout_of(std::string_view text) {
  Layout out;
  const std::size_t first = text.find('\n');
  if (first == text.npos) return out;
  if (first > 0 && text[first - 1] == '\r') out.line_end = "\r\n";
  for (std::size_t at = first; at != text.npos; at = text.find('\n', at + 1)) {
    const std::size_t end = text.find_first_not_of(" \t", at + 1);
    if (end == text.npos || end == at + 1 || text[end] == '\r' || text[end] == '\n') continue;
    out.unit = text.substr(at + 1, end - at - 1);
    break;
  }
  return out;
}

/// What stands before `at` on its line, as far as it is white space.
std::string indent_at(std::string_view text, std::size_t at) {
  const std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::size_t end = std::min(text.find_first_not_of(" \t", line), text.size());
  return std::string(text.substr(line, end - line));
}

bool holds_only_scalars(const JsonText& json, std::size_t node) {
  return std::ranges::all_of(json.at(node).children, [&](std::size_t child) {
    return json.at(child).kind == JsonKind::scalar;
  });
}

/// A value on lines, its first one where it stands. Lists of scalars stay on one line where nobody
/// but us has a say, which is below the second level of a file.
std::string laid_out(const JsonText& json, std::size_t node, const std::string& indent,
                     const Layout& layout, int level = 3) {
  const JsonNode& here = json.at(node);
  if (here.kind == JsonKind::scalar || here.children.empty()) return std::string(json.plain(node));
  const bool is_object = here.kind == JsonKind::object;
  const bool flat = !is_object && level > 2 && holds_only_scalars(json, node);
  const std::string deeper = indent + layout.unit;
  std::string out(1, is_object ? '{' : '[');
  for (std::size_t i = 0; i < here.children.size(); ++i) {
    const std::size_t child = here.children[i];
    out += i == 0 ? "" : flat ? ", " : ",";
    if (!flat) out += layout.line_end + deeper;
    if (is_object) {
      const JsonNode& member = json.at(child);
      const std::string_view plain(json.text());
      out += plain.substr(member.start, plain.find('"', member.start + 1) + 1 - member.start);
      out += ": ";
    }
    out += laid_out(json, child, deeper, layout, level + 1);
  }
  if (!flat) out += layout.line_end + indent;
  return out + (is_object ? '}' : ']');
}

// --------------------------------------------------------------------------------- inserting

/// `made` lays the thing out for an indentation.
std::string inserted(const JsonText& json, std::size_t container,
                     const std::function<std::string(const std::string& indent)>& made) {
  const std::string& text = json.text();
  const Layout layout = layout_of(text);
  const JsonNode& here = json.at(container);
  std::string out = text;
  const std::string around = indent_at(text, here.begin);
  if (here.children.empty()) return out.insert(here.begin + 1, made(around + layout.unit));
  const JsonNode& last = json.at(here.children.back());
  const std::string own = indent_at(text, last.start);
  const bool starts_line = text.find_last_not_of(" \t", last.start - 1) != text.npos &&
                           text[text.find_last_not_of(" \t", last.start - 1)] == '\n';
  const std::string indent = starts_line ? own : around + layout.unit;
  const std::size_t next = json.skip_trivia(last.end);
  const bool has_comma = next < text.size() && text[next] == ',';
  const std::size_t place = json.behind_remark(has_comma ? next + 1 : last.end);
  out.insert(place, layout.line_end + indent + made(indent) + (has_comma ? "," : ""));
  if (!has_comma) out.insert(last.end, ",");
  return out;
}

// ---------------------------------------------------------------------------------- removing

/// Where the white space before `at` begins that an insertion would have put there.
std::size_t before_indent(std::string_view text, std::size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t'))
    --at;
  if (at == 0 || text[at - 1] != '\n') return at;
  --at;
  return at > 0 && text[at - 1] == '\r' ? at - 1 : at;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == text.npos; }

/// The file without one child; its container goes with it when that is ours too. Empty: the whole
/// file was ours.
std::string removed(const JsonText& json, std::size_t child) {
  const std::string& text = json.text();
  for (;;) {
    const JsonNode& node = json.at(child);
    const JsonNode& around = json.at(node.parent);
    if (around.children.size() > 1) break;
    const std::size_t inside = around.begin + 1;
    const bool was_empty = node.start == inside;
    const bool is_bare =
        is_blank(std::string_view(text).substr(inside, node.start - inside)) &&
        is_blank(std::string_view(text).substr(node.end, around.end - 1 - node.end));
    if (was_empty || !is_bare)
      return text.substr(0, was_empty ? node.start : before_indent(text, node.start)) +
             text.substr(node.end);
    if (node.parent == JsonText::kRoot) return {};
    child = node.parent;
  }
  const JsonNode& node = json.at(child);
  const std::vector<std::size_t>& all = json.at(node.parent).children;
  const bool is_first = all.front() == child, is_last = all.back() == child;
  const bool is_adjacent = is_first && node.start == json.at(node.parent).begin + 1;
  std::string out = text;
  std::size_t end = node.end;
  const std::size_t next = json.skip_trivia(end);
  const bool has_comma = next < text.size() && text[next] == ',';
  if (has_comma) end = next + 1;
  const std::size_t begin = is_adjacent ? node.start : before_indent(text, node.start);
  out.erase(begin, end - begin);
  if (is_last && !has_comma) {
    const std::size_t before = json.at(all[all.size() - 2]).end;
    out.erase(json.skip_trivia(before), 1);  // the comma that made room for it
  }
  return out;
}

// ----------------------------------------------------------------------------------- merging

/// One thing that a file is to have: where, and what.
struct Piece {
  std::vector<std::string> path;  // of the container
  bool is_list = false;
  std::string key;                  // of a member
  std::vector<std::size_t> wanted;  // nodes of the template
  enum class Kind { owned, element, texts, given } kind = Kind::owned;
};

std::vector<Piece> pieces_of(const JsonText& wanted, std::string_view key_of_ours) {
  std::vector<Piece> out;
  struct Open {
    std::size_t node;
    std::vector<std::string> path;
  };
  std::vector<Open> open{{JsonText::kRoot, {}}};
  // Depth first, in the order of the file.
  while (!open.empty()) {
    const Open at = std::move(open.back());
    open.pop_back();
    std::vector<Open> below;
    for (const std::size_t child : wanted.at(at.node).children) {
      const JsonNode& node = wanted.at(child);
      std::vector<std::string> path = at.path;
      path.push_back(node.key);
      if (node.key == key_of_ours) {
        out.push_back({at.path, false, node.key, {child}, Piece::Kind::owned});
      } else if (node.kind == JsonKind::object) {
        below.push_back({child, std::move(path)});
      } else if (node.kind == JsonKind::array && holds_only_scalars(wanted, child)) {
        out.push_back({std::move(path), true, {}, node.children, Piece::Kind::texts});
      } else if (node.kind == JsonKind::array) {
        for (const std::size_t element : node.children)
          out.push_back({path, true, {}, {element}, Piece::Kind::element});
      } else {
        out.push_back({at.path, false, node.key, {child}, Piece::Kind::given});
      }
    }
    open.insert(open.end(), std::make_move_iterator(below.rbegin()),
                std::make_move_iterator(below.rend()));
  }
  return out;
}

/// The deepest container of the path that exists, and how much of the path that is.
struct Reached {
  std::size_t node = JsonText::kRoot, steps = 0;
};
Reached reach(const JsonText& json, const std::vector<std::string>& path) {
  Reached out;
  while (out.steps < path.size() && json.at(out.node).kind == JsonKind::object) {
    const std::size_t next = json.member(out.node, path[out.steps]);
    if (next == JsonText::npos) break;
    out.node = next;
    ++out.steps;
  }
  return out;
}

std::string dotted(const std::vector<std::string>& path) { return join(path, "."); }

/// The container of a piece; npos: it does not exist. conflict when something else stands there.
Result<std::size_t> container_of(const JsonText& json, const Piece& piece, std::string_view name) {
  const Reached found = reach(json, piece.path);
  const JsonKind kind = json.at(found.node).kind;
  const bool is_whole = found.steps == piece.path.size();
  const JsonKind wanted = is_whole && piece.is_list ? JsonKind::array : JsonKind::object;
  if (kind != wanted)
    return fail(Code::conflict, fmt::format("{}: {} is no {}", name,
                                            found.steps == 0 ? "the document" : dotted(piece.path),
                                            wanted == JsonKind::array ? "list" : "object"));
  return is_whole ? found.node : JsonText::npos;
}

/// The piece with whatever of its path does not exist around it.
std::string added(const JsonText& json, const Piece& piece, const JsonText& wanted) {
  const Reached found = reach(json, piece.path);
  const Layout layout = layout_of(json.text());
  const std::size_t missing = piece.path.size() - found.steps;
  if (missing == 0 && piece.wanted.size() > 1) {  // several texts, one behind the other
    std::string text = json.text();
    for (const std::size_t one : piece.wanted) {
      const JsonText now = *JsonText::read(text, "");
      text = inserted(now, reach(now, piece.path).node,
                      [&](const std::string&) { return std::string(wanted.plain(one)); });
    }
    return text;
  }
  return inserted(json, found.node, [&](const std::string& indent) {
    std::string out, close, deep = indent;
    for (std::size_t i = found.steps; i < piece.path.size(); ++i) {
      const bool opens_list = piece.is_list && i + 1 == piece.path.size();
      out += fmt::format("\"{}\": {}", piece.path[i], opens_list ? '[' : '{');
      close = layout.line_end + deep + (opens_list ? "]" : "}") + close;
      deep += layout.unit;
      out += layout.line_end + deep;
    }
    if (!piece.is_list) out += fmt::format("\"{}\": ", piece.key);
    for (std::size_t i = 0; i < piece.wanted.size(); ++i) {
      if (i > 0) out += "," + layout.line_end + deep;
      out += laid_out(wanted, piece.wanted[i], deep, layout);
    }
    return out + close;
  });
}

/// Where a run of texts stands; npos: nowhere.
std::size_t run_in(const JsonText& json, std::size_t list, const Piece& piece,
                   const JsonText& wanted) {
  const std::vector<std::size_t>& all = json.at(list).children;
  for (std::size_t at = 0; at + piece.wanted.size() <= all.size(); ++at) {
    std::size_t i = 0;
    while (i < piece.wanted.size() &&
           json.value_of(all[at + i]) == wanted.value_of(piece.wanted[i]))
      ++i;
    if (i == piece.wanted.size()) return at;
  }
  return JsonText::npos;
}

bool has_all(const JsonText& json, std::size_t list, const Piece& piece, const JsonText& wanted) {
  return std::ranges::all_of(piece.wanted, [&](std::size_t one) {
    return std::ranges::any_of(json.at(list).children, [&](std::size_t child) {
      return json.value_of(child) == wanted.value_of(one);
    });
  });
}

std::string replaced(const JsonText& json, std::size_t node, const JsonText& wanted,
                     std::size_t by) {
  const std::string& text = json.text();
  const JsonNode& old = json.at(node);
  return text.substr(0, old.begin) +
         laid_out(wanted, by, indent_at(text, old.start), layout_of(text)) + text.substr(old.end);
}

struct OwnElement {
  std::size_t node = JsonText::npos;
  bool is_shared = false;  // it stands in a list inside of an element that somebody else made
};
OwnElement own_element(const JsonText& json, std::size_t list, const IsOurs& is_ours) {
  for (const std::size_t child : json.at(list).children)
    if (is_ours(json.value_of(child))) return {child};
  for (const std::size_t child : json.at(list).children)
    for (const std::size_t member : json.at(child).children)
      if (json.at(member).kind == JsonKind::array)
        for (const std::size_t inner : json.at(member).children)
          if (is_ours(json.value_of(inner))) return {inner, true};
  return {};
}

Result<std::string> with_piece(const JsonText& json, const Piece& piece, const JsonText& wanted,
                               const IsOurs& is_ours, std::string_view name) {
  GH_TRY(container, container_of(json, piece, name));
  if (container == JsonText::npos) {
    if (piece.kind == Piece::Kind::given)
      return fail(Code::conflict, fmt::format("{} does not say {}", name, piece.key));
    return added(json, piece, wanted);
  }
  std::size_t found = JsonText::npos;
  switch (piece.kind) {
    case Piece::Kind::texts:
      return has_all(json, container, piece, wanted) ? json.text() : added(json, piece, wanted);
    case Piece::Kind::element: {
      const OwnElement own = own_element(json, container, is_ours);
      if (own.is_shared) return json.text();  // it runs already, among what a person put beside it
      found = own.node;
      break;
    }
    default:
      found = json.member(container, piece.key);
  }
  const std::size_t by = piece.wanted.front();
  if (piece.kind == Piece::Kind::given) {
    if (found != JsonText::npos && json.value_of(found) == wanted.value_of(by)) return json.text();
    return fail(Code::conflict,
                fmt::format("{} does not say \"{}\": {}", name, piece.key, wanted.plain(by)));
  }
  if (found == JsonText::npos) return added(json, piece, wanted);
  if (json.value_of(found) == wanted.value_of(by)) return json.text();
  return replaced(json, found, wanted, by);
}

Result<std::string> without_piece(const JsonText& json, const Piece& piece, const JsonText& wanted,
                                  const IsOurs& is_ours) {
  const Reached reached = reach(json, piece.path);
  if (reached.steps != piece.path.size()) return json.text();
  const JsonKind needed = piece.is_list ? JsonKind::array : JsonKind::object;
  if (json.at(reached.node).kind != needed) return json.text();
  switch (piece.kind) {
    case Piece::Kind::given:
      return json.text();
    case Piece::Kind::owned: {
      const std::size_t found = json.member(reached.node, piece.key);
      return found == JsonText::npos ? json.text() : removed(json, found);
    }
    case Piece::Kind::element: {
      const OwnElement own = own_element(json, reached.node, is_ours);
      return own.node == JsonText::npos ? json.text() : removed(json, own.node);
    }
    case Piece::Kind::texts:
      break;
  }
  const std::size_t run = run_in(json, reached.node, piece, wanted);
  if (run == JsonText::npos) return json.text();
  std::string text = json.text();
  for (std::size_t i = piece.wanted.size(); i > 0; --i) {  // the last one first, as it came
    const JsonText now = *JsonText::read(text, "");
    text = removed(now, now.at(reach(now, piece.path).node).children[run + i - 1]);
    if (text.empty()) break;
  }
  return text;
}

/// Is nothing left but what a new file would have besides?
bool is_only_given(std::string_view text, const std::vector<Piece>& pieces,
                   const JsonText& wanted) {
  const auto json = JsonText::read(text, "");
  if (!json || json->at(JsonText::kRoot).children.empty()) return false;
  return std::ranges::all_of(json->at(JsonText::kRoot).children, [&](std::size_t child) {
    return std::ranges::any_of(pieces, [&](const Piece& piece) {
      return piece.kind == Piece::Kind::given && piece.path.empty() &&
             piece.key == json->at(child).key &&
             json->value_of(child) == wanted.value_of(piece.wanted.front());
    });
  });
}

}  // namespace

std::string laid_out(std::string_view wanted) {
  const auto json = JsonText::read(wanted, "");
  return json ? laid_out(*json, JsonText::kRoot, "", {}, 0) + "\n" : std::string(wanted);
}

Result<std::string> merge_json(std::string_view text, std::string_view wanted,
                               const IsOurs& is_ours, std::string_view key_of_ours,
                               std::string_view name) {
  GH_TRY(ours, JsonText::read(wanted, name));
  std::string now(text);
  for (const Piece& piece : pieces_of(ours, key_of_ours)) {
    GH_TRY(json, JsonText::read(now, name));
    GH_TRY(with, with_piece(json, piece, ours, is_ours, name));
    now = std::move(with);
  }
  GH_TRY(readable, JsonText::read(now, name));
  (void)readable;
  return now;
}

Result<std::string> unmerge_json(std::string_view text, std::string_view wanted,
                                 const IsOurs& is_ours, std::string_view key_of_ours,
                                 std::string_view name) {
  GH_TRY(ours, JsonText::read(wanted, name));
  std::vector<Piece> pieces = pieces_of(ours, key_of_ours);
  std::string now(text);
  for (std::size_t i = pieces.size(); i > 0 && !now.empty(); --i) {
    GH_TRY(json, JsonText::read(now, name));
    GH_TRY(without, without_piece(json, pieces[i - 1], ours, is_ours));
    now = std::move(without);
  }
  const bool has_given = std::ranges::any_of(
      pieces, [](const Piece& piece) { return piece.kind == Piece::Kind::given; });
  if (has_given && now != text && is_only_given(now, pieces, ours)) now.clear();
  return now;
}

}  // namespace gh::setup
