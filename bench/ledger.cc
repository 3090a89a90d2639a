// ledger commits PLACE N: microseconds of one durable commit (a run row and its audit event).
// ledger verify PLACE N: makes a chain of N events, prints the events verified per second.
// ledger proposals PLACE N: makes N proposals, prints the microseconds of the slowest kind of
// question among: list, list by status, author and file, count, show.
// ledger renewals PLACE N: microseconds of one soft renewal of an intent among ten open ones.
// ledger intents PLACE N: makes N open intents and ten times as many closed ones, prints the
// microseconds of a decision that reads the open ones and writes nothing.
// ledger copies PLACE N ID REPOSITORY: N copies of the proposal ID, under ids of their own.
// PLACE is a file, or the address of a PostgreSQL database; there every call is a repository of
// its own.
#include "store/ledger.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/digest.h"
#include "sys/env.h"

namespace {

using gh::store::Change;
using gh::store::Durability;
using gh::store::Ledger;

constexpr std::int64_t kBusyMs = 5000;
constexpr int kBatch = 1000, kRepeats = 15;

[[noreturn]] void die(const gh::Error& error) {
  fmt::print(stderr, "ledger: {}\n", error.message);
  std::exit(1);
}

template <class T>
T must(gh::Result<T> result) {
  if (!result) die(result.error());
  return std::move(*result);
}

std::unique_ptr<Ledger> open(const std::string& place, const std::string& repository) {
  if (!place.starts_with("postgres")) return must(Ledger::open_sqlite(place, kBusyMs));
  return must(Ledger::open_postgres(
      place, repository.empty() ? gh::sys::real_env().random_hex(40) : repository, kBusyMs));
}

gh::store::AuditEvent event(std::int64_t n) {
  gh::store::AuditEvent out;
  out.ts = gh::Timestamp{1'767'323'045 + n};
  out.event = "patch.rejected";
  out.severity = "warn";
  out.actor = gh::Map{{"name", "local:1000"}, {"kind", "human"}, {"via", "local"}};
  out.subject = gh::Map{{"patch_run_id", fmt::format("prun-{:016x}", n)}};
  out.payload = gh::Map{{"code", "PATCH_POLICY_DENY"},
                        {"rule", "max_files"},
                        {"sha256", gh::digest_of(fmt::to_string(n)).hex()}};
  return out;
}

/// About as large as a record with a scope of some files is.
gh::store::IntentRow intent(std::int64_t n) {
  gh::List files;
  for (int i = 0; i < 8; ++i)
    files.emplace_back(fmt::format("src/module{}/some_file_{}.cc", n, i));
  gh::store::IntentRow row;
  row.intent_id = fmt::format("intent-01234567-{:03d}-abcdef", n);
  row.agent_pid = 1000 + n;
  row.agent_start_epoch = 1'767'323'000;
  row.declared_at_utc = to_string(gh::Timestamp{1'767'323'045 + n});
  row.payload =
      gh::Map{{"registry_version", "3"},
              {"intent_id", row.intent_id},
              {"agent_label", "agent/1.0"},
              {"run_id", gh::digest_of("run").hex()},
              {"declared_at_utc", row.declared_at_utc},
              {"status", "active"},
              {"intent", "make the parser refuse what the printer cannot print"},
              {"scope",
               gh::Map{{"allowed_files", files}, {"allowed_related", files}, {"forbidden", files}}},
              {"scope_digest", gh::digest_of("scope").hex()},
              {"report_digest", gh::digest_of("report").hex()},
              {"lease_renewed_at_utc", row.declared_at_utc},
              {"lease_seconds", 300},
              {"integrity", gh::Map{{"payload_sha256", gh::digest_of("payload").hex()}}}};
  return row;
}

/// The intents from `from` on, before `to`, in one change.
void declare(Ledger& ledger, std::int64_t from, std::int64_t to, const std::string& closed) {
  must(ledger.change_intents(gh::store::standing_at({}), Durability::durable,
                             [&](gh::store::IntentView&) -> gh::Result<gh::store::IntentChange> {
                               gh::store::IntentChange change{.events = {event(from)}};
                               for (std::int64_t n = from; n < to; ++n) {
                                 change.put.push_back(intent(n));
                                 change.put.back().closed_at_utc = closed;
                               }
                               return change;
                             }));
}

double micros(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

double median(std::vector<double> times) {
  std::ranges::sort(times);
  return times[times.size() / 2];
}

void commits(Ledger& ledger, std::int64_t count) {
  gh::store::PatchRunRow run;
  run.run_id = "prun-0123456789abcdef";
  run.actor = "local:1000";
  run.state = "rejected";
  run.folder = "/runs/prun-0123456789abcdef";
  run.attempts = {gh::Map{{"sha256", gh::digest_of("x").hex()}}};
  run.body = gh::Map{{"max_attempts", 3}};
  const auto commit = [&](std::int64_t n) {
    must(ledger.commit({{event(n)}, run}, Durability::durable));
    ++run.rev;
  };
  for (std::int64_t n = 0; n < 20; ++n)
    commit(n);  // statements are prepared, the first pages are there
  const double spent = micros([&] {
    for (std::int64_t n = 0; n < count; ++n)
      commit(n);
  });
  fmt::print("{:.1f}\n", spent / static_cast<double>(count));
}

void verify(Ledger& ledger, std::int64_t count) {
  for (std::int64_t done = 0; done < count; done += kBatch) {
    Change change;
    for (std::int64_t n = done; n < std::min(done + kBatch, count); ++n)
      change.events.push_back(event(n));
    must(ledger.commit(change, Durability::soft));
  }
  std::vector<double> times;
  for (int i = 0; i < kRepeats; ++i) {
    std::int64_t broken = -1;
    times.push_back(micros([&] { broken = must(ledger.first_broken_link()); }));
    if (broken != 0) std::exit(1);
  }
  fmt::print("{:.0f}\n", static_cast<double>(count) / median(times) * 1e6);
}

gh::store::ProposalRow proposal(std::int64_t n) {
  constexpr const char* kStates[] = {"proposed", "promoted", "rejected"};
  gh::store::ProposalRow row;
  row.patch_id = fmt::format("fix-{:06d}", n);
  row.digest = gh::digest_of(row.patch_id).tagged();
  row.canonical_sha256 = gh::digest_of("c" + row.patch_id).hex();
  row.author_agent = fmt::format("agent-{}", n % 97);
  row.promotion_status = n % 1000 == 0 ? "sandbox" : kStates[n % 3];
  row.target_ref = "refs/heads/main";
  row.body = gh::Map{{"title", fmt::format("fix number {}", n)}, {"notes", std::string(400, 'x')}};
  return row;
}

/// In batches, because only the questions are measured.
void fill(Ledger& ledger, std::int64_t count) {
  for (std::int64_t done = 0; done < count; done += kBatch / 20) {
    Change change{.events = {event(done)}};
    gh::List ids;
    for (std::int64_t n = done; n < std::min(done + kBatch / 20, count); ++n) {
      change.more_proposals.push_back(proposal(n));
      ids.push_back(proposal(n).patch_id);
    }
    change.events[0].subject = gh::Map{{"proposal_id", std::move(ids)}};
    change.proposal = std::move(change.more_proposals.back());
    change.more_proposals.pop_back();
    change.proposal_files.emplace();
    for (std::int64_t f = done; f < done + kBatch / 20; ++f)
      change.proposal_files->push_back(
          {fmt::format("src/d{}/f{}.cc", f % 50, f % 5000), "modify", "", "", "", ""});
    must(ledger.commit(change, Durability::soft));
  }
}

void proposals(Ledger& ledger, std::int64_t count) {
  fill(ledger, count);
  const std::string last = proposal(count - 1).patch_id;
  const std::vector<std::pair<const char*, std::function<void()>>> questions = {
      {"list", [&] { must(ledger.proposals({})); }},
      {"list behind a page",
       [&] { must(ledger.proposals({.after = proposal(count / 2).patch_id})); }},
      {"list --status", [&] { must(ledger.proposals({.status = "sandbox"})); }},
      {"list --author", [&] { must(ledger.proposals({.author = "agent-7"})); }},
      {"list --file", [&] { must(ledger.proposals({.file = "src/d7/f7.cc"})); }},
      {"same change",
       [&] { must(ledger.proposals({.canonical_sha256 = proposal(count / 2).canonical_sha256})); }},
      {"show",
       [&] {
         must(ledger.proposal(last));
         must(ledger.proposal_files(last));
         must(ledger.reviews(last));
         must(ledger.admissions(last));
         must(ledger.promotion(last));
         must(ledger.conflicts(last));
         must(ledger.audit_of_proposal(last));
       }},
      {"count all", [&] { must(ledger.count_proposals({})); }},
      {"count", [&] { must(ledger.count_proposals({.status = "sandbox"})); }},
  };
  double slowest = 0;
  for (const auto& [name, ask] : questions) {
    std::vector<double> times;
    for (int i = 0; i < kRepeats; ++i)
      times.push_back(micros(ask));
    fmt::print(stderr, "  {:<20} {:>8.0f} us\n", name, median(times));
    slowest = std::max(slowest, median(times));
  }
  fmt::print("{:.0f}\n", slowest);
}

void renewals(Ledger& ledger, std::int64_t count) {
  declare(ledger, 0, 10, "");
  const std::string id = intent(5).intent_id;
  const auto renew = [&](std::int64_t n) {
    const auto decide = [&](gh::store::IntentView& view) -> gh::Result<gh::store::IntentChange> {
      GH_TRY(row, view.find(id));
      GH_TRY(now, view.now());
      gh::Value record = std::move(row->payload).take();
      record.as_map()->set("lease_renewed_at_utc", to_string(now));
      row->payload = std::move(record);
      gh::store::IntentChange change;
      change.put.push_back(std::move(*row));
      change.events.push_back(event(n));
      change.events[0].event = "intent.renewed";
      change.events[0].severity = "info";
      return change;
    };
    must(ledger.change_intents(gh::store::standing_at({1'767'323'045 + n}), Durability::soft,
                               decide));
  };
  for (std::int64_t n = 0; n < 20; ++n)
    renew(n);
  const double spent = micros([&] {
    for (std::int64_t n = 0; n < count; ++n)
      renew(n);
  });
  fmt::print("{:.1f}\n", spent / static_cast<double>(count));
}

void intents(Ledger& ledger, std::int64_t count) {
  declare(ledger, 0, count, "");
  for (std::int64_t done = count; done < 11 * count; done += kBatch)
    declare(ledger, done, std::min(done + kBatch, 11 * count), "2026-01-03T00:00:00Z");
  std::vector<double> times;
  for (int i = 0; i < kRepeats; ++i)
    times.push_back(micros([&] {
      must(ledger.change_intents(
          gh::store::standing_at({}), Durability::durable,
          [&](gh::store::IntentView& view) -> gh::Result<gh::store::IntentChange> {
            if (must(view.open()).size() != static_cast<std::size_t>(count)) std::exit(1);
            return gh::store::IntentChange{};
          }));
    }));
  fmt::print("{:.1f}\n", median(times));
}

/// What a busy team leaves behind: the same record many times, so that every command can read it.
void copies(Ledger& ledger, std::int64_t count, const std::string& patch_id) {
  auto row = must(ledger.proposal(patch_id));
  const auto files = must(ledger.proposal_files(patch_id));
  if (!row) std::exit(1);
  const auto copy = [&](std::int64_t n) {
    gh::store::ProposalRow out = *row;
    out.rev = 0;
    out.patch_id = fmt::format("copy-{:06d}", n);
    out.digest = gh::digest_of(out.patch_id).hex();
    if (n % 3 != 0) out.promotion_status = n % 3 == 1 ? "rejected" : "sandbox";
    out.author_agent = fmt::format("agent-{} / drafter", n % 97);
    return out;
  };
  for (std::int64_t done = 0; done < count; done += kBatch / 20) {
    Change change{.events = {event(done)}};
    gh::List ids;
    for (std::int64_t n = done; n < std::min(done + kBatch / 20, count); ++n) {
      change.more_proposals.push_back(copy(n));
      ids.push_back(copy(n).patch_id);
    }
    change.events[0].subject = gh::Map{{"proposal_id", std::move(ids)}};
    change.proposal = std::move(change.more_proposals.back());
    change.more_proposals.pop_back();
    change.proposal_files = files;
    must(ledger.commit(change, Durability::soft));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 6) return 2;
  const std::string_view what = argv[1];
  const std::int64_t count = std::strtoll(argv[3], nullptr, 10);
  const auto ledger = open(argv[2], argc == 6 ? argv[5] : "");
  if (what == "commits") commits(*ledger, count);
  if (what == "verify") verify(*ledger, count);
  if (what == "proposals") proposals(*ledger, count);
  if (what == "renewals") renewals(*ledger, count);
  if (what == "intents") intents(*ledger, count);
  if (what == "copies" && argc == 6) copies(*ledger, count, argv[4]);
  return 0;
}
