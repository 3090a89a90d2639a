#include "ops/speaker.h"

#include <fmt/format.h>

#include "base/text.h"
#include "sys/files.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxKeyBytes = 64u << 10;

}  // namespace

Result<std::optional<runs::SigningKey>> named_key(const Request& request) {
  if (!request.has("key")) return std::nullopt;
  if (sys::info_follow(request.text("key")).kind == sys::FileKind::missing)
    return fail(Code::bad_argument,
                fmt::format("--key: there is no file '{}'", printable(request.text("key"), 200)));
  GH_TRY(bytes, sys::read_file(request.text("key"), kMaxKeyBytes));
  if (bytes.starts_with("ssh-"))
    return fail(Code::bad_argument, fmt::format("--key: '{}' is a public key; give the private one",
                                                printable(request.text("key"), 200)));
  GH_TRY(key, runs::SigningKey::parse(bytes));
  return std::optional(std::move(key));
}

Result<Actor> speaker(const ProposalSession& session, const std::string& name,
                      const std::optional<runs::SigningKey>& key, Timestamp now) {
  const policy::ProposalPolicy& policy = session.policy();
  const bool has_token = session.actor.via == "token";  // and so has a name of its own
  if (policy.actors.empty()) {
    if (!has_token) return Actor{.name = name, .kind = "agent", .via = "local"};
    if (session.actor.name == name) return session.actor;
    return fail(Code::not_permitted,
                fmt::format("the token of '{}' does not speak as '{}'",
                            printable(session.actor.name, 60), printable(name, 60)));
  }
  if (key) {
    for (const policy::RegisteredActor& actor : policy.actors)
      for (const policy::ActorKey& known : actor.keys)
        if (known.line == key->public_line()) {
          if ((known.valid_after && now < *known.valid_after) ||
              (known.valid_before && !(now < *known.valid_before)))
            return fail(Code::not_permitted,
                        fmt::format("the key of {} is not valid now", actor.name));
          return Actor{.name = actor.name, .kind = actor.kind, .via = "key"};
        }
    return fail(Code::not_permitted, "the key belongs to no registered actor");
  }
  if (const auto* local = policy::find_actor(policy, session.actor.name))
    return Actor{.name = local->name, .kind = local->kind, .via = session.actor.via};
  return fail(Code::not_permitted,
              fmt::format("actors are registered here and '{}' is none of them; sign with --key",
                          session.actor.name));
}

Result<Actor> asker_of(const ProposalSession& session, const Request& request, Context& context) {
  GH_TRY(key, named_key(request));
  if (!key || session.policy().actors.empty()) return session.actor;
  return speaker(session, session.actor.name, key, context.env.now());
}

}  // namespace gh::ops
