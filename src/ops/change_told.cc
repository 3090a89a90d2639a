#include "ops/change_told.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/text.h"

namespace gh::ops {
namespace {

using analysis::AnalysedFile;

const AnalysedFile* file_at(const analysis::Project& project, std::string_view path) {
  const auto found = std::ranges::lower_bound(
      project.files, path, {}, [](const AnalysedFile& f) { return std::string_view(f.path); });
  return found != project.files.end() && found->path == path ? &*found : nullptr;
}

}  // namespace

ChangeTold tell_change(const analysis::Project& before, const analysis::Change& change,
                       const analysis::ChangeSides& sides) {
  const analysis::PatchIndex index(before);
  const analysis::ChangeAnswers answers = analysis::change_answers(index, change, sides);
  return {analysis::sentences(answers), analysis::document(answers)};
}

ChangeTold tell_change(const analysis::Project& before, const analysis::Project& after,
                       const std::vector<std::string>& paths, const analysis::ChangeSides& sides) {
  analysis::Change change;
  for (const std::string& path : paths) {
    if (const AnalysedFile* file = file_at(after, path))
      change.files.push_back(*file);
    else if (file_at(before, path) != nullptr)
      change.deleted.push_back(path);
  }
  return tell_change(before, change, sides);
}

report::Styled change_text(const ChangeTold& told, std::size_t most) {
  report::Styled out;
  if (told.document.is_null()) return out;
  out.add(report::Ink::bold, "Change     ");
  if (told.sentences.empty())
    return out.add("  no copies, no rise in complexity, no new reach, no peers left behind\n");
  out.add(fmt::format("  {} to look at\n", told.sentences.size()));
  for (std::size_t i = 0; i < std::min(most, told.sentences.size()); ++i)
    out.add(fmt::format("             {}\n", printable(told.sentences[i], 400)));
  if (told.sentences.size() > most)
    out.add(fmt::format("{:>15}  ", ""))
        .add(report::Ink::dim,
             fmt::format("and {} more with --json\n", told.sentences.size() - most));
  return out;
}

}  // namespace gh::ops
