#include "analysis/surface_names.h"

#include <algorithm>

#include "analysis/imports_managed.h"
#include "analysis/references.h"
#include "analysis/statements.h"

namespace gh::analysis {
namespace {

using syntax::Children;
using syntax::Kind;
using syntax::Language;
using syntax::Tree;
namespace flag = syntax::flag;

constexpr std::size_t kMaxParts = 8;   // no row is longer
constexpr std::size_t kMaxStars = 16;  // each of them is tried

bool is_javascript(Language language) {
  return language == Language::javascript || language == Language::typescript ||
         language == Language::tsx;
}

/// Bare names of a class are seen from its methods.
bool sees_members(Language language) {
  return language == Language::cpp || language == Language::java;
}

/// Where a name ends with the block that it is declared in.
bool has_block_scopes(Language language) {
  return is_javascript(language) || language == Language::go;
}

/// `{f: function () {}}` and `o.f = function () {}` name a property, not what it holds.
void add_properties(const Tree& tree, std::uint32_t node, std::unordered_set<std::uint32_t>& out) {
  const bool is_member = tree[node].kind == Kind::Assign && tree[node].end > node + 1 &&
                         tree[node + 1].kind != Kind::Name;
  if (tree[node].kind != Kind::Dict && !is_member) return;
  for (const std::uint32_t child : Children(tree, node))
    if (tree[child].kind == Kind::Function) out.insert(child);
}

/// A struct or union of C: its fields hide nothing.
bool holds_fields(const Tree& tree, std::uint32_t node) {
  return tree.language == Language::c && tree[node].kind == Kind::TypeAlias &&
         !tree.text(node).starts_with("enum");
}

bool is_list_or_branch(Kind kind) {
  return kind == Kind::Block || kind == Kind::If || kind == Kind::For || kind == Kind::Match ||
         kind == Kind::Handler;
}

void replace_all(std::string& text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

void drop_end(std::string& text, std::string_view end) {
  if (text.ends_with(end)) text.resize(text.size() - end.size());
}

}  // namespace

CalledNames::CalledNames(const Tree& tree, const Bindings& bindings, const SurfaceRules& rules)
    : tree_(tree),
      bindings_(bindings),
      rules_(rules),
      separator_(tree.language == Language::cpp || tree.language == Language::rust ? "::" : "."),
      is_javascript_(is_javascript(tree.language)),
      matters_(tree.symbols.size(), false) {
  bool has_aliases = tree.language == Language::cpp;
  for (std::uint32_t id = 0; id < tree.symbols.size(); ++id) {
    const std::string_view text = tree.symbols.text(id);
    if (rules.is_last_word(text)) matters_[id] = true;
    has_aliases = has_aliases || text == "*" || text == "." ||
                  (is_javascript_ && (text == "require" || text == "import"));
  }
  for (const auto& [symbol, target] : bindings.targets())
    if (rules.is_last_word(last_word_of(target))) matters_[symbol] = true;
  if (has_aliases) read_aliases();
}

void CalledNames::read_aliases() {
  for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
    const Kind kind = tree_[i].kind;
    if (kind == Kind::Import || kind == Kind::ImportFrom) read_star(i);
    if (kind == Kind::Assign && is_javascript_) read_required(i);
    if (kind == Kind::TypeAlias && tree_.language == Language::cpp) read_using(i);
  }
}

void CalledNames::alias(std::uint32_t symbol, std::string target) {
  if (rules_.is_last_word(last_word_of(target))) matters_[symbol] = true;
  aliases_.insert_or_assign(symbol, std::move(target));
}

/// `from m import *`; in Go `import . "m"`.
void CalledNames::read_star(std::uint32_t statement) {
  if (stars_.size() >= kMaxStars ||
      (tree_[statement].kind == Kind::ImportFrom && tree_[statement].flags != 0))
    return;
  for (const std::uint32_t name : Children(tree_, statement)) {
    if (tree_[name].kind != Kind::Name) continue;
    const bool is_bound = tree_[name].end > name + 1;
    if (tree_.name(name) == "*" && !is_bound)
      stars_.push_back(module_name(tree_.name(statement)));
    else if (is_bound && tree_.name(name + 1) == ".")
      stars_.emplace_back(tree_.name(name));
  }
}

/// `const m = require("m")`, `const {a, b: c} = require("m")`, also of an awaited import.
void CalledNames::read_required(std::uint32_t assignment) {
  const std::uint32_t target = assignment + 1;
  if (target >= tree_[assignment].end) return;
  std::uint32_t value = target;
  for (const std::uint32_t child : Children(tree_, assignment))
    value = child;
  if (tree_[value].kind == Kind::Await) ++value;
  if (value >= tree_[assignment].end || tree_[value].kind != Kind::Call ||
      !is_importing_call(tree_, value))
    return;
  requiring_.insert(assignment);
  const std::string module = module_name(import_of_call(tree_, value).module);
  if (tree_[target].kind == Kind::Name) return alias(tree_[target].symbol, module);
  if (tree_[target].kind != Kind::Dict) return;
  std::string_view key;
  for (const std::uint32_t part : Children(tree_, target))
    if (tree_[part].kind == Kind::Str)
      key = literal_text(tree_, part);
    else if (tree_[part].kind == Kind::Name && !key.empty())
      alias(tree_[part].symbol, module + "." + std::string(key));
}

/// `namespace fs = std::filesystem`, `using std::rename`, `using namespace std`.
void CalledNames::read_using(std::uint32_t statement) {
  const std::uint32_t first = statement + 1;
  if (first >= tree_[statement].end) return;
  std::string target;
  for (const std::uint32_t part : Children(tree_, statement)) {
    const std::string text = chain_text(part);
    if (text.empty()) return;
    target += (target.empty() ? "" : "::") + text;
  }
  if (tree_[statement].symbol != 0)
    alias(tree_[statement].symbol, std::move(target));
  else if (!tree_.text(statement).starts_with("using namespace"))
    alias(tree_[first].symbol, std::move(target));
  else if (stars_.size() < kMaxStars)
    stars_.push_back(std::move(target));
}

/// Names and attributes alone; empty for anything else.
std::string CalledNames::chain_text(std::uint32_t node) const {
  std::vector<std::string_view> parts;
  for (; tree_[node].kind == Kind::Attribute && tree_[node].end > node + 1; ++node)
    parts.push_back(tree_.name(node));
  if (tree_[node].kind != Kind::Name) return "";
  std::string out(tree_.name(node));
  for (auto part = parts.rbegin(); part != parts.rend(); ++part)
    out.append(separator_).append(*part);
  return out;
}

std::string CalledNames::module_name(std::string_view written) const {
  if (!is_javascript_) return std::string(written);
  if (written.starts_with("node:")) written.remove_prefix(5);
  return written == "fs/promises" ? "fs.promises" : std::string(written);
}

/// From the form of bindings to that of rows.
std::string CalledNames::normalised(std::string target) const {
  if (tree_.language == Language::rust) {
    drop_end(target, ".self");
    if (target.starts_with('.')) target.erase(0, 1);
    replace_all(target, ".", "::");
  }
  if (is_javascript_) {
    drop_end(target, ".default");
    drop_end(target, ".*");
    const std::size_t dot = target.rfind('.');
    const std::string tail = dot == std::string::npos ? "" : target.substr(dot);
    const std::string module = module_name(std::string_view(target).substr(0, dot));
    return module + tail;
  }
  return target;
}

CalledName CalledNames::resolve(std::uint32_t callee) const {
  std::vector<std::string_view> parts;
  CalledName out;
  for (std::uint32_t at = callee; out.text.empty();) {
    const Kind kind = tree_[at].kind;
    const bool is_call = kind == Kind::Call || kind == Kind::New;
    if (kind == Kind::Name) {
      out.root = tree_[at].symbol;
      const auto known = aliases_.find(out.root);
      const std::string* target = bindings_.target_of(out.root);
      out.is_imported = known != aliases_.end() || target != nullptr;
      out.text = known != aliases_.end() ? known->second
                 : target != nullptr     ? normalised(*target)
                                         : std::string(tree_.name(at));
      if (out.text.empty()) return {};
      continue;
    }
    if (is_call && is_importing_call(tree_, at)) {
      out.is_imported = true;
      out.text = module_name(import_of_call(tree_, at).module);
      if (out.text.empty()) return {};
      continue;
    }
    if ((!is_call && kind != Kind::Attribute && kind != Kind::Await) || tree_[at].end == at + 1 ||
        parts.size() > kMaxParts)
      return {};
    if (kind != Kind::Await) parts.push_back(is_call ? "()" : tree_.name(at));
    ++at;
  }
  for (auto part = parts.rbegin(); part != parts.rend(); ++part) {
    if (*part != "()") out.text += out.text.ends_with("()") ? "." : separator_;
    out.text += *part;
  }
  return out;
}

std::string CalledNames::in_star(std::size_t star, std::string_view name) const {
  return stars_[star] + std::string(separator_) + std::string(name);
}

/// An import of the name, or a word that says that it is not the scope's own.
bool CalledNames::brings_in(std::uint32_t node, std::uint32_t symbol) const {
  const Kind kind = tree_[node].kind;
  if (kind != Kind::Import && kind != Kind::ImportFrom && kind != Kind::Global &&
      !requiring_.contains(node))
    return false;
  for (std::uint32_t i = node + 1; i < tree_[node].end; ++i)
    if (tree_[i].kind == Kind::Name && tree_[i].symbol == symbol) return true;
  return false;
}

std::vector<CalledNames::Scope> CalledNames::scopes_of(std::uint32_t symbol) const {
  struct Open {
    Scope scope;
    bool counts, is_class;
  };
  struct Own {
    Scope scope;
    std::uint32_t holder;  // begin of the scope that it stands in
  };
  std::vector<Own> own;
  std::unordered_set<std::uint32_t> brought;  // scopes by where they begin
  std::vector<Open> open{{{0, static_cast<std::uint32_t>(tree_.nodes.size())}, true, false}};
  std::unordered_set<std::uint32_t> properties;
  std::uint32_t imports_end = 0, assign_end = 0;
  const bool is_go = tree_.language == Language::go;
  for (std::uint32_t i = 0; i < tree_.nodes.size(); ++i) {
    while (i >= open.back().scope.end)
      open.pop_back();
    const syntax::Node& node = tree_[i];
    if (brings_in(i, symbol)) {
      brought.insert(open.back().scope.begin);
      imports_end = std::max(imports_end, node.end);
    }
    if (node.kind == Kind::Assign) assign_end = std::max(assign_end, node.end);
    const bool is_function = node.kind == Kind::Function, is_class = node.kind == Kind::Class;
    if (is_javascript_) add_properties(tree_, i, properties);
    if (node.symbol == symbol && open.back().counts && i >= imports_end) {
      const bool is_stored = node.kind == Kind::Name && (node.flags & flag::store) != 0;
      const bool declares = is_class || node.kind == Kind::Param ||
                            (is_function && body_of(tree_, i) != 0 && !properties.contains(i)) ||
                            is_stored;
      Scope scope = open.back().scope;
      const std::uint32_t holder = scope.begin;
      if (is_go && is_stored && i < assign_end) scope.begin = assign_end;  // from there on
      if (declares) own.push_back({scope, holder});
    }
    const bool is_space = is_class && (node.flags & flag::name_space) != 0;
    const bool is_body_of_class = node.kind == Kind::Block && open.back().is_class;
    const bool is_inner =
        node.kind == Kind::Lambda || node.kind == Kind::Comp ||
        (has_block_scopes(tree_.language) && is_list_or_branch(node.kind) && !is_body_of_class);
    const bool is_record = holds_fields(tree_, i);
    if (is_function || is_inner || is_record || (is_class && !is_space))
      open.push_back(
          {{i, node.end}, !is_record && (!is_class || sees_members(tree_.language)), is_class});
  }
  std::vector<Scope> out;
  for (const Own& one : own)
    if (!brought.contains(one.holder)) out.push_back(one.scope);
  return out;
}

const std::vector<CalledNames::Scope>& CalledNames::known_scopes(std::uint32_t symbol) {
  const auto [at, is_new] = own_.try_emplace(symbol);
  if (is_new) at->second = scopes_of(symbol);
  return at->second;
}

bool CalledNames::is_own(std::uint32_t symbol, std::uint32_t node) {
  return std::ranges::any_of(known_scopes(symbol), [&](const Scope& scope) {
    return scope.begin <= node && node < scope.end;
  });
}

bool CalledNames::is_shadowed(std::uint32_t symbol, std::uint32_t node) {
  if (symbol == 0) return false;  // a call that imports
  return std::ranges::any_of(known_scopes(symbol), [&](const Scope& scope) {
    return scope.begin > 0 && scope.begin <= node && node < scope.end;
  });
}

}  // namespace gh::analysis
