// The audit chain in refs/gatehouse/audit: written behind the ledger's, read back for verification.
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "ops/members.h"
#include "ops/proposal_mirror.h"
#include "store/audit_chain.h"
#include "store/audit_index.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::int64_t kRowsPerFile = 10'000;

std::string segment_name(std::int64_t first, std::int64_t last) {
  return fmt::format("{:012}-{:012}.jsonl", first, last);
}

/// A file of the mirror, by the rows its name promises.
struct Segment {
  std::string name;
  std::int64_t first = 0, last = 0;
  ObjectId id;
};

Result<std::vector<Segment>> segments_of(git::Repo& repo) {
  std::vector<Segment> out;
  const auto commit = repo.objects().commit(kAuditRef);
  if (!commit) return out;
  GH_TRY(tree, repo.objects().tree(commit->tree));
  for (const TreeEntryView e : tree) {  // names are numbers of one width: byte order is their order
    const std::string name(e.name);
    const std::size_t dash = name.find('-');
    const bool named = dash != std::string::npos;
    out.push_back({name, std::strtoll(name.c_str(), nullptr, 10),
                   named ? std::strtoll(name.c_str() + dash + 1, nullptr, 10) : 0, e.id});
  }
  return out;
}

std::int64_t last_of(const std::vector<Segment>& segments) {
  std::int64_t last = 0;
  for (const Segment& segment : segments)
    last = std::max(last, segment.last);
  return last;
}

/// The hash that the mirror gives row `seq`; empty when it has no such row.
Result<std::string> hash_of_row(git::Repo& repo, const std::vector<Segment>& segments,
                                std::int64_t seq) {
  for (const Segment& segment : segments) {
    if (seq < segment.first || seq > segment.last) continue;
    GH_TRY(bytes, repo.objects().blob(segment.id));
    for (const std::string_view line : split(bytes, '\n')) {
      const auto row = line.empty() ? Result<Value>(fail(Code::json_invalid, ""))
                                    : wire::read_own_json(line, segment.name);
      if (row && row->as_map() != nullptr && number_in(*row->as_map(), "seq") == seq)
        return text_in(*row, "hash");
    }
  }
  return std::string();
}

enum class Standing : std::uint8_t { behind, level, ahead, diverged, other };

/// How the mirrored chain stands to the ledger's. One common row says that both are one chain.
Result<Standing> standing_of(git::Repo& repo, store::Ledger& ledger,
                             const std::vector<Segment>& segments, Trust trust) {
  const std::int64_t mirrored = last_of(segments);
  GH_TRY(last, ledger.last_seq());
  if (mirrored == 0 || last == 0) return mirrored == 0 ? Standing::behind : Standing::other;
  GH_TRY(rows, ledger.audit_rows(std::min(last, mirrored), 1));
  GH_TRY(hash, hash_of_row(repo, segments, std::min(last, mirrored)));
  if (rows.empty() || rows.front().hash != hash) {
    GH_TRY(first, ledger.audit_rows(1, 1));
    GH_TRY(first_hash, hash_of_row(repo, segments, 1));
    const bool one_ledger = !first.empty() && first.front().hash == first_hash;
    return one_ledger && trust == Trust::ends ? Standing::diverged : Standing::other;
  }
  if (trust == Trust::none) {
    GH_TRY(chain, mirrored_chain(repo));
    if (chain.first_broken != 0) return Standing::other;
  }
  return mirrored < last ? Standing::behind : mirrored == last ? Standing::level : Standing::ahead;
}

/// Rows that refs/gatehouse/audit has and this ledger has not: what was said once stays said.
tl::unexpected<Error> knows_more(Standing standing) {
  return fail(
      Code::conflict,
      standing == Standing::ahead
          ? "refs/gatehouse/audit goes on where this ledger ends; has it been replaced by an "
            "older one?"
          : "refs/gatehouse/audit tells of other events than this ledger; has it been put "
            "back to an older state, or were the refs bent? 'gatehouse audit verify' and "
            "'gatehouse proposal export'");
}

/// A chain of another ledger vouches for its records; it is replaced only when they were taken in.
Status check_all_taken_in(git::Repo& repo, store::Ledger& ledger) {
  GH_TRY(ids, ids_in_refs(repo));
  for (const std::string& id : ids) {
    GH_TRY(known, ledger.proposal(id));
    if (!known)
      return fail(Code::conflict,
                  fmt::format("refs/gatehouse hold {} and others of another ledger; 'gatehouse "
                              "proposal import' takes them in first",
                              printable(id, 100)));
  }
  return {};
}

}  // namespace

Status check_chain_is_known(git::Repo& repo, store::Ledger& ledger) {
  GH_TRY(segments, segments_of(repo));
  GH_TRY(standing, standing_of(repo, ledger, segments, Trust::ends));
  if (standing == Standing::ahead || standing == Standing::diverged) return knows_more(standing);
  return {};
}

Result<bool> mirrors_another_ledger(git::Repo& repo, store::Ledger& ledger) {
  GH_TRY(segments, segments_of(repo));
  GH_TRY(standing, standing_of(repo, ledger, segments, Trust::ends));
  return standing == Standing::other;
}

Result<std::int64_t> mirrored_rows(git::Repo& repo) {
  GH_TRY(segments, segments_of(repo));
  return last_of(segments);
}

Result<AuditCopy> audit_copy(git::Repo& repo, store::Ledger& ledger, Trust trust) {
  const auto tip = repo.objects().commit(kAuditRef);
  GH_TRY(segments, segments_of(repo));
  GH_TRY(standing, standing_of(repo, ledger, segments, trust));
  if (standing == Standing::level) return AuditCopy{};
  if (standing == Standing::ahead || standing == Standing::diverged) return knows_more(standing);
  if (standing == Standing::other && trust == Trust::ends) GH_DO(check_all_taken_in(repo, ledger));
  git::ImportedCommit out{.ref = std::string(kAuditRef), .message = {}, .parent = {}, .files = {}};
  if (tip) out.parent = tip->id;
  std::set<std::string> ids;
  std::int64_t from = 1;
  // Another ledger's chain, or one that somebody bent: it stays in the history of the ref.
  if (standing == Standing::other)
    for (const Segment& segment : segments)
      out.files.push_back({segment.name, std::nullopt});
  else
    from = last_of(segments) + 1;
  const std::int64_t first = from;
  for (;;) {
    GH_TRY(rows, ledger.audit_rows(from, kRowsPerFile));
    if (rows.empty()) break;
    std::string lines;
    for (const store::AuditRow& row : rows) {
      lines += audit_line(row) + "\n";
      for (std::string& id : store::proposals_named(row.event.subject))
        ids.insert(std::move(id));
    }
    out.files.push_back({segment_name(rows.front().seq, rows.back().seq), std::move(lines)});
    from = rows.back().seq + 1;
  }
  if (from == first) return AuditCopy{};
  out.message = fmt::format("audit rows {} to {}\n", first, from - 1);
  return AuditCopy{std::move(out), std::move(ids)};
}

Value audit_row_value(const store::AuditRow& row) {
  return Map{{"seq", row.seq},
             {"ts", to_string(row.event.ts)},
             {"event", row.event.event},
             {"severity", row.event.severity},
             {"actor", row.event.actor},
             {"surface", row.event.surface},
             {"subject", row.event.subject},
             {"payload", row.event.payload},
             {"payload_sha256", row.payload_sha256},
             {"prev_hash", row.prev_hash},
             {"hash", row.hash}};
}

std::string audit_line(const store::AuditRow& row) {
  return wire::canonical_json(audit_row_value(row));
}

RecordFault broken_mirror(const MirroredChain& chain) {
  return {"", "AUDIT_BROKEN",
          fmt::format("the mirrored audit chain breaks at row {}", chain.first_broken)};
}

Result<MirroredChain> mirrored_chain(git::Repo& repo) {
  MirroredChain chain;
  GH_TRY(segments, segments_of(repo));
  const auto broken = [&] {
    chain.first_broken = chain.rows + 1;
    return std::move(chain);
  };
  std::string prev(store::kFirstPrevHash);
  for (const Segment& segment : segments) {
    GH_TRY(bytes, repo.objects().blob(segment.id));
    for (const std::string_view line : split(bytes, '\n')) {
      if (line.empty()) continue;
      const auto value = wire::read_own_json(line, segment.name);
      const Map* map = value ? value->as_map() : nullptr;
      if (map == nullptr) return broken();
      const auto part = [&](std::string_view key) {
        const Value* member = map->find(key);
        return member == nullptr ? std::string("null") : wire::canonical_json(*member);
      };
      const Value* payload = map->find("payload");
      const store::AuditColumns columns{.seq = number_in(*map, "seq"),
                                        .ts = text_in(*map, "ts"),
                                        .event = text_in(*map, "event"),
                                        .severity = text_in(*map, "severity"),
                                        .actor = part("actor"),
                                        .surface = text_in(*map, "surface"),
                                        .subject = part("subject"),
                                        .payload = payload == nullptr || payload->is_null()
                                                       ? std::nullopt
                                                       : std::optional(part("payload")),
                                        .payload_sha256 = text_in(*map, "payload_sha256"),
                                        .prev_hash = text_in(*map, "prev_hash"),
                                        .hash = text_in(*map, "hash")};
      if (!store::link_holds(columns, chain.rows + 1, prev)) return broken();
      prev = columns.hash;
      const Value* subject = map->find("subject");
      const std::string id = subject == nullptr ? "" : text_in(*subject, "proposal_id");
      if (!id.empty())
        chain.events[id].push_back(
            {columns.seq, columns.event, payload == nullptr ? Value() : *payload});
      ++chain.rows;
    }
  }
  return chain;
}

}  // namespace gh::ops
