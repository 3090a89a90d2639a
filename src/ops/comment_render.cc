// `comment render`: the comment of a Verdict that is stored already.
#include <fmt/format.h>

#include "base/text.h"
#include "model/peek.h"
#include "ops/ci.h"
#include "ops/release_session.h"
#include "ops/verdict_reports.h"
#include "report/formats.h"
#include "sys/files.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxVerdict = 64u << 20, kMaxPart = 1u << 20;

}  // namespace

Result<Reply> comment_render(const Request& request, Context& context) {
  std::string named = request.text("FILE");
  if (named.empty()) named = "gatehouse-reports/verdict.json";
  const std::string path = joined_path(context.cwd, named);
  GH_TRY(bytes, read_needed(path, kMaxVerdict));
  GH_TRY(document, wire::read_json(bytes, printable(named, 200)));
  const auto verdict = verdict_in(document);
  if (!verdict)
    return fail(Code::input_unreadable,
                fmt::format("{} holds no verdict; 'gatehouse ci' and 'gatehouse check --report "
                            "json=FILE' write one",
                            printable(named, 200)));
  report::FormatFrame frame{.job = request.text("job")};
  const std::string folder = path.substr(0, path.rfind('/'));
  // What `ci` left beside it belongs to the same answer.
  if (const auto part = sys::read_file(folder + "/pr-comment.md", kMaxPart))
    frame.release_part = *part;
  Value host_diff;
  if (const auto text = sys::read_file(folder + "/host-diff.json", kMaxVerdict))
    if (auto read = wire::read_json(*text, "host-diff.json")) {
      host_diff = std::move(*read);
      frame.host_diff = &host_diff;
    }
  const std::string body = request.text("style") == "summary"
                               ? report::verdict_summary(*verdict, frame)
                               : report::verdict_comment(*verdict, frame);
  Reply reply;
  reply.document = Map{{"schema", "gatehouse.comment/1"}, {"body", body}};
  reply.text = [body](const report::Look&) { return body; };
  return reply;
}

}  // namespace gh::ops
