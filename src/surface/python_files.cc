#include "surface/python_files.h"

#include <fmt/format.h>

#include "base/text.h"

namespace gh::surface {
namespace {

Result<PythonSource> read_one(Files& files, std::string_view path) {
  GH_TRY(file, read_input(files, path, "", kMaxSourceFile));
  return PythonSource::read(std::move(file.path), std::move(file.bytes));
}

}  // namespace

Result<std::vector<PythonSource>> python_files(Files& files, std::string_view path,
                                               std::vector<std::string>& warnings) {
  GH_TRY(found, files.find(path));
  std::vector<std::string> paths{std::string(path)};
  if (found.kind == EntryKind::folder) {
    paths.clear();
    GH_TRY(names, files.list(found));
    for (const std::string& name : names)
      if (name.ends_with(".py"))
        paths.push_back(found.path.empty() ? name : fmt::format("{}/{}", found.path, name));
    if (paths.empty())
      return fail(Code::input_unreadable, fmt::format("{}: no Python files", printable(path, 400)));
  }
  if (paths.size() > kMaxFolderFiles) {
    warnings.push_back(
        fmt::format("Source folder '{}' has more than {} files; the rest was not read.", path,
                    kMaxFolderFiles));
    paths.resize(kMaxFolderFiles);
  }
  std::vector<PythonSource> out;
  for (const std::string& one : paths) {
    GH_TRY(source, read_one(files, one));
    out.push_back(std::move(source));
  }
  return out;
}

}  // namespace gh::surface
