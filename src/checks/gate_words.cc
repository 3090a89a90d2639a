#include "checks/gate_words.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "surface/words.h"

namespace gh::checks {
namespace {

using shell::Word;
using surface::is_one_of;
using surface::trimmed;
using Words = std::vector<Word>;

struct Wrapper {
  std::string_view names, value_options;
};
// table: programs that run the program behind them, and options of theirs that take a value
constexpr auto kWrappers = std::to_array<Wrapper>({
    {"sudo", "-u -g -U -h -p -C --user --group"},
    {"env", "-u -C --unset --chdir"},
    {"timeout", "-s -k --signal --kill-after"},
    {"nice ionice", "-n -c"},
    {"npx uvx uv pipx bunx pnpm dlx", "-p --package --from --with --python --spec --directory"},
    {"time command exec poetry pdm hatch rye python python3 stdbuf xvfb-run nohup run tool builtin "
     "setsid script winpty mise x --",
     ""},
});
// table: programs that run what stands behind the name of an image
constexpr std::string_view kContainers = "docker podman nerdctl",
                           kFlagsOfContainers =
                               "--rm -i -t -it -ti -d --init --privileged "
                               "--interactive --tty --detach --read-only -P";
// table: commands of ours whose answer gates
constexpr std::string_view kGates = "check ci scan verify", kGroups = "release change patch";

// clang-format off
// table: programs that read files of the repository to know what to run
constexpr auto kRunners = std::to_array<Runner>({
    {"sh bash dash zsh ksh ash", RunnerKind::shell, ""},
    {"make gmake mingw32-make", RunnerKind::make, "GNUmakefile makefile Makefile"},
    {"just", RunnerKind::just, "justfile Justfile .justfile"},
    {"task go-task", RunnerKind::task, "Taskfile.yml Taskfile.yaml taskfile.yml taskfile.yaml Taskfile.dist.yml"},
    {"npm yarn pnpm bun npm-run-all run-s run-p", RunnerKind::package, "package.json"},
    {"python python2 python3 py node deno ruby perl php go ts-node tsx lua pwsh powershell swift groovy Rscript", RunnerKind::program, ""},
    {"tox", RunnerKind::settings, "tox.ini tox.toml pyproject.toml setup.cfg"},
    {"nox", RunnerKind::settings, "noxfile.py"},
    {"invoke inv", RunnerKind::settings, "tasks.py"},
    {"rake", RunnerKind::settings, "Rakefile rakefile"},
    {"hatch pdm poetry poe uv rye", RunnerKind::settings, "pyproject.toml hatch.toml"},
    {"pre-commit", RunnerKind::settings, ".pre-commit-config.yaml"},
    {"lefthook", RunnerKind::settings, "lefthook.yml .lefthook.yml"},
    {"mise", RunnerKind::settings, "mise.toml .mise.toml"},
    {"gradle gradlew", RunnerKind::settings, "build.gradle build.gradle.kts"},
    {"mvn mvnw", RunnerKind::settings, "pom.xml"},
    {"ant", RunnerKind::settings, "build.xml"},
    {"composer", RunnerKind::settings, "composer.json"},
    {"cargo", RunnerKind::settings, "Makefile.toml .cargo/config.toml"},
    {"cmake ctest", RunnerKind::settings, "CMakeLists.txt CMakePresets.json"},
    {"earthly", RunnerKind::settings, "Earthfile"},
    {"dagger", RunnerKind::settings, "dagger.json"},
    {"docker docker-compose podman podman-compose", RunnerKind::settings, "compose.yaml compose.yml docker-compose.yml docker-compose.yaml Dockerfile"},
    {"act", RunnerKind::settings, ".actrc"},
});
// clang-format on

const Wrapper* wrapper_named(std::string_view name) {
  const auto row =
      std::ranges::find_if(kWrappers, [&](const Wrapper& w) { return is_one_of(name, w.names); });
  return row == kWrappers.end() ? nullptr : &*row;
}

bool is_number(std::string_view text) { return !text.empty() && text[0] >= '0' && text[0] <= '9'; }

/// Behind "docker run", its options and one name of an image.
void container_places(const Words& words, std::size_t at, std::vector<std::size_t>& out) {
  bool is_run = false, has_image = false;
  for (; at < words.size(); ++at) {
    const std::string_view text = words[at].text;
    if (!is_run) {
      is_run = is_one_of(text, "run exec");
      continue;
    }
    if (text.starts_with('-') && !has_image) {
      const bool takes_value = !contains(text, "=") && !is_one_of(text, kFlagsOfContainers);
      if (takes_value) ++at;
      continue;
    }
    // The image, or a service of ours; an image of our name is the program itself.
    out.push_back(at);
    if (std::exchange(has_image, true)) return;
  }
}

}  // namespace

std::string program_name(std::string_view path) {
  path = path.substr(path.rfind('/') + 1);
  std::string name = surface::lower_case(path.substr(path.rfind('\\') + 1));
  std::ranges::replace(name, '_', '-');
  return name;
}

bool is_our_name(std::string_view program) {
  if (const std::size_t tag = program.find_first_of(":@"); tag != program.npos)
    program = program.substr(0, tag);
  if (program.ends_with(".exe")) program.remove_suffix(4);
  return program == "gatehouse" || program == "gatehouse-main" ||
         program.starts_with("agents-shipgate");
}

std::vector<std::size_t> program_places(const Words& words) {
  std::vector<std::size_t> out;
  const Wrapper* wrapper = nullptr;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string_view text = words[at].text;
    const std::string name = program_name(text);
    if (wrapper != nullptr && text.starts_with('-') && text != "--") {
      if (is_one_of(text, wrapper->value_options)) ++at;
      continue;
    }
    if (contains(text, "=") && words[at].text.find('/') > text.find('=') && wrapper != nullptr)
      continue;
    if (wrapper != nullptr && is_number(text)) continue;
    out.push_back(at);
    if (is_one_of(name, kContainers)) {
      container_places(words, at + 1, out);
      return out;
    }
    const Wrapper* next = wrapper_named(name);
    if (next == nullptr) return out;
    wrapper = next;
  }
  return out;
}

bool is_gate_at(const Words& words, std::size_t place) {
  if (place >= words.size() || !is_our_name(program_name(words[place].text))) return false;
  bool in_group = program_name(words[place].text).starts_with("agents-shipgate");
  bool found = false, takes_value = false;
  for (std::size_t at = place + 1; at < words.size(); ++at) {
    const std::string& text = words[at].text;
    if (is_one_of(text, "--help -h --version --preview --list-rules")) return false;
    if (std::exchange(takes_value, text == "-C" || text == "--exit-codes")) continue;
    if (found || text.starts_with('-')) continue;
    if (!in_group && is_one_of(text, kGroups)) {
      in_group = true;
      continue;
    }
    if (!is_one_of(text, in_group ? "scan verify diff check" : kGates)) return false;
    found = true;
  }
  return found;
}

bool is_gate_call(const shell::Command& command) {
  const auto places = program_places(command.words);
  return std::ranges::any_of(places, [&](std::size_t at) { return is_gate_at(command.words, at); });
}

bool names_gate(std::string_view text) {
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view body = trimmed(line);
    if (body.starts_with('#') || body.starts_with("//") || body.starts_with("<!--")) continue;
    const std::string folded = surface::lower_case(body);
    if (contains(folded, "gatehouse") || contains(folded, "agents-shipgate")) return true;
  }
  return false;
}

bool names_call(std::string_view text) {
  constexpr int kNear = 4;  // words that may stand between, options and groups
  int left = 0;
  for (const std::string_view line : split(text, '\n')) {
    const std::string_view body = trimmed(line);
    if (body.starts_with('#') || body.starts_with("//")) continue;
    std::string word;
    const auto look = [&] {
      if (word.empty()) return false;
      if (is_our_name(program_name(word))) left = kNear + 1;
      const bool found = --left > -1 && is_one_of(word, kGates);
      word.clear();
      return found;
    };
    for (const char c : body) {
      const bool is_part = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                           (c >= '0' && c <= '9') || c == '.' || c == '/' || c == '_' || c == '-';
      if (is_part)
        word += c;
      else if (look())
        return true;
    }
    if (look()) return true;
  }
  return false;
}

const Runner* runner_named(std::string_view program) {
  const auto row =
      std::ranges::find_if(kRunners, [&](const Runner& r) { return is_one_of(program, r.names); });
  return row == kRunners.end() ? nullptr : &*row;
}

}  // namespace gh::checks
