#pragma once
// The one form of a path in change control (change-control 3.1): below the root, '/' between
// components, no "." or "..", UTF-8. A byte that is no UTF-8 is written \xNN, by git's names and by
// those who name such a file alike, so that records, evidence and the tree can be compared. Where a
// name itself reads like such a byte, its backslash is written \x5c: two files never look the same.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "model/intent.h"

namespace gh::control {

/// `{allowed_files, allowed_related?, forbidden?}`; the state artifacts join `forbidden`.
/// Alone, a scope without any allowed file is `scope_empty`; one that widens another may be.
enum class EmptyScope : std::uint8_t { refused, allowed };
Result<Scope> normalise_scope(const Value& value, EmptyScope = EmptyScope::refused);

/// A scope that was stored once, as it is, if it is what normalising makes.
Result<Scope> normalise_scope(const Scope&);
/// The same without the scope itself.
Status check_normal(const Scope&);

/// What a person types is trimmed and gets `/` for `\`; an exact name, such as one that git listed,
/// is the name of a file to the letter.
enum class EvidenceForm : std::uint8_t { typed, exact };

/// Sorted, without repetition; what is empty after trimming is left out. `root` is absolute.
Result<std::vector<std::string>> normalise_evidence(const std::vector<std::string>& given,
                                                    std::string_view root,
                                                    EvidenceForm = EvidenceForm::typed);

/// How a name is typed so that it is taken to the letter.
std::string typed_to_the_letter(std::string_view bytes);
/// Typed as it is, it would be taken for another one.
bool is_typed_otherwise(std::string_view bytes);

/// What a typed path is taken for, before anything is said about it.
std::string typed_path(std::string_view given);

/// A list of strings as a parameter gives it; null: none. Anything else is `scope_invalid`.
Result<std::vector<std::string>> evidence_list(const Value&);

/// Trimmed, sorted, without repetition and empty texts; null: none.
Result<std::vector<std::string>> normalise_effects(const Value&);

/// A path as git gives it, relative to the top of the work tree. `root_below_top` is where the root
/// lies below that top ("" when it is the top); what is outside the root becomes ":top:/…".
std::string path_from_git(std::string_view bytes, std::string_view root_below_top = {});

/// The name of the file to the letter, of a path in that form.
std::string bytes_of_path(std::string_view path);

struct Warning {
  std::string code{}, message{};
  Map facts{};
};
Value to_value(const Warning&);

/// Entries of allowed_files and allowed_related that no single file can be equal to.
std::vector<Warning> scope_warnings(const Scope&,
                                    const std::function<bool(std::string_view)>& is_directory);

/// The patterns that every scope forbids (change-control 1).
const std::vector<std::string>& state_patterns();

}  // namespace gh::control
