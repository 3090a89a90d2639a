// The actor registry: proposals.actors (proposals 9).
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/text.h"
#include "policy/proposal_keys.h"

namespace gh::policy {
namespace {

// table: actor kinds
constexpr std::array<std::string_view, 3> kKinds{"human", "agent", "gate"};
// table: actor roles
constexpr std::array<std::string_view, 4> kRoles{"agent", "reviewer", "promoter", "admin"};
// Nobody emits more than this; the levels above come from reviews and from the gate.
// table: actor ceilings
constexpr std::array<std::string_view, 2> kCeilings{"untrusted", "community"};

bool is_actor_name(std::string_view name) {
  const auto is_word = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 64 && is_word(name[0]) &&
         std::ranges::all_of(name, [&](char c) {
           return is_word(c) || contains("._:@-", std::string_view(&c, 1));
         });
}

Status load_name(RegisteredActor& a, const Value& value, const At& at) {
  const std::string* name = value.as_string();
  if (name == nullptr || !is_actor_name(*name))
    return at.expected("1 to 64 of a-z 0-9 . _ : @ - that start with a letter or digit", value);
  a.name = *name;
  return {};
}

template <auto Field, const auto& Words>
Status load_word(RegisteredActor& a, const Value& value, const At& at) {
  GH_TRY(index, load_choice(value, at, Words));
  a.*Field = Words[index];
  return {};
}

Status load_provider(RegisteredActor& a, const Value& value, const At& at) {
  GH_TRY(text, load_text(value, at));
  a.provider = text;
  return {};
}

Status load_roles(RegisteredActor& a, const Value& value, const At& at) {
  const List* list = value.as_list();
  if (list == nullptr) return at.expected("a list of agent, reviewer, promoter, admin", value);
  a.roles.clear();
  for (std::size_t i = 0; i < list->size(); ++i) {
    GH_TRY(index, load_choice((*list)[i], at.item(i), kRoles));
    if (!has_role(a, kRoles[index])) a.roles.emplace_back(kRoles[index]);
  }
  return {};
}

bool is_base64(std::string_view text) {
  const auto is_digit = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/' || c == '=';
  };
  return !text.empty() && text.size() <= 1024 && std::ranges::all_of(text, is_digit);
}

/// The two words that make the key; a comment behind them names nobody and is dropped.
Status load_key_line(ActorKey& key, const Value& value, const At& at) {
  const std::string* text = value.as_string();
  const auto words = split(text == nullptr ? std::string_view() : std::string_view(*text), ' ');
  if (words.size() < 2 || words[0] != "ssh-ed25519" || !is_base64(words[1]))
    return at.expected("an Ed25519 public key, 'ssh-ed25519 AAAA...'", value);
  key.line = fmt::format("{} {}", words[0], words[1]);
  return {};
}

template <auto Field>
Status load_time(ActorKey& key, const Value& value, const At& at) {
  const std::string* text = value.as_string();
  const auto time =
      text == nullptr ? Result<Timestamp>(fail(Code::bad_argument, "")) : parse_timestamp(*text);
  if (!time) return at.expected("a time such as 2026-01-31T00:00:00Z", value);
  key.*Field = *time;
  return {};
}

template <auto Field>
Value show_time(const ActorKey& key) {
  return key.*Field ? Value(to_string(*(key.*Field))) : Value();
}

constexpr std::array<Key<ActorKey>, 3> kKeyKeys{{
    {"key", load_key_line, [](const ActorKey& k) { return Value(k.line); }, nullptr},
    {"valid_after", load_time<&ActorKey::valid_after>, show_time<&ActorKey::valid_after>, nullptr},
    {"valid_before", load_time<&ActorKey::valid_before>, show_time<&ActorKey::valid_before>,
     nullptr},
}};

/// A key alone, or a mapping with its time.
Status load_key(ActorKey& key, const Value& value, const At& at) {
  if (value.as_map() == nullptr) return load_key_line(key, value, at);
  GH_DO(load_keys(key, value, at, kKeyKeys));
  if (key.line.empty()) return at.fail(Code::policy_bad_value, "'key' is missing");
  const bool empty_span =
      key.valid_after && key.valid_before && *key.valid_before <= *key.valid_after;
  if (empty_span)
    return at.fail(Code::policy_bad_value, "'valid_before' is not later than 'valid_after'");
  return {};
}

Status load_actor_keys(RegisteredActor& a, const Value& value, const At& at) {
  const List* list = value.as_list();
  if (list == nullptr) return at.expected("a list of SSH public keys", value);
  a.keys.clear();
  for (std::size_t i = 0; i < list->size(); ++i) {
    ActorKey key;
    GH_DO(load_key(key, (*list)[i], at.item(i)));
    a.keys.push_back(std::move(key));
  }
  return {};
}

Value show_actor_keys(const RegisteredActor& a) {
  List out;
  for (const ActorKey& key : a.keys)
    out.push_back(show_keys(key, kKeyKeys));
  return out;
}

template <auto Field>
Value show_word(const RegisteredActor& a) {
  return Value(a.*Field);
}

using A = RegisteredActor;
constexpr std::array<Key<A>, 6> kActorKeys{{
    {"name", load_name, show_word<&A::name>, nullptr},
    {"kind", load_word<&A::kind, kKinds>, show_word<&A::kind>, nullptr},
    {"provider", load_provider, show_word<&A::provider>, nullptr},
    {"roles", load_roles, [](const A& a) { return string_list(a.roles); }, nullptr},
    {"ceiling", load_word<&A::ceiling, kCeilings>, show_word<&A::ceiling>, nullptr},
    {"keys", load_actor_keys, show_actor_keys, nullptr},
}};

/// One key for two actors would let one of them be both sides of a separation of duties.
const A* holder_of(const std::vector<A>& actors, const ActorKey& key) {
  for (const A& actor : actors)
    if (std::ranges::find(actor.keys, key.line, &ActorKey::line) != actor.keys.end()) return &actor;
  return nullptr;
}

Status check_against(const std::vector<A>& earlier, const A& actor, const At& at) {
  if (actor.name.empty()) return at.fail(Code::policy_bad_value, "'name' is missing");
  if (std::ranges::find(earlier, actor.name, &A::name) != earlier.end())
    return at.fail(Code::policy_bad_value,
                   fmt::format("the name '{}' is taken by an earlier entry", actor.name));
  for (const ActorKey& key : actor.keys)
    if (const A* holder = holder_of(earlier, key))
      return at.fail(Code::policy_bad_value,
                     fmt::format("a key of '{}' is a key of '{}' too", actor.name, holder->name));
  return {};
}

}  // namespace

Status load_actors(ProposalPolicy& p, const Value& value, const At& at) {
  const List* list = value.as_list();
  if (list == nullptr) return at.expected("a list of actors", value);
  std::vector<A> actors;
  for (std::size_t i = 0; i < list->size(); ++i) {
    A actor;
    GH_DO(load_keys(actor, (*list)[i], at.item(i), kActorKeys));
    GH_DO(check_against(actors, actor, at.item(i)));
    actors.push_back(std::move(actor));
  }
  p.actors = std::move(actors);
  return {};
}

Value show_actors(const ProposalPolicy& p) {
  List out;
  for (const A& actor : p.actors)
    out.push_back(show_keys(actor, kActorKeys));
  return out;
}

}  // namespace gh::policy
