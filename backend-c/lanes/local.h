/* Lanes: the update method for many strands at once, one in each lane of vector registers
 * (runtime/include/ddr/lanes/lanes.h). The files in the order of their work: forms.c finds how each
 * value is held, cost.c what the method costs, and choose.c decides by both; split.c divides
 * expressions until every statement has one form; ahead.c finds what can be computed a step ahead;
 * expressions.c, rows.c, starts.c and statements.c generate code; exchange.c moves strands into
 * lanes and out; block.c runs the method over a block of strands.
 *
 * Control flow becomes masks. `mask` is the set of active lanes. A branch on a varying value runs
 * under a mask of its own, and is skipped if that is empty. An exit removes lanes from `mask`, and
 * stores the final state of their strands. Expressions are computed in all lanes, active or not:
 * every op is total, and addresses stay in bounds for any position.
 */
#pragma once

#include "backend-c/code/code.h"
#include "backend-c/lanes/lanes.h"

/* How a value is held. */
typedef enum LaneForm {
  LANES_UNIFORM, /* one scalar: the same for all strands; the other forms are varying */
  LANES_VECTOR,  /* ddr_vreal, ddr_vint, ddr_vmask */
  LANES_EVEN,    /* a list that has the same length in all lanes: a ddr_seq of vectors */
  LANES_COLUMNS, /* a list of any length in each lane: ddr_vcolumns, see ddr/lanes/columns.h */
  LANES_ARRAY,   /* T name[DDR_LANES]: offsets, addresses, sequences */
  LANES_TAPS,    /* rows and short sequences: ddr_vreal name[width], one vector for each place */
  LANES_SLICES,  /* rows as loaded: ddr_slice4 name[...], see ddr/lanes/slices.h */
  LANES_HITS,    /* the results of a query of each lane: ddr_vhits, see ddr/lanes/hits.h */
} LaneForm;

typedef struct LaneVar {
  LaneForm form;
  uint32_t depth;        /* number of branches with masks around its declaration */
  uint32_t segment;      /* slices: number of the loop that computes them */
  bool is_kept;          /* slices: read outside that loop */
  bool is_merged;        /* assigned under a mask that is not around its declaration */
  bool is_unset;         /* no assignment to it was emitted yet */
  uint32_t n_loops;      /* number of loops around its declaration */
  uint32_t n_set;        /* columns: assignments that were emitted */
  struct LaneLonger {    /* columns: another list, longer in the lanes of a mask */
    const TreeVar *list; /* NULL: it is not */
    const char *mask;
    uint32_t n_set, n_loops; /* of the list, and here, at the declaration */
  } longer;
} LaneVar;

/* Where rows begin (starts.c). */
typedef struct LaneStart {
  const TreeVar *corner, *line; /* of each strand; distance from that, or NULL: 0 */
  const char *name;             /* NULL: not yet declared */
} LaneStart;

/* Software pipelining: statements that are computed in the step before (ahead.c). */
typedef struct LanesAhead {
  TreeStmtVec outer, inner; /* those at the start of the method, and at the start of a branch */
  const TreeVar *test;      /* the condition of the branch; NULL: there is no branch */
  const TreeStmt *branch;   /* the rest of the branch, in `rest`; NULL: there is no branch */
  bool *reads;              /* for each component of the state: whether these statements read it */
  TreeVarVec kept;         /* their variables that the rest of the step reads: fields of a struct */
  VEC(const char *) names; /* the names of these fields */
  TreeStmtVec first, rest; /* the other statements: before those of the next step, and after */
} LanesAhead;

/* The surroundings of statements. */
typedef struct LaneScope {
  const struct LaneScope *around;
  const char *mask; /* of the lanes that run them; NULL: a branch that needs no mask */
  uint32_t depth;   /* number of branches with masks around them */
  uint32_t n_loops; /* number of loops around them */
  const char *test; /* the condition of a branch without a mask */
  bool is_else;     /* they are in the else branch of that condition */
  bool is_at_end;   /* hardly anything comes after them */
} LaneScope;

/* A word in the struct of a strand (words.c). */
typedef struct LaneWord {
  bool is_known; /* it is one scalar of one component */
  uint32_t component, scalar;
} LaneWord;

typedef VEC(LaneWord) LaneWordVec;

typedef struct Lanes {
  Gen *gen;
  Execution vectors;  /* execution model: all lanes at once */
  Execution one_lane; /* execution model in a loop over the lanes: one lane, elements of vectors */
  LaneScope scope;
  const TreeFunc *fn;
  const TreeStmtVec *body; /* of fn, or the same in another form (borders.c) */
  Map *vars;               /* TreeVar to LaneVar */
  Map *names;              /* set of Name: those in use in this function */
  Map *taps;               /* TreeVar of slices to TreeVar of their taps */
  VEC(LaneStart) starts;   /* of the rows of a loop over slices */
  VEC(struct Kept *) kept; /* images and kernels that may be read in place (kept.c) */
  Map *corners;            /* TreeVar of an address of samples that may be copied to its Kept */
  Map *steps;              /* TreeVar of a distance of samples to the TreeExpr it is made of */
  uint32_t n_borders;      /* branches that borders.c has replaced */
  uint32_t n_segments;
  const TreeStmt *last;   /* the last statement of the method after split.c */
  const TreeStmt *end;    /* the last branch, if what follows is no more than a test; or NULL */
  Map *alone;             /* set of branches that are walked lane by lane, by first statement */
  Map *rows;              /* in such a branch: TreeVar of taps to its row in this lane */
  const char *store_mask; /* of the lanes that store their state; NULL: all lanes */
  bool has_exit;          /* some lanes may leave the method before others */
  bool has_continue;      /* such lanes may go on with another step */
  bool *changes;          /* for each component of the state: the method stores it */
  bool *is_read;          /* for each: its value before the step is read */
  bool *outlives;         /* for each: it is read after the strand has ended */
  LaneWordVec words;      /* the whole struct of a strand; empty: not made of words */
  LaneWordVec shared;     /* what strands read of each other, likewise */
  const TreeStmt *given;  /* the reduction whose values are computed; NULL: the update method */
  Map *others;            /* TreeVar of a row of hits to what is read of them (queries.c) */
  uint32_t n_gangs;       /* that take steps in turn */
  LanesAhead *ahead;      /* NULL: nothing is computed ahead */
  bool may_wait;          /* lanes_may_wait */
  uint32_t kinds;         /* lanes_find_kinds */
  bool has_groups;        /* lanes_fit_groups */
  uint32_t company;       /* lanes_find_company: the number of the branch, or NO_BRANCH */
  bool is_weighed;        /* the program measures what lanes save: lanes_may_be_few */
  bool may_part;          /* few strands run one at a time: lanes_may_part */
  bool watches;           /* lanes_watch_any, of the method once split; */
  bool steps_aside;       /* lanes_step_aside of it */
  bool has_columns;       /* lanes_use_columns */
  bool has_grown;         /* the last step of a fixed-point analysis changed something */
} Lanes;

/* Whether the method is that which creates strands (creation.c). */
static inline bool lanes_is_creation(const Lanes *lanes) { return lanes->fn->kind == FN_CREATE; }

/* Whether a statement is a `new`. */
static inline bool lanes_is_birth(const TreeStmt *stmt) {
  return stmt->kind == TT_EFFECT && stmt->expr->op == OP_NEW_STRAND;
}

/* Whether lanes may leave the method within a branch or loop. */
static inline bool lanes_is_way_out(const TreeStmt *stmt) {
  return tree_exits(&stmt->body, NULL) != 0 || tree_exits(&stmt->else_body, NULL) != 0;
}

/* The expression that a statement computes, or NULL; of an effect, which has no value, its operand.
 */
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

/* Whether a branch is better walked lane by lane, see Note [Alone]. lanes_walk_alone also makes the
 * variables of such a branch scalars. */
bool lanes_is_walked_alone(const Lanes *lanes, const TreeStmtVec *stmts);
bool lanes_walk_alone(Lanes *lanes, const TreeStmtVec *stmts);

/* choose.c */
Lanes *lanes_new(Gen *gen, const TreeFunc *fn);
/* Whether there are effects or other statements that are executed lane by lane. */
bool lanes_have_others(const TreeStmtVec *stmts);
bool lanes_fit(const Lanes *lanes); /* all of the function has a form in lanes */
/* Whether vectors are wide enough for values of the program and, as NEED_... say, its samples. */
bool lanes_have_registers(const Gen *gen, uint32_t needs);
void lanes_find_changes(Lanes *lanes); /* the answers to the following questions */
/* As lanes_choose; NULL: the reason is in the update_note of the options. */
Lanes *lanes_of_update(Gen *gen);

/* Component i of the state: the entries of Lanes, and its type. */
bool lanes_changes(const Lanes *lanes, uint32_t i);
bool lanes_reads(const Lanes *lanes, uint32_t i);
void lanes_read_changes(Lanes *lanes); /* where strands return to their lanes */
bool lanes_outlives(const Lanes *lanes, uint32_t i);
const Type *lanes_component_type(const Lanes *lanes, uint32_t i);

/* cost.c: whether strands in lock-step may have nothing to do in many steps but wait for others:
 * some way through the method costs little, compared with all of it. */
bool lanes_may_wait(const Lanes *lanes);
/* Whether the whole method costs less in lanes than one strand at a time. */
bool lanes_gain(const Lanes *lanes);
/* Likewise the values of members, which read so many scalars of their states. */
bool lanes_gain_members(const Lanes *lanes, uint32_t n_scalars);
/* The cost of statements from `first` on, in vector ops, approximately. */
uint64_t lanes_cost(const Lanes *lanes, const TreeStmtVec *stmts, uint32_t first);
/* The same without the rounds of loops that lanes may leave; and of a round of one. */
uint64_t lanes_cost_beside(const Lanes *lanes, const TreeStmtVec *stmts);
uint64_t lanes_cost_of_round(const Lanes *lanes, const TreeStmt *loop);
/* Whether a loop may cost more than leaving it would. */
bool lanes_may_be_long(const Lanes *lanes, const TreeStmt *loop);
/* How many strands cost no less in lanes than one after the other, at most. */
uint32_t lanes_n_few(const Lanes *lanes);
/* Steps that cost as much as it saves to move strands in rows. */
uint32_t lanes_n_spare(const Lanes *lanes);

/* See Note [Long branches]. lanes_weight: the cost of statements without the long branches in them.
 */
typedef struct LaneWeight {
  uint32_t in_lanes, alone;
} LaneWeight;
bool lanes_is_long_branch(const Lanes *lanes, const TreeStmtVec *stmts);
LaneWeight lanes_weight(const Lanes *lanes, const TreeStmtVec *stmts);
/* The same from a statement on, up to one where lanes may leave. */
LaneWeight lanes_weight_from(const Lanes *lanes, const TreeStmtVec *stmts, uint32_t first);

/* apart.c: whether strands that are few leave the lanes. */
bool lanes_may_part(const Lanes *lanes);
/* Whether the program measures at run time how many lanes are active in long branches, has the
 * method for one strand, too, and chooses; whether nothing forbids it. */
bool lanes_may_be_few(const Lanes *lanes);
bool lanes_can_weigh(const Lanes *lanes);
/* Whether the program has the method for one strand, too. */
static inline bool lanes_have_both(const Lanes *lanes) {
  const bool are_born = lanes_is_creation(lanes) && gen_needs_anywhere(lanes->gen, NEED_BIRTHS);
  return lanes->is_weighed || lanes->may_part || are_born;
}
/* Whether the strands that go on with a loop may leave it; any such loop in statements. */
bool lanes_watch(const Lanes *lanes, const TreeStmt *loop);
bool lanes_watch_any(const Lanes *lanes, const TreeStmtVec *stmts);
/* At the end of a round: the lanes that have another one leave the loop and all around it. */
void lanes_leave_loop(Lanes *lanes, const TreeStmt *loop, const LaneScope *scope, CExpr *active);
/* In the block function: where lanes are not opened, where they are, and after the exchange. */
void lanes_run_few(Lanes *lanes);
void lanes_open_few(Lanes *lanes);
void lanes_run_stragglers(Lanes *lanes);

/* aside.c: whether strands that leave loops return to their lanes, for further steps. */
bool lanes_step_aside(const Lanes *lanes, const TreeStmtVec *stmts);
/* The function with which they step aside. In the block function: where lanes are opened, before
 * some steps and before each; as an argument of the method; after a step, in the test for another,
 * and after some. */
void lanes_gen_step_aside(Lanes *lanes);
void lanes_declare_watch(Lanes *lanes);
void lanes_begin_watch(Lanes *lanes);
void lanes_begin_lag(Lanes *lanes);
void lanes_push_lag(Lanes *lanes, CExprVec *args);
void lanes_end_lag(Lanes *lanes);
CExpr *lanes_unless_due(Lanes *lanes, CExpr *goes_on);
void lanes_call_step_aside(Lanes *lanes);

/* turns.c */
/* Whether a strand is loaded and stored for each step. */
bool lanes_is_one_step(const Lanes *lanes);
/* Whether strands take their steps where they were loaded to, in `rest`: if there is one step, and
 * no strand ends before the others, a copy of the state saves no registers. */
bool lanes_is_in_place(const Lanes *lanes);
bool lanes_has_loop(const TreeStmtVec *stmts);
/* Whether a step takes few ops, so that its branches should be rare. */
bool lanes_is_short(const Lanes *lanes);
/* A gang that has fewer active lanes takes new strands, if there are any. */
CExpr *lanes_least(Lanes *lanes);
/* How many gangs should take steps in turn. */
uint32_t lanes_n_gangs(const Lanes *lanes);

/* execution.c: fills in the models of execution. */
void lanes_set_models(Lanes *lanes);
/* Whether strands need their slots, for queries or births. */
bool lanes_takes_slots(const Lanes *lanes);

/* masks.c: a branch that costs no more than this is run without testing whether a lane takes it. */
enum { LANES_COST_OF_BRANCH = 24 };
bool lanes_is_skipped(const Lanes *lanes, const TreeStmtVec *stmts); /* if no lane takes it */
bool lanes_ask_mask(const TreeStmtVec *stmts);                       /* which lanes are active */
bool lanes_uses_mask(const Lanes *lanes, const TreeStmtVec *stmts, uint32_t depth);
CExpr *lanes_merged(Lanes *lanes, const TreeVar *var, CExpr *value); /* under the present mask */

/* split.c: equivalent statements in which every expression has one form; changes nothing else. */
TreeStmtVec lanes_split(Lanes *lanes, const TreeStmtVec *stmts);

/* expressions.c */
const char *lane_spelling(OpId op);                          /* "": the op is done lane by lane */
bool lane_is_system(const TreeExpr *expr);                   /* an op that makes an eigensystem */
bool lane_is_each(const Lanes *lanes, const TreeExpr *expr); /* done lane by lane if varying */
const char *lane_type(Lanes *lanes, const Type *ty);
CExpr *lane_expr(Lanes *lanes, const TreeExpr *expr); /* as a vector, whatever its form */
/* Between these two calls, code is for one lane; enter declares the rows that stmts read. */
void lanes_enter(Lanes *lanes, const TreeStmtVec *stmts);
void lanes_leave(Lanes *lanes);
void lanes_open_loop(Lanes *lanes); /* over all lanes; not unrolled */
/* Loops over the lanes of a set, a variable that begins with all of them, and over those of a mask,
 * of which there are often few. */
void lanes_open_set(Lanes *lanes, const char *set, CExpr *all);
void lanes_open_mask(Lanes *lanes, const char *mask);
void lanes_declare_slot(Lanes *lanes); /* of the strand in the lane of the loop */
void lane_each(Lanes *lanes, const TreeVar *var, const TreeExpr *expr); /* into elements of var */
CExpr *lane_select(Lanes *lanes, const Type *ty, CExpr *mask, CExpr *yes, CExpr *no);
const char *lane_word(const Type *ty);                       /* "real", "int", "bool" */
CExpr *lane_all(Lanes *lanes, const Type *ty, CExpr *value); /* one value in all lanes */
CExpr *lane_of_mask(Cx *cx, const Type *ty, CExpr *value);   /* a bool as a lane of a mask */
CExpr *lane_alone(Lanes *lanes, const TreeExpr *expr);       /* of one lane, in a loop over lanes */

/* offsets.c: offsets and addresses of samples, if they are made for all lanes at once. */
bool lane_finds_samples(Lanes *lanes, const TreeVar *var, const TreeExpr *expr);

/* In a loop over lanes: read and assign the variable in the present lane. */
CExpr *lane_read(Gen *gen, const TreeVar *var);
void lane_assign(Gen *gen, const TreeStmt *stmt);

/* samples.c */
CExpr *lane_sampling_value(Lanes *lanes, const TreeExpr *expr, const char *fn);
CExpr *lane_probe(Gen *gen, const TreeExpr *expr); /* of one lane */
void lanes_open_samples(Lanes *lanes); /* at the start of the method: declares what these need */

/* queries.c: queries, and states of other strands. */
bool lane_is_of_hits(const Lanes *lanes, const TreeExpr *expr);     /* length or element of hits */
bool lane_is_row_of_hits(const Lanes *lanes, const TreeExpr *expr); /* element, uniform index */
bool lane_is_each_hit(const Lanes *lanes, const TreeExpr *expr);    /* element, varying index */
CExpr *lane_query(Lanes *lanes, const TreeExpr *expr);
CExpr *lane_row_of_hits(Lanes *lanes, const TreeExpr *expr);
CExpr *lane_hit(Lanes *lanes, const TreeExpr *expr); /* in a loop over the lanes */
/* States: of the whole method, before any of it is emitted; where a row of hits has been declared;
 * and where one is read. */
void lanes_find_others(Lanes *lanes, const TreeStmtVec *stmts);
void lanes_load_others(Lanes *lanes, const TreeVar *var);
CExpr *lane_state_of_others(Lanes *lanes, const TreeExpr *expr);

/* borders.c: probes near borders and elsewhere go one way; then an image that may stand in for
 * another one, until it is declared an operand of a window op of that type. */
void lanes_unite_ways(Lanes *lanes);
bool lane_is_windows(const TreeExpr *expr);
CExpr *lane_branch_test(Lanes *lanes, const TreeStmt *stmt, CExpr *mask); /* of a masked branch */
void lane_declare_windows(Lanes *lanes, const TreeVar *var, const TreeExpr *expr);

/* copies.c: declares the addresses of samples that may be copied, one per lane; the second operand
 * is a variable with the plain ones. */
TreeExpr *lane_plain_address(Lanes *lanes, const TreeExpr *addr);
void lane_declare_copied(Lanes *lanes, const TreeVar *var, const TreeExpr *addr);

/* kept.c: images whose samples are not copied, but loaded in lanes from where they lie: that of a
 * corner, or of a row; NULL: its samples are copied, or of a type that the program knows. */
void lanes_find_kept(Lanes *lanes, const TreeStmtVec *stmts); /* of the whole method, once split */
const TreeVar *lane_kept_image(const Lanes *lanes, const TreeVar *corner);
const TreeVar *lane_kept_image_of(const Lanes *lanes, const TreeExpr *row);
const TreeExpr *lane_kept_step(Lanes *lanes, const TreeExpr *expr); /* others stay as they are */
void lane_declare_kept(Lanes *lanes, const TreeVar *var, const TreeExpr *addr);
CExpr *lane_load_kept(Lanes *lanes, CExpr *corner, CExpr *step, uint32_t width); /* of a slice */

/* rows.c */
uint32_t lane_width(const Type *ty); /* vectors of a value in taps */
CExpr *lane_tap(Lanes *lanes, const TreeExpr *row, uint32_t place);
CExpr *lane_dot(Lanes *lanes, const TreeExpr *a, const TreeExpr *b);
bool lane_is_window(const Lanes *lanes, const TreeExpr *expr);     /* one loaded as vectors */
bool lane_is_window_dot(const Lanes *lanes, const TreeExpr *expr); /* the weighted sum of one */
const char *lane_border_rule(OpId window);                         /* "DDR_BORDER_CLAMP" */
void lane_declare_taps(Lanes *lanes, const TreeVar *var, const TreeExpr *expr);
/* The end of the run of pure declarations that begins there. */
uint32_t lanes_run_end(const TreeStmtVec *stmts, uint32_t begin);
/* Numbers the loops over slices of the whole method, before any is emitted. Slices that are read in
 * a later loop, perhaps in a branch, get is_kept. */
void lanes_number_loops(Lanes *lanes, const TreeStmtVec *stmts);
/* Emits a run of pure declarations; those of slices together, in loops over slices. */
void lanes_gather(Lanes *lanes, const TreeStmtVec *stmts, uint32_t begin, uint32_t end);

/* starts.c: called before a loop over slices, in it before each row, and for each load; NULL: the
 * load has an address of its own. */
void lanes_find_starts(Lanes *lanes, const TreeStmtVec *slices);
void lanes_declare_starts(Lanes *lanes, const TreeExpr *row);
CExpr *lane_load_from_start(Lanes *lanes, const TreeExpr *load);

/* even_lists.c: the op makes one; it reads the length, or an element; a variable, for one lane */
bool lane_makes_even(const Lanes *lanes, const TreeExpr *expr);
bool lane_is_even_length(const Lanes *lanes, const TreeExpr *expr);
bool lane_is_of_even(const Lanes *lanes, const TreeExpr *expr);
CExpr *lane_even_list(Lanes *lanes, const TreeExpr *expr);
CExpr *lane_in_even(Lanes *lanes, const TreeExpr *expr);
CExpr *lane_of_even(Gen *gen, const TreeVar *list);

/* columns.c: whether lists are columns, all those of the method; then, of a type: a list; an op
 * that reads a length or an element. */
bool lanes_use_columns(const Lanes *lanes);
bool lanes_own_columns(const Lanes *lanes); /* the state has such lists */
bool lane_is_columns(const Lanes *lanes, const Type *ty);
bool lane_is_of_columns(const Lanes *lanes, const TreeExpr *expr);
CExpr *lane_columns(Lanes *lanes, const TreeExpr *expr); /* any list as columns */
CExpr *lane_in_columns(Lanes *lanes, const TreeExpr *expr);
/* Of the lane of a loop; is_last: it is not needed there any more. */
CExpr *lane_of_columns(Lanes *lanes, const Type *ty, CExpr *list, bool is_last);
void lane_declare_columns(Lanes *lanes, const TreeVar *var, const TreeExpr *expr); /* or NULL */
void lane_set_columns(Lanes *lanes, const TreeVar *var, const TreeExpr *expr);
/* In the lanes of a mask, or in all if `lanes_in` is NULL; keep: in `rest`. */
void lane_assign_columns(Lanes *lanes, CExpr *list, const TreeExpr *expr, const char *lanes_in);
void lane_keep_columns(Lanes *lanes, const Type *ty, CExpr *at_rest, CExpr *value,
                       const char *lanes_in);
/* Between the lane of a loop and a strand. */
void lane_move_columns(Lanes *lanes, const Type *ty, CExpr *in_lanes, CExpr *alone, bool is_load);

/* short_sequences.c: sequences that have a vector for each of their scalars */
bool lane_is_places(const Type *ty);
bool lane_is_by_places(const TreeExpr *expr); /* an op that makes one, place by place */
bool lane_is_made_by_lane(const Lanes *lanes, const TreeExpr *expr); /* any other op that does */
const char *lane_place_type(Lanes *lanes, const Type *ty);           /* of each vector */
CExpr *lane_place(Lanes *lanes, const TreeExpr *seq, uint32_t place);
/* Indices of an element differ from lane to lane: in a sequence of each lane; in one that all
 * share, see lane_is_among; from how many elements they choose. */
bool lane_is_at_any_place(const Lanes *lanes, const TreeExpr *expr);
uint64_t lane_n_elements(const Lanes *lanes, const TreeExpr *expr);
CExpr *lane_at_any_place(Lanes *lanes, const TreeExpr *expr);
bool lane_is_in_shared(const Lanes *lanes, const TreeExpr *expr);
CExpr *lane_in_shared(Lanes *lanes, const TreeExpr *expr);
bool lane_is_among(const Lanes *lanes, const TreeExpr *expr);
CExpr *lane_among(Lanes *lanes, const TreeExpr *expr);
void lane_declare_places(Lanes *lanes, const TreeVar *var, const TreeExpr *expr);
void lane_declare_places_each(Lanes *lanes, const TreeVar *var, const TreeExpr *expr); /* by lane */
void lane_declare_places_unset(Lanes *lanes, const TreeVar *var);
void lane_load_places(Lanes *lanes, const TreeVar *param, CExpr *component);
/* In the lanes of a mask, or in all if it is NULL; place k of expr must not depend on places before
 * k of the variable. */
void lane_assign_places(Lanes *lanes, CExpr *places, const TreeExpr *expr, const char *mask);

/* lists.c: dynamic sequences, one for each lane */
bool lane_is_list(const Type *ty);          /* whose elements are no strands */
bool lane_makes_list(const TreeExpr *expr); /* an op that takes a buffer from the pool */
bool lane_is_of_list(const Lanes *lanes, const TreeExpr *expr); /* reads where a list lies */
void lane_load_list(Lanes *lanes, const TreeVar *param, CExpr *component);
void lane_set_list(Lanes *lanes, const TreeVar *var, const TreeExpr *expr); /* in any form */
/* Only in active lanes: lists of strands in other lanes may have been freed. The mask is that of
 * lanes that store a component. */
void lane_assign_list(Lanes *lanes, CExpr *list, const TreeExpr *expr, const char *mask);
/* As lanes_keep. */
void lane_keep_list(Lanes *lanes, CExpr *at_rest, const TreeExpr *value, const Type *ty, CExpr *now,
                    const char *mask);
void lanes_list_field(Lanes *lanes, const Type *ty, const char *field);
void lane_read_list(Lanes *lanes, const TreeVar *var, const TreeExpr *expr);

/* statements.c: fills in the functions for all lanes at once. */
void lanes_fill(Execution *vectors);
void lanes_declare(Lanes *lanes, const TreeStmt *stmt); /* const, not slices */
void lanes_run(Lanes *lanes, const TreeStmtVec *stmts, LaneScope scope);
void lanes_weigh(Lanes *lanes, LaneWeight weight, const char *mask); /* See Note [Long branches]. */

/* method.c */
void lanes_method(Lanes *lanes);
const char *lanes_method_name(Lanes *lanes);

/* loops.c */
/* Whether the range of a loop or reduction is varying. */
bool lanes_is_ragged(const Lanes *lanes, const TreeStmt *stmt);
LaneScope lanes_open_range(Lanes *lanes, const TreeStmt *stmt); /* the scope of its body */
void lanes_close_range(Lanes *lanes, const TreeStmt *stmt, LaneScope scope);
/* Leaves out rounds in which no lane would do anything. Returns the lanes that have others. */
CExpr *lanes_stop_when_idle(Lanes *lanes, const TreeStmt *stmt, LaneScope scope);
bool lanes_reduces_alike(const Lanes *lanes, const TreeStmt *reduce); /* results are uniform */
void lanes_reduce(Lanes *lanes, const TreeStmt *reduce);

/* ahead.c: the statements of the method that can be computed a step ahead; NULL: none. */
LanesAhead *lanes_find_ahead(Lanes *lanes, const TreeStmtVec *stmts);

/* ahead_code.c: calls lanes_find_ahead, emits the function that computes these statements, and adds
 * parameters to the method. */
void lanes_plan_ahead(Lanes *lanes, const TreeStmtVec *stmts, CFunc *head);
const char *lanes_ahead_tag(Lanes *lanes);
void lanes_call_look_ahead(Lanes *lanes, CExpr *self, CExpr *mask, CExpr *ahead, bool is_in_block);
/* At the start of the method: emits the call for the next step, and returns the other statements.
 * Until lanes_end_ahead, variables that were computed ahead have other names. */
TreeStmtVec lanes_begin_ahead(Lanes *lanes, TreeStmtVec stmts);
void lanes_end_ahead(Lanes *lanes);
/* Whether part of a branch is computed ahead; then lanes_any_ahead says whether a lane takes it. */
bool lanes_is_ahead(const Lanes *lanes, const TreeStmtVec *body);
CExpr *lanes_any_ahead(Lanes *lanes);
