/* Lanes: the update method for many strands at once, one in each lane of vector registers
 * (runtime/include/ddr/lanes/lanes.h). In this order: choose.c decides, by forms.c, which
 * says how each value is held, and cost.c; split.c cuts expressions until every statement has one
 * form, ahead.c finds what can be computed a step ahead, expressions.c, rows.c, starts.c and
 * statements.c spell them, exchange.c moves strands, block.c runs the method over a block of
 * strands.
 *
 * Control flow becomes masks. `mask` holds the active lanes, those that run the method. A branch on
 * a varying value runs under a mask of its own, and is skipped when that is empty. An exit takes
 * lanes out of `mask` and keeps what the strands that end there have come to. Expressions are
 * computed in all lanes, active or not: every op is total, and addresses stay in bounds whatever
 * the position.
 */
#pragma once

#include "backend-c/code/code.h"
#include "backend-c/lanes/lanes.h"

/* How a value is held. */
typedef enum LaneForm {
  LANES_UNIFORM, /* one scalar: the same for all strands; the other forms are varying */
  LANES_VECTOR,  /* ddr_vreal, ddr_vint, ddr_vmask */
  LANES_ARRAY,   /* T name[DDR_LANES]: offsets, addresses, sequences */
  LANES_TAPS,    /* rows and short sequences: ddr_vreal name[width], one vector for each place */
  LANES_SLICES,  /* rows as loaded: ddr_slice4 name[...], see ddr/lanes/slices.h */
  LANES_HITS,    /* what a query of each lane finds: ddr_vhits, see ddr/lanes/hits.h */
} LaneForm;

typedef struct LaneVar {
  LaneForm form;
  uint32_t depth;   /* branches with masks around its declaration */
  uint32_t segment; /* slices: number of the loop that computes them */
  bool is_kept;     /* slices: read outside that loop */
  bool is_merged;   /* assigned under masks that are not around its declaration */
  bool is_unset;    /* so far nothing assigns it, */
  uint32_t n_loops; /* and so many loops are around its declaration */
} LaneVar;

/* See starts.c. */
typedef struct LaneStart {
  const TreeVar *corner, *line; /* of the strands; how far from it, NULL: where it is */
  const char *name;             /* NULL: not yet declared */
} LaneStart;

/* What is computed ahead (ahead.c). */
typedef struct LanesAhead {
  TreeStmtVec outer, inner; /* at the start of the method, and of the branch under its test; */
  const TreeVar *test;      /* NULL: there is no branch */
  const TreeStmt *branch;   /* likewise, as it is in `rest` */
  bool *reads;              /* components of the state that they read */
  TreeVarVec kept;          /* values of these that the step reads: in C fields of a struct, */
  VEC(const char *) names;  /* of these names */
  TreeStmtVec first, rest;  /* the method without them: before the next step's, and behind */
} LanesAhead;

/* Where statements stand: `mask` names the lanes that run them; NULL: a branch that needs none. */
typedef struct LaneScope {
  const char *mask;
  uint32_t depth;   /* branches with masks around */
  uint32_t n_loops; /* likewise, loops of all kinds */
  const char *test; /* of that branch, */
  bool is_else;     /* or of what it is the other arm of */
} LaneScope;

typedef struct Lanes {
  Gen *gen;
  Execution vectors;  /* all lanes at once */
  Execution one_lane; /* in a loop over the lanes: one, whose operands are elements */
  LaneScope scope;
  const TreeFunc *fn;
  Map *vars;             /* TreeVar to LaneVar */
  Map *names;            /* Name: taken in this function */
  Map *taps;             /* TreeVar of slices to TreeVar of their taps */
  VEC(LaneStart) starts; /* of the rows of a loop over slices */
  uint32_t n_segments;
  const TreeStmt *last;   /* of the split method */
  Map *alone;             /* branches that are walked lane by lane: their first statements */
  Map *rows;              /* in such a branch: TreeVar of taps to its row in this lane */
  const char *store_mask; /* under which the state is being stored; NULL: by all lanes */
  bool has_exit;          /* some lanes may leave before others do, */
  bool has_continue;      /* to take another step */
  bool *changes;          /* for each component of the state: whether the method stores it, */
  bool *is_read;          /* whether what it was before the step is wanted, */
  bool *outlives;         /* whether anybody reads it once the strand has ended */
  uint32_t n_gangs;       /* that take steps in turn */
  LanesAhead *ahead;      /* or NULL */
  bool may_wait;          /* lanes_may_wait */
  bool is_weighed;        /* strands may run one at a time, too: lanes_may_be_few */
  bool has_grown;         /* an analysis step changed something */
} Lanes;

/* `new` */
static inline bool lanes_is_birth(const TreeStmt *stmt) {
  return stmt->kind == TT_EFFECT && stmt->expr->op == OP_NEW_STRAND;
}

/* Lanes may leave the method there. */
static inline bool lanes_is_way_out(const TreeStmt *stmt) {
  return tree_exits(&stmt->body, NULL) != 0 || tree_exits(&stmt->else_body, NULL) != 0;
}

/* What a statement computes, or NULL; an effect, which has no value, its operand. */
static inline const TreeExpr *lanes_value(const TreeStmt *stmt) {
  const bool is_count = stmt->kind == TT_EFFECT && !lanes_is_birth(stmt);
  return is_count ? stmt->expr->args.data[0] : stmt->expr;
}

/* forms.c */
LaneForm lane_form(const Lanes *lanes, const TreeExpr *expr);
LaneVar *lane_var(const Lanes *lanes, const TreeVar *var);
TreeVar *lanes_new_var(Lanes *lanes, const char *hint, const Type *ty, LaneForm form);
const char *lanes_new_name(Lanes *lanes, const char *hint);
LaneForm lane_form_of_type(const Type *ty); /* of a varying value */
void lanes_find_forms(Lanes *lanes);        /* of all values of the method */

/* Is the branch sooner walked lane by lane? See Note [Alone]. With the second function its own
 * variables are scalars then. */
bool lanes_is_walked_alone(const Lanes *lanes, const TreeStmtVec *stmts);
bool lanes_walk_alone(Lanes *lanes, const TreeStmtVec *stmts);

/* choose.c: NULL, and the reason in the update_note of the options, where lanes_choose has none. */
Lanes *lanes_of_update(Gen *gen);

/* Of component i of the state: does the method store it, and what is wanted of it (Lanes)? What it
 * is. */
bool lanes_changes(const Lanes *lanes, uint32_t i);
bool lanes_reads(const Lanes *lanes, uint32_t i);
bool lanes_outlives(const Lanes *lanes, uint32_t i);
const Type *lanes_component_type(const Lanes *lanes, uint32_t i);

/* cost.c: is a strand loaded and stored for each step? */
bool lanes_is_one_step(const Lanes *lanes);
/* Strands in lock-step may have arrived and wait for the others: then loading them is all there is.
 * Who looks for others in each step, say, does not wait. */
bool lanes_may_wait(const Lanes *lanes);
/* Whether the whole method costs less in lanes than one strand at a time. */
bool lanes_gain(const Lanes *lanes);
bool lanes_has_loop(const TreeStmtVec *stmts);
/* Does a step take few ops? Then its branches had rather be rare. */
bool lanes_is_short(const Lanes *lanes);
/* How many lanes go on at least while there are strands to take. */
CExpr *lanes_least(Lanes *lanes);
/* How many gangs should take steps in turn. */
uint32_t lanes_n_gangs(const Lanes *lanes);
/* Statements from `first` on, in ops of a vector, about. */
uint64_t lanes_cost(const Lanes *lanes, const TreeStmtVec *stmts, uint32_t first);

/* See Note [Long branches]: whether the program weighs what it does, has the method for one strand,
 * too, and chooses as it runs; is it such a branch; what is there beside such branches. */
typedef struct LaneWeight {
  uint32_t in_lanes, alone;
} LaneWeight;
bool lanes_may_be_few(const Lanes *lanes);
bool lanes_is_long_branch(const Lanes *lanes, const TreeStmtVec *stmts);
LaneWeight lanes_weight(const Lanes *lanes, const TreeStmtVec *stmts);
/* Of the whole method, from a statement on, until some lanes have left. */
LaneWeight lanes_weight_from(const Lanes *lanes, const TreeStmtVec *stmts, uint32_t first);

/* execution.c: strands run where they are, or make others. */
bool lanes_takes_slots(const Lanes *lanes);

/* masks.c: a branch that costs no more is computed for nobody sooner than asked for. */
enum { LANES_COST_OF_BRANCH = 24 };
bool lanes_is_skipped(const Lanes *lanes, const TreeStmtVec *stmts); /* where no lane takes it */
bool lanes_uses_mask(const Lanes *lanes, const TreeStmtVec *stmts, uint32_t depth);
CExpr *lanes_merged(Lanes *lanes, const TreeVar *var, CExpr *value); /* what a variable becomes */

/* split.c: the statements with every expression of one form; pure. */
TreeStmtVec lanes_split(Lanes *lanes, const TreeStmtVec *stmts);

/* expressions.c */
const char *lane_spelling(OpId op);                          /* "" where done lane by lane */
bool lane_is_system(const TreeExpr *expr);                   /* an op that makes an eigensystem */
bool lane_is_each(const Lanes *lanes, const TreeExpr *expr); /* is its op done so, if varying? */
const char *lane_type(Lanes *lanes, const Type *ty);
CExpr *lane_expr(Lanes *lanes, const TreeExpr *expr); /* as a vector, whatever its form */
/* Between them, code is that of one lane; rows that stmts reads are declared. */
void lanes_enter(Lanes *lanes, const TreeStmtVec *stmts);
void lanes_leave(Lanes *lanes);
void lanes_open_loop(Lanes *lanes);    /* over all lanes, by code that is there once */
void lanes_declare_slot(Lanes *lanes); /* of the strand in the lane of the loop */
void lane_each(Lanes *lanes, const TreeVar *var, const TreeExpr *expr); /* into elements of var */
CExpr *lane_select(Lanes *lanes, const Type *ty, CExpr *mask, CExpr *yes, CExpr *no);
const char *lane_word(const Type *ty);                       /* "real", "int", "bool" */
CExpr *lane_all(Lanes *lanes, const Type *ty, CExpr *value); /* one value in all lanes */
CExpr *lane_of_mask(Cx *cx, const Type *ty, CExpr *value);   /* a truth value as one of a mask */
CExpr *lane_alone(Lanes *lanes, const TreeExpr *expr);       /* in a loop over the lanes */

/* The variable at the lane of the loop, and how it is assigned. */
CExpr *lane_read(Gen *gen, const TreeVar *var);
void lane_assign(Gen *gen, const TreeStmt *stmt);

/* samples.c */
CExpr *lane_sampling_value(Lanes *lanes, const TreeExpr *expr, const char *fn);
CExpr *lane_probe(Gen *gen, const TreeExpr *expr); /* of one lane */
void lanes_open_samples(Lanes *lanes); /* at the start of the method: what the former needs */

/* queries.c: what strands read of others */
bool lane_is_of_hits(const Lanes *lanes, const TreeExpr *expr);     /* length or element of hits */
bool lane_is_row_of_hits(const Lanes *lanes, const TreeExpr *expr); /* the same one of all lanes */
bool lane_is_each_hit(const Lanes *lanes, const TreeExpr *expr);    /* another one of each */
CExpr *lane_query(Lanes *lanes, const TreeExpr *expr);
CExpr *lane_row_of_hits(Lanes *lanes, const TreeExpr *expr);
CExpr *lane_hit(Lanes *lanes, const TreeExpr *expr); /* in a loop over the lanes */
CExpr *lane_state_of_others(Lanes *lanes, const TreeExpr *expr);

/* rows.c */
uint32_t lane_width(const Type *ty);                                /* of what is in taps */
CExpr *lane_tap(Lanes *lanes, const TreeExpr *row, uint32_t place); /* of what is in taps */
CExpr *lane_dot(Lanes *lanes, const TreeExpr *a, const TreeExpr *b);
bool lane_is_window(const Lanes *lanes, const TreeExpr *expr);     /* one that vectors have, */
bool lane_is_window_dot(const Lanes *lanes, const TreeExpr *expr); /* and its sum */
void lane_declare_taps(Lanes *lanes, const TreeVar *var, const TreeExpr *expr);
/* The end of the run of pure declarations that begins there. */
uint32_t lanes_run_end(const TreeStmtVec *stmts, uint32_t begin);
/* Numbers the loops over slices of the whole method, before any is emitted: slices that are read in
 * a later loop than their own, perhaps of a branch, are kept for it. */
void lanes_number_loops(Lanes *lanes, const TreeStmtVec *stmts);
/* A run of pure declarations; those of slices gathered in loops over the slices. */
void lanes_gather(Lanes *lanes, const TreeStmtVec *stmts, uint32_t begin, uint32_t end);

/* starts.c: before a loop over slices; in it before each row; NULL: a load has an address alone */
void lanes_find_starts(Lanes *lanes, const TreeStmtVec *slices);
void lanes_declare_starts(Lanes *lanes, const TreeExpr *row);
CExpr *lane_load_from_start(Lanes *lanes, const TreeExpr *load);

/* short_sequences.c: sequences that have a vector for each of their scalars */
bool lane_is_places(const Type *ty);
bool lane_is_by_places(const TreeExpr *expr); /* an op that makes one, place by place */
bool lane_is_made_by_lane(const Lanes *lanes, const TreeExpr *expr); /* one that is none of these */
const char *lane_place_type(Lanes *lanes, const Type *ty);           /* of each vector */
CExpr *lane_place(Lanes *lanes, const TreeExpr *seq, uint32_t place);
bool lane_is_at_any_place(const Lanes *lanes, const TreeExpr *expr);
CExpr *lane_at_any_place(Lanes *lanes, const TreeExpr *expr); /* what the former is true of */
bool lane_is_in_shared(const Lanes *lanes, const TreeExpr *expr);
CExpr *lane_in_shared(Lanes *lanes, const TreeExpr *expr); /* likewise */
void lane_declare_places(Lanes *lanes, const TreeVar *var, const TreeExpr *expr);
void lane_declare_places_each(Lanes *lanes, const TreeVar *var, const TreeExpr *expr); /* by lane */
void lane_declare_places_unset(Lanes *lanes, const TreeVar *var);
void lane_load_places(Lanes *lanes, const TreeVar *param, CExpr *component);
/* In the lanes of mask, or in all for NULL; reads no place behind one it has written. */
void lane_assign_places(Lanes *lanes, CExpr *places, const TreeExpr *expr, const char *mask);

/* lists.c: dynamic sequences, one for each lane */
bool lane_is_list(const Type *ty);          /* whose elements are no strands */
bool lane_makes_list(const TreeExpr *expr); /* an op that takes a buffer from the pool */
bool lane_is_of_list(const Lanes *lanes, const TreeExpr *expr); /* reads where a list lies */
void lane_load_list(Lanes *lanes, const TreeVar *param, CExpr *component);
/* In the lanes that run the statement: others' lists may be there no more. */
void lane_assign_list(Lanes *lanes, CExpr *list, const TreeExpr *expr);
void lane_copy_list(Lanes *lanes, CExpr *list, CExpr *from, const char *mask);
void lane_read_list(Lanes *lanes, const TreeVar *var, const TreeExpr *expr);

/* statements.c: what is in the table for all lanes at once. */
void lanes_fill(Execution *vectors);
void lanes_declare(Lanes *lanes, const TreeStmt *stmt); /* const, not slices */
void lanes_method(Lanes *lanes);
const char *lanes_method_name(Lanes *lanes);

/* loops.c */
/* Whether lanes have ranges of their own; `stmt` is a loop or a reduction. */
bool lanes_is_ragged(const Lanes *lanes, const TreeStmt *stmt);
LaneScope lanes_open_range(Lanes *lanes, const TreeStmt *stmt); /* the scope of its body */
void lanes_close_range(Lanes *lanes, const TreeStmt *stmt, LaneScope scope);
bool lanes_reduces_alike(const Lanes *lanes, const TreeStmt *reduce); /* to one scalar for all */
void lanes_reduce(Lanes *lanes, const TreeStmt *reduce);

/* ahead.c: what can be computed ahead of these statements of the method; NULL: nothing */
LanesAhead *lanes_find_ahead(Lanes *lanes, const TreeStmtVec *stmts);

/* ahead_code.c: finds it, emits the function that computes it, and adds the method's parameters. */
void lanes_plan_ahead(Lanes *lanes, const TreeStmtVec *stmts, CFunc *head);
const char *lanes_ahead_tag(Lanes *lanes);
void lanes_call_look_ahead(Lanes *lanes, CExpr *self, CExpr *mask, CExpr *ahead, bool is_in_block);
/* At the start of the method: calls it for the next step, and gives the statements that are left.
 * Until the end variables that are computed ahead have other names. */
TreeStmtVec lanes_begin_ahead(Lanes *lanes, TreeStmtVec stmts);
void lanes_end_ahead(Lanes *lanes);
/* Is part of the branch computed ahead? Then that knows whether any lane takes it. */
bool lanes_is_ahead(const Lanes *lanes, const TreeStmtVec *body);
CExpr *lanes_any_ahead(Lanes *lanes);

/* exchange.c */
CExpr *lanes_component_in(Lanes *lanes, const char *owner, uint32_t i); /* of a struct */
/* What the method in lanes takes besides its strands: not their slots, which the gang has. */
uint32_t lanes_needs(const Lanes *lanes);
const char *lanes_tag(Lanes *lanes);
void lanes_structs(Gen *gen);              /* of the state, and what moves strands in and out */
const char *lanes_rest_name(Lanes *lanes); /* of the function that puts running strands to rest */
void lanes_exchange(Lanes *lanes);         /* the function that stores strands and takes others */
const char *lanes_exchange_name(Lanes *lanes);
uint32_t lanes_exchange_needs(const Lanes *lanes);
CExpr *lanes_at_slot(Lanes *lanes, const char *array);
CExpr *lanes_method_at_slot(Lanes *lanes, const TreeFunc *fn, GenContext place);
void lanes_run_stabilize(Lanes *lanes, CExpr *status, GenContext place);
/* rest->x of component i = value, NULL: what self has, in the lanes of the mask; NULL: in all. */
void lanes_keep(Lanes *lanes, uint32_t i, const TreeExpr *value, const char *mask);

/* block.c */
void lanes_update(Gen *gen); /* the block function */
