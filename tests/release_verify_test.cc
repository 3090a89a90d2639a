// `gatehouse release verify` and `trigger` as a user runs them: real repositories, both sides read
// from their objects, every way to hide a change from the gate.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/release_verify_kit.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class ReleaseVerify : public VerifiedRepository {};

/// What hides from the gate hides from it in neither profile.
class ReleaseVerifyInProfile : public VerifiedRepository,
                               public ::testing::WithParamInterface<const char*> {
 protected:
  ReleaseVerifyInProfile() { profile_ = GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Profiles, ReleaseVerifyInProfile, ::testing::Values("compat", "extended"),
                         [](const auto& row) { return std::string(row.param); });

const std::string kGate =
    "on: [pull_request]\njobs:\n  gate:\n    runs-on: x\n    steps:\n      - run: gatehouse "
    "release "
    "verify --base origin/main\n";
const std::string kWorkflow = ".github/workflows/release.yml";

// Section 27.4 of the specification.
TEST_F(ReleaseVerify, TheWorkedExampleIsDecidedAsPrinted) {
  base();
  sandbox_.write("shipgate.yaml",
                 agent_manifest("orders:read, payments:refund",
                                "risk_overrides:\n  tools:\n    payments.create_refund: {tags: "
                                "[financial_action], reason: moves money}\n"));
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  head();
  EXPECT_EQ(verify().code, 0);
  EXPECT_EQ(text("mode"), "advisory");
  EXPECT_EQ(text("merge_verdict"), "blocked");
  EXPECT_FALSE(verified()["can_merge_without_human"].is_true());
  EXPECT_TRUE(verified()["trust_root_touched"].is_true());
  EXPECT_EQ(text("base_status"), "succeeded");
  EXPECT_EQ(text("head_status"), "succeeded");
  const Peek review = verified()["capability_review"];
  EXPECT_EQ(review["capability_changes_added"].number(), 2);
  EXPECT_EQ(review["capability_changes_modified"].number(), 4);
  EXPECT_EQ(review["capability_changes_removed"].number(), 0);
  EXPECT_FALSE(review["policy_weakened"].is_true());
  const Peek trigger = verified()["trigger"];
  EXPECT_TRUE(trigger["should_run"].is_true());
  EXPECT_EQ(trigger["trigger_action"].text(), "force_run");
  std::set<std::string> matched;
  for (const Value& rule : trigger["matched_rules"].list())
    matched.emplace(Peek(rule)["id"].text());
  EXPECT_EQ(matched,
            (std::set<std::string>{"TRIGGER-MCP-EXPORT-CHANGED", "TRIGGER-SHIPGATE-MANIFEST",
                                   "TRIGGER-EXISTING-MANIFEST-PRESENT"}));
  EXPECT_EQ(verified()["release_decision"]["reason"].text(), "2 active findings block release.");

  const Value document = report();
  const Peek r(document);
  std::map<std::string, std::string> rules;
  for (const Value& row : r["release_decision"]["contribution_rules"].list())
    rules[std::string(Peek(row)["fingerprint"].text())] = Peek(row)["rule"].text();
  EXPECT_EQ(rules,
            (std::map<std::string, std::string>{{"fp_66b1208b9f2e40ab", "severity_block_new"},
                                                {"fp_fc6a78e270874bd1", "policy_block_new"},
                                                {"fp_e132d0eac3cd0225", "review_required"},
                                                {"fp_5e77adcf3277a750", "review_required"}}));
  std::map<std::string, std::set<std::string>> ids;
  for (const char* list : {"added", "removed", "broadened", "narrowed"})
    for (const Value& m : r["capability_change"][list].list())
      ids[list].emplace(Peek(m)["id"].text());
  EXPECT_EQ(ids["added"], (std::set<std::string>{"cap_da965e6127f185ae", "cap_2cf5a0b619d61d4e"}));
  EXPECT_EQ(ids["broadened"],
            (std::set<std::string>{"cap_96ab8e62f3690eb3", "cap_647e08c9382ed57c",
                                   "cap_d3a17701b6f1bc7e", "cap_073d448d7e2b15f3"}));
  EXPECT_TRUE(ids["removed"].empty() && ids["narrowed"].empty());
  ASSERT_EQ(r["protected_surface_changes"].list().size(), 1u);
  const Peek root(r["protected_surface_changes"].list()[0]);
  EXPECT_EQ(root["path"].text(), "shipgate.yaml");
  EXPECT_EQ(root["kind"].text(), "manifest");
  EXPECT_EQ(root["glob"].text(), "**/shipgate.yaml");
  EXPECT_EQ(Peek(root["related_finding_ids"].list()[0]).text(), "fp_5e77adcf3277a750");
  EXPECT_FALSE(r["human_ack"]["required"].is_true());

  EXPECT_EQ(judged("release_verifier", file("verifier.json")), "");
  EXPECT_EQ(judged("release_report", file("report.json")), "");
  EXPECT_EQ(judged("release_packet", file("packet.json")), "");
  EXPECT_EQ(run({"verify", "--base", "main", "--head", "HEAD", "--ci-mode", "strict"}).code, 1);
  EXPECT_EQ(run({"verify", "--base", "main", "--head", "HEAD", "--ci-mode", "strict",
                 "--exit-codes", "shipgate"})
                .code,
            20);
}

TEST_F(ReleaseVerify, MirrorsEqualTheirSources) {
  base();
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  head();
  (void)verify();
  const Value document = report();
  const Peek r(document);
  const auto same = [](Peek a, Peek b) {
    return wire::canonical_json(Value(a.map())) == wire::canonical_json(Value(b.map()));
  };
  for (const char* block : {"release_decision", "agent_summary", "reviewer_summary"})
    EXPECT_TRUE(same(verified()[block], r[block])) << block;
  for (const char* block : {"agent_summary", "reviewer_summary", "verifier_summary"})
    EXPECT_EQ(r[block]["verdict"].text(), r["release_decision"]["decision"].text()) << block;
  EXPECT_EQ(r["release_consequence"]["decision"].text(), text("decision"));
  EXPECT_EQ(text("headline"), r["agent_summary"]["headline"].text());
  const Peek delta = r["verifier_summary"]["capability_delta_summary"];
  for (const char* list : {"added", "removed", "broadened", "narrowed"})
    EXPECT_EQ(delta[list].number(),
              static_cast<std::int64_t>(r["capability_change"][list].list().size()));
  std::set<std::string> active;
  for (const Value& f : r["findings"].list())
    active.emplace(Peek(f)["id"].text());
  for (const char* list : {"added", "removed", "broadened", "narrowed"})
    for (const Value& m : r["capability_change"][list].list())
      for (const Value& id : Peek(m)["related_finding_ids"].list())
        EXPECT_TRUE(active.contains(std::string(Peek(id).text())));
}

/// A run of a user who has a place for secrets, outside of every repository.
class ReleaseVerifyAgain : public VerifiedRepository {
 protected:
  ReleaseVerifyAgain() { environment_ = {"XDG_STATE_HOME=" + state_.root()}; }

  std::string kept(const std::string& name) const {
    for (const auto& entry :
         fs::recursive_directory_iterator(sandbox_.at(".git/gatehouse/cache/base-scans")))
      if (entry.path().filename() == name) return entry.path().string();
    return {};
  }

  GitSandbox state_{};
};

TEST_F(ReleaseVerifyAgain, TwoRunsGiveTheSameBytesAndTheBaseIsScannedOnce) {
  base();
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  head();
  (void)verify();
  const std::string first = file("report.json"), comment = file("pr-comment.md");
  (void)verify();
  EXPECT_EQ(text("base_status"), "cache_hit");
  EXPECT_EQ(file("report.json"), first);
  const std::string second = file("verifier.json");
  (void)verify();
  EXPECT_EQ(file("verifier.json"), second);
  EXPECT_EQ(comment.substr(0, 40), file("pr-comment.md").substr(0, 40));
  EXPECT_EQ(sandbox_.git({"status", "--porcelain", "--untracked-files=no"}), "");
}

TEST_F(ReleaseVerifyAgain, AForgedScanOfTheBaseIsNotBelieved) {
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
  sandbox_.write("conf/real.md", "be careful\n");
  fs::create_symlink("conf/real.md", sandbox_.at("AGENTS.md"));
  base();
  sandbox_.write("shipgate.yaml", agent_manifest());
  sandbox_.write("conf/real.md", "be careless\n");
  head();
  (void)verify();
  EXPECT_EQ(text("base_status"), "succeeded");
  const std::string seen = rules();
  EXPECT_TRUE(contains(seen, "POLICY-WEAKENED ci_mode_weakened\n")) << seen;
  EXPECT_TRUE(contains(seen, "AGENT-INSTRUCTIONS-WEAKENED")) << seen;
  // Whoever can write .git says that base was never strict, and that it has no links.
  const std::string report = kept("report.json"), links = kept("links.json");
  ASSERT_FALSE(report.empty() || links.empty());
  std::string forged = bytes_of(report);
  for (std::size_t at; (at = forged.find("\"strict\"")) != std::string::npos;)
    forged.replace(at, 8, "\"advisory\"");
  std::ofstream(report, std::ios::binary) << forged;
  std::ofstream(links, std::ios::binary) << "{\"links\":[]}";
  (void)verify();
  EXPECT_EQ(text("base_status"), "succeeded") << "scanned again";
  EXPECT_EQ(rules(), seen);
  (void)verify();
  EXPECT_EQ(text("base_status"), "cache_hit");
  EXPECT_EQ(rules(), seen);
  // Damage is a miss, too; and so is the scan of another key under this one.
  fs::resize_file(report, 100);
  (void)verify();
  EXPECT_EQ(text("base_status"), "succeeded");
  EXPECT_EQ(rules(), seen);
  const std::string folder = fs::path(report).parent_path().string();
  const std::string moved = sandbox_.folder() + "/moved";
  fs::rename(folder, moved);
  (void)verify({"--base", "main", "--head", "HEAD", "--no-heuristics"});
  const std::string other = kept("report.json");
  fs::copy_file(moved + "/report.json", other, fs::copy_options::overwrite_existing);
  fs::copy_file(moved + "/report.json.seal", other + ".seal", fs::copy_options::overwrite_existing);
  (void)verify({"--base", "main", "--head", "HEAD", "--no-heuristics"});
  EXPECT_EQ(text("base_status"), "succeeded");
}

TEST_F(ReleaseVerifyAgain, WithoutAPlaceForSecretsNothingIsKept) {
  base();
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  head();
  const std::string inside = sandbox_.root() + "/state", ours = state_.root() + "/gatehouse";
  for (const std::string& place : {std::string(), inside, std::string("relative")}) {
    environment_ = {"XDG_STATE_HOME=" + place};
    for (int i = 0; i < 2; ++i) {
      (void)verify();
      EXPECT_EQ(text("base_status"), "succeeded") << place;
    }
  }
  fs::remove_all(inside);
  // A key that others may write is nobody's word.
  environment_ = {"XDG_STATE_HOME=" + state_.root()};
  (void)verify();
  (void)verify();
  EXPECT_EQ(text("base_status"), "cache_hit");
  fs::permissions(ours + "/kept-scans.key", fs::perms::all);
  (void)verify();
  EXPECT_EQ(text("base_status"), "succeeded");
}

TEST_F(ReleaseVerifyAgain, TheSixteenNewestScansStay) {
  base();
  for (int i = 0; i < 18; ++i) {
    sandbox_.git({"checkout", "-q", "main"});
    sandbox_.write("src/a.py", std::to_string(i));
    sandbox_.commit("base");
    sandbox_.git({"checkout", "-q", "-B", "pr"});
    sandbox_.write("src/b.py", std::to_string(i));
    head();
    (void)verify();
  }
  std::size_t folders = 0;
  for (const auto& entry : fs::directory_iterator(sandbox_.at(".git/gatehouse/cache/base-scans"))) {
    ++folders;
    EXPECT_TRUE(fs::exists(entry.path() / "report.json"));
  }
  EXPECT_EQ(folders, 16u);
  (void)verify();
  EXPECT_EQ(text("base_status"), "cache_hit") << "the newest is there";
}

// ------------------------------------------------------------------------------ what is weakened

struct ManifestCase {
  const char* name;
  std::string base, head, rule;
};

TEST_P(ReleaseVerifyInProfile, AManifestThatWeakensThePolicyIsSeen) {
  const std::string look = "SHIP-DOC-MISSING-DESCRIPTION";
  const ManifestCase rows[] = {
      {"mode", "ci: {mode: strict}\n", "ci: {mode: advisory}\n",
       "POLICY-WEAKENED ci_mode_weakened\n"},
      {"mode left out", "ci: {mode: strict}\n", "", "POLICY-WEAKENED ci_mode_weakened\n"},
      {"severities", "ci: {fail_on: [critical, high]}\n", "ci: {fail_on: [critical]}\n",
       "POLICY-WEAKENED fail_on_loosened\n"},
      {"override", "", "checks: {severity_overrides: {" + look + ": low}}\n",
       "POLICY-WEAKENED severity_override_lowered\n"},
      {"suppression", "", "checks: {ignore: [{check_id: " + look + ", reason: x}]}\n",
       "BASELINE-OR-WAIVER-EXPANDED suppression_expanded\n"},
      {"waiver", "checks: {ignore: [{check_id: " + look + ", tool: a, reason: x}]}\n",
       "checks: {ignore: [{check_id: " + look + ", tool: a, reason: x}, {check_id: " + look +
           ", reason: y}]}\n",
       "BASELINE-OR-WAIVER-EXPANDED waiver_expanded\n"},
      {"integrity", "baseline: {integrity_mode: strict}\n", "",
       "POLICY-WEAKENED integrity_mode_weakened\n"},
      {"reordered, quoted and commented", "ci: {mode: strict, fail_on: [critical, high]}\n",
       "# why\nci:\n  fail_on: ['high', \"critical\"]\n  mode: 'strict'\n", ""},
      {"tightened", "", "ci: {mode: strict, fail_on: [high]}\n", ""},
      {"weakened in one key and tightened in another", "ci: {mode: strict}\n",
       "ci: {fail_on: [low, medium, high, critical]}\n", "POLICY-WEAKENED ci_mode_weakened\n"},
  };
  base();
  for (const ManifestCase& row : rows) {
    SCOPED_TRACE(row.name);
    sandbox_.git({"checkout", "-q", "main"});
    sandbox_.write("shipgate.yaml", agent_manifest("orders:read", row.base));
    sandbox_.commit("base");
    sandbox_.git({"checkout", "-q", "-B", "pr"});
    sandbox_.write("shipgate.yaml", agent_manifest("orders:read", row.head));
    head();
    (void)verify();
    EXPECT_EQ(rules(), "TRUST-ROOT-TOUCHED shipgate.yaml\n" + row.rule);
    EXPECT_EQ(verified()["capability_review"]["policy_weakened"].is_true(),
              row.rule.starts_with("POLICY"));
  }
}

TEST_P(ReleaseVerifyInProfile, WeakenedInOneCommitAndRestoredInALaterOneIsSilent) {
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
  base();
  sandbox_.write("shipgate.yaml", agent_manifest());
  head();
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
  sandbox_.write("src/a.py", "x\n");
  head();
  (void)verify();
  EXPECT_EQ(rules(), "");
  EXPECT_EQ(text("merge_verdict"), "mergeable");
  EXPECT_TRUE(verified()["can_merge_without_human"].is_true());
}

TEST_P(ReleaseVerifyInProfile, AFlagOfTheCallItselfIsNoWeakening) {
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
  base();
  sandbox_.write("src/a.py", "x\n");
  head();
  (void)verify(
      {"--base", "main", "--head", "HEAD", "--ci-mode", "advisory", "--fail-on", "critical"});
  EXPECT_EQ(rules(), "");
}

TEST_P(ReleaseVerifyInProfile, NothingSuppressesAFindingOnTheGate) {
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
  base();
  sandbox_.write(
      "shipgate.yaml",
      agent_manifest("orders:read",
                     "checks: {ignore: [{check_id: SHIP-VERIFY-POLICY-WEAKENED, reason: x}, "
                     "{check_id: SHIP-VERIFY-TRUST-ROOT-TOUCHED, reason: x}]}\n"));
  head();
  (void)verify();
  EXPECT_EQ(rules(),
            "TRUST-ROOT-TOUCHED shipgate.yaml\nPOLICY-WEAKENED ci_mode_weakened\n"
            "BASELINE-OR-WAIVER-EXPANDED suppression_expanded\n");
  const Value document = report();
  for (const Value& f : Peek(document)["findings"].list())
    EXPECT_FALSE(Peek(f)["suppressed"].is_true());
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read",
                                                 "checks: {severity_overrides: "
                                                 "{SHIP-VERIFY-POLICY-WEAKENED: low}}\n"));
  head();
  const Ran refused = verify();
  EXPECT_EQ(refused.code, 2);
  EXPECT_TRUE(contains(text("failure"), "floor")) << refused.out;
}

TEST_P(ReleaseVerifyInProfile, AMovedManifestIsComparedWithWhereItWas) {
  sandbox_.write("agent/shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
  sandbox_.write("agent/" + kTools, "[" + kOrderTool + "]");
  fs::remove(sandbox_.at("shipgate.yaml"));
  base();
  sandbox_.git({"mv", "agent/shipgate.yaml", "shipgate.yaml"});
  sandbox_.write("shipgate.yaml", agent_manifest());
  head();
  (void)verify();
  EXPECT_EQ(rules(),
            "TRUST-ROOT-TOUCHED agent/shipgate.yaml\nTRUST-ROOT-TOUCHED shipgate.yaml\n"
            "POLICY-WEAKENED ci_mode_weakened\n");
  EXPECT_TRUE(contains(std::string(Peek(verified()["base_notes"].list().at(0)).text()),
                       "base_manifest_moved"));
}

TEST_P(ReleaseVerifyInProfile, ADeletedManifestIsNoSkip) {
  base();
  fs::remove(sandbox_.at("shipgate.yaml"));
  sandbox_.write("README.md", "only words\n");
  head();
  EXPECT_EQ(verify().code, 2);
  EXPECT_EQ(text("head_status"), "failed");
  EXPECT_EQ(text("merge_verdict"), "unknown");
  EXPECT_TRUE(verified()["trigger"]["force_run"].is_true());
  EXPECT_EQ(judged("release_verifier", file("verifier.json")), "");
}

TEST_P(ReleaseVerifyInProfile, ABaselineThatGrowsWithTheChangeIsSeen) {
  sandbox_.write(kTools, R"({"tools":[)" + kRefundTool + "]}");
  sandbox_.write("shipgate.yaml", agent_manifest("payments:refund"));
  EXPECT_EQ(run({"baseline", "save"}).code, 0);
  const std::string known = bytes_of(sandbox_.at(".agents-shipgate/baseline.json"));
  base();
  sandbox_.write("src/a.py", "x\n");
  head();
  (void)verify();
  EXPECT_EQ(rules(), "") << "the same baseline on both sides";
  std::string more = kRefundTool;
  more.replace(more.find("create_refund"), 13, "second_refund");
  more.replace(more.find("Issue a refund"), 54, "short");
  sandbox_.write(kTools, R"({"tools":[)" + kRefundTool + "," + more + "]}");
  EXPECT_EQ(run({"baseline", "save"}).code, 0);
  head();
  (void)verify();
  EXPECT_TRUE(contains(rules(), "BASELINE-OR-WAIVER-EXPANDED baseline_expanded\n")) << rules();
}

TEST_P(ReleaseVerifyInProfile, AnAcknowledgementOfTheSameChangeCoversNothing) {
  const std::string ack = "human_ack: [{affected_surface: policy, owner: o, reason: agreed}]\n";
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
  base();
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", ack));
  head();
  (void)verify();
  Value document = report();
  Peek block = Peek(document)["human_ack"];
  EXPECT_TRUE(block["required"].is_true());
  EXPECT_FALSE(block["satisfied"].is_true());
  EXPECT_EQ(Peek(block["outstanding"].list().at(0)).text(), "policy");
  EXPECT_EQ(Peek(block["acks"].list().at(0))["source"].text(), "head_only");
  // One that base has already does, and is recorded, not obeyed.
  sandbox_.git({"checkout", "-q", "main"});
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n" + ack));
  sandbox_.commit("base");
  sandbox_.git({"checkout", "-q", "-B", "pr"});
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", ack));
  head();
  (void)verify();
  document = report();
  block = Peek(document)["human_ack"];
  EXPECT_TRUE(block["satisfied"].is_true());
  EXPECT_EQ(Peek(block["acks"].list().at(0))["source"].text(), "shipgate.yaml#/human_ack");
  EXPECT_EQ(text("merge_verdict"), "human_review_required");
}

// ------------------------------------------------------------------------- what hides from the
// gate

TEST_P(ReleaseVerifyInProfile, AttributesHideNothing) {
  base();
  sandbox_.write(".gitattributes", "tools/*.json export-ignore export-subst -diff filter=x\n");
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  head();
  (void)verify();
  EXPECT_EQ(rules(), "TRUST-ROOT-TOUCHED .gitattributes\n");
  EXPECT_EQ(verified()["capability_review"]["capability_changes_added"].number(), 2);
}

TEST_P(ReleaseVerifyInProfile, ASymlinkedManifestIsStillTheManifest) {
  sandbox_.write("conf/real.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
  fs::remove(sandbox_.at("shipgate.yaml"));
  fs::create_symlink("conf/real.yaml", sandbox_.at("shipgate.yaml"));
  base();
  sandbox_.write("conf/real.yaml", agent_manifest());
  head();
  (void)verify();
  EXPECT_EQ(rules(), "TRUST-ROOT-TOUCHED conf/real.yaml\nPOLICY-WEAKENED ci_mode_weakened\n");
}

TEST_P(ReleaseVerifyInProfile, AManifestThatBecomesALinkIsTouched) {
  base();
  sandbox_.write("elsewhere.yaml", agent_manifest("orders:read", "ci: {fail_on: [critical]}\n"));
  fs::remove(sandbox_.at("shipgate.yaml"));
  fs::create_symlink("elsewhere.yaml", sandbox_.at("shipgate.yaml"));
  head();
  (void)verify();
  EXPECT_TRUE(contains(rules(), "TRUST-ROOT-TOUCHED shipgate.yaml\n")) << rules();
  // Out of the tree it leads nowhere.
  fs::remove(sandbox_.at("shipgate.yaml"));
  fs::create_symlink("/etc/hostname", sandbox_.at("shipgate.yaml"));
  head();
  EXPECT_EQ(verify().code, 3);
  EXPECT_EQ(text("merge_verdict"), "unknown");
}

TEST_P(ReleaseVerifyInProfile, AToolFileThatBecomesASubmoduleOrALinkOutIsRefused) {
  base();
  fs::remove(sandbox_.at(kTools));
  fs::create_symlink("../../outside.json", sandbox_.at(kTools));
  head();
  EXPECT_EQ(verify().code, 3);
  sandbox_.git({"rm", "-q", "-r", "--cached", "tools"});
  fs::remove_all(sandbox_.at("tools"));
  sandbox_.git({"update-index", "--add", "--cacheinfo",
                "160000," + sandbox_.git({"rev-parse", "HEAD"}) + ",tools"});
  sandbox_.git({"commit", "-q", "-m", "submodule"});
  EXPECT_EQ(verify().code, 3);
  EXPECT_EQ(text("merge_verdict"), "unknown");
}

TEST_P(ReleaseVerifyInProfile, AnotherCaseOfTheNameIsTheSameRoot) {
  sandbox_.write("sub/AGENTS.md", "be careful\n");
  base();
  sandbox_.git({"mv", "sub/AGENTS.md", "sub/Agents.MD"});
  head();
  (void)verify();
  EXPECT_TRUE(contains(rules(), "AGENT-INSTRUCTIONS-WEAKENED")) << rules();
  EXPECT_TRUE(contains(rules(), "TRUST-ROOT-TOUCHED sub/Agents.MD\n")) << rules();
}

TEST_P(ReleaseVerifyInProfile, EveryWayToLoseTheGateIsSeenInTheRepositoryToo) {
  sandbox_.write(kWorkflow, kGate);
  base();
  const auto after = [&](const std::string& text) {
    sandbox_.write(kWorkflow, text);
    head();
    (void)verify();
    return rules();
  };
  const std::string touched = "TRUST-ROOT-TOUCHED " + kWorkflow + "\n";
  const std::string neutered = touched + "CI-GATE-REMOVED ci_gate_neutered ";
  EXPECT_EQ(after("on: push\n"), neutered + "job_removed\n");
  std::string text = kGate;
  EXPECT_EQ(after(text + "    if: false\n"), neutered + "condition_false\n");
  EXPECT_EQ(after(text + "    continue-on-error: true\n"), neutered + "continue_on_error\n");
  text.replace(text.find("[pull_request]"), 14, "[workflow_dispatch]");
  EXPECT_EQ(after(text), neutered + "trigger_removed\n");
  text = kGate;
  text.insert(text.size() - 1, " || true");
  EXPECT_EQ(after(text), neutered + "exit_swallowed\n");
  text = kGate;
  text.insert(text.size() - 1, " --ci-mode advisory");
  EXPECT_EQ(after(text), touched) << "another command line is seen, and decided by a person";
  sandbox_.git({"rm", "-q", kWorkflow});
  sandbox_.git({"commit", "-q", "-m", "gone"});
  (void)verify();
  EXPECT_EQ(rules(), touched + "CI-GATE-REMOVED ci_gate_removed\n");
  EXPECT_EQ(text.empty(), false);
  EXPECT_EQ(this->text("merge_verdict"), "blocked");
  const Value document = report();
  EXPECT_FALSE(Peek(document)["effective_policy"]["ci_gate_present"].is_true());
  // Renamed: the old file is gone, and the job is where it is.
  sandbox_.git({"checkout", "-q", "-B", "pr", "main"});
  sandbox_.git({"mv", kWorkflow, ".github/workflows/other.yml"});
  sandbox_.git({"commit", "-q", "-m", "renamed"});
  (void)verify();
  EXPECT_EQ(rules(), "TRUST-ROOT-TOUCHED .github/workflows/other.yml\n" + touched +
                         "CI-GATE-REMOVED ci_gate_removed\n");
}

// ---------------------------------------------------- what runs the gate and is no CI file itself

struct LedCase {
  const char* name;
  std::string ci, text, file, base, head, causes;  // causes: empty where nobody follows it
};

TEST_P(ReleaseVerifyInProfile, AnEditThatSwallowsTheAnswerSomewhereElseIsNeverMergeable) {
  const std::string call = "gatehouse release verify --base origin/main";
  const auto workflow = [](const std::string& step) {
    return "on: [pull_request]\njobs:\n  gate:\n    runs-on: x\n    steps:\n      - " + step + "\n";
  };
  const LedCase rows[] = {
      {"makefile", kWorkflow, workflow("run: make gate"), "Makefile", "gate:\n\t" + call + "\n",
       "gate:\n\t" + call + " || true\n", "exit_swallowed"},
      {"working-directory", kWorkflow, workflow("run: ./gate.sh\n        working-directory: ci"),
       "ci/gate.sh", "#!/bin/sh -e\n" + call + "\n", "#!/bin/sh -e\n" + call + " || true\n",
       "exit_swallowed"},
      {"azure template", "azure-pipelines.yml", "steps:\n  - template: ci/gate.yml\n",
       "ci/gate.yml", "steps:\n  - script: " + call + "\n",
       "steps:\n  - script: " + call + " || true\n", "exit_swallowed"},
      {"gitlab pattern", ".gitlab-ci.yml", "include:\n  - local: 'ci/*.yml'\n", "ci/gate.yml",
       "gate:\n  script: [" + call + "]\n",
       "gate:\n  script: [" + call + "]\n  allow_failure: true\n", "continue_on_error"},
      {"library", kWorkflow, workflow("run: bash -e ci/gate.sh"), "ci/lib.sh",
       "judge() { " + call + "; }\n", "judge() { " + call + " || true; }\n", "exit_swallowed"},
      {"npm", kWorkflow, workflow("run: npm run gate"), "package.json",
       R"({"scripts":{"gate":")" + call + R"("}})",
       R"({"scripts":{"gate":")" + call + R"( || true"}})", "exit_swallowed"},
      {"a program", kWorkflow, workflow("run: python3 ci/gate.py"), "ci/gate.py",
       "run(['gatehouse', 'release', 'verify'])\n",
       "run(['gatehouse', 'release', 'verify'], check=False)\n", ""},
      {"a folder that nobody knows", kWorkflow,
       workflow("run: ./judge.sh\n        working-directory: ${{ matrix.folder }}"),
       "some/where/judge.sh", call + "\n", call + " || true\n", ""},
  };
  bool first = true;
  for (const LedCase& row : rows) {
    SCOPED_TRACE(row.name);
    if (!first) sandbox_.git({"checkout", "-q", "main"});
    for (const char* path : {".github", "ci", "azure-pipelines.yml", ".gitlab-ci.yml", "Makefile",
                             "package.json", "some"})
      fs::remove_all(sandbox_.at(path));
    sandbox_.write("ci/gate.sh", ". ci/lib.sh\njudge\n");
    sandbox_.write(row.ci, row.text);
    sandbox_.write(row.file, row.base);
    sandbox_.commit("base");
    sandbox_.git({"checkout", "-q", "-B", "pr"});
    first = false;
    sandbox_.write(row.file, row.head);
    head();
    (void)verify();
    EXPECT_EQ(
        rules(),
        "TRUST-ROOT-TOUCHED " + row.file + "\n" +
            (row.causes.empty() ? "" : "CI-GATE-REMOVED ci_gate_neutered " + row.causes + "\n"));
    EXPECT_EQ(text("merge_verdict"), row.causes.empty() ? "human_review_required" : "blocked");
  }
}

// ---------------------------------------------------------------- instructions and what starts it

TEST_P(ReleaseVerifyInProfile, InstructionsAndTriggersAreSeenUnderEveryName) {
  struct Row {
    const char* name;
    std::string path, rule;
  };
  const std::string told = "AGENT-INSTRUCTIONS-WEAKENED agent_instructions_changed\n",
                    drift = "TRIGGER-CATALOG-DRIFT trigger_catalog_drift\n";
  const Row rows[] = {
      {"instructions", "AGENTS.md", told},
      {"below a folder", "sub/CLAUDE.md", told},
      {"another case", "sub/agents.MD", told},
      {"a folder of an agent", ".claude/settings.json", told},
      {"rules of an editor", ".cursor/rules/a.mdc", told},
      {"skills", ".agents/skills/x/run.sh", told},
      {"another agent", ".codex/config.toml", told},
      {"a skill", "skills/x/SKILL.md", told},
      {"a catalogue", "docs/triggers.json", drift},
      {"one below a folder, in another case", "a/Docs/Triggers.JSON", drift},
      {"of the state", ".agents-shipgate/triggers.json", drift},
      {"a second one", ".agents-shipgate/triggers2.json", drift},
      {"of ours", ".gatehouse/triggers.yaml", drift},
      {"of ours, in another case", ".Gatehouse/TRIGGERS", drift},
      {"words alone", "docs/words.md", ""},
      {"another file of triggers", "src/triggers.json", ""},
  };
  sandbox_.write("real/instructions.txt", "be careful\n");
  fs::create_symlink("real/instructions.txt", sandbox_.at("CLAUDE.md"));
  fs::create_directories(sandbox_.at("docs"));
  fs::create_symlink("../real/catalogue.json", sandbox_.at("docs/triggers.json"));
  sandbox_.write("real/catalogue.json", "{}\n");
  base();
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    sandbox_.git({"checkout", "-q", "-f", "-B", "pr", "main"});
    fs::remove(sandbox_.at(row.path));
    sandbox_.write(row.path, "changed\n");
    sandbox_.git({"add", "-f", row.path});
    head();
    (void)verify();
    const std::string touched = "TRUST-ROOT-TOUCHED " + row.path + "\n";
    EXPECT_EQ(rules(), row.rule.empty() ? "" : touched + row.rule);
    EXPECT_EQ(text("merge_verdict"), row.rule.empty() ? "mergeable" : "human_review_required");
  }
  // Through a link the file has another name, and is the same.
  for (const auto& [path, rule] :
       {std::pair("real/instructions.txt", told), std::pair("real/catalogue.json", drift)}) {
    sandbox_.git({"checkout", "-q", "-f", "-B", "pr", "main"});
    sandbox_.write(path, "changed\n");
    head();
    (void)verify();
    EXPECT_EQ(rules(), "TRUST-ROOT-TOUCHED " + std::string(path) + "\n" + rule);
  }
}

TEST_F(ReleaseVerify, BothProfilesSeeTheSame) {
  for (const char* profile : {"compat", "extended"}) {
    SCOPED_TRACE(profile);
    sandbox_.git({"checkout", "-q", "-B", "main"});
    sandbox_.write("shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
    sandbox_.write(kWorkflow, kGate);
    sandbox_.write("CODEOWNERS", "shipgate.yaml @o\n");
    sandbox_.commit("base");
    sandbox_.git({"checkout", "-q", "-B", "pr"});
    sandbox_.write("shipgate.yaml", agent_manifest());
    sandbox_.write(kWorkflow, kGate + "    if: false\n");
    sandbox_.write("CODEOWNERS", std::string("# ") + profile);
    head();
    (void)verify({"--base", "main", "--head", "HEAD", "--profile", profile});
    EXPECT_EQ(rules(), "TRUST-ROOT-TOUCHED " + kWorkflow +
                           "\nTRUST-ROOT-TOUCHED CODEOWNERS\nTRUST-ROOT-TOUCHED shipgate.yaml\n"
                           "POLICY-WEAKENED ci_mode_weakened\n"
                           "CI-GATE-REMOVED ci_gate_neutered condition_false\n");
  }
}

// ------------------------------------------------------------------- the boundary of coding agents

/// Ids of findings of the report about hosts of agents, servers and toolkits, sorted.
std::string boundary_ids(const Value& report) {
  std::vector<std::string> ids;
  for (const Value& f : Peek(report)["findings"].list()) {
    const std::string id(Peek(f)["check_id"].text());
    for (const char* prefix :
         {"SHIP-HOST-", "SHIP-CODEX-B", "SHIP-MCP-", "SHIP-CAP-", "SHIP-VERIFY-CAP"})
      if (id.starts_with(prefix)) ids.push_back(id);
  }
  std::ranges::sort(ids);
  return join(ids, " ");
}

// tool-surface 13.13 of the specification; src/powers/boundary_test.cc has the facts one by one.
TEST_F(ReleaseVerify, WhatAChangeDoesToTheBoundaryOfAgentsIsSeenInTheExtendedProfile) {
  struct Row {
    std::string path, before, after, ids;
  };
  const std::string flow = "on: [push]\njobs:\n  a:\n    runs-on: x\n";
  const Row rows[] = {
      {".mcp.json", "{}", R"({"mcpServers":{"shop":{"command":"a"}}})",
       "SHIP-HOST-BOUNDARY-MCP-SERVER-ADDED"},
      {".mcp.json", "{}", R"({"mcpServers":{"payments_mcp":{"command":"a"}}})",
       "SHIP-HOST-BOUNDARY-MCP-SERVER-ADDED SHIP-MCP-READONLY-SERVER-ADDED"},
      {".cursor/mcp.json", R"({"mcpServers":{"shop":{"command":"a"}}})",
       R"({"mcpServers":{"shop":{"command":"b","alwaysAllow":["x"]}}})",
       "SHIP-HOST-BOUNDARY-MCP-SERVER-CHANGED SHIP-MCP-PERMISSION-EXPANDED "
       "SHIP-MCP-UNKNOWN-TOOL-SCHEMA"},
      {"pkg/.claude/settings.json", "{}", R"j({"permissions":{"allow":["Bash(*)","Bash(ls)"]}})j",
       "SHIP-HOST-BOUNDARY-PERMISSION-WILDCARD-ALLOW"},
      {".claude/settings.local.json", R"j({"permissions":{"deny":["Read(.env)"]}})j",
       R"j({"permissions":{"allow":["Bash(ls)"]}})j",
       "SHIP-HOST-BOUNDARY-PERMISSION-ALLOW-EXPANDED SHIP-HOST-BOUNDARY-PERMISSION-DENY-REMOVED"},
      {".claude/settings.json", R"j({"permissions":{"allow":["Bash(ls)"]}})j",
       R"j({"permissions":{"allow":[]}})j", ""},
      {kWorkflow, flow, "permissions: write-all\n" + flow, "SHIP-HOST-BOUNDARY-WORKFLOW-WRITE-ALL"},
      {kWorkflow, flow, "on: pull_request_target\njobs:\n  a:\n    runs-on: x\n",
       "SHIP-HOST-BOUNDARY-PULL-REQUEST-TARGET-ADDED"},
      {kWorkflow, flow, flow + "    timeout-minutes: 5\n", ""},
      {".codex/config.toml", "", "sandbox_mode = \"danger-full-access\"\n",
       "SHIP-CODEX-BOUNDARY-DANGER-FULL-ACCESS"},
      {".codex/config.toml", "[mcp_servers.m]\ncommand = \"a\"\n",
       "[mcp_servers.m]\ncommand = \"a\"\n[mcp_servers.m.tools.delete_all]\napproval_mode = "
       "\"approve\"\n",
       "SHIP-CODEX-BOUNDARY-AUTO-APPROVE-WRITE"},
      {".codex/hooks.json", "{}", "{", "SHIP-CODEX-BOUNDARY-PARSE-FAILED"},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.path + " " + row.ids);
    sandbox_.git({"checkout", "-q", "-B", "main"});
    sandbox_.write(row.path, row.before);
    sandbox_.commit("base");
    sandbox_.git({"checkout", "-q", "-B", "pr"});
    sandbox_.write(row.path, row.after);
    head();
    (void)verify({"--base", "main", "--head", "HEAD", "--profile", "extended"});
    EXPECT_EQ(boundary_ids(report()), row.ids);
    EXPECT_EQ(judged("release_report", file("report.json")), "");
    (void)verify({"--base", "main", "--head", "HEAD", "--profile", "compat"});
    EXPECT_EQ(boundary_ids(report()), "") << "the contract does not have them";
    fs::remove(sandbox_.at(row.path));
  }
}

TEST_F(ReleaseVerify, ALinkAndTheFileBesideItAreNoWayAroundTheBoundary) {
  const auto ids = [&](std::vector<std::string> words = {"--base", "main", "--head", "HEAD"}) {
    words.insert(words.end(), {"--profile", "extended"});
    (void)verify(words);
    return boundary_ids(report());
  };
  const std::string list = R"j({"permissions":{"allow":["Bash(ls)"]}})j";
  sandbox_.write("conf/servers.json", "{}");
  fs::create_symlink("conf/servers.json", sandbox_.at(".mcp.json"));
  sandbox_.write(".claude/settings.json", list);
  base();
  sandbox_.write("conf/servers.json", R"({"mcpServers":{"shop":{"command":"a"}}})");
  EXPECT_EQ(ids({"--base", "main"}), "SHIP-HOST-BOUNDARY-MCP-SERVER-ADDED") << "the work tree";
  head();
  EXPECT_EQ(ids(), "SHIP-HOST-BOUNDARY-MCP-SERVER-ADDED");
  sandbox_.git({"checkout", "-q", "-B", "pr", "main"});
  sandbox_.write(".claude/settings.json", "{}");
  sandbox_.write(".claude/settings.local.json", list);
  head();
  EXPECT_EQ(ids(), "") << "a rule that went to the file beside it";
  sandbox_.git({"checkout", "-q", "-B", "pr", "main"});
  fs::remove(sandbox_.at(".mcp.json"));
  sandbox_.write(".mcp.json", "{\"mcpServers\": [");
  head();
  EXPECT_EQ(ids(), "SHIP-HOST-BOUNDARY-CONFIG-PARSE-FAILED");
}

TEST_F(ReleaseVerify, AToolkitThatMayDoMoreIsComparedWithTheBase) {
  const auto agent = [](const std::string& configuration) {
    return "from stripe_agent_toolkit.openai.toolkit import StripeAgentToolkit\nimport json\nkit "
           "= "
           "StripeAgentToolkit(secret_key=k, configuration=" +
           configuration + ")\n";
  };
  const std::string one = "{'actions': {'refunds': {'create': True}}}";
  std::string manifest = agent_manifest();
  const std::string source = "  - {id: s, type: openai_agents_sdk, path: a.py}\n";
  manifest.insert(manifest.find("permissions:"), source);
  const auto ids = [&](const std::string& before, const std::string& after,
                       const std::string& more = "{}") {
    sandbox_.git({"checkout", "-q", "-B", "main"});
    sandbox_.write("shipgate.yaml", manifest);
    sandbox_.write("a.py", agent(before));
    sandbox_.write("conf/c.json", "{}");
    sandbox_.commit("base");
    sandbox_.git({"checkout", "-q", "-B", "pr"});
    sandbox_.write("a.py", agent(after));
    sandbox_.write("conf/c.json", more);
    sandbox_.write("README.md", before + after + more);
    head();
    (void)verify();
    return boundary_ids(report());
  };
  const std::string file = "json.load(open('conf/c.json'))";
  EXPECT_EQ(ids(one, one), "");
  EXPECT_EQ(ids(one, "{'actions': {'refunds': {'create': True, 'list': True}}}"),
            "SHIP-VERIFY-CAPABILITY-SCOPE-BROADENED");
  EXPECT_EQ(ids(one, "{}"), "SHIP-VERIFY-CAPABILITY-SCOPE-BROADENED");
  EXPECT_EQ(ids(file, one), "SHIP-CAP-CONFIG-BINDING-REMOVED");
  EXPECT_EQ(ids(file, file, "{\"a\": 1}"), "SHIP-CAP-CONFIG-BINDING-CHANGED");
  EXPECT_EQ(ids(file, file), "");
}

TEST_F(ReleaseVerify, EveryCheckOfAChangeIsExplained) {
  const char* const ids =
      "SHIP-VERIFY-POLICY-BASE-ABSENT SHIP-VERIFY-CAPABILITY-SCOPE-BROADENED "
      "SHIP-CAP-CONFIG-BINDING-REMOVED SHIP-CAP-CONFIG-BINDING-CHANGED "
      "SHIP-HOST-BOUNDARY-MCP-SERVER-ADDED SHIP-HOST-BOUNDARY-MCP-SERVER-CHANGED "
      "SHIP-HOST-BOUNDARY-PERMISSION-WILDCARD-ALLOW SHIP-HOST-BOUNDARY-PERMISSION-ALLOW-EXPANDED "
      "SHIP-HOST-BOUNDARY-PERMISSION-DENY-REMOVED SHIP-HOST-BOUNDARY-HOOK-CHANGED "
      "SHIP-HOST-BOUNDARY-WORKFLOW-WRITE-ALL SHIP-HOST-BOUNDARY-WORKFLOW-PERMISSIONS-EXPANDED "
      "SHIP-HOST-BOUNDARY-PULL-REQUEST-TARGET-ADDED SHIP-HOST-BOUNDARY-CONFIG-PARSE-FAILED "
      "SHIP-CODEX-BOUNDARY-NETWORK-WILDCARD SHIP-CODEX-BOUNDARY-DANGER-FULL-ACCESS "
      "SHIP-CODEX-BOUNDARY-AUTO-APPROVE-WRITE SHIP-CODEX-BOUNDARY-AUTO-APPROVE-UNKNOWN "
      "SHIP-CODEX-BOUNDARY-HOOK-COMMAND-CHANGED SHIP-CODEX-BOUNDARY-SKILL-COMMAND-CHANGED "
      "SHIP-CODEX-BOUNDARY-PARSE-FAILED SHIP-MCP-PERMISSION-EXPANDED "
      "SHIP-MCP-READONLY-SERVER-ADDED";
  for (const std::string_view id : split(std::string_view(ids), ' ')) {
    const Ran ran = run({"explain", std::string(id)});
    EXPECT_EQ(ran.code, 0) << id << ran.err;
    const bool is_covered = id == "SHIP-VERIFY-POLICY-BASE-ABSENT";
    EXPECT_TRUE(contains(ran.out, is_covered ? "SHIP-VERIFY-POLICY-WEAKENED" : id)) << ran.out;
  }
}

// Section 18.3: what the base can be, and that head's decision stands.
TEST_F(ReleaseVerify, ABaseThatCannotBeScannedLeavesANoteAndTheDecisionOfHead) {
  base();
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  head();
  (void)verify();
  const std::string decision = text("decision");
  const auto with_base = [&](const std::string& path, const std::string& bytes) {
    sandbox_.git({"checkout", "-q", "-f", "-B", "main2", "main"});
    if (bytes.empty())
      fs::remove(sandbox_.at(path));
    else
      sandbox_.write(path, bytes);
    sandbox_.commit("base");
    sandbox_.git({"checkout", "-q", "-B", "pr2"});
    sandbox_.write("shipgate.yaml", agent_manifest());
    sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
    head();
    (void)verify({"--base", "main2", "--head", "HEAD"});
    EXPECT_EQ(verified()["base_notes"].list().size(), 1u);
    EXPECT_EQ(text("head_status"), "succeeded");
    EXPECT_FALSE(text("decision").empty());
    EXPECT_NE(text("merge_verdict"), "mergeable");
    EXPECT_EQ(judged("release_verifier", file("verifier.json")), "");
    const Value document = report();
    EXPECT_FALSE(Peek(document)["tool_surface_diff"]["enabled"].is_true());
    return text("base_status");
  };
  EXPECT_EQ(with_base(kTools, "{ not json"), "scan_failed");
  EXPECT_EQ(with_base("shipgate.yaml", "version: [\n"), "scan_failed");
  EXPECT_EQ(with_base("shipgate.yaml", ""), "missing_manifest");
  EXPECT_EQ(decision, "blocked");
}

TEST_F(ReleaseVerify, AGivenReportStandsInForTheBase) {
  EXPECT_EQ(run({"scan"}).code, 0);
  fs::copy_file(sandbox_.at("agents-shipgate-reports/report.json"),
                sandbox_.folder() + "/old.json");
  base();
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  head();
  (void)verify(
      {"--base", "main", "--head", "HEAD", "--diff-from", sandbox_.folder() + "/old.json"});
  EXPECT_EQ(text("base_status"), "diff_from_provided");
  const Value document = report();
  EXPECT_TRUE(Peek(document)["tool_surface_diff"]["enabled"].is_true());
  EXPECT_EQ(verified()["capability_review"]["capability_changes_added"].number(), 2);
  const Peek first(verified()["capability_review"]["top_changes"].list().at(0));
  EXPECT_EQ(first["change_type"].text(), "action_added");
  EXPECT_EQ(first["source_path"].text(), kTools);
  EXPECT_GT(first["source_start_line"].number(), 0);
}

TEST_F(ReleaseVerify, TwoManifestsThatGoAreNoneThatMoved) {
  for (const char* folder : {"a", "b"}) {
    sandbox_.write(std::string(folder) + "/shipgate.yaml",
                   agent_manifest("orders:read", "ci: {mode: strict}\n"));
    sandbox_.write(std::string(folder) + "/" + kTools, "[" + kOrderTool + "]");
  }
  fs::remove(sandbox_.at("shipgate.yaml"));
  base();
  sandbox_.git({"rm", "-q", "a/shipgate.yaml", "b/shipgate.yaml"});
  sandbox_.write("shipgate.yaml", agent_manifest());
  head();
  (void)verify();
  EXPECT_EQ(text("base_status"), "missing_manifest");
  EXPECT_TRUE(contains(rules(), "POLICY-WEAKENED base_snapshot_unavailable\n")) << rules();
  EXPECT_EQ(text("merge_verdict"), "human_review_required");
}

// Section 18.2: a pointer stays a pointer, and a person has to know.
TEST_F(ReleaseVerify, APointerOfLfsIsAWarningAndNeverMergeable) {
  base();
  sandbox_.write(kTools, "version https://git-lfs.github.com/spec/v1\noid sha256:" +
                             std::string(64, 'a') + "\nsize 12345\n");
  head();
  EXPECT_EQ(verify().code, 0);
  EXPECT_EQ(text("head_status"), "succeeded");
  EXPECT_EQ(text("merge_verdict"), "human_review_required");
  const Value document = report();
  ASSERT_EQ(Peek(document)["source_warnings"].list().size(), 1u);
  const Value& said = Peek(document)["source_warnings"].list()[0];
  const std::string warning(Peek(said).text());
  EXPECT_TRUE(contains(warning, "git-lfs") && contains(warning, kTools)) << warning;
  // The manifest itself says what is judged: without it nothing is.
  sandbox_.write("shipgate.yaml", "version https://git-lfs.github.com/spec/v1\n");
  head();
  EXPECT_NE(verify().code, 0);
  EXPECT_EQ(text("merge_verdict"), "unknown");
}

// ----------------------------------------------------------------- the work tree, and other shapes

TEST_F(ReleaseVerify, WithoutHeadTheWorkTreeIsScannedAndInspected) {
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
  base();
  sandbox_.write("shipgate.yaml", agent_manifest());  // not committed
  sandbox_.write("CLAUDE.md", "do as you please\n");  // not even tracked
  (void)verify({"--base", "main"});
  EXPECT_EQ(rules(),
            "TRUST-ROOT-TOUCHED CLAUDE.md\nTRUST-ROOT-TOUCHED shipgate.yaml\n"
            "POLICY-WEAKENED ci_mode_weakened\n"
            "AGENT-INSTRUCTIONS-WEAKENED agent_instructions_changed\n");
  const std::string first = file("report.json");
  (void)verify({"--base", "main"});
  EXPECT_EQ(file("report.json"), first) << "reports of the gate are no change of their own";
  (void)verify();
  EXPECT_EQ(rules(), "") << "with --head only what is committed";
}

TEST_F(ReleaseVerify, WhatIsMissingIsUnknownAndNeverMergeable) {
  base();
  sandbox_.write("src/a.py", "x\n");
  head();
  Ran ran = verify({"--base", "origin/main", "--head", "HEAD"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(text("base_status"), "ref_missing");
  EXPECT_EQ(text("merge_verdict"), "unknown");
  EXPECT_EQ(text("head_status"), "skipped");
  EXPECT_EQ(verified()["head_exit_code"].number(), 2);
  EXPECT_FALSE(verified()["decision"].exists());
  EXPECT_FALSE(verified()["can_merge_without_human"].is_true());
  EXPECT_EQ(verified()["first_next_action"]["command"].text(),
            "git fetch origin main:refs/remotes/origin/main");
  EXPECT_EQ(verified()["first_next_action"]["actor"].text(), "coding_agent");
  EXPECT_EQ(judged("release_verifier", file("verifier.json")), "");
  EXPECT_TRUE(contains(file("pr-comment.md"), "git fetch origin"));

  // A shallow clone in which the two have no commit in common.
  sandbox_.git({"checkout", "-q", "main"});
  sandbox_.write("src/b.py", "y\n");
  sandbox_.commit("on");
  const std::string clone = sandbox_.folder() + "/shallow";
  GitSandbox::git_at(sandbox_.folder(), {"clone", "-q", "--depth=1", "--no-single-branch",
                                         "file://" + sandbox_.root(), clone});
  ran = run({"verify", "--base", "origin/main", "--head", "origin/pr", "--json"}, clone);
  EXPECT_EQ(ran.code, 2) << ran.out;
  EXPECT_TRUE(contains(ran.out, "\"archive_failed\"")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "git fetch --unshallow origin")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "\"merge_verdict\": \"unknown\"")) << ran.out;

  // A report of an earlier run does not stay for a reader of this one.
  (void)verify({"--base", "main", "--head", "pr"});
  EXPECT_TRUE(fs::exists(sandbox_.at("agents-shipgate-reports/report.json")));
  (void)verify({"--base", "gone", "--head", "pr"});
  EXPECT_FALSE(fs::exists(sandbox_.at("agents-shipgate-reports/report.json")));
  EXPECT_EQ(verified()["first_next_action"]["command"].text(), "git fetch origin gone:gone");
}

TEST_F(ReleaseVerify, AnUnbornBranchIsUnknown) {
  EXPECT_EQ(verify({"--base", "main"}).code, 2);
  EXPECT_EQ(text("merge_verdict"), "unknown");
  EXPECT_EQ(verify({}).code, 2);
  EXPECT_EQ(text("merge_verdict"), "unknown");
}

TEST_F(ReleaseVerify, ChangedFilesAreThoseThatGitNames) {
  const auto lines = [](const std::string& text) {
    std::vector<std::string> out;
    for (const std::string_view line : split(text, '\0'))
      if (!line.empty()) out.emplace_back(line);
    std::ranges::sort(out);
    return out;
  };
  base();
  // A file, a folder, a link, a submodule or nothing in each place, again and again.
  const std::string places[] = {"a", "a b",   "deep/er/x", "deep/er", "deep",
                                "é", "z.d/q", "z",         "z.d"};
  const std::string commit = sandbox_.git({"rev-parse", "HEAD"});
  std::uint32_t seed = 7;
  const auto pick = [&](std::uint32_t n) {
    return (seed = seed * 1103515245u + 12345u) / 65536 % n;
  };
  for (int round = 0; round < 24; ++round) {
    for (const std::string& place : places) {
      const std::uint32_t kind = pick(6);
      if (kind == 5) continue;  // as it was
      std::error_code blocked;
      fs::remove_all(sandbox_.at(place), blocked);
      sandbox_.git({"rm", "-r", "-q", "--cached", "--ignore-unmatch", "--", place});
      fs::create_directories(fs::path(sandbox_.at(place)).parent_path(), blocked);
      if (blocked) continue;
      if (kind == 0) sandbox_.write(place, "x" + std::to_string(pick(3)));
      if (kind == 1) sandbox_.write(place + "/in/it", "x" + std::to_string(pick(3)));
      if (kind == 2) fs::create_symlink("t" + std::to_string(pick(2)), sandbox_.at(place));
      if (kind == 3)
        sandbox_.git({"update-index", "--add", "--cacheinfo", "160000," + commit + "," + place});
      else
        sandbox_.git({"add", "-A", "--", "."});
    }
    sandbox_.git({"commit", "-q", "--allow-empty", "-m", "round"});
    (void)verify({"--base", "HEAD~1", "--head", "HEAD", "--no-reports"});
    std::vector<std::string> told;
    for (const Value& path : verified()["changed_files"].list())
      told.emplace_back(Peek(path).text());
    std::ranges::sort(told);
    EXPECT_EQ(told, lines(sandbox_.git({"diff-tree", "-r", "-z", "--name-only", "--no-renames",
                                        "HEAD~1", "HEAD"})))
        << round;
  }
}

TEST_F(ReleaseVerify, RefsThatAreNoneAreRefused) {
  base();
  for (const char* ref : {"-x", "", "a\nb"})
    EXPECT_EQ(run({"verify", std::string("--base=") + ref, "--head", "HEAD"}).code, 2) << ref;
  EXPECT_EQ(run({"verify", "--config", "../../etc/shipgate.yaml"}).code, 2);
  EXPECT_EQ(run({"verify", "--workspace", "nowhere"}).code, 2);
  EXPECT_EQ(gatehouse({"release", "verify"}, sandbox_.folder()).code, 2) << "no repository";
}

/// What a verification of the same change must say in every shape of repository.
std::string essence(const std::string& json) {
  const auto read = wire::read_json(json, "verifier");
  if (!read) return json;
  const Peek v(*read);
  std::string out(v["merge_verdict"].text());
  for (const char* list : {"blockers", "review_items"})
    for (const Value& item : v["release_decision"][list].list())
      out += " " + std::string(Peek(item)["fingerprint"].text());
  for (const Value& path : v["changed_files"].list())
    out += " " + std::string(Peek(path).text());
  return out;
}

TEST_F(ReleaseVerify, EveryShapeOfRepositoryDecidesAlike) {
  base();
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  sandbox_.write("AGENTS.md", "x\n");
  head();
  const std::vector<std::string> words{"verify", "--base", "main", "--head", "pr", "--json"};
  const std::string expected = essence(run(words).out);
  EXPECT_TRUE(expected.starts_with("blocked ")) << expected;

  sandbox_.git({"checkout", "-q", "--detach"});
  EXPECT_EQ(essence(run({"verify", "--base", "main", "--head", "HEAD", "--json"}).out), expected);

  const std::string bare = sandbox_.folder() + "/bare.git", out = sandbox_.folder() + "/out";
  GitSandbox::git_at(sandbox_.folder(), {"clone", "-q", "--bare", sandbox_.root(), bare});
  auto there = words;
  EXPECT_EQ(run(there, bare).code, 2) << "nowhere to write";
  there.insert(there.end(), {"--out", out});
  EXPECT_EQ(essence(run(there, bare).out), expected);

  // Base went on: what others did meanwhile is no part of the change.
  sandbox_.git({"checkout", "-q", "main"});
  sandbox_.write("shipgate.yaml", agent_manifest("orders:read", "ci: {mode: strict}\n"));
  sandbox_.commit("meanwhile");
  EXPECT_EQ(essence(run(words).out), expected);

  // A merge, and one of three.
  sandbox_.git({"checkout", "-q", "-b", "side", "main~1"});
  sandbox_.write("src/side.py", "x\n");
  sandbox_.commit("side");
  sandbox_.git({"checkout", "-q", "-b", "third", "main~1"});
  sandbox_.write("src/third.py", "x\n");
  sandbox_.commit("third");
  sandbox_.git({"checkout", "-q", "-b", "merged", "pr"});
  sandbox_.git({"merge", "-q", "--no-edit", "side", "third"});
  const Ran merged = run({"verify", "--base", "side", "--head", "merged", "--json"});
  EXPECT_EQ(essence(merged.out).substr(0, essence(merged.out).find(" AGENTS")),
            expected.substr(0, expected.find(" AGENTS")));
}

class ReleaseVerifySha256 : public VerifiedRepository {
 protected:
  ReleaseVerifySha256() : VerifiedRepository("sha256") {}
};

TEST_F(ReleaseVerifySha256, IsDecidedAlike) {
  base();
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  head();
  (void)verify();
  EXPECT_EQ(text("merge_verdict"), "blocked");
  EXPECT_EQ(text("head_tree_sha").size(), 64u);
  EXPECT_TRUE(rules().empty());
}

TEST_F(ReleaseVerify, AChangeThatIsNobodysBusinessIsSkipped) {
  fs::remove(sandbox_.at("shipgate.yaml"));
  base();
  sandbox_.write("README.md", "words\n");
  head();
  EXPECT_EQ(verify().code, 0);
  EXPECT_EQ(text("mode"), "skipped");
  EXPECT_EQ(text("applicability"), "not_applicable");
  EXPECT_EQ(text("merge_verdict"), "unknown");
  EXPECT_EQ(text("base_status"), "skipped");
  EXPECT_FALSE(verified()["human_review"]["required"].is_true());
  EXPECT_EQ(judged("release_verifier", file("verifier.json")), "");
  EXPECT_TRUE(contains(file("pr-comment.md"), "No scan was required"));
}

TEST_F(ReleaseVerify, APreviewSaysWhatToDoFirst) {
  base();
  const auto next = [&](std::vector<std::string> words = {"--preview"}) {
    const Ran ran = verify(std::move(words));
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_EQ(text("mode"), "preview");
    EXPECT_EQ(text("merge_verdict"), "unknown");
    EXPECT_EQ(text("head_status"), "skipped");
    EXPECT_EQ(text("base_status"), "not_requested");
    EXPECT_FALSE(verified()["human_review"]["required"].is_true());
    EXPECT_EQ(verified()["first_next_action"]["actor"].text(), "coding_agent");
    return std::string(verified()["first_next_action"]["kind"].text()) + " " +
           std::string(verified()["first_next_action"]["command"].text());
  };
  EXPECT_EQ(next(), "verify gatehouse release verify --base origin/main --head HEAD --json");
  fs::remove(sandbox_.at("shipgate.yaml"));
  EXPECT_EQ(next(),
            "init gatehouse release init --workspace . --write --ci --agent-instructions=all");
  fs::remove_all(sandbox_.at("tools"));
  EXPECT_EQ(next(), "detect gatehouse release detect --workspace . --json");
  sandbox_.commit("empty");
  sandbox_.git({"checkout", "-q", "-b", "words"});
  sandbox_.write("README.md", "words\n");
  sandbox_.commit("words");
  EXPECT_EQ(next({"--preview", "--base", "pr", "--head", "HEAD"}), "none ");
  // Without git, and with a base that is not there.
  const std::string plain = sandbox_.folder() + "/plain";
  fs::create_directories(plain);
  EXPECT_EQ(run({"verify", "--preview"}, plain).code, 0);
  EXPECT_EQ(run({"verify", "--preview", "--base", "gone"}).code, 0);
}

TEST_F(ReleaseVerify, TheCommentIsShortAndSafeForHostileNames) {
  base();
  std::string tools = R"({"tools":[)" + kOrderTool;
  for (int i = 0; i < 40; ++i) {
    std::string tool = kRefundTool;
    tool.replace(
        tool.find("payments.create_refund"), 22,
        "x" + std::to_string(i) + R"(|`@all <img src=x> [a](http://e.example) <!-- \n| a | b |)");
    tools += "," + tool;
  }
  sandbox_.write(kTools, tools + "]}");
  sandbox_.write("a|b`c/AGENTS.md", "x\n");
  head();
  for (const char* style : {"capability-review", "findings"}) {
    SCOPED_TRACE(style);
    (void)verify({"--base", "main", "--head", "HEAD", "--pr-comment-style", style});
    const std::string comment = file("pr-comment.md");
    EXPECT_LE(comment.size(), 6000u);
    EXPECT_TRUE(comment.starts_with("<!-- gatehouse:comment:v1 "));
    // What stands in a code span is shown as it is; back-ticks never end one early.
    std::string prose;
    bool in_code = false;
    for (std::size_t i = comment.find('\n'); i < comment.size(); ++i) {
      if (comment[i] == '\n') EXPECT_FALSE(in_code) << comment;
      if (comment[i] == '`' && (in_code || comment[i - 1] != '\\')) in_code = !in_code;
      if (!in_code) prose += comment[i];
    }
    for (const std::string& tag :
         {std::string("<code>"), std::string("</code>")})  // ours, around a name with a bar
      for (std::size_t at = prose.find(tag); at != prose.npos; at = prose.find(tag))
        prose.erase(at, tag.size());
    for (const char* part : {"<", "](http", "@a", "http://"})
      EXPECT_EQ(prose.find(part), std::string::npos) << part << prose;
    std::size_t rows = 0;
    for (const std::string_view line : split(std::string_view(comment), '\n'))
      if (line.starts_with("|")) {
        std::size_t bars = 0;
        for (std::size_t i = 0; i < line.size(); ++i)
          bars += line[i] == '|' && (i == 0 || line[i - 1] != '\\') ? 1 : 0;
        EXPECT_EQ(bars, 5u) << line;
        ++rows;
      }
    EXPECT_EQ(rows, std::string(style) == "findings" ? 0u : 7u);
  }
}

TEST_F(ReleaseVerify, NoSecretReachesAnArtifact) {
  base();
  const std::string secret = "ghp_" + std::string(36, 'a');
  std::string tool = kRefundTool;
  tool.replace(tool.find("Issue a refund"), 14, "Uses " + secret + " to pay");
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + tool + "]}");
  sandbox_.write("policies/" + secret + ".yaml", "x\n");
  head();
  const Ran ran = verify();
  EXPECT_EQ(ran.out.find(secret), std::string::npos);
  for (const auto& entry : fs::directory_iterator(sandbox_.at("agents-shipgate-reports")))
    EXPECT_EQ(bytes_of(entry.path()).find(secret), std::string::npos) << entry.path();
}

// ----------------------------------------------------------------------------------------- trigger

TEST_F(ReleaseVerify, TriggerSaysWhetherTheGateHasToLook) {
  base();
  sandbox_.write("src/a.py", "x\n");
  head();
  Ran ran = run({"trigger", "--base", "main", "--json"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(judged("release_trigger", ran.out), "");
  EXPECT_TRUE(contains(ran.out, "\"force_run\": true")) << ran.out;
  ran = run({"trigger", "--base", "main", "--no-manifest-present", "--json"});
  EXPECT_TRUE(contains(ran.out, "\"skip_reason\": \"no_match\"")) << ran.out;
  ran = run({"trigger", "--base", "gone"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(contains(ran.err, "git fetch origin gone:gone")) << ran.err;
  sandbox_.write("../files.txt", "docs/a.md\n");
  EXPECT_EQ(run({"trigger", "--changed-files", "no-such-file"}).code, 2);
  ran = run({"trigger", "--changed-files", "../files.txt", "--no-manifest-present"});
  EXPECT_TRUE(ran.out.starts_with("skip  Only documentation and tests changed.")) << ran.out;
  EXPECT_EQ(run({"trigger", "--list-rules", "--json"}).code, 0);
}

// Who reads a report takes it for that of the last run.
TEST_F(ReleaseVerify, NoReportOfAnEarlierRunStaysBesideThoseOfThisOne) {
  base();
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  head();
  const auto left = [&] {
    std::string out;
    for (const char* name : {"report.md", "report.json", "report.sarif", "packet.md", "packet.json",
                             "packet.html", "packet.pdf", "verifier.json", "pr-comment.md"})
      if (std::filesystem::exists(sandbox_.at(std::string("agents-shipgate-reports/") + name)))
        out += std::string(name) + " ";
    return out;
  };
  ASSERT_EQ(run({"scan"}).code, 0);
  EXPECT_EQ(left(), "report.md report.json packet.md packet.json packet.html ");
  sandbox_.write("agents-shipgate-reports/packet.pdf", "%PDF");
  sandbox_.write("agents-shipgate-reports/notes.txt", "mine");
  ASSERT_EQ(verify().code, 0);
  EXPECT_EQ(left(), "report.md report.json report.sarif packet.json verifier.json pr-comment.md ");
  EXPECT_EQ(file("notes.txt"), "mine");
  ASSERT_EQ(run({"scan", "--format", "json", "--packet-format", "html"}).code, 0);
  EXPECT_EQ(left(), "report.json packet.html ");
  EXPECT_EQ(verify({"--base", "nosuch"}).code, 2);
  EXPECT_EQ(left(), "verifier.json pr-comment.md ");
  ASSERT_EQ(run({"scan"}).code, 0);
  ASSERT_EQ(verify({"--base", "main", "--preview"}).code, 0);
  EXPECT_EQ(left(),
            "report.md report.json packet.md packet.json packet.html verifier.json pr-comment.md ")
      << "a preview leaves reports alone";
  EXPECT_EQ(run({"scan", "--format", "none", "--no-packet"}).code, 0);
  EXPECT_NE(left(), "") << "what writes nothing takes nothing away";
}

TEST_F(ReleaseVerify, TheUsualBaselineIsTheOneThatSaveWrites) {
  for (const bool is_embedded : {false, true}) {
    SCOPED_TRACE(is_embedded);
    GitSandbox sandbox;
    if (is_embedded) {
      const std::string manifest = agent_manifest();
      std::string block;
      for (const std::string_view line : split(std::string_view(manifest), '\n'))
        if (!line.empty()) block += fmt::format("  {}\n", line);
      sandbox.write("gatehouse.yaml", "release_gate:\n" + block);
    } else {
      sandbox.write("shipgate.yaml", agent_manifest());
    }
    sandbox.write(kTools, R"({"tools":[)" + kOrderTool + "]}");
    sandbox.write(".git/info/exclude", "*-reports/\n");
    const auto of = [&](std::vector<std::string> words) {
      words.insert(words.begin(), "release");
      return gatehouse(words, sandbox.root(), {}, {"GATEHOUSE_AGENT_MODE=1"});
    };
    sandbox.commit("base");
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"scan", "--baseline", "default"},
          {"verify", "--base", "HEAD", "--baseline", "default"},
          {"verify", "--base", "HEAD", "--head", "HEAD", "--baseline", "default"}}) {
      const Ran none = of(words);
      EXPECT_EQ(none.code, 3) << none.out << none.err;
      EXPECT_TRUE(contains(none.err, "gatehouse release baseline save")) << none.err;
    }
    ASSERT_EQ(of({"baseline", "save"}).code, 0);
    sandbox.commit("accepted");
    EXPECT_EQ(of({"scan", "--baseline", "default"}).code, 0);
    for (const std::vector<std::string>& more :
         {std::vector<std::string>{}, std::vector<std::string>{"--head", "HEAD"}}) {
      std::vector<std::string> words{"verify",  "--base", "HEAD",      "--baseline",
                                     "default", "--json", "--fail-on", "medium"};
      words.insert(words.end(), more.begin(), more.end());
      const Ran ran = of(words);
      EXPECT_EQ(ran.code, 0) << ran.out << ran.err;
      const auto answer = wire::read_json(ran.out, "answer");
      ASSERT_TRUE(answer) << ran.out;
      EXPECT_TRUE(Peek(*answer)["release_decision"]["baseline_delta"]["enabled"].is_true());
    }
  }
}

TEST_F(ReleaseVerify, AVerdictThatIsUnknownHasALineForAgents) {
  base();
  environment_ = {"GATEHOUSE_AGENT_MODE=1"};
  const Ran ran = verify({"--base", "nosuch"});
  EXPECT_EQ(ran.code, 2);
  const std::string err = ran.err.substr(0, ran.err.size() - 1);
  const auto line = wire::read_json(err.substr(err.rfind('\n') + 1), "line");
  ASSERT_TRUE(line) << ran.err;
  EXPECT_EQ(Peek(*line)["error"].text(), "config_error");
  EXPECT_EQ(Peek(*line)["next_action"].text(), "git fetch origin nosuch:nosuch");
  sandbox_.write("shipgate.yaml", "version: [");
  EXPECT_TRUE(contains(verify({"--base", "main"}).err, R"({"error":"config_error")"));
}

TEST_F(ReleaseVerify, APreviewNamesTheRefsThatItWasGiven) {
  base();
  const Ran ran = verify({"--preview", "--base", "main", "--head", "pr"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(verified()["first_next_action"]["command"].text(),
            "gatehouse release verify --base main --head pr --json");
}

TEST_F(ReleaseVerify, AManifestThatMovesWithItsBaselineAcceptsNothingMore) {
  sandbox_.write(kTools, R"({"tools":[)" + kOrderTool + "," + kRefundTool + "]}");
  ASSERT_EQ(run({"baseline", "save"}).code, 0);
  base();
  std::filesystem::create_directories(sandbox_.at("agent"));
  for (const char* path : {"shipgate.yaml", "tools", ".agents-shipgate"})
    sandbox_.git({"mv", path, "agent/"});
  head();
  const Ran ran = verify({"--base", "main", "--head", "HEAD", "--config", "agent/shipgate.yaml",
                          "--out", "agents-shipgate-reports"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_FALSE(contains(rules(), "baseline_expanded")) << rules();
  const Ran check = gatehouse({"check", "main..HEAD"}, sandbox_.root());
  EXPECT_FALSE(contains(check.out, "accepts more than the base")) << check.out;
}

}  // namespace
}  // namespace gh::testing
