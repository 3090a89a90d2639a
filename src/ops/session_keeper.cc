#include "ops/session_keeper.h"

#include <algorithm>
#include <string_view>

#include "base/sorted.h"
#include "ops/caller.h"
#include "ops/ledger_place.h"
#include "ops/repo_config.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

/// What no file tells, as the clone id, may be an old one for no longer than this.
constexpr std::int64_t kKeepMs = 600'000;
constexpr std::size_t kMaxHeadBytes = 4'096;
constexpr std::string_view kLedgerName = "ledger.db";

/// The branch that HEAD is on; empty: none.
std::string branch_of(const std::string& head_file) {
  constexpr std::string_view kMark = "ref: ";
  const auto head = sys::read_file(head_file, kMaxHeadBytes);
  if (!head || !head->starts_with(kMark)) return {};
  return head->substr(kMark.size(), head->find('\n') - kMark.size());
}

}  // namespace

/// A ledger is written all the time: of it counts only which file it is.
SessionKeeper::Stamp SessionKeeper::stamp_of(const std::string& file) {
  const sys::FileInfo info = sys::info(file);
  if (info.kind == sys::FileKind::missing) return {};
  if (file.ends_with(kLedgerName)) return {1, info.device, info.inode, 0};
  return {1, info.device, info.inode, static_cast<std::uint64_t>(info.ctime_ns)};
}

bool SessionKeeper::Origin::is_unchanged() const {
  return !files.empty() && std::ranges::equal(files, stamps, {}, stamp_of);
}

/// A ref is a file that is replaced, a line of packed-refs or a part of a table, whatever it is by
/// now.
SessionKeeper::Origin SessionKeeper::origin_of(const git::Found& found, const std::string& target) {
  Origin out{.files = {found.git_dir + "/HEAD", found.common_dir + "/packed-refs",
                       found.common_dir + "/reftable/tables.list",
                       found.common_dir + "/gatehouse/" + std::string(kLedgerName)}};
  for (const std::string& ref : {branch_of(found.git_dir + "/HEAD"),
                                 policy::default_proposal_policy().default_target, target})
    if (ref.starts_with("refs/")) out.files.push_back(found.common_dir + "/" + ref);
  sort_unique(out.files);
  for (const std::string& file : out.files)
    out.stamps.push_back(stamp_of(file));
  return out;
}

Result<ChangeSession*> SessionKeeper::open(const Request& request, Context& context) {
  const std::int64_t now = context.env.monotonic_ms();
  const bool is_kept = session_ != nullptr && folder_ == context.cwd &&
                       now - opened_ms_ < kKeepMs && origin_.is_unchanged();
  if (is_kept) return session_.get();
  session_.reset();
  origin_ = {};
  // Looked at before it is opened: what changes meanwhile is seen by the next call.
  const auto inside = git::top_level_of(context.cwd);
  const auto found = inside ? git::discover(inside->top) : tl::make_unexpected(inside.error());
  const Origin before = found ? origin_of(*found, {}) : Origin{};
  GH_TRY(opened, open_change_session(request, context));
  session_ = std::make_unique<ChangeSession>(std::move(opened));
  folder_ = context.cwd;
  opened_ms_ = now;
  if (!before.is_unchanged()) return session_.get();  // and not kept
  const auto target = usual_target(session_->repo);
  origin_ = origin_of(*found, target ? target->ref : std::string());
  return session_.get();
}

Result<Reply> SessionKeeper::with(const Request& request, Context& context, const Use& use) {
  const std::lock_guard lock(mutex_);
  GH_TRY(session, open(request, context));
  auto reply = use(*session);
  if (reply || class_of(reply.error().code) == CodeClass::usage) return reply;
  session_.reset();  // the ledger may be another one by now, or its server was away
  GH_TRY(again, open(request, context));
  return use(*again);
}

Result<Reply> with_change_session(const Request& request, Context& context,
                                  const SessionKeeper::Use& use) {
  const auto* env = dynamic_cast<const AgentEnv*>(&context.env);
  if (env != nullptr && env->keeper() != nullptr) return env->keeper()->with(request, context, use);
  GH_TRY(session, open_change_session(request, context));
  return use(session);
}

}  // namespace gh::ops
