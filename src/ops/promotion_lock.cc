#include "ops/promotion_lock.h"

#include <fmt/format.h>

#include "base/text.h"

namespace gh::ops {
namespace {

constexpr std::string_view kLease = "promotion";
constexpr std::int64_t kLeaseMs = 15 * 60 * 1000;
constexpr std::int64_t kWaitMs = 10'000;

std::int64_t now_ms(Context& context) { return context.env.now().seconds * 1000; }

/// "<host> <state folder> <patch_id>": a lease of this machine whose file lock is free is a dead
/// one's.
std::string place_of(const ProposalSession& session, Context& context) {
  return fmt::format("{} {}", context.env.host_name(), session.repo.state_dir());
}

}  // namespace

Result<PromotionLock> PromotionLock::take(ProposalSession& session, Context& context,
                                          const std::string& patch_id) {
  GH_TRY(file, sys::FileLock::acquire(session.repo.state_dir() + "/promotion.lock",
                                      fmt::format("pid {}", context.env.process_id()), kWaitMs));
  const std::string place = place_of(session, context);
  const std::string owner = fmt::format("{} {}", place, patch_id);
  GH_TRY(before, session.ledger->lease(kLease));
  std::string left_by;
  if (before && before->owner.starts_with(place + " ")) {
    left_by = before->owner.substr(place.size() + 1);
    GH_DO(session.ledger->release_lease(*before));  // we hold the lock it held: it is dead
  }
  GH_TRY(lease, session.ledger->acquire_lease(kLease, owner, now_ms(context), kLeaseMs));
  if (!lease)
    return fail(Code::lock_busy, fmt::format("a promotion is under way: {}",
                                             printable(before ? before->owner : "", 300)));
  PromotionLock lock(std::move(file), session.ledger.get(), std::move(*lease));
  lock.left_by_ = std::move(left_by);
  return lock;
}

PromotionLock::PromotionLock(PromotionLock&& other) noexcept
    : file_(std::move(other.file_)),
      ledger_(std::exchange(other.ledger_, nullptr)),
      lease_(std::move(other.lease_)),
      left_by_(std::move(other.left_by_)) {}

PromotionLock::~PromotionLock() {
  if (ledger_ != nullptr) (void)ledger_->release_lease(lease_);
}

}  // namespace gh::ops
