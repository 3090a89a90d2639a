#include "runs/receipt_binding.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/digest.h"
#include "base/text.h"
#include "model/peek.h"

namespace gh::runs {
namespace {

// table: receipt bindings
constexpr std::array<std::string_view, 3> kBindings{"exact", "rebound", "other"};

struct KindRow {
  std::string_view kind;
  bool survives_rewriting;  // the same patch on another base is still what was judged
};
// table: kinds of receipts that survive a rebase
constexpr std::array<KindRow, 4> kKinds{{
    {"change", true},
    {"patch", true},
    {"promotion", false},
    {"release", false},
}};

// table: lines of a diff that say what is changed
constexpr std::array<std::string_view, 8> kTelling{
    "+",         "-",        "\\ ", "diff --git ", "new file mode ", "deleted file mode ",
    "old mode ", "new mode "};

bool tells(std::string_view line) {
  return std::ranges::any_of(kTelling,
                             [&](std::string_view start) { return line.starts_with(start); });
}

std::string text(const Peek& value) { return std::string(value.text()); }

std::vector<std::string> texts(const List& list) {
  std::vector<std::string> out;
  for (const Value& item : list)
    out.push_back(text(Peek(item)));
  return out;
}

bool survives_rewriting(const Peek& receipt) {
  const auto* row = std::ranges::find(kKinds, receipt["kind"].text(), &KindRow::kind);
  return row != kKinds.end() && row->survives_rewriting;
}

/// A commit on the base, or a merge that brings the result in as it was. What was judged before it
/// met the other side of a merge must be merged into its base: elsewhere the same tree undoes what
/// that side had.
bool is_exact(const Peek& receipt, const CommitFacts& commit) {
  const std::string result = text(receipt["subject"]["tree"]);
  const std::string base = text(receipt["subject"]["base"]);
  if (commit.parents.size() == 2)
    return !result.empty() && commit.tree == result &&
           (!survives_rewriting(receipt) || commit.parents[0] == base);
  const std::string candidate = text(receipt["inputs"]["candidate_tree"]);
  const std::string& wanted = candidate.empty() ? result : candidate;
  return !wanted.empty() && commit.tree == wanted && commit.parents == std::vector{base};
}

/// As the receipt has them; none where it has none.
std::vector<BlobChange> blobs_in(const Peek& receipt) {
  const List& of_change = receipt["inputs"][kChangedBlobs].list();
  std::vector<BlobChange> out;
  for (const Value& file : of_change.empty() ? receipt["body"]["paths"].list() : of_change)
    out.push_back({text(Peek(file)["path"]), text(Peek(file)["old_blob"]),
                   text(Peek(file)["new_blob"]), texts(Peek(file)["places"].list())});
  return out;
}

bool are_counted(const std::vector<std::string>& places) {
  return std::ranges::find(places, kNoPlace) == places.end();
}

Value id_or_null(const std::string& id) { return id.empty() ? Value() : Value(id); }

}  // namespace

List changed_blobs(const std::vector<BlobChange>& blobs) {
  List out;
  for (const BlobChange& blob : blobs) {
    Map file{{"path", blob.path},
             {"old_blob", id_or_null(blob.before)},
             {"new_blob", id_or_null(blob.after)}};
    if (!blob.places.empty()) file.set("places", string_list(blob.places));
    out.emplace_back(std::move(file));
  }
  return out;
}

bool has_same_places(const std::vector<BlobChange>& judged, const std::vector<BlobChange>& now) {
  std::map<std::string_view, const BlobChange*> by_path;
  for (const BlobChange& blob : judged)
    by_path.emplace(blob.path, &blob);
  return std::ranges::all_of(now, [&](const BlobChange& blob) {
    const auto at = by_path.find(blob.path);
    if (at == by_path.end()) return false;
    const BlobChange& then = *at->second;
    if (then.before == blob.before) return then.after == blob.after;
    return then.places == blob.places && are_counted(blob.places);
  });
}

std::string changed_lines_sha256(std::string_view diff) {
  std::string told;
  for (const std::string_view line : split(diff, '\n'))
    if (tells(line)) told.append(line).push_back('\n');
  return digest_of(told).hex();
}

std::string_view to_string(Binding binding) { return kBindings[static_cast<std::size_t>(binding)]; }

Binding binding_of(const Map& receipt, const CommitFacts& commit) {
  const Value whole(receipt);
  const Peek r(whole);
  if (is_exact(r, commit)) return Binding::exact;
  if (!survives_rewriting(r)) return Binding::other;
  // On its own base the tree tells; the same lines at another place are another change.
  if (commit.parents == std::vector{text(r["subject"]["base"])}) return Binding::other;
  const std::string id = text(r["inputs"]["stable_patch_id"]);
  const std::string lines = text(r["inputs"]["changed_lines_sha256"]);
  const std::vector<BlobChange> blobs = blobs_in(r);
  const bool is_same = std::ranges::any_of(commit.patches, [&](const PatchFacts& patch) {
    return !id.empty() && patch.stable_id == id && (lines.empty() || patch.lines_sha256 == lines) &&
           (blobs.empty() || has_same_places(blobs, patch.blobs));
  });
  return is_same ? Binding::rebound : Binding::other;
}

}  // namespace gh::runs
