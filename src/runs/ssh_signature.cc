#include "runs/ssh_signature.h"

#include <array>
#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <sodium.h>

namespace gh::runs {
namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::string_view bytes) {
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t i = 0; i < 3; ++i)
      group =
          (group << 8) | (at + i < bytes.size() ? static_cast<unsigned char>(bytes[at + i]) : 0U);
    for (std::size_t i = 0; i < 4; ++i)
      out += at + i > bytes.size() ? '=' : kAlphabet[(group >> (18 - 6 * i)) & 63];
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  std::uint32_t group = 0;
  std::size_t digits = 0, padding = 0;
  for (const char c : text) {
    const std::size_t value = kAlphabet.find(c);
    if (c == '=' ? digits % 4 < 2 : (value == std::string_view::npos || padding > 0))
      return std::nullopt;
    if (c == '=') ++padding;
    group = (group << 6) | (c == '=' ? 0U : static_cast<std::uint32_t>(value));
    if (++digits % 4 != 0) continue;
    for (int shift : {16, 8, 0})
      out += static_cast<char>((group >> shift) & 0xFF);
    group = 0;
  }
  out.resize(out.size() - padding);
  if (base64(out) != text) return std::nullopt;  // stray bits behind the last byte
  return out;
}

namespace {

constexpr std::string_view kKeyType = "ssh-ed25519";
constexpr std::string_view kHash = "sha512";
constexpr std::string_view kMagic = "SSHSIG";
constexpr std::string_view kKeyMagic{"openssh-key-v1\0", 15};
constexpr std::string_view kKeyBegin = "-----BEGIN OPENSSH PRIVATE KEY-----";
constexpr std::string_view kKeyEnd = "-----END OPENSSH PRIVATE KEY-----";
constexpr std::string_view kSignatureBegin = "-----BEGIN SSH SIGNATURE-----";
constexpr std::string_view kSignatureEnd = "-----END SSH SIGNATURE-----";
constexpr std::size_t kMaxTextBytes = 64u << 10;
constexpr std::size_t kKeyBytes = 32, kSignatureBytes = 64;
constexpr std::size_t kArmourColumns = 70;
constexpr std::uint32_t kVersion = 1;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes_of(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

// ---- base64 and armour ----

std::string armoured(std::string_view bytes) {
  std::string out(kSignatureBegin);
  const std::string text = base64(bytes);
  for (std::size_t at = 0; at < text.size(); at += kArmourColumns)
    out += "\n" + text.substr(at, kArmourColumns);
  return out + "\n" + std::string(kSignatureEnd) + "\n";
}

/// Bytes between the two marker lines; white space around and line ends within are passed over.
std::optional<std::string> unarmoured(std::string_view text, std::string_view begin,
                                      std::string_view end) {
  constexpr std::string_view kSpace = " \t\r\n";
  if (text.size() > kMaxTextBytes) return std::nullopt;
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return std::nullopt;
  text = text.substr(first, text.find_last_not_of(kSpace) + 1 - first);
  if (!text.starts_with(begin) || !text.ends_with(end)) return std::nullopt;
  text = text.substr(begin.size(), text.size() - begin.size() - end.size());
  std::string digits;
  for (const char c : text)
    if (c != '\n' && c != '\r') digits += c;
  auto out = from_base64(digits);
  sodium_memzero(digits.data(), digits.size());
  return out;
}

// ---- SSH wire encoding ----

std::string number(std::uint32_t value) {
  std::string out;
  for (int shift : {24, 16, 8, 0})
    out += static_cast<char>((value >> shift) & 0xFF);
  return out;
}

std::string field(std::string_view bytes) {
  return number(static_cast<std::uint32_t>(bytes.size())) + std::string(bytes);
}

/// Reads the encoding back; after the first defect everything is empty and ok() is false.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}
  bool ok() const { return ok_; }
  bool at_end() const { return ok_ && left_.empty(); }
  std::string_view rest() const { return left_; }

  std::string_view take(std::size_t count) {
    if (count > left_.size()) ok_ = false;
    if (!ok_) return {};
    const std::string_view out = left_.substr(0, count);
    left_.remove_prefix(count);
    return out;
  }
  std::uint32_t take_number() {
    std::uint32_t out = 0;
    for (const char c : take(4))
      out = (out << 8) | static_cast<unsigned char>(c);
    return out;
  }
  std::string_view take_field() { return take(take_number()); }

 private:
  std::string_view left_;
  bool ok_ = true;
};

/// The 32 bytes inside the wire form of an Ed25519 public key.
std::optional<std::string_view> raw_public_key(std::string_view blob) {
  Reader reader(blob);
  const std::string_view type = reader.take_field(), key = reader.take_field();
  if (!reader.at_end() || type != kKeyType || key.size() != kKeyBytes) return std::nullopt;
  return key;
}

std::string public_line_of(std::string_view blob) {
  return fmt::format("{} {}", kKeyType, base64(blob));
}

std::string sha512(std::string_view message) {
  std::string out(crypto_hash_sha512_BYTES, '\0');
  crypto_hash_sha512(bytes_of(out), bytes_of(message), message.size());
  return out;
}

/// What Ed25519 really signs.
std::string signed_data(std::string_view message, std::string_view name_space) {
  return std::string(kMagic) + field(name_space) + field("") + field(kHash) +
         field(sha512(message));
}

// ---- private key file ----

/// What a private key file holds, or what is wrong with it.
struct KeyFile {
  std::string_view public_blob{}, seed{}, public_key{};
  std::string_view defect{};
};

KeyFile bad(std::string_view why) { return {.defect = why}; }

KeyFile read_private_part(std::string_view bytes, std::string_view public_blob) {
  Reader reader(bytes);
  const std::uint32_t check = reader.take_number();
  if (reader.take_number() != check) return bad("is damaged");
  const std::string_view type = reader.take_field();
  if (reader.ok() && type != kKeyType) return bad("is not an Ed25519 key");
  const std::string_view public_key = reader.take_field(), both = reader.take_field();
  reader.take_field();  // comment
  if (!reader.ok() || public_key.size() != kKeyBytes || both.size() != 2 * kKeyBytes)
    return bad("is damaged");
  for (std::size_t i = 0; i < reader.rest().size(); ++i)
    if (static_cast<unsigned char>(reader.rest()[i]) != i + 1) return bad("is damaged");
  if (both.substr(kKeyBytes) != public_key || raw_public_key(public_blob) != public_key)
    return bad("is damaged");
  return {public_blob, both.substr(0, kKeyBytes), public_key};
}

KeyFile read_key_file(std::string_view bytes) {
  Reader reader(bytes);
  if (reader.take(kKeyMagic.size()) != kKeyMagic) return bad("is no OpenSSH private key");
  const std::string_view cipher = reader.take_field(), kdf = reader.take_field();
  reader.take_field();  // options of the key derivation
  if (reader.ok() && (cipher != "none" || kdf != "none")) return bad("is encrypted");
  if (reader.take_number() != 1) return bad("does not hold exactly one key");
  const std::string_view public_blob = reader.take_field(), private_part = reader.take_field();
  if (!reader.at_end()) return bad("is damaged");
  return read_private_part(private_part, public_blob);
}

tl::unexpected<Error> invalid_key(std::string_view why) {
  return fail(Code::signing_key_invalid, fmt::format("the signing key {}", why));
}

tl::unexpected<Error> invalid_signature(std::string_view why) {
  return fail(Code::signature_invalid, fmt::format("the signature {}", why));
}

bool verifies(std::string_view public_key, std::string_view signature, std::string_view data) {
  return sodium_init() >= 0 && signature.size() == kSignatureBytes &&
         public_key.size() == kKeyBytes &&
         crypto_sign_verify_detached(bytes_of(signature), bytes_of(data), data.size(),
                                     bytes_of(public_key)) == 0;
}

}  // namespace

SigningKey::~SigningKey() { sodium_memzero(secret_.data(), secret_.size()); }

Result<SigningKey> SigningKey::parse(std::string_view key_file) {
  auto bytes = unarmoured(key_file, kKeyBegin, kKeyEnd);
  if (!bytes) return invalid_key("is no OpenSSH private key");
  const KeyFile file = read_key_file(*bytes);
  SigningKey out;
  std::string_view defect = file.defect;
  if (defect.empty()) {
    out.public_blob_ = file.public_blob;
    std::string derived(kKeyBytes, '\0');
    if (sodium_init() < 0 ||
        crypto_sign_seed_keypair(bytes_of(derived), out.secret_.data(), bytes_of(file.seed)) != 0 ||
        derived != file.public_key)
      defect = "is damaged";
  }
  std::string& secret = *bytes;
  sodium_memzero(secret.data(), secret.size());
  if (!defect.empty()) return invalid_key(defect);
  return out;
}

Result<std::string> SigningKey::sign(std::string_view message, std::string_view name_space) const {
  const std::string data = signed_data(message, name_space);
  std::string signature(kSignatureBytes, '\0');
  if (crypto_sign_detached(bytes_of(signature), nullptr, bytes_of(data), data.size(),
                           secret_.data()) != 0)
    return invalid_key("cannot sign");
  return armoured(std::string(kMagic) + number(kVersion) + field(public_blob_) + field(name_space) +
                  field("") + field(kHash) + field(field(kKeyType) + field(signature)));
}

Result<std::string> SigningKey::sign_bytes(std::string_view message) const {
  std::string signature(kSignatureBytes, '\0');
  if (crypto_sign_detached(bytes_of(signature), nullptr, bytes_of(message), message.size(),
                           secret_.data()) != 0)
    return invalid_key("cannot sign");
  return signature;
}

std::string SigningKey::public_line() const { return public_line_of(public_blob_); }

bool is_signed_by(std::string_view key_line, std::string_view message, std::string_view signature) {
  if (!key_line.starts_with(kKeyType) || key_line.size() <= kKeyType.size()) return false;
  const auto blob = from_base64(key_line.substr(kKeyType.size() + 1));
  const auto key = blob ? raw_public_key(*blob) : std::nullopt;
  return key && signature.size() == kSignatureBytes && public_line_of(*blob) == key_line &&
         verifies(*key, signature, message);
}

Result<std::string> signer_of(std::string_view armoured, std::string_view message,
                              std::string_view name_space) {
  const auto bytes = unarmoured(armoured, kSignatureBegin, kSignatureEnd);
  if (!bytes) return invalid_signature("is no SSH signature");
  Reader reader(*bytes);
  if (reader.take(kMagic.size()) != kMagic || reader.take_number() != kVersion)
    return invalid_signature("is no SSH signature of version 1");
  const std::string_view blob = reader.take_field(), space = reader.take_field();
  reader.take_field();  // reserved
  const std::string_view hash = reader.take_field();
  Reader inner(reader.take_field());
  const std::string_view type = inner.take_field(), signature = inner.take_field();
  if (!reader.at_end() || !inner.at_end()) return invalid_signature("is damaged");
  const auto key = raw_public_key(blob);
  if (!key || type != kKeyType || hash != kHash || signature.size() != kSignatureBytes)
    return invalid_signature("is not Ed25519 with SHA-512");
  if (space != name_space)
    return invalid_signature(fmt::format("was made for another purpose than {}", name_space));
  if (!verifies(*key, signature, signed_data(message, name_space)))
    return invalid_signature("does not match");
  return public_line_of(blob);
}

}  // namespace gh::runs
