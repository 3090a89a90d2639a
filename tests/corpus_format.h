#pragma once
// Reader of the conformance corpus, tests/corpus/patch/**/*.cases (format:
// tests/corpus/patch/README.md).
#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/kit.h"

namespace gh::corpus {

struct File {
  std::string path, mode = "100644", bytes;
};

/// What real git makes of the submitted bytes when nobody stands before it.
struct GitDoes {
  bool accepts = false;
  std::optional<std::vector<std::string>> changes;  // the paths that differ afterwards, sorted
};

struct Case {
  std::string cases_file, name, base = "plain", from;
  std::vector<File> files;           // on top of the base
  std::vector<std::string> policy;   // lines of the patch block of gatehouse.yaml
  std::vector<std::string> options;  // words added to the command
  std::string narrow;                // content of the --narrow file
  std::string dir;                   // folder below the top level, for -C
  std::string patch;
  bool accept = false, decided = false;
  std::string stage, code, rule;  // expected when refused
  std::vector<File> results;      // expected entries when accepted; all others as in the base
  std::vector<std::string> gone;
  std::optional<GitDoes> git;
  bool repeated = false;  // another value of a case that is there already
  int changes_from = 0;   // how many things differ from the case named in `from`

  std::string title() const { return cases_file + " / " + name; }
};

using Bases = std::map<std::string, std::vector<File>>;

namespace detail {

struct Line {
  int number = 0;
  std::string text;
};

[[noreturn]] inline void fail(const std::string& file, int line, const std::string& why) {
  throw std::runtime_error(file + ":" + std::to_string(line) + ": " + why);
}

inline void append_utf8(std::string& out, unsigned long cp) {
  const auto put = [&](unsigned long byte) { out += static_cast<char>(byte); };
  if (cp < 0x80) {
    put(cp);
  } else if (cp < 0x800) {
    put(0xC0 | (cp >> 6));
    put(0x80 | (cp & 0x3F));
  } else if (cp < 0x10000) {
    put(0xE0 | (cp >> 12));
    put(0x80 | ((cp >> 6) & 0x3F));
    put(0x80 | (cp & 0x3F));
  } else {
    put(0xF0 | (cp >> 18));
    put(0x80 | ((cp >> 12) & 0x3F));
    put(0x80 | ((cp >> 6) & 0x3F));
    put(0x80 | (cp & 0x3F));
  }
}

/// \\ \n \r \t \xNN \u{HEX} \(N*text); anything else after a backslash is an error.
inline std::optional<std::string> unescape(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    if (++i == text.size()) return std::nullopt;
    const std::string_view rest = text.substr(i + 1);
    if (text[i] == '\\') {
      out += '\\';
    } else if (text[i] == 'n') {
      out += '\n';
    } else if (text[i] == 'r') {
      out += '\r';
    } else if (text[i] == 't') {
      out += '\t';
    } else if (text[i] == 'x' && rest.size() >= 2) {
      out += static_cast<char>(std::stoul(std::string(rest.substr(0, 2)), nullptr, 16));
      i += 2;
    } else if (text[i] == 'u' && rest.starts_with('{')) {
      const std::size_t end = rest.find('}');
      if (end == std::string_view::npos) return std::nullopt;
      append_utf8(out, std::stoul(std::string(rest.substr(1, end - 1)), nullptr, 16));
      i += end + 1;
    } else if (text[i] == '(') {
      const std::size_t star = rest.find('*'), end = rest.find(')');
      if (star == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
      const auto piece = unescape(rest.substr(star + 1, end - star - 1));
      if (!piece) return std::nullopt;
      const unsigned long times = std::stoul(std::string(rest.substr(0, star)));
      if (piece->size() == 1)
        out.append(times, piece->front());  // 64 MiB of one letter
      else
        for (unsigned long n = 0; n < times; ++n)
          out += *piece;
      i += end + 1;
    } else {
      return std::nullopt;
    }
  }
  return out;
}

inline std::string replace_all(std::string text, std::string_view from, std::string_view to,
                               int* count = nullptr) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
    if (count != nullptr) ++*count;
  }
  return text;
}

inline std::vector<std::string> split(std::string_view text, std::string_view separator) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t at = text.find(separator);
    out.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + separator.size());
  }
}

inline std::string lines_of(const std::string& bytes, std::size_t first, std::size_t last) {
  std::string out;
  std::size_t number = 1, begin = 0;
  while (begin < bytes.size()) {
    const std::size_t lf = bytes.find('\n', begin);
    const std::size_t end = lf == std::string::npos ? bytes.size() : lf + 1;
    if (number >= first && number <= last) out += bytes.substr(begin, end - begin);
    begin = end;
    ++number;
  }
  return out;
}

class Reader {
 public:
  Reader(std::string file, const Bases& bases) : file_(std::move(file)), bases_(bases) {}

  std::vector<Case> cases(const std::string& text) {
    std::vector<Line> block;
    int number = 0;
    for (const std::string& line : split(text, "\n")) {
      ++number;
      if (line.starts_with("== ")) {
        close(block);
        block.clear();
      } else if (block.empty() && (line.empty() || line.starts_with('#'))) {
        continue;
      }
      block.push_back({number, line});
    }
    close(block);
    return std::move(cases_);
  }

 private:
  void close(const std::vector<Line>& block) {
    if (block.empty()) return;
    if (!block[0].text.starts_with("== ")) {
      head(block);
      return;
    }
    std::vector<std::string> values;
    for (const Line& line : block)
      if (line.text.starts_with("each: ")) values.push_back(line.text.substr(6));
    if (values.empty()) {
      one(block);
      return;
    }
    for (const std::string& value : values) {
      std::vector<Line> copy;
      for (const Line& line : block)
        if (!line.text.starts_with("each: "))
          copy.push_back({line.number, replace_all(line.text, "{}", value)});
      if (copy[0].text == block[0].text) copy[0].text += " [" + value + "]";
      one(copy);
      cases_.back().repeated = value != values.front();
    }
  }

  void head(const std::vector<Line>& block) {
    for (const Line& line : block) {
      if (line.text.empty() || line.text.starts_with('#')) continue;
      if (!line.text.starts_with("refusals: ")) fail(file_, line.number, "expected refusals:");
      const auto words = split(line.text.substr(10), " ");
      if (words.size() != 2) fail(file_, line.number, "refusals: STAGE CODE");
      stage_ = words[0];
      code_ = words[1];
    }
  }

  void one(const std::vector<Line>& block) {
    Case c;
    c.cases_file = file_;
    c.name = block[0].text.substr(3);
    std::string* bytes = nullptr;
    std::string base_path;
    for (std::size_t i = 1; i < block.size(); ++i) {
      const auto& [number, line] = block[i];
      if (line.empty() || line.starts_with('#')) continue;
      if (std::string_view("|%*=").find(line[0]) != std::string_view::npos) {
        if (bytes == nullptr) fail(file_, number, "bytes without an owner");
        add_bytes(c, *bytes, base_path, number, line);
        continue;
      }
      const std::size_t colon = line.find(": ");
      const std::string key = line.substr(
          0, line.ends_with(':') && colon == std::string::npos ? line.size() - 1 : colon);
      const std::string value = colon == std::string::npos ? "" : line.substr(colon + 2);
      bytes = field(c, number, key, value);
      base_path = c.results.empty() ? "" : c.results.back().path;
    }
    for (const Case& other : cases_)
      if (other.name == c.name) fail(file_, block[0].number, "name used twice: " + c.name);
    cases_.push_back(std::move(c));
  }

  /// Takes one field; answers where byte lines after it go.
  std::string* field(Case& c, int number, const std::string& key, const std::string& value) {
    if (key == "note") return nullptr;
    if (key == "from") {
      start_from(c, number, value);
    } else if (key == "edit") {
      edit(c, number, value);
    } else if (key == "base") {
      c.base = value;
      ++c.changes_from;
    } else if (key == "file") {
      ++c.changes_from;
      const File named = entry(number, value);
      std::erase_if(c.files, [&](const File& f) { return f.path == named.path; });
      c.files.push_back(named);
      return &c.files.back().bytes;
    } else if (key == "policy") {
      c.policy.push_back(value);
      ++c.changes_from;
    } else if (key == "no-policy") {
      if (std::erase(c.policy, value) != 1) fail(file_, number, "no such policy line");
      ++c.changes_from;
    } else if (key == "option") {
      for (const std::string& word : split(value, " "))
        c.options.push_back(word);
      ++c.changes_from;
    } else if (key == "narrow") {
      c.narrow = value;
      ++c.changes_from;
    } else if (key == "dir") {
      c.dir = value;
      ++c.changes_from;
    } else if (key == "patch") {
      c.patch.clear();
      return &c.patch;
    } else if (key == "accept") {
      c.accept = c.decided = true;
    } else if (key == "reject") {
      refusal(c, number, value);
    } else if (key == "result") {
      c.results.push_back(entry(number, value));
      return &c.results.back().bytes;
    } else if (key == "gone") {
      c.gone.push_back(text(number, value));
    } else if (key == "git") {
      c.git = git_does(number, value);
    } else {
      fail(file_, number, "unknown field " + key);
    }
    return nullptr;
  }

  void start_from(Case& c, int number, const std::string& name) {
    for (const Case& other : cases_) {
      if (other.name != name) continue;
      const std::string own_name = c.name;
      c = other;
      c.name = own_name;
      c.from = name;
      c.accept = c.decided = c.repeated = false;
      c.results.clear();
      c.gone.clear();
      c.git.reset();
      c.changes_from = 0;
      return;
    }
    fail(file_, number, "no earlier case " + name);
  }

  void edit(Case& c, int number, const std::string& value) {
    const std::string padded = value + " ";  // NEW may be empty
    const std::size_t arrow = padded.find(" => ");
    if (arrow == std::string::npos) fail(file_, number, "edit: OLD => NEW");
    const std::string fresh = arrow + 4 > value.size() ? "" : value.substr(arrow + 4);
    int count = 0;
    c.patch =
        replace_all(c.patch, text(number, value.substr(0, arrow)), text(number, fresh), &count);
    if (count == 0) fail(file_, number, "the edit changes nothing");
    ++c.changes_from;
  }

  void refusal(Case& c, int number, const std::string& value) {
    const auto words = split(value, " ");
    if (words.size() == 1) {
      c.stage = stage_;
      c.code = code_;
    } else if (words.size() == 3) {
      c.stage = words[0];
      c.code = words[1];
    } else {
      fail(file_, number, "reject: [STAGE CODE] RULE");
    }
    c.rule = words.back();
    c.accept = false;
    c.decided = true;
  }

  GitDoes git_does(int number, const std::string& value) {
    if (value == "rejects") return {};
    if (value == "accepts") return {.accepts = true, .changes = std::nullopt};
    if (!value.starts_with("changes ")) fail(file_, number, "git: rejects | accepts | changes ...");
    std::vector<std::string> paths;
    for (const std::string& path : split(value.substr(8), ", "))
      paths.push_back(text(number, path));
    std::sort(paths.begin(), paths.end());
    return {.accepts = true, .changes = paths};
  }

  File entry(int number, const std::string& value) {
    File f;
    const std::size_t space = value.rfind(' ');
    const std::string last = space == std::string::npos ? "" : value.substr(space + 1);
    const bool has_mode =
        last == "100644" || last == "100755" || last == "120000" || last == "160000";
    f.path = text(number, has_mode ? value.substr(0, space) : value);
    if (has_mode) f.mode = last;
    return f;
  }

  std::string text(int number, std::string_view escaped) {
    auto out = unescape(escaped);
    if (!out) fail(file_, number, "bad escape");
    return *out;
  }

  void add_bytes(const Case& c, std::string& out, const std::string& base_path, int number,
                 const std::string& line) {
    const std::string body = line.substr(1);
    if (line[0] == '|') {
      out += body + "\n";
    } else if (line[0] == '%') {
      const bool open = body.ends_with("\\c");
      out += text(number, open ? body.substr(0, body.size() - 2) : body);
      if (!open) out += "\n";
    } else if (line[0] == '*') {
      const std::size_t space = body.find(' ');
      const std::string piece = text(number, body.substr(space + 1));
      const int times = std::stoi(body.substr(0, space));
      for (int n = 1; n <= times; ++n)
        out += replace_all(piece, "{n}", std::to_string(n)) + "\n";
    } else {
      out += base_lines(c, base_path, number, body);
    }
  }

  /// FIRST-LAST or PATH:FIRST-LAST of the base.
  std::string base_lines(const Case& c, const std::string& default_path, int number,
                         const std::string& spec) {
    const std::size_t colon = spec.rfind(':');
    const std::string path =
        colon == std::string::npos ? default_path : text(number, spec.substr(0, colon));
    const auto range = split(colon == std::string::npos ? spec : spec.substr(colon + 1), "-");
    if (range.size() != 2) fail(file_, number, "=FIRST-LAST");
    const File* found = nullptr;
    const auto base = bases_.find(c.base);
    if (base != bases_.end())
      for (const File& f : base->second)
        if (f.path == path) found = &f;
    for (const File& f : c.files)
      if (f.path == path) found = &f;
    if (found == nullptr) fail(file_, number, "the base has no " + path);
    return lines_of(found->bytes, std::stoul(range[0]), std::stoul(range[1]));
  }

  std::string file_;
  const Bases& bases_;
  std::string stage_, code_;
  std::vector<Case> cases_;
};

}  // namespace detail

/// The shared base trees: cases whose `file:` fields are the tree.
inline Bases read_bases(const kit::fs::path& path) {
  Bases bases;
  for (const Case& c : detail::Reader(path.string(), bases).cases(kit::read(path)))
    bases[c.name] = c.files;
  return bases;
}

inline std::vector<Case> read_cases(const kit::fs::path& path, const Bases& bases) {
  auto cases = detail::Reader(path.string(), bases).cases(kit::read(path));
  for (const Case& c : cases) {
    if (!bases.contains(c.base)) throw std::runtime_error(c.title() + ": no base " + c.base);
    if (!c.decided) throw std::runtime_error(c.title() + ": neither accept nor reject");
  }
  return cases;
}

}  // namespace gh::corpus
