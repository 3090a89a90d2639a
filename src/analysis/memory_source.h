// For tests: files that are nowhere but here.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/run.h"

namespace gh::analysis {

class MemorySource final : public FileSource {
 public:
  explicit MemorySource(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  Result<std::vector<SourceEntry>> list() override {
    std::vector<SourceEntry> out;
    for (const auto& [path, text] : files_)
      out.push_back({path, text.size()});
    return out;
  }
  Result<std::string> read(const SourceEntry& entry) override { return files_.at(entry.path); }

 private:
  std::map<std::string, std::string> files_;
};

}  // namespace gh::analysis
