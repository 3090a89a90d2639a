#include "ops/analysis_cache.h"

#include <system_error>

#include "base/digest.h"
#include "ops/run_memory.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::uint64_t kMaxStamps = std::uint64_t{256} << 20;
constexpr std::size_t kNameDigits = 16;

analysis::Hash key_of(std::string_view kind, std::string_view of) {
  analysis::Hasher hasher;
  hasher.add(kind);
  hasher.add(of);
  return hasher.finish();
}

}  // namespace

std::string cache_folder(const Scope& scope, const policy::AnalysisPolicy& policy) {
  const bool has_root = scope.repo != nullptr && !scope.repo->is_bare();
  const std::string home = has_root ? scope.repo->root() : scope.root;
  return !policy.cache_path.empty() ? home + "/" + policy.cache_path
         : scope.repo != nullptr    ? scope.repo->state_dir() + "/cache"
                                    : std::string();
}

AnalysisCache::AnalysisCache(const Scope& scope, const policy::AnalysisPolicy& policy) {
  const std::string folder = cache_folder(scope, policy);
  if (folder.empty()) return;
  pack_ = std::make_unique<cache::Pack>(folder, static_cast<std::uint64_t>(policy.max_cache_size_mb)
                                                    << 20);
  if (scope.from != ReadFrom::work_tree) return;
  stamps_file_ = KeptFile(folder, "stamps-" + digest_of(scope.root).hex().substr(0, kNameDigits));
  stamps_ = FileStamps(stamps_file_.read(kMaxStamps).value_or(""));
}

std::optional<std::string> AnalysisCache::find(const analysis::Hash& key) {
  if (pack_) return pack_->get({key.high, key.low});
  const std::lock_guard lock(sharing_);
  const auto found = in_memory_.find(key);
  return found == in_memory_.end() ? std::nullopt : std::optional(found->second);
}

void AnalysisCache::keep(const analysis::Hash& key, std::string bytes) {
  if (pack_) return pack_->put({key.high, key.low}, std::move(bytes));
  const std::lock_guard lock(sharing_);
  in_memory_.insert_or_assign(key, std::move(bytes));
}

std::optional<Value> AnalysisCache::answer(std::string_view made_from) {
  wait_for_saving();
  const auto bytes = find(key_of("answer", made_from));
  if (!bytes) return std::nullopt;
  auto value = wire::read_own_json(*bytes, "a kept answer");
  return value ? std::optional(*std::move(value)) : std::nullopt;
}

void AnalysisCache::remember(std::string_view made_from, const Value& answer) {
  wait_for_saving();
  keep(key_of("answer", made_from), wire::canonical_json(answer));
}

void AnalysisCache::save_stamps() {
  if (stamps_.changed()) stamps_file_.write(stamps_.bytes());
}

void AnalysisCache::wait_for_saving() {
  if (saving_.joinable()) saving_.join();
}

void AnalysisCache::save() {
  wait_for_saving();
  if (!pack_) return;
  save_stamps();
  pack_->save();
}

void AnalysisCache::begin_saving() {
  wait_for_saving();
  if (!pack_) return;
  save_stamps();
  try {
    saving_ = std::jthread([this] { pack_->save(); });
  } catch (const std::system_error&) {  // no thread to be had
    pack_->save();
  }
}

}  // namespace gh::ops
