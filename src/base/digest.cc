#include "base/digest.h"

#include <charconv>

#include "base/digesting.h"

#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

namespace gh {
namespace {

// The plain functions of libcrypto: the EVP ones load providers and read a configuration file at
// first use, which takes about as long as half a git process and heeds OPENSSL_CONF.
struct Sha1 {
  SHA_CTX state;
  Sha1() { SHA1_Init(&state); }
  void add(std::string_view part) { SHA1_Update(&state, part.data(), part.size()); }
  std::string finish() {
    std::string out(SHA_DIGEST_LENGTH, '\0');
    SHA1_Final(reinterpret_cast<unsigned char*>(out.data()), &state);
    return out;
  }
};

struct Sha2 {
  SHA256_CTX state;
  Sha2() { SHA256_Init(&state); }
  void add(std::string_view part) { SHA256_Update(&state, part.data(), part.size()); }
  std::string finish() {
    std::string out(SHA256_DIGEST_LENGTH, '\0');
    SHA256_Final(reinterpret_cast<unsigned char*>(out.data()), &state);
    return out;
  }
};

template <class Hash>
std::string hashed(std::initializer_list<std::string_view> parts) {
  Hash hash;
  for (const std::string_view part : parts)
    hash.add(part);
  return hash.finish();
}

/// Hash of the parts one after the other, as raw bytes.
std::string hash_parts(HashKind kind, std::initializer_list<std::string_view> parts) {
  return kind == HashKind::sha1 ? hashed<Sha1>(parts) : hashed<Sha2>(parts);
}

}  // namespace

std::string to_hex(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out(bytes.size() * 2, '0');
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    out[2 * i] = kDigits[byte >> 4U];
    out[2 * i + 1] = kDigits[byte & 15U];
  }
  return out;
}

std::string Digest::hex() const {
  return to_hex({reinterpret_cast<const char*>(bytes_.data()), bytes_.size()});
}
std::string Digest::tagged() const { return "sha256:" + hex(); }

Digest digest_of(std::string_view bytes) {
  Digest out;
  static_assert(sizeof out.bytes_ == SHA256_DIGEST_LENGTH);
  Sha2 hash;
  hash.add(bytes);
  SHA256_Final(out.bytes_.data(), &hash.state);
  return out;
}

std::string raw_hash(HashKind kind, std::string_view bytes) { return hash_parts(kind, {bytes}); }

std::string git_object_id(HashKind kind, std::string_view type, std::string_view bytes) {
  const std::string header =
      std::string(type) + ' ' + std::to_string(bytes.size()) + std::string(1, '\0');
  return hash_parts(kind, {header, bytes});
}

namespace {

SHA256_CTX& running(std::array<std::byte, 128>& state) {
  static_assert(sizeof(SHA256_CTX) <= sizeof(state));
  return *reinterpret_cast<SHA256_CTX*>(state.data());
}

}  // namespace

Digesting::Digesting() { SHA256_Init(&running(state_)); }
void Digesting::add(std::string_view bytes) {
  SHA256_Update(&running(state_), bytes.data(), bytes.size());
}
std::string Digesting::raw() {
  std::string out(SHA256_DIGEST_LENGTH, '\0');
  SHA256_Final(reinterpret_cast<unsigned char*>(out.data()), &running(state_));
  return out;
}
std::string Digesting::hex() { return to_hex(raw()); }

}  // namespace gh
