#include "analysis/run_identity.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "analysis/compare.h"
#include "analysis/report_view.h"
#include "base/digest.h"
#include "base/digesting.h"
#include "wire/json.h"
#include "wire/json_stream.h"

namespace gh::analysis {
namespace {

/// name: the last component, at any depth. start: the whole path from its beginning, then the end.
enum class Match : std::uint8_t { name, path };
struct Governance {
  Match match;
  std::string_view begins, ends;  // what stands between them does not matter
  bool whole = false;             // nothing stands between them
};
constexpr Governance named(std::string_view name) { return {Match::name, name, "", true}; }
// table: governance files
constexpr std::array kGovernance{
    named("pyproject.toml"),
    named("setup.cfg"),
    named("tox.ini"),
    named("pytest.ini"),
    named("mypy.ini"),
    named("ruff.toml"),
    named(".coveragerc"),
    named("coverage.toml"),
    named(".pre-commit-config.yaml"),
    named("py.typed"),
    named("Makefile"),
    named("Dockerfile"),
    named("gatehouse.yaml"),
    named("shipgate.yaml"),
    named("CODEOWNERS"),
    named(".gitlab-ci.yml"),
    named("CMakeLists.txt"),
    named("package.json"),
    named("package-lock.json"),
    named("npm-shrinkwrap.json"),
    named("pnpm-lock.yaml"),
    named("go.sum"),
    Governance{Match::name, "", ".lock"},
    Governance{Match::name, "requirements", ".txt"},
    Governance{Match::name, "constraints", ".txt"},
    Governance{Match::path, ".github/workflows/", ""},
    Governance{Match::path, ".github/actions/", ""},
    Governance{Match::path, "docker-compose", ".yml"},
};

bool matches(const Governance& row, std::string_view path) {
  if (row.match == Match::name) path.remove_prefix(path.rfind('/') + 1);  // npos + 1 is 0
  if (row.whole) return path == row.begins;
  return path.size() >= row.begins.size() + row.ends.size() && path.starts_with(row.begins) &&
         path.ends_with(row.ends);
}

/// The digest of a document one of whose lists, `place`, holds the inputs: there are as many as
/// files.
std::string digest_with(const Value& document, const List* place,
                        const std::vector<RunInput>& inputs) {
  std::vector<const RunInput*> sorted;
  for (const RunInput& input : inputs)
    sorted.push_back(&input);
  const auto key = [](const RunInput* i) { return std::tie(i->path, i->mode, i->blob); };
  if (!std::ranges::is_sorted(sorted, {}, key)) std::ranges::sort(sorted, {}, key);
  const auto append = [&](std::size_t i, std::string& out) {
    char before = '[';
    for (const std::string* text : {&sorted[i]->path, &sorted[i]->mode, &sorted[i]->blob}) {
      out += before;
      wire::append_canonical(out, std::string_view(*text));
      before = ',';
    }
    out += ']';
  };
  Digesting digest;
  wire::write_canonical_json(document, std::array{wire::LateItems{place, inputs.size(), append}},
                             [&](std::string_view piece) { digest.add(piece); });
  return digest.hex();
}

}  // namespace

bool is_governance(std::string_view path) {
  return std::ranges::any_of(kGovernance,
                             [&](const Governance& row) { return matches(row, path); });
}

std::string settings_digest(const Value& report) {
  return digest_of(wire::canonical_json(comparison_settings(report))).hex();
}

std::string inputs_digest(const std::vector<RunInput>& inputs) {
  const Value document{List{}};
  return digest_with(document, document.as_list(), inputs);
}

std::string run_id_of(const Value& report, const std::vector<RunInput>& inputs,
                      std::string_view baseline_sha256) {
  const Value document =
      Map{{"report_digest", stated_digest(report)},
          {"settings_digest", settings_digest(report)},
          {"files", List{}},
          {"baseline_sha256", baseline_sha256.empty() ? Value() : Value(baseline_sha256)}};
  return digest_with(document, document.as_map()->find("files")->as_list(), inputs);
}

}  // namespace gh::analysis
