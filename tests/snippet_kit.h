// For tests: sources as data, with what is to be said about them.
//
//   === what is shown
//   --- path            (only where there are several files or the path matters)
//   source
//   +++
//   topic name: value   (every line of a topic that is named at all)
#pragma once

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "analysis/blocks.h"
#include "analysis/class_records.h"
#include "analysis/dead_code.h"
#include "analysis/dependencies.h"
#include "analysis/memory_source.h"
#include "analysis/near_miss.h"

namespace gh::analysis {

using Lines = std::vector<std::string>;

struct Snippet {
  std::string title;
  std::vector<std::pair<std::string, std::string>> files{};
  std::map<std::string, Lines> wanted{};  // by topic, sorted
};

inline std::vector<Snippet> read_snippets(const std::string& path, const std::string& plain) {
  std::ifstream in(path);
  EXPECT_TRUE(in) << path;
  std::vector<Snippet> out;
  bool is_source = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("=== ")) {
      out.push_back({line.substr(4)});
      out.back().files.emplace_back(plain, "");
      is_source = true;
    } else if (out.empty()) {
      continue;
    } else if (line.starts_with("--- ")) {
      if (out.back().files.front() == std::pair(plain, std::string())) out.back().files.clear();
      out.back().files.emplace_back(line.substr(4), "");
    } else if (line == "+++") {
      is_source = false;
    } else if (is_source) {
      out.back().files.back().second += line + "\n";
    } else if (!line.empty()) {
      const std::size_t blank = line.find(' ');
      Lines& lines = out.back().wanted[line.substr(0, blank)];
      if (blank != std::string::npos) lines.push_back(line.substr(blank + 1));
    }
  }
  for (Snippet& snippet : out)
    for (auto& [topic, lines] : snippet.wanted)
      std::ranges::sort(lines);
  return out;
}

inline constexpr Profile kAnySize{.min_loc = 1,
                                  .min_stmt = 1,
                                  .block_min_loc = 1,
                                  .block_min_stmt = 1,
                                  .segment_min_loc = 1,
                                  .segment_min_stmt = 1};

inline Project project_of_files(const std::vector<std::pair<std::string, std::string>>& files) {
  MemorySource source(std::map<std::string, std::string>(files.begin(), files.end()));
  RunOptions options{.profile = kAnySize, .jobs = 1};
  auto project = analyse(source, options);
  EXPECT_TRUE(project);
  if (!project) return {};
  for (const AnalysedFile& file : project->files)
    EXPECT_EQ(file.facts.status, FileStatus::ok) << file.path << ":" << file.facts.error_line;
  return std::move(*project);
}

inline std::string last_name(std::string_view local) {
  return std::string(local.substr(local.rfind('.') + 1));
}

template <class Items>
std::string members(const Project& project, std::string_view family, const Items& items,
                    bool short_names) {
  std::vector<std::string> names;
  for (const auto& item : items) {
    const std::string& local = unit_of(project, ref_of(item)).local_name;
    names.push_back(short_names ? last_name(local) : local);
  }
  std::ranges::sort(names);
  std::string out(family);
  for (const std::string& name : names)
    out += " " + name;
  return out;
}

inline Lines clone_lines(const Project& project, bool short_names = false) {
  Lines out;
  const std::vector<CloneGroup> functions = function_clones(project);
  for (const CloneGroup& group : functions)
    out.push_back(members(project, group.type == CloneType::type1 ? "same" : "function",
                          group.items, short_names));
  for (const BlockGroup& group : block_clones(project, functions).groups)
    out.push_back(members(project, "block", group.items, short_names));
  for (const NearMissGroup& group : near_misses(project, functions).groups)
    out.push_back(members(project, "near", group.items, short_names));
  return out;
}

inline Lines unit_lines(const Project& project, bool nesting, bool short_names = false) {
  Lines out;
  for (const AnalysedFile& file : project.files)
    for (const UnitFact& unit : file.facts.units)
      out.push_back((short_names ? last_name(unit.local_name) : unit.local_name) + " " +
                    std::to_string(nesting ? unit.complexity.nesting : unit.complexity.cyclomatic));
  return out;
}

/// What is said about a project under one topic, sorted.
inline Lines said(const Project& project, std::string_view topic) {
  Lines out;
  if (topic == "complexity" || topic == "nesting") out = unit_lines(project, topic == "nesting");
  if (topic == "clones") out = clone_lines(project);
  if (topic == "cohesion" || topic == "coupling")
    for (const ClassRecord& record : class_records(project)) {
      std::string line = record.fact->local_name;
      if (topic == "cohesion") line += " " + std::to_string(record.fact->cohesion.lcom4);
      if (topic == "coupling")
        for (const std::string& name : record.fact->coupled)
          line += " " + name;
      out.push_back(line);
    }
  if (topic == "imports") {
    const Dependencies all = dependencies_of(project);
    for (const DependencyEdge& edge : all.edges)
      out.push_back(all.modules[edge.from] + " -> " + all.modules[edge.to]);
  }
  if (topic == "dead")
    for (const DeadItem& item : dead_code_of(project).items)
      out.push_back(item.place.qualname + " " +
                    (item.is_high() ? "high" : std::string(to_string(item.reason))));
  std::ranges::sort(out);
  return out;
}

}  // namespace gh::analysis
