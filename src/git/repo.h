#pragma once
// One repository and every question that the gate puts to git about it, as typed calls. Each call
// is one child process in the surroundings of patch-gate 8.2; none reads the user's configuration.
#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "git/discovery.h"
#include "git/executable.h"
#include "git/listings.h"
#include "git/numstat.h"
#include "git/objects.h"
#include "git/quarantine.h"
#include "git/status_reader.h"
#include "git/surroundings.h"
#include "sys/env.h"
#include "sys/files.h"
#include "sys/process.h"

namespace gh::git {

/// What a git that runs a hook has told it through the environment. Nobody else has such a thing:
/// for all others the repository's own index and objects are the only ones.
struct GivenByGit {
  std::string index_file;       // that the commit is made from; empty: the repository's own
  std::string incoming_folder;  // objects of a push that is not accepted yet; empty: none
  std::shared_ptr<SharedReaders> readers{};  // null: each repository has its own
};

struct OpenOptions {
  std::string folder;      // -C DIR or the current folder
  std::string git_folder;  // patch.git.path; empty: GATEHOUSE_GIT_PATH, then the system folders
  bool allow_old = false;
  std::int64_t timeout_ms = 30'000;
  std::vector<std::string> trusted_owners{};
  bool need_idle = true;
  std::int64_t expected_checks = 0;  // see Repo::expect_checks
  /// The caller reads policy from the repository first, then calls check_owners, check_version and
  /// check_idle itself.
  bool check_later = false;
  bool reads_seldom = false;  // no object may be asked for: their reader starts when one is
  GivenByGit given{};
};

/// A finished git command, as evidence wants it.
struct GitRun {
  std::vector<std::string> argv;  // from "git" on; the folder of the program is left out
  int exit_code = -1;
  bool timed_out = false, output_cut = false;
  std::string out, err;
  std::int64_t duration_ms = 0;
  bool ok() const { return exit_code == 0 && !timed_out; }
};

struct ApplyCheck {
  GitRun run;
  /// git's own list; absent when git refused or its answer was cut or malformed.
  std::optional<std::vector<NumstatRow>> rows;
};

struct Identity {
  std::string name, email;
};
struct NewCommit {
  ObjectId tree;
  std::vector<ObjectId> parents;
  std::string message;
  Identity author, committer;
  Timestamp time;
};

/// What a path of the real index is to be; no mode: the path is not in it.
struct IndexChange {
  std::string path;
  std::optional<FileMode> mode;
  std::optional<ObjectId> id;
};

/// A file of a commit that import_commit makes; no bytes: the path is removed.
struct ImportedFile {
  std::string path;
  std::optional<std::string> bytes;
};
struct ImportedCommit {
  std::string ref, message;
  std::optional<ObjectId> parent;  // where the ref stands; none: it does not exist yet
  std::vector<ImportedFile> files;
};

/// Refs whose history counts as known: patterns of whole names, and of those among them that do
/// not.
struct KnownRefs {
  std::vector<std::string> refs{}, except{};
};

enum class RefUpdate : std::uint8_t { done, moved };

struct UntrackedFiles {
  std::vector<std::string> files{}, closed_folders{};
};
/// Folders that git names on its standard error because it could not open them.
std::vector<std::string> closed_folders_in(std::string_view err);

class Repo {
 public:
  /// Finds and checks the repository. git's own word on it is remembered as long as the files that
  /// decide it are untouched; cat-file starts meanwhile.
  static Result<Repo> open(const OpenOptions&, sys::Env&);

  const std::string& root() const { return found_.root; }
  const std::string& git_dir() const { return found_.git_dir; }
  const std::string& common_dir() const { return found_.common_dir; }
  std::string state_dir() const;       // <common dir>/gatehouse
  std::string objects_folder() const;  // <common dir>/objects
  bool is_bare() const { return found_.bare; }
  HashKind hash_kind() const { return objects_.hash_kind(); }
  Version git_version() const { return version_; }
  const std::string& git_file() const { return git_.file; }
  Objects& objects() { return objects_; }
  /// Commands of a landing keep this descriptor (the apply lock) open, so that whoever recovers
  /// after our death waits for the git process that outlived us.
  void hold_while_running(int descriptor) { held_ = descriptor; }
  void set_timeout(std::int64_t timeout_ms) { timeout_ = std::chrono::milliseconds(timeout_ms); }

  Status check_owners(const std::vector<std::string>& trusted_owners, sys::Env&) const;
  Status check_version(bool allow_old) const;
  Status check_idle() const;

  /// --- the patch gate ---
  Result<Quarantine> quarantine();
  /// Tells that checks will follow, on the next quarantine handed out: a git that waits for its
  /// patch is started ahead of each of them, so that its start-up costs no time.
  void expect_checks(std::int64_t count);
  /// Tells that nothing is read after the last of those checks: the reader of objects ends while
  /// git is at work, and not when somebody waits for the answer.
  void expect_no_objects_after_checks() { objects_end_with_check_ = true; }
  Result<ApplyCheck> apply_check(const Quarantine&, std::string_view canonical);
  Status read_tree(const Quarantine&, const ObjectId& tree) const;
  Result<GitRun> apply_cached(const Quarantine&, std::string_view canonical) const;
  Result<ObjectId> write_tree(const Quarantine&) const;
  Result<std::string> quarantined_blob(const Quarantine&, const ObjectId&) const;
  /// A reader of its own for everything that can be seen from the quarantine. It must not outlive
  /// the quarantine.
  Result<Objects> objects_in(const Quarantine&) const;

  /// --- landing: real index, real object folder ---
  Result<ObjectId> commit_tree(const NewCommit&) const;
  /// Files of the work tree that are neither tracked nor ignored.
  Result<std::vector<std::string>> untracked_files() const;
  /// The same, and the folders that git could not look into.
  Result<UntrackedFiles> untracked() const;
  /// git's own word on whether `ref` is a well-formed full ref name.
  Result<bool> is_ref_name(const std::string& ref) const;
  /// Compare-and-swap with reflog; `moved` when the ref is not at `expected`. A ref that does not
  /// exist is made.
  Result<RefUpdate> update_ref(const std::string& ref, const ObjectId& to, const ObjectId& expected,
                               const Identity& who, Timestamp when,
                               const std::string& reason) const;
  Result<GitRun> apply_index(std::string_view canonical) const;
  Result<ObjectId> write_tree_of_index() const;
  /// The tree that a commit of the index would have. Neither index nor objects are touched.
  Result<ObjectId> tree_of_index() const;
  /// The same, with its folders in the quarantine, where they can be read.
  Result<ObjectId> tree_of_index_in(const Quarantine&) const;
  Status read_tree_into_index(const ObjectId& tree) const;
  /// Renews the stat data of entries whose files hold the indexed content: after a copy or a
  /// restore of the folder they differ, and git apply --index then calls every file changed.
  Status refresh_index() const;
  /// Sets just these entries; all others keep what they hold.
  Status set_index_entries(const std::vector<IndexChange>&) const;
  /// Puts these files into the index as they are on disk, or takes them out; no filter runs.
  Status stage(const std::vector<std::string>& paths) const;
  /// Removes an index.lock that a killed git left behind: only for a caller who has seen the index
  /// unlocked under the apply lock. A living git gets a moment to finish.
  void drop_dead_index_lock() const;
  Status add_worktree(const std::string& folder, const ObjectId& commit) const;  // without files
  /// With its files, on a branch (full ref name) that is made for it; `moved` when a ref has that
  /// name or leaves it no room. No hook and no filter runs. What was made is taken away on failure.
  Result<RefUpdate> add_worktree_on_branch(const std::string& folder, const std::string& branch,
                                           const ObjectId& commit, const Identity& who,
                                           Timestamp when, const std::string& reason) const;
  Status remove_worktree(const std::string& folder) const;  // missing is fine; the branch stays
  Result<std::vector<Worktree>> list_worktrees() const;
  /// Makes a branch that nobody else has made; `moved` when it exists elsewhere already, or other
  /// refs leave its name no room.
  Result<RefUpdate> create_ref(const std::string& ref, const ObjectId& to, const Identity& who,
                               Timestamp when, const std::string& reason) const;
  Result<bool> is_name_taken(const std::string& ref) const;
  Status delete_ref(const std::string& ref, const ObjectId& expected) const;
  /// Commits made straight from bytes; `moved` when a ref is no longer at the parent given. All
  /// refs move together but the last, which moves after the others and never without them.
  Result<RefUpdate> import_commits(const std::vector<ImportedCommit>&, const Identity&,
                                   Timestamp) const;
  /// Is `commit` on the history of `ref`?
  Result<bool> contains(const std::string& ref, const std::string& commit) const;
  /// Full name of the branch that HEAD is on; empty when detached.
  Result<std::string> head_ref() const;
  /// Short names of branches and tags, for completion.
  Result<std::vector<std::string>> ref_names() const;
  Result<std::vector<StagedEntry>> staged(const std::vector<std::string>& paths) const;

  /// --- change control ---
  /// What differs from HEAD or index or is untracked, in the work tree itself. Ignored files and
  /// git's own folder are no dirt; entries marked as unchanged or left out of a sparse checkout
  /// are, when the file on disk differs. Takes no lock, runs no hook and no filter.
  Result<std::vector<DirtyPath>> dirty_paths(const DirtyQuestion&) const;
  /// git_ref_invalid before any process starts, git_diff_failed where git knows no such revision.
  Result<ChangedPaths> changed_against(const std::string& ref, const std::string& below = {},
                                       std::int64_t timeout_ms = 0) const;
  StatusReader status_reader(std::int64_t timeout_ms = 0) const;  // 0: the repository's limit

  /// --- hooks ---
  /// Commits that `to` has and none of these has, newest first, nor any of the known refs.
  /// document_too_large beyond `most`.
  Result<std::vector<ObjectId>> commits_without(const ObjectId& to,
                                                const std::vector<ObjectId>& known,
                                                const KnownRefs&, std::size_t most) const;
  /// Does any commit that `tip` has, and `base` has not, hold these words in its message?
  Result<bool> is_said_between(const ObjectId& base, const ObjectId& tip,
                               const std::string& words) const;
  /// The tree of a merge that git makes without anybody's help; nothing when there is none.
  Result<std::optional<ObjectId>> merged_tree(const ObjectId&, const ObjectId&) const;
  /// The message with these lines among its trailers; one of the same key is replaced.
  Result<std::string> with_trailers(std::string_view message,
                                    const std::vector<std::string>& lines) const;
  /// A setting of the repository itself; empty: it has none.
  Result<std::string> setting(const std::string& name) const;
  /// The same of another file that git reads, such as the user's.
  Result<std::string> setting_in(const std::string& file, const std::string& name) const;
  /// All that stand in that file itself, as git names them.
  Result<std::vector<std::pair<std::string, std::string>>> settings_in(
      const std::string& file) const;
  /// One value of a setting that may have several: is it there, put it in once, take it out.
  Result<bool> has_setting(const std::string& name, const std::string& value) const;
  Status add_setting(const std::string& name, const std::string& value) const;
  Status drop_setting(const std::string& name, const std::string& value) const;

  /// --- facts ---
  /// Sorted by path. Runs no filter program and takes no lock. Empty in a bare repository.
  Result<std::vector<TrackedChange>> tracked_changes() const;
  Result<std::vector<Attribute>> attributes(const Quarantine&,
                                            const std::vector<std::string>& names,
                                            const std::vector<std::string>& paths) const;
  /// Newest first, merges left out.
  Result<std::vector<CommitSize>> commit_sizes(const ObjectId& from, std::int64_t count) const;
  /// `only`: paths, letter by letter; empty: all.
  Result<std::string> diff_trees(const ObjectId& from, const ObjectId& to, std::size_t max_bytes,
                                 const std::vector<std::string>& only = {}) const;
  /// The diff that git itself makes of a tree in quarantine, renames as delete and create.
  Result<std::string> rederive(const Quarantine&, const ObjectId& from, const ObjectId& to,
                               std::size_t max_bytes) const;
  /// Paths that differ, sorted.
  Result<std::vector<std::string>> changed_paths(const ObjectId& from, const ObjectId& to) const;
  /// Paths whose index entry differs from the commit, sorted; promised files are none.
  Result<std::vector<std::string>> staged_paths(const ObjectId& head) const;
  /// All files of a tree, links and submodules among them.
  Result<std::vector<TreeFile>> tree_files(const ObjectId& tree) const;
  Result<std::vector<TreeFile>> tree_files_in(const Quarantine&, const ObjectId& tree) const;
  /// Where two histories part; nothing when they have no commit in common.
  Result<std::optional<ObjectId>> merge_base(const ObjectId&, const ObjectId&) const;
  /// Commits of `to` that `from` does not have.
  Result<std::int64_t> count_commits(const ObjectId& from, const ObjectId& to) const;
  /// Commits of from..to that touch one of the paths, newest first.
  Result<std::vector<ObjectId>> commits_touching(const ObjectId& from, const ObjectId& to,
                                                 const std::vector<std::string>& paths) const;
  /// `without`: patterns of paths from the top that are left out.
  Result<std::string> diff_staged(const ObjectId& head, std::size_t max_bytes,
                                  const std::vector<std::string>& without = {}) const;
  /// Of these paths alone, letter by letter.
  Result<std::string> diff_staged_of(const ObjectId& head, std::size_t max_bytes,
                                     const std::vector<std::string>& only) const;
  /// The other sides of a merge that is not committed yet; empty: none is under way.
  std::vector<ObjectId> merge_heads() const;
  /// Tracked files on disk against `head`.
  Result<std::string> diff_work_tree(const ObjectId& head, std::size_t max_bytes,
                                     const std::vector<std::string>& without = {}) const;
  /// How files of the work tree differ from what is given as `before`, as git would show a commit
  /// of just them; new ones too. `now` names those that are there. No filter runs.
  Result<std::string> diff_of_files(std::vector<IndexEntry> before, std::vector<IndexEntry> now,
                                    std::size_t max_bytes) const;
  /// git patch-id --stable of a patch text.
  Result<std::string> stable_patch_id(std::string_view patch) const;
  /// The smallest root commit of HEAD's history: the repository's id on every machine.
  Result<ObjectId> root_commit() const;

 private:
  Repo(Found found, Executable git, std::string empty_folder, Objects objects)
      : found_(std::move(found)),
        git_(std::move(git)),
        empty_folder_(std::move(empty_folder)),
        objects_(std::move(objects)) {}

  Status ask_git(const OpenOptions&);
  Quarantine new_quarantine() const;
  sys::Command check_command(const std::string& index_file) const;
  Result<GitRun> run_check(const Quarantine&, std::string_view canonical);

  /// Private: no index and no own objects, or those of a quarantine. Real: the
  /// repository's own.
  Surroundings private_place() const;
  Result<Surroundings> place_of(const Quarantine&) const;
  Surroundings real_place() const;

  Result<GitRun> execute(const std::vector<std::string>& words, const Surroundings&,
                         std::string_view input = {}, std::size_t max_output = 1u << 20) const;
  /// Standard output of a command that must succeed.
  Result<std::string> answer(const std::vector<std::string>& words, const Surroundings&,
                             std::string_view input = {}, std::size_t max_output = 1u << 20) const;
  Result<std::string> answer_of(const std::vector<std::string>& words, GitRun&,
                                std::size_t max_output) const;
  Result<ObjectId> answer_id(const std::vector<std::string>& words, const Surroundings&,
                             std::string_view input = {}) const;
  Result<Surroundings> without_filters(Surroundings) const;
  /// Objects of a push that is under way can be read, wherever others are.
  Surroundings with_incoming(Surroundings) const;

  Found found_;
  Executable git_;
  GivenByGit given_{};
  Version version_{};
  std::chrono::milliseconds timeout_{30'000};
  int held_ = -1;
  std::string empty_folder_;
  Objects objects_;
  std::int64_t expected_checks_ = 0;
  bool objects_end_with_check_ = false;
  std::optional<Quarantine> prepared_;  // whose index the spare process will read
  std::string spare_index_;
  std::deque<sys::Running> spares_;
};

}  // namespace gh::git
