#include "ops/run_memory.h"

#include <algorithm>

#include "analysis/archive.h"
#include "analysis/hash.h"
#include "base/digest.h"
#include "ops/kept_file.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::string_view kMagic = "gatehouse run 5\n", kPrefix = "run-";
constexpr std::size_t kKeyBytes = 64;
constexpr std::size_t kTailBytes = kMagic.size() + kKeyBytes + kSumBytes;
constexpr std::uint64_t kMaxBytes = std::uint64_t{256} << 20;
constexpr std::size_t kRunsKept = 4;

}  // namespace

std::string inputs_text(const std::vector<analysis::RunInput>& inputs) {
  std::string out;
  std::size_t bytes = 0;
  for (const analysis::RunInput& input : inputs)
    bytes += input.path.size() + input.mode.size() + input.blob.size() + 3;
  out.reserve(bytes);
  for (const analysis::RunInput& input : inputs)
    out.append(input.path)
        .append(1, '\0')
        .append(input.mode)
        .append(1, ' ')
        .append(input.blob)
        .append(1, '\n');
  return out;
}

std::string inputs_key(const std::vector<analysis::RunInput>& inputs) {
  return analysis::hash_of(inputs_text(inputs)).hex();
}

RunMemory::RunMemory(std::string folder, std::string_view made_by)
    : folder_(std::move(folder)), key_(digest_of(made_by).hex()) {
  path_ = folder_ + "/" + std::string(kPrefix) + key_.substr(0, 16);
}

std::optional<FoundRun> RunMemory::find() const {
  const auto file = sys::DataFile::open(path_, sys::DataFile::For::reading);
  if (!file || !file->is_private()) return std::nullopt;
  const auto size = file->size();
  if (!size || *size > kMaxBytes || *size < kTailBytes) return std::nullopt;
  auto bytes = file->read_first(static_cast<std::size_t>(*size));
  if (!bytes || bytes->bytes().size() != *size) return std::nullopt;
  std::string_view left = bytes->bytes();
  const auto take = [&](std::size_t count) {
    const std::string_view out = left.substr(left.size() - count);
    left.remove_suffix(count);
    return out;
  };
  if (take(kMagic.size()) != kMagic || take(kKeyBytes) != key_) return std::nullopt;
  if (const std::string_view sum = take(kSumBytes); sum != sum_of(left)) return std::nullopt;
  FoundRun out;
  analysis::ArchiveReader reader(left);
  reader.get(out.run);
  if (!reader.ok() || !out.run.kept.is_whole()) return std::nullopt;
  out.bytes = *std::move(bytes);
  file->touch();
  return out;
}

void RunMemory::keep(const RememberedRun& run) const {
  if (!sys::make_folders(folder_)) return;
  analysis::ArchiveWriter writer;
  writer.put(run);
  std::string bytes = writer.finish();
  bytes.append(sum_of(bytes)).append(key_).append(kMagic);  // at the end: nothing need be moved
  const bool is_new = sys::info(path_).kind == sys::FileKind::missing;
  const std::string fresh = path_ + ".new";
  (void)sys::remove_file(fresh);
  if (sys::write_scratch_file(fresh, bytes)) (void)sys::replace_file(fresh, path_);
  if (is_new) drop_old();
}

/// Those that were written or read last stay.
void RunMemory::drop_old() const {
  const auto names = sys::list_folder(folder_);
  if (!names) return;
  std::vector<std::pair<std::int64_t, std::string>> runs;
  for (const std::string& name : *names)
    if (name.starts_with(kPrefix))
      runs.emplace_back(-sys::info(folder_ + "/" + name).mtime_ns, folder_ + "/" + name);
  std::ranges::sort(runs);
  for (std::size_t i = kRunsKept; i < runs.size(); ++i)
    (void)sys::remove_file(runs[i].second);
}

}  // namespace gh::ops
