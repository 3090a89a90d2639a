#include "hooks/git_hook.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/letters.h"
#include "base/text.h"

namespace gh::hooks {
namespace {

// clang-format off
// table: git_hooks
constexpr std::array<GitHookRow, 9> kGitHooks{{
    {GitHook::pre_commit,            "pre-commit",            HookSide::work,   150,    true,  true},
    {GitHook::prepare_commit_msg,    "prepare-commit-msg",    HookSide::work,   20,     false, true},
    {GitHook::commit_msg,            "commit-msg",            HookSide::work,   50,     true,  true},
    {GitHook::post_commit,           "post-commit",           HookSide::work,   50,     false, true},
    {GitHook::pre_push,              "pre-push",              HookSide::work,   5'000,  true,  true},
    {GitHook::pre_receive,           "pre-receive",           HookSide::server, 30'000, true,  true},
    {GitHook::update,                "update",                HookSide::server, 0,      true,  false},
    {GitHook::post_receive,          "post-receive",          HookSide::server, 0,      false, true},
    {GitHook::reference_transaction, "reference-transaction", HookSide::work,   10,     true,  true},
}};

// table: refs_without_code
constexpr std::array<std::string_view, 2> kNoCode{"refs/notes/*", "refs/gatehouse/*"};

// table: own_hosts
constexpr std::array<std::string_view, 6> kOwnHosts{"localhost", "127.", "[::1]", "::1", "0.0.0.0", ""};

// table: push_bases
constexpr std::array<std::string_view, 9> kPushBases{
    "nothing", "first_history", "before", "parted", "from_default", "no_common_base", "deletion", "rewrite", "replacement"};
// clang-format on

constexpr std::string_view kSymbolic = "ref:",
                           kNoObject = "0000000000000000000000000000000000000000";

bool is_zero(std::string_view id) {
  return (id.size() == 40 || id.size() == 64) && id.find_first_not_of('0') == id.npos;
}

Result<std::optional<ObjectId>> read_id(std::string_view text) {
  if (is_zero(text)) return std::nullopt;
  const auto id = ObjectId::parse(text);
  if (!id) return fail(Code::bad_argument, fmt::format("'{}' is no object id", printable(text)));
  return std::optional(*id);
}

using Words = std::vector<std::string_view>;

/// The words of every line; a ref name holds no space.
Result<std::vector<Words>> read_lines(std::string_view input, std::size_t words) {
  std::vector<Words> out;
  for (const std::string_view line : split(input, '\n')) {
    if (line.empty()) continue;
    Words found = split(line, ' ');
    if (found.size() != words || std::ranges::any_of(found, &std::string_view::empty))
      return fail(Code::bad_argument,
                  fmt::format("git sent a line that is not understood: '{}'", printable(line)));
    if (out.size() == kMaxRefLines)
      return fail(Code::bad_argument, fmt::format("more than {} refs at once", kMaxRefLines));
    out.push_back(std::move(found));
  }
  return out;
}

}  // namespace

std::span<const GitHookRow> git_hooks() { return kGitHooks; }

const GitHookRow* find_git_hook(std::string_view name) {
  const auto at = std::ranges::find(kGitHooks, name, &GitHookRow::name);
  return at == kGitHooks.end() ? nullptr : &*at;
}

Result<RefMove> read_update(std::string_view ref, std::string_view before, std::string_view after) {
  GH_TRY(from, read_id(before));
  GH_TRY(to, read_id(after));
  return RefMove{std::string(ref), from, to};
}

Result<std::vector<RefMove>> read_ref_moves(std::string_view input) {
  GH_TRY(lines, read_lines(input, 3));
  std::vector<RefMove> out;
  for (const Words& words : lines) {
    const bool was_name = words[0].starts_with(kSymbolic),
               is_name = words[1].starts_with(kSymbolic);
    GH_TRY(move,
           read_update(words[2], was_name ? kNoObject : words[0], is_name ? kNoObject : words[1]));
    if (is_name) move.points_to = words[1].substr(kSymbolic.size());
    out.push_back(std::move(move));
  }
  return out;
}

Result<std::vector<RefMove>> read_pushed_refs(std::string_view input) {
  GH_TRY(lines, read_lines(input, 4));
  std::vector<RefMove> out;
  for (const Words& words : lines) {
    GH_TRY(move, read_update(words[2], words[3], words[1]));
    out.push_back(std::move(move));
  }
  return out;
}

std::string_view to_string(PushBase base) { return kPushBases[static_cast<std::size_t>(base)]; }

PushBase decide_base(const PushFacts& facts) {
  if (facts.is_deleted) return facts.is_protected ? PushBase::deletion : PushBase::nothing;
  if (facts.replaces) return PushBase::replacement;
  if (!facts.holds_code) return PushBase::nothing;
  if (!facts.is_new && !facts.is_protected && facts.takes_in_default) return PushBase::from_default;
  if (!facts.is_new && facts.is_forward) return PushBase::before;
  if (!facts.is_new && facts.is_protected) return PushBase::rewrite;
  if (!facts.is_new) return facts.shares_history ? PushBase::parted : PushBase::no_common_base;
  if (!facts.has_default) return PushBase::first_history;
  return facts.shares_history ? PushBase::from_default : PushBase::no_common_base;
}

bool replaces_objects(std::string_view ref) { return ref.starts_with("refs/replace/"); }

bool holds_code(std::string_view ref) {
  return std::ranges::none_of(kNoCode, [&](std::string_view below) {
    below.remove_suffix(1);
    return ref.starts_with(below);
  });
}

std::span<const std::string_view> refs_without_code() { return kNoCode; }

bool leads_elsewhere(std::string_view url) {
  constexpr std::string_view kScheme = "://";
  const std::size_t scheme = url.find(kScheme), slash = url.find('/');
  const std::size_t colon = url.find(':');
  const bool is_short = scheme == url.npos && colon != url.npos && colon < slash;  // host:path
  if ((scheme == url.npos && !is_short) || url.starts_with("file:") ||
      url.find("::") < std::min(slash, url.find('[')))
    return false;
  std::string_view host = scheme == url.npos ? url : url.substr(scheme + kScheme.size());
  host = host.substr(0, host.find('/'));
  if (const std::size_t at = host.rfind('@'); at != host.npos) host.remove_prefix(at + 1);
  const std::size_t bracket = host.find(']');
  host = bracket == host.npos ? host.substr(0, host.find(':')) : host.substr(0, bracket + 1);
  const std::string name = lower_ascii(host);
  return std::ranges::none_of(kOwnHosts, [&](std::string_view own) {
    return own.ends_with('.') ? name.starts_with(own) : name == own;
  });
}

}  // namespace gh::hooks
