#pragma once
// The field rules of proposals 2.1 and 3, one function per admission check. Private to proposal.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proposal/admission.h"

namespace gh::proposal {

/// What a check found; nullopt: it could not be evaluated because an earlier one left out its
/// facts.
using Findings = std::optional<std::vector<Finding>>;

Findings check_deny(const AdmissionFacts&);       // A2
Findings check_signature(const AdmissionFacts&);  // A3
Findings check_identity(const AdmissionFacts&);   // A4
Findings check_statuses(const AdmissionFacts&);   // A5
Findings check_files(const AdmissionFacts&);      // A9
Findings check_tests(const AdmissionFacts&);      // A10
Findings check_commands(const AdmissionFacts&);   // A11
Findings check_fields(const AdmissionFacts&);     // A12

/// 3.7. `is_docs_only` is what the diff tells; without a diff false.
std::optional<Finding> risk_finding(const ProposalMeta&, const policy::ProposalPolicy&);
std::optional<Finding> rollback_finding(const ProposalMeta&, bool is_docs_only);

/// The diff is there and touches nothing but documentation.
bool is_docs_only(const AdmissionFacts&);

/// `^[a-z0-9]+(-[a-z0-9]+)*$`, 3 to 100 characters.
bool is_patch_id(std::string_view);
/// What keeps the text from being '<model> / <role>'.
std::optional<std::string> author_defect(std::string_view author_agent);

/// 3.6: one entry of commands_run.
struct CommandRun {
  enum class Outcome : std::uint8_t { passed, failed, timeout, skipped };
  std::string_view command;
  Outcome outcome = Outcome::passed;
};
/// nullopt: not in the grammar.
std::optional<CommandRun> read_command(std::string_view entry);

/// 3.6: the first marker that makes a command a claim of production access.
std::optional<std::string> production_marker(std::string_view command,
                                             const policy::ProposalPolicy&);

/// `path` matches one of test_patterns.
bool is_test_path(std::string_view path, const policy::ProposalPolicy&);

/// 3.5: why an entry of tests_added is not real; nullopt: it is.
std::optional<std::string> test_defect(std::string_view entry, const diff::Patch&,
                                       const policy::ProposalPolicy&);

}  // namespace gh::proposal
