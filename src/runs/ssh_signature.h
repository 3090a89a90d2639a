#pragma once
// SSH signatures (the format of `ssh-keygen -Y sign`), Ed25519 only: made and checked without
// ssh-keygen. Readers take untrusted bytes with fixed limits.
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace gh::runs {

class SigningKey {
 public:
  SigningKey(SigningKey&&) = default;
  SigningKey& operator=(SigningKey&&) = default;
  ~SigningKey();  // leaves no key in memory

  /// The text of an unencrypted OpenSSH private key file; signing_key_invalid for anything else.
  static Result<SigningKey> parse(std::string_view key_file);

  /// Armoured signature of `message` under `name_space`, hash sha512. Same input, same bytes.
  Result<std::string> sign(std::string_view message, std::string_view name_space) const;

  /// The bare Ed25519 signature of `message`, for envelopes of other formats (DSSE).
  Result<std::string> sign_bytes(std::string_view message) const;

  /// "ssh-ed25519 AAAA...", as in a .pub file, without comment.
  std::string public_line() const;

 private:
  SigningKey() = default;
  std::array<unsigned char, 64> secret_{};  // seed and public key, as libsodium wants them
  std::string public_blob_;                 // wire form of the public key
};

std::string base64(std::string_view bytes);
/// Strict: no foreign characters, whole groups, padding only at the end.
std::optional<std::string> from_base64(std::string_view text);

/// Is `signature` the bare Ed25519 one of `message` by the key "ssh-ed25519 AAAA..."?
bool is_signed_by(std::string_view key_line, std::string_view message, std::string_view signature);

/// The "ssh-ed25519 AAAA..." line of the key that made `armoured` over `message`;
/// signature_invalid when the signature does not hold, is of another kind or namespace, or is no
/// signature at all. Whether that key is trusted is the caller's question.
Result<std::string> signer_of(std::string_view armoured, std::string_view message,
                              std::string_view name_space);

}  // namespace gh::runs
