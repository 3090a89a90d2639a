// The nodes of a tree-sitter tree in order, read from its own structures. The public cursor keeps
// rows, columns and counts that nobody here asks for, and costs a fifth of the parse.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <tree_sitter/api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gh_tree_node {  // NOLINT(readability-identifier-naming): a name of C
  uint16_t symbol, field;
  uint32_t start, end;  // bytes
  uint32_t depth;       // 0: the root
  bool missing;
} gh_tree_node;

typedef struct gh_tree_walk gh_tree_walk;

gh_tree_walk* gh_tree_walk_new(const TSTree* tree);
void gh_tree_walk_delete(gh_tree_walk* walk);
/// The next nodes, as many as there is room for, parents before children; 0 at the end.
uint32_t gh_tree_walk_some(gh_tree_walk* walk, gh_tree_node* nodes, uint32_t room);

#ifdef __cplusplus
}
#endif
