#include "ops/kept_file.h"

#include <xxhash.h>

#include "sys/data_file.h"
#include "sys/files.h"

namespace gh::ops {

std::string sum_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  std::string out;
  for (const std::uint64_t half : {hash.high64, hash.low64})
    out.append(reinterpret_cast<const char*>(&half), sizeof half);
  return out;
}

KeptFile::KeptFile(std::string folder, std::string_view name)
    : folder_(std::move(folder)), path_(folder_ + "/" + std::string(name)) {}

std::optional<std::string> KeptFile::read(std::uint64_t max_bytes) const {
  const auto file = sys::DataFile::open(path_, sys::DataFile::For::reading);
  if (!file || !file->is_private()) return std::nullopt;
  const auto size = file->size();
  if (!size || *size < kSumBytes || *size > max_bytes) return std::nullopt;
  auto bytes = file->read_at(0, static_cast<std::size_t>(*size));
  if (!bytes || bytes->size() != *size) return std::nullopt;
  const std::size_t end = bytes->size() - kSumBytes;
  if (std::string_view(*bytes).substr(end) != sum_of(std::string_view(*bytes).substr(0, end)))
    return std::nullopt;
  bytes->resize(end);
  return *std::move(bytes);
}

void KeptFile::write(std::string bytes) const {
  if (path_.empty() || !sys::make_folders(folder_)) return;
  bytes += sum_of(bytes);
  const std::string fresh = path_ + ".new";
  (void)sys::remove_file(fresh);
  if (sys::write_scratch_file(fresh, bytes)) (void)sys::replace_file(fresh, path_);
}

}  // namespace gh::ops
