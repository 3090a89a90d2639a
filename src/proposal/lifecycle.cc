#include "proposal/lifecycle.h"

#include <algorithm>
#include <array>

namespace gh::proposal {
namespace {

using Status = PromotionStatus;

// table: lifecycle events
constexpr std::array<std::string_view, 12> kEvents{
    "appear",          "submit",   "admission_failed",   "review",
    "confirm",         "promote",  "promotion_failed",   "promotion_deferred",
    "operator_reject", "withdraw", "successor_promoted", "rollback"};
// table: lifecycle askers
constexpr std::array<std::string_view, 8> kAskers{
    "author_agent",   "other_agent",    "admin",    "required_reviewer",
    "human_reviewer", "trust_reviewer", "promoter", "gate"};

constexpr unsigned one(Asker a) { return 1U << static_cast<unsigned>(a); }
constexpr unsigned kAuthor = one(Asker::author_agent);
constexpr unsigned kAgents = kAuthor | one(Asker::other_agent);
constexpr unsigned kAdmin = one(Asker::admin);
constexpr unsigned kReviewer = one(Asker::required_reviewer);
constexpr unsigned kConfirmers = one(Asker::human_reviewer) | one(Asker::trust_reviewer);
constexpr unsigned kOperators = kAdmin | one(Asker::promoter);
constexpr unsigned kGate = one(Asker::gate);

struct Row {
  std::optional<Status> from;
  Event event;
  unsigned askers;
  Status to;
  std::string_view sub_state;
  std::optional<TrustLevel> trust;
};

// An operator asks and the gate re-checks and writes, so both may stand in one row. What no row
// names is refused; `rejected` has no row, so there is no way back.
// table: transitions
// clang-format off
constexpr std::array<Row, 12> kRows{{
    {std::nullopt,     Event::appear,             kAgents,            Status::sandbox,  "",            std::nullopt},
    {Status::sandbox,  Event::submit,             kAgents | kAdmin,   Status::proposed, "in_review",   std::nullopt},
    {Status::sandbox,  Event::admission_failed,   kGate,              Status::rejected, "",            std::nullopt},
    {Status::proposed, Event::review,             kReviewer,          Status::proposed, "",            std::nullopt},
    {Status::proposed, Event::confirm,            kConfirmers,        Status::proposed, "",            TrustLevel::reviewed},
    {Status::proposed, Event::promote,            kOperators | kGate, Status::promoted, "",            TrustLevel::promoted},
    {Status::proposed, Event::promotion_failed,   kGate,              Status::rejected, "",            std::nullopt},
    {Status::proposed, Event::promotion_deferred, kGate,              Status::proposed, "",            std::nullopt},
    {Status::proposed, Event::operator_reject,    kOperators,         Status::rejected, "",            std::nullopt},
    {Status::proposed, Event::withdraw,           kAuthor,            Status::rejected, "withdrawn",   std::nullopt},
    {Status::proposed, Event::successor_promoted, kGate,              Status::rejected, "superseded",  std::nullopt},
    {Status::promoted, Event::rollback,           kOperators | kGate, Status::promoted, "rolled_back", TrustLevel::reviewed},
}};
// clang-format on

}  // namespace

std::string_view to_string(Event e) { return kEvents[static_cast<std::size_t>(e)]; }
std::string_view to_string(Asker a) { return kAskers[static_cast<std::size_t>(a)]; }

std::optional<Transition> transition(std::optional<PromotionStatus> from, Event event,
                                     Asker asker) {
  for (const Row& row : kRows)
    if (row.from == from && row.event == event && (row.askers & one(asker)) != 0)
      return Transition{row.to, row.sub_state, row.trust};
  return {};
}

}  // namespace gh::proposal
