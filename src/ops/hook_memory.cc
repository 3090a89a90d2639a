#include "ops/hook_memory.h"

#include "base/build_id.h"
#include "base/digest.h"
#include "base/text.h"
#include "control/intent_record.h"
#include "control/snapshot_reading.h"
#include "ops/hook_far.h"
#include "ops/hook_sites.h"
#include "sys/files.h"
#include "sys/private_file.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxRulesBytes = 1u << 20, kMaxTreeBytes = 16u << 20;
constexpr std::int64_t kSecondNs = 1'000'000'000, kForgottenAfter = 7 * 86'400;
constexpr std::size_t kNameDigits = 16;
constexpr std::uint32_t kPrivate = 0600;
constexpr std::string_view kBegun = "begun";

std::string short_name(std::string_view text) {
  return digest_of(text).hex().substr(0, kNameDigits);
}

std::string folder_of(const HookSite& site) {
  return site.state() + "/cache/hooks/" + short_name(site.found.root);
}
std::string rules_file(const HookSite& site) { return folder_of(site) + "/rules"; }

Result<std::string> read_ours(const std::string& path, std::size_t max_bytes) {
  if (!sys::is_ours_alone(sys::info(path)))
    return fail(Code::json_invalid, path + " can be written by others");
  return sys::read_file(path, max_bytes);
}

Status write_ours(const std::string& path, std::string_view bytes) {
  GH_DO(sys::make_folders(path.substr(0, path.rfind('/'))));
  return sys::write_file_atomic(path, bytes, kPrivate);
}

}  // namespace

bool has_rules(const HookSite& site) {
  return sys::info(rules_file(site)).kind != sys::FileKind::missing;
}

bool has_own_rules(const HookSite& site) {
  const auto kept = kept_rules(site, hook_far());
  return kept && *kept && (*kept)->build == kBuildId;
}

Result<std::optional<hooks::Rules>> kept_rules(const HookSite& site, const HookFar& far) {
  const std::string path = rules_file(site);
  if (sys::info(path).kind == sys::FileKind::missing) return std::nullopt;
  GH_TRY(text, read_ours(path, kMaxRulesBytes));
  GH_TRY(document, read_own_document(text, "compiled policy", far));
  GH_TRY(rules, hooks::rules_from(document));
  return rules;
}

Status keep_rules(const HookSite& site, const hooks::Rules& rules) {
  return write_ours(rules_file(site), wire::canonical_json(hooks::to_value(rules)));
}

void forget_rules(const HookSite& site) { (void)sys::remove_file(rules_file(site)); }

SessionMemory::SessionMemory(const HookSite& site, std::string_view session)
    : folder_(folder_of(site) + "/" + short_name(session)) {}

std::string SessionMemory::file(std::string_view name) const {
  return folder_ + "/" + std::string(name);
}

std::optional<TreeMemory> SessionMemory::tree() const {
  const auto text = read_ours(file("tree"), kMaxTreeBytes);
  const auto document = text ? wire::read_own_json(*text) : tl::make_unexpected(text.error());
  const Map* map = document ? document->as_map() : nullptr;
  const Value* head = map == nullptr ? nullptr : map->find("head");
  const Value* dirty = map == nullptr ? nullptr : map->find("dirty");
  const Value* branch = map == nullptr ? nullptr : map->find("branch");
  if (head == nullptr || head->as_string() == nullptr || branch == nullptr ||
      branch->as_string() == nullptr || dirty == nullptr)
    return std::nullopt;
  auto snapshot = control::snapshot_from(*dirty);
  if (!snapshot) return std::nullopt;
  TreeMemory out{*head->as_string(), *branch->as_string(), std::move(*snapshot)};
  if (const Value* places = map->find("places")) out.places = places_from(*places);
  return out;
}

Status SessionMemory::keep_tree(const TreeMemory& tree) const {
  Map document{
      {"head", tree.head}, {"branch", tree.branch}, {"dirty", control::snapshot_value(tree.dirty)}};
  if (tree.places) document.set("places", to_value(*tree.places));
  return write_ours(file("tree"), wire::canonical_json(std::move(document)));
}

void SessionMemory::begin_call(std::string_view call) const {
  const std::string path = file("call-" + short_name(call));
  if (sys::write_scratch_file(path, kBegun)) return;
  if (sys::make_folders(folder_)) (void)sys::write_scratch_file(path, kBegun);
}

std::optional<std::int64_t> SessionMemory::end_call(std::string_view call) const {
  const std::string path = file("call-" + short_name(call));
  const sys::FileInfo seen = sys::info(path);
  if (seen.kind != sys::FileKind::file) return std::nullopt;
  (void)sys::remove_file(path);
  return seen.ctime_ns;
}

bool SessionMemory::was_stopped(std::string_view intent_id) const {
  return sys::info(file("stop-" + short_name(intent_id))).kind == sys::FileKind::file;
}
void SessionMemory::remember_stop(std::string_view intent_id) const {
  (void)write_ours(file("stop-" + short_name(intent_id)), "");
}
void SessionMemory::forget_stops() const {
  const auto names = sys::list_folder(folder_);
  if (!names) return;
  for (const std::string& name : *names)
    if (name.starts_with("stop-")) (void)sys::remove_file(file(name));
}

namespace {

std::string tampering_file(const std::string& state) { return state + "/cache/hooks/tampered"; }

}  // namespace

bool has_tampering(const HookSite& site) {
  return sys::info(tampering_file(site.state())).kind != sys::FileKind::missing;
}

Tampering kept_tampering(const HookSite& site) {
  if (!has_tampering(site)) return {};
  const std::string file = tampering_file(site.state());
  const auto text = read_ours(file, kMaxRulesBytes);
  const auto document = text ? wire::read_own_json(*text) : tl::make_unexpected(text.error());
  const Map* map = document ? document->as_map() : nullptr;
  // What was made unreadable hides something.
  if (map == nullptr) return {{file, std::string(kNotKnown)}};
  Tampering out;
  for (const auto& [path, said] : map->entries())
    out.emplace(path, said.as_string() == nullptr ? kNotKnown : *said.as_string());
  return out;
}

Status keep_tampering(const HookSite& site, const Tampering& tampering) {
  if (tampering.empty()) {
    forget_tampering(site.state());
    return {};
  }
  Map document;
  for (const auto& [path, said] : tampering)
    document.set(utf8_or_escaped(path), said);
  return write_ours(tampering_file(site.state()), wire::canonical_json(std::move(document)));
}

void forget_tampering(const std::string& state) { (void)sys::remove_file(tampering_file(state)); }

void forget_old_sessions(const HookSite& site, Timestamp now) {
  const std::string folder = folder_of(site);
  const auto names = sys::list_folder(folder);
  if (!names) return;
  for (const std::string& name : *names) {
    const sys::FileInfo seen = sys::info(folder + "/" + name);
    if (seen.kind != sys::FileKind::folder) continue;
    if (seen.mtime_ns / kSecondNs + kForgottenAfter < now.seconds)
      (void)sys::remove_folder_tree(folder + "/" + name);
  }
}

}  // namespace gh::ops
