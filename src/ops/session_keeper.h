#pragma once
// A door that stays open keeps the repository and the ledger of its agent open too: a renewal then
// starts no process and opens no file. What is kept is what would be opened: it ends when HEAD or
// the branch that names the ledger moves, and when another file is in the ledger's place.
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "git/discovery.h"
#include "ops/change_session.h"
#include "ops/heart.h"
#include "policy/control_policy.h"

namespace gh::ops {

/// No lease is so short that a third of it is over sooner.
inline constexpr std::int64_t kFirstBeatSeconds = policy::kLeaseRange.min / 3;

/// One per agent. Thread-safe; its uses wait for each other.
class SessionKeeper {
 public:
  using Use = std::function<Result<Reply>(ChangeSession&)>;
  Result<Reply> with(const Request&, Context&, const Use&);
  /// Of all calls of the agent.
  Heart& heart() { return heart_; }

 private:
  /// Which file it is, and when it was written last.
  using Stamp = std::array<std::uint64_t, 4>;
  /// The files that decide which configuration and which ledger a session has.
  struct Origin {
    std::vector<std::string> files{};
    std::vector<Stamp> stamps{};
    bool is_unchanged() const;
    bool operator==(const Origin&) const = default;
  };
  static Stamp stamp_of(const std::string& file);
  static Origin origin_of(const git::Found&, const std::string& target);

  Result<ChangeSession*> open(const Request&, Context&);

  std::mutex mutex_{};
  std::string folder_{};
  std::unique_ptr<ChangeSession> session_{};
  Origin origin_{};
  std::int64_t opened_ms_ = 0;
  Heart heart_{Heart::Seconds(kFirstBeatSeconds)};
};

/// `use` with the session that the door keeps, where it keeps one, else with one of its own.
Result<Reply> with_change_session(const Request&, Context&, const SessionKeeper::Use& use);

}  // namespace gh::ops
