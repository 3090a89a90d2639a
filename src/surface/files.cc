#include "surface/files.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "base/text.h"
#include "surface/words.h"

namespace gh::surface {
namespace {

constexpr std::string_view kInputPath = "Input path '";
constexpr std::string_view kPointer = "version https://git-lfs.github.com/spec/v1";
constexpr std::string_view kIsPointer = ": a pointer of git-lfs, whose content is not in the tree";
constexpr std::string_view kLeadsOutside = "' resolves outside manifest directory: ";

}  // namespace

Result<InputFile> read_input(Files& files, std::string_view path, std::string_view base,
                             std::size_t max_bytes) {
  GH_TRY(found, files.find(path, base));
  const auto refuse = [&](std::string_view what) {
    return fail(Code::input_unreadable, fmt::format("{}: {}", printable(path, 400), what));
  };
  if (found.kind == EntryKind::missing) return refuse("there is no such file");
  if (found.kind == EntryKind::folder) return refuse("a folder, and a file is expected");
  GH_TRY(bytes, files.read(found, max_bytes));
  if (is_pointer_text(bytes)) return refuse_pointer(path);
  return InputFile{std::move(found.path), std::move(bytes)};
}

Result<FolderFiles> files_below(Files& files, const Found& folder, std::string_view suffixes,
                                std::string_view skipped_folders) {
  const auto is_wanted = [&](std::string_view name) {
    return std::ranges::any_of(split(suffixes, ' '),
                               [&](std::string_view s) { return name.ends_with(s); });
  };
  FolderFiles out;
  std::vector<Found> open{folder};
  std::set<std::string> seen{folder.path};
  while (!open.empty() && !out.was_cut) {
    const Found at = std::move(open.back());
    open.pop_back();
    GH_TRY(names, files.list(at));
    for (const std::string& name : names) {
      const auto entry = files.find(name, at.path);
      if (!entry) {
        out.refused.push_back(at.path.empty() ? name : fmt::format("{}/{}", at.path, name));
        continue;
      }
      const bool is_folder = entry->kind == EntryKind::folder;
      if (is_folder ? is_one_of(name, skipped_folders) : !is_wanted(lower_case(name))) continue;
      if (entry->kind == EntryKind::missing || !seen.insert(entry->path).second) continue;
      if (is_folder)
        open.push_back(*entry);
      else
        out.paths.push_back(entry->path);
    }
    out.was_cut = out.paths.size() > kMaxFolderFiles || seen.size() > 4 * kMaxFolderFiles;
  }
  std::ranges::sort(out.paths);
  if (out.paths.size() > kMaxFolderFiles) out.paths.resize(kMaxFolderFiles);
  return out;
}

Result<InputDocument> read_input_document(Files& files, std::string_view path,
                                          std::string_view base) {
  GH_TRY(file, read_input(files, path, base));
  GH_TRY(document, wire::read_document(file.bytes, file.path));
  return InputDocument{std::move(file.path), std::move(document)};
}

Result<InputDocument> read_input_document(Files& files, std::string_view path,
                                          std::string_view base,
                                          std::vector<std::string>& warnings) {
  GH_TRY(input, read_input_document(files, path, base));
  tell_repeats(input, warnings);
  return std::move(input);
}

void tell_repeats(const InputDocument& input, std::vector<std::string>& warnings) {
  for (const std::string& repeat : input.document.repeats)
    warnings.push_back(
        fmt::format("'{}' has a key twice in one object; the last one counts, and {} is not read.",
                    input.path, repeat));
}

tl::unexpected<Error> refuse_input(const InputDocument& input, std::string_view pointer,
                                   std::string_view what) {
  const wire::Mark mark = input.document.mark_of(pointer);
  const bool is_json = wire::format_of(input.path, "") == wire::DocumentFormat::json;
  return fail(is_json ? Code::json_invalid : Code::yaml_invalid,
              fmt::format("{}:{}:{}: {}", input.path, mark.line, mark.column, what));
}

tl::unexpected<Error> refuse_outside(std::string_view path, std::string_view resolved) {
  return fail(Code::input_unreadable, fmt::format("{}{}{}{}", kInputPath, printable(path, 400),
                                                  kLeadsOutside, printable(resolved, 400)));
}

bool is_outside(const Error& error) {
  return error.code == Code::input_unreadable && error.message.starts_with(kInputPath) &&
         contains(error.message, kLeadsOutside);
}

bool is_pointer_text(std::string_view bytes) { return bytes.starts_with(kPointer); }

tl::unexpected<Error> refuse_pointer(std::string_view path) {
  return fail(Code::input_unreadable, fmt::format("{}{}", printable(path, 400), kIsPointer));
}

bool is_pointer(const Error& error) {
  return error.code == Code::input_unreadable && error.message.ends_with(kIsPointer);
}

}  // namespace gh::surface
