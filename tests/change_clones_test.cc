// Several clones of one repository, each with a state folder of its own, on one ledger on a server:
// a session of the same name in another clone is another agent.
#include <filesystem>

#include "model/peek.h"
#include "tests/change_kit.h"
#include "tests/hook_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

namespace fs = std::filesystem;

class ChangeClones : public ChangeWorld {
 protected:
  ChangeClones() {
    configure("hooks:\n  mode: enforce\n");
    must({"analyze"});
    repo.git_at(repo.folder(), {"clone", "-q", repo.root(), other});
    EXPECT_EQ(there({"analyze"}).code, 0);
  }
  Ran there(Words words, const std::string& session = "") const {
    if (!session.empty()) words.insert(words.end(), {"--session", session});
    return gatehouse(std::move(words), other);
  }
  std::string field_there(Words words, const std::string& name,
                          const std::string& session = "A") const {
    words.insert(words.end(), {"--field", name});
    const Ran ran = there(std::move(words), session);
    return ran.out.substr(0, ran.out.find('\n'));
  }
  std::string start_there(const Words& files, const std::string& what = "status") const {
    Words words{"change", "start", "--goal", "over there", "--allow"};
    words.insert(words.end(), files.begin(), files.end());
    return field_there(words, what);
  }
  void write_there(const std::string& path, const std::string& text) const {
    ASSERT_TRUE(sys::write_file_atomic(other + "/" + path, text).has_value());
  }
  std::string gate(const std::string& root, const std::string& path) const {
    return said(ask_hook(root, "claude", claude_write(root, path, "A")));
  }
  const std::string other = repo.folder() + "/other";
};
INSTANTIATE_TEST_SUITE_P(Server, ChangeClones, ::testing::Values(BackEnd::postgres), name_of);

TEST_P(ChangeClones, OneDoesNotFinishRenewOrGiveUpWhatASessionOfItsNameDeclaredInAnother) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const std::string id = id_of("A");
  write_there("docs/guide.md", "of the other one\n");
  for (const Words& words : std::vector<Words>{{"change", "finish", id, "--files", "docs/guide.md"},
                                               {"change", "check", id, "--files", "docs/guide.md"},
                                               {"change", "renew", id},
                                               {"change", "status", id},
                                               {"change", "extend", id, "--add", "docs/index.md"},
                                               {"change", "abandon", id}}) {
    const Ran ran = there(words, "A");
    EXPECT_EQ(ran.code, 2) << ran.out;
    EXPECT_TRUE(contains(ran.err, "unknown_intent")) << ran.err;
  }
  EXPECT_TRUE(
      contains(there({"change", "renew", id}, "A").err, "in the clone that it was declared"));
  EXPECT_TRUE(contains(there({"change", "finish", "--files", "docs/guide.md"}, "A").err,
                       "no_active_intent"));
  EXPECT_EQ(field_there({"change", "reset", id}, "action_taken"), "rejected");
  EXPECT_EQ(field_there({"change", "recover", id}, "reason"), "not_recoverable");
  repo.write("docs/guide.md", "of this one\n");
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted");
}

TEST_P(ChangeClones, AStartThereIsBlockedAndTakesTheRecordOfNobody) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start_there({"docs/guide.md"}), "blocked");
  EXPECT_EQ(start_there({"docs/guide.md"}, "next_step_code"), "foreign_active_overlap");
  EXPECT_EQ(start_there({"docs/index.md"}), "active") << "its own files are free";
  EXPECT_TRUE(contains(there({"change", "list"}, "A").out, id_of("A")));
  EXPECT_NE(id_of("A"), field_there({"change", "status"}, "intent_id"));
}

TEST_P(ChangeClones, AWorkTreeOfACloneIsNoOtherClone) {
  const std::string linked = repo.folder() + "/linked";
  repo.git({"worktree", "add", "-q", linked});
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const Ran seen =
      gatehouse({"change", "status", "--field", "intent_id", "--session", "A"}, linked);
  EXPECT_EQ(seen.out, id_of("A") + "\n");
}

TEST_P(ChangeClones, AFolderThatIsMovedIsTheSameCloneAndACopyIsAnother) {
  EXPECT_EQ(start_there({"docs/guide.md"}), "active");
  const std::string moved = repo.folder() + "/moved", copy = repo.folder() + "/copy";
  fs::copy(other, copy, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  fs::rename(other, moved);
  const Words status{"change", "status", "--session", "A"};
  EXPECT_EQ(gatehouse(status, moved).code, 0);
  EXPECT_TRUE(contains(gatehouse(status, copy).err, "no_active_intent"));
}

TEST_P(ChangeClones, WhoeverFellSilentIsTakenOverByTheSameNameElsewhere) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const std::string id = id_of("A");
  age(id, kLapsed);
  EXPECT_EQ(field_there({"change", "recover", id}, "action_taken"), "recovered");
  EXPECT_TRUE(contains(ask({"change", "renew", id}, "A").err, "ownership_lost"));
  write_there("docs/guide.md", "of the other one\n");
  EXPECT_EQ(field_there({"change", "finish", id, "--files", "docs/guide.md"}, "status"),
            "accepted");
}

TEST_P(ChangeClones, WithoutAFileThatSaysWhichCloneItIsNothingIsDeclared) {
  const std::string file = other + "/.git/gatehouse/clone";
  for (const bool is_folder : {false, true}) {
    fs::remove_all(file);
    fs::create_directories(is_folder ? file : other + "/.git/gatehouse");
    if (!is_folder) std::ofstream(file).close();
    const Ran ran = there({"change", "start", "--goal", "g", "--allow", "docs/guide.md"}, "A");
    EXPECT_EQ(ran.code, 4) << ran.err;
    EXPECT_TRUE(contains(ran.err, "which clone this is")) << ran.err;
  }
  fs::remove_all(file);
  EXPECT_EQ(start_there({"docs/guide.md"}), "active");
}

TEST_P(ChangeClones, WhoLosesTheFileThatSaysWhichCloneItIsStaysThatClone) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  const std::string id = id_of("A"), file = repo.at(".git/gatehouse/clone");
  ASSERT_TRUE(fs::remove(file));
  EXPECT_EQ(ask({"hook", "test", "--path", "docs/guide.md"}, "A").code, 0);
  EXPECT_EQ(id_of("A"), id);
  EXPECT_TRUE(fs::exists(file)) << "and has it again";
  repo.write("docs/guide.md", "of this one\n");
  EXPECT_EQ(finish("A", {"docs/guide.md"}), "accepted");
}

TEST_P(ChangeClones, HooksCountOnlyWhatWasDeclaredHere) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(gate(repo.root(), "pkg/a.py"), "pass");
  EXPECT_EQ(there({"change", "list"}, "A").code, 0);
  EXPECT_EQ(start_there({"docs/index.md"}), "active");
  EXPECT_EQ(gate(other, "docs/index.md"), "pass");
  EXPECT_EQ(gate(other, "pkg/a.py"), "GH-INTENT-003") << "the other clone holds it";
  EXPECT_EQ(there({"hook", "test", "--path", "pkg/a.py"}, "A").code, 1);
  EXPECT_EQ(there({"hook", "test", "--path", "docs/index.md"}, "A").code, 0);
}

TEST_P(ChangeClones, DirtHereIsNotThatOfWhoeverDeclaredItThere) {
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  EXPECT_EQ(start_there({"docs/index.md"}), "active");
  write_there("docs/index.md", "one\n");
  write_there("docs/guide.md", "nobody declared that here\n");
  const Words words{"change",         "finish", "--files",    "docs/index.md",
                    "--detail-level", "full",   "--no-clear", "--no-receipt"};
  EXPECT_EQ(field_there(words, "workspace_hygiene_after.counts.foreign_attributed_outside_scope"),
            "0");
  EXPECT_EQ(field_there(words, "workspace_hygiene_after.counts.new_unattributed_unscoped"), "1");
}

}  // namespace
}  // namespace gh::testing
