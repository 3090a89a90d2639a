// Facts that need no reading again. A key names the content, the language and the engine that made
// the facts, so that nothing is found which another engine would have said otherwise.
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

  /// The key of facts, from the bytes of a file.
  Hash content_of(std::string_view bytes, syntax::Language) const;
  std::optional<FileFacts> by_content(const Hash&) const;
  /// Through the object id of git: the bytes need not be read.
  std::optional<FileFacts> by_blob(std::string_view blob, syntax::Language) const;
  void remember_blob(std::string_view blob, syntax::Language, const Hash& content) const;
  void keep(const Hash& content, const FileFacts&) const;

 private:
  FactStore* store_;
};

}  // namespace gh::analysis
