#include "analysis/names.h"

namespace gh::analysis {

NameId NameWriter::id_of(std::string_view text) {
  const auto [at, is_new] = ids_.try_emplace(std::string(text), static_cast<NameId>(out_.size()));
  if (is_new) {
    out_.bytes += text;
    out_.ends.push_back(static_cast<std::uint32_t>(out_.bytes.size()));
  }
  return at->second;
}

}  // namespace gh::analysis
