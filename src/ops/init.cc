// `init`: today it brings the settings of [tool.codeclone] over; agent hooks, git hooks and CI come
// later, and the help says so.
#include "ops/init.h"

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "ops/analysis_scope.h"
#include "ops/support_ops.h"
#include "sys/files.h"
#include "wire/toml.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxFile = 1u << 20;
constexpr std::string_view kSource = "pyproject.toml", kBackup = ".gatehouse.bak";

/// Empty when there is no such file.
Result<std::string> text_at(const std::string& path) {
  if (sys::info(path).kind == sys::FileKind::missing) return std::string();
  return sys::read_file(path, kMaxFile);
}

List left_out_list(const std::vector<LeftOut>& all) {
  List out;
  for (const LeftOut& one : all)
    out.emplace_back(Map{{"key", one.key}, {"why", one.why}});
  return out;
}

struct Outcome {
  InitPlan plan{};
  bool existed = false, written = false;
  std::string message{};
};

Reply reply_of(const Outcome& outcome, bool shows_diff) {
  const std::string diff = diff_of(outcome.plan, outcome.existed);
  std::string text = shows_diff ? diff : "";
  for (const LeftOut& one : outcome.plan.left_out)
    text += fmt::format("left out: {}: {}\n", one.key, printable(one.why, 300));
  text += outcome.message + "\n";
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.init/1"},
                       {"path", kConfigFile},
                       {"existed", outcome.existed},
                       {"written", outcome.written},
                       {"copied", string_list(outcome.plan.copied)},
                       {"left_out", left_out_list(outcome.plan.left_out)},
                       {"diff", diff},
                       {"message", outcome.message},
                       {"tool", Map{{"name", kProduct}, {"version", kVersion}}}};
  reply.text = [text = std::move(text)](const report::Look&) { return text; };
  return reply;
}

Status write_plan(const std::string& path, const Outcome& outcome) {
  if (outcome.existed && sys::info(path + std::string(kBackup)).kind == sys::FileKind::missing)
    GH_DO(sys::write_file_atomic(path + std::string(kBackup), outcome.plan.before));
  return sys::write_file_atomic(path, outcome.plan.after);
}

/// A person is asked; a program says --yes.
Status agreed(const Request& request, const Outcome& outcome, Context& context) {
  if (request.flag("yes")) return {};
  const auto answer =
      context.ask ? context.ask(fmt::format("{}\nWrite this to {}? [y/N] ",
                                            diff_of(outcome.plan, outcome.existed), kConfigFile))
                  : std::nullopt;
  if (!answer)
    return fail(Code::missing_argument,
                "nobody can be asked here; --yes writes, --dry-run shows what would be written");
  if (*answer == "y" || *answer == "yes") return {};
  return fail(Code::bad_argument, "nothing was written, as answered");
}

}  // namespace

Result<Reply> init(const Request& request, Context& context) {
  GH_TRY(repo, repo_around(context.cwd, context));
  if (repo.is_bare()) return fail(Code::bad_argument, "a bare repository has no files to set up");
  const std::string path = fmt::format("{}/{}", repo.root(), kConfigFile);
  GH_TRY(toml, text_at(fmt::format("{}/{}", repo.root(), kSource)));
  GH_TRY(settings, wire::read_toml_table(toml, kSource, {"tool", "codeclone"}));
  Outcome outcome{.existed = sys::info(path).kind != sys::FileKind::missing};
  if (!settings) {
    outcome.message = fmt::format(
        "nothing to do: {} has no [tool.codeclone] table. Gatehouse works without {}; "
        "'gatehouse config show' prints the defaults",
        kSource, kConfigFile);
    return reply_of(outcome, false);
  }
  GH_TRY(yaml, text_at(path));
  GH_TRY(plan, plan_init(yaml, *settings));
  outcome.plan = std::move(plan);
  if (!outcome.plan.changes()) {
    outcome.message = fmt::format("nothing to do: {} has all of [tool.codeclone]", kConfigFile);
    return reply_of(outcome, false);
  }
  const std::size_t count = outcome.plan.copied.size();
  if (request.flag("check") || request.flag("dry-run")) {
    outcome.message = fmt::format("{} settings would be copied; nothing was written", count);
    Reply reply = reply_of(outcome, true);
    if (request.flag("check")) {
      reply.exit = ExitCode::denied;
      reply.why = fmt::format("{} lacks {} settings; 'gatehouse init --yes' copies them",
                              kConfigFile, count);
    }
    return reply;
  }
  GH_DO(agreed(request, outcome, context));
  GH_DO(write_plan(path, outcome));
  outcome.written = true;
  outcome.message = fmt::format(
      "{} settings are copied into {}; commit it, and remove [tool.codeclone] when you like: "
      "Gatehouse does not read it",
      count, kConfigFile);
  return reply_of(outcome, false);
}

}  // namespace gh::ops
