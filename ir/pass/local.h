/* What the files of ir/pass and their tests share. */
#pragma once

#include "ir/core/build.h"
#include "ir/op/op_eval.h"
#include "ir/pass/pass.h"

/* ---- rewrite rules of simplify.def: rules.c reads them, simplify.c applies them -------------- */

typedef enum { RULE_EXACT, RULE_FAST } RuleKind;

typedef enum {
  RP_VALUE,    /* letter: any value */
  RP_CONSTANT, /* constant */
  RP_OP,       /* op, args */
} RulePatternKind;

typedef struct RulePattern RulePattern;
struct RulePattern {
  RulePatternKind kind;
  char letter;
  OpValue constant;
  OpId op;
  uint32_t n_args;
  const RulePattern *args[3];
};

typedef struct Rule {
  const char *name, *text;
  RuleKind kind;
  const RulePattern *from, *to; /* from is an op */
} Rule;
typedef VEC(Rule) RuleVec;

RuleVec rules_read(Cx *cx, Arena *a); /* in the order of simplify.def; a bad text is a BUG */

/* ---- simplify_seq.c -------------------------------------------------------------------------- */

/* A simpler value for the result of an op on sequences, made in front of inst; NULL: none is known.
 */
Value *simplify_seq(Builder *b, const Inst *inst);

/* ---- pipeline.c ------------------------------------------------------------------------------ */

/* The passes that run at a level, in order, and the one that leads to the next level (PASS_COUNT
 * after LOW). */
typedef struct Stage {
  Level level;
  const PassId *passes;
  uint32_t n_passes;
  PassId to_next;
} Stage;

const Stage *pipeline_stage(Level level);
