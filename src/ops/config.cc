// `config show` and `config validate`.
#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "base/url.h"
#include "ops/repo_config.h"
#include "ops/support_ops.h"
#include "report/columns.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

std::string without_password_or_nothing(const std::string& url) {
  return url.empty() ? std::string() : without_password(url);
}

Map config_document(const policy::Config& config) {
  return Map{{"schema", "gatehouse.config/1"},
             {"source", config.source},
             {"policy_sha256", policy::policy_digest(config.patch).hex()},
             {"patch", policy::to_value(config.patch)},
             {"store", Map{{"url", without_password_or_nothing(config.store.url)},
                           {"busy_timeout_ms", config.store.busy_timeout_ms},
                           {"audit_payload_days", config.store.audit_payload_days},
                           {"run_days", config.store.run_days},
                           {"runs_kept", config.store.runs_kept},
                           {"signing_key", config.store.signing_key}}},
             {"proposals", policy::to_value(config.proposals)},
             {"change_control", policy::to_value(config.control)},
             {"analysis", policy::to_value(config.analysis)},
             {"hooks", policy::to_value(config.hooks)},
             {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
}

/// A scalar as strict YAML reads it back: plain where nothing can be mistaken, else quoted.
std::string yaml_scalar(const Value& value) {
  const std::string* text = value.as_string();
  if (text == nullptr) return wire::canonical_json(value);
  const bool plain = !text->empty() &&
                     text->find_first_not_of(
                         "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                         "0123456789_./-") == std::string::npos &&
                     text->find_first_of("0123456789-.") != 0 && *text != "true" &&
                     *text != "false" && *text != "null";
  return plain ? *text : wire::canonical_json(value);
}

bool holds_maps(const Value& value) {
  const List* list = value.as_list();
  return list != nullptr && !list->empty() && list->front().as_map() != nullptr;
}

void append_lines(std::string& out, const Map& map, int indent, const report::Look& look);

/// Items in block form, "- " before the first key of each: strict YAML allows little flow nesting.
void append_items(std::string& out, const List& list, int indent, const report::Look& look) {
  for (const Value& item : list) {
    std::string lines;
    append_lines(lines, *item.as_map(), indent + 2, look);
    if (!lines.empty()) lines[static_cast<std::size_t>(indent)] = '-';
    out += lines;
  }
}

/// "key: value" lines, one per leaf; lists in one line, folded.
void append_lines(std::string& out, const Map& map, int indent, const report::Look& look) {
  for (const auto& [key, value] : map.entries()) {
    const std::string lead = fmt::format("{:{}}{}:", "", indent, key);
    if (const Map* inner = value.as_map(); inner != nullptr && !inner->empty()) {
      out += lead + "\n";
      append_lines(out, *inner, indent + 2, look);
      continue;
    }
    if (holds_maps(value)) {
      out += lead + "\n";
      append_items(out, *value.as_list(), indent + 2, look);
      continue;
    }
    if (value.is_null() || (value.as_string() != nullptr && value.as_string()->empty())) {
      out += fmt::format("{:{}}# {}: not set\n", "", indent, key);
      continue;
    }
    std::string text = yaml_scalar(value);
    if (const List* list = value.as_list()) {
      std::vector<std::string> items;
      for (const Value& item : *list)
        items.push_back(yaml_scalar(item));
      text = fmt::format("[{}]", join(items, ", "));
    }
    out += fmt::format("{} {}\n", lead, report::folded(text, look.width - indent - 4, indent + 4));
  }
}

std::string config_text(const policy::Config& config, const report::Look& look) {
  std::string out = fmt::format("# source: {}\n# policy sha256: {}\n", config.source,
                                policy::policy_digest(config.patch).hex());
  const Map document = config_document(config);
  for (const auto& [name, block] : document.entries())
    if (block.as_map() != nullptr && name != "tool") append_lines(out, Map{{name, block}}, 0, look);
  return out;
}

}  // namespace

Result<Reply> config_show(const Request& request, Context& context) {
  GH_TRY(repo, open_to_read(context));
  policy::Config config;
  if (request.has("base")) {
    GH_TRY(commit, repo.objects().commit(request.text("base")));
    GH_TRY(loaded, config_at(repo, commit));
    config = std::move(loaded);
  } else {
    GH_TRY(loaded, config_in_work_tree(repo));
    config = std::move(loaded);
  }
  Reply reply;
  reply.document = config_document(config);
  reply.text = [config](const report::Look& look) { return config_text(config, look); };
  return reply;
}

Result<Reply> config_validate(const Request& request, Context& context) {
  policy::Config config;
  if (const std::string file = request.text("FILE"); !file.empty()) {
    auto bytes = sys::read_named_file(file, 1u << 20);
    if (!bytes) return fail(Code::policy_unreadable, bytes.error().message);
    GH_TRY(loaded, policy::parse_config(*bytes, file));
    config = std::move(loaded);
  } else {
    GH_TRY(repo, open_to_read(context));
    GH_TRY(loaded, config_in_work_tree(repo));
    config = std::move(loaded);
  }
  const bool has_file = config.source != "defaults";
  const std::string says =
      has_file ? fmt::format("{} is valid", config.source)
               : fmt::format("there is no {}; the defaults are in force", kConfigFile);
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.config_check/1"},
                       {"ok", true},
                       {"source", config.source},
                       {"message", says},
                       {"policy_sha256", policy::policy_digest(config.patch).hex()},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [says](const report::Look&) { return says + "\n"; };
  return reply;
}

}  // namespace gh::ops
