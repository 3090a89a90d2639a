#pragma once
// A repository and a sandbox outside of it, as an agent has them: a pair of files that would be
// admitted, to be bent by each test.
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/kit.h"
#include "wire/json.h"

namespace gh::kit {

inline constexpr std::string_view kGatePolicy = "proposals:\n  promotion:\n    requires: gate\n";

struct Answer {
  int exit = -1;
  Value document;
  std::string out, err;

  /// Codes of the failed checks, or of the reasons, in order.
  std::vector<std::string> codes() const {
    std::vector<std::string> found;
    const Map* map = document.as_map();
    for (const char* list : {"checks", "reasons", "faults"}) {
      const Value* rows = map == nullptr ? nullptr : map->find(list);
      if (rows == nullptr || rows->as_list() == nullptr) continue;
      for (const Value& row : *rows->as_list()) {
        const Value* code = row.as_map() == nullptr ? nullptr : row.as_map()->find("code");
        if (code != nullptr && code->as_string() != nullptr) found.push_back(*code->as_string());
      }
    }
    return found;
  }
  bool has(std::string_view code) const {
    for (const std::string& c : codes())
      if (c == code) return true;
    return false;
  }
  /// Of a queue: "id:outcome id:outcome".
  std::string steps() const {
    const Value* rows = document.as_map() == nullptr ? nullptr : document.as_map()->find("steps");
    std::string found;
    if (rows == nullptr || rows->as_list() == nullptr) return found;
    for (const Value& row : *rows->as_list())
      found += (found.empty() ? "" : " ") + *row.as_map()->find("patch_id")->as_string() + ":" +
               *row.as_map()->find("outcome")->as_string();
    return found;
  }
  std::string text(std::string_view key) const {
    const Value* value = document.as_map() == nullptr ? nullptr : document.as_map()->find(key);
    return value != nullptr && value->as_string() != nullptr ? *value->as_string() : "(absent)";
  }
};

class ProposalWorld {
 public:
  explicit ProposalWorld(std::string_view policy = kGatePolicy, Words init = {}) {
    fs::create_directories(repo);
    Words words{"init", "-q", "-b", "main"};
    words.insert(words.end(), init.begin(), init.end());
    git_says(repo, words);
    std::string lines;
    for (int i = 1; i <= 40; ++i)
      lines += fmt::format("line {}\n", i);
    write(repo / "src/calc.py", lines);
    write(repo / "src/other.py", lines);
    write(repo / "README.md", "# Calc\n");
    write(repo / "seed", scratch.path().string());  // no two repositories have the same id
    if (!policy.empty()) write(repo / "gatehouse.yaml", policy);
    commit("base");
    change({{"src/calc.py", lines + "line 41\n"},
            {"tests/test_calc.py", "assert the new line is there\n"}});
    reset_fields("calc-line-001");
  }

  std::string commit(std::string_view message) {
    git_says(repo, {"add", "-A"});
    git_says(repo, {"commit", "-q", "-m", std::string(message)});
    return head();
  }
  std::string head() const { return git_says(repo, {"rev-parse", "HEAD"}); }

  /// The diff between HEAD and HEAD with these files (no bytes: deleted); the work tree stays
  /// clean.
  void change(const std::vector<std::pair<std::string, std::optional<std::string>>>& files) {
    for (const auto& [path, bytes] : files) {
      if (bytes) {
        write(repo / path, *bytes);
      } else {
        fs::remove(repo / path);
      }
    }
    git_says(repo, {"add", "-A"});
    diff = git(repo, {"diff", "--cached", "--no-renames", "--full-index", "HEAD"}).out;
    git_says(repo, {"reset", "-q", "--hard"});
    git_says(repo, {"clean", "-qfd"});
    base = head();
  }

  void reset_fields(std::string_view id) {
    stem = id;
    fields = {{"patch_id", std::string(id)},
              {"author_agent", "\"deepseek-coder-v2 / drafter\""},
              {"trust_level", "untrusted"},
              {"source_gap", "\"kb:4400\""},
              {"affected_files", "[src/calc.py, tests/test_calc.py]"},
              {"base_commit", "\"" + base + "\""},
              {"tests_added", "[tests/test_calc.py]"},
              {"commands_run", "[\"ctest tests/test_calc.py => exit 0\"]"},
              {"risk_notes",
               "\"failure: the new line may be wrong; blast_radius: readers of src/calc.py; "
               "data: none touched; idempotent: yes\""},
              {"review_status", "pending"},
              {"promotion_status", "proposed"},
              {"rollback_notes", "\"git revert of the promotion commit\""},
              {"created_utc", "\"" + now() + "\""}};
  }

  /// Another pair, for another file.
  void propose_other(std::string_view id) {
    change({{"src/other.py", "something else\n"}, {"tests/test_other.py", "assert other\n"}});
    reset_fields(id);
    set("schema", "gatehouse.proposal/1");
    set("affected_files", "[src/other.py, tests/test_other.py]");
    set("tests_added", "[tests/test_other.py]");
    set("commands_run", "[\"ctest tests/test_other.py => exit 0\"]");
    set("risk_notes",
        "\"failure: wrong text; blast_radius: src/other.py; data: none; idempotent: yes\"");
  }

  static std::string now(long offset = 0) {
    const std::time_t t = std::time(nullptr) + offset;
    char text[40];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&t));
    return text;
  }

  void set(std::string_view field, std::string_view yaml) {
    for (auto& [name, value] : fields)
      if (name == field) {
        value = yaml;
        return;
      }
    fields.emplace_back(field, yaml);
  }
  void unset(std::string_view field) {
    std::erase_if(fields, [&](const auto& f) { return f.first == field; });
  }

  fs::path file(std::string_view end) const { return box / (stem + std::string(end)); }
  void write_pair() const {
    std::string meta;
    for (const auto& [name, value] : fields)
      meta += name + ": " + value + "\n";
    write(file(".patch.meta.yaml"), raw_meta.value_or(meta));
    write(file(".patch.diff"), diff);
  }

  Answer run(Words words) const {
    words.insert(words.end(), {"--json", "-C", repo.string()});
    const Ran ran = gatehouse(std::move(words), {.cwd = scratch.path()});
    Answer answer{ran.exit_code, Value(), ran.out, ran.err};
    if (auto document = wire::read_json(ran.out, "answer")) answer.document = *document;
    return answer;
  }
  Answer submit() const {
    write_pair();
    return run({"proposal", "submit", box.string(), "--id", stem});
  }
  Answer review(std::string_view who, std::string_view verdict = "ok", Words more = {}) const {
    Words words{"proposal",          "review", stem, "--as", std::string(who), "--verdict",
                std::string(verdict)};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  Answer promote(Words more = {}) const {
    Words words{"proposal", "promote", stem};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  void approve() const {
    EXPECT_EQ(submit().exit, 0);
    EXPECT_EQ(review("gemini").exit, 0);
    EXPECT_EQ(review("codex").exit, 0);
  }
  std::string status() const { return run({"proposal", "show", stem}).text("promotion_status"); }

  Scratch scratch;
  fs::path repo = scratch.path() / "repo", box = scratch.path() / "box";
  std::vector<std::pair<std::string, std::string>> fields;
  std::string stem, base, diff;
  std::optional<std::string> raw_meta;
};

}  // namespace gh::kit
