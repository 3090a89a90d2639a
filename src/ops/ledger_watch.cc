#include "ops/ledger_watch.h"

#include "ops/patch_session.h"
#include "ops/repo_config.h"

namespace gh::ops {

bool LedgerWatch::open(sys::Env& env) {
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
  if (ledger) ledger_ = std::move(*ledger);
  return ledger_ != nullptr;
}

bool LedgerWatch::has_news(sys::Env& env) {
  if (!open(env)) {
    seen_ = 0;  // what comes into being later is news
    return false;
  }
  const auto last = ledger_->last_seq();
  if (!last) {
    ledger_.reset();
    return false;
  }
  const bool is_news = seen_ >= 0 && *last != seen_;
  seen_ = *last;
  return is_news;
}

}  // namespace gh::ops
