// The hidden question behind shell completion: the values that an argument may take.
#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/describe.h"
#include "ops/repo_config.h"
#include "ops/schemas.h"
#include "ops/support_ops.h"
#include "report/rule_text.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using Strings = std::vector<std::string>;

/// Nothing where there is no repository: completion never complains.
Strings run_ids(Context& context) {
  auto repo = open_to_read(context);
  if (!repo) return {};
  auto names = sys::list_folder(repo->state_dir() + "/runs");
  return names ? *names : Strings{};
}

/// Short names of branches and tags.
Strings refs(Context& context) {
  auto repo = open_to_read(context);
  if (!repo) return {};
  auto names = repo->ref_names();
  return names ? *names : Strings{};
}

Strings values_for(std::string_view kind, Context& context) {
  if (kind == "rule") return report::rule_ids();
  if (kind == "schema") return schema_names();
  if (kind == "command") return first_words();
  if (kind == "run") return run_ids(context);
  return refs(context);
}

}  // namespace

Result<Reply> complete_values(const Request& request, Context& context) {
  const Strings values = values_for(request.text("KIND"), context);
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.values/1"},
                       {"values", string_list(values)},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [values](const report::Look&) {
    std::string out;
    for (const std::string& value : values)
      out += printable(value, 400) + "\n";
    return out;
  };
  return reply;
}

}  // namespace gh::ops
