#include "sys/isolate.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <linux/mount.h>
#include <net/if.h>
#include <sched.h>
#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "sys/files.h"

// POSIX says who has it, and not every header does.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables,readability-redundant-declaration)
extern char** environ;

namespace gh::sys {
namespace {

constexpr int kReportFd = 3;  // inherited by the inner start, closed by the command's exec
constexpr int kCannotStart = 127;

struct Plan {
  std::string report;
  std::vector<std::string> writable, read_only, argv;
  pid_t parent = 0;
  bool inner = false, keeps_network = false;
};

Plan read_plan(const std::vector<std::string>& args) {
  Plan plan;
  std::size_t i = 0;
  for (; i + 1 < args.size() && args[i] != "--"; i += 2) {
    const std::string& value = args[i + 1];
    if (args[i] == "--report") plan.report = value;
    if (args[i] == "--writable") plan.writable.push_back(value);
    if (args[i] == "--read-only") plan.read_only.push_back(value);
    if (args[i] == "--parent")
      plan.parent = static_cast<pid_t>(std::strtol(value.c_str(), nullptr, 10));
    if (args[i] == "--inner") plan.inner = value == "yes";
    if (args[i] == "--keep-network") plan.keeps_network = value == "yes";
  }
  for (++i; i < args.size(); ++i)
    plan.argv.push_back(args[i]);
  return plan;
}

void report(std::string_view word) {
  const std::string line = std::string(word) + "\n";
  if (write(kReportFd, line.data(), line.size()) < 0) return;  // the reader then knows of less
}

bool write_proc(const char* path, const std::string& text) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  const bool fine = write(fd, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(fd);
  return fine;
}

/// Enters the namespaces, through a user namespace when we are not allowed to directly.
bool enter_namespaces(bool keeps_network) {
  const int spaces = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | (keeps_network ? 0 : CLONE_NEWNET);
  const uid_t uid = geteuid();
  const gid_t gid = getegid();
  if (unshare(spaces) == 0) return true;
  if (unshare(spaces | CLONE_NEWUSER) != 0) return false;
  return write_proc("/proc/self/setgroups", "deny") &&
         write_proc("/proc/self/uid_map", fmt::format("{} {} 1", uid, uid)) &&
         write_proc("/proc/self/gid_map", fmt::format("{} {} 1", gid, gid));
}

/// Programs that talk to themselves over loopback keep working; nothing else is in the namespace.
void raise_loopback() {
  const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return;
  ifreq request{};
  std::memcpy(request.ifr_name, "lo", 3);
  if (ioctl(fd, SIOCGIFFLAGS, &request) == 0) {
    request.ifr_flags = static_cast<short>(request.ifr_flags | IFF_UP);
    ioctl(fd, SIOCSIFFLAGS, &request);
  }
  close(fd);
}

bool set_read_only(const std::string& folder, bool on) {
  mount_attr attributes{};
  (on ? attributes.attr_set : attributes.attr_clr) = MOUNT_ATTR_RDONLY;
  return syscall(SYS_mount_setattr, AT_FDCWD, folder.c_str(), AT_RECURSIVE, &attributes,
                 sizeof attributes) == 0;
}

bool bind_to_itself(const std::string& folder) {
  return mount(folder.c_str(), folder.c_str(), nullptr, MS_BIND | MS_REC, nullptr) == 0;
}

/// A folder inside another is mounted after it, or it would be hidden below.
bool restrict_files(const Plan& plan) {
  struct Folder {
    std::string path;
    bool read_only;
  };
  std::vector<Folder> folders;
  for (const std::string& path : plan.writable)
    folders.push_back({path, false});
  for (const std::string& path : plan.read_only)
    folders.push_back({path, true});
  std::ranges::stable_sort(folders, {}, [](const Folder& f) { return f.path.size(); });
  if (mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return false;
  const auto here = real_path(".");
  if (!here) return false;
  for (const Folder& folder : folders)
    if (!bind_to_itself(folder.path)) return false;
  if (!set_read_only("/", true)) return false;
  for (const Folder& folder : folders)
    if (!set_read_only(folder.path, folder.read_only)) return false;
  return chdir(here->c_str()) == 0;  // until now we stand in what lies below the new mount
}

/// Dies with the parent; false when the parent is already gone.
bool tie_to_parent(pid_t parent) {
  return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && (parent == 0 || getppid() == parent);
}

int exec_command(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words)
    argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  fcntl(kReportFd, F_SETFD, FD_CLOEXEC);
  execvpe(argv[0], argv.data(), environ);
  report("not_started");
  return kCannotStart;
}

/// What root may still do inside: own and change the files it can reach. No mounting, no devices,
/// no opening of files by handle, nothing that reaches the kernel.
constexpr std::array kKeptCapabilities{CAP_CHOWN, CAP_DAC_OVERRIDE, CAP_FOWNER, CAP_FSETID,
                                       CAP_KILL,  CAP_SETGID,       CAP_SETUID};

bool drop_capabilities() {
  std::array<__user_cap_data_struct, 2> data{};
  for (const int kept : kKeptCapabilities)
    data[0].permitted |= 1U << static_cast<unsigned>(kept);
  for (int capability = 0; capability <= CAP_LAST_CAP; ++capability)
    if (std::ranges::find(kKeptCapabilities, capability) == kKeptCapabilities.end() &&
        prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EINVAL && errno != EPERM)
      return false;
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> held{};
  if (syscall(SYS_capget, &header, held.data()) != 0) return false;
  data[0].permitted &= held[0].permitted;
  data[0].effective = data[0].permitted;
  return syscall(SYS_capset, &header, data.data()) == 0 &&
         prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

/// The harmless devices and nothing else: a disk could be written through its node, whatever is
/// mounted read-only.
bool make_plain_devices() {
  static constexpr std::array kDevices{"null", "zero", "full", "random", "urandom", "tty"};
  std::vector<std::pair<std::string, int>> sources;
  for (const char* name : kDevices)
    if (const int fd = open((std::string("/dev/") + name).c_str(), O_PATH | O_CLOEXEC); fd >= 0)
      sources.emplace_back(name, fd);
  if (mount("tmpfs", "/dev", "tmpfs", MS_NOSUID | MS_NOEXEC, "mode=755,size=64k") != 0)
    return false;
  bool fine = true;
  for (const auto& [name, fd] : sources) {
    const std::string path = "/dev/" + name, from = "/proc/self/fd/" + std::to_string(fd);
    const int made = open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
    fine = fine && made >= 0 && mount(from.c_str(), path.c_str(), nullptr, MS_BIND, nullptr) == 0;
    close(made);
    close(fd);
  }
  return fine && symlink("/proc/self/fd", "/dev/fd") == 0 &&
         symlink("/proc/self/fd/0", "/dev/stdin") == 0 &&
         symlink("/proc/self/fd/1", "/dev/stdout") == 0 &&
         symlink("/proc/self/fd/2", "/dev/stderr") == 0 && mkdir("/dev/shm", 01777) == 0 &&
         mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777,size=64m") == 0;
}

/// Sockets of services and agents lie below /run; a read-only mount does not keep anybody from
/// talking to them.
bool hide_services(const Plan& plan) {
  for (const std::vector<std::string>* folders : {&plan.writable, &plan.read_only})
    for (const std::string& folder : *folders)
      if (folder.starts_with("/run/")) return true;  // the tree itself lives there
  return mount("tmpfs", "/run", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_RDONLY,
               "mode=755,size=4k") == 0;
}

/// First process of the new process namespace: when it ends, everything it started ends.
int inner_main(const Plan& plan) {
  if (!tie_to_parent(0)) return kCannotStart;
  if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0)
    report("processes");
  if (!drop_capabilities()) {
    report("not_started");
    return kCannotStart;
  }
  return exec_command(plan.argv);
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return kCannotStart;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int start_inner(const Plan& plan) {
  std::vector<std::string> words{"gatehouse", std::string(kIsolatedWord), "--inner", "yes", "--"};
  words.insert(words.end(), plan.argv.begin(), plan.argv.end());
  std::vector<char*> argv;
  for (std::string& word : words)
    argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, argv.data(), environ) != 0) {
    report("not_started");
    return kCannotStart;
  }
  return wait_for(child);
}

}  // namespace

Command isolated(Command command, const IsolationRequest& request) {
  std::vector<std::string> argv{request.self, std::string(kIsolatedWord),
                                "--report",   request.report,
                                "--parent",   std::to_string(getpid())};
  for (const std::string& folder : request.writable)
    argv.insert(argv.end(), {"--writable", folder});
  for (const std::string& folder : request.read_only)
    argv.insert(argv.end(), {"--read-only", folder});
  if (request.keeps_network) argv.insert(argv.end(), {"--keep-network", "yes"});
  argv.emplace_back("--");
  argv.insert(argv.end(), command.argv.begin(), command.argv.end());
  command.argv = std::move(argv);
  return command;
}

IsolationReport read_isolation_report(const std::string& path) {
  IsolationReport out;
  const auto text = read_file(path, 4096);
  if (!text) return out;
  out.started = true;
  for (const std::string_view word : split(*text, '\n')) {
    if (word == "not_started") out.started = false;
    if (word == "network" || word == "filesystem" || word == "processes")
      out.in_force.emplace_back(word);
  }
  return out;
}

int isolated_main(const std::vector<std::string>& args) {
  const Plan plan = read_plan(args);
  if (plan.argv.empty()) return kCannotStart;
  if (plan.inner) return inner_main(plan);
  if (!tie_to_parent(plan.parent)) return kCannotStart;
  const int fd = open(plan.report.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0 || dup2(fd, kReportFd) < 0 || fcntl(kReportFd, F_SETFD, 0) != 0) return kCannotStart;
  if (!enter_namespaces(plan.keeps_network)) return exec_command(plan.argv);
  if (!plan.keeps_network) {
    raise_loopback();
    report("network");
  }
  if (restrict_files(plan) && make_plain_devices() && hide_services(plan)) report("filesystem");
  return start_inner(plan);
}

}  // namespace gh::sys
