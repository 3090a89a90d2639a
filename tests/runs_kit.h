#pragma once
// A repository with Python files, and questions about its runs through the program.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/text.h"
#include "sys/env.h"
#include "tests/gatehouse_binary.h"
#include "tests/git_sandbox.h"

namespace gh::testing {

/// Complexity ifs + 1; two with other numbers share no run of statements.
inline std::string python_function(const std::string& name, int ifs) {
  std::string out = "def " + name + "(a):\n";
  for (int i = 0; i < ifs; ++i)
    out += "    if a > 1:\n        g" + std::to_string(ifs) + "_" + std::to_string(i) + "(a)\n";
  return out + "    return a\n";
}

/// Twelve lines that are a clone wherever they stand.
inline std::string python_copy(const std::string& name) {
  std::string out = "def " + name + "(a):\n";
  for (int i = 0; i < 11; ++i)
    out += "    h" + std::to_string(i) + "(a)\n";
  return out;
}

struct RunsWorld {
  RunsWorld() {
    repo.write("pkg/__init__.py", "");
    repo.write("pkg/core.py", python_function("core", 3));
    repo.write("pkg/use.py", "from pkg import core\n" + python_function("use", 2));
    repo.write("app.py", "import pkg.use\n" + python_function("main", 1));
    repo.write("Makefile", "all:\n");
    repo.write(".gitignore", "ignored.py\n");
    repo.write("ignored.py", python_function("ignored", 50));
    repo.write("id.txt", sys::real_env().random_hex(32));  // the ledger's place in PostgreSQL
    repo.commit("first");
  }

  Ran ask(std::vector<std::string> words) const { return gatehouse(std::move(words), repo.root()); }
  /// One member of the answer; the command must succeed.
  std::string field(std::vector<std::string> words, const std::string& name) const {
    words.insert(words.end(), {"--field", name});
    const Ran ran = ask(std::move(words));
    EXPECT_EQ(ran.code, 0) << ran.err << ran.out;
    return ran.out.substr(0, ran.out.find('\n'));
  }
  std::string run_id(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), "analyze");
    return field(std::move(more), "meta.runtime.run_id");
  }
  std::string digest(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), "analyze");
    return field(std::move(more), "integrity.digest.value");
  }
  /// What git itself says of the repository.
  std::string git_state() const {
    return repo.git({"status", "--porcelain", "--ignored"}) + repo.git({"show-ref"}) +
           repo.git({"ls-files", "-s"}) + repo.git({"count-objects"});
  }
  GitSandbox repo;
};

}  // namespace gh::testing
