#include "policy/hook_keys.h"

#include <array>

#include "policy/field_keys.h"
#include "policy/hook_copy.h"
#include "policy/patch_keys.h"
#include "policy/path_entry.h"

namespace gh::policy {
namespace {

using keys::flag;
using P = HookPolicy;
using HookKey = Key<P>;

// table: hook_modes
constexpr std::array<std::string_view, 3> kModes{"off", "advise", "enforce"};
// table: opaque_shell
constexpr std::array<std::string_view, 3> kOpaque{"allow_and_reconcile", "deny", "ask"};
// table: ref_guard
constexpr std::array<std::string_view, 2> kSwitch{"off", "on"};

/// One of several words; the field is an enumeration, or a flag, in their order.
template <auto Field, const auto& Words>
constexpr HookKey choice(std::string_view path) {
  using Type = std::remove_reference_t<decltype(std::declval<P>().*Field)>;
  return {path,
          [](P& p, const Value& v, const At& at) -> Status {
            GH_TRY(index, load_choice(v, at, Words));
            p.*Field = static_cast<Type>(index);
            return {};
          },
          [](const P& p) { return Value(Words[static_cast<std::size_t>(p.*Field)]); }, nullptr};
}

Status load_protect(P& p, const Value& value, const At& at) {
  return load_entries(p.protect, value, at, EntryKind::pattern);
}

// table: hook_keys
// clang-format off
constexpr HookKey kHookKeys[] = {
    choice<&P::mode, kModes>("mode"),
    flag<&P::require_intent>("require_intent"),
    choice<&P::shell_opaque, kOpaque>("shell_opaque"),
    {"protect", load_protect, [](const P& p) { return string_list(p.protect); }, nullptr},
    flag<&P::patch_first>("patch_first"),
    choice<&P::local_ref_guard, kSwitch>("local_ref_guard"),
    flag<&P::require_receipts>("require_receipts"),
};
// clang-format on

}  // namespace

std::string_view to_string(HookMode mode) { return kModes[static_cast<std::size_t>(mode)]; }
std::string_view to_string(OpaqueShell what) { return kOpaque[static_cast<std::size_t>(what)]; }

Result<HookPolicy> load_hook_block(const Value& block, const At& at) {
  HookPolicy policy;
  GH_DO(load_keys(policy, block, at, kHookKeys));
  return policy;
}

Result<HookPolicy> hook_policy_from(const Value& block) {
  const PlaceOf place = [](std::string_view) { return std::string("hooks"); };
  return load_hook_block(block, At{&place, "", "hooks"});
}

Value to_value(const HookPolicy& policy) { return show_keys(policy, kHookKeys); }

}  // namespace gh::policy
