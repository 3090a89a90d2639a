#include "ops/change_receipt.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/digest.h"
#include "base/product.h"
#include "base/text.h"
#include "control/intent_record.h"
#include "control/receipt_body.h"
#include "control/scope_paths.h"
#include "diff/patch.h"
#include "model/actor.h"
#include "model/peek.h"
#include "ops/change_text.h"
#include "ops/members.h"
#include "ops/receipt_find.h"
#include "ops/signing.h"
#include "patch/touched_tree.h"
#include "policy/control_policy.h"
#include "policy/glob.h"
#include "runs/receipt.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxDiffBytes = 256u << 20;
constexpr std::size_t kWholeSession = 24, kShownSession = 8;

/// A name stays whole; of the long id of a conversation the beginning is enough.
std::string short_session(const Intent& intent) {
  const std::string session = intent.owner ? intent.owner->session_id : std::string();
  if (session.empty()) return fmt::to_string(intent.agent_pid);
  return printable(session.size() <= kWholeSession ? session : session.substr(0, kShownSession),
                   4 * kWholeSession);
}

Value text_or_null(const std::string& text) { return text.empty() ? Value() : Value(text); }

/// Shown in another form than git has it.
bool is_escaped(const std::string& path) { return path.find("\\x") != std::string::npos; }

/// Files that differ from the base, on both sides.
struct Sides {
  std::vector<git::IndexEntry> before{}, now{};
  std::vector<git::WorkFile> files{};  // all of them, as they were read
  bool is_known = true;
};

Result<Sides> sides_of(const git::Repo& repo, patch::TouchedTree& tree,
                       const std::vector<std::string>& paths) {
  Sides out{.files = git::ids_of_files(repo, paths)};
  for (const git::WorkFile& file : out.files) {
    GH_TRY(found, tree.find(file.path));
    const std::optional<TreeEntry>& then = found.entry;
    const bool is_whole_file =
        !then || (then->mode != FileMode::gitlink && then->mode != FileMode::tree);
    if (file.is_unreadable || !is_whole_file) return Sides{.is_known = false};
    const bool is_there = file.mode && file.id;
    if (is_there && then && then->mode == *file.mode && then->id == *file.id) continue;
    if (then) out.before.push_back({file.path, then->mode, then->id});
    if (is_there) out.now.push_back({file.path, *file.mode, *file.id});
  }
  return out;
}

Result<std::vector<std::string>> differing(const git::Repo& repo, patch::TouchedTree& tree,
                                           const std::vector<std::string>& paths) {
  std::vector<std::string> names, out;
  for (const std::string& path : paths)
    names.push_back(control::bytes_of_path(path));
  for (const git::WorkFile& file : git::ids_of_files(repo, names)) {
    GH_TRY(found, tree.find(file.path));
    const std::optional<TreeEntry>& then = found.entry;
    const bool is_there = file.mode && file.id;
    const bool is_same = !file.is_unreadable && is_there == then.has_value() &&
                         (!is_there || (then->mode == *file.mode && then->id == *file.id));
    if (!is_same) out.push_back(control::path_from_git(file.path));
  }
  std::ranges::sort(out);
  return out;
}

/// What is dirty must be named (hygiene); what was committed meanwhile looks clean, or like the
/// base where the work tree took it back. Counted from where the change began, also where that
/// commit was amended or rebased away since.
Status add_committed(ChangeSession& session, const Intent& intent, const std::string& base,
                     const std::vector<std::string>& named, ChangeBinding& out) {
  const std::string began = base_commit_of(intent);
  const bool is_kept =
      !is_isolated(intent) && !began.empty() && session.repo.objects().commit(began);
  GH_TRY(from, session.repo.objects().commit(is_kept ? began : base));
  GH_TRY(head, session.repo.objects().commit("HEAD"));
  if (from.id == head.id) return {};
  GH_TRY(changed, session.repo.changed_paths(from.id, head.id));
  for (const std::string& name : changed) {
    std::string path = control::path_from_git(name);
    const auto covers = [&](const std::string& entry) {
      return policy::matches_prefix(path, entry);
    };
    const bool is_declared = std::ranges::any_of(intent.scope.allowed_files, covers) ||
                             std::ranges::any_of(intent.scope.allowed_related, covers);
    if (std::ranges::find(named, path) != named.end()) continue;
    (is_declared ? out.unnamed : out.undeclared).push_back(std::move(path));
  }
  std::ranges::sort(out.unnamed);
  std::ranges::sort(out.undeclared);
  return {};
}

Result<std::string> tree_with(patch::TouchedTree& tree, const Sides& sides) {
  for (const git::IndexEntry& gone : sides.before)
    if (std::ranges::find(sides.now, gone.path, &git::IndexEntry::path) == sides.now.end())
      GH_DO(tree.remove(gone.path));
  for (const git::IndexEntry& entry : sides.now)
    GH_DO(tree.put(entry.path, entry.mode, entry.id));
  return tree.write().map([](const ObjectId& id) { return id.hex(); });
}

/// Has the diff the files that the tree is made of? Where git converts line ends it has others.
bool is_of(std::string_view diff, const Sides& sides) {
  const auto patch = diff::parse(diff, diff::Profile::git, diff::Position::exact);
  if (!patch) return true;  // of what it cannot read, a binary file, there are no lines to bind
  return std::ranges::all_of(patch->sections, [&](const diff::Section& section) {
    const auto at = std::ranges::find(sides.now, section.new_path, &git::IndexEntry::path);
    return !section.index || at == sides.now.end() || section.index->new_id == at->id.hex();
  });
}

/// git reads the files once more for it.
Result<std::string> diff_of(ChangeSession& session, patch::TouchedTree& tree,
                            const std::vector<std::string>& paths, const Sides& sides) {
  GH_TRY(diff, session.repo.diff_of_files(sides.before, sides.now, kMaxDiffBytes));
  if (is_of(diff, sides)) return diff;
  GH_TRY(again, session.repo.diff_of_files(sides.before, sides.now, kMaxDiffBytes));
  GH_TRY(now, sides_of(session.repo, tree, paths));
  if (again == diff && now.files == sides.files) return diff;
  return fail(Code::conflict, "a changed file was written while it was read");
}

/// Where a worktree of its own and the main tree part: what was taken over from there, by a rebase
/// or a merge, is no part of the change.
Result<std::string> parting_of(ChangeSession& session, const std::string& began) {
  const auto ours = session.repo.objects().commit("HEAD");
  const auto main = session.repo.objects().commit("main-worktree/HEAD");
  if (!ours || !main) return began;
  GH_TRY(common, session.repo.merge_base(ours->id, main->id));
  if (!common) return began;
  GH_TRY(is_later, session.repo.contains(common->hex(), began));
  return is_later ? common->hex() : began;
}

}  // namespace

Result<std::string> change_base(ChangeSession& session, const Intent& intent) {
  const std::string began = base_commit_of(intent), head = head_commit(session);
  if (began.empty() || began == head) return head;
  const auto was = session.repo.objects().commit(began),
             now = session.repo.objects().commit("HEAD");
  if (!was || !now) return head;  // it went with the history that it was part of
  GH_TRY(still_there, session.repo.contains("HEAD", began));
  if (still_there) return is_isolated(intent) ? parting_of(session, began) : began;
  // HEAD is on another history: what only the other one holds is no part of what is left behind.
  GH_TRY(common, session.repo.merge_base(now->id, was->id));
  return common ? common->hex() : head;
}

Result<ChangeBinding> bound_to(ChangeSession& session, const Intent& intent,
                               const std::vector<std::string>& paths) {
  GH_TRY(base, change_base(session, intent));
  ChangeBinding out{.base = base};
  if (base.empty()) return out;
  GH_TRY(commit, session.repo.objects().commit(base));
  patch::TouchedTree tree(session.repo.objects(), commit.tree);
  GH_TRY(changed, differing(session.repo, tree, paths));
  out.changed = std::move(changed);
  GH_DO(add_committed(session, intent, base, paths, out));
  if (std::ranges::any_of(paths, is_escaped)) return out;
  GH_TRY(sides, sides_of(session.repo, tree, paths));
  if (!sides.is_known) return out;
  GH_TRY(diff, diff_of(session, tree, paths, sides));
  GH_TRY(whole, tree_with(tree, sides));
  out.files = std::move(sides.files);
  GH_TRY(patch, patch_facts(session.repo, diff));
  out.tree = std::move(whole);
  out.stable_patch_id = std::move(patch.stable_id);
  out.changed_lines_sha256 = std::move(patch.lines_sha256);
  out.blobs = std::move(patch.blobs);
  return out;
}

Result<store::Document> change_receipt(ChangeSession& session, Context& context,
                                       const ChangeReceiptFacts& facts) {
  const Value verdict(facts.verdict);
  const std::string policy = digest_of(wire::canonical_json(to_value(session.policy()))).tagged();
  Map receipt{
      {"schema", "gatehouse.receipt/1"},
      {"kind", "change"},
      {"decision", facts.decision},
      {"status", facts.status},
      {"repo_id", text_or_null(session.repo_id)},
      {"subject", Map{{"base", text_or_null(facts.binding.base)},
                      {"tree", text_or_null(facts.binding.tree)},
                      {"intent_id", text_or_null(facts.intent_id)},
                      {"proposal_id", nullptr}}},
      {"inputs", Map{{"before_run_id", text_or_null(facts.before_run_id)},
                     {"after_run_id", text_or_null(facts.after_run_id)},
                     {"report_digest", facts.report_digest},
                     {"canonical_sha256", nullptr},
                     {"candidate_tree", text_or_null(facts.binding.tree)},
                     {"stable_patch_id", text_or_null(facts.binding.stable_patch_id)},
                     {"changed_lines_sha256", text_or_null(facts.binding.changed_lines_sha256)},
                     {std::string(runs::kChangedBlobs), runs::changed_blobs(facts.binding.blobs)}}},
      {"digests", Map{{"verdict", Peek(verdict)["digests"]["verdict"].text()}, {"policy", policy}}},
      {"actor", to_value(local_actor(context.env.user_id()))},
      {"body", facts.body},
      {"meta", Map{{"created_utc", to_string(context.env.now())},
                   {"audit_seq", nullptr},
                   {"tool_version", kVersion}}},
      {"signature", nullptr}};
  GH_TRY(key, read_signing_key(session.repo, session.config.store));
  if (key) GH_DO(runs::sign_receipt(receipt, *key));
  return runs::receipt_record(std::move(receipt));
}

Map typed_receipt_digest(const std::string& digest) {
  return Map{{"kind", "receipt_v1"},
             {"algorithm", "sha256"},
             {"digest_version", "1"},
             {"value", digest.substr(digest.find(':') + 1)}};
}

Map receipt_answer(const std::string& digest, const Map& body, std::string_view format) {
  const Value whole(body);
  const bool is_markdown = format == "markdown";
  Map out{{"run_id", Peek(whole)["provenance"]["run_id"].text()},
          {"format", format},
          {"receipt_version", text_in(body, "receipt_version")},
          {"verdict", text_in(body, "verdict")},
          {"receipt_digest", typed_receipt_digest(digest)}};
  if (is_markdown)
    out.set("content", control::receipt_markdown(body));
  else
    out.set("receipt", body);
  out.set("receipt_retrieval",
          Map{{"tool", "receipt_get"}, {"receipt_digest", typed_receipt_digest(digest)}});
  return out;
}

std::vector<TrailerLine> change_trailers(const Map& receipt, const std::string& digest,
                                         const std::optional<Intent>& intent) {
  const Value whole(receipt);
  std::vector<TrailerLine> out;
  if (const std::string_view id = Peek(whole)["subject"]["intent_id"].text(); !id.empty())
    out.push_back({"Gatehouse-Intent", std::string(id)});
  out.push_back({"Gatehouse-Receipt", digest});
  out.push_back({"Gatehouse-Decision", text_in(receipt, "status")});
  if (!intent) return out;
  // What it is called is its own choice; in a message it gets one line and no more.
  const std::string label = printable(intent->agent_label, 100);
  out.push_back({"Gatehouse-Agent",
                 fmt::format("{}/{}", label.substr(0, label.find('/')), short_session(*intent))});
  return out;
}

std::string printed(const std::vector<TrailerLine>& lines) {
  std::string out;
  for (const TrailerLine& line : lines)
    out += fmt::format("{}: {}\n", line.key, line.value);
  return out;
}

Result<std::optional<Intent>> kept_intent(store::Ledger& ledger, const std::string& id) {
  GH_TRY(row, ledger.intent(id));
  if (!row) return std::nullopt;
  auto intent = control::from_record(row->payload);
  if (!intent || intent->id != id) return std::nullopt;  // a damaged record is none
  intent->fence = row->fence;
  return std::optional(std::move(*intent));
}

}  // namespace gh::ops
