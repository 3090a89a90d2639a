#include "serve/sessions.h"

#include <algorithm>
#include <utility>

namespace gh::serve {

namespace {

/// Within one millisecond the order of use decides.
std::pair<std::int64_t, std::uint64_t> last_use(const HttpSession& s) {
  return {s.used_ms, s.turn};
}

}  // namespace

void Sessions::use(HttpSession& s, std::int64_t now_ms) {
  s.used_ms = now_ms;
  s.turn = ++turns_;
}

/// Whoever works or listens is there.
bool Sessions::is_expired(HttpSession& s, std::int64_t now_ms) const {
  return s.running == 0 && now_ms - s.used_ms > bounds_.idle_ms && !s.is_listening();
}

SessionPtr Sessions::find(const std::string& id, const std::string& token_id, std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  const auto at = sessions_.find(id);
  if (at == sessions_.end() || at->second->token_id != token_id) return nullptr;
  if (is_expired(*at->second, now_ms)) return nullptr;
  use(*at->second, now_ms);
  return at->second;
}

bool Sessions::add(const SessionPtr& session, std::int64_t now_ms,
                   std::vector<SessionPtr>& removed) {
  removed = remove_expired(now_ms);
  const std::lock_guard lock(mutex_);
  if (sessions_.size() >= bounds_.sessions) {
    auto oldest = sessions_.end();
    for (auto at = sessions_.begin(); at != sessions_.end(); ++at)
      if (at->second->running == 0 &&
          (oldest == sessions_.end() || last_use(*at->second) < last_use(*oldest->second)))
        oldest = at;
    if (oldest == sessions_.end()) return false;
    removed.push_back(oldest->second);
    sessions_.erase(oldest);
  }
  use(*session, now_ms);
  sessions_[session->id] = session;
  return true;
}

SessionPtr Sessions::remove(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto node = sessions_.extract(id);
  return node.empty() ? nullptr : node.mapped();
}

std::vector<SessionPtr> Sessions::remove_expired(std::int64_t now_ms) {
  const std::lock_guard lock(mutex_);
  std::vector<SessionPtr> out;
  std::erase_if(sessions_, [&](const auto& entry) {
    if (!is_expired(*entry.second, now_ms)) return false;
    out.push_back(entry.second);
    return true;
  });
  return out;
}

std::vector<SessionPtr> Sessions::remove_all() {
  const std::lock_guard lock(mutex_);
  std::vector<SessionPtr> out;
  for (auto& [id, session] : sessions_)
    out.push_back(session);
  sessions_.clear();
  return out;
}

std::vector<SessionPtr> Sessions::all() {
  const std::lock_guard lock(mutex_);
  std::vector<SessionPtr> out;
  for (auto& [id, session] : sessions_)
    out.push_back(session);
  return out;
}

std::size_t Sessions::size() {
  const std::lock_guard lock(mutex_);
  return sessions_.size();
}

}  // namespace gh::serve
