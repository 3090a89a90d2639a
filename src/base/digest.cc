#include "base/digest.h"

#include <charconv>
#include <memory>

#include <openssl/evp.h>

#include "base/error.h"

namespace gh {
namespace {

const EVP_MD* algorithm(HashKind kind) {
  return kind == HashKind::sha1 ? EVP_sha1() : EVP_sha256();
}

/// Hash of the parts one after the other, as raw bytes.
std::string hash_parts(HashKind kind, std::initializer_list<std::string_view> parts) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                        EVP_MD_CTX_free);
  std::string out(EVP_MAX_MD_SIZE, '\0');
  unsigned size = 0;
  bool fine = context && EVP_DigestInit_ex(context.get(), algorithm(kind), nullptr) == 1;
  for (const std::string_view part : parts)
    fine = fine && EVP_DigestUpdate(context.get(), part.data(), part.size()) == 1;
  fine = fine && EVP_DigestFinal_ex(context.get(), reinterpret_cast<unsigned char*>(out.data()),
                                    &size) == 1;
  GH_ASSERT(fine);  // fails only when memory is exhausted
  out.resize(size);
  return out;
}

}  // namespace

std::string to_hex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}

std::string Digest::hex() const {
  return to_hex({reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
}
std::string Digest::tagged() const { return "sha256:" + hex(); }

Digest digest_of(std::string_view bytes) {
  const std::string raw = hash_parts(HashKind::sha256, {bytes});
  Digest out;
  std::copy(raw.begin(), raw.end(), out.bytes_.begin());
  return out;
}

std::string raw_hash(HashKind kind, std::string_view bytes) { return hash_parts(kind, {bytes}); }

std::string git_object_id(HashKind kind, std::string_view type, std::string_view bytes) {
  const std::string header =
      std::string(type) + ' ' + std::to_string(bytes.size()) + std::string(1, '\0');
  return to_hex(hash_parts(kind, {header, bytes}));
}

}  // namespace gh
