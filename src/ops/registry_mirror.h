#pragma once
// The file of open intents of a ledger on a server, kept young by a door that stays open: hooks do
// not ask a server (docs/formats/intent-mirror.md).
#include <memory>
#include <string>
#include <vector>

#include "store/intent_file.h"
#include "store/ledger.h"
#include "sys/env.h"

namespace gh::ops {

class RegistryMirror {
 public:
  explicit RegistryMirror(std::string folder) : folder_(std::move(folder)) {}

  /// Writes it with the time of now; records are read again only when the ledger was written to.
  /// False: there is no ledger on a server, so nothing is to be kept.
  bool refresh(sys::Env&);

 private:
  bool open(sys::Env&);

  std::string folder_, state_{};
  std::unique_ptr<store::Ledger> ledger_{};
  std::vector<store::FiledIntent> intents_{};
  std::int64_t seen_ = -1;
};

}  // namespace gh::ops
