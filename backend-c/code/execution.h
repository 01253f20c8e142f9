/* Execution: the execution model, a table of functions that generate code: for one strand after
 * another (one_strand.c), for many strands at once in the lanes of vector registers (lanes), or for
 * one strand per thread of a device (backend-cuda). One walker (gen_stmts) goes through the
 * statements, and calls these functions for all that depends on the model. No code asks which table
 * is in use.
 *
 * A new model starts from a copy of `one_strand` and replaces what differs:
 *
 *   Execution how = one_strand;
 *   how.function = "DDR_DEVICE_FN";
 *   how.load_other = from_column;       ...
 */
#pragma once

#include "backend-c/types/types.h"

/* A value that functions take as a parameter if they need it, and its source in block functions. */
typedef struct Surrounding {
  uint32_t need; /* NEED_... */
  const char *type, *name;
  const char *of_block; /* a field of ddr_block; NULL: block functions have a variable, too */
  bool is_of_strands;   /* of_block is a field of block->strands instead */
} Surrounding;

/* A header of runtime/include that the generated code includes, and when. */
typedef struct ExecutionHeader {
  enum {
    HEADER_ALWAYS,
    HEADER_WITH_IMAGES,
    HEADER_WITH_NARROW, /* images that may keep samples narrower than reals */
    HEADER_WITH_COPIES, /* of samples, as reals */
    HEADER_WITH_WINDOWS,
    HEADER_WITH_EIGEN,
    HEADER_WITH_LISTS,
    HEADER_WITH_GROUPS,   /* of states */
    HEADER_WITH_CREATION, /* of several strands at once */
    HEADER_WITH_EFFORT,   /* where the program chooses between both */
    HEADER_WITH_QUERIES,
    HEADER_WITH_REDUCTIONS, /* of ranges: in a method in lanes, or in the values of members */
    HEADER_WITH_MEMBERS     /* whose values are computed by `give` */
  } when;
  const char *header; /* NULL: end of the table */
} ExecutionHeader;

/* Which states of other strands code reads: strands those at the start of the superstep, global
 * blocks the current ones. */
typedef enum { STATES_BEFORE, STATES_NOW } StatesSeen;

struct Execution {
  /* ---- text around functions */
  const ExecutionHeader *headers;
  bool has_both;             /* the method for one strand, too */
  const char *string_header; /* system header for programs that compare strings; or NULL */
  const char *function;      /* qualifiers of the program's own functions */
  const char *(*states)(Gen *gen, StatesSeen seen); /* type of `states`, of all: "struct ray *" */

  /* ---- expressions */
  bool has_pairs; /* samples are stored in pairs: ddr/device/samples.h */
  bool has_turns; /* sums of reals take values in the order of their tree: ddr/device/reals.h */
  bool picks_elements; /* short sequences stay in registers, also with an index known at run time */
  /* Code for an expression that this model treats differently, or NULL; the pointer may be NULL. */
  CExpr *(*instead)(Gen *gen, const TreeExpr *expr);
  CExpr *(*in_block)(Gen *gen, const Surrounding *what); /* its value in a block function */
  CExpr *(*read)(Gen *gen, const TreeVar *var);
  CExpr *(*load)(Gen *gen, uint32_t i);                 /* component i of the strand's own state */
  CExpr *(*load_other)(Gen *gen, const TreeExpr *expr); /* OP_STRAND_STATE */
  CExpr *(*probe)(Gen *gen, const TreeExpr *expr); /* OP_SAMPLING_...; NULL: no grid is sampled */
  CExpr *(*compare_strings)(Gen *gen, const TreeExpr *expr); /* OP_STREQ, OP_STRNE */

  /* ---- statements, one of each kind; bodies by gen_stmts */
  void (*declare)(Gen *gen, const TreeStmt *stmt);
  void (*assign)(Gen *gen, const TreeStmt *stmt);
  void (*store)(Gen *gen, uint32_t i, const TreeExpr *value); /* component i of the state */
  void (*branch)(Gen *gen, const TreeStmt *stmt);
  void (*loop)(Gen *gen, const TreeStmt *stmt);
  void (*leave)(Gen *gen, const TreeStmt *stmt);
  void (*call)(Gen *gen, const TreeStmt *stmt); /* calls, effects, reductions */
  CExpr *(*n_on)(Gen *gen); /* number of active strands at this place, when the program runs */
  /* Emits statements from `first` on together, and returns how many; or code that is needed before
   * them, and returns 0. NULL: it never does. */
  uint32_t (*gather)(Gen *gen, const TreeStmtVec *stmts, uint32_t first);
  /* Returns true if it has opened a block around the statements from `next` on, which the walker
   * closes; NULL: it never does. */
  bool (*guard)(Gen *gen, const TreeStmtVec *stmts, uint32_t next);

  /* ---- strands */
  void (*after_method)(Gen *gen, const TreeFunc *fn, CExpr *self); /* in block functions */
  CExpr *(*newborn)(Gen *gen);                 /* memory for a new state; may be NULL at run time */
  void (*after_birth)(Gen *gen, CExpr *child); /* uses the pool; or NULL */

  /* Stores the values of members to the columns of a reduction, as far as n_whole, which it
   * declares, and moves `slot` behind them. False: it does not; the pointer may be NULL. */
  bool (*give)(Gen *gen, const TreeStmt *reduce);
  bool gives_values;    /* it also computes values; false: it only copies state variables */
  uint32_t given_needs; /* NEED_... of these values */

  /* ---- an update method for several strands at once; NULL: the same as for one strand */
  bool is_tiled;    /* faster if strands that run together are neighbours on the grid */
  bool shares_pool; /* strands leave the pool of the block one by one (sequence_owner.c) */
  bool takes_slots; /* records which strand made which births (program.h) */
  /* For --dump=memory: its storage of states, and the fastest axis of that. */
  const char *states_title, *states_axis;
  void (*structs)(Gen *gen);
  bool (*method)(Gen *gen, const TreeFunc *fn); /* emits fn; false: emit it for one strand */
  void (*update)(Gen *gen);                     /* emits the block function */

  /* Emits the block function that creates several strands at once; NULL: one at a time. */
  void (*create)(Gen *gen);
};

/* One strand at a time. */
extern const Execution one_strand;
