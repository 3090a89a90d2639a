#include "surface/source_tree.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::surface {

Result<SourceTree> SourceTree::read(std::string path, std::string bytes,
                                    syntax::Language language) {
  SourceTree out;
  out.path_ = std::move(path);
  out.bytes_ = std::make_shared<std::string>(std::move(bytes));
  out.cst_ = std::make_shared<syntax::Cst>();
  const auto refuse = [&](std::string_view what) {
    return fail(Code::input_unreadable, fmt::format("{}:1: {}", out.path_, what));
  };
  if (!is_utf8(*out.bytes_)) return refuse("not UTF-8");
  syntax::Parser parser;
  if (!parser.parse(language, *out.bytes_, *out.cst_))
    return refuse("too large or too deep to be read");
  out.index();
  return out;
}

void SourceTree::index() {
  line_starts_ = {0};
  for (std::size_t i = 0; i < bytes_->size(); ++i)
    if ((*bytes_)[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  parents_.resize(cst_->nodes.size());
  Nodes open;
  for (Node n = 0; n < cst_->nodes.size(); ++n) {
    while (!open.empty() && cst_->nodes[open.back()].next <= n)
      open.pop_back();
    parents_[n] = open.empty() ? 0 : open.back();
    open.push_back(n);
  }
}

Nodes SourceTree::named(Node parent) const {
  Nodes out;
  for (Node n = parent + 1; n < cst_->nodes[parent].next; n = cst_->nodes[n].next)
    if (cst_->is_named(n)) out.push_back(n);
  return out;
}

Node SourceTree::child(Node parent, syntax::Field field) const {
  for (Node n = parent + 1; n < cst_->nodes[parent].next; n = cst_->nodes[n].next)
    if (cst_->nodes[n].field == field) return n;
  return 0;
}

Nodes SourceTree::below(Node top, std::string_view type_name) const {
  Nodes out;
  for (Node n = top; n < cst_->nodes[top].next; ++n)
    if (type(n) == type_name) out.push_back(n);
  return out;
}

std::int64_t SourceTree::line(Node n) const {
  const auto after = std::ranges::upper_bound(line_starts_, cst_->nodes[n].start);
  return after - line_starts_.begin();
}

Place SourceTree::place(Node n) const {
  const auto first = std::ranges::upper_bound(line_starts_, cst_->nodes[n].start);
  const std::uint32_t end = std::max(cst_->nodes[n].end, cst_->nodes[n].start + 1) - 1;
  const auto last = std::ranges::upper_bound(line_starts_, end);
  return {path_, first - line_starts_.begin(), last - line_starts_.begin(),
          static_cast<std::int64_t>(cst_->nodes[n].start - *(first - 1)) + 1, std::nullopt};
}

std::optional<Node> SourceTree::first_error() const {
  for (Node n = 0; n < cst_->nodes.size(); ++n)
    if (const auto row = cst_->nodes[n].row; row == syntax::kErrorRow || row == syntax::kMissingRow)
      return n;
  return std::nullopt;
}

}  // namespace gh::surface
