/* IR: the container of the levels HIGH, MID and LOW, a control-flow graph in SSA form.
 *
 * Blocks have parameters instead of phis; a terminator passes arguments to its successors. Control
 * flow is structured: a BRANCH names the block where its two arms meet, a loop is one terminator
 * (FOREACH, REDUCE) whose body ends with NEXT, a method ends with LEAVE.
 *
 *   branch %c, b1, b2, merge b3      both arms end in jump b3(...) or LEAVE; no merge: both LEAVE
 *   foreach %lo, %hi, b4(%a), b5     b4(i, a): body; next(%a2): next round; b5(a): after the loop,
 *                                    which gets the values carried last; NEXT has no successors
 *   reduce<sum, max> %lo, %hi, b4(), b5()
 *                                    b4(i): body; next(%x, %y) has a value for each reduction;
 *                                    b5(s, m): the sum of the first, the maximum of the second
 *   reduce<sum active> b4(), b5()    the same for each strand of a set, b4(p)
 *   leave<stabilize>(%p, %q)         one value per state variable; a body never leaves
 *
 * Values are visible like names in nested braces: a value defined in an arm or a loop body is
 * visible there only, and reaches the merge block or the block after a loop only as a parameter.
 * Every block is reached once in this nesting. A branch whose arms both leave has no merge block; a
 * merge block has at least one jump to it.
 *
 * Only ir.c edits instruction lists, operands and use lists. Next: build.h, ein.h, ops.def.
 */
#pragma once

#include "frontend/base/vec.h"
#include "frontend/lang/constant.h"
#include "frontend/lang/kernel.h"
#include "ir/core/reduction.h"
#include "ir/op/op.h"
#include "ir/op/op_eval.h"

typedef struct Module Module;
typedef struct Func Func;
typedef struct Block Block;
typedef struct Inst Inst;
typedef struct Value Value;
typedef struct Use Use;
typedef struct Ein Ein; /* ir/ein/ein.h */

/* ---- attributes ------------------------------------------------------------------------------ */

typedef enum { EXIT_RETURN, EXIT_ACTIVE, EXIT_STABILIZE, EXIT_DIE } ExitKind;

typedef enum { BORDER_NONE, BORDER_CLAMP, BORDER_MIRROR, BORDER_WRAP, BORDER_CONST } Border;

#define WHOLE UINT32_MAX /* component of a VarRef: the whole value */

typedef struct VarRef {
  uint32_t index;     /* into Module.globals or Module.state */
  uint32_t component; /* row-major scalar component (LOW), or WHOLE */
} VarRef;

/* Attribute of PROBE_GROUP. Results: for each order m in orders, ascending, tensor[s,d,..d] (m
 * d's), derivatives in index space, component axes first. Operands: image, position in index space,
 * and for BORDER_CONST the value outside. */
typedef struct ProbeGroup {
  const Kernel *kernel;
  uint32_t orders; /* bit m: the m-th derivative is wanted */
  Border border;
  uint32_t sampling; /* 0; or 1 + the number of a FN_SAMPLING that has the results, too */
} ProbeGroup;

/* A partial derivative: its order along x, y, z. */
typedef struct Partial {
  uint8_t along[3];
} Partial;
typedef VEC(Partial) PartialVec;

/* The distinct partial derivatives of a group in dim dimensions, lowest order first, each order in
 * the row-major order of its tensor. */
PartialVec group_partials(Arena *a, const ProbeGroup *group, uint32_t dim);
uint32_t group_max_order(const ProbeGroup *group);
/* The type of KERNEL_WEIGHTS: tensor[dim, orders, taps], axes x first, all orders up to the
 * highest. */
const Type *group_weights_type(Cx *cx, const ProbeGroup *group, uint32_t dim);

/* One loop that computes several reductions. */
typedef struct Reduce {
  ReduceOver over;
  uint32_t n_kinds; /* operands of NEXT, parameters of the block after */
  const Reduction *kinds;
} Reduce;

/* Half-supports along x, y, z; axes beyond the dimension have that of the last one. */
typedef struct Supports {
  uint8_t along[KERNEL_MAX_AXES];
} Supports;

typedef struct ConstRow {
  uint32_t width;
  const Rational *lanes;
} ConstRow;

Supports supports_of(const Kernel *kernel);
bool supports_are_one(const Kernel *kernel); /* the same along each axis */
/* The wider one on each axis. */
Supports supports_join(Supports a, Supports b);

typedef union Attr {
  bool b;
  int64_t i;
  RealConst real;
  const char *s;
  ConstRow row;
  struct {
    uint32_t i, j;
  } pair;
  Supports supports;
  const Kernel *kernel;
  VarRef var;
  Func *func;
  ExitKind exit;
  const Ein *ein;
  ProbeGroup group;
  Reduce reduce;
} Attr;

#define ATTR_EMPTY ((Attr){.i = 0})

/* Whether attributes mean the same; reals must have the same bits and digits. Equal attributes have
 * equal hashes. */
bool attr_eq(AttrKind kind, Attr a, Attr b);
uint32_t attr_hash(AttrKind kind, Attr attr);
/* The value of a CONST op; kind OV_NONE for other ops. */
OpValue attr_value(OpId op, Attr attr, EvalMode mode);

/* ---- values, instructions, blocks ------------------------------------------------------------ */

struct Use { /* operand arg of user; all uses of a value are linked */
  Inst *user;
  uint32_t arg;
  Use *prev, *next;
};

struct Value {
  uint32_t id; /* unique in its function; printed as %id */
  const Type *ty;
  const Name *name;       /* hint from the source, or NULL */
  Inst *def;              /* defining instruction, or NULL for a block parameter */
  Block *block;           /* of the parameter; NULL otherwise */
  const struct Ixfun *at; /* of an array: the places of its elements (memory.h); NULL: unknown */
  uint32_t index;         /* result or parameter number */
  Use *uses;
};

typedef struct Succ {
  Block *block;
  uint32_t first_arg, n_args; /* operands passed to the block's parameters */
} Succ;

struct Inst {
  OpId op;
  Attr attr;
  Span span;
  bool is_unchecked; /* its value may not be chosen: insert_checks leaves it alone */
  Block *block;
  Inst *prev, *next;
  Func *fn;     /* also while detached */
  Value **args; /* operands proper first, then those of the successors */
  uint32_t n_args;
  Value **results;
  uint32_t n_results;
  Succ *succs; /* BRANCH: then, else. FOREACH, REDUCE: body, after. */
  uint32_t n_succs;
  Block *merge; /* BRANCH only; may be NULL */
  Use **uses;   /* link of each operand in its value's uses */
};

typedef VEC(Value *) ValueVec;
typedef VEC(Block *) BlockVec;

struct Block {
  uint32_t id; /* printed as b<id> */
  Func *fn;
  ValueVec params;
  Inst *first, *last; /* last is the terminator once the block is complete */
};

typedef enum {
  FN_USER,    /* params -> leave<return>(result) */
  FN_GLOBALS, /* () -> leave<return>(): initial values and the initialize block, by stores */
  FN_BOUNDS,  /* () -> leave<return>(lo, hi, lo, hi, ...): iterators, slowest first */
  FN_ARGS,    /* (iterators) -> leave<return>(strand parameters): of an initial strand */
  FN_CREATE,  /* (strand parameters) -> leave<active>(state): initialisation */
  FN_START,   /* (state) -> leave<...>(state): strand method */
  FN_UPDATE,
  FN_STABILIZE,
  FN_GLOBAL_START, /* () -> leave<return>(); leave<stabilize|die> never: those are ops there */
  FN_GLOBAL_UPDATE,
  FN_SAMPLING, /* (iterators) -> leave<return>(position in index space, kernel_weights there): where
                * a strand of a grid probes an image. Numbered in the order of the module */
} FuncKind;
bool func_is_method(FuncKind kind); /* of a strand, over its state: start, update, stabilize */

struct Func {
  FuncKind kind;
  const Name *name;
  Module *module;
  const Type *result; /* FN_USER */
  VarRef image;       /* FN_SAMPLING: whole */
  ProbeGroup group;   /* FN_SAMPLING: what is asked of the image; its own sampling is 0 */
  BlockVec blocks;    /* blocks.data[0] is the entry; its parameters are the function's */
  Span span;
  uint32_t next_value, next_block;
};
typedef VEC(Func *) FuncVec;

/* ---- module ---------------------------------------------------------------------------------- */

typedef enum {
  GLOBAL_INPUT, /* input */
  GLOBAL_VAR,
  GLOBAL_IMAGE, /* file: image named in the program, loaded before FN_GLOBALS runs */
  GLOBAL_SEQ,   /* file: sequence named in the program, loaded before FN_GLOBALS runs */
} GlobalKind;

/* How probes read an image, from high-to-mid on: what --prefilter and --decimate need to know. */
typedef struct ImageUse {
  uint32_t kernels;     /* bit k: kernel_at(k) */
  uint32_t borders;     /* bit b: Border b */
  const Const *outside; /* the value of all BORDER_CONST; NULL: several, or known only later */
} ImageUse;

/* Fields, kernels and bordered images are never globals here: their definitions are expanded at
 * each use, so only values and plain images are stored. */
typedef struct Global {
  GlobalKind kind;
  const Name *name;
  const Type *ty;
  const char *description; /* input: text for its users, or NULL */
  const Const *value;      /* input: default value, or NULL */
  const char *file;        /* image or sequence: file loaded when the user names none, or NULL */
  /* Image: the type in which it keeps samples, unless the file has another type. */
  SampleType samples;
  ImageUse use;    /* image */
  bool is_derived; /* a pass made it: FN_GLOBALS alone computes it, from other globals */
  Span span;
} Global;

typedef struct StateVar {
  const Name *name;
  const Type *ty;
  bool is_output, is_varying, is_shared;
  Span span;
} StateVar;

typedef struct StrandParam {
  const Name *name;
  const Type *ty;
  Span span;
} StrandParam;

/* The kinds of records. */
typedef enum {
#define TRACE(id, text) TRACE_##id,
#include "runtime/include/ddr/trace.def"
} TraceKind;

/* A place of the source for which OP_TRACE makes records, in programs that can be traced. */
typedef struct TraceSite {
  TraceKind kind;
  const char *name;   /* a variable, a function, or the text of an expression */
  const Type **types; /* of the values, as they are at HIGH */
  uint32_t n_types;
  Span span;
} TraceSite;

/* An access to samples or to components of a tensor: as a formula, its place in memory, and lines
 * on the result of mid-to-low. */
typedef struct AccessNote {
  Span span;
  const char *access, *place, *low;
} AccessNote;

struct Module {
  Cx *cx;
  Level level;
  const Name *strand_name;
  VEC(Global) globals;
  VEC(StrandParam) params;
  VEC(StateVar) state;      /* strand parameters that methods read are state, too */
  VEC(TraceSite) traces;    /* by number; not in the text of a module */
  VEC(AccessNote) accesses; /* if cx->is_noted; not in the text of a module */
  FuncVec funcs;            /* callees before callers */
  uint32_t n_iters;         /* of the creation */
  bool is_collection;
};

/* ---- editing --------------------------------------------------------------------------------- */

Module *module_new(Cx *cx, Level level);
Func *func_new(Module *m, FuncKind kind, const Name *name, Span span);
Func *module_find_func(const Module *m, FuncKind kind); /* NULL when absent; not for FN_USER */
Func *module_find_sampling(const Module *m, uint32_t number); /* NULL when there are fewer */
void module_remove_func(Module *m, const Func *fn);
/* A name that no global has: the prefix and a number. */
const Name *module_unused_name(const Module *m, const char *prefix);
/* A new global that the program sets; a number is added to the prefix. */
uint32_t module_add_var(Module *m, const char *prefix, const Type *ty, Span span);
/* The number of the state variable that queries read; the number of variables if there is none. */
uint32_t module_find_pos(const Module *m);
/* Removes globals with dead[i], to which nothing refers, and numbers the others anew. */
void module_remove_globals(Module *m, const bool *dead);
/* Removes state variables with dead[i], which no method and no other strand reads. Not at LOW. */
void module_remove_state(Module *m, const bool *dead);

Block *block_new(Func *fn);
Value *block_add_param(Block *blk, const Type *ty, const Name *name);
/* Removes a parameter, and the argument of jumps to the block. The parameter must have no other
 * uses. Not for blocks of a loop. */
void block_remove_param(Block *blk, uint32_t i);
/* Removes the blocks with dead[i] (of blocks.data[i]), to which no other block refers. */
void func_remove_blocks(Func *fn, const bool *dead);
/* Moves the instructions of a block to the end of another, which has lost its terminator. */
void block_splice(Block *dst, Block *src);
Inst *block_terminator(const Block *blk); /* NULL while incomplete */

/* Detached instruction without results; args are copied. */
Inst *inst_new(Func *fn, OpId op, Attr attr, Span span, Value *const *args, uint32_t n_args);
Value *inst_add_result(Inst *inst, const Type *ty, const Name *name);
void inst_add_succ(Inst *inst, Block *blk, Value *const *args, uint32_t n_args);
void inst_append(Block *blk, Inst *inst);
void inst_insert_before(Inst *inst, Inst *where);
void inst_move_before(Inst *inst, Inst *where); /* of the same function */
void inst_remove(Inst *inst);                   /* results have no uses; operands lose theirs */
void inst_set_arg(Inst *inst, uint32_t i, Value *value);
void inst_add_arg(Inst *inst, Value *value);  /* operand proper; not once it has successors */
void inst_remove_arg(Inst *inst, uint32_t i); /* later ones, of successors too, move up */
/* `with` gets the name hint of old if it has none. */
void value_replace_uses(Value *old, Value *with);
bool value_is_used(const Value *v);
bool inst_is_op(const Inst *inst, OpId op);
uint32_t inst_n_own_args(const Inst *inst); /* operands that are not successors' */

/* The number of successors inside a terminator, the arms of a branch or the body of a loop; they
 * come first. */
uint32_t inst_n_inner(const Inst *last);
/* The block after the arms or body; NULL: no arm reaches it, or there is nothing inside. */
Block *inst_rest(const Inst *last);

/* Loops, FOREACH and REDUCE. A FOREACH carries values: operand i of its body successor is parameter
 * 1 + i of the body, operand i of the NEXT and parameter i of the block after. A REDUCE carries
 * none: operand i of its NEXT and parameter i of the block after are values and result of kind i.
 */
uint32_t loop_n_carried(const Inst *loop);
/* Removes a carried value that is only passed on here; next is NULL if there is no second round. */
void loop_remove_carried(Inst *loop, Inst *next, uint32_t i);
/* Removes a result of a REDUCE that has others; it must have no uses. */
void reduce_remove_result(Inst *reduce, Inst *next, uint32_t i);
Inst *loop_find_next(const Inst *loop); /* NULL when every path through the body leaves */
bool inst_is_loop(const Inst *inst);

/* ---- components ------------------------------------------------------------------------------ */

/* At LOW tensors are their scalar components, row-major, in parameters, state, results and globals
 * alike; elsewhere, and for other types, a value is one of its type. */
uint64_t level_n_components(Level level, const Type *ty);
const Type *level_component(Cx *cx, Level level, const Type *ty); /* type of each */

/* A fixed sequence is one value that lies in memory: the array of its scalars, whose axes are those
 * of the sequences, outermost first, then those of the tensors in them. */
uint64_t seq_n_scalars(const Type *ty); /* of any value: a tensor's components; 1 for the others */
const Type *seq_scalar(Cx *cx, const Type *ty);
enum { SEQ_MOST_SHORT = 32 }; /* scalars of a sequence whose elements are worth registers */
/* The number of operands of a SEQ per element: at LOW those of a fixed sequence are scalars. */
uint64_t seq_n_operands(Level level, const Type *seq);
const Type *seq_operand(Cx *cx, Level level, const Type *seq); /* type of each */

/* ---- text and checking ----------------------------------------------------------------------- */

const char *ir_print(Cx *cx, const Module *m); /* doc/ir.md */
/* NULL after diag() on bad text or a module that ir_check rejects; cx->source is the text. */
Module *ir_parse(Cx *cx);
/* The first violation of the rules above, of an op's signature or attribute, of the level or of an
 * Einstein body, with the place; NULL when there is none. */
const char *ir_check(Cx *cx, const Module *m);
/* BUG naming the running pass when ir_check finds something. */
void ir_verify(Cx *cx, const Module *m);

const char *func_kind_text(FuncKind kind); /* "update" */
const char *exit_text(ExitKind kind);      /* "stabilize" */
const char *border_text(Border border);    /* "clamp" */
#define N_FUNC_KINDS (FN_SAMPLING + 1)
#define N_EXIT_KINDS (EXIT_DIE + 1)
#define N_BORDERS (BORDER_CONST + 1)
