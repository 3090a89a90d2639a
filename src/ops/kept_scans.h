#pragma once
// Scans of base trees that are kept for the next run. A kept scan is compared with, so who could
// write one could hide a weakening: it is believed only under a seal whose key no repository holds
// (docs/adr/0050).
#include <optional>
#include <string>
#include <string_view>

#include "sys/env.h"

namespace gh::ops {

class KeptScans {
 public:
  /// `root`: the top of the repository, below which no key is taken from.
  KeptScans(std::string state_dir, std::string root, sys::Env& env);

  std::string place(std::string_view key, std::string_view name) const;
  /// Bytes that this user kept under that key; whatever is wrong with them, there are none.
  std::optional<std::string> read(std::string_view key, std::string_view name) const;
  /// The newest scans stay. What fails here is forgotten work, no failure.
  void keep(std::string_view key, std::string_view name, std::string_view bytes) const;

 private:
  std::string seal_of(std::string_view key, std::string_view name, std::string_view bytes) const;
  void drop_old() const;

  std::string folder_;
  std::string secret_;  // empty: none, and nothing is kept
};

}  // namespace gh::ops
