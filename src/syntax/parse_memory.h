// Memory of one parse: taken in pieces of their own thread, given back all at once when the file is
// read.
#pragma once

namespace gh::syntax {

/// Makes tree-sitter take its memory here; once per process is enough.
void use_parse_memory();
/// Forgets every tree and parser that this thread made since the last time.
void drop_parse_memory();
/// Sanitizers must see each piece on its own; then trees are deleted one by one.
bool parse_memory_is_dropped();

}  // namespace gh::syntax
