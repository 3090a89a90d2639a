// What of a project other programs may name, and what is called by those who are not seen, in
// languages that say so with a word or a place (analysis reference, "Roots of other languages").
#pragma once

#include <string>
#include <unordered_set>

#include "analysis/project.h"

namespace gh::analysis {

class Offers {
 public:
  explicit Offers(const Project&);

  bool is_offered(std::uint32_t file, std::uint32_t declaration) const;
  /// Virtual, an override, or a constructor: alive with what it stands in.
  bool is_called_unseen(std::uint32_t file, std::uint32_t declaration) const;
  /// A method that a protocol of the project asks for.
  bool is_asked_for(std::uint32_t file, std::uint32_t declaration) const;

 private:
  void read(const AnalysedFile&);

  const Project& project_;
  std::unordered_set<std::string> in_headers_{}, virtual_{}, asked_for_{};
};

}  // namespace gh::analysis
