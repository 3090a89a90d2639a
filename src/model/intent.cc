#include "model/intent.h"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace gh {
namespace {

// table: intent_statuses
struct StatusRow {
  IntentStatus status;
  std::string_view word;
  bool is_terminal;
};
constexpr std::array kStatuses{
    StatusRow{IntentStatus::active, "active", false},
    StatusRow{IntentStatus::queued, "queued", false},
    StatusRow{IntentStatus::clean, "clean", true},
    StatusRow{IntentStatus::expanded, "expanded", false},
    StatusRow{IntentStatus::violated, "violated", false},
    StatusRow{IntentStatus::expired, "expired", true},
    StatusRow{IntentStatus::orphaned, "orphaned", true},
};

const StatusRow& row_of(IntentStatus status) {
  return *std::ranges::find(kStatuses, status, &StatusRow::status);
}

}  // namespace

std::string_view to_string(IntentStatus status) { return row_of(status).word; }
bool is_terminal(IntentStatus status) { return row_of(status).is_terminal; }

std::optional<IntentStatus> intent_status_of(std::string_view word) {
  const auto* row = std::ranges::find(kStatuses, word, &StatusRow::word);
  if (row == kStatuses.end()) return std::nullopt;
  return row->status;
}

std::string_view to_string(OwnerKind kind) {
  return kind == OwnerKind::process ? "process" : "session";
}
std::optional<OwnerKind> owner_kind_of(std::string_view word) {
  if (word == "process") return OwnerKind::process;
  if (word == "session") return OwnerKind::session;
  return std::nullopt;
}

bool comes_before(const Intent& a, const Intent& b) {
  return std::tie(a.declared_at, a.agent_pid, a.id) < std::tie(b.declared_at, b.agent_pid, b.id);
}

}  // namespace gh
