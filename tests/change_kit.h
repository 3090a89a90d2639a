#pragma once
// A repository in which changes are declared and finished through the program, on either ledger.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "control/intent_record.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"
#include "tests/ledger_kit.h"
#include "tests/runs_kit.h"
#include "wire/json.h"

namespace gh::testing {

using Words = std::vector<std::string>;

class ChangeWorld : public ::testing::TestWithParam<BackEnd> {
 protected:
  ChangeWorld() {
    repo.write("pkg/__init__.py", "");
    repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 2));
    repo.write("pkg/b.py", python_function("store", 3));
    repo.write("docs/guide.md", "read me\n");
    repo.write("docs/index.md", "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n");
    repo.write("Makefile", "all:\n");
    repo.write("pyproject.toml", "[project]\nname = \"p\"\n");
    repo.write("id.txt", sys::real_env().random_hex(32));  // the ledger's place in PostgreSQL
    configure("");
    must({"analyze"});
  }

  /// gatehouse.yaml with further blocks, committed.
  void configure(const std::string& blocks, const std::string& store = "") const {
    std::string text;
    if (GetParam() == BackEnd::postgres || !store.empty()) text = "store:\n" + store;
    if (GetParam() == BackEnd::postgres) text += "  url: \"" + postgres_server().url() + "\"\n";
    text += blocks;
    repo.write("gatehouse.yaml", text.empty() ? "patch:\n  max_files: 50\n" : text);
    repo.commit("configured");
  }
  Ran ask(Words words, const std::string& session = "", Words environment = {}) const {
    if (!session.empty()) words.insert(words.end(), {"--session", session});
    return gatehouse(std::move(words), repo.root(), {}, std::move(environment));
  }
  void must(Words words, const std::string& session = "") const {
    const Ran ran = ask(std::move(words), session);
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  /// One member of an answer, whatever its exit code.
  std::string field(Words words, const std::string& session, const std::string& name) const {
    words.insert(words.end(), {"--field", name});
    const Ran ran = ask(std::move(words), session);
    return ran.out.substr(0, ran.out.find('\n'));
  }
  /// The whole answer.
  Value document(Words words, const std::string& session = "A") const {
    words.emplace_back("--json");
    const Ran ran = ask(std::move(words), session);
    auto read = wire::read_own_json(ran.out, "answer");
    EXPECT_TRUE(read) << ran.out << ran.err;
    return read ? std::move(*read) : Value();
  }
  std::string start(const std::string& session, const Words& files, const Words& more = {},
                    const std::string& what = "status") const {
    Words words{"change", "start", "--goal", "a change by " + session, "--allow"};
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), more.begin(), more.end());
    return field(words, session, what);
  }
  Words finishing(const Words& files, const Words& more = {}) const {
    Words words{"change", "finish", "--files"};
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string finish(const std::string& session, const Words& files,
                     const std::string& what = "status", const Words& more = {}) const {
    return field(finishing(files, more), session, what);
  }
  /// Edits docs/guide.md under an intent and finishes; the tagged digest of the receipt.
  std::string finished_guide(const std::string& text, const std::string& session = "A") const {
    EXPECT_EQ(start(session, {"docs/guide.md"}), "active");
    repo.write("docs/guide.md", text);
    const std::string digest = finish(session, {"docs/guide.md"}, "receipt.receipt_digest.value");
    EXPECT_EQ(digest.size(), 64u) << digest;
    return "sha256:" + digest;
  }
  /// What the ledger holds, without its rules.
  void edit_ledger(const std::string& sql) const {
    auto door = GetParam() == BackEnd::sqlite
                    ? store::connect_sqlite(repo.at(".git/gatehouse/ledger.db"), kBusyMs,
                                            store::Access::write)
                    : store::connect_postgres(postgres_server().url(), root_commit(), kBusyMs,
                                              store::Access::write);
    ASSERT_TRUE(door.has_value()) << door.error().message;
    const auto done = (*door)->execute(sql);
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  std::string root_commit() const { return repo.git({"rev-list", "--max-parents=0", "HEAD"}); }
  std::size_t events(const std::string& name) const {
    const Ran ran = ask({"audit", "export"});
    std::size_t out = 0;
    for (const std::string_view line : split(ran.out, '\n'))
      out += contains(line, "\"event\":\"" + name + "\"") ? 1 : 0;
    return out;
  }
  std::string id_of(const std::string& session) const {
    return field({"change", "status"}, session, "intent_id");
  }
  Result<std::unique_ptr<store::Ledger>> open_ledger() const {
    if (GetParam() == BackEnd::sqlite)
      return store::Ledger::open_sqlite(repo.at(".git/gatehouse/ledger.db"), kBusyMs);
    return store::Ledger::open_postgres(postgres_server().url(), root_commit(), kBusyMs);
  }
  /// The record as if its owner had last been heard so many seconds earlier: what time does, done
  /// by whoever can edit the ledger.
  void age(const std::string& intent_id, std::int64_t seconds) const {
    rewrite(intent_id, [&](Intent& intent) { intent.lease_renewed_at.seconds -= seconds; });
  }
  /// The same for the whole of its time.
  void run_out(const std::string& intent_id) const {
    rewrite(intent_id, [](Intent& intent) {
      for (Timestamp* time : {&intent.declared_at, &intent.lease_renewed_at, &intent.expires_at})
        time->seconds -= 2 * intent.ttl_seconds;
    });
  }
  void rewrite(const std::string& intent_id, const std::function<void(Intent&)>& edit) const {
    auto ledger = open_ledger();
    ASSERT_TRUE(ledger.has_value()) << ledger.error().message;
    const auto done = (*ledger)->change_intents(
        store::standing_at(sys::real_env().now()), store::Durability::durable,
        [&](store::IntentView& view) -> Result<store::IntentChange> {
          GH_TRY(row, view.find(intent_id));
          GH_TRY(intent, control::from_record(row->payload.value()));
          edit(intent);
          row->payload = control::to_record(intent);
          store::AuditEvent aged{};
          aged.event = "test.aged";
          return store::IntentChange{.put = {*row}, .events = {aged}};
        });
    ASSERT_TRUE(done.has_value()) << done.error().message;
  }
  /// Lease and grace, as configured unless a test says otherwise.
  static constexpr std::int64_t kLapsed = 300 + 900 + 1;

  GitSandbox repo;
};

/// The same with nothing but settings of change control.
class ChangeControl : public ChangeWorld {
 protected:
  void configure(const std::string& control) const {
    ChangeWorld::configure(control.empty() ? "" : "change_control:\n" + control);
  }
};

}  // namespace gh::testing
