#pragma once
// Whether anybody wrote to a repository's ledger since the last look. It stays open between looks.
#include <memory>
#include <string>

#include "store/ledger.h"
#include "sys/env.h"

namespace gh::ops {

class LedgerWatch {
 public:
  explicit LedgerWatch(std::string folder) : folder_(std::move(folder)) {}

  /// The first look tells nothing. A ledger that cannot be read has no news.
  bool has_news(sys::Env&);

 private:
  bool open(sys::Env&);

  std::string folder_;
  std::unique_ptr<store::Ledger> ledger_{};
  std::int64_t seen_ = -1;
};

}  // namespace gh::ops
