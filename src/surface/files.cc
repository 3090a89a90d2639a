#include "surface/files.h"

#include <fmt/format.h>

#include "base/text.h"

namespace gh::surface {

Result<InputFile> read_input(Files& files, std::string_view path, std::string_view base,
                             std::size_t max_bytes) {
  GH_TRY(found, files.find(path, base));
  const auto refuse = [&](std::string_view what) {
    return fail(Code::input_unreadable, fmt::format("{}: {}", printable(path, 400), what));
  };
  if (found.kind == EntryKind::missing) return refuse("there is no such file");
  if (found.kind == EntryKind::folder) return refuse("a folder, and a file is expected");
  GH_TRY(bytes, files.read(found, max_bytes));
  return InputFile{std::move(found.path), std::move(bytes)};
}

Result<InputDocument> read_input_document(Files& files, std::string_view path,
                                          std::string_view base) {
  GH_TRY(file, read_input(files, path, base));
  GH_TRY(document, wire::read_document(file.bytes, file.path));
  return InputDocument{std::move(file.path), std::move(document)};
}

tl::unexpected<Error> refuse_input(const InputDocument& input, std::string_view pointer,
                                   std::string_view what) {
  const wire::Mark mark = input.document.mark_of(pointer);
  const bool is_json = wire::format_of(input.path, "") == wire::DocumentFormat::json;
  return fail(is_json ? Code::json_invalid : Code::yaml_invalid,
              fmt::format("{}:{}:{}: {}", input.path, mark.line, mark.column, what));
}

tl::unexpected<Error> refuse_outside(std::string_view path, std::string_view resolved) {
  return fail(Code::input_unreadable,
              fmt::format("Input path '{}' resolves outside manifest directory: {}",
                          printable(path, 400), printable(resolved, 400)));
}

}  // namespace gh::surface
