#include "ops/receipt_notes.h"

#include <fmt/format.h>

#include "patch/gates.h"
#include "runs/receipt_note.h"

namespace gh::ops {
namespace {

constexpr int kTries = 20;
constexpr std::string_view kSubject = "Notes added by 'gatehouse receipt attach'";

/// git spreads notes over folders when there are many: abc..., ab/c..., ab/cd/...
std::vector<std::string> places_of(const ObjectId& commit) {
  const std::string hex = commit.hex();
  return {fmt::format("{}/{}", hex.substr(0, 2), hex.substr(2)), hex,
          fmt::format("{}/{}/{}", hex.substr(0, 2), hex.substr(2, 2), hex.substr(4))};
}

struct Note {
  std::optional<ObjectId> parent{};  // of the next commit of notes; none: there are no notes yet
  std::string place{}, text{};
};

Result<Note> read(git::Repo& repo, const ObjectId& commit, const std::string& at = {}) {
  const std::vector<std::string> places = places_of(commit);
  Note out{.place = places.front()};
  const auto notes = repo.objects().commit(at.empty() ? std::string(kNotesRef) : at);
  if (!notes) return out;
  out.parent = notes->id;
  for (const std::string& place : places) {
    GH_TRY(entry, patch::find_entry(repo.objects(), notes->tree, place));
    if (!entry || entry->mode == FileMode::tree) continue;
    GH_TRY(bytes, repo.objects().blob(entry->id));
    if (bytes.size() > runs::kMaxNoteBytes)
      return fail(Code::conflict, fmt::format("the note of commit {} is too large", commit.hex()));
    out.place = place;
    out.text = std::move(bytes);
    return out;
  }
  return out;
}

}  // namespace

Result<std::string> note_of(git::Repo& repo, const ObjectId& commit, const std::string& notes) {
  return read(repo, commit, notes).map([](Note note) { return std::move(note.text); });
}

Status attach_receipt(git::Repo& repo, const ObjectId& commit, const Map& receipt, bool rebound,
                      Timestamp now, const std::vector<std::string>& strangers) {
  const git::Identity who{.name = "Gatehouse", .email = "gatehouse@localhost"};
  for (int tries = 0; tries < kTries; ++tries) {
    GH_TRY(note, read(repo, commit));
    std::string text = runs::note_with(note.text, receipt, rebound, strangers);
    if (text == note.text) return {};
    const git::ImportedCommit made{.ref = std::string(kNotesRef),
                                   .message = fmt::format("{}\n", kSubject),
                                   .parent = note.parent,
                                   .files = {{note.place, std::move(text)}}};
    GH_TRY(moved, repo.import_commits({made}, who, now));
    if (moved == git::RefUpdate::done) return {};
  }
  return fail(Code::conflict, fmt::format("{} is written by others all the time", kNotesRef));
}

}  // namespace gh::ops
