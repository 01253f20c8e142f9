/* Execution: how strands are executed, as one table of functions: one after the other
 * (one_strand.c), many at once in the lanes of vector registers (lanes), each by a thread of a
 * device (backend-cuda). Statements are walked by one walker (gen_stmts), which asks the table for
 * whatever depends on that; nobody asks which table it is.
 *
 * A new way starts from a copy of `one_strand` and replaces what differs:
 *
 *   Execution how = one_strand;
 *   how.function = "DDR_DEVICE_FN";
 *   how.load_other = from_column;       ...
 */
#pragma once

#include "backend-c/types/types.h"

/* What a function may find around it: needed when, as what, and where block functions have it. */
typedef struct Surrounding {
  uint32_t need; /* NEED_... */
  const char *type, *name;
  const char *of_block; /* field of the block, or of its strands; NULL: a variable there, too */
  bool is_of_strands;
} Surrounding;

/* A header of runtime/include that code executed in this way needs. */
typedef struct ExecutionHeader {
  enum {
    HEADER_ALWAYS,
    HEADER_WITH_IMAGES,
    HEADER_WITH_WINDOWS,
    HEADER_WITH_EIGEN,
    HEADER_WITH_QUERIES,
    HEADER_WITH_REDUCTIONS /* in the update method */
  } when;
  const char *header; /* NULL: behind the last row */
} ExecutionHeader;

/* Which states of others code sees: strands those at the beginning of the superstep, global blocks
 * what they are now. */
typedef enum { STATES_BEFORE, STATES_NOW } StatesSeen;

struct Execution {
  /* ---- text around functions */
  const ExecutionHeader *headers;
  const char *string_header; /* of the system, for programs that compare strings; or NULL */
  const char *function;      /* qualifiers of the program's own functions */
  const char *(*states)(Gen *gen, StatesSeen seen); /* type of `states`, of all: "struct ray *" */

  /* ---- expressions */
  bool has_pairs;      /* of samples: ddr/device/samples.h */
  bool picks_elements; /* of short sequences: an index known at run time only puts none in memory */
  CExpr *(*instead)(Gen *gen, const TreeExpr *expr); /* of what is usual, or NULL; may be NULL */
  CExpr *(*in_block)(Gen *gen, const Surrounding *what); /* where a block function has it */
  CExpr *(*read)(Gen *gen, const TreeVar *var);
  CExpr *(*load)(Gen *gen, uint32_t i);                 /* component i of the strand's own state */
  CExpr *(*load_other)(Gen *gen, const TreeExpr *expr); /* OP_STRAND_STATE */
  CExpr *(*probe)(Gen *gen, const TreeExpr *expr); /* OP_SAMPLING_...; NULL: none is ever made */
  CExpr *(*compare_strings)(Gen *gen, const TreeExpr *expr); /* OP_STREQ, OP_STRNE */

  /* ---- statements, one of each kind; bodies by gen_stmts */
  void (*declare)(Gen *gen, const TreeStmt *stmt);
  void (*assign)(Gen *gen, const TreeStmt *stmt);
  void (*store)(Gen *gen, uint32_t i, const TreeExpr *value); /* component i of the state */
  void (*branch)(Gen *gen, const TreeStmt *stmt);
  void (*loop)(Gen *gen, const TreeStmt *stmt);
  void (*leave)(Gen *gen, const TreeStmt *stmt);
  void (*call)(Gen *gen, const TreeStmt *stmt); /* calls, effects, reductions */
  CExpr *(*n_on)(Gen *gen); /* how many strands run what is being emitted, at this moment */
  /* How many statements from there on it has emitted together; NULL: never any. */
  uint32_t (*gather)(Gen *gen, const TreeStmtVec *stmts, uint32_t first);
  /* Whether it has opened a block for the statements from there on, before them; NULL: never. */
  bool (*guard)(Gen *gen, const TreeStmtVec *stmts, uint32_t next);

  /* ---- strands */
  void (*after_method)(Gen *gen, const TreeFunc *fn, CExpr *self); /* in block functions */
  CExpr *(*newborn)(Gen *gen);                 /* room for a strand's state, or NULL at run time */
  void (*after_birth)(Gen *gen, CExpr *child); /* needs the pool; or NULL */

  /* ---- what the update method is, where it is not one strand's; NULL: as for one strand */
  bool is_tiled;    /* gains where strands side by side run together */
  bool shares_pool; /* strands leave the pool of the block one by one (sequence_owner.c) */
  bool takes_slots; /* says whose births are whose (program.h) */
  const char *states_title, *states_axis; /* of its own storage of states, and its fastest axis */
  void (*structs)(Gen *gen);
  bool (*method)(Gen *gen, const TreeFunc *fn); /* emits it, or leaves it to be one strand's */
  void (*update)(Gen *gen);                     /* the block function */
};

/* One strand at a time, whatever surrounds it. */
extern const Execution one_strand;
