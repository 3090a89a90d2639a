#include "analysis/extract.h"

#include <algorithm>
#include <array>

#include "analysis/coupling.h"
#include "analysis/flow.h"
#include "analysis/listing.h"
#include "analysis/normalise.h"
#include "analysis/overloads.h"
#include "analysis/recursion.h"
#include "analysis/statements.h"
#include "base/text.h"
#include "syntax/plain_source.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Tree;

// table: file statuses
constexpr std::array<std::string_view, 7> kStatuses{
    "ok",          "partial",    "file_too_large", "stat_error", "source_read_error",
    "parse_error", "parse_limit"};

// table: unit kinds
constexpr std::array<std::string_view, 3> kUnitKinds{"function", "method", "nested"};

/// Line terminators, and one more for a last line that has none.
std::uint32_t lines_of(std::string_view source) {
  const auto ends = static_cast<std::uint32_t>(std::ranges::count(source, '\n'));
  return ends + (!source.empty() && source.back() != '\n' ? 1 : 0);
}

/// Declarations that are open while the tree is walked.
struct Owner {
  std::uint32_t node, end;
  bool is_class, is_space;
  std::string name;  // local, ready to be a prefix
};

class Walk {
 public:
  Walk(const Tree& tree, FileFacts& out)
      : tree_(tree),
        bindings_(tree),
        coupling_(tree),
        normalised_(tree),
        contents_(tree),
        out_(out) {}

  void run() {
    out_.imports = imports_of(tree_);
    note_names();
    for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
      while (!owners_.empty() && i >= owners_.back().end)
        owners_.pop_back();
      const Kind kind = tree_[i].kind;
      const bool declares = kind == Kind::Function || kind == Kind::Class;
      if (declares && !is_listed(i))
        i = tree_[i].end - 1;
      else if (declares)
        kind == Kind::Function ? enter_function(i) : enter_class(i);
    }
  }

 private:
  void note_names() {
    NameWriter names(tree_, out_.names);
    out_.declarations = declarations_of(tree_, bindings_, names, nodes_);
    out_.references = references_of(tree_, out_.declarations, nodes_, names);
    out_.exports = exports_of(tree_, names);
    out_.registrations = registration_facts_of(tree_, bindings_, out_.declarations, nodes_, names);
    out_.suppressions = suppressions_of(tree_, out_.declarations, nodes_, names);
    out_.surfaces = surface_facts_of(tree_, bindings_, nodes_, names);
  }

  /// Units and classes are numbered as the declarations number them: what one leaves out, the other
  /// must.
  bool is_listed(std::uint32_t i) const {
    if ((tree_[i].flags & syntax::flag::name_space) == 0)
      return std::ranges::binary_search(nodes_, i);
    const std::size_t prefix = owners_.empty() ? 0 : owners_.back().name.size();
    return !is_beyond_listing(owners_.size(), prefix + tree_.name(i).size());
  }

  std::string local_name(std::uint32_t i) const {
    std::string name = owners_.empty() ? std::string() : owners_.back().name;
    return name.append(tree_.name(i));
  }

  /// By what it stands in; a name space is nothing to stand in.
  UnitKind kind_of_unit() const {
    for (auto owner = owners_.rbegin(); owner != owners_.rend(); ++owner)
      if (owner->is_class)
        return UnitKind::method;
      else if (!owner->is_space)
        return UnitKind::nested;
    return UnitKind::function;
  }

  UnitOwner owner_of_unit() const {
    if (owners_.empty()) return {};
    const Owner& owner = owners_.back();
    const bool is_nested = !owner.is_class && !owner.is_space;
    return {is_nested ? 0 : owner.node, owner.is_class, is_nested};
  }

  void enter_class(std::uint32_t i) {
    ClassFact fact{.local_name = local_name(i),
                   .start_line = tree_.start_line(i),
                   .end_line = tree_.end_line(i),
                   .incomplete = !tree_.is_whole(i),
                   .extension = (tree_[i].flags & syntax::flag::extension) != 0};
    if (!fact.incomplete) {
      fact.members = members_of(tree_, bindings_, i, classes_);
      fact.cohesion = cohesion_of(fact.members);
      const ClassUses uses = coupling_.uses_of(i);
      fact.coupled.assign(uses.targets.begin(), uses.targets.end());
      fact.elsewhere.assign(uses.elsewhere.begin(), uses.elsewhere.end());
    }
    const bool is_space = (tree_[i].flags & syntax::flag::name_space) != 0;
    owners_.push_back({i, tree_[i].end, !is_space, is_space, fact.local_name + "."});
    if (!is_space) out_.classes.push_back(std::move(fact));
  }

  void enter_function(std::uint32_t i) {
    UnitFact unit{.local_name = local_name(i),
                  .kind = kind_of_unit(),
                  .start_line = tree_.start_line(i),
                  .end_line = tree_.end_line(i),
                  .incomplete = !tree_.is_whole(i)};
    if (!unit.incomplete && body_of(tree_, i) == 0) return;  // only declared: not a unit
    if (!unit.incomplete) measure(i, unit);
    owners_.push_back({i, tree_[i].end, false, false, unit.local_name + ".<locals>."});
    out_.units.push_back(std::move(unit));
  }

  void measure(std::uint32_t i, UnitFact& unit) {
    for (const std::uint32_t child : Children(tree_, i))
      unit.params += tree_[child].kind == Kind::Param ? 1 : 0;
    unit.complexity = complexity_of(tree_, i);
    unit.complexity.cognitive += calls_itself(tree_, i, owner_of_unit()) ? 1 : 0;
    unit.fingerprint = normalised_.fingerprint(i);
    unit.raw = raw_hash(tree_, i);
    const std::uint32_t body = body_of(tree_, i);
    if (body == 0) return;
    read_statements(tree_, normalised_, body, unit);
    unit.guards = guards_of(tree_, contents_, body);
    unit.branches = branches_of(tree_, contents_, normalised_, body);
    if (!owners_.empty() && owners_.back().is_class)
      unit.independence = independence_of(tree_, bindings_, i, owners_.back().node);
    out_.statements += static_cast<std::uint32_t>(unit.statements.size());
  }

  const Tree& tree_;
  Bindings bindings_;
  Coupling coupling_;
  Normalised normalised_;
  Contents contents_;
  ClassesByName classes_ = classes_by_name(tree_);
  FileFacts& out_;
  std::vector<std::uint32_t> nodes_{};  // of the declarations
  std::vector<Owner> owners_{};
};

/// Not one statement could be read.
bool is_hopeless(const Tree& tree) {
  if (tree.unread.empty() || tree.nodes.empty()) return false;
  for (const std::uint32_t child : Children(tree, 0))
    if (tree[child].kind != Kind::Error) return false;
  return true;
}

}  // namespace

std::string_view to_string(FileStatus status) {
  return kStatuses[static_cast<std::size_t>(status)];
}
std::string_view to_string(UnitKind kind) { return kUnitKinds[static_cast<std::size_t>(kind)]; }
bool is_skipped(FileStatus status) {
  return status != FileStatus::ok && status != FileStatus::partial;
}

FileFacts Extractor::facts_of(syntax::Language language, std::string_view source) {
  const std::uint64_t bytes = source.size();
  if (source.starts_with("\xef\xbb\xbf")) source.remove_prefix(3);
  FileFacts out{.lines = lines_of(source), .bytes = bytes};
  if (bytes > kMaxFileBytes) {
    out.status = FileStatus::file_too_large;
    return out;
  }
  if (!is_utf8(source)) {
    out.status = FileStatus::source_read_error;
    return out;
  }
  const std::optional<std::string> plain = syntax::plain_source(language, source);
  if (plain) {
    source = *plain;
    out.lines = lines_of(source);
  }
  if (!front_end_.read(language, source, tree_)) {
    out.status = FileStatus::parse_limit;
    return out;
  }
  std::optional<std::string> again;
  if (!tree_.unread.empty() && language == syntax::Language::python &&
      (again = syntax::with_dots_at_names(source))) {
    source = *again;
    if (!front_end_.read(language, source, tree_)) {
      out.status = FileStatus::parse_limit;
      return out;
    }
  }
  if (!tree_.unread.empty()) {
    out.status = is_hopeless(tree_) ? FileStatus::parse_error : FileStatus::partial;
    const syntax::Unread& first = tree_.unread.front();
    out.error_line = tree_.line_at(first.start);
    out.error_column = first.start - tree_.line_starts[out.error_line - 1] + 1;
    out.error_nodes = static_cast<std::uint32_t>(tree_.unread.size());
    for (const syntax::Unread& u : tree_.unread)
      out.error_bytes += u.end - u.start;
  }
  if (out.status != FileStatus::parse_error) Walk(tree_, out).run();
  if (language == syntax::Language::java) name_overloads(out.units, out.classes);
  out.package = tree_.package;
  return out;
}

}  // namespace gh::analysis
