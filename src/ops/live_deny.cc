#include "ops/live_deny.h"

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "model/peek.h"
#include "setup/json_text.h"
#include "sys/files.h"
#include "sys/own_program.h"
#include "sys/process.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr auto kPatience = std::chrono::milliseconds(10'000);
constexpr std::uint32_t kAnyExecute = 0111;

std::vector<std::string> environment(Context& context) {
  std::vector<std::string> out;
  for (const char* name : {"PATH", "HOME", "LD_LIBRARY_PATH", "GATEHOUSE_HOST_ID"})
    if (const std::string value = context.env.variable(name); !value.empty())
      out.push_back(fmt::format("{}={}", name, value));
  return out;
}

/// A program that a host cannot start stops nothing, and most hosts go on without a word.
std::string program_defect(const std::string& program, sys::Env& env) {
  const sys::FileInfo seen = sys::info_follow(program);
  const bool is_found = program.starts_with('/')
                            ? seen.kind == sys::FileKind::file && (seen.mode & kAnyExecute) != 0
                            : !program_on_path(program, env).empty();
  if (is_found) return {};
  return fmt::format(
      "its hook calls '{}', which is {}: put the program into a folder of PATH such "
      "as /usr/local/bin, or run gatehouse init --absolute",
      printable(program, 300), program.starts_with('/') ? "not there" : "in no folder of PATH");
}

/// Why the host does not ask before it writes; empty: it does. What a person has set for one
/// machine counts too.
std::string host_defect(setup::Host host, const git::Repo& repo, sys::Env& env) {
  constexpr std::string_view kLocal = ".claude/settings.local.json";
  const auto text_at = [&](std::string_view path) {
    return sys::read_file(fmt::format("{}/{}", repo.root(), path), setup::kMaxFileBytes)
        .value_or(std::string());
  };
  for (const setup::HostFile& file : setup::host_files()) {
    if (file.host != host) continue;
    const std::string text = text_at(file.path);
    if (std::string defect = setup::guard_defect(file, text); !defect.empty()) return defect;
    for (const std::string& program : setup::called_programs(file, text))
      if (std::string defect = program_defect(program, env); !defect.empty()) return defect;
  }
  if (host != setup::Host::claude) return {};
  const auto local = wire::read_json(text_at(kLocal));
  return local && Peek(*local)["disableAllHooks"].is_true()
             ? fmt::format("{} switches all hooks off (disableAllHooks)", kLocal)
             : std::string();
}

}  // namespace

std::string program_on_path(std::string_view name, sys::Env& env) {
  const std::string path = env.variable("PATH");
  for (const std::string_view folder : split(path, ':')) {
    const std::string file = fmt::format("{}/{}", folder, name);
    const sys::FileInfo seen = sys::info_follow(file);
    if (!folder.empty() && seen.kind == sys::FileKind::file && (seen.mode & kAnyExecute) != 0)
      return file;
  }
  return {};
}

std::optional<std::string> resolved_program(Context& context) {
  const auto done = sys::run({.argv = {"/bin/sh", "-c", fmt::format("command -v {}", kProduct)},
                              .environment = environment(context),
                              .cwd = context.cwd,
                              .timeout = kPatience});
  if (!done || done->exit_code != 0) return std::nullopt;
  return done->out.substr(0, done->out.find('\n'));
}

LiveAnswer try_hook(setup::Host host, const git::Repo& repo, Context& context, bool enforce) {
  if (std::string defect = host_defect(host, repo, context.env); !defect.empty())
    return {.what = std::move(defect)};
  const auto self = sys::called_program();
  if (!self) return {.what = self.error().message};
  const std::string name(setup::hosts()[static_cast<std::size_t>(host)].name);
  const std::string payload = setup::synthetic_write(host, utf8_or_escaped(repo.root()));
  sys::Command command{.argv = {*self, "hook", name},
                       .environment = environment(context),
                       .cwd = repo.root(),
                       .timeout = kPatience};
  if (enforce) command.argv.emplace_back("--enforce");
  command.input = payload;
  const auto done = sys::run(command);
  if (!done) return {.what = done.error().message};
  if (done->timed_out) return {.what = "it did not answer in time"};
  LiveAnswer out{.denied = setup::is_denied(host, done->exit_code, done->out)};
  const std::string& said = done->out.empty() ? done->err : done->out;
  out.what =
      said.empty() ? fmt::format("exit {} without a word", done->exit_code) : printable(said, 400);
  return out;
}

}  // namespace gh::ops
