#include "policy/config.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/analysis_keys.h"
#include "policy/control_keys.h"
#include "policy/hook_keys.h"
#include "policy/patch_keys.h"
#include "policy/proposal_keys.h"
#include "policy/server_keys.h"
#include "wire/json.h"
#include "wire/yaml.h"

namespace gh::policy {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kMaxDays = 36'500, kMaxRunsKept = 1'000'000;

/// The value may hold a password, so no message repeats it.
Status load_url(StoreConfig& store, const Value& value, const At& at) {
  if (value.is_null()) {
    store.url.clear();
    return {};
  }
  const std::string* url = value.as_string();
  const bool known = url != nullptr && is_utf8(*url) && printable(*url, url->size()) == *url &&
                     (url->starts_with("postgres://") || url->starts_with("postgresql://"));
  if (!known)
    return at.fail(Code::policy_bad_value,
                   "expected the address of a PostgreSQL database, postgres://…, or null");
  store.url = *url;
  return {};
}

Status load_signing_key(StoreConfig& store, const Value& value, const At& at) {
  if (value.is_null()) {
    store.signing_key.clear();
    return {};
  }
  GH_TRY(path, load_text(value, at));
  store.signing_key = path;
  return {};
}

constexpr std::array<Key<StoreConfig>, 6> kStoreKeys{{
    {"url", load_url, nullptr, nullptr},
    {"busy_timeout_ms",
     [](StoreConfig& s, const Value& v, const At& at) {
       return load_limit(s.busy_timeout_ms, v, at, kHourMs);
     },
     nullptr, nullptr},
    {"audit_payload_days",
     [](StoreConfig& s, const Value& v, const At& at) {
       return load_limit(s.audit_payload_days, v, at, kMaxDays);
     },
     nullptr, nullptr},
    {"run_days",
     [](StoreConfig& s, const Value& v, const At& at) {
       return load_limit(s.run_days, v, at, kMaxDays);
     },
     nullptr, nullptr},
    {"runs_kept",
     [](StoreConfig& s, const Value& v, const At& at) {
       return load_limit(s.runs_kept, v, at, kMaxRunsKept);
     },
     nullptr, nullptr},
    {"signing_key", load_signing_key, nullptr, nullptr},
}};

Status load_patch(Config& config, const Value& block, const At& at) {
  GH_TRY(policy, load_patch_block(block, at));
  config.patch = std::move(policy);
  return {};
}

Status load_store(Config& config, const Value& block, const At& at) {
  GH_DO(load_keys(config.store, block, at, kStoreKeys));
  return {};
}

Status load_proposals(Config& config, const Value& block, const At& at) {
  GH_TRY(policy, load_proposal_block(block, at));
  config.proposals = std::move(policy);
  return {};
}

Status load_analysis(Config& config, const Value& block, const At& at) {
  GH_TRY(policy, load_analysis_block(block, at));
  config.analysis = std::move(policy);
  return {};
}

Status load_control(Config& config, const Value& block, const At& at) {
  GH_TRY(policy, load_control_block(block, at));
  config.control = std::move(policy);
  return {};
}

/// No gate reads it; who serves does so with parse_server_policy.
Status check_server(Config&, const Value& block, const At& at) {
  GH_DO(load_server_block(block, at));
  return {};
}

Status load_hooks(Config& config, const Value& block, const At& at) {
  GH_TRY(policy, load_hook_block(block, at));
  config.hooks = std::move(policy);
  return {};
}

/// Its keys are those of the manifest (src/surface/manifest_keys.cc), which every release command
/// checks; here it is known to be a mapping.
Status check_release_gate(Config&, const Value& block, const At& at) {
  if (block.as_map() == nullptr) return at.expected("a mapping of keys", block);
  return {};
}

constexpr std::array<Key<Config>, 8> kBlocks{{
    {"patch", load_patch, nullptr, nullptr},
    {"store", load_store, nullptr, nullptr},
    {"proposals", load_proposals, nullptr, nullptr},
    {"change_control", load_control, nullptr, nullptr},
    {"analysis", load_analysis, nullptr, nullptr},
    {"release_gate", check_release_gate, nullptr, nullptr},
    {"hooks", load_hooks, nullptr, nullptr},
    {"server", check_server, nullptr, nullptr},
}};

}  // namespace

Result<Config> parse_config(std::string_view yaml, std::string_view name) {
  auto document = wire::read_yaml(yaml, name, wire::YamlDialect::strict);
  if (!document) return fail(Code::policy_unreadable, std::move(document.error().message));
  const PlaceOf place = [&](std::string_view pointer) {
    const wire::Mark mark = document->mark_of(pointer);
    return fmt::format("{}:{}:{}", name, mark.line, mark.column);
  };
  if (document->root.as_map() == nullptr)
    return fail(
        Code::policy_not_object,
        fmt::format(
            "{}: expected a mapping of blocks, found {}", place(""),
            document->root.is_null() ? "nothing" : fmt::format("a {}", type_name(document->root))));
  Config config;
  GH_DO(load_keys(config, document->root, At{&place, "", ""}, kBlocks));
  config.source = name;
  return config;
}

Status check_store_block(std::string_view yaml, std::string_view name) {
  const auto document = wire::read_yaml(yaml, name, wire::YamlDialect::strict);
  const Map* blocks = document ? document->root.as_map() : nullptr;
  const Value* block = blocks == nullptr ? nullptr : blocks->find("store");
  if (block == nullptr) return {};
  const PlaceOf place = [&](std::string_view pointer) {
    const wire::Mark mark = document->mark_of(pointer);
    return fmt::format("{}:{}:{}", name, mark.line, mark.column);
  };
  Config ignored;
  return load_store(ignored, *block, At{&place, "/store", "store"});
}

Result<ServerPolicy> parse_server_policy(std::string_view yaml, std::string_view name) {
  GH_DO(parse_config(yaml, name));
  GH_TRY(document, wire::read_yaml(yaml, name, wire::YamlDialect::strict));
  const Value* block = document.root.as_map()->find("server");
  if (block == nullptr) return ServerPolicy{};
  const PlaceOf place = [&](std::string_view) { return std::string(name); };
  return load_server_block(*block, At{&place, "/server", "server"});
}

Digest policy_digest(const PatchPolicy& policy) {
  return digest_of(wire::canonical_json(to_value(policy)));
}

}  // namespace gh::policy
