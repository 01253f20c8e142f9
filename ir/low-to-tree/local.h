/* What the files of low-to-tree share: the conversion of one function. */
#pragma once

#include "frontend/base/bits.h"
#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "ir/low-to-tree/spell.h"
#include "ir/tree/tree.h"

/* A variable and the values it holds one after another; at most one of them is live at a time. */
typedef struct Place {
  TreeVar *var;
  ValueVec held;
  Bits taken;       /* ids of the blocks at whose entry one is live or begins, once asked for */
  uint32_t n_taken; /* of held, that are counted there */
  bool is_fixed;    /* no other value may take it over */
  const Inst *reduction; /* in whose body it is, which assigns no variables of others; or NULL */
  const Inst *initial;   /* the jump whose argument the declaration has already stored */
} Place;

typedef VEC(const Inst *) InstVec;

typedef struct Structure {
  Cx *cx;
  const Func *fn;
  TreeFunc *out;
  const Map *callees; /* Func to TreeFunc */
  Spell *names;       /* of the program */
  Spell *spell;       /* of the function */
  Map *places;        /* Value to Place */
  Map *exprs;         /* Value to TreeExpr: literals, and expressions that wait for their one use */
  ValueVec waiting;   /* those that read globals */
  Map *jumps;         /* Block to InstVec: the jumps that lead there */
  Map *before;    /* Block to BlockVec: after which it runs, NEXT at the end of a loop included */
  Map *loop_ends; /* Block that ends in NEXT, to its loop's Inst */
  const Inst *reduction; /* in whose body this is, or NULL */
} Structure;

/* structure.c: blocks to statements. */
void structure_body(Structure *s);

/* nest.c: values to expressions. */
TreeExpr *nest_use(Structure *s, Value *value, Span span);
void nest_begin(Structure *s);                              /* of a block */
void nest_inst(Structure *s, Inst *inst, TreeStmtVec *out); /* not for terminators */

/* place.c: variables. */
Place *place_new(Structure *s, Value *value, const char *hint);
Place *place_of(const Structure *s, const Value *value); /* NULL when it has none */
void place_hold(Structure *s, Place *place, Value *value);
/* A place of one of the candidates that value may take over at the entry of blk (and of also, when
 * not NULL), or NULL. */
Place *place_reuse(Structure *s, Value *value, const ValueVec *candidates, const Block *blk,
                   const Block *also);
/* Stores args to the places of params (NULL or unused: skipped), all at once in effect. */
void place_assign(Structure *s, const Inst *inst, Value *const *params, Value *const *args,
                  uint32_t n, TreeStmtVec *out);
void place_declare(Structure *s, Place *place, TreeExpr *init, Span span, TreeStmtVec *out);
