// `runs document`: what is kept under a digest, or a part of it.
#include <fmt/format.h>

#include "base/text.h"
#include "ops/agent_ops.h"
#include "ops/change_runs.h"
#include "ops/run_text.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kShownWhole = 180'000;  // bytes; beyond it the members are named
constexpr std::string_view kBlast = "blast-", kSha = "sha256:";

struct Kept {
  std::string kind, digest;
  Value body;
};

std::string bare(std::string_view word) {
  for (const std::string_view prefix : {kBlast, kSha})
    if (word.starts_with(prefix)) word.remove_prefix(prefix.size());
  return std::string(word);
}

/// A report by its digest: it is asked for by whoever saw the digest in an answer.
Result<std::optional<Kept>> report_of(ChangeSession& session, const std::string& word) {
  GH_TRY(rows, session.ledger->analysis_runs({.root = session.root, .limit = 1'000}));
  for (const store::AnalysisRunRow& row : rows)
    if (row.report_digest == word || row.report_sha256 == word) {
      GH_TRY(report, load_report(*session.ledger, row));
      return Kept{"analysis_report", row.report_digest, std::move(report)};
    }
  GH_TRY(named, run_row(session, word));
  if (!named) return std::nullopt;
  GH_TRY(report, load_report(*session.ledger, *named));
  return Kept{"analysis_report", named->report_digest, std::move(report)};
}

Result<Kept> find_kept(ChangeSession& session, const std::string& word) {
  if (session.ledger != nullptr) {
    const std::string digest = bare(word);
    GH_TRY(document, session.ledger->document(digest));
    if (document) return Kept{"document", digest, std::move(*document)};
    GH_TRY(report, report_of(session, digest));
    if (report) return std::move(*report);
  }
  return fail(Code::unknown_id, fmt::format("nothing is kept under '{}'", printable(word, 100)));
}

Result<Value> section_of(Value whole, const std::string& path) {
  if (path.empty()) return whole;
  const Value* at = &whole;
  for (const std::string_view step : split(path, '.')) {
    const Map* map = at->as_map();
    at = map == nullptr ? nullptr : map->find(step);
    if (at == nullptr)
      return fail(Code::section_unknown,
                  fmt::format("the document has no section '{}'", printable(path, 100)));
  }
  return Value(*at);
}

List members_of(const Map& map) {
  List out;
  for (const auto& [name, value] : map.entries())
    out.emplace_back(Map{{"name", name},
                         {"type", type_name(value)},
                         {"bytes", static_cast<std::int64_t>(wire::canonical_json(value).size())}});
  return out;
}

}  // namespace

Result<Reply> document_show(const Request& request, Context& context) {
  GH_TRY(session, open_change_session(request, context, LedgerUse::read));
  GH_TRY(kept, find_kept(session, request.text("DOCUMENT")));
  const std::string section = request.text("section");
  GH_TRY(shown, section_of(std::move(kept.body), section));
  Map document{{"kind", kept.kind},
               {"digest", kept.digest},
               {"section", section.empty() ? Value() : Value(section)}};
  const bool is_long = wire::canonical_json(shown).size() > kShownWhole;
  if (shown.as_list() != nullptr)
    document.set("items", std::move(shown));
  else if (is_long && shown.as_map() != nullptr)
    document.set("items", members_of(*shown.as_map()));
  else
    document.set("value", std::move(shown));
  Reply reply;
  reply.document = framed("gatehouse.stored_document/1", std::move(document));
  reply.text = [copy = reply.document](const report::Look&) { return wire::pretty_json(copy); };
  return reply;
}

}  // namespace gh::ops
