#include "ops/registry_mirror.h"

#include "ops/change_registry.h"
#include "ops/patch_session.h"
#include "ops/repo_config.h"

namespace gh::ops {

bool RegistryMirror::open(sys::Env& env) {
  if (ledger_ != nullptr) return true;
  Context context{.env = env,
                  .cwd = folder_,
                  .surface = "mcp",
                  .read_input = {},
                  .stream = {},
                  .progress = {},
                  .notice = {},
                  .interrupted = {}};
  auto repo = open_to_read(context);
  if (!repo) return false;
  auto ledger = open_ledger_to_look(*repo);
  if (!ledger) return true;  // its server may be back the next time
  if (*ledger == nullptr || (*ledger)->facts().backend != "postgres") return false;
  ledger_ = std::move(*ledger);
  state_ = repo->state_dir();
  seen_ = -1;
  return true;
}

bool RegistryMirror::refresh(sys::Env& env) {
  if (!open(env)) return false;
  if (ledger_ == nullptr) return true;
  const auto last = ledger_->last_seq();
  if (last && *last != seen_) {
    const auto rows = ledger_->open_intents();
    if (rows) {
      intents_ = filed(*rows);
      seen_ = *last;
    }
  }
  if (last && *last == seen_)
    (void)store::write_mirror(state_, intents_, env.now());
  else
    ledger_.reset();  // nothing is told as new that could not be read
  return true;
}

}  // namespace gh::ops
