#pragma once
// A diff as rows that a page can show without reading diffs itself.
#include "model/value.h"

namespace gh::serve {

/// Adds `files` to a document with the member `diff`: path, old_path, operation, added, deleted,
/// and hunks with rows {kind, old, new, text}. With `file` in `given` that one alone, and then
/// without the text of the others. A diff that cannot be read has `files` null.
Map with_rows(Map document, const Map& given);

}  // namespace gh::serve
