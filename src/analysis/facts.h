// What one file says, whatever its path: everything that later stages know about it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/branches.h"
#include "analysis/cohesion.h"
#include "analysis/complexity.h"
#include "analysis/declarations.h"
#include "analysis/exports.h"
#include "analysis/guards.h"
#include "analysis/hash.h"
#include "analysis/imports.h"
#include "analysis/independence.h"
#include "analysis/names.h"
#include "analysis/references.h"
#include "analysis/registration_facts.h"
#include "analysis/suppressions.h"
#include "analysis/surface_facts.h"
#include "syntax/ir.h"
#include "syntax/language.h"

namespace gh::analysis {

enum class FileStatus : std::uint8_t {
  ok,
  partial,
  file_too_large,
  stat_error,
  source_read_error,
  parse_error,
  parse_limit,
};
std::string_view to_string(FileStatus);
bool is_skipped(FileStatus);

enum class UnitKind : std::uint8_t { function, method, nested };
std::string_view to_string(UnitKind);

namespace statement_flag {  // NOLINTBEGIN(readability-identifier-naming): words, as of an enum
inline constexpr std::uint8_t attr_only_assign = 1;  // every target is an attribute
inline constexpr std::uint8_t call_statement = 2;    // nothing but a call
inline constexpr std::uint8_t assert_like = 4;
inline constexpr std::uint8_t terminal = 8;  // nothing after it in its list is reached
}  // namespace statement_flag
// NOLINTEND(readability-identifier-naming)
struct StatementFact {
  std::uint32_t start_line = 0, end_line = 0;
  Hash hash{};
  std::uint64_t raw = 0;              // of its text without white space
  std::uint32_t gap = 0;              // of the comments between it and the one before; 0: none
  std::uint32_t place = 0, size = 1;  // in the flow of its unit: itself and what is inside
  syntax::Kind kind = syntax::Kind::Pass;
  std::uint8_t flags = 0;
};

/// Neighbours in the flow of a unit.
struct FlowRun {
  std::uint32_t place = 0, size = 0;
};

struct UnitFact {
  std::string local_name;
  UnitKind kind = UnitKind::function;
  std::uint32_t start_line = 0, end_line = 0, params = 0;
  bool incomplete = false;  // then only name and span are known
  Complexity complexity{};
  Hash fingerprint{}, raw{};
  std::vector<StatementFact> statements{};          // of the body itself, without docstring
  std::vector<std::vector<StatementFact>> inner{};  // of longer bodies inside it
  // Every statement in the order of the source, compound ones by their heads; zero: not reached.
  std::vector<Hash> flow{};
  std::vector<FlowRun> asserts{};  // where the flow only asserts
  Guards guards{};
  std::vector<BranchFact> branches{};  // those with a like in this unit
  Independence independence = Independence::none;

  std::uint32_t loc() const { return end_line - start_line + 1; }
};

struct ClassFact {
  std::string local_name;
  std::uint32_t start_line = 0, end_line = 0;
  bool incomplete = false;
  bool extension = false;  // members of a class that is declared elsewhere
  Members members{};
  Cohesion cohesion{};                   // of these members alone
  std::vector<std::string> coupled{};    // sorted
  std::vector<std::string> elsewhere{};  // names that may be classes of other files, sorted
};

struct FileFacts {
  FileStatus status = FileStatus::ok;
  std::uint32_t lines = 0;
  std::uint64_t bytes = 0;
  std::uint32_t statements = 0;
  std::uint32_t error_nodes = 0, error_bytes = 0, error_line = 0, error_column = 0;
  std::vector<UnitFact> units{};
  std::vector<ClassFact> classes{};
  std::vector<ImportFact> imports{};
  NameTable names{};  // of everything below
  Declarations declarations{};
  References references{};
  Exports exports{};
  RegistrationFacts registrations{};
  Suppressions suppressions{};
  std::vector<SurfaceFact> surfaces{};
  std::string package{};  // that the file says it belongs to: of Java, and modules of C++
};

inline constexpr std::size_t kMinInnerList = 4;  // shorter ones hold no run
inline constexpr std::size_t kMaxFileBytes = std::size_t{10} << 20;

}  // namespace gh::analysis
