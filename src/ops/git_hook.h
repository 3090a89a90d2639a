#pragma once
// One call of a hook by git: what git handed over, who acts, and what the repository wants of it.
// The answer is given in words and in exit 0 or 1, nothing else (interfaces 3, 5.6).
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/repo.h"
#include "hooks/git_hook.h"
#include "ops/change_session.h"
#include "ops/check_orders.h"
#include "ops/operation.h"
#include "policy/config.h"
#include "store/ledger.h"

namespace gh::ops {

/// The longest step of a hook, for whoever wonders why git is slow.
struct SlowStep {
  std::string name{};
  std::int64_t ms = 0;
};

struct HookCall {
  const hooks::GitHookRow& row;
  const Request& request;  // of `hook git`
  Context context;         // of the place that git works in
  std::vector<std::string> words{};
  std::string agent{};                       // what shows that an agent acts; empty: nothing does
  std::string reason{};                      // of GATEHOUSE_BYPASS_REASON
  std::optional<std::vector<Intent>> own{};  // once they were asked for
  /// To look only; once it was asked for. Whoever opens it again reads its log again.
  std::optional<std::unique_ptr<store::Ledger>> ledger{};
};

/// What a hook tells.
struct HookAnswer {
  bool refused = false;
  std::string why{};  // in one line
  std::vector<std::function<std::string(const report::Look&)>> parts{};
  Map facts{};

  void say(std::string text);
};

Result<HookAnswer> pre_commit(HookCall&);
Result<HookAnswer> prepare_commit_msg(HookCall&);
Result<HookAnswer> commit_msg(HookCall&);
Result<HookAnswer> post_commit(HookCall&);
Result<HookAnswer> pre_push(HookCall&);
Result<HookAnswer> pre_receive(HookCall&);
Result<HookAnswer> update_hook(HookCall&);
Result<HookAnswer> post_receive(HookCall&);
Result<HookAnswer> reference_transaction(HookCall&);

/// The `hooks` settings of HEAD, or of the work tree where HEAD has no configuration yet.
Result<policy::Config> hook_config(git::Repo&);
Result<policy::Config> hook_config(git::Repo&, const std::optional<git::Commit>& head);

/// The intents of whoever started git that may edit in this tree. Read once for each call.
const std::vector<Intent>& intents_of_caller(HookCall&);

/// The ledger to look into; null: nothing was ever recorded. Opened once for each call.
Result<store::Ledger*> ledger_of(HookCall&, git::Repo&);

/// A person may go on with a reason; it is written down. Turns a refusal into a warning, or says
/// why it cannot. In mode `advise` every refusal is a warning.
void soften(HookCall&, const git::Repo&, const policy::HookPolicy&, HookAnswer&);

/// The event goes to the spool: no hook waits for a database.
void audit_hook(const HookCall&, const git::Repo&, std::string_view event,
                std::string_view severity, Map payload);

/// `check` as a hook asks it.
Result<Reply> check_for_hook(HookCall&,
                             std::map<std::string, std::vector<std::string>, std::less<>>,
                             std::vector<std::string> operands, const CheckOrders&);

/// The variable that shows that an agent acts; empty: none does.
std::string agent_of(const Context&);

/// The branches that proposals go to; the old usual name counts where the new one is not used.
bool is_protected(const policy::ProposalPolicy&, std::string_view ref);

/// Does a message tell of a decision that only a receipt can prove?
bool claims_acceptance(std::string_view message);

/// What is wrong with what the message of a commit says of receipts; empty: nothing. `is_known` is
/// false when it names one that is not kept here.
struct TrailerAnswer {
  std::string defect{};
  bool is_known = true;
  bool says_bypassed = false;  // it went around a gate where it was made, by its own word
};
/// `notes`: where receipts are looked for instead of refs/notes/gatehouse; empty: there.
Result<TrailerAnswer> check_trailers(git::Repo&, store::Ledger*, const git::Commit&,
                                     const std::string& notes = {});

}  // namespace gh::ops
