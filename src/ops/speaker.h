#pragma once
// Who speaks on the command line: the owner of a key, or the local user.
#include <optional>
#include <string>

#include "ops/proposal_session.h"
#include "runs/ssh_signature.h"

namespace gh::ops {

/// The private key that --key names, if it is given.
Result<std::optional<runs::SigningKey>> named_key(const Request&);

/// The owner of the key, the local user when the registry lists it, and without a registry the name
/// that was given.
Result<Actor> speaker(const ProposalSession&, const std::string& name,
                      const std::optional<runs::SigningKey>&, Timestamp now);

/// Who asks for something that takes no name: the owner of --key, else the local user.
Result<Actor> asker_of(const ProposalSession&, const Request&, Context&);

}  // namespace gh::ops
