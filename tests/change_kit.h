#pragma once
// Change control through the command line, on both ledgers.
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

namespace gh::testing {

using Words = std::vector<std::string>;

/// A small repository with a run, and sessions that ask about it.
class ChangeControl : public ::testing::TestWithParam<BackEnd> {
 protected:
  ChangeControl() {
    repo.write("pkg/__init__.py", "");
    repo.write("pkg/a.py", "from pkg import b\n" + python_function("load", 2));
    repo.write("pkg/b.py", python_function("store", 3));
    repo.write("docs/guide.md", "read me\n");
    repo.write("Makefile", "all:\n");
    repo.write("pyproject.toml", "[project]\nname = \"p\"\n");
    repo.write("id.txt", sys::real_env().random_hex(32));
    configure("");
    must({"analyze"});
  }

  void configure(const std::string& control) {
    std::string text;
    if (GetParam() == BackEnd::postgres)
      text = "store:\n  url: \"" + postgres_server().url() + "\"\n";
    if (!control.empty()) text += "change_control:\n" + control;
    repo.write("gatehouse.yaml", text.empty() ? "patch:\n  max_files: 50\n" : text);
    repo.commit("configured");
  }
  Ran ask(Words words, const std::string& session = "") const {
    if (!session.empty()) words.insert(words.end(), {"--session", session});
    return gatehouse(std::move(words), repo.root());
  }
  void must(Words words) const {
    const Ran ran = ask(std::move(words));
    ASSERT_EQ(ran.code, 0) << ran.out << ran.err;
  }
  /// One member of an answer, whatever its exit code.
  std::string field(Words words, const std::string& session, const std::string& name) const {
    words.insert(words.end(), {"--field", name});
    const Ran ran = ask(std::move(words), session);
    return ran.out.substr(0, ran.out.find('\n'));
  }
  std::string start(const std::string& session, Words files, Words more = {}) const {
    Words words{"change", "start", "--goal", "a change by " + session, "--allow"};
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), more.begin(), more.end());
    return field(words, session, "status");
  }
  std::string id_of(const std::string& session) const {
    return field({"change", "status"}, session, "intent_id");
  }
  std::string finish(const std::string& session, Words files, const std::string& what = "status",
                     Words more = {}) const {
    Words words{"change", "finish", "--files"};
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), more.begin(), more.end());
    return field(words, session, what);
  }
  std::size_t events(const std::string& name) const {
    const Ran ran = ask({"audit", "export"});
    std::size_t out = 0;
    for (const std::string_view line : split(ran.out, '\n'))
      out += contains(line, "\"event\":\"" + name + "\"") ? 1 : 0;
    return out;
  }

  Result<std::unique_ptr<store::Ledger>> open_ledger() const {
    if (GetParam() == BackEnd::sqlite)
      return store::Ledger::open_sqlite(repo.at(".git/gatehouse/ledger.db"), kBusyMs);
    return store::Ledger::open_postgres(postgres_server().url(),
                                        repo.git({"rev-list", "--max-parents=0", "HEAD"}), kBusyMs);
  }
  /// The record as if its owner had last been heard so many seconds earlier: what time does, done
  /// by whoever can edit the ledger.
  void age(const std::string& intent_id, std::int64_t seconds) const {
    auto ledger = open_ledger();
    ASSERT_TRUE(ledger.has_value()) << ledger.error().message;
    const auto done =
        (*ledger)->change_intents(sys::real_env().now(), store::Durability::durable,
                                  [&](store::IntentView& view) -> Result<store::IntentChange> {
                                    GH_TRY(row, view.find(intent_id));
                                    GH_TRY(intent, control::from_record(row->payload.value()));
                                    intent.lease_renewed_at.seconds -= seconds;
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

}  // namespace gh::testing
