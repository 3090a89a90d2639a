#include "ops/signing.h"

#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxKeyBytes = 64u << 10;

}  // namespace

Result<std::optional<runs::SigningKey>> read_signing_key(const git::Repo& repo,
                                                         const policy::StoreConfig& config) {
  std::string file = config.signing_key;
  if (file.empty()) return std::nullopt;
  if (!file.starts_with('/')) file = repo.root() + "/" + file;
  const auto text = sys::read_file(file, kMaxKeyBytes);
  if (!text) return fail(Code::signing_key_invalid, text.error().message);
  GH_TRY(key, runs::SigningKey::parse(*text));
  return std::optional(std::move(key));
}

}  // namespace gh::ops
