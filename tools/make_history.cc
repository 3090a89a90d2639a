// Writes a git fast-import stream with a history that has everything a diff can be about: renames
// with and without edits, mode changes, empty files, CRLF, missing final newlines, unusual names,
// deletions, symbolic links, large hunks. The same seed gives the same bytes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace {

struct File {
  std::string mode = "100644";
  std::string text;
};

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t below(std::uint64_t limit) {  // xorshift64*
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return (state_ * 0x2545F4914F6CDD1DULL >> 33U) % limit;
  }
  bool chance(std::uint64_t in_a_thousand) { return below(1000) < in_a_thousand; }

 private:
  std::uint64_t state_;
};

constexpr const char* kWords[] = {"alpha",
                                  "beta",
                                  "if",
                                  "return",
                                  "{",
                                  "}",
                                  "",
                                  "  indented",
                                  "@@ -1 +1 @@",
                                  "diff --git a/x b/x",
                                  "--- a/x",
                                  "+++ b/x",
                                  "-- ",
                                  "\\ No newline",
                                  "caf\xc3\xa9",
                                  "\t",
                                  "tail ",
                                  "index 0000000..1111111",
                                  "rename from x",
                                  "\xe2\x80\xa8",
                                  "\f"};
constexpr const char* kNames[] = {"plain",    "with space",   "caf\xc3\xa9",   "sp ace/c d",
                                  "x b y",    "-dash",        "quote\"d",      "back\\slash",
                                  "tab\tbed", "dev/null",     "new file mode", ".hidden",
                                  "UPPER",    "deep/er/est/f"};

class History {
 public:
  explicit History(std::uint64_t seed) : dice_(seed) {}

  void write(int commits) {
    for (int i = 0; i < commits; ++i) {
      changes_.clear();
      const std::uint64_t edits = 1 + dice_.below(3);
      for (std::uint64_t e = 0; e < edits; ++e)
        change(i);
      const std::string message = fmt::format("commit {}\n", i);
      fmt::print(
          "commit refs/heads/main\nmark :{}\ncommitter Maker <maker@example.invalid> {} "
          "+0000\ndata {}\n{}",
          i + 1, 1'700'000'000 + i * 60, message.size(), message);
      if (i > 0) fmt::print("from :{}\n", i);
      std::fwrite(changes_.data(), 1, changes_.size(), stdout);
    }
    fmt::print("done\n");
  }

 private:
  std::string line() {
    std::string out = fmt::format("{} {}", kWords[dice_.below(std::size(kWords))], dice_.below(90));
    if (dice_.chance(30)) out = kWords[dice_.below(std::size(kWords))];
    return out + (crlf_ ? "\r\n" : "\n");
  }

  std::string text(std::uint64_t lines) {
    std::string out;
    for (std::uint64_t i = 0; i < lines; ++i)
      out += line();
    if (dice_.chance(120) && !out.empty()) out.pop_back();
    return out;
  }

  static std::string quoted(const std::string& path) {
    std::string out = "\"";
    for (const char c : path)
      out += c == '"' || c == '\\' ? std::string("\\") + c
             : c == '\t'           ? std::string("\\t")
                                   : std::string(1, c);
    return out + "\"";
  }

  void put(const std::string& path, File file) {
    changes_ += fmt::format("M {} inline {}\ndata {}\n", file.mode, quoted(path), file.text.size());
    changes_ += file.text;
    changes_ += "\n";
    files_[path] = std::move(file);
    touched_.push_back(path);
  }

  void drop(const std::string& path) {
    changes_ += fmt::format("D {}\n", quoted(path));
    files_.erase(path);
    touched_.push_back(path);
  }

  std::string new_path(int commit) {
    return fmt::format("d{}/{}-{}", dice_.below(40), kNames[dice_.below(std::size(kNames))],
                       commit * 4 + counter_++ % 4);
  }

  bool was_touched(const std::string& path) const {
    for (const std::string& t : touched_)
      if (t == path) return true;
    return false;
  }

  /// Some regular file that this commit has not changed yet; empty when there is none.
  std::string pick() {
    if (files_.empty()) return {};
    auto it = files_.begin();
    std::advance(it, static_cast<std::ptrdiff_t>(dice_.below(files_.size())));
    return was_touched(it->first) || it->second.mode == "120000" ? std::string() : it->first;
  }

  void edit(File& file) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < file.text.size();) {
      const std::size_t end = std::min(file.text.find('\n', at), file.text.size() - 1) + 1;
      lines.push_back(file.text.substr(at, end - at));
      at = end;
    }
    const std::uint64_t edits = 1 + dice_.below(4);
    for (std::uint64_t e = 0; e < edits; ++e) {
      const auto at = static_cast<std::ptrdiff_t>(dice_.below(lines.size() + 1));
      if (dice_.chance(500) && at < static_cast<std::ptrdiff_t>(lines.size())) {
        lines.erase(lines.begin() + at);
      } else {
        if (!lines.empty() && !lines.back().ends_with('\n')) lines.back() += '\n';
        lines.insert(lines.begin() + at, line());
      }
    }
    file.text.clear();
    for (const std::string& l : lines)
      file.text += l;
    if (dice_.chance(60) && file.text.ends_with('\n')) file.text.pop_back();
  }

  void change(int commit) {
    if (changes_.empty()) touched_.clear();
    crlf_ = dice_.chance(150);
    const std::uint64_t kind = dice_.below(1000);
    const std::string path = pick();
    if (path.empty() || kind < 250)
      return put(new_path(commit), {"100644", text(1 + dice_.below(60))});
    File file = files_[path];
    if (kind < 251) return put(new_path(commit), {"100644", ""});
    if (kind < 260) return put(new_path(commit), {"100755", text(3)});
    if (kind < 264) return put(new_path(commit), {"120000", "target-of-link"});
    if (kind < 270) return put(new_path(commit), {"100644", text(3000)});
    if (kind < 340) return drop(path);
    if (kind < 420) {
      if (kind < 380) edit(file);
      drop(path);
      return put(new_path(commit), file);
    }
    if (kind < 421) {
      file.mode = file.mode == "100644" ? "100755" : "100644";
      return put(path, file);
    }
    edit(file);
    put(path, file);
  }

  Dice dice_;
  bool crlf_ = false;
  int counter_ = 0;
  std::map<std::string, File> files_;
  std::vector<std::string> touched_;
  std::string changes_;
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr, "usage: make_history COMMITS SEED | git fast-import\n");
    return 2;
  }
  History(std::strtoull(argv[2], nullptr, 10))
      .write(static_cast<int>(std::strtol(argv[1], nullptr, 10)));
  return 0;
}
