#include "checks/ci_scripts.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "shell/script.h"
#include "surface/words.h"

namespace gh::checks {
namespace {

using shell::Command;
using shell::Joint;
using shell::Word;
using surface::is_one_of;
using surface::trimmed;

// table: programs that run the program behind them
constexpr std::string_view kWrappers =
    "sudo env timeout nice ionice time command exec npx uvx uv pipx poetry pdm python python3 "
    "stdbuf xvfb-run nohup run tool -m bunx pnpm dlx";
// table: commands of ours whose answer gates
constexpr std::string_view kGates = "check ci scan verify", kGroups = "release change patch";

std::string last_part(std::string_view path) {
  std::string name = surface::lower_case(path.substr(path.rfind('/') + 1));
  std::ranges::replace(name, '_', '-');
  return name;
}

bool is_our_program(const Word& word) {
  const std::string name = last_part(word.text);
  return name == "gatehouse" || name == "gatehouse-main" || name.starts_with("agents-shipgate");
}

/// The words behind the name of the program that runs in the end.
const Word* program_of(const Command& command, bool (*fits)(const Word&)) {
  for (const Word& word : command.words) {
    if (fits(word)) return &word;
    const bool is_passed_over = word.text.starts_with('-') || contains(word.text, "=") ||
                                is_one_of(last_part(word.text), kWrappers) ||
                                (!word.text.empty() && word.text[0] >= '0' && word.text[0] <= '9');
    if (!is_passed_over) return nullptr;
  }
  return nullptr;
}

bool is_gate_call(const Command& command) {
  const Word* program = program_of(command, is_our_program);
  if (program == nullptr) return false;
  const bool by_old_name = last_part(program->text).starts_with("agents-shipgate");
  bool in_group = by_old_name, found = false, takes_value = false;
  for (const Word* word = program + 1; word != command.words.data() + command.words.size();
       ++word) {
    if (is_one_of(word->text, "--help -h --version --preview --list-rules")) return false;
    if (std::exchange(takes_value, word->text == "-C" || word->text == "--exit-codes")) continue;
    if (found || word->text.starts_with('-')) continue;
    if (!in_group && is_one_of(word->text, kGroups)) {
      in_group = true;
      continue;
    }
    if (!is_one_of(word->text, in_group ? "scan verify diff check" : kGates)) return false;
    found = true;
  }
  return found;
}

bool runs_file(const Command& command, std::string_view name) {
  return std::ranges::any_of(command.words, [&](const Word& word) {
    return word.text == name || word.text == fmt::format("./{}", name);
  });
}

/// A file of the repository that the command runs as a script.
std::string script_of(const Command& command) {
  for (const Word& word : command.words) {
    if (!word.is_plain()) return {};
    std::string_view text = word.text;
    if (is_one_of(text, "bash sh dash zsh source . make") || text.starts_with('-')) continue;
    const bool is_path = text.starts_with("./") || text.ends_with(".sh") || contains(text, "/");
    if (!is_path || text.starts_with('/') || contains(text, "..")) return {};
    if (text.starts_with("./")) text.remove_prefix(2);
    return std::string(text);
  }
  return {};
}

bool is_plain_word(const Command& command, std::size_t at, std::string_view text) {
  return command.words.size() > at && command.words[at].text == text;
}

/// Does it end with success whatever came before?
bool forgives(const Command& command) {
  if (is_plain_word(command, 0, "exit") || is_plain_word(command, 0, "return"))
    return is_plain_word(command, 1, "0");
  return !is_plain_word(command, 0, "false") && !is_plain_word(command, 0, "kill");
}

/// How the lines of a script test what they run, which simple commands do not tell.
struct Lines {
  bool never = false;   // "if false"
  bool tested = false;  // "if gate", "! gate", "while gate"
};
Lines lines_about(std::string_view script, std::string_view name) {
  Lines out;
  for (const std::string_view whole : split(script, '\n')) {
    const std::string_view line = trimmed(whole);
    const std::string_view word = line.substr(0, line.find(' '));
    if (line.starts_with("if false") || line.starts_with("while false")) out.never = true;
    const bool names_gate = !name.empty() ? contains(line, name)
                                          : contains(surface::lower_case(line), "gatehouse") ||
                                                contains(line, "agents-shipgate");
    // What follows "then" is run, and not asked.
    const std::string_view asked = line.substr(0, line.find("; then"));
    if (names_gate && is_one_of(word, "if elif while until !"))
      out.tested = contains(asked, name.empty() ? std::string_view("gate") : name) || out.tested;
  }
  return out;
}

}  // namespace

GateCall gate_call(std::string_view script, bool stops_at_errors, bool pipes_fail,
                   std::string_view name) {
  GateCall out;
  const shell::Script read = shell::read_script(script);
  const Lines lines = lines_about(script, name);
  bool some_holds = false, ended = false, errexit = stops_at_errors;
  const auto& all = read.commands;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Command& command = all[i];
    if (is_plain_word(command, 0, "set")) {
      for (const Word& word : command.words) {
        const bool is_set = word.text.starts_with('-') && word.text.find('e') != std::string::npos;
        errexit = (errexit || is_set || word.text == "errexit") && !word.text.starts_with("+e");
        pipes_fail = pipes_fail || word.text == "pipefail";
      }
      continue;
    }
    if (const std::string file = script_of(command); !file.empty()) out.scripts.push_back(file);
    // "exit 0" in the way, or "false && ...": nothing behind it runs.
    if (!ended && is_plain_word(command, 0, "exit") && command.joint == Joint::sequence &&
        command.list == 0 && !lines.tested)
      ended = true;
    const bool calls = name.empty() ? is_gate_call(command) : runs_file(command, name);
    if (!calls || ended || lines.never) continue;
    if (command.joint == Joint::or_else) continue;  // only when something else failed
    if (command.joint == Joint::and_then && i > 0 && is_plain_word(all[i - 1], 0, "false"))
      continue;
    out.is_there = true;
    bool swallowed = command.in_background || (command.writes_pipe && !pipes_fail);
    bool by_sequence = false, tests_later = false;
    for (std::size_t k = i + 1; k < all.size(); ++k) {
      const Command& next = all[k];
      if (next.list == command.list && k == i + 1 && next.joint == Joint::or_else)
        swallowed = swallowed || forgives(next);
      if (next.joint == Joint::sequence || k > i + 1) {
        const bool is_exit = is_plain_word(next, 0, "exit") || is_plain_word(next, 0, "false");
        tests_later = tests_later || (is_exit && forgives(next) == false);
        by_sequence = true;
      }
    }
    const std::string_view rest =
        script.substr(std::min(script.size(), script.find(name.empty() ? "gate" : name)));
    tests_later = tests_later || contains(rest, "$?") || contains(rest, "PIPESTATUS");
    const Command& last = all.back();
    const bool ends_well = &last != &command && last.joint == Joint::sequence &&
                           (is_plain_word(last, 0, "true") || is_plain_word(last, 0, ":") ||
                            (is_plain_word(last, 0, "exit") && is_plain_word(last, 1, "0")));
    swallowed = swallowed || (ends_well && !tests_later);
    if (!errexit && by_sequence && !tests_later) swallowed = true;
    if (lines.tested && !tests_later) swallowed = true;
    some_holds = some_holds || !swallowed;
  }
  out.is_swallowed = out.is_there && !some_holds;
  return out;
}

// ------------------------------------------------------------------------------------- Jenkinsfile

namespace {

constexpr std::size_t kMaxOpenBlocks = 200;

struct Block {
  std::string head;  // what stands before its brace
};

/// Words and strings of Groovy, without comments.
class GroovyReader {
 public:
  explicit GroovyReader(std::string_view text) : text_(text) {}

  std::vector<JenkinsCall> read() {
    while (at_ < text_.size())
      step();
    return std::move(out_);
  }

 private:
  void step() {
    const std::string_view rest = text_.substr(at_);
    if (rest.starts_with("//")) {
      at_ += std::min(rest.find('\n'), rest.size());
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/");
      at_ += end == rest.npos ? rest.size() : end + 2;
    } else if (rest[0] == '\'' || rest[0] == '"') {
      take_string(rest);
    } else if (rest[0] == '{') {
      if (open_.size() < kMaxOpenBlocks) open_.push_back({std::string(trimmed(head_))});
      head_.clear();
      ++at_;
    } else if (rest[0] == '}') {
      if (!open_.empty()) close();
      head_.clear();
      ++at_;
    } else {
      if (rest[0] == '\n' || rest[0] == ';')
        head_.clear();
      else
        head_ += rest[0];
      ++at_;
    }
  }

  void take_string(std::string_view rest) {
    const std::string_view quote = rest.starts_with("'''") || rest.starts_with("\"\"\"")
                                       ? rest.substr(0, 3)
                                       : rest.substr(0, 1);
    std::size_t end = quote.size();
    while (end < rest.size() && !rest.substr(end).starts_with(quote))
      end += rest[end] == '\\' ? 2 : 1;
    end = std::min(end, rest.size());
    const std::string body(rest.substr(quote.size(), end - std::min(end, quote.size())));
    at_ += std::min(rest.size(), end + quote.size());
    const std::string_view call = trimmed(head_);
    const bool is_step = call.starts_with("sh") || call.starts_with("bat") ||
                         contains(call, " sh ") || contains(call, "sh(") ||
                         contains(call, "script:");
    if (is_step)
      take_script(body, contains(text_.substr(at_, line_end() - at_), "returnStatus") ||
                            contains(call, "returnStatus"));
    head_ += '"' + body + '"';
  }

  std::size_t line_end() const { return std::min(text_.find('\n', at_), text_.size()); }

  void take_script(const std::string& body, bool keeps_status) {
    const GateCall call = gate_call(body, true, false);
    if (!call.is_there) return;
    JenkinsCall found{.is_swallowed = call.is_swallowed || keeps_status};
    for (const Block& block : open_) {
      if (block.head.starts_with("stage"))
        found.stage = block.head.substr(0, block.head.find(')')), clean(found.stage);
      found.is_swallowed = found.is_swallowed || block.head.starts_with("catchError") ||
                           block.head.starts_with("warnError") || block.head.starts_with("try");
    }
    out_.push_back(std::move(found));
  }

  static void clean(std::string& stage) {
    std::erase_if(stage, [](char c) { return c == '(' || c == '"' || c == '\''; });
    if (stage.starts_with("stage")) stage.erase(0, 5);
    stage = std::string(trimmed(stage));
  }

  /// A condition stands in a block of its own, before or after the steps of its stage.
  void close() {
    const std::string head = open_.back().head;
    open_.pop_back();
    const bool is_when =
        std::ranges::any_of(open_, [](const Block& b) { return b.head == "when"; });
    if (is_when && head == "expression") when_ += std::string(trimmed(head_)) + ";";
    if (head == "when" && when_.empty()) when_ = std::string(trimmed(head_)) + ";";
    if (!head.starts_with("stage") || when_.empty()) return;
    const bool never = contains(when_, "false");
    std::string name = head.substr(0, head.find(')'));
    clean(name);
    for (JenkinsCall& call : out_)
      if (call.stage == name) {
        call.is_never = never;
        call.condition = when_;
      }
    when_.clear();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string head_{}, when_{};
  std::vector<Block> open_{};
  std::vector<JenkinsCall> out_{};
};

}  // namespace

std::vector<JenkinsCall> jenkins_calls(std::string_view groovy) {
  return GroovyReader(groovy).read();
}

}  // namespace gh::checks
