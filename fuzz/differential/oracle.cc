#include "fuzz/differential/oracle.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

namespace gh::fuzz {
namespace {

constexpr std::size_t kMaxOutput = 256u << 20;

/// The fuzzer itself cannot go on: no place, no git. Not a finding.
[[noreturn]] void give_up(const std::string& why) {
  std::fprintf(stderr, "differential_fuzz: %s\n", why.c_str());
  std::exit(4);
}

sys::TempDir scratch_folder() {
  for (const char* parent : {"/dev/shm", "/tmp"}) {
    auto folder = sys::TempDir::create(parent, "gatehouse-fuzz-");
    if (folder) return std::move(*folder);
  }
  give_up("no scratch folder");
}

void append_commit(std::string& stream, std::size_t number, const Tree& tree) {
  stream +=
      fmt::format("commit refs/heads/t{}\ncommitter T <t@example.org> 0 +0000\ndata 0\n", number);
  for (const auto& [path, entry] : tree) {
    if (entry.mode == FileMode::gitlink) {
      stream += fmt::format("M 160000 {} {}\n", entry.bytes, diff::quote(path));
    } else {
      stream += fmt::format("M {} inline {}\ndata {}\n{}\n", to_string(entry.mode),
                            diff::quote(path), entry.bytes.size(), entry.bytes);
    }
  }
}

std::string folder_of(std::size_t number) { return fmt::format("c{:05}", number); }

/// All patches of a batch as one, each below its own folder.
diff::Patch moved_apart(const std::vector<const Accepted*>& batch) {
  diff::Patch all;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    for (diff::Section section : batch[i]->patch.sections) {
      section.old_path = folder_of(i) + "/" + section.old_path;
      section.new_path = folder_of(i) + "/" + section.new_path;
      all.sections.push_back(std::move(section));
    }
  }
  return all;
}

/// `git apply --numstat -z` as the model expects it: canonical order, new names.
std::string numstat_of(const diff::Patch& patch) {
  std::vector<const diff::Section*> sorted;
  for (const diff::Section& s : patch.sections)
    sorted.push_back(&s);
  std::ranges::sort(sorted, {}, &diff::Section::new_path);
  std::string out;
  for (const diff::Section* s : sorted) {
    std::int64_t added = 0, deleted = 0;
    for (const diff::Hunk& hunk : s->hunks) {
      diff::for_each_line(hunk, [&](char kind, std::string_view, std::int64_t, bool) {
        added += kind == '+';
        deleted += kind == '-';
      });
    }
    out += fmt::format("{}\t{}\t{}", added, deleted, s->new_path) + '\0';
  }
  return out;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

}  // namespace

Oracle::Oracle() : scratch_(scratch_folder()), repo_(scratch_.path()) { must({"init", "-q", "."}); }

sys::Finished Oracle::git(const std::vector<std::string>& args, std::string_view input,
                          const std::string& index) {
  sys::Command command;
  command.argv = {"/usr/bin/git", "-c", "core.fsync=none", "-c", "gc.auto=0"};
  command.argv.insert(command.argv.end(), args.begin(), args.end());
  command.environment = {"PATH=/usr/bin:/bin",
                         "HOME=/nonexistent",
                         "LC_ALL=C",
                         "GIT_CONFIG_NOSYSTEM=1",
                         "GIT_CONFIG_GLOBAL=/dev/null",
                         "GIT_INDEX_FILE=" + repo_ + "/" + index};
  command.cwd = repo_;
  command.input = input;
  command.timeout = std::chrono::minutes(5);
  command.max_output = kMaxOutput;
  auto done = sys::run(command);
  if (!done) give_up(done.error().message);
  return std::move(*done);
}

std::string Oracle::must(const std::vector<std::string>& args, std::string_view input,
                         const std::string& index) {
  auto done = git(args, input, index);
  if (done.exit_code != 0) give_up("git " + args[0] + ": " + done.err);
  return std::move(done.out);
}

void Oracle::import(const Tree& base, const ObjectId& base_id, const std::vector<Tree>& edited) {
  std::string stream;
  append_commit(stream, 0, base);
  for (std::size_t i = 0; i < edited.size(); ++i)
    append_commit(stream, i + 1, edited[i]);
  must({"fast-import", "--quiet"}, stream);
  must({"read-tree", base_id.hex()});
  auto index = sys::read_file(repo_ + "/index", kMaxOutput);
  if (!index) give_up(index.error().message);
  base_index_ = std::move(*index);
  base_ = base_id;
}

std::vector<std::string> Oracle::diffs(const std::vector<ObjectId>& edited,
                                       const std::vector<std::string>& options) {
  std::vector<std::string> args = {"diff-tree", "--stdin", "-p", "-r"};
  args.insert(args.end(), options.begin(), options.end());
  std::string pairs;
  for (const ObjectId& id : edited)
    pairs += base_->hex() + " " + id.hex() + "\n";
  const std::string out = must(args, pairs);
  std::vector<std::string> patches;
  std::size_t at = 0;
  for (std::size_t i = 0; i < edited.size(); ++i) {
    const std::string title = base_->hex() + " " + edited[i].hex() + "\n";
    if (out.compare(at, title.size(), title) != 0) {  // nothing differs: git says nothing
      patches.emplace_back();
      continue;
    }
    at += title.size();
    const std::size_t next =
        std::min(out.find("\n" + base_->hex() + " ", at - 1), out.size() - 1) + 1;
    patches.push_back(out.substr(at, next - at));
    at = next;
  }
  return patches;
}

/// Why the batch as a whole is not what the model says; nothing when it is.
std::optional<std::string> Oracle::difference(const std::vector<const Accepted*>& batch) {
  const diff::Patch all = moved_apart(batch);
  const std::string canonical = diff::print_canonical(all);
  std::vector<TreeEntry> before, after;
  const ObjectId nothing = ObjectId::of(HashKind::sha1, "tree", "");
  for (std::size_t i = 0; i < batch.size(); ++i) {
    before.push_back({folder_of(i), FileMode::tree, *base_});
    if (batch[i]->tree != nothing) after.push_back({folder_of(i), FileMode::tree, batch[i]->tree});
  }
  std::string root = must({"hash-object", "-t", "tree", "-w", "--stdin"}, tree_bytes(before));
  must({"read-tree", first_line(root)}, {}, "batch");
  const auto applied = git({"apply", "--cached"}, canonical, "batch");
  if (applied.exit_code != 0) return "git refuses it: " + first_line(applied.err);
  if (must({"apply", "--numstat", "-z"}, canonical) != numstat_of(all)) return "numstat differs";
  const std::string written = first_line(must({"write-tree", "--missing-ok"}, {}, "batch"));
  if (written != ObjectId::of(HashKind::sha1, "tree", tree_bytes(after)).hex())
    return "git writes another tree";
  return std::nullopt;
}

std::vector<Disagreement> Oracle::compare(const std::vector<const Accepted*>& batch) {
  std::vector<Disagreement> found;
  std::vector<std::vector<const Accepted*>> open = {batch};
  while (!open.empty()) {
    const auto part = std::move(open.back());
    open.pop_back();
    if (part.empty()) continue;
    const auto why = difference(part);
    if (!why) continue;
    if (part.size() == 1) {
      found.push_back({part[0], *why});
      continue;
    }
    const auto middle = part.begin() + static_cast<std::ptrdiff_t>(part.size() / 2);
    open.emplace_back(part.begin(), middle);
    open.emplace_back(middle, part.end());
  }
  return found;
}

std::optional<std::string> Oracle::tree_after(std::string_view patch) {
  if (auto written = sys::write_file_atomic(repo_ + "/single", base_index_); !written)
    give_up(written.error().message);
  if (git({"apply", "--cached"}, patch, "single").exit_code != 0) return std::nullopt;
  return first_line(must({"write-tree", "--missing-ok"}, {}, "single"));
}

}  // namespace gh::fuzz
