#include "store/spool.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/text.h"
#include "model/members.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::store {
namespace {

constexpr std::string_view kSpool = "audit.spool";
constexpr std::size_t kMaxSpoolBytes = 16u << 20;  // some 40,000 events

// table: spooled_events
constexpr std::array<std::string_view, 6> kSpooled{"patch.checked",     "hook.denied",
                                                   "hook.bypass",       "hook.stop_override",
                                                   "hook.push_options", "hook.received"};

std::string line_of(const AuditEvent& e) {
  return wire::canonical_json(Map{{"ts", to_string(e.ts)},
                                  {"event", e.event},
                                  {"severity", e.severity},
                                  {"actor", e.actor},
                                  {"surface", e.surface},
                                  {"subject", e.subject},
                                  {"payload", e.payload}}) +
         "\n";
}

std::optional<AuditEvent> event_of(std::string_view line) {
  const auto value = wire::read_own_json(line, kSpool);
  if (!value || value->as_map() == nullptr) return std::nullopt;  // torn by a power failure
  const Map& map = *value->as_map();
  const auto ts = parse_timestamp(text_in(map, "ts"));
  const Value *actor = map.find("actor"), *subject = map.find("subject"),
              *payload = map.find("payload");
  if (std::ranges::find(kSpooled, text_in(map, "event")) == kSpooled.end()) return std::nullopt;
  if (!ts || actor == nullptr || payload == nullptr || subject == nullptr ||
      subject->as_map() == nullptr)
    return std::nullopt;
  return AuditEvent{.ts = *ts,
                    .event = text_in(map, "event"),
                    .severity = text_in(map, "severity"),
                    .actor = *actor,
                    .surface = text_in(map, "surface"),
                    .subject = *subject->as_map(),
                    .payload = *payload};
}

/// One batch. Its mark is committed with its events, so that neither a file that outlived a crash
/// nor two processes that found it together take it twice. A batch that cannot be read is left
/// where it is: these events never stand in the way of a command.
Status take_batch(Ledger& ledger, const std::string& state, const std::string& name) {
  const std::string file = state + "/" + name;
  const auto text = sys::read_file(file, 2 * kMaxSpoolBytes);
  if (!text) return {};
  Change change{.events = {},
                .document = Document{.digest = digest_of(name + "\n" + *text).tagged(),
                                     .kind = "audit_spool",
                                     .body = Map()},
                .once = true};
  for (const std::string_view line : split(*text, '\n'))
    if (auto event = event_of(line)) change.events.push_back(std::move(*event));
  if (!change.events.empty()) {
    const auto taken = ledger.commit(change, Durability::soft);
    if (!taken && taken.error().code != Code::conflict) return tl::make_unexpected(taken.error());
  }
  return sys::remove_file(file);
}

}  // namespace

Status spool_event(const std::string& state, const AuditEvent& event) {
  const std::string file = state + "/" + std::string(kSpool);
  const sys::Fd fd(
      open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644));
  const std::string line = line_of(event);
  if (sys::info(file).size > static_cast<std::int64_t>(kMaxSpoolBytes))
    return fail(Code::document_too_large, file + " is full");
  if (!fd || write(fd.get(), line.data(), line.size()) != static_cast<ssize_t>(line.size()))
    return fail(Code::io_error, "cannot append to " + file + ": " + strerror(errno));
  return {};
}

Status drain_spool(Ledger& ledger, const std::string& state, sys::Env& env) {
  const std::string spool = state + "/" + std::string(kSpool);
  if (sys::info(spool).kind == sys::FileKind::file) {
    const std::string batch = spool + "." + env.random_hex(16);
    if (rename(spool.c_str(), batch.c_str()) != 0 && errno != ENOENT)
      return fail(Code::io_error, "cannot rename " + spool + ": " + strerror(errno));
  }
  GH_TRY(names, sys::list_folder(state));
  for (const std::string& name : names)
    if (name.starts_with(std::string(kSpool) + ".")) GH_DO(take_batch(ledger, state, name));
  return {};
}

}  // namespace gh::store
