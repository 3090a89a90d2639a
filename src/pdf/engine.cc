#include "pdf/engine.h"

#include <fmt/format.h>

#include "base/text.h"
#include "sys/files.h"
#include "sys/process.h"
#include "wire/json.h"

namespace gh::pdf {
namespace {

constexpr std::chrono::milliseconds kPatience{120'000};
constexpr std::size_t kMaxPdfBytes = 256u << 20;
constexpr std::string_view kProgram = "gatehouse-pdf";

bool is_program(const std::string& path) {
  const sys::FileInfo found = sys::info_follow(path);
  return found.kind == sys::FileKind::file && (found.mode & 0111) != 0;
}

}  // namespace

std::optional<std::string> find_engine(const std::string& self) {
  const std::string folder = self.substr(0, self.rfind('/') + 1);
  for (const std::string_view place : {"", "../libexec/gatehouse/"})
    if (std::string path = fmt::format("{}{}{}", folder, place, kProgram); is_program(path))
      return path;
  return std::nullopt;
}

Result<std::string> render(const std::string& engine, const Document& document,
                           std::function<bool()> give_up) {
  GH_TRY(value, to_value(document));
  const std::string input = wire::canonical_json(value);
  if (input.size() > kMaxDocumentBytes)
    return fail(Code::bad_argument, fmt::format("{} bytes are too many for one PDF; at most {}",
                                                input.size(), kMaxDocumentBytes));
  // No locale, no fonts of the user, no configuration: what it prints depends on its input alone.
  GH_TRY(done, sys::run({.argv = {engine},
                         .environment = {"LC_ALL=C.UTF-8"},
                         .cwd = "/",
                         .input = input,
                         .timeout = kPatience,
                         .max_output = kMaxPdfBytes,
                         .give_up = std::move(give_up)}));
  if (done.timed_out) return fail(Code::io_error, fmt::format("{} took too long", kProgram));
  if (done.exit_code != 0 || done.output_cut || !done.out.starts_with("%PDF-"))
    return fail(Code::io_error, fmt::format("{} ended with {}: {}", kProgram, done.exit_code,
                                            printable(done.err, 400)));
  return std::move(done.out);
}

}  // namespace gh::pdf
