#include "sys/process_identity.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <limits>

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/text.h"
#include "sys/files.h"

namespace gh::sys {
namespace {

constexpr std::size_t kMaxStat = 8192;
constexpr std::size_t kMaxKernelStat = 1u << 20;  // a line for each processor and interrupt
constexpr std::size_t kMaxIdFile = 256;
constexpr std::size_t kHostIdDigits = 32;
constexpr std::size_t kMaxGivenHostId = 64;
// Words behind the name, the state being the first: fields 4 and 22 of proc(5).
constexpr std::size_t kParentWord = 1, kStartWord = 19;

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [at, bad] = std::from_chars(text.data(), end, value);
  if (bad != std::errc{} || at != end || value < 0) return std::nullopt;
  return value;
}

/// The first word of a small file; empty when there is none.
std::string first_word_of(const std::string& path) {
  const auto text = read_file(path, kMaxIdFile);
  return text ? text->substr(0, text->find_first_of(" \n")) : std::string();
}

std::string stat_file(std::int64_t pid) { return fmt::format("/proc/{}/stat", pid); }

std::optional<ProcessStat> stat_of(std::int64_t pid) {
  const auto text = read_file(stat_file(pid), kMaxStat);
  return text ? parse_process_stat(*text) : std::nullopt;
}

/// Seconds since the epoch at which the machine started; 0 when the kernel does not tell.
std::int64_t boot_time() {
  const auto text = read_file("/proc/stat", kMaxKernelStat);
  if (!text) return 0;
  for (std::string_view line : split(*text, '\n'))
    if (line.starts_with("btime ")) return number_in(line.substr(6)).value_or(0);
  return 0;
}

std::int64_t epoch_of(std::int64_t start_ticks) {
  const std::int64_t per_second = sysconf(_SC_CLK_TCK);
  const std::int64_t booted = boot_time();
  return start_ticks == 0 || booted == 0 || per_second <= 0 ? 0 : booted + start_ticks / per_second;
}

bool is_given_host_id(std::string_view id) {
  return !id.empty() && id.size() <= kMaxGivenHostId &&
         id.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
             std::string_view::npos;
}

std::string host_digest(std::string_view kind, std::string_view words) {
  const std::string text = fmt::format("gatehouse host 1\n{}\n{}", kind, words);
  return digest_of(text).hex().substr(0, kHostIdDigits);
}

bool has_ended(char state) { return state == 'Z' || state == 'X' || state == 'x'; }

bool can_be_a_process(std::int64_t pid) {
  return pid > 0 && pid <= std::numeric_limits<pid_t>::max();
}

}  // namespace

std::optional<ProcessStat> parse_process_stat(std::string_view bytes) {
  if (bytes.ends_with('\n')) bytes.remove_suffix(1);
  const std::size_t name_end = bytes.rfind(") ");
  if (name_end == std::string_view::npos) return std::nullopt;
  const auto words = split(bytes.substr(name_end + 2), ' ');
  if (words.size() <= kStartWord || words[0].size() != 1) return std::nullopt;
  const auto parent = number_in(words[kParentWord]);
  const auto start = number_in(words[kStartWord]);
  if (!parent || !start) return std::nullopt;
  return ProcessStat{.state = words[0][0], .parent = *parent, .start_ticks = *start};
}

std::string boot_id() { return first_word_of("/proc/sys/kernel/random/boot_id"); }

/// Machines that were copied from one image can share their id; the space of process ids is what
/// makes a process id comparable, and containers of one machine have their own.
std::string host_id(Env& env) {
  const std::string given = env.variable("GATEHOUSE_HOST_ID");
  if (is_given_host_id(given)) return given;
  if (!given.empty()) return host_digest("given", given);
  const std::string space = read_link("/proc/self/ns/pid").value_or("");
  for (const char* file : {"/etc/machine-id", "/var/lib/dbus/machine-id"})
    if (const std::string id = first_word_of(file); !id.empty())
      return host_digest("machine", id + '\n' + space);
  return host_digest("name", env.host_name() + '\n' + space);
}

ProcessIdentity identity_of(std::int64_t pid, Env& env) {
  ProcessIdentity out{.pid = pid, .boot_id = boot_id(), .host_id = host_id(env)};
  if (const auto seen = can_be_a_process(pid) ? stat_of(pid) : std::nullopt)
    out.start_ticks = seen->start_ticks;
  out.start_epoch = epoch_of(out.start_ticks);
  return out;
}

ProcessIdentity self(Env& env) { return identity_of(env.process_id(), env); }

ProbedProcess probe(std::int64_t pid) {
  if (!can_be_a_process(pid)) return {};
  const bool reachable = ::kill(static_cast<pid_t>(pid), 0) == 0;
  if (!reachable && errno == ESRCH) return {};
  if (!reachable && errno != EPERM) return {.error = true};
  const auto text = read_file(stat_file(pid), kMaxStat);
  if (!text) {
    // Hidden from us, or ended between the two looks.
    if (::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH) return {};
    return {.exists = true, .permission_denied = !reachable, .error = reachable};
  }
  const auto seen = parse_process_stat(*text);
  if (!seen) return {.exists = true, .error = true};
  if (has_ended(seen->state)) return {};
  return {.exists = true, .start_ticks = seen->start_ticks};
}

std::vector<Ancestor> ancestors(std::int64_t pid, std::size_t limit) {
  std::vector<Ancestor> out;
  auto child = can_be_a_process(pid) ? stat_of(pid) : std::nullopt;
  while (child && out.size() < limit && can_be_a_process(child->parent)) {
    const auto parent = stat_of(child->parent);
    // Nobody is younger than its child: the number was given to another process meanwhile.
    if (!parent || parent->start_ticks > child->start_ticks) break;
    out.push_back({child->parent, parent->start_ticks});
    child = parent;
  }
  return out;
}

Ancestor session_leader() {
  pid_t leader = ::getsid(0);
  if (leader == ::getpid()) leader = ::getsid(::getppid());
  if (leader <= 0) leader = 1;  // outside of the namespace of a sandbox, which is one session then
  return {leader, probe(leader).start_ticks};
}

}  // namespace gh::sys
