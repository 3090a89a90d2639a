#include "ops/proposal_forecast.h"

#include <algorithm>

#include "base/text.h"
#include "proposal/conflicts.h"

namespace gh::ops {
namespace {

using proposal::ConflictKind;

constexpr int kMaxTrials = 50;  // pairs tried with git per arrival; beyond that hunks alone speak

/// Hunks tell what overlaps; only trying tells whether one order works all the same.
Result<ConflictKind> settled_kind(git::Repo& repo, const git::Commit& head,
                                  const proposal::Overlap& overlap, std::string_view a,
                                  std::string_view b) {
  GH_TRY(b_after_a, applies_after(repo, head, a, b));
  GH_TRY(a_after_b, applies_after(repo, head, b, a));
  if (!b_after_a || !a_after_b) return overlap.kind;
  return proposal::kind_of(overlap, *b_after_a, *a_after_b);
}

}  // namespace

Result<std::optional<bool>> applies_after(git::Repo& repo, const git::Commit& head,
                                          std::string_view first, std::string_view second) {
  GH_TRY(quarantine, repo.quarantine());
  GH_DO(repo.read_tree(quarantine, head.tree));
  GH_TRY(one, repo.apply_cached(quarantine, first));
  if (!one.ok()) return std::nullopt;
  GH_TRY(both, repo.apply_cached(quarantine, second));
  return both.ok();
}

Result<std::vector<store::ConflictRow>> forecast_conflicts(ProposalSession& session,
                                                           const Stored& stored) {
  const auto mine = diff::parse(stored.canonical, diff::Profile::git, diff::Position::exact);
  std::vector<store::ConflictRow> out;
  if (!mine) return out;
  GH_TRY(head, session.repo.objects().commit(stored.row.target_ref));
  std::vector<std::string> seen{stored.row.patch_id};
  int trials = 0;
  for (const std::string& file : stored.meta.affected_files) {
    GH_TRY(rows, session.ledger->proposals({.status = "proposed",
                                            .file = file,
                                            .target_ref = stored.row.target_ref,
                                            .limit = 500}));
    for (const store::ProposalRow& row : rows) {
      if (std::ranges::find(seen, row.patch_id) != seen.end()) continue;
      seen.push_back(row.patch_id);
      GH_TRY(canonical, session.ledger->blob(row.canonical_sha256));
      if (!canonical) continue;
      const auto theirs = diff::parse(*canonical, diff::Profile::git, diff::Position::exact);
      if (!theirs) continue;
      proposal::Overlap overlap = proposal::overlap_of(*mine, *theirs);
      if (overlap.kind == ConflictKind::none) continue;
      if (overlap.kind == ConflictKind::textual && trials++ < kMaxTrials) {
        GH_TRY(kind, settled_kind(session.repo, head, overlap, stored.canonical, *canonical));
        overlap.kind = kind;
      }
      const bool first = stored.row.patch_id < row.patch_id;
      out.push_back({.a = first ? stored.row.patch_id : row.patch_id,
                     .b = first ? row.patch_id : stored.row.patch_id,
                     .kind = std::string(to_string(overlap.kind)),
                     .paths = string_list(overlap.paths),
                     .computed_at_head = head.id.hex()});
    }
  }
  return out;
}

}  // namespace gh::ops
