// CI files of a change, in every system, and scripts: anything must be read to an end.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "checks/ci_gate.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const gh::checks::ReadInTree itself = [&](const std::string&) {
    return std::optional<std::string>(text);
  };
  gh::checks::CiGates gates;
  for (const char* path : {".github/workflows/a.yml", ".gitlab-ci.yml", ".circleci/config.yml",
                           "azure-pipelines.yml", "Jenkinsfile"})
    gates.emplace(path, gh::checks::read_ci(path, text, itself));
  (void)gh::checks::calls_gate(text);
  (void)gh::checks::neutered_gates({.base = gates, .head = gates, .manifest = "shipgate.yaml"});
  return 0;
}
