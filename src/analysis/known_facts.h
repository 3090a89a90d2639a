// Facts that need no reading again. A key names the content by its object id, the language and the
// engine that made the facts, so that nothing is found which another engine would have said
// otherwise.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/facts.h"
#include "analysis/run.h"

namespace gh::analysis {

std::string facts_to_bytes(const FileFacts&);
std::optional<FileFacts> facts_from_bytes(std::string_view);  // nothing when damaged

class KnownFacts {
 public:
  explicit KnownFacts(FactStore* store) : store_(store) {}

  /// `blob` as git names the bytes: who knows it need not read them.
  std::optional<FileFacts> find(std::string_view blob, syntax::Language) const;
  void keep(std::string_view blob, syntax::Language, const FileFacts&) const;

 private:
  FactStore* store_;
};

}  // namespace gh::analysis
