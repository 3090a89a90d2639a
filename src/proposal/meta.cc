#include "proposal/meta.h"

#include <algorithm>
#include <array>
#include <functional>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/text.h"
#include "proposal/yaml_print.h"
#include "wire/json.h"
#include "wire/yaml.h"

namespace gh::proposal {
namespace {

constexpr std::size_t kMaxDepth = 16, kMaxNodes = 20'000, kMaxKeyBytes = 128, kMaxTitle = 120;

using PlaceOf = std::function<std::string(std::string_view pointer)>;
using Strings = std::vector<std::string>;

/// One value of the file: its place, and what messages call it.
struct At {
  const PlaceOf& place_of;
  std::string pointer, name;
  bool is_document = false;  // the ledger's form: review_status is a list whatever the schema

  At key(std::string_view key) const {
    return {place_of, fmt::format("{}/{}", pointer, key), std::string(key), is_document};
  }
  At item(std::size_t i) const {
    return {place_of, fmt::format("{}/{}", pointer, i), fmt::format("{}[{}]", name, i),
            is_document};
  }
  tl::unexpected<Error> fail(std::string_view what) const {
    return gh::fail(Code::yaml_invalid, fmt::format("{}: {}", place_of(pointer), what));
  }
  tl::unexpected<Error> expected(std::string_view what, const Value& found) const {
    return fail(fmt::format("{}: expected {}, found a {}", name, what, type_name(found)));
  }
};

Status load_string(std::string& field, const Value& value, const At& at) {
  if (value.as_string() == nullptr)
    return at.expected("a string (quote it if it looks like a number)", value);
  field = *value.as_string();
  return {};
}

Status load_strings(Strings& field, const Value& value, const At& at) {
  const List* list = value.as_list();
  if (list == nullptr) return at.expected("a list of strings", value);
  field.clear();
  for (std::size_t i = 0; i < list->size(); ++i)
    GH_DO(load_string(field.emplace_back(), (*list)[i], at.item(i)));
  return {};
}

// ------------------------------------------------------------------------- values kept as given

/// The canonical form has no such thing, so a document that held it could not be digested.
Status check_storable(const Value& value, const At& at) {
  if (std::holds_alternative<Number>(value.data()))
    return at.fail(
        fmt::format("{}: numbers are 64-bit integers or have at most four decimals", at.name));
  if (const List* list = value.as_list())
    for (std::size_t i = 0; i < list->size(); ++i)
      GH_DO(check_storable((*list)[i], at.item(i)));
  if (const Map* map = value.as_map())
    for (const auto& [key, member] : map->entries()) {
      if (key.size() > kMaxKeyBytes)
        return at.fail(fmt::format("{}: a key has more than {} bytes", at.name, kMaxKeyBytes));
      GH_DO(check_storable(member, at.key(key)));
    }
  return {};
}

Status load_command_results(ProposalMeta& m, const Value& value, const At& at) {
  const List* list = value.as_list();
  if (list == nullptr) return at.expected("a list of mappings", value);
  for (std::size_t i = 0; i < list->size(); ++i)
    if ((*list)[i].as_map() == nullptr) return at.item(i).expected("a mapping", (*list)[i]);
  GH_DO(check_storable(value, at));
  m.command_results = value;
  return {};
}

bool is_string_list(const Value& value) {
  const List* list = value.as_list();
  return list != nullptr &&
         std::ranges::all_of(*list, [](const Value& item) { return item.as_string() != nullptr; });
}

bool is_text(const Value& value) { return value.as_string() != nullptr; }
bool is_truth(const Value& value) { return value.as_bool() != nullptr; }
bool is_network(const Value& value) {
  const std::string* word = value.as_string();
  return word != nullptr && (*word == "none" || *word == "allowlist" || *word == "full");
}

struct SandboxKey {
  std::string_view name, expected;
  bool (*fits)(const Value&);
};
// table: sandbox keys
constexpr std::array<SandboxKey, 5> kSandboxKeys{{
    {"id", "a string", is_text},
    {"image", "a string", is_text},
    {"network", "none, allowlist or full", is_network},
    {"mounts", "a list of strings", is_string_list},
    {"production_access", "true or false", is_truth},
}};

Status load_sandbox(ProposalMeta& m, const Value& value, const At& at) {
  const Map* map = value.as_map();
  if (map == nullptr) return at.expected("a mapping", value);
  for (const auto& [key, member] : map->entries()) {
    const auto row = std::ranges::find(kSandboxKeys, key, &SandboxKey::name);
    if (row == kSandboxKeys.end())
      return at.key(key).fail(fmt::format("unknown key '{}' in sandbox", printable(key, 60)));
    if (!row->fits(member)) return at.key(key).expected(row->expected, member);
  }
  m.sandbox = value;
  return {};
}

// ------------------------------------------------------------------------------- field by field

Status load_review_status(ProposalMeta& m, const Value& value, const At& at) {
  if (const std::string* word = value.as_string()) {
    m.review_status = {*word};
    return {};
  }
  if (value.as_list() == nullptr) return at.expected("pending or a list of strings", value);
  if (!at.is_document && m.schema.empty())
    return at.fail(fmt::format("review_status: a list needs schema: {}", kProposalSchema));
  GH_DO(load_strings(m.review_status, value, at));
  if (m.review_status.empty()) return at.fail("review_status: the list is empty");
  return {};
}

Status load_schema(ProposalMeta& m, const Value& value, const At& at) {
  GH_DO(load_string(m.schema, value, at));
  if (m.schema != kProposalSchema)
    return at.fail(
        fmt::format("schema: expected {}, found '{}'", kProposalSchema, printable(m.schema, 60)));
  return {};
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

std::int64_t characters(std::string_view utf8) {
  return std::ranges::count_if(utf8, [](char c) { return (c & '\xC0') != '\x80'; });
}

Status load_title(ProposalMeta& m, const Value& value, const At& at) {
  GH_DO(load_string(m.title, value, at));
  if (characters(m.title) > static_cast<std::int64_t>(kMaxTitle) ||
      std::ranges::any_of(m.title, is_control))
    return at.fail(fmt::format("title: expected one line of at most {} characters", kMaxTitle));
  return {};
}

Status load_target_ref(ProposalMeta& m, const Value& value, const At& at) {
  GH_DO(load_string(m.target_ref, value, at));
  const auto is_bad = [](char c) {
    return is_control(c) || contains(" ~^:?*[\\", std::string_view(&c, 1));
  };
  if (!m.target_ref.starts_with("refs/heads/") || m.target_ref.ends_with('/') ||
      m.target_ref.starts_with("refs/heads/gatehouse/") ||  // branches of promotions
      m.target_ref.ends_with(".lock") || contains(m.target_ref, "/.") ||
      contains(m.target_ref, "@{") ||  // a place in the reflog is no branch
      contains(m.target_ref, "..") || contains(m.target_ref, "//") ||
      std::ranges::any_of(m.target_ref, is_bad))
    return at.fail("target_ref: expected a branch such as refs/heads/main");
  return {};
}

Status load_diff_sha256(ProposalMeta& m, const Value& value, const At& at) {
  GH_DO(load_string(m.diff_sha256, value, at));
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (m.diff_sha256.size() != 64 || !std::ranges::all_of(m.diff_sha256, is_hex))
    return at.fail("diff_sha256: expected 64 lower-case hex digits");
  return {};
}

template <auto Field>
Status text_field(ProposalMeta& m, const Value& value, const At& at) {
  return load_string(m.*Field, value, at);
}
template <auto Field>
Status list_field(ProposalMeta& m, const Value& value, const At& at) {
  return load_strings(m.*Field, value, at);
}

template <auto Field>
Value show_text(const ProposalMeta& m) {
  return Value(m.*Field);
}
template <auto Field>
Value show_list(const ProposalMeta& m) {
  return string_list(m.*Field);
}
template <auto Field>
Value show_value(const ProposalMeta& m) {
  return m.*Field;
}

enum class Kind : std::uint8_t { state, immutable, extension };

struct Field {
  std::string_view name;
  Kind kind;
  Status (*load)(ProposalMeta&, const Value&, const At&);
  Value (*show)(const ProposalMeta&);
};

using M = ProposalMeta;
using enum Kind;
// The order of the contract. `schema` is read first, see load_fields.
// table: metadata fields
// clang-format off
constexpr std::array<Field, 22> kFields{{
    {"patch_id",         immutable, text_field<&M::patch_id>,         show_text<&M::patch_id>},
    {"author_agent",     immutable, text_field<&M::author_agent>,     show_text<&M::author_agent>},
    {"trust_level",      state,     text_field<&M::trust_level>,      show_text<&M::trust_level>},
    {"source_gap",       immutable, text_field<&M::source_gap>,       show_text<&M::source_gap>},
    {"affected_files",   immutable, list_field<&M::affected_files>,   show_list<&M::affected_files>},
    {"base_commit",      immutable, text_field<&M::base_commit>,      show_text<&M::base_commit>},
    {"tests_added",      immutable, list_field<&M::tests_added>,      show_list<&M::tests_added>},
    {"commands_run",     immutable, list_field<&M::commands_run>,     show_list<&M::commands_run>},
    {"risk_notes",       immutable, text_field<&M::risk_notes>,       show_text<&M::risk_notes>},
    {"review_status",    state,     load_review_status,               show_list<&M::review_status>},
    {"promotion_status", state,     text_field<&M::promotion_status>, show_text<&M::promotion_status>},
    {"rollback_notes",   immutable, text_field<&M::rollback_notes>,   show_text<&M::rollback_notes>},
    {"created_utc",      immutable, text_field<&M::created_utc>,      show_text<&M::created_utc>},
    {"schema",           extension, load_schema,                      show_text<&M::schema>},
    {"title",            extension, load_title,                       show_text<&M::title>},
    {"supersedes",       extension, list_field<&M::supersedes>,       show_list<&M::supersedes>},
    {"depends_on",       extension, list_field<&M::depends_on>,       show_list<&M::depends_on>},
    {"target_ref",       extension, load_target_ref,                  show_text<&M::target_ref>},
    {"diff_sha256",      extension, load_diff_sha256,                 show_text<&M::diff_sha256>},
    {"command_results",  extension, load_command_results,             show_value<&M::command_results>},
    {"sandbox",          extension, load_sandbox,                     show_value<&M::sandbox>},
    {"intent_id",        extension, text_field<&M::intent_id>,        show_text<&M::intent_id>},
}};
// clang-format on

tl::unexpected<Error> unknown_key(std::string_view key, const At& at) {
  std::vector<std::string> known;
  for (const Field& field : kFields)
    known.emplace_back(field.name);
  const auto guess = key.size() <= 64 ? did_you_mean(key, known) : std::nullopt;
  return at.key(key).fail(fmt::format("unknown field '{}'{}", printable(key, 60),
                                      guess ? fmt::format("; did you mean '{}'?", *guess) : ""));
}

Status load_field(ProposalMeta& m, const std::string& key, const Value& value, const At& at) {
  if (key.starts_with("x_")) {
    if (key.size() > kMaxKeyBytes) return unknown_key(key, at);
    GH_DO(check_storable(value, at.key(key)));
    m.extra.set(key, value);
    return {};
  }
  const auto field = std::ranges::find(kFields, key, &Field::name);
  if (field == kFields.end()) return unknown_key(key, at);
  return field->load(m, value, at.key(key));
}

Status check_complete(const Map& map, const At& at) {
  Strings missing;
  for (const Field& field : kFields)
    if (field.kind != extension && map.find(field.name) == nullptr)
      missing.emplace_back(field.name);
  if (missing.empty()) return {};
  return at.fail(fmt::format("missing: {}", join(missing, ", ")));
}

Result<ProposalMeta> load_fields(const Value& root, const At& at) {
  const Map* map = root.as_map();
  if (map == nullptr)
    return at.fail(fmt::format("expected a mapping of fields, found a {}", type_name(root)));
  ProposalMeta meta;
  if (const Value* schema = map->find("schema"))  // decides how review_status is read
    GH_DO(load_schema(meta, *schema, at.key("schema")));
  for (const auto& [key, value] : map->entries())
    GH_DO(load_field(meta, key, value, at));
  GH_DO(check_complete(*map, at));
  return meta;
}

bool is_absent(const Value& value) {
  return value.is_null() || (value.as_string() != nullptr && value.as_string()->empty()) ||
         (value.as_list() != nullptr && value.as_list()->empty());
}

/// review_status in the file: one word, or with the schema a list when reviewers have spoken.
Value printed_review_status(const ProposalMeta& meta) {
  const bool one_word = meta.schema.empty() || meta.review_status == Strings{"pending"};
  if (!one_word) return string_list(meta.review_status);
  return meta.review_status.empty() ? Value("pending") : Value(meta.review_status.back());
}

}  // namespace

Result<ProposalMeta> read_meta(std::string_view yaml, std::string_view name) {
  GH_TRY(document, wire::read_yaml(yaml, name, wire::YamlDialect::strict,
                                   {kMaxMetaBytes, kMaxDepth, kMaxNodes}));
  const PlaceOf place = [&](std::string_view pointer) {
    const wire::Mark mark = document.mark_of(pointer);
    return fmt::format("{}:{}:{}", name, mark.line, mark.column);
  };
  return load_fields(document.root, At{place, "", "the document"});
}

Result<ProposalMeta> meta_from_document(const Value& document) {
  const PlaceOf place = [](std::string_view) { return "metadata"; };
  return load_fields(document, At{place, "", "the document", true});
}

Map to_document(const ProposalMeta& meta) {
  Map out;
  for (const Field& field : kFields) {
    Value value = field.show(meta);
    // An explicit empty list or mapping of command_results or sandbox is not absent: it is a value.
    const bool kept_as_given = field.name == "command_results" || field.name == "sandbox";
    const bool absent = kept_as_given ? value.is_null() : is_absent(value);
    if (field.kind != extension || !absent) out.set(std::string(field.name), std::move(value));
  }
  for (const auto& [key, value] : meta.extra.entries())
    out.set(key, value);
  return out;
}

std::string print_meta(const ProposalMeta& meta) {
  Map out = to_document(meta);
  out.set("review_status", printed_review_status(meta));
  return print_yaml(out);
}

std::string immutable_fields(const ProposalMeta& meta) {
  Map out;
  for (const Field& field : kFields)
    if (field.kind == immutable) out.set(std::string(field.name), field.show(meta));
  return wire::canonical_json(out);
}

std::string metadata_digest(const ProposalMeta& meta) {
  Map out = to_document(meta);
  for (const Field& field : kFields)
    if (field.kind == state) out.erase(field.name);
  return digest_of(wire::canonical_json(out)).hex();
}

bool has_extensions(const ProposalMeta& meta) {
  return !meta.title.empty() || !meta.supersedes.empty() || !meta.depends_on.empty() ||
         !meta.target_ref.empty() || !meta.diff_sha256.empty() || !meta.intent_id.empty() ||
         !meta.command_results.is_null() || !meta.sandbox.is_null() || !meta.extra.empty();
}

std::string proposal_digest(const ProposalMeta& meta, std::string_view canonical_sha256,
                            std::string_view report_sha256) {
  std::string bytes =
      fmt::format("{}\n{}\n{}\n", kProposalSchema, immutable_fields(meta), canonical_sha256);
  if (!report_sha256.empty()) bytes += fmt::format("{}\n", report_sha256);
  return digest_of(bytes).hex();
}

}  // namespace gh::proposal
