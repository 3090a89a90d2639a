// What a fourth attack tried on proposals and their records, and must not do.
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/proposal_actors_kit.h"

namespace gh {
namespace {

using kit::Answer;
using kit::in;
using kit::ProposalWorld;
using kit::Registered;

const std::string kOldBases = "  max_base_age_days: 3650\n";

TEST(FourthAttack, ReviewsGivenForOneBranchAreNotTakenToAnother) {
  Registered world;
  kit::git_says(world.repo, {"branch", "dev"});
  world.set("target_ref", "refs/heads/dev");
  world.set("commands_run", "[\"pytest tests/test_calc.py => exit 1\"]");
  EXPECT_TRUE(world.submit().has("PROP_COMMANDS_FAILED"));
  for (const char* who : {"gemini", "codex"}) {
    const Answer spoken = world.review(
        who, "ok", {"--key", world.key(who), "--waive", "PROP_COMMANDS_FAILED:only for dev"});
    EXPECT_EQ(spoken.exit, 0) << spoken.out;
  }
  world.set("target_ref", "refs/heads/main");
  const Answer bent = world.submit();
  EXPECT_EQ(bent.exit, 1) << bent.out;
  EXPECT_TRUE(bent.has("PROP_ID_TAKEN")) << bent.out;
  EXPECT_EQ(world.submit().exit, 1) << "nor the second time";
  EXPECT_EQ(world.status(), "sandbox");
  world.set("target_ref", "refs/heads/dev");
  const Answer honest = world.submit();
  EXPECT_EQ(honest.exit, 0) << honest.out;
}

TEST(FourthAttack, TheAuthorsSignatureCoversExtensionFields) {
  for (const auto& [field, value] :
       {std::pair{"supersedes", "[good-001]"}, std::pair{"target_ref", "refs/heads/dev"},
        std::pair{"title", "\"another\""}}) {
    SCOPED_TRACE(field);
    Registered world("  signatures: required\n");
    kit::git_says(world.repo, {"branch", "dev"});
    world.write_pair();
    kit::write(world.file(".patch.sig"),
               world.sign("proposal lint --payload --id " + world.stem + " " + world.box.string(),
                          "drafter", "gatehouse-proposal"));
    world.set(field, value);
    EXPECT_TRUE(world.submit().has("PROP_SIGNATURE_INVALID"));
  }
}

TEST(FourthAttack, AnotherMetadataUnderATakenIdIsNotHereAlready) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  world.set("title", "\"another\"");
  const Answer again = world.submit();
  EXPECT_EQ(again.exit, 1) << again.out;
  EXPECT_TRUE(again.has("PROP_ID_TAKEN")) << again.out;
}

TEST(FourthAttack, AnInventedBranchOnlyPromotionIsJudgedByTheRulesOfNow) {
  Registered world;  // its first commit has no registry
  const std::string first = kit::git_says(world.repo, {"rev-list", "--max-parents=0", "HEAD"});
  const kit::fs::path forge = world.scratch.path() / "forge";
  kit::git_says(world.scratch.path(), {"clone", "-q", world.repo.string(), forge.string()});
  kit::git_says(forge, {"reset", "-q", "--hard", first});
  world.base = first;
  world.reset_fields("evil-001");
  world.write_pair();
  const auto forged = [&](kit::Words words) { return in(forge, std::move(words)); };
  kit::write(forge / "gatehouse.yaml", std::string(kit::kGatePolicy) + kOldBases);
  kit::git_says(forge, {"add", "-A"});
  kit::git_says(forge, {"commit", "-q", "-m", "my own rules"});
  kit::git_says(forge, {"update-ref", "refs/heads/mine", "HEAD"});
  ASSERT_EQ(forged({"proposal", "submit", world.box.string(), "--id", "evil-001"}).exit, 0);
  for (const char* who : {"gemini", "codex"})
    ASSERT_EQ(forged({"proposal", "review", "evil-001", "--as", who, "--verdict", "ok"}).exit, 0);
  const Answer promoted = forged({"proposal", "promote", "evil-001", "--integrate", "branch-only"});
  ASSERT_EQ(promoted.exit, 0) << promoted.out;
  kit::git_says(forge, {"push", "-q", "origin", "+refs/gatehouse/*:refs/gatehouse/*",
                        "refs/heads/gatehouse/evil-001", "refs/heads/mine"});
  const kit::fs::path victim = kit::clone_with_refs(world, "victim");
  const Answer verified = in(victim, {"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 1) << verified.out;
  EXPECT_TRUE(verified.has("PROP_REVIEW_FORGED")) << verified.out;
}

TEST(FourthAttack, AReviewWithoutAKeyIsNoneWhereActorsAreRegistered) {
  Registered world;
  kit::write(world.repo / "gatehouse.yaml",
             kit::read(world.repo / "gatehouse.yaml") +
                 "    - name: local:" + std::to_string(::getuid()) +
                 "\n      kind: human\n      roles: [reviewer, promoter]\n");
  world.commit("me too");
  world.base = world.head();
  world.reset_fields("calc-line-001");
  ASSERT_EQ(world.submit().exit, 0);
  const Answer spoken = world.review("gemini");
  EXPECT_EQ(spoken.exit, 2) << spoken.out;
  EXPECT_NE(spoken.err.find("--key"), std::string::npos) << spoken.err;
}

TEST(FourthAttack, AnAskerWhoMayNotEndsNothing) {
  Registered world(kOldBases + "  reviewers:\n    required: [alice, codex]\n");
  std::string yaml = kit::read(world.repo / "gatehouse.yaml");
  const std::string promoter = "roles: [promoter]";
  kit::write(world.repo / "gatehouse.yaml",
             yaml.replace(yaml.find(promoter), promoter.size(), "roles: [promoter, reviewer]"));
  world.commit("alice reviews too");
  world.base = world.head();
  world.reset_fields("calc-line-001");
  ASSERT_EQ(world.submit().exit, 0);
  for (const char* who : {"alice", "codex"})
    ASSERT_EQ(world.review(who, "ok", {"--key", world.key(who)}).exit, 0);
  const Answer asked = world.promote_confirmed();
  EXPECT_TRUE(asked.has("PROP_NOT_PROMOTER")) << asked.out;
  EXPECT_EQ(world.status(), "proposed");
}

TEST(FourthAttack, OneChangeMayBeForTwoBranches) {
  ProposalWorld world;
  kit::git_says(world.repo, {"branch", "release"});
  world.set("target_ref", "refs/heads/release");
  ASSERT_EQ(world.submit().exit, 0);
  world.reset_fields("calc-line-002");
  const Answer second = world.submit();
  EXPECT_EQ(second.exit, 0) << second.out;
}

TEST(FourthAttack, ADependencyThatIsOnABranchAloneIsOpen) {
  ProposalWorld world;
  world.approve();
  ASSERT_EQ(world.promote({"--integrate", "branch-only"}).exit, 0);
  world.change({{"src/other.py", kit::read(world.repo / "src/other.py") + "more\n"},
                {"tests/test_other.py", "assert other\n"}});
  world.reset_fields("calc-line-002");
  world.set("affected_files", "[src/other.py, tests/test_other.py]");
  world.set("tests_added", "[tests/test_other.py]");
  world.set("commands_run", "[\"pytest tests/test_other.py => exit 0\"]");
  world.set(
      "risk_notes",
      "\"failure: src/other.py is wrong; blast_radius: one file; data: none; idempotent: yes\"");
  world.set("depends_on", "[calc-line-001]");
  world.approve();
  const Answer promoted = world.promote();
  EXPECT_EQ(promoted.exit, 1) << promoted.out;
  EXPECT_TRUE(promoted.has("PROP_DEPENDENCY_OPEN")) << promoted.out;
}

TEST(FourthAttack, AShallowCloneSaysSoAndUnshallowedItVerifies) {
  Registered world{kOldBases};
  ASSERT_EQ(world.submit_signed().exit, 0);
  world.approve_signed();
  ASSERT_EQ(world.promote_confirmed().exit, 0);
  const kit::fs::path clone = world.scratch.path() / "shallow";
  kit::git_says(world.scratch.path(),
                {"clone", "-q", "--depth", "1", "file://" + world.repo.string(), clone.string()});
  kit::git_says(clone, {"fetch", "-q", "origin", "+refs/gatehouse/*:refs/gatehouse/*"});
  const Answer cut = in(clone, {"proposal", "verify", "--all"});
  EXPECT_NE(cut.err.find("--unshallow"), std::string::npos) << cut.err;
  kit::git_says(clone, {"fetch", "-q", "--unshallow"});
  const Answer whole = in(clone, {"proposal", "verify", "--all"});
  EXPECT_EQ(whole.exit, 0) << whole.out;
}

TEST(FourthAttack, AFetchFromElsewhereIsNoForgeryOfOnesOwnRecords) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  const kit::fs::path clone = kit::clone_with_refs(world);
  ASSERT_EQ(in(clone, {"proposal", "import"}).exit, 0);
  kit::git_says(clone, {"config", "user.email", "a@b"});
  world.reset_fields("calc-line-002");
  world.set("target_ref", "refs/heads/other");
  kit::git_says(clone, {"branch", "other"});
  world.write_pair();
  const Answer mine =
      in(clone, {"proposal", "submit", world.box.string(), "--id", "calc-line-002"});
  ASSERT_EQ(mine.exit, 0) << mine.out;
  kit::git_says(clone, {"fetch", "-q", "origin", "+refs/gatehouse/*:refs/gatehouse/*"});
  const Answer verified = in(clone, {"proposal", "verify", "--all"});
  EXPECT_EQ(verified.exit, 0) << verified.out;
  EXPECT_NE(verified.err.find("behind"), std::string::npos) << verified.err;
}

TEST(FourthAttack, APromotionThatGitCannotFinishLeavesNothingBehind) {
  ProposalWorld world;
  world.approve();
  const kit::fs::path lock = world.repo / ".git/refs/heads/main.lock";
  kit::write(lock, "");
  EXPECT_EQ(world.promote().exit, 4);
  EXPECT_EQ(world.status(), "proposed");
  EXPECT_NE(
      kit::git(world.repo, {"rev-parse", "-q", "--verify", "refs/heads/gatehouse/" + world.stem})
          .exit_code,
      0);
  kit::fs::remove(lock);
  const Answer settled = world.run({"proposal", "recover"});
  EXPECT_TRUE(settled.document.as_map()->find("settled")->as_list()->empty()) << settled.out;
  EXPECT_EQ(world.promote().exit, 0);
  kit::write(lock, "");
  EXPECT_EQ(world.run({"proposal", "rollback", world.stem, "--reason", "unwanted"}).exit, 4);
  kit::fs::remove(lock);
  EXPECT_EQ(world.run({"proposal", "rollback", world.stem, "--reason", "unwanted"}).exit, 0);
}

TEST(FourthAttack, WhoeverIsAskedMayLeave) {
  ProposalWorld world("");
  world.approve();
  const std::string ask = kit::gatehouse_binary() + " proposal promote " + world.stem + " -C " +
                          world.repo.string() + "";
  const auto until = [](const std::string& words) {
    return "for i in $(seq 300); do grep -qs '" + words + "' typed && break; sleep 0.1; done; ";
  };
  const kit::Ran left =
      kit::shell(world, "(" + until("type the id") + "printf '\\003'; " + until("exit 130") +
                            ") | script -qefc \"" + ask + "\" typed");
  EXPECT_NE(left.out.find("type the id"), std::string::npos) << left.out << left.err;
  EXPECT_NE(left.out.find("exit 130"), std::string::npos) << left.out << left.err;
  EXPECT_EQ(world.status(), "proposed");
}

TEST(FourthAttack, ARegisteredAgentAtATerminalIsNoHuman) {
  for (const auto& [kind, outcome] :
       {std::pair{"agent", "PROP_CONFIRMATION_MISSING"}, std::pair{"human", "promoted"}}) {
    SCOPED_TRACE(kind);
    Registered world;
    kit::write(
        world.repo / "gatehouse.yaml",
        kit::read(world.repo / "gatehouse.yaml") +
            fmt::format("    - name: \"local:{}\"\n      kind: {}\n      roles: [promoter]\n",
                        ::getuid(), kind));
    world.commit("whoever sits at this machine");
    world.base = kit::git_says(world.repo, {"rev-parse", "HEAD"});
    world.reset_fields("calc-line-001");
    EXPECT_EQ(world.submit().exit, 0);
    world.approve_signed();
    const kit::Ran typed = kit::shell(
        world,
        fmt::format("echo {} | script -qec \"{} proposal promote {} -C {}\" /dev/null || true",
                    world.stem, kit::gatehouse_binary(), world.stem, world.repo.string()));
    EXPECT_NE(typed.out.find("type the id"), std::string::npos) << typed.out;
    EXPECT_NE(typed.out.find(outcome), std::string::npos) << typed.out;
    EXPECT_EQ(world.status() == "promoted", kind == std::string_view("human"));
  }
}

TEST(FourthAttack, ReasonsWithoutAFileConformToTheirSchema) {
  ProposalWorld world;
  ASSERT_EQ(world.submit().exit, 0);
  ASSERT_EQ(world.review("gemini", "changes", {"--reason", "style:no"}).exit, 0);
  const Answer shown = world.run({"proposal", "show", world.stem});
  EXPECT_NE(shown.out.find("\"file\": null"), std::string::npos) << shown.out;
  EXPECT_NE(kit::run({"/bin/sh", "-c", "grep -A3 '\"file\"' data/schemas/review.schema.json"}, {})
                .out.find("null"),
            std::string::npos);
}

}  // namespace
}  // namespace gh
