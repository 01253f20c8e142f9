/* Op: lookups over ops.def. */
#pragma once

#include "frontend/lang/sig.h"

typedef enum {
#define OP(id, ...) OP_##id,
#include "ir/op/ops.def"
  OP_COUNT
} OpId;

typedef enum { LEVEL_HIGH = 1, LEVEL_MID = 2, LEVEL_LOW = 4 } Level;

typedef enum { EFFECT_PURE, EFFECT_READ, EFFECT_WRITE, EFFECT_IO, EFFECT_EXIT } Effect;

typedef enum {
  ATTR_NONE,
  ATTR_BOOL,     /* b */
  ATTR_INT,      /* i */
  ATTR_REAL,     /* real */
  ATTR_STRING,   /* s */
  ATTR_ROW,      /* row */
  ATTR_PAIR,     /* pair */
  ATTR_SUPPORTS, /* supports */
  ATTR_KERNEL,   /* kernel */
  ATTR_VAR,      /* var, into Module.globals */
  ATTR_STATE,    /* var, into Module.state */
  ATTR_FUNC,     /* func */
  ATTR_EXIT,     /* exit */
  ATTR_EIN,      /* ein */
  ATTR_GROUP,    /* group */
  ATTR_REDUCE,   /* reduce */
} AttrKind;

const char *op_text(OpId op);
OpId op_find(const char *text, size_t len); /* OP_COUNT when unknown */
uint32_t op_levels(OpId op);                /* bit set of Level */
Effect op_effect(OpId op);
AttrKind op_attr_kind(OpId op);
const char *op_sig_text(OpId op);
const char *op_meaning(OpId op);
bool op_is_special(OpId op);        /* has no signature: the verifier has code for it */
const Sig *op_sig(Cx *cx, OpId op); /* parsed once per compilation; not for special ops */
bool op_is_terminator(OpId op);
bool op_is_window(OpId op);          /* loads samples, with a rule for those outside the grid */
const char *level_text(Level level); /* "high", "mid", "low" */
