#include "setup/ci_files.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/data.h"
#include "base/text.h"
#include "setup/line_text.h"
#include "setup/yaml_place.h"

namespace gh::setup {
namespace {

// clang-format off
// table: ci_files
constexpr std::array<CiRow, 7> kCiFiles{{
    {".github/workflows",   "GitHub Actions",  CiForm::file,    ".github/workflows/gatehouse.yml", "ci.github.yml"},
    {".gitlab-ci.yml",      "GitLab CI",       CiForm::block,   ".gitlab-ci.yml",                  "ci.gitlab.yml"},
    {".circleci",           "CircleCI",        CiForm::parts,   ".circleci/config.yml",            "ci.circleci.yml"},
    {"Jenkinsfile",         "Jenkins",         CiForm::by_hand, "Jenkinsfile",                     "ci.jenkins.txt"},
    {"azure-pipelines.yml", "Azure Pipelines", CiForm::parts,   "azure-pipelines.yml",             "ci.azure.yml", "extends jobs stages"},
    {".buildkite",          "Buildkite",       CiForm::parts,   ".buildkite/pipeline.yml",         "ci.buildkite.yml"},
    {".drone.yml",          "Drone",           CiForm::block,   ".drone.yml",                      "ci.drone.yml"},
}};
// clang-format on

constexpr std::string_view kOurs = "gatehouse";

Lines lines_of_step(const CiRow& row) {
  Lines out;
  for (const std::string_view line : split(ci_step(row), '\n'))
    out.emplace_back(line);
  if (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

/// A key at the top of a text of ours, and what stands below it, as if it stood at the margin.
struct CiPart {
  std::string key{};
  Lines lines{};
};

std::vector<CiPart> parts_of(const CiRow& row) {
  constexpr std::string_view kIndent = "  ";
  std::vector<CiPart> out;
  for (const std::string& line : lines_of_step(row)) {
    if (!line.starts_with(kIndent))
      out.push_back({line.substr(0, line.find(':')), {}});
    else
      out.back().lines.push_back(line.substr(kIndent.size()));
  }
  return out;
}

/// Its steps stand elsewhere, where they cannot be told apart.
Result<bool> is_made_otherwise(const CiRow& row, std::string_view text) {
  GH_TRY(document, read_others_yaml(text, row.file));
  const Map* root = document.root.as_map();
  return root != nullptr && std::ranges::any_of(split(row.not_beside, ' '), [&](auto key) {
           return root->find(key) != nullptr;
         });
}

tl::unexpected<Error> only_by_hand(const CiRow& row) {
  return fail(Code::conflict,
              fmt::format("the steps of {} are yours; let one of them be this", row.name));
}

Result<std::string> with_parts(const CiRow& row, std::string_view text) {
  GH_TRY(otherwise, is_made_otherwise(row, text));
  if (otherwise || text.empty()) return only_by_hand(row);
  std::string out(text);
  for (const CiPart& part : parts_of(row)) {
    auto with = with_first_child(out, row.file, part.key, kOurs, part.lines, hash_marks(part.key));
    if (!with && with.error().code == Code::conflict) return only_by_hand(row);
    if (!with) return with;
    out = std::move(*with);
  }
  return out;
}

}  // namespace

std::span<const CiRow> ci_files() { return kCiFiles; }

std::string_view ci_step(const CiRow& row) { return data::find(fmt::format("setup/{}", row.data)); }

Result<std::string> with_ci_step(const CiRow& row, std::string_view text) {
  switch (row.form) {
    case CiForm::by_hand:
      break;
    case CiForm::file:
      if (!text.empty() && text != ci_step(row))
        return fail(Code::conflict,
                    fmt::format("{} is there already and differs from what init writes", row.file));
      return std::string(ci_step(row));
    case CiForm::block:
      return with_block(text, lines_of_step(row), hash_marks());
    case CiForm::parts:
      return with_parts(row, text);
  }
  return only_by_hand(row);
}

std::string without_ci_step(const CiRow& row, std::string_view text) {
  if (row.form == CiForm::file) return text == ci_step(row) ? std::string() : std::string(text);
  if (row.form == CiForm::block) return without_block(text, hash_marks());
  std::string out(text);
  if (row.form != CiForm::parts) return out;
  const std::vector<CiPart> parts = parts_of(row);
  for (std::size_t i = parts.size(); i > 0; --i)  // the last one first
    out = without_block(out, hash_marks(parts[i - 1].key));
  return out;
}

}  // namespace gh::setup
