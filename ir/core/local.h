/* What the files of ir/core share. */
#pragma once

#include "frontend/base/bits.h"
#include "frontend/base/text.h"
#include "frontend/base/vec.h"
#include "ir/core/ir.h"
#include "ir/ein/ein.h"
#include "ir/index/ixfun.h"

/* ---- verifying: verify.c walks the structure, verify_inst.c checks one instruction ----------- */

typedef struct Verifier {
  Cx *cx;
  const Module *m;
  const Func *fn;
  const Block *blk;
  const Inst *inst;  /* NULL while no instruction is looked at */
  const char *error; /* the first one, with its place */
  Bits visited;      /* blocks by id */
  Bits defined;      /* values by id, anywhere in the function */
  Bits visible;      /* values by id, at the point of the walk */
} Verifier;

void verify_fail(Verifier *v, const char *format, ...) TEXT_FORMAT(2, 3);
/* Types, attribute and level; not control flow. */
void verify_inst(Verifier *v, const Inst *inst);
/* False when the op is not one of verify_seq.c. */
bool verify_seq_op(Verifier *v, const Inst *inst);
/* False when the op is not one of verify_strand.c. */
bool verify_strand_op(Verifier *v, const Inst *inst);
/* Ops on strands belong to certain kinds of functions. */
void verify_strand_place(Verifier *v, const Inst *inst);
/* False when the op is not one of verify_sampling.c. */
bool verify_sampling_op(Verifier *v, const Inst *inst);
/* Checks that an op fits the sampling to which it refers, if any, and its function. */
void verify_sampling_use(Verifier *v, const Inst *inst);
/* Checks that a kernel fits images of dimension dim; below, the border of a group. */
void verify_kernel_axes(Verifier *v, const Kernel *kernel, uint32_t dim);
void verify_group_border(Verifier *v, const ProbeGroup *group);
void verify_sampling_func(Verifier *v);
void verify_sampling_leave(Verifier *v, const Inst *leave);
/* verify_memory.c: checks that the index function of a value, if any, fits its type. */
void verify_memory(Verifier *v, const Value *value);
/* Is a value of this type allowed at the level? */
bool verify_type_is_legal(Level level, const Type *ty);
/* The values that stand for one of type ty: args[*pos] and on. Moves *pos past them. */
void verify_components(Verifier *v, const Type *ty, Value *const *args, uint32_t n_args,
                       uint32_t *pos);

/* ---- reading IR text: parse.c is the structure, parse_piece.c words, attributes and constants  */

typedef struct IrBlock {
  Block *block; /* NULL: not met */
  bool is_defined;
} IrBlock;

typedef struct IrReader {
  Cx *cx;
  Module *m;
  const char *pos, *start; /* start of the text; it ends with a NUL */
  bool has_failed;         /* a message was given; reading stops */
  Func *fn;
  ValueVec values;     /* by number; NULL: not met; without type: met, but not yet defined */
  VEC(IrBlock) blocks; /* by number */
  BlockVec ordered;    /* in the order of their definitions */
} IrReader;

void ir_read_fail(IrReader *r, const char *format, ...) TEXT_FORMAT(2, 3);
void ir_read_blank(IrReader *r);                    /* skips spaces, not line ends */
void ir_read_space(IrReader *r);                    /* skips spaces, line ends and comments */
bool ir_read_mark(IrReader *r, const char *mark);   /* after blanks; consumes it when it is next */
void ir_read_expect(IrReader *r, const char *mark); /* fails when it is not */
/* A word of letters, digits and underscores; consumed when it is next. */
bool ir_read_keyword(IrReader *r, const char *word);
uint32_t ir_read_word(IrReader *r, const char **word); /* length; 0 when there is none */
uint32_t ir_read_number(IrReader *r);
const char *ir_read_string(IrReader *r); /* quoted */
const Name *ir_read_hint(IrReader *r);   /* quoted name, or NULL when none is next */
const Type *ir_read_type(IrReader *r);
const Ixfun *ir_read_ixfun(IrReader *r);
Span ir_read_span(IrReader *r, const char *from); /* of the text since from when none is given */
Attr ir_read_attr(IrReader *r, AttrKind kind);
const Const *ir_read_const(IrReader *r);
