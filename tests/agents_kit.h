#pragma once
// A repository under change control and agents in it: real commands, real git, and answers that are
// read as documents.
#include <functional>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "control/intent_record.h"
#include "model/peek.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"
#include "tests/ledger_kit.h"
#include "tests/runs_kit.h"
#include "wire/json.h"

namespace gh::testing {

using Words = std::vector<std::string>;

inline Words operator+(Words left, const Words& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

/// What a command said.
struct Answer {
  int code = -1;
  Value document{};

  /// Members by their names, from the outside in.
  Peek operator[](std::string_view name) const { return Peek(document)[name]; }
  std::string text(std::string_view name) const { return std::string((*this)[name].text()); }
  std::string status() const { return text("status"); }
  std::string reason() const { return text("reason"); }
  std::string id() const { return text("intent_id"); }
};

inline Words texts(const Peek& list) {
  Words out;
  for (const Value& item : list.list())
    out.emplace_back(Peek(item).text());
  return out;
}
/// The same member of each item of a list.
inline Words texts(const Peek& list, std::string_view member) {
  Words out;
  for (const Value& item : list.list())
    out.emplace_back(Peek(item)[member].text());
  return out;
}
inline std::set<std::string> members(const Value& map) {
  std::set<std::string> out;
  if (map.as_map() != nullptr)
    for (const auto& [name, value] : map.as_map()->entries())
      out.insert(name);
  return out;
}

/// An open intent in a ledger, rewritten as if somebody had left it so.
inline void rewrite_intent(const Result<std::unique_ptr<store::Ledger>>& ledger,
                           const std::string& intent_id, const std::function<void(Intent&)>& edit) {
  ASSERT_TRUE(ledger.has_value()) << ledger.error().message;
  const auto done = (*ledger)->change_intents(
      store::standing_at(sys::real_env().now()), store::Durability::durable,
      [&](store::IntentView& view) -> Result<store::IntentChange> {
        GH_TRY(row, view.find(intent_id));
        EXPECT_TRUE(row.has_value());
        GH_TRY(intent, control::from_record(row->payload));
        edit(intent);
        row->payload = control::to_record(intent);
        return store::IntentChange{.put = {*row}, .events = {intent_event("intent.reset")}};
      });
  ASSERT_TRUE(done.has_value()) << done.error().message;
}

/// A package with two modules that know each other, a document, and a Makefile, on either ledger.
class AgentWorld {
 public:
  explicit AgentWorld(BackEnd back_end = BackEnd::sqlite) : back_end_(back_end) {
    if (back_end_ == BackEnd::postgres) {
      repo.write("id.txt", sys::real_env().random_hex(32));  // the ledger's place in the database
      repo.write("gatehouse.yaml", store_block());
    }
    repo.write("pkg/__init__.py", "");
    repo.write("pkg/a.py", module_a(2));
    repo.write("pkg/b.py", python_function("store", 3));
    repo.write("docs/guide.md", "read me\n");
    repo.write("docs/other.md", "and me\n");
    repo.write("Makefile", "all:\n");
    repo.write("pyproject.toml", "[project]\nname = \"p\"\n");
    repo.commit("first");
  }

  /// pkg/a.py with a function of so many branches.
  static std::string module_a(int ifs) {
    return "from pkg import b\n" + python_function("load", ifs);
  }

  Answer ask(Words words, const std::string& session = "", const Words& environment = {},
             std::string_view input = {}) const {
    if (!session.empty()) words = words + Words{"--session", session};
    words.emplace_back("--json");
    const Ran ran = gatehouse(std::move(words), repo.root(), input, environment);
    const auto document = wire::read_json(ran.out.empty() ? ran.err : ran.out, "answer");
    EXPECT_TRUE(document.has_value()) << ran.out << ran.err;
    return {ran.code, document ? *document : Value()};
  }
  /// The id of a run that is made now.
  std::string analyze() const {
    const Answer made = ask({"analyze"});
    EXPECT_EQ(made.code, 0);
    return std::string(made["meta"]["runtime"]["run_id"].text());
  }
  void configure(const std::string& control) const {
    write_control(control);
    repo.commit("configured");
  }
  void write_control(const std::string& control) const {
    repo.write("gatehouse.yaml", store_block() + "change_control:\n" + control);
  }
  Answer start(const std::string& session, const Words& files, const Words& more = {},
               const Words& environment = {}) const {
    Words words{"change", "start", "--goal", "a change by " + session};
    for (const std::string& file : files)
      words.push_back("--allow=" + file);
    return ask(words + more, session, environment);
  }
  Answer finish(const std::string& session, const Words& files, const Words& more = {},
                const Words& environment = {}) const {
    Words words{"change", "finish"};
    for (const std::string& file : files)
      words.push_back("--files=" + file);
    return ask(words + more, session, environment);
  }
  Answer verify(const std::string& session, const Words& files, const Words& more = {}) const {
    Words words{"change", "verify"};
    for (const std::string& file : files)
      words.push_back("--files=" + file);
    return ask(words + more, session);
  }
  /// Severities of the audit rows of one event, oldest first.
  Words severities(const std::string& event) const {
    Words out;
    const Ran ran = gatehouse({"audit", "export"}, repo.root());
    for (const std::string_view line : split(ran.out, '\n')) {
      if (line.empty()) continue;
      const auto row = wire::read_json(line, "audit row");
      EXPECT_TRUE(row.has_value()) << line;
      if (row && Peek(*row)["event"].text() == event)
        out.emplace_back(Peek(*row)["severity"].text());
    }
    return out;
  }

  void rewrite(const std::string& intent_id, const std::function<void(Intent&)>& edit) const {
    rewrite_intent(open_ledger(), intent_id, edit);
  }
  /// Its holder was last heard of `lease` seconds ago, and it was declared `life` seconds earlier.
  void age(const std::string& intent_id, std::int64_t lease, std::int64_t life = 0) const {
    rewrite(intent_id, [&](Intent& intent) {
      intent.lease_renewed_at.seconds -= lease;
      intent.declared_at.seconds -= life;
      intent.expires_at.seconds -= life;
    });
  }

  Result<std::unique_ptr<store::Ledger>> open_ledger() const {
    if (back_end_ == BackEnd::sqlite)
      return store::Ledger::open_sqlite(repo.at(".git/gatehouse/ledger.db"), kBusyMs);
    return store::Ledger::open_postgres(postgres_server().url(),
                                        repo.git({"rev-list", "--max-parents=0", "HEAD"}), kBusyMs);
  }

  GitSandbox repo;

 private:
  std::string store_block() const {
    return back_end_ == BackEnd::sqlite ? ""
                                        : "store:\n  url: \"" + postgres_server().url() + "\"\n";
  }

  BackEnd back_end_;
};

}  // namespace gh::testing
