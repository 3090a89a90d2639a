#pragma once
// Reader of tests/corpus/host-diff/*.pairs (format: the README there).
#include <algorithm>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "base/unicode.h"
#include "powers/compare.h"
#include "tests/kit.h"

namespace gh::host_pairs {

struct File {
  std::string kind;  // text, link, commit
  std::string bytes;
};
using Files = std::map<std::string, File>;

struct Pair {
  std::string file, name, decision;
  Files before, after;
  std::vector<std::string> rows;
};

inline std::string with_characters(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.substr(at).starts_with("<<U+") ? text.find(">>", at) : text.npos;
    if (end == text.npos) {
      out += text[at++];
      continue;
    }
    out += utf8_of(static_cast<char32_t>(
        std::stoul(std::string(text.substr(at + 4, end - at - 4)), nullptr, 16)));
    at = end + 2;
  }
  return out;
}

inline std::vector<Pair> read_pairs(const kit::fs::path& path) {
  std::vector<Pair> out;
  const std::string text = kit::read(path);
  std::vector<File*> open;
  bool expects = false;
  for (std::string_view line : split(text, '\n')) {
    if (line.starts_with("=== ")) {
      out.push_back({.file = path.filename().string(), .name = std::string(line.substr(4))});
      open.clear();
      expects = false;
    } else if (line.starts_with("--- ") && line.size() > 4) {
      std::vector<std::string> words;
      for (const std::string_view word : split(line.substr(4), ' '))
        words.emplace_back(word);
      open.clear();
      expects = words.front() == "expect";
      if (expects) {
        out.back().decision = words.at(1);
        continue;
      }
      const std::string kind = words.size() > 2 ? words[1] : "text";
      for (Files* side : {&out.back().before, &out.back().after}) {
        const bool is_before = side == &out.back().before;
        if (words.front() == "both" || (words.front() == "base") == is_before)
          open.push_back(&((*side)[words.back()] = {kind, ""}));
      }
      if (words.front() != "both" && words.front() != "base" && words.front() != "head")
        throw std::runtime_error("unknown line " + std::string(line));
    } else if (expects) {
      if (!line.empty()) out.back().rows.emplace_back(line);
    } else {
      for (File* file : open)
        file->bytes += with_characters(line) + "\n";
    }
  }
  for (Pair& pair : out)
    for (Files* side : {&pair.before, &pair.after})
      for (auto& [name, file] : *side)
        if (file.kind == "link" && file.bytes.ends_with('\n')) file.bytes.pop_back();
  return out;
}

inline std::vector<Pair> all_pairs() {
  std::vector<Pair> out;
  std::vector<kit::fs::path> paths;
  for (const auto& entry : kit::fs::directory_iterator("tests/corpus/host-diff"))
    if (entry.path().extension() == ".pairs") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  for (const auto& path : paths)
    for (Pair& pair : read_pairs(path))
      out.push_back(std::move(pair));
  return out;
}

inline std::optional<powers::Entry> entry_of(const Files& side, const std::string& path) {
  const auto file = side.find(path);
  if (file == side.end()) return std::nullopt;
  if (file->second.kind == "commit") return powers::Entry{powers::EntryKind::submodule, "", false};
  if (file->second.kind == "text")
    return powers::Entry{powers::EntryKind::text, file->second.bytes, false};
  const auto target = powers::link_target(path, file->second.bytes);
  const auto to = target ? side.find(*target) : side.end();
  if (to == side.end() || to->second.kind != "text")
    return powers::Entry{powers::EntryKind::link, file->second.bytes, false};
  return powers::Entry{powers::EntryKind::text, to->second.bytes, true};
}

inline std::vector<powers::FilePair> files_of(const Pair& pair) {
  std::map<std::string, powers::FilePair> out;
  for (const Files* side : {&pair.before, &pair.after})
    for (const auto& [path, file] : *side)
      if (powers::is_of_interest(path))
        out[path] = {path, entry_of(pair.before, path), entry_of(pair.after, path)};
  std::vector<powers::FilePair> list;
  for (auto& [path, file] : out)
    list.push_back(std::move(file));
  return list;
}

inline std::string escaped(std::string_view text) {
  if (text.empty()) return "-";
  std::string out;
  for (const char c : text)
    out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

/// A row as the corpus writes it.
inline std::string line_of(const powers::Row& row) {
  return std::string(to_string(row.effect)) + " " + std::string(to_string(row.change)) + " " +
         std::string(powers::to_string(row.weight)) + " " + std::string(to_string(row.host)) + " " +
         std::string(to_string(row.kind)) + " | " + escaped(row.before) + " | " +
         escaped(row.after) + " | " + row.place.path + ":" + std::to_string(row.place.line);
}

/// Between the strokes of a matcher nothing is escaped in the corpus.
inline std::string plain(std::string line) {
  for (std::size_t at = line.find("\\|"); at != line.npos; at = line.find("\\|", at))
    line.erase(at, 1);
  return line;
}

}  // namespace gh::host_pairs
