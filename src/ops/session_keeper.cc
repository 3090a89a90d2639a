#include "ops/session_keeper.h"

#include "ops/caller.h"

namespace gh::ops {
namespace {

/// The configuration is read when a session is opened; no longer than this it may be an old one.
constexpr std::int64_t kKeepMs = 600'000;

}  // namespace

Result<ChangeSession*> SessionKeeper::open(const Request& request, Context& context) {
  const std::int64_t now = context.env.monotonic_ms();
  const bool is_kept = session_ != nullptr && folder_ == context.cwd && now - opened_ms_ < kKeepMs;
  if (is_kept) return session_.get();
  session_.reset();
  GH_TRY(opened, open_change_session(request, context));
  session_ = std::make_unique<ChangeSession>(std::move(opened));
  folder_ = context.cwd;
  opened_ms_ = now;
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
