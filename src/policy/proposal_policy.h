#pragma once
// The `proposals` block of gatehouse.yaml (proposals 1, 3, 5, 7, 9, 11): defaults and loading.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/time.h"
#include "model/value.h"
#include "policy/patch_policy.h"

namespace gh::policy {

enum class SignatureMode : std::uint8_t { off, optional, required };
enum class Integration : std::uint8_t { ff, merge, rebase, branch_only };

struct ActorKey {
  std::string line;  // "ssh-ed25519 AAAA..." without comment
  std::optional<Timestamp> valid_after, valid_before;
  bool operator==(const ActorKey&) const = default;
};

struct RegisteredActor {
  std::string name, kind = "agent";  // human, agent, gate
  std::string provider;
  std::vector<std::string> roles;  // agent, reviewer, promoter, admin
  std::string ceiling = "untrusted";
  std::vector<ActorKey> keys;
  bool operator==(const RegisteredActor&) const = default;
};

struct ProposalPolicy {
  bool report_required = false;  // report: optional, required
  // reviewers.*
  std::vector<std::string> required_reviewers{"gemini", "codex"};
  std::string promotion_gate = "claude", trust_reviewer = "claude";
  bool distinct_actor = true, distinct_provider = true, not_author = true, not_promoter = true;
  std::int64_t quorum = 0;  // 0: all
  bool blind = true;
  std::string carry_reviews = "never";  // never, identical_patch
  // promotion.*
  bool requires_human = true;  // promotion.requires: human, gate
  Integration integrate = Integration::ff;
  std::int64_t batch = 1;
  std::vector<VerifyCommand> verify_commands;
  bool allow_disjoint = true;
  std::int64_t max_base_age_commits = 200, max_base_age_days = 14;
  // intake
  std::int64_t max_age_days = 30;
  std::string default_target = "refs/heads/main";
  std::vector<std::string> base_refs;   // empty: the target ref
  std::vector<std::string> deny_paths;  // repository-relative and absolute prefixes
  std::vector<std::string> docs_patterns, docs_exclude, docs_exclude_suffixes;
  std::vector<std::string> test_patterns, test_runners;
  bool tests_must_fail_before = false;
  std::vector<std::string> test_command;  // argv of tests.command
  std::vector<std::string> production_markers, sandbox_hosts;
  std::vector<std::string> gap_registry;  // empty: any well-formed gap
  // risk_words.*: what counts as speaking of a topic without its label (3.7)
  std::vector<std::string> failure_words, blast_radius_words, data_words, idempotent_words;
  SignatureMode signatures = SignatureMode::optional;
  bool mirror = true;
  std::vector<RegisteredActor> actors;

  bool operator==(const ProposalPolicy&) const = default;
};

std::string_view to_string(SignatureMode);
std::string_view to_string(Integration);  // branch-only on the wire

ProposalPolicy default_proposal_policy();

/// `^[a-z][a-z0-9]{1,31}$` and not `pending`: values of review_status are made from it.
bool is_reviewer_name(std::string_view);

/// nullptr when the registry has no such actor.
const RegisteredActor* find_actor(const ProposalPolicy&, std::string_view name);
bool has_role(const RegisteredActor&, std::string_view role);

/// Branches that changes enter through gates alone: the target, the bases, and the old name of
/// main.
std::vector<std::string> guarded_branches(const ProposalPolicy&);

/// Every key with its effective value.
Value to_value(const ProposalPolicy&);

}  // namespace gh::policy
