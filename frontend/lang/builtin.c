/* Lookups over builtins.def and compound.def. */
#include "frontend/lang/builtin.h"

#include <string.h>

static const Builtin rows[] = {
#define BUILTIN(id, name, sig, lowering, text, meaning)                                            \
  {BI_##id, name, sig, LOWER_##lowering, text, meaning},
#include "frontend/lang/builtins.def"
};

#define MAX_COMPOUND_ROWS 3

static const struct {
  const char *op;
  uint32_t n_rows;
  BuiltinId rows[MAX_COMPOUND_ROWS];
} compounds[] = {
#define COMPOUND(op, ...)                                                                          \
  {op, sizeof((BuiltinId[]){__VA_ARGS__}) / sizeof(BuiltinId), {__VA_ARGS__}},
#include "frontend/lang/compound.def"
};

const Builtin *builtin_row(BuiltinId id) { return &rows[id]; }

const Builtin *builtin_find(const char *name, uint32_t *n_rows) {
  uint32_t first = 0; /* most names differ in their first character */
  while (first < BI_COUNT &&
         (rows[first].name[0] != name[0] || strcmp(rows[first].name, name) != 0))
    first++;
  uint32_t last = first;
  while (last < BI_COUNT && strcmp(rows[last].name, name) == 0) last++;
  *n_rows = last - first;
  return last > first ? &rows[first] : NULL;
}

const BuiltinId *builtin_compound(const char *op, uint32_t *n_rows) {
  for (size_t i = 0; i < sizeof compounds / sizeof compounds[0]; i++) {
    if (strcmp(compounds[i].op, op) != 0) continue;
    *n_rows = compounds[i].n_rows;
    return compounds[i].rows;
  }
  *n_rows = 0;
  return NULL;
}

const Sig *builtin_sig(Cx *cx, BuiltinId id) { return sig_of(cx, rows[id].sig); }
