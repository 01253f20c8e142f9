/* Op: the rows of ops.def as one array, and lookups over it. Next: ops.def, ir.h. */
#include "ir/op/op.h"

#include <string.h>

#include "frontend/base/panic.h"

typedef struct OpRow {
  const char *text;
  uint32_t levels;
  Effect effect;
  AttrKind attr;
  const char *sig;
  const char *meaning;
} OpRow;

enum { HIGH = LEVEL_HIGH, MID = LEVEL_MID, LOW = LEVEL_LOW };

static const OpRow op_rows[OP_COUNT] = {
#define OP(id, text, levels, effect, attr, sig, meaning)                                           \
  [OP_##id] = {text, levels, EFFECT_##effect, ATTR_##attr, sig, meaning},
#include "ir/op/ops.def"
};

const char *op_text(OpId op) { return op_rows[op].text; }
uint32_t op_levels(OpId op) { return op_rows[op].levels; }
Effect op_effect(OpId op) { return op_rows[op].effect; }
AttrKind op_attr_kind(OpId op) { return op_rows[op].attr; }
const char *op_sig_text(OpId op) { return op_rows[op].sig; }
const char *op_meaning(OpId op) { return op_rows[op].meaning; }
bool op_is_special(OpId op) { return strcmp(op_rows[op].sig, "special") == 0; }
bool op_is_terminator(OpId op) { return op_rows[op].effect == EFFECT_EXIT; }

bool op_is_window(OpId op) {
  return op == OP_WINDOW_CLAMP || op == OP_WINDOW_MIRROR || op == OP_WINDOW_WRAP ||
         op == OP_WINDOW_CONST;
}

OpId op_find(const char *text, size_t len) {
  uint32_t op = 0;
  while (op < OP_COUNT &&
         (strlen(op_rows[op].text) != len || memcmp(op_rows[op].text, text, len) != 0))
    op++;
  return (OpId)op;
}

const Sig *op_sig(Cx *cx, OpId op) {
  ASSERT(cx, !op_is_special(op));
  return sig_of(cx, op_rows[op].sig);
}

const char *level_text(Level level) {
  switch (level) {
  case LEVEL_HIGH: return "high";
  case LEVEL_MID: return "mid";
  case LEVEL_LOW: return "low";
  }
  return "?";
}
