// What earlier runs of a repository left behind to make the next one fast. All of it may be gone or
// damaged at any time; then it is made again.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "analysis/run.h"
#include "analysis/use_graph.h"
#include "cache/pack.h"
#include "ops/analysis_scope.h"
#include "ops/file_stamps.h"
#include "ops/kept_file.h"
#include "policy/analysis_policy.h"

namespace gh::ops {

class AnalysisCache final : public analysis::FactStore {
 public:
  /// None at all: nothing of earlier runs is found, nothing is kept.
  AnalysisCache() = default;
  AnalysisCache(const Scope&, const policy::AnalysisPolicy&);

  std::optional<std::string> find(const analysis::Hash&) override;
  void keep(const analysis::Hash&, std::string bytes) override;

  /// Which files of the work tree are still as they were.
  FileStamps& stamps() { return stamps_; }
  /// A whole answer, by everything that it was made from.
  std::optional<Value> answer(std::string_view made_from);
  void remember(std::string_view made_from, const Value& answer);

  /// Two sides of one comparison are about to be read: without a pack, the facts of the first serve
  /// the second from memory.
  void share_between_sides() { is_shared_ = true; }

  bool exists() const { return pack_ != nullptr; }
  bool is_of_use() const { return exists() || is_shared_; }
  std::string status() const { return pack_ ? std::string(to_string(pack_->status())) : "off"; }
  void save();
  /// The same beside whatever comes next, which asks for no facts of files; `save`, `answer` and
  /// `remember` wait for its end.
  void begin_saving();

  /// What a run leaves for the next one beside its report; only where most files were known.
  std::optional<analysis::UseGraph>& uses() { return uses_; }

 private:
  void save_stamps();
  void wait_for_saving();

  std::unique_ptr<cache::Pack> pack_{};
  bool is_shared_ = false;
  std::mutex sharing_{};
  std::map<analysis::Hash, std::string> in_memory_{};
  KeptFile stamps_file_{};  // no part of the pack, which never replaces what it holds
  FileStamps stamps_{};
  std::optional<analysis::UseGraph> uses_{};
  std::jthread saving_{};  // last: it ends before what it saves
};

}  // namespace gh::ops
