// How many findings there are, by family, severity and reach.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "model/value.h"

namespace gh::analysis {

class FindingsSummary {
 public:
  /// A list of group documents; counted in its family even when it is empty.
  void add(std::string_view family, const List& groups);
  /// So many groups, whose severities and reaches are told one by one.
  void add_family(std::string_view family, std::size_t groups);
  void add_group(std::string_view severity, std::string_view impact_scope);
  /// total, families, severity, impact_scope.
  Map document() const;

 private:
  using Counts = std::map<std::string, std::int64_t, std::less<>>;
  static void count(Counts&, std::string_view word);
  std::int64_t total_ = 0;
  Counts families_{}, severity_{{"critical", 0}, {"info", 0}, {"warning", 0}},
      scope_{{"mixed", 0}, {"non_runtime", 0}, {"runtime", 0}};
};

/// How many groups of a list are told with this word for `key`.
std::int64_t count_of(const List& groups, std::string_view key, std::string_view word);

}  // namespace gh::analysis
