#include "git/surroundings.h"

#include <array>

namespace gh::git {
namespace {

// table: git settings
constexpr std::array<std::string_view, 22> kSettings{
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.autocrlf=false",
    "core.eol=lf",
    "core.safecrlf=false",
    "core.whitespace=",
    "apply.whitespace=nowarn",
    "apply.ignoreWhitespace=no",
    "core.protectHFS=true",
    "core.protectNTFS=true",
    "core.symlinks=true",
    "core.filemode=true",
    "core.ignorecase=false",
    "core.precomposeunicode=false",
    "core.quotepath=true",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.sparseCheckout=false",
    "core.splitIndex=false",
    "gc.auto=0",
    "maintenance.auto=false",
};

struct Variable {
  std::string_view name;
  std::string Surroundings::*field;  // null: `fixed` is the value
  std::string_view fixed;
};

// table: git environment
constexpr std::array<Variable, 22> kEnvironment{{
    {"PATH", &Surroundings::path, {}},
    {"HOME", &Surroundings::home, {}},
    {"XDG_CONFIG_HOME", &Surroundings::home, {}},
    {"LC_ALL", nullptr, "C"},
    {"TZ", nullptr, "UTC"},
    {"GIT_CONFIG_NOSYSTEM", nullptr, "1"},
    {"GIT_CONFIG_SYSTEM", nullptr, "/dev/null"},
    {"GIT_CONFIG_GLOBAL", nullptr, "/dev/null"},
    {"GIT_ATTR_NOSYSTEM", nullptr, "1"},
    {"GIT_NO_REPLACE_OBJECTS", nullptr, "1"},
    {"GIT_GRAFT_FILE", nullptr, "/dev/null/none"},  // info/grafts would give commits other parents
    {"GIT_OPTIONAL_LOCKS", nullptr, "0"},
    {"GIT_DIR", &Surroundings::git_dir, {}},
    {"GIT_WORK_TREE", &Surroundings::work_tree, {}},
    {"GIT_INDEX_FILE", &Surroundings::index_file, {}},
    {"GIT_OBJECT_DIRECTORY", &Surroundings::object_folder, {}},
    {"GIT_ALTERNATE_OBJECT_DIRECTORIES", &Surroundings::alternate_folders, {}},
    {"GIT_CEILING_DIRECTORIES", &Surroundings::ceiling, {}},
    {"GIT_TERMINAL_PROMPT", nullptr, "0"},
    {"GIT_ASKPASS", nullptr, "/bin/false"},
    {"GIT_ALLOW_PROTOCOL", nullptr, ""},
    {"GIT_NO_LAZY_FETCH", nullptr, "1"},
}};

}  // namespace

std::vector<std::string> environment_of(const Surroundings& where) {
  std::vector<std::string> out;
  for (const Variable& row : kEnvironment) {
    const std::string_view value = row.field ? std::string_view(where.*row.field) : row.fixed;
    if (row.field && value.empty()) continue;
    out.push_back(std::string(row.name) + '=' + std::string(value));
  }
  out.insert(out.end(), where.more.begin(), where.more.end());
  return out;
}

std::vector<std::string> arguments_of(const std::vector<std::string>& words) {
  std::vector<std::string> out{"git"};
  for (const std::string_view setting : kSettings) {
    out.emplace_back("-c");
    out.emplace_back(setting);
  }
  out.insert(out.end(), words.begin(), words.end());
  return out;
}

std::string alternate_item(std::string_view folder) {
  if (folder.find_first_of(":\"\\\n") == std::string_view::npos) return std::string(folder);
  std::string quoted = "\"";
  for (const char c : folder) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + '"';
}

}  // namespace gh::git
