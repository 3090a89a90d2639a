#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/in_parts.h"
#include "base/text.h"
#include "model/peek.h"
#include "surface/loaders.h"
#include "surface/parameter_identity.h"

namespace gh::surface {
namespace {

constexpr int kMaxSchemaDepth = 32;
constexpr int kMaxSchemaNodes = 5000;
constexpr std::int64_t kMaxDocumentNodes = 1'000'000;  // of all schemas together
constexpr std::size_t kMaxRefFiles = 500;
constexpr std::size_t kOperationDepth = 3;  // /paths/PATH/METHOD; deeper places are not told
constexpr std::string_view kMethods = "get put post delete patch options head trace";
// table: hints of OpenAPI operations
constexpr std::array<std::string_view, 5> kHints{"readOnlyHint", "destructiveHint",
                                                 "idempotentHint", "openWorldHint", "retryPolicy"};
// table: schema keywords that hold schemas
constexpr std::string_view kSchemaMaps = "properties $defs";
constexpr std::string_view kSchemas = "items not additionalProperties";
constexpr std::string_view kSchemaLists = "oneOf anyOf allOf prefixItems";

/// A value and the document that references in it start from.
struct Located {
  const Value* value;
  std::size_t document;
};

/// Hashes the texts that a map of strings is asked for.
struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};

/// How much of the document a reader has before it. What is not there it may not answer for.
enum class Reach : std::uint8_t {
  all,       // with the files that it names
  document,  // no other file
  no_paths,  // nor its own paths, which are read one by one
};

/// Follows `#/...` inside of a document and `file#/...` below the folder of the manifest.
class Refs {
 public:
  Refs(const InputDocument& first, Files& files, Reach reach) : files_(files), reach_(reach) {
    documents_.push_back({first.path, &first.document.root, nullptr});
  }

  /// The value is nullptr: outside, not a file, or nothing there.
  Located find(std::string_view ref, std::size_t from) {
    const auto known = documents_[from].known.find(ref);
    if (known != documents_[from].known.end()) return known->second;
    const Located found = look_up(ref, from);
    documents_[from].known.emplace(ref, found);
    return found;
  }

  /// The object itself, or what its `$ref` names.
  Located resolved(Located at) {
    const std::string_view ref = Peek(*at.value)["$ref"].text();
    const Located target = ref.empty() ? Located{nullptr, 0} : find(ref, at.document);
    return target.value != nullptr ? target : at;
  }

  /// Something was named that is out of reach.
  bool was_beyond_reach() const { return was_beyond_reach_; }

 private:
  struct Document {
    std::string path;
    const Value* root;
    std::unique_ptr<InputDocument> owned;
    /// What references in it name.
    std::unordered_map<std::string, Located, TextHash, std::equal_to<>> known{};
  };

  Located look_up(std::string_view ref, std::size_t from) {
    const std::size_t hash = std::min(ref.find('#'), ref.size());
    const std::size_t document = document_of(ref.substr(0, hash), from);
    if (document == documents_.size()) return {nullptr, 0};
    std::string_view pointer = ref.substr(std::min(hash + 1, ref.size()));
    if (hash == 0 && !pointer.starts_with('/')) return {nullptr, 0};
    const Value* at = documents_[document].root;
    if (pointer.starts_with('/')) pointer.remove_prefix(1);
    const std::string_view first = pointer.substr(0, pointer.find('/'));
    if (reach_ == Reach::no_paths && (first.empty() || unescaped(first) == "paths"))
      was_beyond_reach_ = true;
    for (const std::string_view part :
         pointer.empty() ? std::vector<std::string_view>{} : split(pointer, '/')) {
      const Map* map = at->as_map();
      at = map != nullptr ? member(*map, unescaped(part)) : nullptr;
      if (at == nullptr) return {nullptr, 0};
    }
    return {at, document};
  }

  /// Mappings of thousands of schemas are looked through once.
  const Value* member(const Map& map, const std::string& key) {
    constexpr std::size_t kFew = 32;
    if (map.size() <= kFew) return map.find(key);
    auto& index = indexes_[&map];
    if (index.empty())
      for (const auto& [name, value] : map.entries())
        index.emplace(name, &value);
    const auto found = index.find(key);
    return found != index.end() ? found->second : nullptr;
  }

  /// Its index; one past the last when it cannot be read.
  std::size_t document_of(std::string_view file, std::size_t from) {
    if (file.empty()) return from;
    if (contains(file, ":") || file.starts_with('/')) return documents_.size();
    if (reach_ != Reach::all) {
      was_beyond_reach_ = true;
      return documents_.size();
    }
    const auto found = files_.find(file, folder_of(documents_[from].path));
    if (!found || found->kind != EntryKind::file) return documents_.size();
    const auto known = std::ranges::find(documents_, found->path, &Document::path);
    if (known != documents_.end()) return static_cast<std::size_t>(known - documents_.begin());
    if (documents_.size() > kMaxRefFiles) return documents_.size();
    auto read = read_input_document(files_, found->path);
    if (!read) return documents_.size();
    auto owned = std::make_unique<InputDocument>(std::move(*read));
    const Value* root = &owned->document.root;
    documents_.push_back({found->path, root, std::move(owned)});
    return documents_.size() - 1;
  }

  static std::string unescaped(std::string_view part) {
    std::string out;
    for (std::size_t i = 0; i < part.size(); ++i) {
      const bool escape = part[i] == '~' && i + 1 < part.size();
      out += escape ? (part[++i] == '1' ? '/' : '~') : part[i];
    }
    return out;
  }

  Files& files_;
  Reach reach_;
  bool was_beyond_reach_ = false;
  std::vector<Document> documents_;
  std::unordered_map<const Map*, std::unordered_map<std::string_view, const Value*>> indexes_;
};

/// One schema with its references put in. Nesting ends with kMaxSchemaDepth.
class SchemaResolver {
 public:
  /// `left` is what all schemas of the document may still hold.
  SchemaResolver(Refs& refs, std::int64_t& left) : refs_(refs), left_(left) {}

  Value resolve(Located at, int depth = 0) {
    const Map* map = at.value->as_map();
    if (map == nullptr) return *at.value;
    if (depth > kMaxSchemaDepth) return truncated("max_depth");
    if (++nodes_ > kMaxSchemaNodes || --left_ < 0) return truncated("max_nodes");
    const std::string_view ref = Peek(*at.value)["$ref"].text();
    if (!ref.empty()) return resolve_ref(ref, at, depth);
    std::vector<std::pair<std::string, Value>> out;
    out.reserve(map->size());
    for (const auto& [key, value] : map->entries())
      out.emplace_back(key, resolve_member(key, {&value, at.document}, depth));
    return Map(std::move(out));
  }

 private:
  static Value truncated(std::string_view why) {
    return Map{{"x-agents-shipgate-resolution-truncated", why}};
  }

  Value resolve_ref(std::string_view ref, Located at, int depth) {
    const Located target = refs_.find(ref, at.document);
    if (target.value == nullptr) return *at.value;
    if (std::ranges::find(on_path_, target.value) != on_path_.end())
      return Map{{"$ref", ref}, {"x-agents-shipgate-recursive-ref", true}};
    on_path_.push_back(target.value);
    Value out = resolve(target, depth + 1);
    on_path_.pop_back();
    return out;
  }

  Value resolve_member(std::string_view key, Located at, int depth) {
    const Value& value = *at.value;
    if (is_one_of(key, kSchemas)) return resolve(at, depth + 1);
    if (is_one_of(key, kSchemaLists) && value.as_list() != nullptr) {
      List out;
      for (const Value& item : *value.as_list())
        out.push_back(resolve({&item, at.document}, depth + 1));
      return out;
    }
    if (!is_one_of(key, kSchemaMaps) || value.as_map() == nullptr) return value;
    std::vector<std::pair<std::string, Value>> out;
    for (const auto& [name, item] : value.as_map()->entries())
      out.emplace_back(name, resolve({&item, at.document}, depth + 1));
    return Map(std::move(out));
  }

  Refs& refs_;
  std::int64_t& left_;
  std::vector<const Value*> on_path_;
  int nodes_ = 0;
};

std::vector<std::string> left_refs(const Value& schema) {
  std::vector<const Value*> open{&schema};
  std::vector<std::string> out;
  while (!open.empty()) {
    const Value* v = open.back();
    open.pop_back();
    if (const std::string_view ref = Peek(*v)["$ref"].text(); !ref.empty()) out.emplace_back(ref);
    if (const List* list = v->as_list())
      for (auto item = list->rbegin(); item != list->rend(); ++item)
        open.push_back(&*item);
    if (const Map* map = v->as_map())
      for (auto e = map->entries().rbegin(); e != map->entries().rend(); ++e)
        open.push_back(&e->second);
  }
  return out;
}

/// The document of an item that was read by itself, and where in it the item is.
struct OwnDocument {
  const wire::Document* document = nullptr;
  std::string pointer{};
};

/// The operations of some paths as tools.
class OpenApi {
 public:
  OpenApi(const SourceRef& source, const InputDocument& input, Files& files, Reach reach)
      : source_(source), input_(input), root_(input.document.root), refs_(input, files, reach) {}

  Status take(const std::string& path, const Value& item, const OwnDocument& own = {}) {
    if (path.starts_with("x-")) return {};  // an extension
    const std::string pointer = "/paths" + wire::pointer_part(path);
    if (item.as_map() == nullptr) return refuse_input(input_, pointer, "a path must be a mapping");
    const Located holder = refs_.resolved({&item, 0});
    if (holder.value->as_map() == nullptr)
      return refuse_input(input_, pointer, "a path must be a mapping");
    for (const auto& [key, operation] : holder.value->as_map()->entries()) {
      const std::string method = lower_case(key);
      if (!is_one_of(method, kMethods)) continue;
      const std::string at = pointer + wire::pointer_part(key);
      if (operation.as_map() == nullptr)
        return refuse_input(input_, at, "an operation must be a mapping");
      take_operation(path, method, holder, operation, at);
      rows.back().tool.place =
          own.document == nullptr
              ? place_in(input_, at)
              : place_at(own.document->mark_of(own.pointer + wire::pointer_part(key)), at);
    }
    return {};
  }

  struct Row {
    Tool tool;
    std::vector<std::string> unresolved{};  // references
  };
  std::vector<Row> rows{};
  std::int64_t nodes_left() const { return nodes_left_; }
  bool was_beyond_reach() const { return refs_.was_beyond_reach(); }

 private:
  Place place_at(const wire::Mark& mark, std::string_view pointer) const {
    return {input_.path, mark.line, mark.end_line, mark.column, std::string(pointer)};
  }

  void take_operation(const std::string& path, const std::string& method, Located item,
                      const Value& operation, const std::string& pointer) {
    Tool tool = make_tool("openapi", name_of(path, method, operation));
    tool.description = description_of(operation);
    tool.source_id = source_.id;
    tool.source_ref = fmt::format("{}#{}", source_.path, pointer);
    tool.annotations = annotations_of(path, method, operation);
    const Located whole{&operation, item.document};
    set_schemas(tool, input_schema(item, whole), output_schema(whole));
    tool.auth = auth_of(operation);
    tool.hashes = hasher_.of(tool);
    rows.push_back({std::move(tool)});
    for (const Schema* schema : {&rows.back().tool.input_schema, &rows.back().tool.output_schema}) {
      const auto& left = refs_left_in(*schema);
      rows.back().unresolved.insert(rows.back().unresolved.end(), left.begin(), left.end());
    }
  }

  static std::string name_of(std::string_view path, std::string_view method,
                             const Value& operation) {
    if (const std::string_view id = Peek(operation)["operationId"].text(); !id.empty())
      return std::string(id);
    std::string rest;
    const std::size_t first = path.find_first_not_of('/'), last = path.find_last_not_of('/');
    if (first != std::string_view::npos)
      for (const char c : path.substr(first, last - first + 1))
        if (c != '{' && c != '}') rest += c == '/' || c == '-' ? '_' : c;
    return fmt::format("{}_{}", method, rest.empty() ? "root" : rest);
  }

  static std::string description_of(const Value& operation) {
    std::vector<std::string> parts;
    for (const char* key : {"summary", "description"})
      if (std::string text = text_at(operation, key); !text.empty())
        parts.push_back(std::move(text));
    return join(parts, "\n");
  }

  static Map annotations_of(std::string_view path, std::string_view method,
                            const Value& operation) {
    Map out;
    const bool is_extended = std::ranges::any_of(
        operation.as_map()->entries(), [](const auto& e) { return e.first.starts_with("x-"); });
    for (const std::string_view hint : is_extended ? std::span(kHints) : std::span(kHints).first(0))
      if (const Value* given = operation.as_map()->find(fmt::format("x-{}", hint)))
        out.set(std::string(hint), *given);
    for (const char* key : {"x-agents-shipgate", "x-gatehouse"})
      for (const auto& [name, value] : Peek(operation)[key].map().entries())
        out.set(name, value);
    std::string upper(method);
    std::ranges::transform(upper, upper.begin(), [](char c) { return static_cast<char>(c - 32); });
    out.set("httpMethod", upper);
    out.set("path", path);
    return out;
  }

  Value resolved_schema(Located schema) {
    return SchemaResolver(refs_, nodes_left_).resolve(schema);
  }

  static Located schema_of(Located holder) {
    const Map* map = holder.value->as_map();
    return {map != nullptr ? map->find("schema") : nullptr, holder.document};
  }

  /// Parameters of the path, then of the operation; a later one of the same name wins.
  Map parameter_schema(Located item, Located operation) {
    std::vector<std::pair<std::string, Value>> properties;
    properties.reserve(Peek(*item.value)["parameters"].list().size() +
                       Peek(*operation.value)["parameters"].list().size());
    std::vector<std::string> names;
    for (const Located holder : {item, operation})
      for (const Value& given : Peek(*holder.value)["parameters"].list()) {
        const Located parameter = refs_.resolved({&given, holder.document});
        const std::string name = text_at(*parameter.value, "name");
        if (name.empty()) continue;
        const Located schema = schema_of(parameter);
        Value resolved = schema.value != nullptr ? resolved_schema(schema) : Value(Map{});
        const auto same = std::ranges::find(
            properties, name, [](const auto& p) -> const std::string& { return p.first; });
        if (same != properties.end())
          same->second = std::move(resolved);
        else
          properties.emplace_back(name, std::move(resolved));
        std::erase(names, name);
        if (Peek(*parameter.value)["required"].is_true()) names.push_back(name);
      }
    if (properties.empty()) return {};
    Map out{{"type", "object"}, {"properties", Map(std::move(properties))}};
    if (!names.empty()) out.set("required", string_list(names));
    return out;
  }

  /// The schema of application/json, else of the first media type.
  Schema content_schema(Located holder) {
    const Map& content = Peek(*holder.value)["content"].map();
    if (content.empty()) return {};
    const Value* media = content.find("application/json");
    if (media == nullptr) media = &content.entries().front().second;
    const Located schema = schema_of({media, holder.document});
    return schema.value != nullptr ? shared_schema(schema) : Schema();
  }

  /// What a reference names is the same wherever it is named, so it is resolved once.
  Schema shared_schema(Located schema) {
    const std::string_view ref = Peek(*schema.value)["$ref"].text();
    const Located target = ref.empty() ? Located{nullptr, 0} : refs_.find(ref, schema.document);
    if (target.value == nullptr) return object_of(resolved_schema(schema));
    const auto known = shared_.find(target.value);
    if (known != shared_.end()) return known->second;
    return shared_[target.value] = object_of(resolved_schema(schema));
  }

  static Schema object_of(Value schema) {
    return schema.as_map() != nullptr ? Schema(std::move(*schema.as_map())) : Schema();
  }

  Schema input_schema(Located item, Located operation) {
    Map left = parameter_schema(item, operation);
    const Value* given = operation.value->as_map()->find("requestBody");
    Schema right =
        given != nullptr ? content_schema(refs_.resolved({given, operation.document})) : Schema();
    if (right.empty()) return left;
    if (left.empty()) return right;
    return merged(std::move(left), right.map());
  }

  static Map merged(Map left, const Map& right) {
    const bool is_object = Peek(right.find("type")).text() == "object" || right.find("properties");
    Map properties = std::move(*left.find("properties")->as_map());
    std::set<std::string> names;
    const auto add_required = [&](const Map& schema) {
      for (const Value& name : Peek(schema.find("required")).list())
        if (name.as_string() != nullptr) names.insert(*name.as_string());
    };
    add_required(left);
    if (is_object) {
      for (const auto& [name, schema] : Peek(right.find("properties")).map().entries())
        properties.set(name, schema);
      add_required(right);
    } else {
      properties.set("body", right);
      names.insert("body");
    }
    return {{"type", "object"},
            {"properties", std::move(properties)},
            {"required", string_list({names.begin(), names.end()})}};
  }

  Schema output_schema(Located operation) {
    const Map& responses = Peek(*operation.value)["responses"].map();
    if (responses.empty()) return {};
    const Value* response = responses.find("200");
    if (response == nullptr) response = responses.find("201");
    if (response == nullptr) response = &responses.entries().front().second;
    return content_schema(refs_.resolved({response, operation.document}));
  }

  Auth auth_of(const Value& operation) {
    const Value* given = operation.as_map()->find("security");
    if (given == nullptr) given = root_.as_map()->find("security");
    Auth out{.source = "openapi"};
    std::set<std::string> scopes;
    for (const Value& alternative : Peek(given).list())
      for (const auto& [scheme, needed] : Peek(alternative).map().entries()) {
        const Peek known = Peek(root_)["components"]["securitySchemes"][scheme];
        if (out.type.empty()) out.type = std::string(known["type"].text());
        for (const Value& scope : Peek(needed).list())
          if (scope.as_string() != nullptr) scopes.insert(*scope.as_string());
      }
    out.scopes.assign(scopes.begin(), scopes.end());
    return out;
  }

  /// The tools keep their schemas, so that no other one comes to stand at the same address.
  const std::vector<std::string>& refs_left_in(const Schema& schema) {
    const auto known = left_.find(&schema.value());
    if (known != left_.end()) return known->second;
    return left_[&schema.value()] = left_refs(schema);
  }

  const SourceRef& source_;
  const InputDocument& input_;
  const Value& root_;
  Refs refs_;
  ToolHasher hasher_;
  std::int64_t nodes_left_ = kMaxDocumentNodes;
  std::unordered_map<const Value*, Schema> shared_;  // by what a reference names
  std::unordered_map<const Value*, std::vector<std::string>> left_;
};

using Rows = std::vector<OpenApi::Row>;
using RowsOfParts = std::map<std::size_t, Rows>;  // by their first path

/// In parts that share no cache. Nothing when the outcome depends on more than a part: on what is
/// out of reach, on an error, or on the budget of nodes, which the first ones use up.
/// `start()` makes what `take(part, i)` takes a path with.
template <class Start, class Take>
std::optional<RowsOfParts> rows_by_parts(std::size_t count, Start start, Take take) {
  std::mutex mutex;
  RowsOfParts parts;
  std::atomic<std::int64_t> nodes_left = kMaxDocumentNodes;
  std::atomic<bool> fits = true;
  in_parts(count, kToolsOfAThread, [&](std::size_t from, std::size_t to) {
    OpenApi part = start();
    part.rows.reserve(to - from);
    for (std::size_t i = from; i < to && fits; ++i) {
      const std::int64_t before = part.nodes_left();
      const bool is_taken = take(part, i);
      const std::int64_t used = before - part.nodes_left();
      if (!is_taken || part.was_beyond_reach() || nodes_left.fetch_sub(used) < used) fits = false;
    }
    const std::scoped_lock lock(mutex);
    parts.emplace(from, std::move(part.rows));
  });
  if (!fits) return std::nullopt;
  return parts;
}

/// One tool, with what is told of it.
void take_row(Loaded& out, OpenApi::Row& row, const SourceRef& source,
              std::unordered_set<std::string>& names) {
  const std::string& name = row.tool.name;
  if (!names.insert(name).second)
    out.warnings.push_back(
        fmt::format("Duplicate OpenAPI tool name '{}' in source '{}'", name, source.id));
  if (auto warning = name_warning(name)) out.warnings.push_back(std::move(*warning));
  for (const std::string& ref : row.unresolved)
    out.warnings.push_back(
        fmt::format("Unresolved OpenAPI $ref '{}' in tool '{}'; external or missing refs are "
                    "left as metadata.",
                    ref, name));
  out.tools.push_back(std::move(row.tool));
}

Loaded loaded_from(const SourceRef& source, RowsOfParts parts, bool was_cut) {
  Loaded out;
  std::size_t count = 0;
  for (const auto& part : parts)
    count += part.second.size();
  out.tools.reserve(count);
  std::unordered_set<std::string> names;
  for (auto& part : parts)
    for (OpenApi::Row& row : part.second)
      take_row(out, row, source, names);
  if (was_cut)
    out.warnings.push_back(
        fmt::format("OpenAPI schemas of source '{}' have more than {} nodes with their "
                    "references; the rest is cut.",
                    source.id, kMaxDocumentNodes));
  return out;
}

/// A whole document.
Result<Loaded> tools_of(const SourceRef& source, const InputDocument& input, Files& files) {
  const Value& root = input.document.root;
  if (root.as_map() == nullptr || !Peek(root)["openapi"].exists())
    return refuse_input(input, "", "must be an OpenAPI 3 document with the key openapi");
  const Value* given = root.as_map()->find("paths");
  if (given == nullptr || given->as_map() == nullptr)
    return refuse_input(input, "/paths", "must have a mapping of paths");
  const auto& paths = given->as_map()->entries();
  if (paths.size() >= 2 * kToolsOfAThread)
    if (auto rows = rows_by_parts(
            paths.size(), [&] { return OpenApi(source, input, files, Reach::document); },
            [&](OpenApi& part, std::size_t i) {
              return part.take(paths[i].first, paths[i].second).has_value();
            }))
      return loaded_from(source, *std::move(rows), false);
  OpenApi whole(source, input, files, Reach::all);
  for (const auto& [path, item] : paths)
    GH_DO(whole.take(path, item));
  RowsOfParts rows;
  rows.emplace(0, std::move(whole.rows));
  return loaded_from(source, std::move(rows), whole.nodes_left() < 0);
}

/// The tools of paths that were cut out of a document, of which `rest` is left. `take(part, i)`
/// takes the path of that number.
template <class Take>
std::optional<Loaded> tools_of_split(const SourceRef& source, const InputDocument& rest,
                                     Files& files, std::size_t count, Take take) {
  auto rows = rows_by_parts(
      count, [&] { return OpenApi(source, rest, files, Reach::no_paths); }, take);
  if (!rows) return std::nullopt;
  return loaded_from(source, *std::move(rows), false);
}

/// What is left of a document without its paths, where nothing is odd about it.
std::optional<InputDocument> plain_rest(std::string_view text, const std::string& path) {
  auto rest = wire::read_document(text, path, {.marked_depth = kOperationDepth});
  if (!rest || !Peek(rest->root)["openapi"].exists() || !rest->repeats.empty()) return std::nullopt;
  return InputDocument{path, std::move(*rest)};
}

std::optional<Loaded> tools_by_path_of_json(const SourceRef& source, const InputFile& file,
                                            Files& files) {
  const auto split = wire::split_json(file.bytes, "paths");
  if (!split || split->members.size() < 2 * kToolsOfAThread) return std::nullopt;
  const auto rest = plain_rest(split->rest, file.path);
  if (!rest) return std::nullopt;
  return tools_of_split(
      source, *rest, files, split->members.size(), [&](OpenApi& part, std::size_t i) {
        const wire::JsonMember& member = split->members[i];
        const auto own = wire::read_member(member, file.path, {.marked_depth = kOperationDepth});
        return own && own->repeats.empty() &&
               part.take(std::string(member.key), own->root, {&*own}).has_value();
      });
}

/// The paths are the empty ones at that line, a member of a block mapping.
bool is_cut_at(const wire::Document& rest, std::string_view text, std::int64_t line) {
  const Value* paths = rest.root.as_map()->find("paths");
  if (paths == nullptr || paths->as_map() == nullptr || !paths->as_map()->empty()) return false;
  for (std::int64_t i = 1; i < rest.marks.mark.line; ++i)
    text.remove_prefix(text.find('\n') + 1);
  const char first = text.empty() ? '\0' : text.front();
  const bool is_block = rest.marks.mark.column == 1 &&
                        ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z'));
  const wire::Mark mark = rest.mark_of("/paths");
  return is_block && mark.line == line && mark.column == 1;
}

std::optional<Loaded> tools_by_path_of_yaml(const SourceRef& source, const InputFile& file,
                                            Files& files) {
  const wire::DocumentLimits limits{.marked_depth = kOperationDepth};
  if (file.bytes.size() > limits.max_bytes) return std::nullopt;
  const auto split = wire::split_yaml(file.bytes, "paths");
  if (!split || split->members.size() < 2 * kToolsOfAThread) return std::nullopt;
  const auto rest = plain_rest(split->rest, file.path);
  if (!rest || !is_cut_at(rest->document, split->rest, split->line)) return std::nullopt;
  std::atomic<std::size_t> nodes = rest->document.nodes;
  std::vector<std::string> keys(split->members.size());
  auto loaded = tools_of_split(
      source, *rest, files, split->members.size(), [&](OpenApi& part, std::size_t i) {
        const auto own = wire::read_member(split->members[i], file.path, limits);
        if (!own || !own->repeats.empty()) return false;
        const Map* map = own->root.as_map();
        if (map == nullptr || map->size() != 1) return false;
        const auto& [path, item] = map->entries().front();
        keys[i] = path;
        const std::size_t added = own->nodes - 1;  // without the mapping that is its own
        return nodes.fetch_add(added) + added <= limits.max_nodes &&
               part.take(path, item, {&*own, wire::pointer_part(path)}).has_value();
      });
  std::ranges::sort(keys);
  if (std::ranges::adjacent_find(keys) != keys.end()) return std::nullopt;
  return loaded;
}

/// A large document, path by path: none of them is kept, which takes less time than a tree of them
/// all. Nothing when it has to be read as a whole, also for what is wrong with it.
std::optional<Loaded> tools_by_path(const SourceRef& source, const InputFile& file, Files& files) {
  constexpr std::size_t kLarge = 256 * 1024;
  if (file.bytes.size() < kLarge) return std::nullopt;
  return wire::format_of(file.path, file.bytes) == wire::DocumentFormat::json
             ? tools_by_path_of_json(source, file, files)
             : tools_by_path_of_yaml(source, file, files);
}

}  // namespace

Result<Loaded> load_openapi(const SourceRef& source, Files& files) {
  GH_TRY(file, read_input(files, source.path, source.base));
  if (auto loaded = tools_by_path(source, file, files)) return *std::move(loaded);
  GH_TRY(document, wire::read_document(file.bytes, file.path, {.marked_depth = kOperationDepth}));
  file.bytes = {};
  const InputDocument input{std::move(file.path), std::move(document)};
  GH_TRY(loaded, tools_of(source, input, files));
  tell_repeats(input, loaded.warnings);
  return std::move(loaded);
}

}  // namespace gh::surface
