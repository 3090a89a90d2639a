#include "serve/kept_answers.h"

#include <algorithm>

namespace gh::serve {

std::optional<KeptAnswers::Kept> KeptAnswers::find(std::string_view key, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  std::erase_if(kept_, [&](const auto& entry) { return now_ms - entry.second.at_ms > kKeepMs; });
  const auto at = kept_.find(key);
  return at == kept_.end() ? std::nullopt : std::optional(at->second);
}

void KeptAnswers::keep(std::string key, Kept kept) {
  const std::lock_guard lock(mutex_);
  if (kept_.size() >= kMost)
    kept_.erase(
        std::ranges::min_element(kept_, {}, [](const auto& entry) { return entry.second.at_ms; }));
  kept_.insert_or_assign(std::move(key), std::move(kept));
}

}  // namespace gh::serve
