#include "git/status_reader.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "git/children.h"
#include "git/tail.h"
#include "sys/tree_files.h"

namespace gh::git {
namespace {

using std::chrono::milliseconds;
using Words = std::vector<std::string>;

constexpr std::size_t kMaxListing = 256u << 20;
constexpr std::size_t kMaxIndexFile = 1u << 30;
/// Argument vectors end at about 2 MiB; beyond this git is asked about the whole repository.
constexpr std::size_t kMaxPathspecBytes = 512u << 10;
constexpr std::size_t kMaxPathspec = 64u << 10;  // Linux: 128 KiB for one argument
constexpr int kMaxDepth = 16;                    // submodules within submodules
constexpr std::string_view kOutsideMark = ":top:/";
constexpr std::string_view kGitlink = "160000";
constexpr std::uint32_t kGitlinkMode = 0160000, kLinkMode = 0120000;
constexpr std::size_t kMaxFileForId = 256u << 20;

/// What a repository says of its filters and of the line ends in its work tree.
Words settings_question() {
  return {"config", "-z", "--show-scope", "--get-regexp", R"(^(filter\..*|core\.(autocrlf|eol))$)"};
}

constexpr std::array<std::string_view, 3> kSettingsWords{"filter", "autocrlf", "eol"};

struct Settings {
  std::string filters{};  // keys, a NUL after each
  Words line_ends{};      // as words before a command
};

/// Of "scope NUL key LF value NUL" and so on. What the command line set is our own.
Settings settings_in(std::string_view listing) {
  Settings out;
  const std::vector<std::string_view> parts = split(listing, '\0');
  for (std::size_t i = 0; i + 1 < parts.size(); i += 2) {
    const std::string_view setting = parts[i + 1], key = setting.substr(0, setting.find('\n'));
    if (key.starts_with("filter."))
      (out.filters += key) += '\0';
    else if (parts[i] != "command" && key.size() < setting.size())
      out.line_ends.insert(out.line_ends.end(),
                           {"-c", fmt::format("{}={}", key, setting.substr(key.size() + 1))});
  }
  return out;
}

/// Overrules settings with which a repository could make git look away: stat data that leave out
/// what nobody can forge, and files that are on disk but said to be left out of a sparse checkout.
/// Line ends are read as the repository wants them: they are written so by every checkout.
Words open_eyed(const Words& line_ends, const Words& words) {
  Words out{"-c", "core.trustctime=true",     "-c", "core.checkStat=default",
            "-c", "core.sparseCheckout=true", "-c", "sparse.expectFilesOutsideOfPatterns=false"};
  out.insert(out.end(), line_ends.begin(), line_ends.end());
  out.insert(out.end(), words.begin(), words.end());
  return out;
}

Words status_words(const Words& line_ends, const Words& pathspecs) {
  // "dirty": git would look into submodules with their own configuration otherwise.
  Words words = open_eyed(line_ends, {"--literal-pathspecs", "status", "--porcelain=v2", "-z",
                                      "--untracked-files=all", "--no-renames", "--no-branch",
                                      "--no-show-stash", "--ignore-submodules=dirty", "--"});
  words.insert(words.end(), pathspecs.begin(), pathspecs.end());
  return words;
}

Words listing_words(const Words& pathspecs) {
  Words words{"--literal-pathspecs", "ls-files", "-v", "-s", "-z", "--"};
  words.insert(words.end(), pathspecs.begin(), pathspecs.end());
  return words;
}

Words diff_words(const Words& line_ends, const std::string& ref) {
  return open_eyed(line_ends, {"-c", "diff.autoRefreshIndex=true", "diff", "--no-renames", "-z",
                               "--name-only", "--no-ext-diff", "--no-textconv", "--no-relative",
                               "-O/dev/null", "--ignore-submodules=dirty", ref, "--"});
}

/// Literal, relative, and never out of the work tree.
bool is_askable(std::string_view path) {
  if (path.empty() || path.find('\0') != std::string_view::npos) return false;
  return std::ranges::none_of(split(path, '/'), [](std::string_view part) {
    return part.empty() || part == "." || part == "..";
  });
}

/// The paths of a question from the top level.
Result<Words> asked_paths(const DirtyQuestion& question) {
  Words out;
  for (std::string_view path : *question.paths) {
    while (path.ends_with('/'))
      path.remove_suffix(1);
    if (!is_askable(path))
      return fail(Code::bad_argument,
                  fmt::format("'{}' is no path below the root", printable(path, 400)));
    out.push_back(question.below.empty() ? std::string(path)
                                         : question.below + '/' + std::string(path));
  }
  return out;
}

bool fits_arguments(const Words& paths) {
  std::size_t bytes = 0;
  for (const std::string& path : paths) {
    if (path.size() > kMaxPathspec) return false;
    bytes += path.size() + 1 + sizeof(char*);
  }
  return bytes <= kMaxPathspecBytes;
}

/// Is `path`, or a folder that it is in, among `asked`?
bool is_asked_for(std::string_view path, const std::set<std::string, std::less<>>& asked) {
  for (std::size_t end = path.size(); end != std::string_view::npos && end > 0;
       end = path.rfind('/', end - 1))
    if (asked.contains(path.substr(0, end))) return true;
  return false;
}

bool is_below(std::string_view path, std::string_view folder) {
  return path.size() > folder.size() && path.starts_with(folder) && path[folder.size()] == '/';
}

/// The same, quickly where few are asked for: every path of a large index is put to it.
bool is_among(std::string_view path, const std::set<std::string, std::less<>>& asked) {
  constexpr std::size_t kFew = 16;
  if (asked.size() > kFew) return is_asked_for(path, asked);
  return std::ranges::any_of(
      asked, [&](const std::string& entry) { return path == entry || is_below(path, entry); });
}

/// The path as the root `below` sees it.
std::string seen_from(const std::string& below, const std::string& top_path) {
  if (below.empty()) return top_path;
  if (is_below(top_path, below)) return top_path.substr(below.size() + 1);
  return std::string(kOutsideMark) + top_path;
}

/// A path that is gone from the index but still on disk has two records, "D." and "??".
void merge_same_paths(std::vector<DirtyPath>& paths) {
  std::ranges::stable_sort(paths, {}, &DirtyPath::top_path);
  std::vector<DirtyPath> out;
  for (DirtyPath& path : paths) {
    if (out.empty() || out.back().top_path != path.top_path) {
      out.push_back(std::move(path));
      continue;
    }
    DirtyPath& tracked = out.back().status_xy == "??" ? path : out.back();
    const DirtyPath& other = out.back().status_xy == "??" ? out.back() : path;
    if (other.status_xy == "??") tracked.status_xy[1] = '?';
    tracked.is_submodule = tracked.is_submodule || other.is_submodule;
    if (&tracked == &path) out.back() = std::move(path);
  }
  paths = std::move(out);
}

/// To the nanosecond, which git does not look at.
bool is_known_again(const IndexedFile& file, const sys::FileInfo& now) {
  constexpr std::int64_t kNano = 1'000'000'000;
  const auto cut = [](std::int64_t n) { return static_cast<std::uint32_t>(n); };
  return file.ctime_s == cut(now.ctime_ns / kNano) && file.ctime_ns == cut(now.ctime_ns % kNano) &&
         file.mtime_s == cut(now.mtime_ns / kNano) && file.mtime_ns == cut(now.mtime_ns % kNano) &&
         file.inode == static_cast<std::uint32_t>(now.inode) && file.size == cut(now.size);
}

/// False also where it cannot be read.
bool is_same_content(const std::string& root, const IndexedFile& file) {
  const auto now = sys::read_tree_file(root, file.path, kMaxFileForId);
  const auto id = ObjectId::parse(file.id);
  return now && id && ObjectId::of(id->kind(), "blob", now->bytes) == *id;
}

std::string nul_separated(const std::vector<IndexNote>& notes) {
  std::string out;
  for (const IndexNote& note : notes)
    if (note.is_assumed_unchanged) (out += note.path) += '\0';
  return out;
}

}  // namespace

bool is_diff_ref(std::string_view ref) {
  constexpr std::string_view kPunctuation = "._/@{}^~+-";
  if (ref.empty() || ref.front() == '-' || ref.front() == '.' || ref.front() == '/') return false;
  return std::ranges::all_of(ref, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPunctuation.find(c) != std::string_view::npos;
  });
}

milliseconds StatusReader::time_left() const {
  const auto left = std::chrono::duration_cast<milliseconds>(deadline_ - Clock::now());
  return std::max(left, milliseconds(1));
}

Result<sys::Running> StatusReader::start(const Words& words, const Surroundings& place) const {
  sys::Command command = command_of(git_, arguments_of(words), place, found_.root, time_left());
  command.max_output = kMaxListing;
  return or_git_not_found(sys::Running::start(command));
}

Result<std::string> StatusReader::answer_of(sys::Running& running, std::string_view name) const {
  GH_TRY(done, running.wait());
  if (done.timed_out)
    return fail(Code::git_failed, fmt::format("git {}: no answer within the time limit", name));
  if (done.exit_code != 0)
    return fail(Code::git_failed,
                fmt::format("git {}: {}", name, printable(output_tail(done.err, root()), 400)));
  if (done.output_cut)
    return fail(Code::document_too_large,
                fmt::format("git {} answered with more than {} bytes", name, kMaxListing));
  return std::move(done.out);
}

Result<std::string> StatusReader::answer(const Words& words, const Surroundings& place,
                                         std::string_view input) const {
  const auto name = std::ranges::find_if(words, [](const std::string& word) {
    return !word.starts_with('-') && word.find('=') == std::string::npos;
  });
  sys::Command command = command_of(git_, arguments_of(words), place, found_.root, time_left());
  command.max_output = kMaxListing;
  command.input = input;
  GH_TRY(running, or_git_not_found(sys::Running::start(command)));
  return answer_of(running, *name);
}

Result<StatusReader::Place> StatusReader::real_place() const {
  if (!may_be_set(found_, kSettingsWords))
    return Place{with_filters_overruled(real_place_of(found_, git_, empty_folder_), {}), {}};
  GH_TRY(running, start(settings_question(), private_place_of(found_, git_, empty_folder_)));
  GH_TRY(done, running.wait());
  if (done.exit_code > 1 || done.timed_out || done.output_cut)
    return fail(Code::git_failed, fmt::format("git config: {}", output_tail(done.err, root())));
  Settings settings = settings_in(done.out);
  return Place{with_filters_overruled(real_place_of(found_, git_, empty_folder_), settings.filters),
               std::move(settings.line_ends)};
}

/// Of all entries where we can read them, else of those that `pathspecs` name.
Result<std::vector<IndexNote>> StatusReader::index_notes(const Surroundings& place,
                                                         const Words& pathspecs) const {
  if (ids_) {
    const auto bytes = sys::read_file(place.index_file, kMaxIndexFile);
    auto notes = bytes ? notes_in_index(*bytes, *ids_) : std::nullopt;
    if (notes) return std::move(*notes);
  }
  GH_TRY(listing, answer(listing_words(pathspecs), place));
  return parse_index_notes(listing);
}

/// Entries that somebody marked as unchanged are compared all the same: in a copy of the index
/// without the marks.
Result<StatusReader::Index> StatusReader::honest_index(Surroundings place,
                                                       std::vector<IndexNote> notes) const {
  const std::string marked = nul_separated(notes);
  std::erase_if(notes, [](const IndexNote& note) { return note.mode != kGitlink; });
  if (marked.empty()) return Index{.place = std::move(place), .submodules = std::move(notes)};
  GH_TRY(out, copied_index(std::move(place),
                           {"update-index", "-z", "--no-assume-unchanged", "--stdin"}, marked));
  out.submodules = std::move(notes);
  return std::move(out);
}

Result<StatusReader::Index> StatusReader::copied_index(Surroundings place, const Words& words,
                                                       std::string_view input) const {
  Index out{.place = std::move(place)};
  GH_TRY(folder, sys::TempDir::create(scratch_, "q-"));
  GH_TRY(bytes, sys::read_file(out.place.index_file, kMaxIndexFile));
  out.place.index_file = folder.path() + "/index";
  GH_DO(sys::write_scratch_file(out.place.index_file, bytes));
  GH_TRY(nothing, answer(words, out.place, input));
  (void)nothing;
  out.copy = std::move(folder);
  return out;
}

Result<std::vector<IndexedFile>> StatusReader::indexed_files(const Surroundings& place,
                                                             const WantedFile& wanted) const {
  if (ids_) {
    const auto bytes = sys::read_file(place.index_file, kMaxIndexFile);
    auto files = bytes ? files_in_index(*bytes, *ids_, wanted) : std::nullopt;
    if (files) return std::move(*files);
  }
  GH_TRY(listing, answer({"ls-files", "-s", "-z"}, place));
  GH_TRY(entries, parse_staged(listing));
  std::vector<IndexedFile> out;  // without stat data: nobody knows these files again
  for (const StagedEntry& entry : entries)
    if (entry.stage == 0 && wanted(entry.path, entry.mode))
      out.push_back(
          {.path = entry.path, .mode = fmt::format("{:06o}", entry.mode), .id = entry.id.hex()});
  return out;
}

Result<std::vector<std::string>> StatusReader::ignored(const Words& paths) const {
  Words words{"--literal-pathspecs", "ls-files",           "-z", "--others",
              "--ignored",           "--exclude-standard", "--"};
  const std::set<std::string, std::less<>> asked(paths.begin(), paths.end());
  if (fits_arguments(paths)) words.insert(words.end(), asked.begin(), asked.end());
  GH_TRY(place, real_place());
  GH_TRY(listing, answer(words, place.where));
  Words out;
  for (const std::string_view path : split(listing, '\0'))
    if (asked.contains(path)) out.emplace_back(path);
  return out;
}

Result<std::vector<std::string>> StatusReader::links() const {
  GH_TRY(place, real_place());
  GH_TRY(files, indexed_files(place.where, [](std::string_view, std::uint32_t mode) {
           return mode == kLinkMode;
         }));
  Words out;
  for (IndexedFile& file : files)
    out.push_back(std::move(file.path));
  return out;
}

Result<std::vector<DirtyPath>> StatusReader::overlooked(const Words& scope,
                                                        const std::vector<DirtyPath>& known) const {
  std::set<std::string, std::less<>> asked, told;
  for (const std::string& path : scope)
    if (is_askable(path)) asked.insert(path);
  for (const DirtyPath& path : known)
    told.insert(path.top_path);
  GH_TRY(place, real_place());
  GH_TRY(files, indexed_files(place.where, [&](std::string_view path, std::uint32_t mode) {
           return mode != kGitlinkMode && is_among(path, asked) && !told.contains(path);
         }));
  std::erase_if(files, [&](const IndexedFile& file) {
    const sys::FileInfo now = sys::info(root() + '/' + file.path);
    if (now.kind == sys::FileKind::missing) return true;  // git would have told
    return (!asked.contains(file.path) && is_known_again(file, now)) ||
           is_same_content(root(), file);
  });
  if (files.empty()) return std::vector<DirtyPath>{};
  // Filters and line ends are git's business: it looks again, and knows none of these files.
  Words pathspecs;
  std::string entries;
  for (const IndexedFile& file : files) {
    pathspecs.push_back(file.path);
    (entries += fmt::format("{} {} 0\t{}", file.mode, file.id, file.path)) += '\0';
  }
  GH_TRY(index,
         copied_index(std::move(place.where), {"update-index", "-z", "--index-info"}, entries));
  GH_TRY(out, answer(status_words(place.line_ends, fits_arguments(pathspecs) ? pathspecs : Words{}),
                     index.place));
  GH_TRY(dirty, parse_status(out));
  std::erase_if(dirty, [&](const DirtyPath& path) {
    return !std::ranges::binary_search(pathspecs, path.top_path);
  });
  return std::move(dirty);
}

Result<bool> StatusReader::is_dirty_inside(const std::string& path) const {
  const auto seen = sys::read_tree_file(root(), path, 0);
  const std::string folder = root() + '/' + path;
  if (!seen || seen->kind != sys::TreeFileKind::other ||
      sys::info(folder).kind != sys::FileKind::folder)
    return false;  // not what the index says: git itself tells
  if (sys::info(folder + "/.git").kind == sys::FileKind::missing) {
    GH_TRY(names, sys::list_folder(folder));
    return !names.empty();  // git shows nothing of files in a submodule that was not fetched
  }
  const auto nested = inside(path);
  if (!nested) return true;
  if (nested->depth_ > kMaxDepth)
    return fail(Code::git_failed,
                fmt::format("more than {} submodules within each other", kMaxDepth));
  GH_TRY(dirty, nested->dirty_paths({}));
  return !dirty.empty();
}

Result<std::vector<DirtyPath>> StatusReader::dirty_submodules(
    const std::vector<IndexNote>& submodules) const {
  std::vector<DirtyPath> out;
  for (const IndexNote& note : submodules) {
    GH_TRY(dirty, is_dirty_inside(note.path));
    if (!dirty) continue;
    out.push_back({.path = note.path,
                   .top_path = note.path,
                   .status_xy = ".M",
                   .index_mode = note.mode,
                   .index_id = note.id,
                   .is_submodule = true});
  }
  return out;
}

Result<std::vector<DirtyPath>> StatusReader::ask_status(const Words& pathspecs) const {
  GH_TRY(place, real_place());
  // Side by side: marks are found in no time, and hardly ever change what status has to be asked.
  const Words question = status_words(place.line_ends, pathspecs);
  GH_TRY(status, start(question, place.where));
  GH_TRY(notes, index_notes(place.where, pathspecs));
  if (!pathspecs.empty()) {
    const std::set<std::string, std::less<>> asked(pathspecs.begin(), pathspecs.end());
    std::erase_if(notes, [&](const IndexNote& note) { return !is_asked_for(note.path, asked); });
  }
  GH_TRY(index, honest_index(std::move(place.where), std::move(notes)));
  GH_TRY(out, index.copy ? answer(question, index.place) : answer_of(status, "status"));
  GH_TRY(dirty, parse_status(out));
  GH_TRY(more, dirty_submodules(index.submodules));
  for (DirtyPath& path : more)
    if (std::ranges::find(dirty, path.top_path, &DirtyPath::top_path) == dirty.end())
      dirty.push_back(std::move(path));
  return std::move(dirty);
}

/// git leaves out only folders named .git; a git folder may have another name.
bool StatusReader::is_own_state(std::string_view path) const {
  for (const std::string& folder : {found_.git_dir, found_.common_dir}) {
    if (!is_below(folder, root())) continue;
    const std::string_view own = std::string_view(folder).substr(root().size() + 1);
    if (path == own || is_below(path, own)) return true;
  }
  return false;
}

Result<std::vector<DirtyPath>> StatusReader::dirty_paths(const DirtyQuestion& question) const {
  if (found_.bare || (question.paths && question.paths->empty())) return std::vector<DirtyPath>{};
  if (!question.below.empty() && !is_askable(question.below))
    return fail(Code::bad_argument, fmt::format("'{}' is no folder below the top level",
                                                printable(question.below, 400)));
  Words pathspecs;
  std::set<std::string, std::less<>> asked;
  if (question.paths) {
    GH_TRY(paths, asked_paths(question));
    asked.insert(paths.begin(), paths.end());
    if (fits_arguments(paths)) pathspecs.assign(asked.begin(), asked.end());
  }
  GH_TRY(dirty, ask_status(pathspecs));
  std::erase_if(dirty, [&](const DirtyPath& path) {
    return is_own_state(path.top_path) || (question.paths && !is_asked_for(path.top_path, asked));
  });
  merge_same_paths(dirty);
  if (question.below.empty()) return std::move(dirty);
  for (DirtyPath& path : dirty) {
    path.path = seen_from(question.below, path.top_path);
    path.is_outside = !is_below(path.top_path, question.below);
  }
  std::ranges::sort(dirty);
  return std::move(dirty);
}

Result<ChangedPaths> StatusReader::changed_against(const std::string& ref,
                                                   const std::string& below) const {
  if (!is_diff_ref(ref))
    return fail(Code::git_ref_invalid,
                fmt::format("'{}' has not the form of a revision or range", printable(ref)));
  const auto failed = [&](const Error& error) {
    return fail(Code::git_diff_failed,
                fmt::format("no comparison with '{}': {}", printable(ref), error.message));
  };
  GH_TRY(place, real_place());
  // Some names stand for several commits without looking so ("HEAD^-", "HEAD^@").
  const auto named = answer({"rev-parse", "--revs-only", ref}, place.where);
  if (!named) return failed(named.error());
  ChangedPaths out;
  out.includes_work_tree = std::ranges::count(*named, '\n') == 1;
  GH_TRY(notes, index_notes(place.where, {}));
  GH_TRY(index, honest_index(std::move(place.where), std::move(notes)));
  const auto listed = answer(diff_words(place.line_ends, ref), index.place);
  if (!listed) return failed(listed.error());
  for (const std::string_view path : split(*listed, '\0'))
    if (!path.empty()) out.paths.push_back(seen_from(below, std::string(path)));
  if (out.includes_work_tree) {
    GH_TRY(submodules, dirty_submodules(index.submodules));
    for (const DirtyPath& path : submodules)
      out.paths.push_back(seen_from(below, path.top_path));
  }
  sort_unique(out.paths);
  return out;
}

Result<std::vector<DirtyPath>> StatusReader::dirty_within(const std::string& path,
                                                          const std::string& base,
                                                          const Words& wanted) const {
  std::vector<DirtyPath> out;
  const auto add = [&](const std::string& file, std::string_view xy) {
    if (std::ranges::find(out, file, &DirtyPath::top_path) == out.end())
      out.push_back({.path = file, .top_path = file, .status_xy = std::string(xy)});
  };
  const auto add_all_of = [&](const std::string& folder) {
    for (const std::string& file : wanted)
      if (is_below(file, folder) && sys::info(root() + '/' + file).kind != sys::FileKind::missing)
        add(file, "??");
  };
  const auto nested = base.empty() ? std::nullopt : inside(path);
  const auto changed = nested ? nested->changed_against(base, {}) : Result<ChangedPaths>{};
  if (!nested || !changed) {
    add_all_of(path);
    return out;
  }
  GH_TRY(dirty, nested->dirty_paths({}));
  const auto look_at = [&](const std::string& name, std::string_view xy) {
    const std::string file = path + '/' + name;
    if (std::ranges::any_of(wanted, [&](const std::string& entry) {
          return file == entry || is_below(file, entry);
        }))
      add(file, xy);
    else
      add_all_of(file);  // a repository further in, when anything is wanted of it
  };
  for (const DirtyPath& file : dirty)
    look_at(file.top_path, file.status_xy);
  for (const std::string& file : changed->paths)
    look_at(file, ".M");
  return out;
}

std::optional<StatusReader> StatusReader::inside(const std::string& path) const {
  auto found = discover(root() + '/' + path);
  if (!found || found->bare || found->root != root() + '/' + path) return std::nullopt;
  StatusReader out(*std::move(found), git_, empty_folder_, scratch_, deadline_);
  out.depth_ = depth_ + 1;
  return out;
}

Result<std::string> StatusReader::head() const {
  GH_TRY(running, start({"rev-parse", "--verify", "--quiet", "HEAD"},
                        private_place_of(found_, git_, empty_folder_)));
  GH_TRY(done, running.wait());
  if (done.timed_out || done.exit_code > 1)
    return fail(Code::git_failed, fmt::format("git rev-parse: {}", output_tail(done.err, root())));
  return done.exit_code == 0 ? done.out.substr(0, done.out.find('\n')) : std::string();
}

}  // namespace gh::git
