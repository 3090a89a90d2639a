#include "serve/logins.h"

#include <algorithm>

#include "base/digest.h"

namespace gh::serve {
namespace {

constexpr std::size_t kSecretDigits = 64;

/// The smallest of a map by a member: the oldest.
template <class Entries, class Age>
void drop_oldest(Entries& entries, std::size_t most, Age age) {
  if (entries.size() < most) return;
  const auto oldest =
      std::ranges::min_element(entries, {}, [&](const auto& entry) { return age(entry.second); });
  entries.erase(oldest);
}

}  // namespace

std::string Logins::secret() { return env_.random_hex(kSecretDigits); }

void Logins::forget_old() {
  const std::int64_t now = env_.monotonic_ms();
  std::erase_if(nonces_, [&](const auto& entry) { return now - entry.second > kNonceMs; });
  std::erase_if(sessions_, [&](const auto& entry) { return now - entry.second.used_ms > kIdleMs; });
}

std::string Logins::new_nonce() {
  const std::lock_guard lock(mutex_);
  forget_old();
  drop_oldest(nonces_, kMaxNonces, [](std::int64_t made) { return made; });
  std::string nonce = secret();
  nonces_.emplace(digest_of(nonce).hex(), env_.monotonic_ms());
  return nonce;
}

bool Logins::take_nonce(std::string_view nonce) {
  const std::lock_guard lock(mutex_);
  forget_old();
  return nonces_.erase(digest_of(nonce).hex()) > 0;
}

Logins::Opened Logins::open(http::Caller caller) {
  const std::lock_guard lock(mutex_);
  forget_old();
  drop_oldest(sessions_, kMaxSessions, [](const Session& s) { return s.used_ms; });
  Opened out{secret(), secret()};
  const std::string name = digest_of(out.id).hex();
  caller.session = name;
  sessions_[name] = {std::move(caller), out.csrf, env_.monotonic_ms()};
  return out;
}

std::optional<Logins::Found> Logins::find(std::string_view id) {
  const std::lock_guard lock(mutex_);
  forget_old();
  const auto at = sessions_.find(digest_of(id).hex());
  if (at == sessions_.end()) return std::nullopt;
  at->second.used_ms = env_.monotonic_ms();
  return Found{at->second.caller, at->second.csrf};
}

void Logins::close(std::string_view session) {
  const std::lock_guard lock(mutex_);
  if (const auto at = sessions_.find(session); at != sessions_.end()) sessions_.erase(at);
}

}  // namespace gh::serve
