#include "analysis/names.h"

namespace gh::analysis {

NameId NameWriter::id_of(std::string_view text) {
  const auto next = static_cast<NameId>(out_.size());
  const NameId id = ids_.add(text, next, [&](NameId i) { return out_[i]; });
  if (id == next) {
    out_.bytes += text;
    out_.ends.push_back(static_cast<std::uint32_t>(out_.bytes.size()));
  }
  return id;
}

}  // namespace gh::analysis
