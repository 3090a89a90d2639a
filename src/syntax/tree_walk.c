#include "syntax/tree_walk.h"

#include <alloc.h>
#include <language.h>
#include <subtree.h>
#include <tree.h>

// A node whose children are being read. Hidden nodes of the grammar pass their field on.
typedef struct {
  const Subtree *child, *end;
  const TSSymbol *aliases;
  const TSFieldMapEntry *fields, *fields_end;
  uint32_t position;  // where the last child ended
  uint32_t index;     // of the next child, extras not counted
  TSFieldId field;
  bool visible;
} Frame;

struct gh_tree_walk {
  const TSTree *tree;
  Frame *frames;
  uint32_t size, capacity;
  uint32_t depth;
  bool started;
};

gh_tree_walk *gh_tree_walk_new(const TSTree *tree) {
  gh_tree_walk *walk = ts_malloc(sizeof *walk);
  *walk = (gh_tree_walk){.tree = tree};
  return walk;
}

void gh_tree_walk_delete(gh_tree_walk *walk) {
  ts_free(walk->frames);
  ts_free(walk);
}

static void enter(gh_tree_walk *walk, const Subtree *parent, uint32_t start, TSFieldId field, bool visible) {
  if (walk->size == walk->capacity) {
    walk->capacity = walk->capacity == 0 ? 64 : walk->capacity * 2;
    walk->frames = ts_realloc(walk->frames, walk->capacity * sizeof *walk->frames);
  }
  const TSLanguage *language = walk->tree->language;
  const Subtree *children = ts_subtree_children(*parent);
  Frame *frame = &walk->frames[walk->size++];
  *frame = (Frame){
      .child = children,
      .end = children + parent->ptr->child_count,
      .aliases = ts_language_alias_sequence(language, parent->ptr->production_id),
      .position = start - ts_subtree_padding(children[0]).bytes,
      .field = field,
      .visible = visible,
  };
  ts_language_field_map(language, parent->ptr->production_id, &frame->fields, &frame->fields_end);
  walk->depth += visible ? 1 : 0;
}

static TSFieldId field_of(const Frame *frame) {
  for (const TSFieldMapEntry *entry = frame->fields; entry < frame->fields_end; ++entry)
    if (!entry->inherited && entry->child_index == frame->index) return entry->field_id;
  return frame->field;
}

static void show(const gh_tree_walk *walk, const Subtree *subtree, TSSymbol alias, TSFieldId field, uint32_t start,
                 gh_tree_node *node) {
  *node = (gh_tree_node){
      .symbol = ts_language_public_symbol(walk->tree->language, alias != 0 ? alias : ts_subtree_symbol(*subtree)),
      .field = field,
      .start = start,
      .end = start + ts_subtree_size(*subtree).bytes,
      .depth = walk->depth,
      .missing = ts_subtree_missing(*subtree),
  };
}

bool gh_tree_walk_next(gh_tree_walk *walk, gh_tree_node *node) {
  if (!walk->started) {
    const Subtree *root = &walk->tree->root;
    const uint32_t start = ts_subtree_padding(*root).bytes;
    walk->started = true;
    show(walk, root, 0, 0, start, node);
    if (ts_subtree_child_count(*root) > 0) enter(walk, root, start, 0, true);
    return true;
  }
  while (walk->size > 0) {
    Frame *top = &walk->frames[walk->size - 1];
    if (top->child == top->end) {
      walk->depth -= top->visible ? 1 : 0;
      --walk->size;
      continue;
    }
    const Subtree *child = top->child++;
    const uint32_t start = top->position + ts_subtree_padding(*child).bytes;
    top->position = start + ts_subtree_size(*child).bytes;
    TSSymbol alias = 0;
    TSFieldId field = 0;
    if (!ts_subtree_extra(*child)) {
      if (top->aliases != NULL) alias = top->aliases[top->index];
      field = field_of(top);
      ++top->index;
    }
    const bool visible = alias != 0 || ts_subtree_visible(*child);
    if (visible) show(walk, child, alias, field, start, node);
    if (ts_subtree_child_count(*child) > 0) enter(walk, child, start, visible ? 0 : field, visible);
    if (visible) return true;
  }
  return false;
}
