#pragma once
// A door that stays open keeps the repository and the ledger of its agent open too: a renewal then
// starts no process and opens no file.
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "ops/change_session.h"

namespace gh::ops {

/// One per agent. Thread-safe; its uses wait for each other.
class SessionKeeper {
 public:
  using Use = std::function<Result<Reply>(ChangeSession&)>;
  Result<Reply> with(const Request&, Context&, const Use&);

 private:
  Result<ChangeSession*> open(const Request&, Context&);

  std::mutex mutex_{};
  std::string folder_{};
  std::unique_ptr<ChangeSession> session_{};
  std::int64_t opened_ms_ = 0;
};

/// `use` with the session that the door keeps, where it keeps one, else with one of its own.
Result<Reply> with_change_session(const Request&, Context&, const SessionKeeper::Use& use);

}  // namespace gh::ops
