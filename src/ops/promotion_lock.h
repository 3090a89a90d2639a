#pragma once
// One promotion at a time per repository (proposals 7, step 1): a lock of this machine, freed by
// the kernel when its holder dies, and a lease in the ledger that other machines see.
#include <optional>
#include <string>

#include "ops/proposal_session.h"
#include "sys/files.h"

namespace gh::ops {

class PromotionLock {
 public:
  /// lock_busy when somebody promotes. `left_by` is the proposal that a dead holder was working on.
  static Result<PromotionLock> take(ProposalSession&, Context&, const std::string& patch_id);
  PromotionLock(PromotionLock&&) noexcept;
  PromotionLock& operator=(PromotionLock&&) = delete;
  ~PromotionLock();

  const store::Lease& lease() const { return lease_; }
  const std::string& left_by() const { return left_by_; }

 private:
  PromotionLock(sys::FileLock file, store::Ledger* ledger, store::Lease lease)
      : file_(std::move(file)), ledger_(ledger), lease_(std::move(lease)) {}
  sys::FileLock file_;
  store::Ledger* ledger_;
  store::Lease lease_;
  std::string left_by_;
};

}  // namespace gh::ops
