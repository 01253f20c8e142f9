/* Storage: the memory layout of a program, as index functions (--dump=memory). */
#pragma once

#include "ir/target.h"
#include "ir/tree/tree.h"

/* Parts of the layout besides globals, images and states. */
typedef struct StorageParts {
  bool has_shared;           /* columns of what strands read of each other */
  bool is_dual;              /* all states twice */
  bool has_columns;          /* on a device */
  bool has_groups;           /* states are vectors in memory, too */
  const char *running_title; /* states of strands that run together; NULL: none */
  const char *running_axis;  /* their number */
} StorageParts;

/* The places; the last row is zeros. */
const MemoryPlace *storage_places(Cx *cx, const TreeProgram *program, const StorageParts *parts);
