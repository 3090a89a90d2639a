#pragma once
// A change in a clone, as a runner of a CI system sees it, with an agent whose tools grow.
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/peek.h"
#include "tests/release_verify_kit.h"

namespace gh::testing {

/// Names that try to leave every format that they are put into.
inline const std::string kHostileTool =
    R"(refund|`x`::error::<img src=x onerror=alert(1)> @everyone #1 ##vso[task.complete] %0A::set-output name=a::b ]]> )"
    "\\u202e\\u0007\\nsecond";

class CiRepository : public ::testing::Test {
 public:
  CiRepository() {
    origin_.write("a.py", "def f(a):\n    return a\n");
    origin_.write("shipgate.yaml", agent_manifest());
    origin_.write(kTools, R"({"tools":[)" + kOrderTool + "]}");
    base_ = origin_.commit("base");
    origin_.git({"checkout", "-q", "-b", "pr"});
  }
  /// The head of the pull request, and its clone.
  void change() {
    head_ = origin_.commit("head");
    clone();
  }
  void clone(std::vector<std::string> more = {}) {
    origin_.git({"checkout", "-q", "main"});  // what a forge shows as its default
    std::vector<std::string> words{"clone", "-q", "--branch", "pr"};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"file://" + origin_.root(), here()});
    std::filesystem::remove_all(here());
    (void)GitSandbox::git_at(origin_.folder(), words);
    origin_.git({"checkout", "-q", "pr"});
  }
  void deny() { origin_.write(".env", "X=1\n"); }  // no patch may bring it
  void refund(const std::string& name = "payments.create_refund") {
    std::string tool = kRefundTool;
    tool.replace(tool.find("payments.create_refund"), 22, name);
    origin_.write(kTools, R"({"tools":[)" + kOrderTool + "," + tool + "]}");
  }

  std::string here() const { return origin_.folder() + "/clone"; }
  std::string side(const std::string& name) const { return origin_.folder() + "/" + name; }

  using Variables = std::map<std::string, std::string>;
  Variables github() const {
    EXPECT_TRUE(sys::write_scratch_file(side("event.json"),
                                        R"({"number":7,"pull_request":{"base":{"sha":")" + base_ +
                                            R"("},"head":{"sha":")" + head_ + R"("}}})"));
    for (const char* file : {"output", "summary"})
      EXPECT_TRUE(sys::write_scratch_file(side(file), ""));
    return {{"CI", "true"},
            {"GITHUB_ACTIONS", "true"},
            {"GITHUB_EVENT_PATH", side("event.json")},
            {"GITHUB_OUTPUT", side("output")},
            {"GITHUB_STEP_SUMMARY", side("summary")},
            {"GITHUB_SHA", head_},
            {"GITHUB_BASE_REF", "main"},
            {"GITHUB_REF_NAME", "7/merge"},
            {"GITHUB_REPOSITORY", "octo/app"},
            {"GITHUB_SERVER_URL", "https://forge.example"}};
  }
  static std::vector<std::string> lines_of(const Variables& variables) {
    std::vector<std::string> out;
    for (const auto& [name, value] : variables)
      out.push_back(name + "=" + value);
    return out;
  }
  Ran ci(const Variables& variables, std::vector<std::string> more = {}) const {
    std::vector<std::string> argv{gatehouse_path(), "ci"};
    argv.insert(argv.end(), more.begin(), more.end());
    return run_program(argv, here(), {}, lines_of(variables));
  }
  std::string left(const std::string& name) const {
    return bytes_of(here() + "/gatehouse-reports/" + name);
  }
  Value document(const std::string& name) const {
    const auto value = wire::read_json(left(name), name);
    EXPECT_TRUE(value) << name;
    return value ? *value : Value();
  }
  /// Outputs as a runner of GitHub reads its file: NAME=VALUE, or lines up to a delimiter.
  static std::map<std::string, std::string> outputs_in(const std::string& text) {
    std::map<std::string, std::string> out;
    std::string name, end;
    bool is_first = true;
    for (const std::string_view line : split(std::string_view(text), '\n')) {
      if (!end.empty()) {
        if (line == end) {
          end.clear();
          continue;
        }
        out[name] += (is_first ? "" : "\n") + std::string(line);
        is_first = false;
        continue;
      }
      const std::size_t equals = line.find('='), mark = line.find("<<");
      if (mark < equals) {
        name = line.substr(0, mark);
        end = line.substr(mark + 2);
        out[name] = "";
        is_first = true;
      } else if (equals != line.npos) {
        out[std::string(line.substr(0, equals))] = line.substr(equals + 1);
      }
    }
    EXPECT_EQ(end, "") << "an output without its end";
    return out;
  }

  GitSandbox origin_;
  std::string base_, head_;
};

}  // namespace gh::testing
