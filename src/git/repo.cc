#include "git/repo.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <poll.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "git/children.h"
#include "git/memory.h"
#include "git/tail.h"
#include "sys/files.h"

namespace gh::git {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxListing = 256u << 20;  // status, log and index listings
constexpr std::size_t kMaxTrackedFile = 1u << 30;
constexpr std::size_t kMaxIndexBytes = 1u << 30;
constexpr std::size_t kMaxBlobAnswer = 64u << 20;
constexpr std::int64_t kStaleAfterSeconds = 24 * 3600;
constexpr std::int64_t kSpares = 2;  // one is at work while the other gets ready

std::string state_folder(const Found& found) {
  return found.common_dir + '/' + std::string(kProduct);
}

/// Names that we give to scratch files and folders.
bool is_ours(std::string_view name) {
  return name.starts_with("q-") || name.starts_with("verify-") || name.starts_with("doctor-");
}

/// A folder that somebody replaced by a link would lead our writing and removing elsewhere.
Status require_real_folder(const std::string& path) {
  if (sys::info(path).kind == sys::FileKind::folder) return {};
  return fail(Code::io_error,
              fmt::format("'{}' is no folder but something planted in its place; look at it and "
                          "remove it",
                          printable(path, 400)));
}

/// Takes away what killed processes left behind.
void remove_stale(const std::string& folder, Timestamp now) {
  const auto names = sys::list_folder(folder);
  for (const std::string& name : names.value_or(std::vector<std::string>{})) {
    if (!is_ours(name)) continue;
    const std::string path = folder + '/' + name;
    const sys::FileInfo seen = sys::info(path);
    if (seen.mtime_ns / 1'000'000'000 > now.seconds - kStaleAfterSeconds) continue;
    if (seen.kind == sys::FileKind::folder) (void)sys::remove_folder_tree(path);
    if (seen.kind == sys::FileKind::file) (void)sys::remove_file(path);
  }
}

/// Makes our folders below the common dir; gives the one that is kept empty.
Result<std::string> prepare_state(const Found& found, sys::Env& env) {
  const std::string temporary = state_folder(found) + "/tmp";
  const std::string empty = state_folder(found) + "/empty";
  GH_DO(sys::make_folders(temporary));
  GH_DO(require_real_folder(state_folder(found)));
  GH_DO(require_real_folder(temporary));
  for (const char* name : {"/cache", "/runs", "/worktrees"})
    if (const std::string path = state_folder(found) + name;
        sys::info(path).kind != sys::FileKind::missing)
      GH_DO(require_real_folder(path));
  remove_stale(temporary, env.now());
  GH_DO(sys::make_private_folder(empty));
  GH_TRY(names, sys::list_folder(empty));
  if (!names.empty()) {
    GH_DO(sys::remove_folder_tree(empty));
    GH_DO(sys::make_private_folder(empty));
  }
  return empty;
}

std::string words_of(const sys::Finished& done, const std::string& root) {
  if (done.timed_out) return "no answer within the time limit";
  const std::string tail = output_tail(done.err, root);
  return fmt::format("exit {}{}{}", done.exit_code, tail.empty() ? "" : ": ", printable(tail, 400));
}

Result<Version> version_from(const sys::Finished& done, const Executable& git) {
  const auto version = parse_version(done.out);
  if (done.exit_code != 0 || done.timed_out || !version)
    return fail(Code::git_not_found, fmt::format("'{}' does not answer as git does: {}",
                                                 printable(git.file, 400), words_of(done, "")));
  return *version;
}

/// The words of rev-parse that git must agree with, in this order.
std::vector<std::string> questions(const Found& found) {
  std::vector<std::string> words{"-c", "safe.directory=" + found.root, "rev-parse"};
  if (!found.bare) words.emplace_back("--show-toplevel");  // git fails on it in a bare repository
  for (const char* word :
       {"--absolute-git-dir", "--git-common-dir", "--is-bare-repository", "--show-object-format"})
    words.emplace_back(word);
  return words;
}

bool is_same_folder(const std::string& word, const Found& found, const std::string& ours) {
  const auto real = sys::real_path(word.starts_with('/') ? word : found.root + '/' + word);
  return real && *real == ours;
}

/// The first of these lines, so many of them: a path may have line feeds.
std::string take(std::vector<std::string_view>& lines, std::size_t count) {
  const auto end = lines.begin() + static_cast<std::ptrdiff_t>(std::min(count, lines.size()));
  std::string out = fmt::format("{}", fmt::join(lines.begin(), end, "\n"));
  lines.erase(lines.begin(), end);
  return out;
}
std::size_t lines_of(const std::string& path) {
  return 1 + static_cast<std::size_t>(std::ranges::count(path, '\n'));
}

/// Compares git's reading of the place with ours and gives its hash kind.
Result<HashKind> agreed_hash_kind(const sys::Finished& done, const Found& found) {
  if (done.exit_code != 0 || done.timed_out) {
    const bool none = contains(done.err, "not a git repository");
    return fail(none ? Code::not_a_repository : Code::git_failed,
                fmt::format("git rev-parse in '{}': {}", printable(found.root, 400),
                            words_of(done, found.root)));
  }
  auto lines = split(done.out, '\n');
  const std::string root = found.bare ? found.root : take(lines, lines_of(found.root));
  const std::string git_dir = take(lines, lines_of(found.git_dir));
  const std::string common = take(lines, lines.size() < 3 ? 0 : lines.size() - 3);
  const bool agreed = lines.size() == 3 && is_same_folder(root, found, found.root) &&
                      is_same_folder(git_dir, found, found.git_dir) &&
                      is_same_folder(common, found, found.common_dir) &&
                      lines[0] == (found.bare ? "true" : "false");
  if (!agreed)
    return fail(Code::repo_root_not_toplevel,
                fmt::format("git does not take '{}' for the top level of a repository",
                            printable(found.root, 400)));
  if (lines[1] == "sha1") return HashKind::sha1;
  if (lines[1] == "sha256") return HashKind::sha256;
  return fail(Code::git_failed, fmt::format("unknown object format '{}'", printable(lines[1])));
}

Status check_age(Version version, bool allow_old) {
  if (version >= kMinimumVersion || allow_old) return {};
  return fail(Code::git_too_old, fmt::format("git {} is older than {}", to_string(version),
                                             to_string(kMinimumVersion)));
}

/// Questions that a quarantine or the real index answers alike.
std::vector<std::string> apply_words(std::vector<std::string> mode) {
  std::vector<std::string> words{"apply"};
  words.insert(words.end(), mode.begin(), mode.end());
  for (const char* word : {"--whitespace=nowarn", "-p1", "-"})
    words.emplace_back(word);
  return words;
}

std::vector<std::string> check_words() {
  return apply_words({"--check", "--cached", "--numstat", "-z"});
}

GitRun git_run(std::vector<std::string> argv, sys::Finished done) {
  return {.argv = std::move(argv),
          .exit_code = done.exit_code,
          .timed_out = done.timed_out,
          .output_cut = done.output_cut,
          .out = std::move(done.out),
          .err = std::move(done.err),
          .duration_ms = done.duration.count()};
}

/// Every option that the repository's configuration could turn is said outright.
std::vector<std::string> diff_words(std::string_view command) {
  std::vector<std::string> words{"-c", "diff.suppressBlankEmpty=false", std::string(command)};
  for (const char* word :
       {"-p", "-r", "--no-ext-diff", "--no-textconv", "--no-renames", "--no-color", "--full-index",
        "--src-prefix=a/", "--dst-prefix=b/", "-U3", "--inter-hunk-context=0", "-O/dev/null",
        "--diff-algorithm=myers", "--indent-heuristic", "--submodule=short",
        "--ignore-submodules=none", "--no-relative"})
    words.emplace_back(word);
  return words;
}

void add_pathspecs(std::vector<std::string>& words, const std::vector<std::string>& without) {
  words.emplace_back("--");
  if (!without.empty()) words.emplace_back(":/");
  for (const std::string& pattern : without)
    words.push_back(":(top,exclude,glob)" + pattern);
}

/// The git command among `words`, behind options of git itself.
std::string command_name(const std::vector<std::string>& words) {
  std::size_t at = 0;
  while (words[at].starts_with('-'))
    at += words[at] == "-c" ? 2 : 1;
  return words[at];
}

std::string nul_separated(const std::vector<std::string>& items) {
  std::string out;
  for (const std::string& item : items)
    (out += item) += '\0';
  return out;
}

/// With mode and content hash of what lies on disk, byte by byte, no conversion.
TrackedChange tracked_change(const std::string& root, DirtyPath dirty) {
  TrackedChange change{.path = std::move(dirty.path),
                       .staged = dirty.status_xy[0] != '.',
                       .in_work_tree = dirty.status_xy[1] != '.',
                       .index_mode = std::move(dirty.index_mode),
                       .index_id = std::move(dirty.index_id),
                       .work_mode = {},
                       .work_sha256 = {}};
  const std::string file = root + '/' + change.path;
  const sys::FileInfo seen = sys::info(file);
  Result<std::string> bytes = fail(Code::io_error, "");
  if (seen.kind == sys::FileKind::file) bytes = sys::read_file(file, kMaxTrackedFile);
  if (seen.kind == sys::FileKind::symlink) bytes = sys::read_link(file);
  if (!bytes) return change;
  change.work_mode = seen.kind == sys::FileKind::symlink ? "120000"
                     : (seen.mode & 0100) != 0           ? "100755"
                                                         : "100644";
  change.work_sha256 = digest_of(*bytes).hex();
  return change;
}

}  // namespace

Result<Repo> Repo::open(const OpenOptions& options, sys::Env& env) {
  GH_TRY(found, discover(options.folder));
  if (!options.check_later) {
    GH_DO(git::check_owners(found, options.trusted_owners, env));
    if (options.need_idle) GH_DO(git::check_idle(found));
  }
  GH_TRY(git, find_git(options.git_folder, env));
  GH_TRY(empty_folder, prepare_state(found, env));

  // Everything git is needed for starts at once: its start takes longer than all we do meanwhile.
  const milliseconds timeout(options.timeout_ms);
  Surroundings where = private_place_of(found, git, empty_folder);
  where.object_folder = found.common_dir + "/objects";  // who only reads needs no place of its own
  where.alternate_folders =
      options.given.incoming_folder.empty() ? "" : alternate_item(options.given.incoming_folder);
  // None of the settings that arguments_of turns off has a say in reading objects.
  sys::Command reader = command_of(git, {"git", "cat-file", "--batch-command", "--buffer"}, where,
                                   found.root, timeout);
  GH_TRY(objects,
         options.reads_seldom
             ? Result<Objects>(Objects::later(std::move(reader), options.given.readers.get()))
             : or_git_not_found(Objects::start(std::move(reader), options.given.readers.get())));
  Repo repo(std::move(found), std::move(git), std::move(empty_folder), std::move(objects));
  repo.timeout_ = timeout;
  repo.given_ = options.given;
  repo.expect_checks(options.expected_checks);
  GH_DO(repo.ask_git(options));
  return repo;
}

/// Version of git and its own word on the place; asked only where the answer could have changed.
Status Repo::ask_git(const OpenOptions& options) {
  const Memory memory(state_dir() + "/cache");
  const auto known_kind = memory.agreement(found_, git_);
  std::optional<sys::Running> asked;
  if (!known_kind) {
    Surroundings undecided = private_place();  // git shall find the repository by itself
    undecided.git_dir.clear();
    undecided.object_folder.clear();
    undecided.alternate_folders.clear();
    GH_TRY(running, or_git_not_found(sys::Running::start(command_of(
                        git_, arguments_of(questions(found_)), undecided, root(), timeout_))));
    asked = std::move(running);
  }
  const auto known_version = memory.version(git_);
  if (known_version) {
    version_ = *known_version;
  } else {
    GH_TRY(done, or_git_not_found(sys::run(command_of(git_, arguments_of({"version"}),
                                                      private_place(), root(), timeout_))));
    GH_TRY(answered, version_from(done, git_));
    version_ = answered;
    memory.remember(git_, version_);
  }
  GH_DO(check_age(version_, options.allow_old || options.check_later));
  if (known_kind) {
    objects_.set_hash_kind(*known_kind);
    return {};
  }
  GH_TRY(done, asked->wait());
  GH_TRY(kind, agreed_hash_kind(done, found_));
  objects_.set_hash_kind(kind);
  memory.remember(found_, git_, kind);
  return {};
}

std::string Repo::state_dir() const { return state_folder(found_); }
std::string Repo::objects_folder() const { return found_.common_dir + "/objects"; }

Status Repo::check_owners(const std::vector<std::string>& trusted_owners, sys::Env& env) const {
  return git::check_owners(found_, trusted_owners, env);
}
Status Repo::check_version(bool allow_old) const { return check_age(version_, allow_old); }
Status Repo::check_idle() const { return git::check_idle(found_); }

Surroundings Repo::with_incoming(Surroundings place) const {
  if (given_.incoming_folder.empty()) return place;
  if (!place.alternate_folders.empty()) place.alternate_folders += ':';
  place.alternate_folders += alternate_item(given_.incoming_folder);
  return place;
}

Surroundings Repo::private_place() const {
  return with_incoming(private_place_of(found_, git_, empty_folder_));
}

Result<Surroundings> Repo::place_of(const Quarantine& quarantine) const {
  GH_DO(quarantine.make_object_folder());
  Surroundings place = private_place();
  place.index_file = quarantine.index_file();
  place.object_folder = quarantine.objects();
  return place;
}

Surroundings Repo::real_place() const {
  Surroundings place = with_incoming(real_place_of(found_, git_, empty_folder_));
  if (!given_.index_file.empty()) place.index_file = given_.index_file;
  return place;
}

Result<GitRun> Repo::execute(const std::vector<std::string>& words, const Surroundings& where,
                             std::string_view input, std::size_t max_output) const {
  std::vector<std::string> argv = arguments_of(words);
  sys::Command command = command_of(git_, argv, where, root(), timeout_);
  command.input = input;
  command.max_output = max_output;
  command.keep_open = held_;
  GH_TRY(done, or_git_not_found(sys::run(command)));
  return git_run(std::move(argv), std::move(done));
}

Result<std::string> Repo::answer(const std::vector<std::string>& words, const Surroundings& where,
                                 std::string_view input, std::size_t max_output) const {
  GH_TRY(run, execute(words, where, input, max_output));
  return answer_of(words, run, max_output);
}

Result<std::string> Repo::answer_of(const std::vector<std::string>& words, GitRun& run,
                                    std::size_t max_output) const {
  const std::string name = command_name(words);
  if (!run.ok())
    return fail(Code::git_failed,
                fmt::format("git {}: {}", name,
                            run.timed_out ? "no answer within the time limit"
                                          : printable(output_tail(run.err, found_.root), 400)));
  if (run.output_cut)
    return fail(Code::document_too_large,
                fmt::format("git {} answered with more than {} bytes", name, max_output));
  return std::move(run.out);
}

Result<ObjectId> Repo::answer_id(const std::vector<std::string>& words, const Surroundings& where,
                                 std::string_view input) const {
  GH_TRY(out, answer(words, where, input));
  if (out.ends_with('\n')) out.pop_back();
  const auto id = ObjectId::parse(out);
  if (!id || id->kind() != hash_kind())
    return fail(Code::git_failed, fmt::format("'{}' is no object id", printable(out)));
  return *id;
}

Quarantine Repo::new_quarantine() const {
  return Quarantine(state_dir() + "/tmp", objects_folder(), sys::real_env());
}

Result<Quarantine> Repo::quarantine() {
  if (!prepared_) return new_quarantine();
  Quarantine prepared = std::move(*prepared_);
  prepared_.reset();
  return prepared;
}

sys::Command Repo::check_command(const std::string& index_file) const {
  Surroundings place = private_place();  // a check writes no object
  place.index_file = index_file;
  return command_of(git_, arguments_of(check_words()), place, root(), timeout_);
}

void Repo::expect_checks(std::int64_t count) {
  expected_checks_ = count;
  if (count <= 0) return;
  if (spare_index_.empty()) {
    prepared_ = new_quarantine();
    spare_index_ = prepared_->index_file();
  }
  while (std::ssize(spares_) < std::min(count, kSpares)) {
    auto started = sys::Running::start(check_command(spare_index_));
    if (!started) return;
    spares_.push_back(std::move(*started));
  }
}

/// The spare process has waited for its patch on standard input, which git apply reads before it
/// looks at the index. Were that ever otherwise, it would refuse; so a refusal is asked for again.
Result<GitRun> Repo::run_check(const Quarantine& quarantine, std::string_view canonical) {
  if (!spares_.empty() && spare_index_ == quarantine.index_file()) {
    sys::Running process = std::move(spares_.front());
    spares_.pop_front();
    const bool is_last = objects_end_with_check_ && expected_checks_ == 1;
    GH_TRY(done, process.wait(canonical, timeout_, [&] {
      if (is_last) objects_.hang_up();
    }));
    expect_checks(expected_checks_ - 1);
    if (done.exit_code == 0 || done.timed_out)
      return git_run(arguments_of(check_words()), std::move(done));
  }
  sys::Command command = check_command(quarantine.index_file());
  command.input = canonical;
  GH_TRY(done, or_git_not_found(sys::run(command)));
  return git_run(arguments_of(check_words()), std::move(done));
}

Result<ApplyCheck> Repo::apply_check(const Quarantine& quarantine, std::string_view canonical) {
  GH_TRY(run, run_check(quarantine, canonical));
  ApplyCheck check{std::move(run), std::nullopt};
  if (check.run.ok() && !check.run.output_cut) check.rows = parse_apply_numstat(check.run.out);
  return check;
}

Status Repo::read_tree(const Quarantine& quarantine, const ObjectId& tree) const {
  GH_TRY(place, place_of(quarantine));
  GH_TRY(nothing, answer({"read-tree", tree.hex()}, place));
  (void)nothing;
  return {};
}

Result<GitRun> Repo::apply_cached(const Quarantine& quarantine, std::string_view canonical) const {
  GH_TRY(place, place_of(quarantine));
  return execute(apply_words({"--cached"}), place, canonical);
}

Result<ObjectId> Repo::write_tree(const Quarantine& quarantine) const {
  GH_TRY(place, place_of(quarantine));
  return answer_id({"write-tree"}, place);
}

Result<std::string> Repo::quarantined_blob(const Quarantine& quarantine, const ObjectId& id) const {
  GH_TRY(place, place_of(quarantine));
  return answer({"cat-file", "blob", id.hex()}, place, {}, kMaxBlobAnswer);
}

Result<Objects> Repo::objects_in(const Quarantine& quarantine) const {
  GH_TRY(place, place_of(quarantine));
  GH_TRY(objects,
         or_git_not_found(Objects::start(command_of(
             git_, {"git", "cat-file", "--batch-command", "--buffer"}, place, root(), timeout_))));
  objects.set_hash_kind(hash_kind());
  return std::move(objects);
}

Result<ObjectId> Repo::commit_tree(const NewCommit& commit) const {
  std::vector<std::string> words{"commit-tree", commit.tree.hex()};
  for (const ObjectId& parent : commit.parents) {
    words.emplace_back("-p");
    words.push_back(parent.hex());
  }
  Surroundings place = real_place();
  place.more =
      identity_variables("AUTHOR", commit.author.name, commit.author.email, commit.time.seconds);
  for (auto& item : identity_variables("COMMITTER", commit.committer.name, commit.committer.email,
                                       commit.time.seconds))
    place.more.push_back(std::move(item));
  return answer_id(words, place, commit.message);
}

std::vector<std::string> closed_folders_in(std::string_view err) {
  constexpr std::string_view kBefore = "warning: could not open directory '", kAfter = "': ";
  std::vector<std::string> out;
  for (std::string_view line : split(err, '\n')) {
    if (!line.starts_with(kBefore)) continue;
    line.remove_prefix(kBefore.size());
    const std::size_t end = line.rfind(kAfter);
    if (end == std::string_view::npos) continue;
    std::string_view path = line.substr(0, end);
    while (path.ends_with('/'))
      path.remove_suffix(1);
    if (!path.empty()) out.emplace_back(path);
  }
  return out;
}

Result<UntrackedFiles> Repo::untracked() const {
  const std::vector<std::string> words{"ls-files", "--others", "--exclude-standard", "-z"};
  GH_TRY(run, execute(words, real_place(), {}, kMaxListing));
  GH_TRY(out, answer_of(words, run, kMaxListing));
  UntrackedFiles files{.closed_folders = closed_folders_in(run.err)};
  for (const std::string_view path : split(out, '\0'))
    if (!path.empty()) files.files.emplace_back(path);
  return files;
}

Result<std::vector<std::string>> Repo::untracked_files() const {
  GH_TRY(all, untracked());
  return std::move(all.files);
}

Result<bool> Repo::is_ref_name(const std::string& ref) const {
  if (revision_defect(ref)) return false;
  GH_TRY(run, execute({"check-ref-format", ref}, private_place()));
  return run.ok();
}

Result<RefUpdate> Repo::update_ref(const std::string& ref, const ObjectId& to,
                                   const ObjectId& expected, const Identity& who, Timestamp when,
                                   const std::string& reason) const {
  if (!ref.starts_with("refs/") || revision_defect(ref))
    return fail(Code::bad_argument,
                fmt::format("'{}' is no full ref name such as refs/heads/main", printable(ref)));
  Surroundings place = real_place();
  place.more = identity_variables("COMMITTER", who.name, who.email, when.seconds);
  // A branch that does not exist yet is made; the zero id says that nobody else may make it first.
  GH_TRY(before, execute({"rev-parse", "--verify", "--quiet", ref}, place));
  const std::string from =
      before.exit_code == 1 ? std::string(expected.hex().size(), '0') : expected.hex();
  GH_TRY(run, execute({"update-ref", "--create-reflog", "-m", reason, ref, to.hex(), from}, place));
  if (run.ok()) return RefUpdate::done;
  GH_TRY(now, execute({"rev-parse", "--verify", "--quiet", ref}, place));
  if (now.out != expected.hex() + '\n') return RefUpdate::moved;
  return fail(Code::git_failed,
              fmt::format("git update-ref: {}", printable(output_tail(run.err, found_.root), 400)));
}

Result<RefUpdate> Repo::create_ref(const std::string& ref, const ObjectId& to, const Identity& who,
                                   Timestamp when, const std::string& reason) const {
  Surroundings place = real_place();
  place.more = identity_variables("COMMITTER", who.name, who.email, when.seconds);
  const std::string nothing(to.hex().size(), '0');
  GH_TRY(run,
         execute({"update-ref", "--create-reflog", "-m", reason, ref, to.hex(), nothing}, place));
  if (run.ok()) return RefUpdate::done;
  GH_TRY(now, execute({"rev-parse", "--verify", "--quiet", ref}, place));
  if (now.out == to.hex() + '\n') return RefUpdate::done;  // ours, from before a crash
  if (now.ok()) return RefUpdate::moved;
  GH_TRY(taken, is_name_taken(ref));
  if (taken) return RefUpdate::moved;
  return fail(Code::git_failed,
              fmt::format("git update-ref: {}", printable(output_tail(run.err, found_.root), 400)));
}

/// A ref is a file or a folder: refs below `ref`, or one that is a folder of it, leave no room.
Result<bool> Repo::is_name_taken(const std::string& ref) const {
  std::vector<std::string> words{"for-each-ref", "--format=%(refname)", ref + "/"};
  std::set<std::string, std::less<>> above;
  for (std::string at = ref.substr(0, ref.rfind('/')); std::ranges::count(at, '/') > 1;
       at.resize(at.rfind('/')))
    above.insert(at);  // refs/heads/a and below; no ref is called refs/heads
  words.insert(words.end(), above.begin(), above.end());
  GH_TRY(out, answer(words, real_place(), {}, kMaxListing));
  return std::ranges::any_of(split(out, '\n'), [&](std::string_view line) {
    return line.starts_with(ref + "/") || above.contains(line);
  });
}

Status Repo::delete_ref(const std::string& ref, const ObjectId& expected) const {
  return answer({"update-ref", "-d", ref, expected.hex()}, real_place())
      .map([](const std::string&) {});
}

/// fast-import moves refs one by one, whatever becomes of the others. So it makes its commits on
/// names that it drops again, and the refs are moved in a transaction.
Result<RefUpdate> Repo::import_commits(const std::vector<ImportedCommit>& commits,
                                       const Identity& who, Timestamp when) const {
  const std::string nothing(hash_kind() == HashKind::sha1 ? 40 : 64, '0');
  std::string stream = "feature done\n", rest;
  const auto data = [&](std::string_view bytes) {
    stream += fmt::format("data {}\n{}\n", bytes.size(), bytes);
  };
  for (std::size_t i = 0; i < commits.size(); ++i) {
    const ImportedCommit& c = commits[i];
    const std::string name = fmt::format("refs/gatehouse-import/{}", i);
    stream += fmt::format("commit {}\nmark :{}\ncommitter {} <{}> {} +0000\n", name, i + 1,
                          who.name, who.email, when.seconds);
    data(c.message);
    if (c.parent) stream += fmt::format("from {}\n", c.parent->hex());
    for (const ImportedFile& file : c.files) {
      if (!file.bytes) {
        stream += fmt::format("D {}\n", file.path);
        continue;
      }
      stream += fmt::format("M 100644 inline {}\n", file.path);
      data(*file.bytes);
    }
    rest += fmt::format("get-mark :{}\nreset {}\nfrom {}\n\n", i + 1, name, nothing);
  }
  stream += rest + "done\n";
  GH_TRY(ids,
         answer({"fast-import", "--quiet", "--done", "--date-format=raw"}, real_place(), stream));
  std::vector<std::string_view> made;
  for (const std::string_view line : split(ids, '\n'))
    if (!line.empty()) made.push_back(line);
  if (made.size() != commits.size())
    return fail(Code::git_failed, "git fast-import did not name its commits");
  std::string moves = "start\n";
  for (std::size_t i = 0; i < commits.size(); ++i) {
    const ImportedCommit& c = commits[i];
    if (i > 0 && i + 1 == commits.size()) moves += "prepare\ncommit\nstart\n";
    moves += fmt::format("update {} {} {}\n", c.ref, made[i], c.parent ? c.parent->hex() : nothing);
  }
  moves += "prepare\ncommit\n";
  GH_TRY(run, execute({"update-ref", "--stdin"}, real_place(), moves));
  if (run.ok()) return RefUpdate::done;
  if (gh::contains(run.err, "cannot lock ref")) return RefUpdate::moved;
  return fail(Code::git_failed,
              fmt::format("git update-ref: {}", printable(output_tail(run.err, found_.root), 400)));
}

Result<GitRun> Repo::apply_index(std::string_view canonical) const {
  // Refreshing the index reads changed files, ours or not, through their filters.
  GH_TRY(place, without_filters(real_place()));
  return execute(apply_words({"--index"}), place, canonical);
}

Result<ObjectId> Repo::write_tree_of_index() const {
  GH_TRY(place, without_filters(real_place()));  // racily clean files are read again
  return answer_id({"write-tree"}, place);
}

Result<ObjectId> Repo::tree_of_index() const { return tree_of_index_in(new_quarantine()); }

Result<ObjectId> Repo::tree_of_index_in(const Quarantine& copy) const {
  GH_TRY(place, place_of(copy));
  const std::string index = real_place().index_file;
  if (sys::info(index).kind != sys::FileKind::missing) {
    GH_TRY(bytes, sys::read_file(index, kMaxIndexBytes));
    GH_DO(sys::write_scratch_file(copy.index_file(), bytes));
  }
  GH_TRY(hermetic, without_filters(std::move(place)));  // racily clean files are read again
  return answer_id({"write-tree"}, hermetic);
}

Status Repo::read_tree_into_index(const ObjectId& tree) const {
  GH_TRY(nothing, answer({"read-tree", tree.hex()}, real_place()));
  (void)nothing;
  return {};
}

Status Repo::refresh_index() const {
  GH_TRY(place, without_filters(real_place()));
  // A file that really differs gives exit 1; whether it may is the caller's question.
  GH_TRY(nothing, execute({"update-index", "-q", "--refresh"}, place));
  (void)nothing;
  return {};
}

Status Repo::set_index_entries(const std::vector<IndexChange>& changes) const {
  const std::string zeros(hash_kind() == HashKind::sha1 ? 40 : 64, '0');
  std::string input;
  for (const IndexChange& c : changes) {
    input += c.mode ? fmt::format("{} {} 0\t", to_string(*c.mode), c.id->hex())
                    : fmt::format("0 {} 0\t", zeros);
    input += c.path;
    input += '\0';
  }
  GH_TRY(nothing, answer({"update-index", "-z", "--index-info"}, real_place(), input));
  (void)nothing;
  return {};
}

Status Repo::stage(const std::vector<std::string>& paths) const {
  std::string input;
  for (const std::string& path : paths)
    input.append(path).push_back('\0');
  GH_TRY(place, without_filters(real_place()));
  GH_TRY(nothing, answer({"update-index", "--add", "--remove", "-z", "--stdin"}, place, input));
  (void)nothing;
  return {};
}

void Repo::drop_dead_index_lock() const {
  const std::string lock = found_.git_dir + "/index.lock";
  for (int tenths = 0; tenths < 10; ++tenths) {
    if (sys::info(lock).kind == sys::FileKind::missing) return;
    poll(nullptr, 0, 100);
  }
  (void)sys::remove_file(lock);
}

Result<bool> Repo::contains(const std::string& ref, const std::string& commit) const {
  GH_TRY(run, execute({"merge-base", "--is-ancestor", commit, ref}, private_place()));
  return run.ok();
}

Result<ObjectId> Repo::root_commit() const {
  GH_TRY(out, answer({"rev-list", "--max-parents=0", "HEAD"}, private_place()));
  std::optional<ObjectId> smallest;
  for (const std::string_view line : split(out, '\n'))
    if (const auto id = ObjectId::parse(line); id && (!smallest || *id < *smallest)) smallest = id;
  if (!smallest) return fail(Code::git_failed, "git rev-list: no root commit");
  return *smallest;
}

Result<std::string> Repo::stable_patch_id(std::string_view patch) const {
  GH_TRY(out, answer({"patch-id", "--stable"}, private_place(), patch));
  return out.substr(0, out.find(' '));
}

Result<std::string> Repo::diff_of_files(std::vector<IndexEntry> before, std::vector<IndexEntry> now,
                                        std::size_t max_bytes) const {
  const Quarantine quarantine = new_quarantine();
  GH_DO(quarantine.write_index(std::move(before), hash_kind()));
  GH_TRY(tree, write_tree(quarantine));
  // Entries without stat data: git reads each file, as it is on disk.
  GH_DO(quarantine.write_index(std::move(now), hash_kind()));
  GH_TRY(private_one, place_of(quarantine));
  GH_TRY(place, without_filters(std::move(private_one)));
  auto words = diff_words("diff-index");
  words.push_back(tree.hex());
  words.emplace_back("--");
  return answer(words, place, {}, max_bytes);
}

Result<std::string> Repo::diff_work_tree(const ObjectId& head, std::size_t max_bytes,
                                         const std::vector<std::string>& without) const {
  GH_TRY(place, without_filters(real_place()));
  auto words = diff_words("diff");
  words.emplace_back("--ignore-submodules=dirty");
  words.push_back(head.hex());
  add_pathspecs(words, without);
  return answer(words, place, {}, max_bytes);
}

Result<std::string> Repo::head_ref() const {
  GH_TRY(run, execute({"symbolic-ref", "-q", "HEAD"}, private_place()));
  if (run.exit_code == 1) return std::string();
  if (!run.ok() || !run.out.ends_with('\n'))
    return fail(Code::git_failed, "git symbolic-ref: " + output_tail(run.err, found_.root));
  run.out.pop_back();
  return std::move(run.out);
}

Result<std::vector<StagedEntry>> Repo::staged(const std::vector<std::string>& paths) const {
  std::vector<std::string> words{"--literal-pathspecs", "ls-files", "-s", "-z", "--"};
  words.insert(words.end(), paths.begin(), paths.end());
  GH_TRY(out, answer(words, real_place(), {}, kMaxListing));
  return parse_staged(out);
}

Result<Surroundings> Repo::without_filters(Surroundings place) const {
  if (!may_be_set(found_, kFilterWords)) return with_filters_overruled(std::move(place), {});
  GH_TRY(run, execute(filter_question(), private_place()));
  if (run.exit_code > 1 || run.timed_out || run.output_cut)
    return fail(Code::git_failed, "git config: " + output_tail(run.err, found_.root));
  return with_filters_overruled(std::move(place), run.out);
}

Result<std::vector<TrackedChange>> Repo::tracked_changes() const {
  if (is_bare()) return std::vector<TrackedChange>{};
  GH_TRY(place, without_filters(real_place()));
  // "dirty": git would look into submodules with their own configuration otherwise.
  GH_TRY(out, answer({"status", "--porcelain=v2", "-z", "--untracked-files=no", "--no-renames",
                      "--no-branch", "--no-show-stash", "--ignore-submodules=dirty"},
                     place, {}, kMaxListing));
  GH_TRY(paths, parse_status(out));
  std::vector<TrackedChange> changes;
  for (DirtyPath& path : paths)
    changes.push_back(tracked_change(root(), std::move(path)));
  std::ranges::sort(changes);
  return changes;
}

Result<std::vector<Attribute>> Repo::attributes(const Quarantine& quarantine,
                                                const std::vector<std::string>& names,
                                                const std::vector<std::string>& paths) const {
  std::vector<std::string> words{"check-attr", "--cached", "-z", "--stdin"};
  words.insert(words.end(), names.begin(), names.end());
  GH_TRY(place, place_of(quarantine));
  GH_TRY(out, answer(words, place, nul_separated(paths), kMaxListing));
  return parse_attributes(out);
}

Result<std::vector<std::string>> Repo::ref_names() const {
  GH_TRY(out, answer({"for-each-ref", "--format=%(refname:short)", "refs/heads", "refs/tags"},
                     private_place()));
  std::vector<std::string> names;
  for (std::string_view name : split(out, '\n'))
    if (!name.empty()) names.emplace_back(name);
  return names;
}

Result<std::vector<CommitSize>> Repo::commit_sizes(const ObjectId& from, std::int64_t count) const {
  GH_TRY(out, answer({"log", "--root", "--no-merges", "-z", "-M", "--numstat", "--no-ext-diff",
                      "--no-textconv", "--no-color", "--no-show-signature", "--no-notes",
                      "--format=%x01%H", fmt::format("--max-count={}", count), from.hex(), "--"},
                     private_place(), {}, kMaxListing));
  auto sizes = parse_log_numstat(out);
  if (!sizes) return fail(Code::git_failed, "git log: answer of unknown form");
  return *std::move(sizes);
}

Result<std::string> Repo::diff_trees(const ObjectId& from, const ObjectId& to,
                                     std::size_t max_bytes,
                                     const std::vector<std::string>& only) const {
  auto words = diff_words("diff-tree");
  words.push_back(from.hex());
  words.push_back(to.hex());
  words.emplace_back("--");
  for (const std::string& path : only)
    words.push_back(":(top,literal)" + path);
  return answer(words, private_place(), {}, max_bytes);
}

Result<std::string> Repo::rederive(const Quarantine& quarantine, const ObjectId& from,
                                   const ObjectId& to, std::size_t max_bytes) const {
  GH_TRY(place, place_of(quarantine));
  auto words = diff_words("diff-tree");
  words.push_back(from.hex());
  words.push_back(to.hex());
  return answer(words, place, {}, max_bytes);
}

namespace {

std::vector<std::string> sorted_names(std::string_view listing) {
  std::vector<std::string> paths;
  for (const std::string_view path : split(listing, '\0'))
    if (!path.empty()) paths.emplace_back(path);
  std::ranges::sort(paths);
  return paths;
}

}  // namespace

Result<std::vector<std::string>> Repo::changed_paths(const ObjectId& from,
                                                     const ObjectId& to) const {
  GH_TRY(out, answer({"diff-tree", "-r", "-z", "--name-only", "--no-renames",
                      "--ignore-submodules=none", from.hex(), to.hex()},
                     private_place(), {}, kMaxListing));
  return sorted_names(out);
}

Result<std::vector<std::string>> Repo::staged_paths(const ObjectId& head) const {
  GH_TRY(out, answer({"diff-index", "--cached", "-z", "--name-only", "--no-renames",
                      "--ignore-submodules=none", "--ita-invisible-in-index", head.hex()},
                     real_place(), {}, kMaxListing));
  return sorted_names(out);
}

Result<std::vector<TreeFile>> Repo::tree_files(const ObjectId& tree) const {
  GH_TRY(out, answer({"ls-tree", "-r", "-z", "--full-tree", tree.hex()}, private_place(), {},
                     kMaxListing));
  return parse_tree_files(out);
}

Result<std::vector<TreeFile>> Repo::tree_files_in(const Quarantine& quarantine,
                                                  const ObjectId& tree) const {
  GH_TRY(place, place_of(quarantine));
  GH_TRY(out, answer({"ls-tree", "-r", "-z", "--full-tree", tree.hex()}, place, {}, kMaxListing));
  return parse_tree_files(out);
}

Result<std::optional<ObjectId>> Repo::merge_base(const ObjectId& a, const ObjectId& b) const {
  GH_TRY(run, execute({"merge-base", a.hex(), b.hex()}, private_place()));
  if (run.exit_code == 1 && run.out.empty()) return std::nullopt;
  if (!run.ok()) return fail(Code::git_failed, "git merge-base: " + output_tail(run.err, root()));
  return ObjectId::parse(std::string_view(run.out).substr(0, run.out.find('\n')));
}

Result<std::int64_t> Repo::count_commits(const ObjectId& from, const ObjectId& to) const {
  GH_TRY(out, answer({"rev-list", "--count", from.hex() + ".." + to.hex()}, private_place()));
  return std::strtoll(out.c_str(), nullptr, 10);
}

Result<std::vector<ObjectId>> Repo::commits_touching(const ObjectId& from, const ObjectId& to,
                                                     const std::vector<std::string>& paths) const {
  std::vector<std::string> words{"--literal-pathspecs", "rev-list", from.hex() + ".." + to.hex(),
                                 "--"};
  words.insert(words.end(), paths.begin(), paths.end());
  GH_TRY(out, answer(words, private_place(), {}, kMaxListing));
  std::vector<ObjectId> commits;
  for (const std::string_view line : split(out, '\n'))
    if (const auto id = ObjectId::parse(line)) commits.push_back(*id);
  return commits;
}

Result<std::string> Repo::diff_staged(const ObjectId& head, std::size_t max_bytes,
                                      const std::vector<std::string>& without) const {
  auto words = diff_words("diff-index");
  words.emplace_back("--cached");
  words.emplace_back(
      "--ita-invisible-in-index");  // `git add -N` promises a file, a commit has none
  words.push_back(head.hex());
  add_pathspecs(words, without);
  return answer(words, real_place(), {}, max_bytes);
}

Result<std::string> Repo::diff_staged_of(const ObjectId& head, std::size_t max_bytes,
                                         const std::vector<std::string>& only) const {
  auto words = diff_words("diff-index");
  for (const char* word : {"--cached", "--ita-invisible-in-index"})
    words.emplace_back(word);
  words.push_back(head.hex());
  words.emplace_back("--");
  for (const std::string& path : only)
    words.push_back(":(top,literal)" + path);
  return answer(words, real_place(), {}, max_bytes);
}

std::vector<ObjectId> Repo::merge_heads() const {
  constexpr std::size_t kMaxMergeHeads = 1u << 16;
  std::vector<ObjectId> out;
  const auto text = sys::read_file(git_dir() + "/MERGE_HEAD", kMaxMergeHeads);
  if (text)
    for (const std::string_view line : split(*text, '\n'))
      if (const auto id = ObjectId::parse(line)) out.push_back(*id);
  return out;
}

}  // namespace gh::git
