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

static inline void enter(gh_tree_walk *walk, const Subtree *parent, uint32_t start, TSFieldId field, bool visible) {
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

static inline TSFieldId field_of(const Frame *frame) {
  for (const TSFieldMapEntry *entry = frame->fields; entry < frame->fields_end; ++entry)
    if (!entry->inherited && entry->child_index == frame->index) return entry->field_id;
  return frame->field;
}

// What a child says of itself. Most are small leaves that are no more than these bits.
typedef struct {
  uint32_t padding, size, children;
  TSSymbol symbol;
  bool extra, visible, missing;
} Look;

static inline Look look_at(Subtree subtree) {
  if (subtree.data.is_inline)
    return (Look){.padding = subtree.data.padding_bytes,
                  .size = subtree.data.size_bytes,
                  .symbol = subtree.data.symbol,
                  .extra = subtree.data.extra,
                  .visible = subtree.data.visible,
                  .missing = subtree.data.is_missing};
  const SubtreeHeapData *heap = subtree.ptr;
  return (Look){.padding = heap->padding.bytes,
                .size = heap->size.bytes,
                .children = heap->child_count,
                .symbol = heap->symbol,
                .extra = heap->extra,
                .visible = heap->visible,
                .missing = heap->is_missing};
}

static inline gh_tree_node shown(const gh_tree_walk *walk, Look look, TSSymbol alias, TSFieldId field, uint32_t start) {
  return (gh_tree_node){
      .symbol = ts_language_public_symbol(walk->tree->language, alias != 0 ? alias : look.symbol),
      .field = field,
      .start = start,
      .end = start + look.size,
      .depth = walk->depth,
      .missing = look.missing,
  };
}

uint32_t gh_tree_walk_some(gh_tree_walk *walk, gh_tree_node *nodes, uint32_t room) {
  uint32_t count = 0;
  if (!walk->started && room > 0) {
    const Subtree *root = &walk->tree->root;
    const Look look = look_at(*root);
    walk->started = true;
    nodes[count++] = shown(walk, look, 0, 0, look.padding);
    if (look.children > 0) enter(walk, root, look.padding, 0, true);
  }
  while (count < room && walk->size > 0) {
    Frame *top = &walk->frames[walk->size - 1];
    if (top->child == top->end) {
      walk->depth -= top->visible ? 1 : 0;
      --walk->size;
      continue;
    }
    const Subtree *child = top->child++;
    const Look look = look_at(*child);
    const uint32_t start = top->position + look.padding;
    top->position = start + look.size;
    TSSymbol alias = 0;
    TSFieldId field = 0;
    if (!look.extra) {
      if (top->aliases != NULL) alias = top->aliases[top->index];
      field = field_of(top);
      ++top->index;
    }
    const bool visible = alias != 0 || look.visible;
    if (visible) nodes[count++] = shown(walk, look, alias, field, start);
    if (look.children > 0) enter(walk, child, start, visible ? 0 : field, visible);
  }
  return count;
}
