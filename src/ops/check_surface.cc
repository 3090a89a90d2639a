#include "ops/check_surface.h"

#include <algorithm>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "ops/candidate_tree.h"
#include "ops/check_scope.h"
#include "ops/host_sides.h"
#include "ops/verify_manifests.h"
#include "powers/compare.h"
#include "report/host_diff.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

using Texts = std::vector<std::string>;

constexpr std::uint32_t kLink = 0120000;

/// Both sides of a change, with whatever they are read through.
struct Sides {
  std::optional<git::Commit> base{};
  Texts changed{};
  TreeListing was{}, is{};
  DiskListing disk{};
  std::optional<git::Quarantine> quarantine{};
  std::unique_ptr<git::Objects> objects{};
  std::unique_ptr<HostSide> hosts_before{}, hosts_after{};
  std::unique_ptr<VerifySide> before{}, after{};
  Texts before_places{}, after_places{};  // of manifests
};

/// Where the change began: what its base gained since is none of it.
Result<git::Commit> fork_of(PatchSession& session, const CheckTarget& target) {
  const bool is_range = target.kind == TargetKind::range;
  const std::string head = is_range ? target.head : session.head;
  if (target.is_patch() || head.empty() || head == session.base.id.hex()) return session.base;
  GH_TRY(tip, session.repo.objects().commit(head));
  GH_TRY(fork, session.repo.merge_base(session.base.id, tip.id));
  if (!fork)
    return fail(Code::ref_unresolved,
                "base and change have no commit in common here, so nobody can tell what the change "
                "does to what agents may do; a shallow clone needs 'git fetch --unshallow' first",
                "git fetch --unshallow");
  if (*fork == session.base.id) return session.base;
  return session.repo.objects().commit(fork->hex());
}

Texts links_of(const TreeListing& listing) {
  Texts out;
  for (const auto& [path, entry] : listing)
    if (entry.first == kLink) out.push_back(path);
  return out;
}

Texts places_in(const TreeListing& listing) {
  Texts out;
  for (const auto& entry : listing)
    if (is_manifest_place(entry.first)) out.push_back(entry.first);
  return out;
}

/// The work tree with all that git would track: what lies there takes effect, added or not.
Status open_disk(const SurfaceQuestion& q, Sides& sides) {
  git::Repo& repo = q.session.repo;
  GH_TRY(listing, listing_on_disk(repo));
  sides.disk = std::move(listing);
  const auto take = [&](const std::string& path) {
    if (is_manifest_place(path) &&
        sys::info(repo.root() + "/" + path).kind != sys::FileKind::missing)
      sides.after_places.push_back(path);
  };
  for (const git::StagedEntry& entry : sides.disk.tracked)
    take(entry.path);
  for (const std::string& path : sides.disk.others) {
    take(path);
    sides.changed.push_back(path);
  }
  sort_unique(sides.changed);
  sides.hosts_after = hosts_on_disk(repo.root(), sides.disk);
  sides.after = side_on_disk(repo, repo.root(), q.session.base.tree, sides.changed);
  return {};
}

Status open_tree(const SurfaceQuestion& q, Sides& sides, const ObjectId& tree) {
  git::Repo& repo = q.session.repo;
  GH_TRY(files,
         sides.quarantine ? repo.tree_files_in(*sides.quarantine, tree) : repo.tree_files(tree));
  sides.is = listing_of(std::move(files));
  sides.after_places = places_in(sides.is);
  git::Objects& objects = sides.objects ? *sides.objects : repo.objects();
  sides.hosts_after = hosts_in_tree(sides.is, objects);
  sides.after =
      side_of_tree(objects, tree, [links = links_of(sides.is)] { return Result<Texts>(links); });
  return {};
}

/// The tree that the target gives, where that is one.
Result<ObjectId> tree_after(const SurfaceQuestion& q, Sides& sides) {
  if (q.target.kind == TargetKind::range) return *q.target.tree;
  const bool is_staged = q.target.kind == TargetKind::staged;
  if (!is_staged && !q.outcome.candidate) return q.session.base.tree;  // nothing differs
  GH_TRY(quarantine, q.session.repo.quarantine());
  sides.quarantine = std::move(quarantine);
  std::optional<ObjectId> tree;
  if (is_staged) {
    GH_TRY(of_index, q.session.repo.tree_of_index_in(*sides.quarantine));
    tree = of_index;
  } else {
    GH_DO(write_candidate(q.session, *sides.quarantine, q.outcome));
    tree = q.outcome.candidate->tree;
  }
  GH_TRY(objects, q.session.repo.objects_in(*sides.quarantine));
  sides.objects = std::make_unique<git::Objects>(std::move(objects));
  return *tree;
}

Status open_sides(const SurfaceQuestion& q, Sides& sides) {
  git::Repo& repo = q.session.repo;
  GH_TRY(base, fork_of(q.session, q.target));
  sides.base = std::move(base);
  sides.changed = q.changed;
  GH_TRY(files, repo.tree_files(sides.base->tree));
  sides.was = listing_of(std::move(files));
  sides.before_places = places_in(sides.was);
  sides.hosts_before = hosts_in_tree(sides.was, repo.objects());
  sides.before = side_of_tree(repo.objects(), sides.base->tree,
                              [links = links_of(sides.was)] { return Result<Texts>(links); });
  if (q.target.kind == TargetKind::work_tree) return open_disk(q, sides);
  GH_TRY(tree, tree_after(q, sides));
  if (q.target.kind == TargetKind::range && sides.base->id != q.session.base.id) {
    GH_TRY(changed, repo.changed_paths(sides.base->tree, tree));
    sides.changed = std::move(changed);
  }
  return open_tree(q, sides, tree);
}

/// Paths that the target holds as a person let them in.
Result<std::set<std::string, std::less<>>> let_in_paths(const SurfaceQuestion& q) {
  GH_TRY(files, approved_in(q.session, q.target, q.approved));
  std::set<std::string, std::less<>> out;
  for (const ApprovedFile& file : files)
    out.insert(file.path);
  return out;
}

/// nullopt: hosts read the same before and after. `told` gets the files that rows are about.
Result<std::optional<GateAnswer>> compare_hosts(const Sides& sides,
                                                const std::set<std::string, std::less<>>& let_in,
                                                std::set<std::string>& told) {
  GH_TRY(found, host_files(*sides.hosts_before, *sides.hosts_after));
  if (found.changed == 0) return std::nullopt;
  const std::vector<powers::Row> rows = powers::compare(found.files);
  for (const powers::Row& row : rows)
    told.insert(row.place.path);
  return report::host_answer(rows, [&](std::string_view path) { return let_in.contains(path); });
}

void add(GateAnswer& all, GateAnswer one) {
  if (!all.part.ran || one.part.decision > all.part.decision) all.part = std::move(one.part);
  std::ranges::move(one.reasons, std::back_inserter(all.reasons));
}

Result<GateAnswer> judged(const SurfaceQuestion& q, Context& context, std::optional<Code>& fault) {
  Sides sides;
  GH_DO(open_sides(q, sides));
  GH_TRY(let_in, let_in_paths(q));
  GateAnswer out{.part = {.gate = "surface"}};
  std::set<std::string> told;
  if (auto hosts = compare_hosts(sides, let_in, told); !hosts) {
    if (!fault) fault = hosts.error().code;
    add(out, undecided("surface", hosts.error()));
  } else if (*hosts) {
    add(out, std::move(**hosts));
  }
  auto manifests = verify_manifests({.before = *sides.before,
                                     .after = *sides.after,
                                     .changed = sides.changed,
                                     .before_places = std::move(sides.before_places),
                                     .after_places = std::move(sides.after_places),
                                     .root = q.session.repo.root(),
                                     .told = std::move(told),
                                     .target_branch = q.target_branch,
                                     .today = to_string(context.env.now()).substr(0, 10)},
                                    fault);
  if (manifests) {
    const bool is_all_let_in =
        !sides.changed.empty() && std::ranges::all_of(sides.changed, [&](const std::string& path) {
          return let_in.contains(path);
        });
    if (is_all_let_in)
      manifests->part.decision = std::min(manifests->part.decision, Decision::review);
    add(out, std::move(*manifests));
  }
  if (!out.part.ran) out.part.why = "no manifest, and nothing is changed that agent hosts read";
  return out;
}

GateAnswer skipped(std::string_view why) {
  return {.part = {.gate = "surface", .why = std::string(why)}};
}

}  // namespace

GateAnswer judge_surface(const SurfaceQuestion& q, Context& context, std::optional<Code>& fault) {
  if (q.outcome.error) return skipped("the patch gate could not decide");
  if (q.target.is_patch() && !q.outcome.ok())
    return skipped("the patch gate did not allow the change");
  auto answer = judged(q, context, fault);
  if (answer) return std::move(*answer);
  if (!fault) fault = answer.error().code;
  return undecided("surface", answer.error());
}

}  // namespace gh::ops
