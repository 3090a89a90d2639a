#pragma once
// Runs the steps of a composite action as a runner of GitHub does, as far as ours need it: inputs
// with their defaults, expressions, one file of outputs for each step, conditions. Actions of
// others are noted and not run.
#include <map>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/peek.h"
#include "tests/ci_kit.h"
#include "wire/yaml.h"

namespace gh::testing {

using Texts = std::map<std::string, std::string>;

/// `${{ }}` of the forms that our files hold: names, texts in quotes, == != && || and always().
class Expressions {
 public:
  explicit Expressions(Texts names) : names_(std::move(names)) {}
  void set(const std::string& name, const std::string& value) { names_[name] = value; }

  std::string filled(std::string_view text) const {
    std::string out;
    for (std::size_t at = 0;;) {
      const std::size_t open = text.find("${{", at);
      out += text.substr(at, open - at);
      if (open == text.npos) return out;
      const std::size_t close = text.find("}}", open);
      out += value(text.substr(open + 3, close - open - 3));
      at = close + 2;
    }
  }
  std::string value(std::string_view text) const {
    std::string last;
    for (const std::string_view part : parts(text, "||"))
      if (last = both(part); is_true(last)) return last;
    return last;
  }
  static bool is_true(std::string_view value) { return !value.empty() && value != "false"; }

 private:
  static std::vector<std::string_view> parts(std::string_view text, std::string_view by) {
    std::vector<std::string_view> out;
    for (std::size_t at = text.find(by); at != text.npos; at = text.find(by)) {
      out.push_back(text.substr(0, at));
      text.remove_prefix(at + by.size());
    }
    out.push_back(text);
    return out;
  }
  std::string both(std::string_view text) const {
    std::string last;
    for (const std::string_view part : parts(text, "&&"))
      if (last = compared(part); !is_true(last)) return last;
    return last;
  }
  std::string compared(std::string_view text) const {
    for (const std::string_view by : {"==", "!="})
      if (const auto sides = parts(text, by); sides.size() == 2)
        return (one(sides[0]) == one(sides[1])) == (by == "==") ? "true" : "false";
    return one(text);
  }
  std::string one(std::string_view text) const {
    while (text.starts_with(' '))
      text.remove_prefix(1);
    while (text.ends_with(' '))
      text.remove_suffix(1);
    if (text == "always()") return "true";
    if (text.starts_with('\'')) return std::string(text.substr(1, text.size() - 2));
    const auto found = names_.find(std::string(text));
    return found == names_.end() ? std::string() : found->second;
  }
  Texts names_;
};

struct ActionRun {
  bool failed = false;
  int exit_code = 0;          // of the first step that failed
  std::string log;            // standard output and error of all steps
  std::string order;          // names of the steps that ran, one a line
  Texts outputs;              // of the action
  std::vector<Texts> others;  // actions of others: "uses" and what stands below `with`
};

class ActionRunner {
 public:
  ActionRunner(std::string file, std::string workspace, std::string temporary)
      : file_(std::move(file)),
        workspace_(std::move(workspace)),
        temporary_(std::move(temporary)),
        action_(read(file_)) {}

  static Value read(const std::string& file) {
    const auto document = wire::read_yaml(bytes_of(file), file, wire::YamlDialect::strict);
    EXPECT_TRUE(document) << (document ? "" : document.error().message);
    return document ? document->root : Value();
  }
  const Value& action() const { return action_; }

  ActionRun run(const Texts& inputs, Texts variables, const Texts& github = {}) {
    ActionRun out;
    Expressions names(github);
    for (const auto& [name, row] : Peek(action_)["inputs"].map().entries())
      names.set("inputs." + name, std::string(Peek(row)["default"].text()));
    for (const auto& [name, value] : inputs) {
      EXPECT_TRUE(Peek(action_)["inputs"][name].exists()) << "no such input: " << name;
      names.set("inputs." + name, value);
    }
    int number = 0;
    for (const Value& value : Peek(action_)["runs"]["steps"].list()) {
      const Peek step(value);
      std::string condition(step["if"].text());
      const bool always = contains(condition, "always()");
      if (out.failed && !always) continue;
      if (!condition.empty()) {
        if (condition.starts_with("${{")) condition = condition.substr(3, condition.size() - 5);
        if (!Expressions::is_true(names.value(condition))) continue;
      }
      out.order += std::string(step["name"].text()) + "\n";
      if (step["uses"].exists()) {
        Texts other{{"uses", std::string(step["uses"].text())}};
        for (const auto& [name, with] : step["with"].map().entries())
          other[name] = names.filled(Peek(with).text());
        out.others.push_back(std::move(other));
        continue;
      }
      const std::string output = temporary_ + "/step-output-" + std::to_string(++number);
      EXPECT_TRUE(sys::write_scratch_file(output, ""));
      const Ran ran = run_step(step, names, variables, output);
      out.log += ran.out + ran.err;
      for (const auto& [name, text] : CiRepository::outputs_in(bytes_of(output)))
        names.set("steps." + std::string(step["id"].text()) + ".outputs." + name, text);
      if (ran.code != 0 && !out.failed) {
        out.failed = true;
        out.exit_code = ran.code;
      }
    }
    for (const auto& [name, row] : Peek(action_)["outputs"].map().entries())
      out.outputs[name] = names.filled(Peek(row)["value"].text());
    return out;
  }

 private:
  Ran run_step(const Peek& step, const Expressions& names, Texts variables,
               const std::string& output) const {
    const std::string script = temporary_ + "/step.sh";
    EXPECT_TRUE(sys::write_scratch_file(script, std::string(step["run"].text())));
    EXPECT_EQ(step["shell"].text(), "bash");
    for (const auto& [name, value] : step["env"].map().entries())
      variables[name] = names.filled(Peek(value).text());
    variables["GITHUB_OUTPUT"] = output;
    std::string folder = workspace_;
    if (step["working-directory"].exists())
      folder += "/" + names.filled(step["working-directory"].text());
    return run_program({"/bin/bash", "--noprofile", "--norc", "-e", "-o", "pipefail", script},
                       folder, {}, CiRepository::lines_of(variables));
  }

  std::string file_, workspace_, temporary_;
  Value action_;
};

}  // namespace gh::testing
