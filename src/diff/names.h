#pragma once
// How names stand in a patch: quoted or raw, with a prefix or bare, alone or two on one line.
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "model/patch_rule.h"

namespace gh::diff {

using Named = tl::expected<std::string, Rule>;

/// `text` is one name without a prefix (rename and copy headers).
Named read_bare_name(std::string_view text);

/// `text` is one name that begins with `prefix`, with at most a lone TAB behind it (--- and +++).
Named read_prefixed_name(std::string_view text, std::string_view prefix);

struct NamePair {
  std::string old_path, new_path;
};
/// The two names of a git line; `text` is what follows "diff --git ".
tl::expected<NamePair, Rule> read_git_line_names(std::string_view text);

/// True when `text`, beginning with a raw name, has more than one split into a/X and b/Y.
bool is_ambiguous(std::string_view text);

std::string in_quotes(std::string_view name);  // quoted even where git would not

}  // namespace gh::diff
