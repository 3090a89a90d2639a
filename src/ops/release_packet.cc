// `release packet`: the evidence packet of an earlier scan, in the forms that are wanted.
#include "report/release_packet.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/product.h"
#include "base/text.h"
#include "model/peek.h"
#include "ops/release_ops.h"
#include "ops/release_outputs.h"
#include "ops/release_session.h"
#include "release/packet.h"
#include "sys/files.h"
#include "sys/renamed_file.h"
#include "wire/json.h"

namespace gh::ops {
namespace {

constexpr std::size_t kMaxPacketSource = 64u << 20;

/// Anything that is no packet and no report is a wrong argument here, not a broken input.
Result<Map> packet_at(const std::string& path, Context& context) {
  auto bytes = read_report_file(path, kMaxPacketSource, context);
  if (!bytes) return fail(Code::bad_argument, std::move(bytes.error().message));
  auto document = wire::read_json(*bytes, path);
  if (!document) return fail(Code::bad_argument, std::move(document.error().message));
  return release::packet_from(*document, path);
}

Result<std::string> source_path(const Request& request, Context& context) {
  if (request.has("from")) return joined_path(context.cwd, request.text("from"));
  GH_TRY(folder, usual_report_folder(request, context));
  return folder + "/report.json";
}

}  // namespace

Result<Reply> release_packet(const Request& request, Context& context) {
  GH_TRY(path, source_path(request, context));
  GH_TRY(packet, packet_at(path, context));
  GH_TRY(words, packet_words(request.text("format")));
  if (words.empty()) return fail(Code::bad_argument, "no form of packet was asked for");
  Reply reply;
  reply.document = packet;
  if (context.wants_document) return reply;
  const std::string folder = request.has("out") ? joined_path(context.cwd, request.text("out"))
                                                : path.substr(0, path.rfind('/'));
  const std::string printer = printing_program().value_or("");
  PacketWriter writer(std::move(packet));
  std::string written;
  for (const PacketForm& form : packet_forms()) {
    if (std::ranges::find(words, form.word) == words.end()) continue;
    if (form.word == "pdf" && printer.empty()) {
      if (context.notice) context.notice(kNoPrinter);
      continue;
    }
    GH_TRY(bytes, writer.bytes(form.word, printer, context));
    const std::string file = fmt::format("{}/{}", folder, form.file);
    GH_DO(sys::make_folders(folder));
    GH_DO(sys::write_file_renamed(file, bytes));
    written += printable(file, 400) + "\n";
  }
  reply.text = [written](const report::Look&) { return written; };
  return reply;
}

}  // namespace gh::ops
