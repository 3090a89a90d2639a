#pragma once
// A receipt in the forms that other tools read (interfaces 8, item 6): an in-toto Statement, a SLSA
// verification summary, and either of them in a DSSE envelope.
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/value.h"
#include "runs/ssh_signature.h"

namespace gh::runs {

/// `commit` is the commit that names the receipt; empty when none is known.
Map in_toto_statement(const Map& receipt, std::string_view commit);
Map verification_summary(const Map& receipt, std::string_view commit);

/// Signed over the pre-authentication encoding of DSSE version 1.
Result<Map> dsse_envelope(const Map& statement, const SigningKey&);
std::string pre_authentication_encoding(std::string_view type, std::string_view payload);
inline constexpr std::string_view kInTotoType = "application/vnd.in-toto+json";

/// Is the document meant as an envelope, whatever is in it?
bool is_envelope(const Value&);

inline constexpr std::size_t kMaxSignatures = 8;

/// A receipt that came in an envelope.
struct Attested {
  Map receipt{};
  std::string commit{};                // that the statement names; empty: none
  std::vector<std::string> signers{};  // key lines, in the order of the envelope
};
/// signature_invalid unless every signature holds for the payload, the payload is a statement about
/// a receipt, and its subjects are those of that receipt. Whether a key is trusted is not asked.
Result<Attested> open_envelope(const Value&);

}  // namespace gh::runs
