// Refs of notes and our own, where they are pushed to. They hold no code; what they hold is
// believed by whoever reads it only as far as it proves itself.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/proposal_mirror.h"
#include "ops/push.h"
#include "ops/receipt_find.h"
#include "ops/receipt_notes.h"
#include "patch/gates.h"
#include "runs/receipt.h"
#include "runs/receipt_note.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

using hooks::RefMove;

constexpr std::size_t kMostNotes = 20'000;
constexpr std::string_view kOurs = "refs/gatehouse/";

/// A file of such a ref before and after.
struct Entry {
  std::string path, before, after;
};

Result<std::string> text_at(git::Repo& repo, const std::optional<ObjectId>& tree,
                            const std::string& path) {
  if (!tree) return std::string();
  GH_TRY(entry, patch::find_entry(repo.objects(), *tree, path));
  if (!entry || entry->mode == FileMode::tree) return std::string();
  return repo.objects().blob(entry->id);
}

/// What is wrong with the note of a commit; empty: nothing. A rebase copies notes also to commits
/// that came out otherwise; beside one that was given for the commit, others mislead nobody, and
/// may go again.
Result<std::string> note_defect(Push& push, const Entry& entry) {
  if (entry.after.size() > runs::kMaxNoteBytes) return std::string("is too large");
  const auto commit = commit_at(push.repo, entry.path);
  const auto is_bound = [&](const runs::NotedReceipt& one) -> Result<bool> {
    GH_TRY(facts, facts_of(push.repo, *commit, one.receipt));
    return runs::binding_of(one.receipt, facts) != runs::Binding::other;
  };
  const auto noted = runs::read_note(entry.after);
  std::set<std::string> digests;
  for (const runs::NotedReceipt& one : noted)
    digests.insert(one.digest);
  for (const runs::NotedReceipt& one : runs::read_note(entry.before)) {
    if (digests.contains(one.digest)) continue;
    GH_TRY(was_bound, commit ? is_bound(one) : Result<bool>(true));
    if (was_bound) return fmt::format("loses receipt {}", one.digest);
  }
  if (noted.empty()) return std::string("holds no receipt");
  if (!commit) return std::string();  // of a commit that is not here; nobody can be misled by it
  for (const runs::NotedReceipt& one : noted) {
    GH_TRY(holds, is_bound(one));
    if (holds) return std::string();
  }
  return fmt::format("holds {}, which was given for another change", noted.front().digest);
}

/// git spreads notes over folders or not, as it likes: a note is that of its commit, wherever it
/// lies. A path that names no object stands for itself.
std::string commit_named_by(const std::string& path) {
  std::string hex = path;
  std::erase(hex, '/');
  return ObjectId::parse(hex) ? hex : path;
}

Result<std::vector<Entry>> changed_notes(Push& push, const RefMove& move,
                                         const std::vector<std::string>& paths) {
  std::set<std::string> names;
  for (const std::string& path : paths)
    names.insert(commit_named_by(path));
  std::vector<Entry> out;
  for (const std::string& name : names) {
    const auto id = ObjectId::parse(name);
    if (!id) {
      out.push_back({name, {}, {}});
      continue;
    }
    Entry entry{name, {}, {}};
    if (move.before) {
      GH_TRY(before, note_of(push.repo, *id, move.before->hex()));
      entry.before = std::move(before);
    }
    GH_TRY(after, note_of(push.repo, *id, move.after->hex()));
    entry.after = std::move(after);
    if (entry.before != entry.after) out.push_back(std::move(entry));
  }
  return out;
}

/// What is wrong with a file of refs/gatehouse/receipts; empty: nothing.
Result<std::string> receipt_file_defect(Push&, const Entry& entry) {
  if (!entry.before.empty()) return std::string("is there already, and a receipt never changes");
  const auto document = wire::read_own_json(entry.after, "receipt");
  const Map* receipt = document ? document->as_map() : nullptr;
  if (receipt == nullptr) return std::string("is no receipt");
  std::string named = entry.path;
  if (named.ends_with(".json")) named.resize(named.size() - 5);
  const std::string digest = runs::receipt_digest(*receipt);
  return digest.substr(digest.find(':') + 1) == named.substr(named.rfind('/') + 1)
             ? std::string()
             : std::string("has another digest than its name says");
}

Result<std::vector<Entry>> changed_files(Push& push, const RefMove& move,
                                         const std::vector<std::string>& paths) {
  GH_TRY(after, push.repo.objects().commit(move.after->hex()));
  std::optional<ObjectId> from;
  if (move.before) {
    GH_TRY(before, push.repo.objects().commit(move.before->hex()));
    from = before.tree;
  }
  std::vector<Entry> out;
  for (const std::string& path : paths) {
    GH_TRY(before, text_at(push.repo, from, path));
    GH_TRY(text, text_at(push.repo, after.tree, path));
    out.push_back({path, std::move(before), std::move(text)});
  }
  return out;
}

struct Family {
  std::string_view ref;
  Result<std::vector<Entry>> (*changed)(Push&, const RefMove&, const std::vector<std::string>&);
  Result<std::string> (*defect)(Push&, const Entry&);
};
// table: refs_looked_into
constexpr std::array<Family, 2> kFamilies{
    {{kNotesRef, changed_notes, note_defect}, {kReceiptsRef, changed_files, receipt_file_defect}}};

Status look_into(Push& push, const RefMove& move, const Family& family) {
  GH_TRY(after, push.repo.objects().commit(move.after->hex()));
  std::optional<ObjectId> from;
  if (move.before) {
    GH_TRY(before, push.repo.objects().commit(move.before->hex()));
    from = before.tree;
  }
  GH_TRY(paths, push.repo.changed_paths(
                    from.value_or(ObjectId::of(push.repo.hash_kind(), "tree", "")), after.tree));
  if (paths.size() > kMostNotes)
    return fail(Code::document_too_large, fmt::format("more than {} notes at once", kMostNotes));
  GH_TRY(entries, family.changed(push, move, paths));
  for (const Entry& entry : entries) {
    GH_TRY(defect, family.defect(push, entry));
    if (defect.empty()) continue;
    refuse(push, move, "GH-BYPASS-001", fmt::format("{} {}", printable(entry.path, 120), defect),
           "fetch the ref, merge it (git notes merge -s cat_sort_uniq), and push again");
    return {};
  }
  return {};
}

}  // namespace

Status judge_own_ref(Push& push, const RefMove& move) {
  const auto family = std::ranges::find(kFamilies, move.ref, &Family::ref);
  const bool is_ours = move.ref.starts_with(kOurs) || family != kFamilies.end();
  if (!is_ours) return {};  // notes of others are theirs
  if (!move.after) {
    refuse(push, move, "GH-BYPASS-001", "it holds evidence and cannot be deleted by a push",
           "delete it on the server, if it must be");
    return {};
  }
  if (move.before) {
    GH_TRY(base, push.repo.merge_base(*move.before, *move.after));
    if (base != move.before) {
      refuse(push, move, "GH-BYPASS-001", "evidence would be lost: it is no fast-forward",
             "fetch the ref and merge it first");
      return {};
    }
  }
  return family == kFamilies.end() ? Status() : look_into(push, move, *family);
}

}  // namespace gh::ops
