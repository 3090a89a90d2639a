#pragma once
// A proposal that every admission check accepts, for tests to spoil. Tests only.
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "diff/patch.h"
#include "policy/patch_policy.h"
#include "policy/proposal_policy.h"
#include "proposal/admission.h"

namespace gh::proposal::testing {

inline const std::string kBase(40, 'a'), kTree(40, 'b'), kDigest(64, 'd'), kCanonical(64, 'c');

inline std::string section(const std::string& path, const std::string& added) {
  return "diff --git a/" + path + " b/" + path + "\nnew file mode 100644\n--- /dev/null\n+++ b/" +
         path + "\n@@ -0,0 +1 @@\n+" + added + "\n";
}

inline std::string good_diff() {
  return "diff --git a/src/cut.cc b/src/cut.cc\n--- a/src/cut.cc\n+++ b/src/cut.cc\n"
         "@@ -1,3 +1,4 @@\n one\n+int cut();\n two\n three\n" +
         section("tests/cut_test.cc", "TEST(Cut, KeepsTheEdge) {}");
}

inline ProposalMeta good_meta() {
  ProposalMeta m;
  m.patch_id = "o11-fix-cutplan-001";
  m.author_agent = "deepseek-coder-v2 / drafter";
  m.trust_level = "untrusted";
  m.source_gap = "kb:4400";
  m.affected_files = {"src/cut.cc", "tests/cut_test.cc"};
  m.base_commit = kBase;
  m.tests_added = {"tests/cut_test.cc"};
  m.commands_run = {"make => exit 0", "ctest -R cut => exit 0"};
  m.risk_notes =
      "failure: src/cut.cc may drop the last edge. blast_radius: callers of cut(). "
      "data: untouched. idempotent: yes.";
  m.review_status = {"pending"};
  m.promotion_status = "sandbox";
  m.rollback_notes = "git revert of the promoted commit";
  m.created_utc = "2026-05-21T10:00:00Z";
  return m;
}

inline Review good_review(const std::string& reviewer, const std::string& actor) {
  Review r;
  r.patch_id = "o11-fix-cutplan-001";
  r.proposal_digest = kDigest;
  r.base_commit = kBase;
  r.candidate_tree = kTree;
  r.reviewer = reviewer;
  r.actor = actor;
  r.checked = {"diff"};
  r.tool = "test";
  r.created_utc = "2026-05-21T11:00:00Z";
  return r;
}

inline policy::RegisteredActor actor(const std::string& name, const std::string& kind,
                                     const std::string& provider, const std::string& role) {
  policy::RegisteredActor a;
  a.name = name;
  a.kind = kind;
  a.provider = provider;
  a.roles = {role};
  return a;
}

/// Owns what AdmissionFacts refers to.
struct World {
  policy::ProposalPolicy policy = policy::default_proposal_policy();
  policy::PatchPolicy patch_policy = policy::default_patch_policy();
  std::string diff_bytes = good_diff();
  diff::Patch patch;
  AdmissionFacts facts{Phase::submit,         policy,
                       patch_policy,          *parse_timestamp("2026-05-21T12:00:00Z"),
                       "o11-fix-cutplan-001", "/srv/repo"};

  explicit World(Phase phase = Phase::submit) {
    policy.actors = {
        actor("alice", "human", "", "promoter"), actor("claude", "gate", "anthropic", "promoter"),
        actor("gem", "agent", "google", "reviewer"), actor("cod", "agent", "openai", "reviewer"),
        actor("deep", "agent", "deepseek", "agent")};
    facts.phase = phase;
    facts.meta = good_meta();
    facts.digest = kDigest;
    facts.canonical_sha256 = kCanonical;
    facts.base = {true, true, true, true, *parse_timestamp("2026-05-20T12:00:00Z")};
    facts.rederives = true;
    facts.state = phase == Phase::promote ? PromotionStatus::proposed : PromotionStatus::sandbox;
    facts.author_actor = "deep";
    facts.gate_actor = "claude";
    facts.asker_actor = "alice";
    set_diff(diff_bytes);
    if (phase == Phase::submit) return;
    facts.reviews = {good_review("gemini", "gem"), good_review("codex", "cod")};
    facts.confirmed_by_human = true;
    facts.staleness = Staleness::current;
    facts.verify_ran = true;
  }
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  void set_diff(const std::string& bytes) {
    diff_bytes = bytes;
    auto parsed = diff::parse(diff_bytes, diff::Profile::git, diff::Position::exact);
    if (!parsed) throw std::runtime_error(parsed.error().message);
    patch = std::move(*parsed);
    facts.patch = &patch;
  }
  ProposalMeta& meta() { return *facts.meta; }
};

}  // namespace gh::proposal::testing
