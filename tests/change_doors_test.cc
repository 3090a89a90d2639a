// What change control answers at its doors where the question is odd: codes, orders and roots as
// the reference has them, through the command line and through tools.
#include <filesystem>

#include "model/peek.h"
#include "tests/change_kit.h"
#include "tests/mcp_kit.h"
#include "wire/json.h"

namespace gh::testing {
namespace {

class ChangeDoors : public ChangeWorld {
 protected:
  Value told(const std::string& tool, const std::string& arguments) {
    if (agent == nullptr) {
      agent = std::make_unique<McpProcess>(repo.root());
      agent->initialize();
    }
    const Value answer = agent->call(++asked, tool, arguments);
    return Value(Peek(answer)["result"]["structuredContent"].map());
  }
  std::string code(const std::string& tool, const std::string& arguments) {
    const Value answer = told(tool, arguments);
    return std::string(Peek(answer)["code"].text());
  }
  std::string scope_of(const std::string& root, const std::string& more = "") const {
    return R"({"root":")" + root + R"(","scope":{"allowed_files":["a.py"]},"intent":"x")" + more +
           "}";
  }
  /// The record as if its time had been shorter.
  void run_out(const std::string& intent_id) const {
    auto ledger = open_ledger();
    ASSERT_TRUE(ledger.has_value()) << ledger.error().message;
    const auto done = (*ledger)->change_intents(
        store::standing_at(sys::real_env().now()), store::Durability::durable,
        [&](store::IntentView& view) -> Result<store::IntentChange> {
          GH_TRY(row, view.find(intent_id));
          GH_TRY(intent, control::from_record(row->payload.value()));
          intent.declared_at.seconds -= 4'000;
          intent.expires_at.seconds -= 4'000;
          row->payload = control::to_record(intent);
          store::AuditEvent aged{};
          aged.event = "test.aged";
          return store::IntentChange{.put = {*row}, .events = {aged}};
        });
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  std::unique_ptr<McpProcess> agent{};
  std::int64_t asked = 0;
};
INSTANTIATE_TEST_SUITE_P(BothLedgers, ChangeDoors,
                         ::testing::Values(BackEnd::sqlite, BackEnd::postgres), name_of);

TEST_P(ChangeDoors, WhatNeedsAnIntentSaysSo) {
  for (const char* action : {"promote", "reset_workspace"})
    EXPECT_EQ(code("manage_change_intent", R"({"action":")" + std::string(action) + R"("})"),
              "intent_id_required")
        << action;
  EXPECT_EQ(code("finish_controlled_change", R"({"changed_files":["a"]})"), "intent_id_required");
}

TEST_P(ChangeDoors, ARunThatNobodyKnowsHasOneCodeEverywhere) {
  const std::string run = R"("run_id":"ffff")";
  EXPECT_EQ(code("get_blast_radius", R"({"files":["pkg/a.py"],)" + run + "}"), "run_not_found");
  EXPECT_EQ(code("compare_runs", R"({"run_id_before":"ffff"})"), "run_not_found");
  EXPECT_EQ(code("create_review_receipt", "{" + run + "}"), "run_not_found");
  EXPECT_EQ(code("validate_review_claims", R"({"text":"x",)" + run + "}"), "run_not_found");
  EXPECT_EQ(ask({"runs", "show", "ffff"}).code, 2);
}

TEST_P(ChangeDoors, ARootBelowTheTopIsRefusedWherePathsAreGiven) {
  const Value refused = told("start_controlled_change", scope_of(repo.at("pkg")));
  EXPECT_EQ(Peek(refused)["code"].text(), "root_not_a_repository");
  EXPECT_TRUE(contains(Peek(refused)["message"].text(), repo.root())) << "the way out";
  const std::string below = R"({"root":")" + repo.at("pkg") + R"(",)";
  EXPECT_EQ(code("get_blast_radius", below + R"("files":["a.py"]})"), "root_not_a_repository");
  EXPECT_EQ(code("analyze_repository", below + R"("changed_paths":["a.py"]})"),
            "root_not_a_repository");
  EXPECT_EQ(
      code("finish_controlled_change", below + R"("intent_id":"i","changed_files":["a.py"]})"),
      "root_not_a_repository");
  EXPECT_EQ(Peek(told("start_controlled_change", scope_of(repo.root())))["status"].text(),
            "active");
  EXPECT_EQ(code("status", R"({"root":")" + repo.at("pkg") + R"("})"), "") << "no paths, no doubt";
}

TEST_P(ChangeDoors, SecondsThatAreNoneCountAsNotGivenAndTooFewAreTheLeast) {
  const auto ttl = [&](const std::string& given) {
    const Value started =
        told("start_controlled_change", scope_of(repo.root(), R"(,"ttl_seconds":)" + given));
    EXPECT_EQ(Peek(started)["status"].text(), "active") << given;
    const Value all = told("manage_change_intent", R"({"action":"list_workspace"})");
    const Value first = Peek(all)["workspace_intents"].list().front();
    told("manage_change_intent", R"({"action":"clear"})");
    return Peek(first)["ttl_seconds"].number();
  };
  EXPECT_EQ(ttl("true"), 3600);
  EXPECT_EQ(ttl(R"("soon")"), 3600);
  EXPECT_EQ(ttl("1.5"), 3600);
  EXPECT_EQ(ttl(R"("120")"), 120);
  EXPECT_EQ(ttl("-5"), 60);
  EXPECT_EQ(ttl("90"), 90);
}

TEST_P(ChangeDoors, ABlockedStartIsShownAndIsNoneThatWaits) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const std::string id = start("B", {"pkg/a.py"}, {}, "intent_id");
  EXPECT_EQ(field({"change", "status", id}, "B", "status"), "blocked");
  EXPECT_EQ(field({"change", "status", id}, "B", "edit_allowed"), "false");
  EXPECT_TRUE(contains(ask({"change", "promote", id}, "B").err, "intent_not_queued"));
  EXPECT_TRUE(contains(ask({"change", "status", id}, "C").err, "unknown_intent"));
}

TEST_P(ChangeDoors, ARenewalThatComesTooLateSaysWhy) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  const std::string id = id_of("A");
  run_out(id);
  for (const char* when : {"open", "closed by the next look"}) {
    EXPECT_EQ(field({"change", "renew", id}, "A", "lease_renewed"), "false") << when;
    EXPECT_EQ(field({"change", "renew", id}, "A", "reason"), "ttl_expired") << when;
    EXPECT_EQ(field({"change", "renew", id}, "A", "lease_expires_at_utc"), "null") << when;
    must({"change", "list"}, "B");
  }
  EXPECT_TRUE(contains(ask({"change", "renew", id}, "B").err, "unknown_intent"));
  EXPECT_EQ(start("A", {"pkg/b.py"}), "active");
  const std::string given_up = id_of("A");
  must({"change", "abandon"}, "A");
  EXPECT_TRUE(contains(ask({"change", "renew", given_up}, "A").err, "unknown_intent"));
}

TEST_P(ChangeDoors, AnAbsolutePathMayReachTheRootThroughALink) {
  const std::string link = repo.folder() + "/link";
  std::filesystem::create_directory_symlink(repo.root(), link);
  EXPECT_EQ(start("A", {"docs/guide.md"}), "active");
  repo.write("docs/guide.md", "read this\n");
  const auto check = [&](const std::string& path, const char* what) {
    return field({"change", "check", "--files", path}, "A", what);
  };
  EXPECT_EQ(check(link + "/docs/guide.md", "actual_changed_files.0"), "docs/guide.md");
  EXPECT_EQ(check(link + "/docs/gone.md", "actual_changed_files.0"), "docs/gone.md");
  for (const std::string& path : {link + "/../x.md", link, link + "x/a.md"})
    EXPECT_EQ(ask({"change", "check", "--files", path}, "A").code, 2) << path;
  EXPECT_EQ(finish("A", {link + "/docs/guide.md"}), "accepted");
}

TEST_P(ChangeDoors, TheQueueIsShownInItsOrder) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  for (const char* session : {"B", "C", "D", "E", "F", "G"})
    EXPECT_EQ(start(session, {"pkg/a.py"}, {"--on-conflict", "queue"}), "queued");
  const Ran ran = ask({"change", "queue", "--json"});
  const auto document = wire::read_own_json(ran.out, "queue");
  ASSERT_TRUE(document) << ran.out;
  std::int64_t wanted = 0;
  for (const Value& waiting : Peek(*document)["queue"].list())
    EXPECT_EQ(Peek(waiting)["queue_position"].number(), ++wanted);
  EXPECT_EQ(wanted, 6);
}

TEST_P(ChangeDoors, ARegistryOfALaterProgramIsSaidToBeOne) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  edit_ledger("UPDATE meta SET value = '99' WHERE key = 'schema_version'");
  const Ran ran = ask({"change", "status"}, "A");
  EXPECT_EQ(ran.code, 4);
  EXPECT_TRUE(contains(ran.err, "registry_schema_unsupported")) << ran.err;
  const Ran gate = ask({"hook", "test", "--path", "pkg/a.py", "--field", "reason"}, "A");
  EXPECT_EQ(gate.out, "registry_error\n");
}

TEST_P(ChangeDoors, WhoDependsOnAFileThatIsStillToBeWritten) {
  const auto radius = [&](const std::string& files) {
    return told("get_blast_radius", R"({"files":)" + files + "}");
  };
  const Value fresh = radius(R"(["pkg/new.py"])");
  EXPECT_EQ(Peek(fresh)["radius_level"].text(), "low");
  const Value both = radius(R"(["./pkg//b.py","pkg/new.py",")" + repo.at("pkg/b.py") + R"("])");
  EXPECT_EQ(wire::canonical_json(Value(Peek(both)["files"].list())),
            R"(["pkg/b.py","pkg/new.py"])");
  EXPECT_EQ(wire::canonical_json(Value(Peek(both)["direct_dependents"].list())), R"(["pkg/a.py"])");
  const Value climbs = radius(R"(["../x.py"])"), away = radius(R"(["/etc/passwd"])");
  EXPECT_EQ(Peek(climbs)["code"].text(), "path_traversal");
  EXPECT_EQ(Peek(away)["code"].text(), "path_outside_root");
}

TEST_P(ChangeDoors, AReceiptIsFoundByTheNameThatFinishGives) {
  const std::string digest = finished_guide("read this\n");
  const Value trail =
      told("receipt_get", R"({"receipt_digest":")" + digest + R"(","part":"patch_trail"})");
  EXPECT_EQ(Peek(trail)["status"].text(), "ok");
  EXPECT_EQ(Peek(trail)["receipt_digest"].text(), digest);
  const Value page =
      told("receipt_get", R"({"receipt_digest":")" + digest + R"(","format":"markdown"})");
  EXPECT_EQ(Peek(page)["status"].text(), "ok");
  const Value none = told("receipt_get", R"({"receipt_digest":")" + std::string(64, '0') + R"("})");
  EXPECT_EQ(Peek(none)["status"].text(), "not_found");
}

TEST_P(ChangeDoors, AFileOfSomebodyElseIsAskedForAgainWithoutGivingUpTheOwn) {
  EXPECT_EQ(start("A", {"pkg/a.py"}), "active");
  EXPECT_EQ(start("B", {"pkg/b.py"}), "active");
  const std::string own = id_of("A");
  const Words extend{"change", "extend", "--add", "pkg/b.py"};
  const std::string step = field(extend, "A", "next_step");
  EXPECT_FALSE(contains(step, "queue")) << step;
  EXPECT_TRUE(contains(step, "'gatehouse change extend --add FILE --session A'")) << step;
  const Words again{"change",   "declare", "--goal",
                    "g",        "--allow", "pkg/a.py",
                    "pkg/b.py", "--run",   field({"change", "budget"}, "A", "run_id")};
  EXPECT_FALSE(contains(field(again, "A", "next_step"), "queue"));
  must({"change", "abandon"}, "B");
  must(extend, "A");
  EXPECT_EQ(id_of("A"), own);
}

// change-control 20.5: a malformed request is a tool error
TEST_P(ChangeDoors, AnEmptyTextNamesNothing) {
  struct Row {
    std::string tool, arguments, code, argument;
  };
  const std::string scope = R"("scope":{"allowed_files":["a.md"]})";
  const Row rows[] = {
      {"manage_change_intent", R"({"action":"get","intent_id":""})", "intent_id_required",
       "intent_id"},
      {"finish_controlled_change", R"({"intent_id":"","changed_files":["a"]})",
       "intent_id_required", "intent_id"},
      {"finish_controlled_change", R"({"intent_id":"i","changed_files":["a",""]})", "bad_argument",
       "changed_files"},
      {"finish_controlled_change", R"({"intent_id":"i","changed_files":["a"],"after_run_id":""})",
       "bad_argument", "after_run_id"},
      {"start_controlled_change", R"({"intent":"",)" + scope + "}", "intent_text_required",
       "intent"},
      {"start_controlled_change", R"({"intent":"x","scope":{"allowed_files":["a.md",""]}})",
       "scope_invalid", "scope.allowed_files"},
      {"check_patch_contract", R"({"mode":"budget","run_id":""})", "bad_argument", "run_id"},
      {"get_blast_radius", R"({"files":[""]})", "bad_argument", "files"},
      {"compare_runs", R"({"run_id_before":""})", "bad_argument", "run_id_before"},
      {"receipt_get", R"({"receipt_digest":""})", "bad_argument", "receipt_digest"},
      {"explain", R"({"id":""})", "bad_argument", "id"},
  };
  for (const Row& row : rows) {
    const Value answer = told(row.tool, row.arguments);
    EXPECT_EQ(Peek(answer)["code"].text(), row.code) << row.tool << row.arguments;
    EXPECT_TRUE(contains(Peek(answer)["message"].text(), "'" + row.argument + "'"))
        << Peek(answer)["message"].text();
  }
}

TEST_P(ChangeDoors, AnErrorTellsAToolOfTools) {
  const std::pair<std::string, std::string> rows[] = {
      {"manage_change_intent", R"({"action":"get"})"},
      {"manage_change_intent", R"({"action":"renew","intent_id":"intent-x"})"},
      {"check_patch_contract", R"({"mode":"budget","run_id":"ffff"})"},
      {"get_blast_radius", R"({"files":[]})"},
      {"receipt_get", "{}"},
      {"receipt_get", R"({"run_id":"ffff","intent_id":"x"})"},
      {"receipt_verify", "{}"},
      {"finish_controlled_change", R"({"intent_id":"i","changed_files":[]})"},
  };
  for (const auto& [tool, arguments] : rows) {
    const Value answer = told(tool, arguments);
    EXPECT_FALSE(Peek(answer)["code"].text().empty()) << tool << arguments;
    const Peek next = Peek(answer)["next"];
    EXPECT_EQ(next["kind"].text(), "tool");
    EXPECT_EQ(next["tool"].text(), "explain");
    EXPECT_EQ(next["arguments"]["id"].text(), Peek(answer)["code"].text());
    for (const std::string_view words : {Peek(answer)["message"].text(), next["why"].text()}) {
      EXPECT_FALSE(contains(words, "gatehouse ")) << words;
      EXPECT_FALSE(contains(words, "--")) << words;
    }
  }
}

TEST_P(ChangeDoors, AReceiptIsFetchedByWhatTheFinishSaysOfIt) {
  const Value begun = told("start_controlled_change",
                           R"({"scope":{"allowed_files":["docs/guide.md"]},"intent":"say"})");
  repo.write("docs/guide.md", "new\n");
  const Value done = told("finish_controlled_change",
                          R"({"intent_id":")" + std::string(Peek(begun)["intent_id"].text()) +
                              R"(","changed_files":["docs/guide.md"]})");
  const Peek retrieval = Peek(done)["receipt"]["receipt_retrieval"];
  const Map arguments{{"receipt_digest", Value(retrieval["receipt_digest"].map())}};
  const Value fetched =
      told(std::string(retrieval["tool"].text()), wire::canonical_json(arguments));
  EXPECT_EQ(Peek(fetched)["schema"].text(), "gatehouse.receipt/1");
  EXPECT_EQ(code("receipt_get", R"({"receipt_digest":{"kind":"receipt_v1"}})"), "bad_argument");
}

TEST_P(ChangeDoors, TheTextOfAToolSaysWhatItFound) {
  repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 2) + "\n\n" +
                             python_function("_nobody_calls", 2));
  must({"analyze"});
  told("status", "{}");
  const auto text = [&](const std::string& tool, const std::string& arguments) {
    const Value answer = agent->call(++asked, tool, arguments);
    return std::string(Peek(Peek(answer)["result"]["content"].list().front())["text"].text());
  };
  EXPECT_TRUE(contains(text("findings", "{}"), "_nobody_calls")) << text("findings", "{}");
  const std::string blast = text("get_blast_radius", R"({"files":["pkg/b.py"]})");
  EXPECT_TRUE(contains(blast, "pkg/a.py")) << blast;
  EXPECT_TRUE(contains(blast, "run_id: ")) << blast;
}

}  // namespace
}  // namespace gh::testing
