#pragma once
// What `gatehouse ci` tells the system that runs it: outputs for later steps, in its own form.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/value.h"

namespace gh::ops {

struct CiOutput {
  std::string name, value;  // of one line; unavailable: empty
};

/// The documents of one run; those that were not made are null.
struct CiDocuments {
  Value verdict{}, verifier{}, report{};
  int exit_code = 0, release_exit = 0;
  std::string receipt_digest{};   // of the head's receipt; empty: it has none
  std::vector<CiOutput> files{};  // name -> path
};
/// Every output, in the order of its table, whether there is a value or not.
std::vector<CiOutput> ci_outputs(const CiDocuments&);
std::vector<std::string> ci_output_names();

/// Lines for the file of GitHub's outputs. No value can end its block: nobody knows `random`.
std::string github_outputs(std::span<const CiOutput>, std::string_view random);
/// GATEHOUSE_NAME=value, as GitLab and shells read it.
std::string dotenv_outputs(std::span<const CiOutput>);
/// Commands of Azure Pipelines.
std::string azure_outputs(std::span<const CiOutput>);
/// Reasons as its issues.
std::string azure_issues(const Value& verdict);
/// There a command counts wherever it stands in a line.
std::string without_azure_commands(std::string text);

}  // namespace gh::ops
