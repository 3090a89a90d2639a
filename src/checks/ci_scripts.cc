// Jenkinsfiles, as far as their steps and stages tell.
#include "checks/ci_scripts.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"
#include "surface/words.h"

namespace gh::checks {

using surface::trimmed;

// ------------------------------------------------------------------------------------- Jenkinsfile

namespace {

constexpr std::size_t kMaxOpenBlocks = 200;
constexpr int kMaxLoads = 4;  // of files that load files

struct Block {
  std::string head;  // what stands before its brace
};

/// Words and strings of Groovy, without comments.
class GroovyReader {
 public:
  GroovyReader(std::string_view text, const ScriptFiles& files, int depth)
      : text_(text), files_(files), depth_(depth) {}

  std::vector<JenkinsCall> read() {
    while (at_ < text_.size())
      step();
    // Whoever sets the result of the build may say that all is well.
    for (const std::string_view line : split(text_, '\n'))
      if (contains(line, "currentBuild") && contains(line, "="))
        for (JenkinsCall& call : out_)
          call.doubts.emplace(trimmed(line));
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
    if (call.starts_with("load")) take_loaded(body);
    head_ += '"' + body + '"';
  }

  void take_loaded(const std::string& path) {
    if (depth_ >= kMaxLoads || !files_.read) return;
    if (files_.budget != nullptr && !files_.budget->step()) return;
    const auto text = files_.read(path);
    if (!text || (files_.budget != nullptr && !files_.budget->read(text->size()))) return;
    for (JenkinsCall& call : GroovyReader(*text, files_, depth_ + 1).read())
      out_.push_back(std::move(call));
  }

  std::size_t line_end() const { return std::min(text_.find('\n', at_), text_.size()); }

  void take_script(const std::string& body, bool keeps_status) {
    const GateCall call = gate_call(body, use_here(), files_);
    if (!call.is_there) return;
    JenkinsCall found{.is_swallowed = call.is_swallowed || keeps_status,
                      .conditions = call.conditions,
                      .doubts = call.doubts};
    for (const Block& block : open_) {
      if (block.head.starts_with("stage"))
        found.stage = block.head.substr(0, block.head.find(')')), clean(found.stage);
      found.is_swallowed = found.is_swallowed || block.head.starts_with("catchError") ||
                           block.head.starts_with("warnError") || block.head.starts_with("try");
    }
    out_.push_back(std::move(found));
  }

  /// In the folder of the dir('...') blocks around it.
  ShellUse use_here() const {
    ShellUse use;
    for (const Block& block : open_) {
      if (!block.head.starts_with("dir")) continue;
      const std::size_t quote = block.head.find('"'), end = block.head.rfind('"');
      if (end == quote) {
        use.knows_folder = false;
        continue;
      }
      if (!use.folder.empty()) use.folder += '/';
      use.folder += block.head.substr(quote + 1, end - quote - 1);
    }
    return use;
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
  const ScriptFiles& files_;
  int depth_;
  std::size_t at_ = 0;
  std::string head_{}, when_{};
  std::vector<Block> open_{};
  std::vector<JenkinsCall> out_{};
};

}  // namespace

std::vector<JenkinsCall> jenkins_calls(std::string_view groovy, const ScriptFiles& files) {
  return GroovyReader(groovy, files, 0).read();
}

}  // namespace gh::checks
