// A parse that can be left in the middle. tree-sitter ends the process when there is no memory, and
// its recovery from errors may ask for the square of a file's size.
#pragma once

#include <setjmp.h>
#include <stdint.h>
#include <tree_sitter/api.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Null when `gh_leave_parse` was called with `back` meanwhile: then the parser and all that it
/// allocated must not be touched again.
TSTree* gh_bounded_parse(TSParser* parser, const char* text, uint32_t size, jmp_buf* back);
void gh_leave_parse(jmp_buf* back);

#ifdef __cplusplus
}
#endif
