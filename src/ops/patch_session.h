#pragma once
// What is gathered before a submission is judged: the repository, the base, and the policy as it
// stands at that base. Never from the work tree, never from the patch.
#include <optional>
#include <string>
#include <vector>

#include "git/repo.h"
#include "model/actor.h"
#include "ops/operation.h"
#include "patch/gate.h"
#include "policy/config.h"
#include "report/patch_document.h"
#include "report/verdict_document.h"
#include "runs/lifecycle.h"

namespace gh::ops {

struct PatchSession {
  git::Repo repo;
  policy::StoreConfig store;
  patch::CompiledPolicy policy;  // effective: narrowed by this call
  std::string policy_source, policy_sha256;
  std::vector<Note> notes;  // policy_widening_ignored
  std::string narrowing;    // bytes of --narrow, kept as evidence
  git::Commit base;
  std::string head;  // commit id of HEAD; empty when unborn
  std::string repo_id;
  diff::Profile profile = diff::Profile::strict;
  Actor actor;

  patch::RepoFacts facts() const;
  std::string runs_root() const { return repo.state_dir() + "/runs"; }
};

/// History ends before its root: what is signed for this repository cannot be told from others.
bool is_shallow(const git::Repo&);

/// Id of the root commit. It never changes, so it is looked up once and kept (interfaces 0.5).
std::string repository_id(git::Repo&);

/// Reads --base, --profile, --narrow, --max-files and --max-added of the request, as far as its
/// operation has them; `base` stands in for --base. The policy is that of the base, or of the
/// commit `policy_at`: whoever pushes chooses the base of what is pushed.
Result<PatchSession> open_patch_session(const Request&, Context&, std::string base = {},
                                        const std::string& policy_at = {});

/// `base` resolved in an opened repository, with the configuration found there.
struct BaseConfig {
  git::Commit base;
  policy::PatchPolicy patch;
  policy::StoreConfig store;
  std::string source;  // of the policy
};
Result<BaseConfig> read_base_config(git::Repo&, const std::string& revision,
                                    const std::string& policy_at = {});

/// A submission's answer on its way to a door.
struct PatchAnswer {
  patch::Outcome outcome{};
  report::DocumentContext document{};
  std::string name{}, run_folder{}, repo_id{}, head{};
  Timestamp started{};
  std::int64_t started_ms = 0;
  std::string_view gate = "patch";
  std::string warning{};  // printed below an acceptance
};
report::DocumentContext document_context(const PatchSession&, Timestamp now);
Reply make_reply(PatchAnswer, std::string submission, Context&, ExitWishes = {});

/// digest_mismatch unless the bytes or their canonical form have the SHA-256 of --expect, if given.
Status check_expected(const Request&, const PatchSession&, std::string_view bytes);

/// Appends the audit row of an accepted check. Its loss is no failure (interfaces 0.7).
void audit_checked(const PatchSession&, const Map& document, Context&);

/// The `store` block of the repository itself: at the head of its usual target. A repository has
/// one ledger, so neither --base, nor the target of a proposal, nor the work tree chooses another.
Result<policy::StoreConfig> store_config(git::Repo&);

/// Opens the ledger, where store_config says it is, with everything that was spooled taken in.
Result<std::unique_ptr<store::Ledger>> open_ledger(git::Repo&, sys::Env&);

/// Null when nothing was ever recorded here: asking must not make a ledger file.
Result<std::unique_ptr<store::Ledger>> open_ledger_to_read(git::Repo&, sys::Env&);

/// For readers that must not disturb: store::Ledger says what that means. Null as above.
Result<std::unique_ptr<store::Ledger>> open_ledger_to_look(git::Repo&);

}  // namespace gh::ops
