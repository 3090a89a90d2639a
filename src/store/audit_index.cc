#include "store/audit_index.h"

#include <algorithm>

#include "base/digest.h"
#include "base/sorted.h"

namespace gh::store {

std::vector<std::string> proposals_named(const Map& subject) {
  std::vector<std::string> out;
  const Value* named = subject.find("proposal_id");
  if (named == nullptr) return out;
  if (named->as_string() != nullptr) out.push_back(*named->as_string());
  if (named->as_list() != nullptr)
    for (const Value& item : *named->as_list())
      if (item.as_string() != nullptr) out.push_back(*item.as_string());
  sort_unique(out);
  return out;
}

bool is_digest_of(std::string_view sha256, std::string_view bytes) {
  if (sha256.starts_with("sha256:")) sha256.remove_prefix(7);
  return digest_of(bytes).hex() == sha256;
}

}  // namespace gh::store
