#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "base/unicode.h"
#include "ops/describe.h"
#include "ops/support_ops.h"

namespace gh::ops {

Result<Reply> version(const Request&, Context&) {
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.version/1"},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}},
                       {"unicode", unicode_version()},
                       {"git_minimum", kGitMinimum}};
  reply.text = [](const report::Look&) {
    return fmt::format("{} {}\nUnicode data {}\ngit {} or newer\n", kProduct, kVersion,
                       unicode_version(), kGitMinimum);
  };
  return reply;
}

Result<Reply> help(const Request& request, Context& context) {
  const std::vector<std::string> words = request.list("COMMAND");
  std::function<std::string(const report::Look&)> text;
  if (request.flag("all")) {
    text = render_all_commands;
  } else if (words.empty()) {
    text = render_overview;
  } else if (const Operation* op = find_operation(join(words, " "))) {
    text = [op](const report::Look& look) { return render_long_help(*op, look); };
  } else if (const std::string group = join(words, " "); is_group(group)) {
    text = [group](const report::Look& look) { return render_group_help(group, look); };
  } else {
    std::vector<std::string> known = first_words();
    for (const Operation& row : operations())
      known.emplace_back(row.words);
    const std::string asked = join(words, " ");
    const auto close = did_you_mean(asked, known);
    return fail(Code::unknown_command,
                fmt::format("'{}' is not a command{}", printable(asked, 60),
                            close ? fmt::format("; did you mean '{}'?", *close) : ""));
  }
  Reply reply;
  text = [text = std::move(text), program = context.program](const report::Look& look) {
    return spelled_for(text(look), program);
  };
  reply.document = Map{{"schema", "gatehouse.help/1"},
                       {"text", text(report::Look{})},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = std::move(text);
  return reply;
}

}  // namespace gh::ops
