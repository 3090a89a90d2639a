#include "landing/verify_commands.h"

#include "git/tail.h"
#include "policy/redact.h"
#include "sys/files.h"
#include "sys/isolate.h"

namespace gh::landing {
namespace {

std::vector<std::string> clean_environment(const VerifyPlace& place) {
  return {
      "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
      "HOME=" + place.private_folder,
      "TMPDIR=" + place.private_folder,
      "LC_ALL=C",
      "TZ=UTC",
      "GIT_CONFIG_NOSYSTEM=1",
      "GIT_CONFIG_GLOBAL=/dev/null",
      "GIT_OPTIONAL_LOCKS=0",
      "GIT_TERMINAL_PROMPT=0",
  };
}

struct OneRun {
  patch::VerifyResult result;
  std::vector<std::string> isolation;
};

OneRun run_one(const policy::VerifyCommand& command, const VerifyPlace& place) {
  const std::string report = place.private_folder + "/.isolation-" + command.name;
  const sys::Command plain{.argv = command.argv,
                           .environment = clean_environment(place),
                           .cwd = place.cwd,
                           .timeout = std::chrono::seconds(command.timeout_s),
                           .give_up = place.interrupted};
  const auto done = sys::run(sys::isolated(plain, {.self = place.self,
                                                   .report = report,
                                                   .writable = {place.cwd, place.private_folder},
                                                   .read_only = place.read_only}));
  const sys::IsolationReport isolation = sys::read_isolation_report(report);
  OneRun out;
  out.result.name = command.name;
  out.result.argv = command.argv;
  out.isolation = isolation.in_force;
  std::erase(out.isolation, "processes");  // the document's list is closed (patch-gate 9.4)
  if (!done || !isolation.started) {
    out.result.error = "not_found";
    return out;
  }
  out.result.duration_ms = done->duration.count();
  out.result.stdout_tail = policy::redact(git::output_tail(done->out, place.cwd)).text;
  out.result.stderr_tail = policy::redact(git::output_tail(done->err, place.cwd)).text;
  if (done->timed_out) {
    out.result.error = "timeout";
  } else {
    out.result.rc = done->exit_code;
  }
  return out;
}

}  // namespace

patch::VerifyReport run_verify_commands(const std::vector<policy::VerifyCommand>& commands,
                                        const VerifyPlace& place) {
  patch::VerifyReport report;
  if (commands.empty()) return report;
  report.ok = true;
  for (const policy::VerifyCommand& command : commands) {
    if (!*report.ok) {
      report.results.push_back({.name = command.name,
                                .argv = command.argv,
                                .rc = {},
                                .error = "not_run",
                                .stdout_tail = {},
                                .stderr_tail = {}});
      continue;
    }
    OneRun one = run_one(command, place);
    if (report.isolation.empty()) report.isolation = std::move(one.isolation);
    report.ok = one.result.rc == 0;
    report.results.push_back(std::move(one.result));
  }
  report.isolation.emplace_back("environment");
  return report;
}

}  // namespace gh::landing
