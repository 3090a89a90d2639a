#pragma once
// Registered actors with real keys, made by ssh-keygen, and what an attacker does with a clone.
#include "tests/proposal_kit.h"

namespace gh::kit {

inline Ran shell(const ProposalWorld& world, const std::string& line) {
  return run({"/bin/bash", "-c", "set -euo pipefail; " + line}, {.cwd = world.scratch.path()});
}

struct ActorRow {
  const char *name, *kind, *provider, *role, *ceiling;
};

inline constexpr ActorRow kActors[] = {{"alice", "human", "us", "promoter", "untrusted"},
                                       {"gemini", "agent", "google", "reviewer", "untrusted"},
                                       {"codex", "agent", "openai", "reviewer", "untrusted"},
                                       {"drafter", "agent", "deepseek", "agent", "community"},
                                       {"mallory", "agent", "nobody", "agent", "untrusted"}};

/// Keys in <scratch>/<name>, the registry committed at the head of the target.
struct Registered : ProposalWorld {
  explicit Registered(const std::string& more = "") : ProposalWorld("") {
    for (const ActorRow& row : kActors)
      EXPECT_EQ(shell(*this, std::string("ssh-keygen -q -t ed25519 -N '' -C '' -f ") + row.name)
                    .exit_code,
                0);
    register_all(more);
    change({{"src/calc.py", read(repo / "src/calc.py") + "line 41\n"},
            {"tests/test_calc.py", "assert the new line is there\n"}});
    reset_fields("calc-line-001");
  }

  /// Commits the registry. `windows` has lines below a key of that name; `without` is left out.
  void register_all(const std::string& more, const std::map<std::string, std::string>& windows = {},
                    const std::string& without = "") {
    std::string yaml = "proposals:\n" + more + "  actors:\n";
    for (const ActorRow& row : kActors) {
      const std::string name = row.name;
      if (name == without) continue;
      std::string key = read(scratch.path() / (name + ".pub"));
      while (!key.empty() && (key.back() == '\n' || key.back() == ' '))
        key.pop_back();
      const auto window = windows.find(name);
      yaml += fmt::format(
          "    - name: {}\n      kind: {}\n      provider: {}\n      roles: [{}]\n      ceiling: "
          "{}\n      keys:\n        - key: {}\n{}",
          row.name, row.kind, row.provider, row.role, row.ceiling, key,
          window == windows.end() ? "" : "          " + window->second + "\n");
    }
    write(repo / "gatehouse.yaml", yaml);
    commit("registry");
  }
  std::string key(std::string_view name) const { return (scratch.path() / name).string(); }

  /// Signs standard output of `gatehouse WORDS` with somebody's key, by ssh-keygen.
  std::string sign(const std::string& words, const std::string& name, const std::string& space) {
    const std::string line = fmt::format(
        "{} {} -C {} > payload && ssh-keygen -q -Y sign -n {} -f {} payload && mv "
        "payload.sig signature",
        gatehouse_binary(), words, repo.string(), space, name);
    const Ran ran = shell(*this, "rm -f payload.sig; " + line);
    EXPECT_EQ(ran.exit_code, 0) << ran.out << ran.err;
    return read(scratch.path() / "signature");
  }

  /// The pair with the author's signature, submitted.
  Answer submit_signed(const std::string& by = "drafter") {
    write_pair();
    write(file(".patch.sig"), sign("proposal lint --payload --id " + stem + " " + box.string(), by,
                                   "gatehouse-proposal"));
    return submit();
  }
  void approve_signed() {
    for (const char* who : {"gemini", "codex"})
      EXPECT_EQ(review(who, "ok", {"--key", key(who)}).exit, 0);
  }
  Answer promote_confirmed() {
    write(scratch.path() / "confirmation",
          sign("proposal show " + stem + " --payload promoter", "alice", "gatehouse-promotion"));
    return promote({"--confirmation", (scratch.path() / "confirmation").string()});
  }
};

/// A clone with the refs of Gatehouse and no ledger.
inline fs::path clone_with_refs(const ProposalWorld& world, const std::string& name = "clone") {
  fs::path clone = world.scratch.path() / name;
  git_says(world.scratch.path(), {"clone", "-q", world.repo.string(), clone.string()});
  git_says(clone, {"fetch", "-q", "origin", "+refs/gatehouse/*:refs/gatehouse/*"});
  return clone;
}

/// The mirrored records as somebody with push rights would rewrite them: files of `ref` whose name
/// matches `names`, each through `sed`.
inline fs::path forged_clone(const ProposalWorld& world, const std::string& names,
                             const std::string& sed,
                             const std::string& ref = "refs/gatehouse/proposals") {
  fs::path clone = clone_with_refs(world);
  const Ran ran =
      run({"/bin/bash", "-c",
           fmt::format("set -euo pipefail; export GIT_INDEX_FILE=$PWD/.git/forged; git read-tree "
                       "{0}; for f in $(git ls-files | grep -E '{1}'); do "
                       "id=$(git show {0}:$f | sed -E '{2}' | git hash-object -w --stdin); "
                       "git update-index --cacheinfo 100644,$id,$f; done; "
                       "git update-ref {0} $(git commit-tree -p {0} -m forged $(git write-tree))",
                       ref, names, sed)},
          {.cwd = clone});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return clone;
}

inline std::string ledger_of(const fs::path& repo) {
  return (repo / ".git/gatehouse/ledger.db").string();
}

/// The forger's tool.
inline void sqlite(const ProposalWorld& world, const std::string& sql) {
  const Ran ran = run({"sqlite3", ledger_of(world.repo), sql}, {});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
}

/// A command in another clone.
inline Answer in(const fs::path& folder, Words words) {
  words.push_back("--json");
  const Ran ran = gatehouse(std::move(words), {.cwd = folder});
  Answer answer{ran.exit_code, Value(), ran.out, ran.err};
  if (auto document = wire::read_json(ran.out, "answer")) answer.document = *document;
  return answer;
}

}  // namespace gh::kit
