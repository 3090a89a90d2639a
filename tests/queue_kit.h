#pragma once
// Several proposals for one target, as agents send them side by side.
#include "tests/proposal_kit.h"

namespace gh::kit {

using Edits = std::vector<std::pair<std::string, std::optional<std::string>>>;

class QueueWorld : public ProposalWorld {
 public:
  explicit QueueWorld(std::string_view policy = kGatePolicy, Words init = {})
      : ProposalWorld(policy, std::move(init)) {}

  /// Pair files of a proposal that makes these edits and adds a test of its own.
  void prepare(const std::string& id, Edits edits) {
    const std::string test = "tests/test_" + id + ".py";
    edits.emplace_back(test, "assert " + id + "\n");
    change(edits);
    reset_fields(id);
    std::string files;
    for (const auto& [path, bytes] : edits)
      files += (files.empty() ? "" : ", ") + path;
    set("affected_files", "[" + files + "]");
    set("tests_added", "[" + test + "]");
    set("commands_run", "[\"ctest " + test + " => exit 0\"]");
    set("risk_notes", "\"failure: wrong text; blast_radius: " + edits.front().first +
                          "; data: none; idempotent: yes\"");
  }
  void add(const std::string& id, Edits edits, std::string_view depends_on = "") {
    prepare(id, std::move(edits));
    if (!depends_on.empty()) set("depends_on", fmt::format("[{}]", depends_on));
    approve();
  }

  Answer queue(Words more = {}) const {
    Words words{"proposal", "queue"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  std::string status_of(const std::string& id) const {
    return run({"proposal", "show", id}).text("promotion_status");
  }
  std::string sql(const std::string& query) const {
    std::string out =
        kit::run({"sqlite3", (repo / ".git/gatehouse/ledger.db").string(), query}, {}).out;
    while (out.ends_with('\n'))
      out.pop_back();
    return out;
  }
  /// Subjects' ids of what landed on main by promotion, oldest first.
  std::string landed() const {
    std::string out;
    for (const std::string& line : split_lines(git(repo, {"log", "--reverse", "--first-parent",
                                                          "--format=%s", base_of_all + "..main"})
                                                   .out))
      out += (out.empty() ? "" : " ") + line.substr(0, line.find(':'));
    return out;
  }

  static std::vector<std::string> split_lines(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      lines.push_back(text.substr(at, end - at));
      if (end == std::string::npos) break;
      at = end + 1;
    }
    return lines;
  }

  std::string base_of_all = head();
};

/// Forty lines, one of them other than the rest.
inline std::string lines_with(int at, std::string_view text) {
  std::string out;
  for (int i = 1; i <= 40; ++i)
    out += i == at ? std::string(text) + "\n" : fmt::format("line {}\n", i);
  return out;
}

}  // namespace gh::kit
