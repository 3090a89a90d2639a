#include "shell/commands.h"

#include <algorithm>
#include <array>

#include "base/text.h"

namespace gh::shell {
namespace {

using enum Effect;

// clang-format off
// table: shell_commands
constexpr std::array kCommands{
    // what only looks
    CommandRow{":",         reads, "", "", ""},
    CommandRow{"[",         reads, "", "", ""},
    CommandRow{"[[",        reads, "", "", ""},
    CommandRow{"arch",      reads, "", "", ""},
    CommandRow{"b2sum",     reads, "", "", ""},
    CommandRow{"base64",    reads, "w", "", ""},
    CommandRow{"basename",  reads, "s", "", ""},
    CommandRow{"break",     reads, "", "", ""},
    CommandRow{"cat",       reads, "", "", ""},
    CommandRow{"cksum",     reads, "", "", ""},
    CommandRow{"cmp",       reads, "", "", ""},
    CommandRow{"column",    reads, "", "", ""},
    CommandRow{"comm",      reads, "", "", ""},
    CommandRow{"continue",  reads, "", "", ""},
    CommandRow{"cut",       reads, "", "", ""},
    CommandRow{"date",      reads, "", "", ""},
    CommandRow{"df",        reads, "", "", ""},
    CommandRow{"diff",      reads, "", "", ""},
    CommandRow{"dirname",   reads, "", "", ""},
    CommandRow{"du",        reads, "", "", ""},
    CommandRow{"echo",      reads, "", "", ""},
    CommandRow{"egrep",     reads, "", "", ""},
    CommandRow{"exit",      reads, "", "", ""},
    CommandRow{"expr",      reads, "", "", ""},
    CommandRow{"false",     reads, "", "", ""},
    CommandRow{"fgrep",     reads, "", "", ""},
    CommandRow{"fold",      reads, "", "", ""},
    CommandRow{"free",      reads, "", "", ""},
    CommandRow{"getconf",   reads, "", "", ""},
    CommandRow{"grep",      reads, "", "", ""},
    CommandRow{"groups",    reads, "", "", ""},
    CommandRow{"head",      reads, "", "", ""},
    CommandRow{"hexdump",   reads, "", "", ""},
    CommandRow{"id",        reads, "", "", ""},
    CommandRow{"join",      reads, "", "", ""},
    CommandRow{"jq",        reads, "", "", ""},
    CommandRow{"kill",      reads, "", "", ""},
    CommandRow{"ls",        reads, "", "", ""},
    CommandRow{"lsof",      reads, "", "", ""},
    CommandRow{"md5sum",    reads, "", "", ""},
    CommandRow{"nl",        reads, "", "", ""},
    CommandRow{"nproc",     reads, "", "", ""},
    CommandRow{"numfmt",    reads, "", "", ""},
    CommandRow{"od",        reads, "", "", ""},
    CommandRow{"paste",     reads, "", "", ""},
    CommandRow{"pgrep",     reads, "", "", ""},
    CommandRow{"pkill",     reads, "", "", ""},
    CommandRow{"printenv",  reads, "", "", ""},
    CommandRow{"printf",    reads, "", "", ""},
    CommandRow{"ps",        reads, "", "", ""},
    CommandRow{"pwd",       reads, "", "", ""},
    CommandRow{"read",      reads, "", "", ""},
    CommandRow{"readlink",  reads, "", "", ""},
    CommandRow{"realpath",  reads, "", "", ""},
    CommandRow{"return",    reads, "", "", ""},
    CommandRow{"rev",       reads, "", "", ""},
    CommandRow{"seq",       reads, "", "", ""},
    CommandRow{"sha1sum",   reads, "", "", ""},
    CommandRow{"sha256sum", reads, "", "", ""},
    CommandRow{"sha512sum", reads, "", "", ""},
    CommandRow{"shift",     reads, "", "", ""},
    CommandRow{"sleep",     reads, "", "", ""},
    CommandRow{"stat",      reads, "", "", ""},
    CommandRow{"strings",   reads, "", "", ""},
    CommandRow{"tac",       reads, "", "", ""},
    CommandRow{"tail",      reads, "", "", ""},
    CommandRow{"test",      reads, "", "", ""},
    CommandRow{"tr",        reads, "", "", ""},
    CommandRow{"true",      reads, "", "", ""},
    CommandRow{"tsort",     reads, "", "", ""},
    CommandRow{"tty",       reads, "", "", ""},
    CommandRow{"type",      reads, "", "", ""},
    CommandRow{"ulimit",    reads, "", "", ""},
    CommandRow{"uname",     reads, "", "", ""},
    CommandRow{"uptime",    reads, "", "", ""},
    CommandRow{"wait",      reads, "", "", ""},
    CommandRow{"wc",        reads, "", "", ""},
    CommandRow{"whereis",   reads, "", "", ""},
    CommandRow{"which",     reads, "", "", ""},
    CommandRow{"who",       reads, "", "", ""},
    CommandRow{"whoami",    reads, "", "", ""},
    CommandRow{"yes",       reads, "", "", ""},
    CommandRow{"zcat",      reads, "", "", ""},
    // what looks, unless an option or an operand names a file to write
    CommandRow{"sort",      reads, "kotST", "key,output,field-separator,temporary-directory,buffer-size", "o,output"},
    CommandRow{"tree",      reads, "LPIoH", "", "o"},
    CommandRow{"uniq",      second, "fsw", "skip-fields,skip-chars,check-chars", ""},
    CommandRow{"xxd",       second, "cglos", "", ""},
    // what writes its operands
    CommandRow{"chgrp",     after_first, "", "reference", ""},
    CommandRow{"chmod",     after_first, "", "reference", ""},
    CommandRow{"chown",     after_first, "", "reference,from", ""},
    CommandRow{"cp",        writes_last, "tS", "target-directory,suffix", "t,target-directory"},
    CommandRow{"install",   writes_last, "tSmog", "target-directory,suffix,mode,owner,group", "t,target-directory"},
    CommandRow{"link",      writes_last, "", "", ""},
    CommandRow{"ln",        writes_last, "tS", "target-directory,suffix", "t,target-directory"},
    CommandRow{"mkdir",     folders, "m", "mode", ""},
    CommandRow{"mkfifo",    writes_all, "m", "mode", ""},
    CommandRow{"mv",        moves, "tS", "target-directory,suffix", "t,target-directory"},
    CommandRow{"rm",        writes_all, "", "", ""},
    CommandRow{"rmdir",     writes_all, "", "", ""},
    CommandRow{"shred",     writes_all, "ns", "iterations,size,random-source", ""},
    CommandRow{"tee",       writes_all, "", "", ""},
    CommandRow{"touch",     writes_all, "drt", "date,reference,time", ""},
    CommandRow{"truncate",  writes_all, "sr", "size,reference", ""},
    CommandRow{"unlink",    writes_all, "", "", ""},
};

// table: shell_wrappers
constexpr std::array kWrappers{
    WrapperRow{"builtin", "", "", 0},
    WrapperRow{"command", "", "", 0},
    WrapperRow{"doas",    "uC", "", 0},
    WrapperRow{"env",     "uCS", "unset,chdir,split-string", 0},
    WrapperRow{"exec",    "a", "", 0},
    WrapperRow{"ionice",  "cnp", "class,classdata,pid", 0},
    WrapperRow{"jobs",    "", "", 0},
    WrapperRow{"nice",    "n", "adjustment", 0},
    WrapperRow{"nohup",   "", "", 0},
    WrapperRow{"setsid",  "", "", 0},
    WrapperRow{"stdbuf",  "ioe", "input,output,error", 0},
    WrapperRow{"sudo",    "ugpCcDhRrTt", "user,group,prompt,chdir,host,role,type", 0},
    WrapperRow{"timeout", "ks", "kill-after,signal", 1},
    WrapperRow{"xargs",   "aEdIiLlnPs", "arg-file,delimiter,replace,max-lines,max-args,max-procs,max-chars", 0},
};

using enum GitEffect;
// table: shell_git_commands
constexpr std::array kGitCommands{
    GitRow{"add",          keeps, "", false},
    GitRow{"am",           patches, "", true},
    GitRow{"apply",        patches, "", false},
    GitRow{"blame",        keeps, "", false},
    GitRow{"branch",       keeps, "u", false},
    GitRow{"cat-file",     keeps, "", false},
    GitRow{"check-attr",   keeps, "", false},
    GitRow{"check-ignore", keeps, "", false},
    GitRow{"checkout",     paths, "bB", false},
    GitRow{"cherry-pick",  unknown, "", true},
    GitRow{"citool",       unknown, "", true},
    GitRow{"clean",        paths, "e", false},
    GitRow{"commit",       keeps, "mFCct", true},
    GitRow{"count-objects", keeps, "", false},
    GitRow{"cvsexportcommit", unknown, "", true},
    GitRow{"describe",     keeps, "", false},
    GitRow{"diff",         keeps, "", false},
    GitRow{"diff-files",   keeps, "", false},
    GitRow{"diff-index",   keeps, "", false},
    GitRow{"diff-tree",    keeps, "", false},
    GitRow{"fast-import",  refs, "", false},
    GitRow{"fetch",        keeps, "", false},
    GitRow{"filter-branch", refs, "", false},
    GitRow{"filter-repo",  refs, "", false},
    GitRow{"for-each-ref", keeps, "", false},
    GitRow{"fsck",         keeps, "", false},
    GitRow{"gui",          unknown, "", true},
    GitRow{"help",         unknown, "", false},
    GitRow{"http-push",    refs, "", false},
    GitRow{"lfs",          unknown, "", true, "push"},
    GitRow{"log",          keeps, "", false},
    GitRow{"ls-files",     keeps, "", false},
    GitRow{"ls-remote",    keeps, "", false},
    GitRow{"ls-tree",      keeps, "", false},
    GitRow{"merge",        unknown, "", true},
    GitRow{"merge-base",   keeps, "", false},
    GitRow{"mv",           paths, "", false},
    GitRow{"name-rev",     keeps, "", false},
    GitRow{"p4",           unknown, "", true, "submit"},
    GitRow{"pull",         unknown, "", true},
    GitRow{"push",         keeps, "o", true},
    GitRow{"quiltimport",  refs, "", false},
    GitRow{"range-diff",   keeps, "", false},
    GitRow{"rebase",       unknown, "", true},
    GitRow{"receive-pack", refs, "", false},
    GitRow{"reflog",       keeps, "", false},
    GitRow{"remote",       keeps, "", false},
    GitRow{"remote-ext",   refs, "", false},
    GitRow{"remote-fd",    refs, "", false},
    GitRow{"remote-http",  refs, "", false},
    GitRow{"remote-https", refs, "", false},
    GitRow{"replace",      refs, "", false},
    GitRow{"replay",       refs, "", false},
    GitRow{"restore",      paths, "s", false},
    GitRow{"rev-list",     keeps, "", false},
    GitRow{"rev-parse",    keeps, "", false},
    GitRow{"revert",       unknown, "", true},
    GitRow{"rm",           paths, "", false},
    GitRow{"send-pack",    refs, "", false},
    GitRow{"shell",        refs, "", false},
    GitRow{"shortlog",     keeps, "", false},
    GitRow{"show",         keeps, "", false},
    GitRow{"show-ref",     keeps, "", false},
    GitRow{"status",       keeps, "", false},
    GitRow{"subtree",      unknown, "", true, "add,merge,pull,push"},
    GitRow{"svn",          unknown, "", true, "dcommit"},
    GitRow{"switch",       unknown, "cC", false},
    GitRow{"symbolic-ref", refs, "m", false},
    GitRow{"tag",          keeps, "", false},
    GitRow{"update-ref",   refs, "m", false},
    GitRow{"var",          keeps, "", false},
    GitRow{"verify-commit", keeps, "", false},
    GitRow{"verify-tag",   keeps, "", false},
    GitRow{"version",      keeps, "", false},
    GitRow{"whatchanged",  keeps, "", false},
    GitRow{"worktree",     unknown, "bB", false},
};

// table: shell_git_texts
constexpr std::array kGitTexts{
    GitTextRow{"bisect",    "",         "run"},
    GitTextRow{"difftool",  "x,extcmd", ""},
    GitTextRow{"rebase",    "x,exec",   ""},
    GitTextRow{"submodule", "",         "foreach"},
};

// table: shell_git_branches
constexpr std::array kBranches{
    BranchRow{"branch",   "f,force",        Names::first,           true},
    BranchRow{"branch",   "m,M,move",       Names::all_and_current, false},
    BranchRow{"branch",   "c,C,copy",       Names::last,            false},
    BranchRow{"branch",   "d,D,delete",     Names::all,             true},
    BranchRow{"checkout", "B",              Names::value,           true},
    BranchRow{"fetch",    "",               Names::refspecs,        true},
    BranchRow{"pull",     "",               Names::refspecs,        true},
    BranchRow{"push",     "",               Names::pushed,          true},
    BranchRow{"switch",   "C,force-create", Names::value,           true},
    BranchRow{"worktree", "B",              Names::value,           true},
};

// table: shell_variables
constexpr std::array kVariables{
    VariableRow{"GATEHOUSE_*",                true},
    VariableRow{"CODECLONE_*",                true},
    VariableRow{"GIT_CONFIG*",                true},
    VariableRow{"GIT_EXEC_PATH",              true},
    VariableRow{"GIT_NOTES_REF",              true},
    VariableRow{"HUSKY",                      true, "1,2,true"},
    VariableRow{"HUSKY_SKIP_HOOKS",           true, "0,false"},
    VariableRow{"LEFTHOOK",                   true, "1,true"},
    VariableRow{"LEFTHOOK_EXCLUDE",           true},
    VariableRow{"PRE_COMMIT_ALLOW_NO_CONFIG", true},
    VariableRow{"SKIP",                       true},
    VariableRow{"BASHOPTS",                   false},
    VariableRow{"BASH_ENV",                   false},
    VariableRow{"BASH_FUNC_*",                false},
    VariableRow{"CDPATH",                     false},
    VariableRow{"EDITOR",                     false},
    VariableRow{"ENV",                        false},
    VariableRow{"GCONV_PATH",                 false},
    VariableRow{"GIT_*",                      false},
    VariableRow{"HOME",                       false, "", GitLooks::for_settings},
    VariableRow{"IFS",                        false},
    VariableRow{"LD_*",                       false},
    VariableRow{"LESS*",                      false},
    VariableRow{"PAGER",                      false},
    VariableRow{"PATH",                       false, "", GitLooks::for_programs},
    VariableRow{"PROMPT_COMMAND",             false},
    VariableRow{"PS0",                        false},
    VariableRow{"PS1",                        false},
    VariableRow{"PS2",                        false},
    VariableRow{"PS4",                        false},
    VariableRow{"SHELLOPTS",                  false},
    VariableRow{"VISUAL",                     false},
    VariableRow{"XDG_CONFIG_HOME",            false, "", GitLooks::for_settings},
    VariableRow{"ZDOTDIR",                    false},
    VariableRow{"cdpath",                     false},
    VariableRow{"fpath",                      false},
    VariableRow{"path",                       false},
};

// table: shell_git_keys
constexpr std::array kGitKeys{
    GitKeyRow{"alias.*",                    false},
    GitKeyRow{"browser.*",                  false},
    GitKeyRow{"core.alternaterefscommand",  false},
    GitKeyRow{"core.askpass",               false},
    GitKeyRow{"core.attributesfile",        false},
    GitKeyRow{"core.bare",                  false},
    GitKeyRow{"core.editor",                true},
    GitKeyRow{"core.excludesfile",          false},
    GitKeyRow{"core.fsmonitor",             false},
    GitKeyRow{"core.gitproxy",              false},
    GitKeyRow{"core.hookspath",             false},
    GitKeyRow{"core.notesref",              false},
    GitKeyRow{"core.pager",                 true},
    GitKeyRow{"core.sshcommand",            false},
    GitKeyRow{"core.worktree",              false},
    GitKeyRow{"credential.*",               false},
    GitKeyRow{"diff.*.command",             false},
    GitKeyRow{"diff.*.textconv",            false},
    GitKeyRow{"diff.external",              false},
    GitKeyRow{"difftool.*",                 false},
    GitKeyRow{"filter.*",                   false},
    GitKeyRow{"gc.recentobjectshook",       false},
    GitKeyRow{"gpg.*",                      false},
    GitKeyRow{"guitool.*",                  false},
    GitKeyRow{"hook.*",                     false},
    GitKeyRow{"imap.*",                     false},
    GitKeyRow{"include.*",                  false},
    GitKeyRow{"includeif.*",                false},
    GitKeyRow{"init.templatedir",           false},
    GitKeyRow{"instaweb.*",                 false},
    GitKeyRow{"interactive.difffilter",     false},
    GitKeyRow{"lfs.customtransfer.*",       false},
    GitKeyRow{"lfs.extension.*",            false},
    GitKeyRow{"man.*",                      false},
    GitKeyRow{"merge.*.driver",             false},
    GitKeyRow{"mergetool.*",                false},
    GitKeyRow{"pager.*",                    true},
    GitKeyRow{"protocol.*",                 false},
    GitKeyRow{"remote.*.proxy",             false},
    GitKeyRow{"remote.*.receivepack",       false},
    GitKeyRow{"remote.*.uploadpack",        false},
    GitKeyRow{"remote.*.vcs",               false},
    GitKeyRow{"sendemail.*",                false},
    GitKeyRow{"sequence.editor",            true},
    GitKeyRow{"submodule.*.update",         false},
    GitKeyRow{"tar.*.command",              false},
    GitKeyRow{"trailer.*.cmd",              false},
    GitKeyRow{"trailer.*.command",          false},
    GitKeyRow{"uploadpack.packobjectshook", false},
    GitKeyRow{"url.*",                      false},
};
// table: shell_idle_programs
constexpr std::array<std::string_view, 6> kIdlePrograms{"", ":", "cat", "false", "less", "true"};

struct ProgramOption {
  std::string_view command, option;
};
// table: shell_program_options
constexpr std::array kProgramOptions{ProgramOption{"sort", "compress-program"},
                                     ProgramOption{"tree", "R"}};  // itself, with a file to write

// table: shell_downloads
constexpr std::array kDownloads{
    DownloadRow{"curl", "AbCcDdEeFHhKmoPQrTtuUwXxYyz", "o,output,c,cookie-jar,D,dump-header,etag-save,stderr,trace,trace-ascii", "output-dir"},
    DownloadRow{"wget", "aABDeGIiloOPQRtTUwX", "O,output-document,o,output-file,a,append-output,save-cookies", ""},
};

// table: shell_text_programs
constexpr std::array<TextProgram, 11> kTextPrograms{{
    {"entr", false, true}, {"flock", false}, {"hyperfine", false, true}, {"parallel", false, true}, {"runuser", true}, {"screen", true, true},
    {"script", false}, {"su", true}, {"systemd-run", true}, {"tmux", true, true}, {"watch", false, true}}};

// table: shell_own_programs
constexpr std::array<std::string_view, 3> kOwnPrograms{"gatehouse", "gatehouse-main", kOldOwnName};

// table: shell_shells
constexpr std::array<std::string_view, 7> kShells{"ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"};
// clang-format on

template <class Rows>
const auto* find_in(const Rows& rows, std::string_view name) {
  const auto found = std::ranges::find_if(rows, [&](const auto& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

/// One star at most, which stands for any text.
bool fits(std::string_view pattern, std::string_view key) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos) return pattern == key;
  const std::string_view front = pattern.substr(0, star), back = pattern.substr(star + 1);
  return key.size() >= front.size() + back.size() && key.starts_with(front) && key.ends_with(back);
}

}  // namespace

const CommandRow* find_command(std::string_view name) { return find_in(kCommands, name); }
const WrapperRow* find_wrapper(std::string_view name) { return find_in(kWrappers, name); }
const GitRow* find_git_command(std::string_view name) { return find_in(kGitCommands, name); }
const GitTextRow* find_git_text(std::string_view name) { return find_in(kGitTexts, name); }
std::span<const BranchRow> branch_rows() { return kBranches; }
bool is_shell(std::string_view name) { return std::ranges::find(kShells, name) != kShells.end(); }

const VariableRow* find_variable(std::string_view name) {
  const auto found = std::ranges::find_if(kVariables, [&](const VariableRow& row) {
    return row.name.ends_with('*') ? name.starts_with(row.name.substr(0, row.name.size() - 1))
                                   : name == row.name;
  });
  return found == kVariables.end() ? nullptr : &*found;
}

bool is_harmless(const VariableRow& row, std::string_view value) {
  return !value.empty() && std::ranges::any_of(split(row.harmless, ','),
                                               [&](std::string_view one) { return one == value; });
}

const GitKeyRow* find_git_key(std::string_view key) {
  const auto found =
      std::ranges::find_if(kGitKeys, [&](const GitKeyRow& row) { return fits(row.pattern, key); });
  return found == kGitKeys.end() ? nullptr : &*found;
}
bool has_git_key(std::string_view section) {
  section = section.substr(0, section.find('.'));
  return std::ranges::any_of(kGitKeys, [&](const GitKeyRow& row) {
    return row.pattern.substr(0, row.pattern.find('.')) == section;
  });
}
bool is_idle_program(std::string_view value) {
  return std::ranges::find(kIdlePrograms, value) != kIdlePrograms.end();
}

bool names_program(std::string_view command, std::string_view option) {
  return std::ranges::any_of(kProgramOptions, [&](const ProgramOption& row) {
    return row.command == command &&
           (row.option == option || (option.size() > 1 && row.option.starts_with(option)));
  });
}

const DownloadRow* find_download(std::string_view name) { return find_in(kDownloads, name); }

const TextProgram* find_text_program(std::string_view name) { return find_in(kTextPrograms, name); }

bool is_own_program(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return std::ranges::find(kOwnPrograms, name) != kOwnPrograms.end();
}

}  // namespace gh::shell
