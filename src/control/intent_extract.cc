#include "control/intent_extract.h"

#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "base/sorted.h"
#include "base/text.h"
#include "control/path_index.h"
#include "control/rows.h"
#include "control/scope_paths.h"
#include "policy/glob.h"

namespace gh::control {
namespace {

using Strings = std::vector<std::string>;

constexpr std::string_view kVersion = "1";
/// No UTF-8 begins with such a byte.
constexpr std::string_view kAfterAll = "\xFF";

constexpr std::array kNumbers{&Intent::agent_pid,   &Intent::agent_start_epoch,
                              &Intent::ttl_seconds, &Intent::lease_seconds,
                              &Intent::fence,       &Intent::passed_by};
constexpr std::array kTimes{&Intent::declared_at, &Intent::expires_at, &Intent::lease_renewed_at};
constexpr std::array kTexts{&Intent::id, &Intent::agent_label, &Intent::run_id, &Intent::worktree};
constexpr std::array kOwnerNumbers{&Owner::pid, &Owner::start_ticks, &Owner::host_pid,
                                   &Owner::host_start_ticks};
constexpr std::array kOwnerTexts{&Owner::host_id, &Owner::boot_id, &Owner::session_id};

/// Texts with their length in front: no byte of theirs has a meaning.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}
  void add(std::string_view text) {
    number(text.size(), ':');
    out_ += text;
  }
  void add(std::int64_t n) { number(n, ';'); }

 private:
  template <class N>
  void number(N n, char end) {
    std::array<char, 24> digits{};
    const auto done = std::to_chars(digits.data(), digits.data() + digits.size(), n);
    out_.append(digits.data(), done.ptr) += end;
  }
  std::string& out_;
};

class Reader {
 public:
  explicit Reader(std::string_view text) : left_(text) {}
  bool read(std::string& out) {
    std::size_t size = 0;
    if (!number(size, ':') || size > left_.size()) return false;
    out = left_.substr(0, size);
    left_.remove_prefix(size);
    return true;
  }
  bool read(std::int64_t& out) { return number(out, ';'); }
  bool at_end() const { return left_.empty(); }

 private:
  template <class N>
  bool number(N& out, char end) {
    const char* const stop = left_.data() + left_.size();
    const auto [at, error] = std::from_chars(left_.data(), stop, out);
    if (error != std::errc{} || at == stop || *at != end) return false;
    left_.remove_prefix(static_cast<std::size_t>(at - left_.data()) + 1);
    return true;
  }
  std::string_view left_;
};

bool read_owner(Reader& reader, std::optional<Owner>& owner, std::int64_t kind) {
  if (kind == 0) return true;
  if (kind < 0 || kind > 2) return false;
  owner.emplace();
  owner->kind = kind == 1 ? OwnerKind::process : OwnerKind::session;
  return std::ranges::all_of(kOwnerNumbers, [&](auto n) { return reader.read((*owner).*n); }) &&
         std::ranges::all_of(kOwnerTexts, [&](auto t) { return reader.read((*owner).*t); });
}

bool is_state(std::string_view path) {
  return std::ranges::any_of(state_patterns(), [&](const std::string& pattern) {
    return policy::matches_glob(path, pattern);
  });
}

bool is_state_pattern(const std::string& pattern) {
  return std::ranges::binary_search(state_patterns(), pattern);
}

void add_declared(std::vector<Key>& out, const Strings& paths) {
  for (const std::string& path : paths)
    each_cover(path, [&](std::string_view cover) {
      const bool whole = cover.size() == path.size();
      out.push_back({whole ? KeyKind::declared : KeyKind::folder, std::string(cover)});
    });
}

Strings folders_and_selves(std::span<const std::string> paths) {
  Strings out;
  for (const std::string& path : paths)
    each_cover(path, [&](std::string_view cover) { out.emplace_back(cover); });
  sort_unique(out);
  return out;
}

Status add_ids(Strings& out, Result<Strings> found) {
  if (!found) return tl::make_unexpected(std::move(found).error());
  std::ranges::move(*found, std::back_inserter(out));
  return {};
}

/// The first text that is greater than all that begin with `head`.
std::string after(std::string_view head) {
  std::string out(head);
  while (!out.empty() && static_cast<unsigned char>(out.back()) == 0xFF)
    out.pop_back();
  if (out.empty()) return std::string(kAfterAll);
  out.back() = static_cast<char>(static_cast<unsigned char>(out.back()) + 1);
  return out;
}

/// Patterns of others that forbid one of these files.
Result<Strings> forbidding(const Strings& files, const KeySource& source) {
  GH_TRY(patterns, source.between(KeyKind::forbidden, "", kAfterAll));
  std::erase_if(patterns, [&](const std::string& pattern) {
    return std::ranges::none_of(
        files, [&](const std::string& file) { return policy::matches_glob(file, pattern); });
  });
  return patterns;
}

/// Paths of others that one of these patterns forbids.
Result<Strings> forbidden_by(const Strings& patterns, const KeySource& source) {
  Strings out;
  for (const std::string& pattern : patterns) {
    if (is_state_pattern(pattern)) continue;
    const std::string_view head = std::string_view(pattern).substr(0, pattern.find_first_of("*?["));
    if (head.size() == pattern.size()) {
      out.push_back(pattern);
      continue;
    }
    GH_TRY(paths, source.between(KeyKind::declared, head, after(head)));
    for (std::string& path : paths)
      if (policy::matches_glob(path, pattern)) out.push_back(std::move(path));
  }
  sort_unique(out);
  return out;
}

}  // namespace

std::string head_of(const Intent& intent, std::string_view scope_digest) {
  std::string out;
  out.reserve(512);
  Writer writer(out);
  writer.add(kVersion);
  for (const auto number : kNumbers)
    writer.add(intent.*number);
  for (const auto time : kTimes)
    writer.add((intent.*time).seconds);
  writer.add(static_cast<std::int64_t>(intent.status));
  writer.add(std::int64_t{intent.landing});
  for (const auto text : kTexts)
    writer.add(intent.*text);
  writer.add(scope_digest);
  writer.add(std::int64_t{!intent.owner ? 0 : intent.owner->kind == OwnerKind::process ? 1 : 2});
  if (intent.owner) {
    for (const auto number : kOwnerNumbers)
      writer.add((*intent.owner).*number);
    for (const auto text : kOwnerTexts)
      writer.add((*intent.owner).*text);
  }
  return out;
}

std::optional<Head> from_head(std::string_view text) {
  Reader reader(text);
  Head out;
  Intent& intent = out.intent;
  std::string version;
  if (!reader.read(version) || version != kVersion) return {};
  for (const auto number : kNumbers)
    if (!reader.read(intent.*number)) return {};
  for (const auto time : kTimes)
    if (!reader.read((intent.*time).seconds)) return {};
  std::int64_t status = 0, landing = 0, owner = 0;
  if (!reader.read(status) || !reader.read(landing)) return {};
  if (status < 0 || status > static_cast<std::int64_t>(IntentStatus::orphaned)) return {};
  intent.status = static_cast<IntentStatus>(status);
  intent.landing = landing != 0;
  for (const auto field : kTexts)
    if (!reader.read(intent.*field)) return {};
  if (!reader.read(out.scope_digest) || !reader.read(owner) ||
      !read_owner(reader, intent.owner, owner) || !reader.at_end())
    return {};
  return out;
}

std::string process_key(std::int64_t pid, std::int64_t start) {
  return fmt::format("{} {}", pid, start);
}

std::vector<Key> keys_of(const Intent& intent) {
  std::vector<Key> out;
  add_declared(out, intent.scope.allowed_files);
  add_declared(out, intent.scope.allowed_related);
  for (const std::string& pattern : intent.scope.forbidden)
    if (!is_state_pattern(pattern)) out.push_back({KeyKind::forbidden, pattern});
  for (const std::string& path : intent.scope.allowed_files)
    if (is_state(path)) out.push_back({KeyKind::state, path});
  if (intent.owner) {
    const Owner& owner = *intent.owner;
    if (!owner.session_id.empty()) out.push_back({KeyKind::session, owner.session_id});
    if (owner.host_pid > 0)
      out.push_back({KeyKind::host, process_key(owner.host_pid, owner.host_start_ticks)});
  }
  out.push_back({KeyKind::agent, process_key(intent.agent_pid, intent.agent_start_epoch)});
  sort_unique(out);
  return out;
}

Result<Strings> meeting_paths(std::span<const std::string> paths, const KeySource& source) {
  Strings ids;
  GH_DO(add_ids(ids, source.with(KeyKind::declared, folders_and_selves(paths))));
  GH_DO(add_ids(ids, source.with(KeyKind::folder, paths)));
  sort_unique(ids);
  return ids;
}

Result<std::optional<Strings>> meeting_scope(const Scope& scope, const KeySource& source) {
  if (std::ranges::any_of(scope.allowed_files, [](const auto& path) { return is_state(path); }))
    return std::nullopt;
  Strings declared = scope.allowed_files;
  declared.insert(declared.end(), scope.allowed_related.begin(), scope.allowed_related.end());
  sort_unique(declared);
  GH_TRY(ids, meeting_paths(declared, source));
  GH_TRY(patterns, forbidding(scope.allowed_files, source));
  GH_DO(add_ids(ids, source.with(KeyKind::forbidden, patterns)));
  GH_TRY(forbidden, forbidden_by(scope.forbidden, source));
  GH_DO(add_ids(ids, source.with(KeyKind::declared, forbidden)));
  GH_TRY(states, source.between(KeyKind::state, "", kAfterAll));
  GH_DO(add_ids(ids, source.with(KeyKind::state, states)));
  sort_unique(ids);
  return ids;
}

}  // namespace gh::control
