// registry renewals REPOSITORY N: microseconds of one renewal of a lease by a process that keeps
// its session and ledger open, among ten open intents. registry decisions REPOSITORY N: makes N
// open intents of 50 paths each, prints the microseconds of what a start decides inside of its
// transaction: records read, holders judged, conflicts found. registry first: the same by sessions
// that read nothing before. registry holders: of who asks for the records at one path, as a hook
// does. registry declare: makes the intents and prints nothing. REPOSITORY has no intents yet.
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/digest.h"
#include "control/conflicts.h"
#include "control/intent_record.h"
#include "control/scope_paths.h"
#include "ops/change_registry.h"
#include "sys/env.h"

namespace {

constexpr int kRepeats = 31, kWarm = 20, kPaths = 50, kOthers = 10;

template <class T>
T must(gh::Result<T> result) {
  if (result) return std::move(*result);
  fmt::print(stderr, "registry: {}\n", result.error().message);
  std::exit(1);
}

gh::Scope scope(std::int64_t n, int paths) {
  gh::List files;
  for (int i = 0; i < paths; ++i)
    files.emplace_back(fmt::format("src/module{}/some_file_{}.cc", n, i));
  return must(gh::control::normalise_scope(gh::Map{{"allowed_files", std::move(files)}}));
}

gh::Intent intent(const gh::ops::ChangeSession& session, std::int64_t n, gh::Timestamp now,
                  int paths) {
  gh::Intent out;
  out.agent_pid = 1000 + n;
  out.agent_start_epoch = 1;
  out.owner = session.caller.owner;
  out.owner->session_id = fmt::format("agent-{}", n);
  if (n == 0) {
    out.agent_pid = session.caller.who.agent_pid;
    out.agent_start_epoch = session.caller.who.agent_start_epoch;
    out.owner = session.caller.owner;
  }
  out.id = fmt::format("intent-01234567-{:04d}-abcdef", n);
  out.agent_label = "agent/1.0";
  out.run_id = gh::digest_of("run").hex();
  out.report_digest = gh::digest_of("report").hex();
  out.declared_at = out.lease_renewed_at = now;
  out.ttl_seconds = 3600;
  out.expires_at = {now.seconds + out.ttl_seconds};
  out.lease_seconds = 300;
  out.description = "make the parser refuse what the printer cannot print";
  out.scope = scope(n, paths);
  out.blast_radius_summary = gh::Map{{"radius_level", "low"}};
  out.fence = n + 1;
  return out;
}

double micros(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

void declare(gh::ops::ChangeSession& session, gh::ops::Context& context, std::int64_t count,
             int paths) {
  must(gh::ops::change_registry(session, context, [&](gh::ops::Registry& registry) -> gh::Status {
    for (std::int64_t n = 0; n < count; ++n)
      registry.put(intent(session, n, registry.now(), paths));
    registry.tell({.event = "intent.declared"});
    return {};
  }));
}

void renewals(gh::ops::ChangeSession& session, gh::ops::Context& context, std::int64_t count) {
  declare(session, context, kOthers, 8);
  const std::string id = intent(session, 0, {}, 1).id;
  // Another length each time: within a second the record would stay as it is otherwise, and what
  // does not change is not written.
  const auto renew = [&](std::int64_t i) {
    if (!must(gh::ops::renew_lease(session, context, id, 60 + i % 500)).refusal.empty())
      std::exit(1);
  };
  for (int i = 0; i < kWarm; ++i)
    renew(i);
  const double spent = micros([&] {
    for (std::int64_t i = 0; i < count; ++i)
      renew(i);
  });
  fmt::print("{:.1f}\n", spent / static_cast<double>(count));
}

void decisions(gh::ops::ChangeSession& session, gh::ops::Context& context, std::int64_t count,
               bool is_first) {
  declare(session, context, count, kPaths);
  const gh::Scope wanted = scope(count, kPaths);
  std::vector<double> times;
  for (int i = 0; i < kRepeats; ++i) {
    if (is_first) session.seen.clear();
    times.push_back(micros([&] {
      must(gh::ops::change_registry_around(
          session, context, wanted, [&](gh::ops::Registry& registry) -> gh::Status {
            const auto& held = registry.workspace().held;
            if (held.size() != static_cast<std::size_t>(count) ||
                gh::control::find_conflicts(wanted, held, session.policy().conflict_matching).any())
              std::exit(1);
            return {};
          }));
    }));
  }
  std::ranges::sort(times);
  fmt::print("{:.1f}\n", times[times.size() / 2]);
}

void holders(gh::ops::ChangeSession& session, gh::ops::Context& context, std::int64_t count) {
  declare(session, context, count, kPaths);
  const gh::ops::PathLook look{.paths = {scope(count / 2, 1).allowed_files.front()}};
  std::vector<double> times;
  for (int i = 0; i < kRepeats; ++i) {
    session.seen.clear();
    times.push_back(micros([&] {
      if (must(gh::ops::read_workspace_at(session, context, look)).held.empty()) std::exit(1);
    }));
  }
  std::ranges::sort(times);
  fmt::print("{:.1f}\n", times[times.size() / 2]);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string_view what = argv[1];
  gh::ops::Context context{.env = gh::sys::real_env(),
                           .cwd = argv[2],
                           .read_input = {},
                           .stream = {},
                           .progress = {},
                           .notice = {},
                           .interrupted = {}};
  const gh::ops::Request request =
      must(gh::ops::Request::make(*gh::ops::find_operation("change renew"),
                                  {.options = {{"session", {"bench"}}}, .operands = {}}));
  auto session = must(gh::ops::open_change_session(request, context));
  const std::int64_t count = std::strtoll(argv[3], nullptr, 10);
  if (what == "renewals") renewals(session, context, count);
  if (what == "decisions") decisions(session, context, count, false);
  if (what == "first") decisions(session, context, count, true);
  if (what == "holders") holders(session, context, count);
  if (what == "declare") declare(session, context, count, kPaths);
  return 0;
}
