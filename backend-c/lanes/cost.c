/* cost: an estimate of what statements cost, in scalar operations (lanes.h). */
#include "backend-c/lanes/strands.h"

enum {
  OPS_OF_MOVE = 2,       /* out of a lane and into it */
  OPS_OF_PAIR = 2,       /* of samples: loaded, and put into two vectors */
  OPS_OF_PLACE = 2,      /* a comparison and a selection, for each element of a short sequence */
  OPS_OF_ELEMENT = 3,    /* of a sequence, at any index: clamping and address */
  OPS_OF_ITS_OWN = 8,    /* for each lane, when lanes have sequences of their own */
  OPS_OF_ONE_AMONG = 12, /* for each lane, without an instruction that permutes a register */
  OPS_OF_MOVE_OTHER = 1, /* of the state of another strand, mostly a cache miss */
  OPS_OF_WORD = 1,       /* of each struct, loaded with its neighbours */
  OPS_OF_LONE_WORD = 4,  /* the same without neighbours */
  OPS_OF_SLOT = 2,       /* of a member of some of the strands */
  OPS_OF_QUERY = 250,    /* of each strand: several cells, and what lies in them; */
  OPS_OF_GANG = 1500,    /* of a gang, which puts all that it finds in order at once */
  OPS_OF_SAMPLE = 4,     /* of a sampling for the whole grid, mostly a cache miss */
  OPS_OF_ONE_STEP = 23,  /* into a lane and out of it: fitted to tests/bench/suite */
  OPS_OF_GROUP = 8,      /* whose states are loaded and stored as they are */
  OPS_IN_PLACE = 6,      /* the same for words, if all lanes are emptied at once */
  MOST_PERMUTED = 16,    /* elements in two registers (runtime/include/ddr/lanes/lanes.h) */
  MANY_STEPS = 16,       /* of a strand */
  ROUNDS = 32,           /* of a loop whose number of rounds is not known */
  MOST_ROUNDS = 1 << 10, /* limit of a known number */
  FEW_LANES = 8          /* there may be 4 to 16 */
};

/* alone: for one strand; in_lanes: for all lanes at once. functions: what functions of numbers cost
 * in lanes in addition; it is apart because it does not count for the length of a step. */
typedef struct Cost {
  uint64_t alone, in_lanes, functions;
} Cost;

/* A value of a reduction that is added to others in doubles, or otherwise. */
static const Cost on_tree = {.alone = 6, .in_lanes = 8}, in_register = {.alone = 1, .in_lanes = 2};

/* Division of 64-bit ints: lane by lane, and all that is made of it waits; by a uniform divisor,
 * with products of halves and shifts, 22 operations for each of two registers
 * (runtime/include/ddr/lanes/divide.h). */
static const Cost long_quotient = {.alone = 10, .in_lanes = (uint64_t)FEW_LANES * 30};
static const Cost long_quotient_by = {.alone = 4, .in_lanes = 8, .functions = 36};

/* Division of 32-bit ints by divisors that differ, with vectors of 128 bits: two divisions of
 * doubles, and more to convert than to divide. */
static const Cost narrow_quotient = {.alone = 4, .in_lanes = 16};

/* The same where reals are doubles: masks have 64 bits for each lane and ints 32, and each of the
 * tests around the division converts between them. */
static const Cost mixed_quotient = {.alone = 4, .in_lanes = (uint64_t)FEW_LANES * 12};

/* Reading an element of each lane's list: tests the lane, loads the list's address, clamps the
 * index; for one strand, a C compiler does most of that once per loop. Then appending an element,
 * mostly in place, and what takes a new buffer, after which all lanes keep theirs. */
static const Cost of_list = {.alone = 2, .in_lanes = (uint64_t)FEW_LANES * 12};
static const Cost appends = {.alone = 12, .in_lanes = (uint64_t)FEW_LANES * 9};
static const Cost makes_list = {.alone = 12, .in_lanes = (uint64_t)FEW_LANES * 18};

/* The same where lists are columns: appending, with a store for each lane; what makes a table. */
static const Cost appends_row = {.alone = 12, .in_lanes = 36};
static const Cost makes_table = {.alone = 12, .in_lanes = 60};

/* What makes a list that has the same length in all lanes: as for one strand, but larger. */
static const Cost even = {.alone = 12, .in_lanes = 16};

static uint64_t least(uint64_t a, uint64_t b) { return a < b ? a : b; }

static void add_cost(Cost *cost, Cost more, uint32_t times) {
  cost->alone += times * more.alone;
  cost->in_lanes += times * more.in_lanes;
  cost->functions += times * more.functions;
}

static uint64_t all_in_lanes(Cost cost) { return cost.in_lanes + cost.functions; }

static Cost plain(uint64_t alone, uint64_t in_lanes) {
  return (Cost){.alone = alone, .in_lanes = in_lanes};
}

/* Functions of math.h, measured on an AMD EPYC. One strand takes the shortest path, and C compilers
 * vectorise loops around it; lanes take all paths. */
static Cost cost_of_function(OpId op) {
  switch (op) {
  case OP_RSIN:
  case OP_RCOS: return (Cost){30, 8, 52};
  case OP_RTAN: return (Cost){60, 8, 72};
  case OP_RASIN:
  case OP_RACOS:
  case OP_REXP:
  case OP_RLOG:
  case OP_RLOG2:
  case OP_RLOG10: return (Cost){16, 8, 24};
  case OP_RPOW: return (Cost){40, 8, 102};
  case OP_RATAN: return (Cost){30, 8, 40};
  case OP_RATAN2: return (Cost){100, 8, 122};
  case OP_RERF:
  case OP_RERFC: return (Cost){30, 8, (uint64_t)FEW_LANES * 30};
  case OP_RSQRT:
  case OP_RDIV:
  case OP_IDIV:
  case OP_IMOD: return plain(4, 8);
  default: return plain(0, 0);
  }
}

/* Whether the load takes two samples at a time, lane after lane. */
static bool is_gather(const Lanes *lanes, const TreeExpr *expr) {
  return expr->op == OP_ROW_LOAD && lane_form(lanes, expr) == LANES_TAPS;
}

/* An element of a uniform sequence. Of a short one: permutations, for which registers are filled
 * first. */
static uint64_t cost_among(const Lanes *lanes, const TreeExpr *expr) {
  const Gen *gen = lanes->gen;
  const uint64_t n = lane_n_elements(lanes, expr);
  if (gen->options->is_unfused || gen->cx->is_double || gen->cx->is_long_int)
    return (uint64_t)FEW_LANES * OPS_OF_ONE_AMONG;
  return n <= MOST_PERMUTED ? 4 + n : (uint64_t)FEW_LANES * OPS_OF_ELEMENT;
}

static Cost cost_in_even(const Lanes *lanes, const TreeExpr *expr) {
  const bool is_alike = lane_form(lanes, expr->args.data[1]) == LANES_UNIFORM;
  return plain(OPS_OF_ELEMENT, is_alike ? OPS_OF_ELEMENT : (uint64_t)FEW_LANES * OPS_OF_MOVE);
}

static Cost cost_of_element(const Lanes *lanes, const TreeExpr *expr) {
  if (lane_is_of_even(lanes, expr)) return cost_in_even(lanes, expr);
  if (lane_is_of_columns(lanes, expr)) return cost_in_even(lanes, expr);
  if (lane_is_of_list(lanes, expr)) return of_list;
  if (lane_is_at_any_place(lanes, expr))
    return plain(OPS_OF_ELEMENT, OPS_OF_PLACE * lane_n_elements(lanes, expr));
  if (lane_is_among(lanes, expr)) return plain(OPS_OF_ELEMENT, cost_among(lanes, expr));
  if (lane_is_in_shared(lanes, expr))
    return plain(OPS_OF_ELEMENT, (uint64_t)FEW_LANES * OPS_OF_ELEMENT);
  return plain(OPS_OF_ELEMENT, (uint64_t)FEW_LANES * OPS_OF_ITS_OWN);
}

/* Whether the expression reads an element at a varying index, but not of hits, which have their own
 * cost. */
static bool is_element(const Lanes *lanes, const TreeExpr *expr) {
  if (expr->op != OP_SEQ_INDEX || lane_form(lanes, expr) != LANES_VECTOR) return false;
  return lane_is_of_even(lanes, expr) || lane_is_of_columns(lanes, expr) ||
         lane_is_at_any_place(lanes, expr) || lane_is_among(lanes, expr) ||
         lane_is_in_shared(lanes, expr) ||
         (lane_is_each(lanes, expr) && !lane_is_of_hits(lanes, expr));
}

static Cost cost_of_op(const Lanes *lanes, const TreeExpr *expr) {
  const uint64_t ops = gen_op_cost(expr->op);
  const LaneForm form = lane_form(lanes, expr);
  const Cost function = cost_of_function(expr->op);
  if (expr->op == OP_SPHERE) return plain(OPS_OF_QUERY, OPS_OF_GANG);
  if (expr->op == OP_SAMPLING_VALUE) return plain(OPS_OF_SAMPLE, OPS_OF_SAMPLE);
  if (expr->op == OP_STRAND_STATE && lanes->given) return plain(ops, ops); /* loaded once */
  if (expr->op == OP_STRAND_STATE) return plain(ops, FEW_LANES * (ops + OPS_OF_MOVE_OTHER));
  if (is_element(lanes, expr)) return cost_of_element(lanes, expr);
  if (form == LANES_EVEN) return even;
  if (form == LANES_COLUMNS && expr->kind == TX_OP)
    return expr->op == OP_SEQ_APPEND ? appends_row : makes_table;
  if (expr->ty && form == LANES_ARRAY && lane_makes_list(expr))
    return expr->op == OP_SEQ_APPEND ? appends : makes_list;
  if (is_gather(lanes, expr)) return plain(ops, (uint64_t)FEW_LANES * OPS_OF_PAIR);
  if (lane_is_window(lanes, expr))
    return plain(ops, (uint64_t)FEW_LANES * OPS_OF_MOVE * type_seq_len(expr->ty));
  if (form == LANES_UNIFORM && function.alone > 0) return plain(function.alone, function.alone);
  if (!lane_is_each(lanes, expr) && function.alone > 0) return function;
  if (ops == 0 || form == LANES_UNIFORM || !lane_is_each(lanes, expr)) return plain(ops, ops);
  return plain(ops, FEW_LANES * (ops + (form == LANES_VECTOR ? OPS_OF_MOVE : 0)));
}

static const int64_t *constant(const TreeExpr *expr) {
  return expr && expr->kind == TX_OP && expr->op == OP_CONST_INT ? &expr->attr.i : NULL;
}

/* Whether a shift divides by n, as DDR_IS_POWER of ddr/lanes/divide.h: a power of two of either
 * sign, or 0. */
static bool is_power(const int64_t *n) {
  if (!n) return false;
  const uint64_t size = *n < 0 ? -(uint64_t)*n : (uint64_t)*n;
  return (size & (size - 1)) == 0;
}

static bool is_quotient(const Lanes *lanes, const TreeExpr *expr) {
  return (expr->op == OP_IDIV || expr->op == OP_IMOD) && lane_form(lanes, expr) != LANES_UNIFORM;
}

/* The cost of a division of ints, for which processors have no vector instruction. */
static Cost cost_of_quotient(const Lanes *lanes, const TreeExpr *expr) {
  const TreeExpr *divisor = expr->args.data[1];
  const bool is_alike = lane_form(lanes, divisor) == LANES_UNIFORM;
  if (!lanes->gen->cx->is_long_int) {
    if (is_alike) return cost_of_op(lanes, expr);
    if (lanes->gen->cx->is_double) return mixed_quotient;
    return lanes->gen->options->is_unfused ? narrow_quotient : cost_of_op(lanes, expr);
  }
  if (!is_alike) return long_quotient;
  return is_power(constant(divisor)) ? cost_of_op(lanes, expr) : long_quotient_by;
}

static void add_expr(const Lanes *lanes, const TreeExpr *expr, Cost *cost) {
  if (expr->kind == TX_VAR) return;
  add_cost(cost, is_quotient(lanes, expr) ? cost_of_quotient(lanes, expr) : cost_of_op(lanes, expr),
           1);
  for (uint32_t i = 0; i < expr->args.len; i++) add_expr(lanes, expr->args.data[i], cost);
}

static Cost cost_of(const Lanes *lanes, const TreeStmtVec *stmts, uint32_t first);

/* Whether the expression reads a window of an image of one dimension. Such images are lookup
 * tables, of colours for example, and many values lie beyond their ends. */
static bool maps_values(const TreeExpr *expr) {
  if (expr->kind == TX_VAR) return false;
  if (op_is_window(expr->op)) return type_dim(expr->args.data[0]->ty) == 1;
  for (uint32_t i = 0; i < expr->args.len; i++)
    if (maps_values(expr->args.data[i])) return true;
  return false;
}

static bool any_maps_values(const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    if (stmt->expr && maps_values(stmt->expr)) return true;
    if (any_maps_values(&stmt->body) || any_maps_values(&stmt->else_body)) return true;
  }
  return false;
}

/* The cost of a branch that is walked lane by lane. Usually few lanes take it, see Note [Alone]; if
 * all lanes may, the method in lanes must be faster even then. */
static Cost cost_alone(const TreeStmtVec *stmts, uint64_t ops) {
  const uint64_t n_there = any_maps_values(stmts) ? FEW_LANES : 1;
  return plain(ops / FEW_LANES, n_there * (ops + OPS_OF_MOVE));
}

/* Whether a strand that takes many steps ends there: it runs these statements once. */
static bool is_end(const Lanes *lanes, const TreeStmtVec *stmts) {
  if (lanes_is_one_step(lanes) || !tree_always_leaves(stmts)) return false;
  return !(tree_exits(stmts, NULL) & 1u << EXIT_ACTIVE);
}

static void add_branch(const Lanes *lanes, const TreeStmtVec *stmts, bool is_masked, Cost *cost) {
  Cost all = cost_of(lanes, stmts, 0);
  if (is_end(lanes, stmts))
    all = (Cost){all.alone / MANY_STEPS, all.in_lanes / MANY_STEPS, all.functions / MANY_STEPS};
  const bool is_alone = is_masked && lanes_is_walked_alone(lanes, stmts);
  add_cost(cost, is_alone ? cost_alone(stmts, all.alone) : all, 1);
}

/* Whether the branch tests for a sampling. Mostly there is one, and the else branch is not run. */
static bool is_sampled(const TreeExpr *test) {
  return test->kind == TX_OP && test->op == OP_SAMPLING_IS_MADE;
}

/* Of a value of which each lane gets its own; one strand has it already. */
static void add_own(const Lanes *lanes, const TreeExpr *expr, Cost *cost) {
  add_expr(lanes, expr, cost);
  if (lane_form(lanes, expr) != LANES_EVEN) return;
  cost->in_lanes += lanes->has_columns ? makes_table.in_lanes : makes_list.in_lanes;
}

static void add_values(const Lanes *lanes, const TreeStmt *stmt, Cost *cost) {
  const LaneForm form = stmt->var ? lane_var(lanes, stmt->var)->form : LANES_UNIFORM;
  const bool is_own = form == LANES_ARRAY || form == LANES_COLUMNS;
  if (stmt->expr) (is_own ? add_own : add_expr)(lanes, lanes_value(stmt), cost);
  for (uint32_t k = 0; stmt->kind != TT_REDUCE && k < stmt->values.len; k++)
    if (stmt->values.data[k]) add_own(lanes, stmt->values.data[k], cost);
}

/* Adds what a reduction does in each round besides its body. */
static void add_results(const Lanes *lanes, const TreeStmt *stmt, Cost *cost) {
  if (stmt->kind != TT_REDUCE) return;
  for (uint32_t k = 0; k < stmt->values.len; k++) add_expr(lanes, stmt->values.data[k], cost);
  for (uint32_t i = 0; i < stmt->reduce.n_kinds; i++) {
    const GenResult result = gen_result(stmt, i);
    add_cost(cost, gen_is_on_tree(&result) ? on_tree : in_register, 1);
  }
}

static bool is_loop(const TreeStmt *stmt) {
  return stmt->kind == TT_FOR || stmt->kind == TT_REDUCE;
}

static uint32_t n_rounds(const TreeStmt *stmt) {
  const int64_t *first = constant(stmt->expr), *last = constant(stmt->limit);
  if (!first || !last) return ROUNDS;
  if (*first > *last) return 0;
  return (uint32_t)least((uint64_t)*last - (uint64_t)*first, MOST_ROUNDS - 1) + 1;
}

static Cost cost_of_round(const Lanes *lanes, const TreeStmt *stmt) {
  Cost cost = cost_of(lanes, &stmt->body, 0);
  add_results(lanes, stmt, &cost);
  return cost;
}

static Cost cost_of(const Lanes *lanes, const TreeStmtVec *stmts, uint32_t first) {
  Cost cost = {0};
  for (uint32_t i = first; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    cost.in_lanes += stmt->kind == TT_ASSIGN; /* under a mask */
    add_values(lanes, stmt, &cost);
    if (!stmt->expr) continue; /* no loop and no branch */
    if (is_loop(stmt)) add_cost(&cost, cost_of_round(lanes, stmt), n_rounds(stmt));
    if (stmt->kind != TT_IF) continue;
    const bool is_masked = lane_form(lanes, stmt->expr) != LANES_UNIFORM;
    add_branch(lanes, &stmt->body, is_masked, &cost);
    if (!is_sampled(stmt->expr)) add_branch(lanes, &stmt->else_body, is_masked, &cost);
  }
  return cost;
}

static uint64_t sum(uint64_t a, uint64_t b) { return a > UINT64_MAX - b ? UINT64_MAX : a + b; }

static void add_alone(const Lanes *lanes, const TreeStmt *stmt, uint64_t *ops) {
  Cost cost = {0};
  add_values(lanes, stmt, &cost);
  if (is_loop(stmt)) add_cost(&cost, cost_of_round(lanes, stmt), n_rounds(stmt));
  *ops = sum(*ops, cost.alone);
}

/* The cost of the cheapest path for a strand that continues afterwards; UINT64_MAX: there is none.
 * A path on which the strand ends is taken only once. */
static uint64_t least_way(const Lanes *lanes, const TreeStmtVec *stmts) {
  uint64_t here = 0, out = UINT64_MAX;
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    add_alone(lanes, stmt, &here);
    if (stmt->kind == TT_LEAVE && stmt->exit != EXIT_ACTIVE) here = UINT64_MAX;
    if (stmt->kind != TT_IF) continue;
    uint64_t ways[] = {sum(here, least_way(lanes, &stmt->body)),
                       sum(here, least_way(lanes, &stmt->else_body))};
    const bool leaves[] = {tree_always_leaves(&stmt->body), tree_always_leaves(&stmt->else_body)};
    if (leaves[0]) out = least(out, ways[0]);
    if (leaves[1]) out = least(out, ways[1]);
    here = leaves[0] ? ways[1] : leaves[1] ? ways[0] : least(ways[0], ways[1]);
  }
  return least(here, out);
}

bool lanes_may_wait(const Lanes *lanes) {
  enum { MOST_OPS = 8 * OPS_OF_ONE_STEP };
  const uint64_t whole = cost_of(lanes, lanes->body, 0).alone;
  const uint64_t way = least_way(lanes, lanes->body);
  return gen_is_lockstep(lanes->gen) && way < (whole + 3) / 4 && way < MOST_OPS;
}

static bool looks_for_others(const Lanes *lanes) {
  return gen_needs(lanes->gen, lanes->fn) & NEED_QUERIES;
}

/* Vectors of 128 bits hold too few strands to save by that. */
static uint64_t moves(const Lanes *lanes) {
  const bool is_fast = !lanes->gen->options->is_unfused && lanes_is_in_place(lanes) &&
                       !lanes_takes_slots(lanes) && lanes->words.len > 0;
  if (!lanes_is_one_step(lanes)) return 0;
  if (lanes->has_groups) return OPS_OF_GROUP;
  return (uint64_t)FEW_LANES * (is_fast ? OPS_IN_PLACE : OPS_OF_ONE_STEP);
}

/* Of FEW_LANES strands. Vectors of 128 bits hold half as many, and save so little that the exchange
 * of strands counts even if each runs a few steps. */
static uint64_t whole_in_lanes(const Lanes *lanes, Cost cost) {
  enum { FEW_STEPS = 4 };
  if (!lanes->gen->options->is_unfused || lanes_is_one_step(lanes))
    return all_in_lanes(cost) + moves(lanes);
  return 2 * all_in_lanes(cost) + FEW_LANES * OPS_OF_ONE_STEP / FEW_STEPS;
}

/* A strand that waits costs hardly anything if it runs alone, unless the states of all strands are
 * copied for queries. */
bool lanes_gain(const Lanes *lanes) {
  const Cost cost = cost_of(lanes, lanes->body, 0);
  if (lanes->may_wait && !looks_for_others(lanes) && !lanes_can_weigh(lanes)) return false;
  return FEW_LANES * cost.alone >= whole_in_lanes(lanes, cost);
}

/* Loading n scalars of the members, and before that finding their slots. */
static uint64_t cost_of_members(const Lanes *lanes, uint32_t n) {
  if (lanes->gen->has_groups) return n + (lanes_are_in_row(lanes) ? 0 : FEW_LANES);
  const bool are_together = n > 1 && lanes->words.len > 0;
  const uint64_t ops = n * (uint64_t)(are_together ? OPS_OF_WORD : OPS_OF_LONE_WORD);
  return FEW_LANES * (ops + (lanes_are_in_row(lanes) ? 0 : OPS_OF_SLOT));
}

bool lanes_gain_members(const Lanes *lanes, uint32_t n_scalars) {
  const Cost cost = cost_of(lanes, lanes->body, 0);
  return FEW_LANES * cost.alone > all_in_lanes(cost) + cost_of_members(lanes, n_scalars);
}

uint64_t lanes_cost(const Lanes *lanes, const TreeStmtVec *stmts, uint32_t first) {
  return cost_of(lanes, stmts, first).in_lanes;
}

static Cost cost_beside(const Lanes *lanes, const TreeStmtVec *stmts) {
  Cost cost = {0};
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    cost.in_lanes += stmt->kind == TT_ASSIGN;
    add_values(lanes, stmt, &cost);
    if (lanes_watch(lanes, stmt)) continue;
    add_cost(&cost, cost_beside(lanes, &stmt->body), is_loop(stmt) ? n_rounds(stmt) : 1);
    add_cost(&cost, cost_beside(lanes, &stmt->else_body), 1);
  }
  return cost;
}

uint64_t lanes_cost_beside(const Lanes *lanes, const TreeStmtVec *stmts) {
  return all_in_lanes(cost_beside(lanes, stmts));
}

uint64_t lanes_cost_of_round(const Lanes *lanes, const TreeStmt *loop) {
  Cost cost = cost_beside(lanes, &loop->body);
  add_results(lanes, loop, &cost);
  return all_in_lanes(cost) + 1;
}

bool lanes_may_be_long(const Lanes *lanes, const TreeStmt *loop) {
  enum { LEAST_OPS = 1 << 14 };
  const bool is_known = constant(loop->expr) && constant(loop->limit);
  const uint32_t n = n_rounds(loop);
  return !is_known || n == MOST_ROUNDS ||
         n * (all_in_lanes(cost_of_round(lanes, loop)) + 1) >= LEAST_OPS;
}

/* In a gang of few strands, ops wait for each other, which the costs in lanes do not tell: they are
 * those of many gangs. */
uint32_t lanes_n_few(const Lanes *lanes) {
  const Cost cost = cost_of(lanes, lanes->body, 0);
  const uint64_t alone = cost.alone + 1, n = (2 * all_in_lanes(cost) + alone / 2) / alone;
  return n < 1 ? 1 : n > 4 ? 4 : (uint32_t)n;
}

/* Waiting lanes cost a step nothing more, but the others half of it at least. */
uint32_t lanes_n_spare(const Lanes *lanes) {
  const Cost cost = cost_of(lanes, lanes->body, 0);
  const uint64_t saved = (uint64_t)FEW_LANES * (OPS_OF_ONE_STEP - OPS_IN_PLACE);
  return (uint32_t)(saved / (all_in_lanes(cost) + 1));
}

/* ---- weights --------------------------------------------------------------------------------- */

/* Note [Long branches]. Lanes are chosen as if the strands of a gang took the same branches. But a
 * long branch costs a gang the same, even if few lanes take it. So the program measures costs while
 * it runs (runtime/include/ddr/lanes/effort.h). At the start of the method, where lanes may have
 * left it, and in each long branch, it adds the cost of the following statements, without the long
 * branches in them. In programs whose strands may wait, every branch that costs more than waiting
 * counts as long. */

bool lanes_is_long_branch(const Lanes *lanes, const TreeStmtVec *stmts) {
  enum { OPS_OF_LONG_BRANCH = 200 };
  const uint64_t most = lanes->may_wait ? OPS_OF_ONE_STEP : OPS_OF_LONG_BRANCH;
  return !lanes_is_walked_alone(lanes, stmts) && lanes_cost(lanes, stmts, 0) > most;
}

static Cost weight_of(const Lanes *lanes, const TreeStmtVec *stmts);

static void weigh_branch(const Lanes *lanes, const TreeStmtVec *stmts, bool is_masked, Cost *cost) {
  const bool is_alone = stmts->len > 0 && map_has(lanes->alone, stmts->data[0]);
  if (is_masked && (is_alone || lanes_is_long_branch(lanes, stmts))) return;
  add_cost(cost, weight_of(lanes, stmts), 1);
}

static Cost weight_of_round(const Lanes *lanes, const TreeStmt *stmt) {
  Cost cost = weight_of(lanes, &stmt->body);
  add_results(lanes, stmt, &cost);
  return cost;
}

static void add_weight(const Lanes *lanes, const TreeStmt *stmt, Cost *cost) {
  add_values(lanes, stmt, cost);
  if (!stmt->expr) return; /* no loop and no branch */
  if (is_loop(stmt)) add_cost(cost, weight_of_round(lanes, stmt), n_rounds(stmt));
  if (stmt->kind != TT_IF) return;
  const bool is_masked = lane_form(lanes, stmt->expr) != LANES_UNIFORM;
  weigh_branch(lanes, &stmt->body, is_masked, cost);
  if (!is_sampled(stmt->expr)) weigh_branch(lanes, &stmt->else_body, is_masked, cost);
}

static Cost weight_of(const Lanes *lanes, const TreeStmtVec *stmts) {
  Cost cost = {0};
  for (uint32_t i = 0; i < stmts->len; i++) add_weight(lanes, stmts->data[i], &cost);
  return cost;
}

static LaneWeight weight(Cost cost) {
  return (LaneWeight){.in_lanes = (uint32_t)least(all_in_lanes(cost), INT32_MAX),
                      .alone = (uint32_t)least(cost.alone, INT32_MAX)};
}

LaneWeight lanes_weight(const Lanes *lanes, const TreeStmtVec *stmts) {
  return weight(weight_of(lanes, stmts));
}

LaneWeight lanes_weight_from(const Lanes *lanes, const TreeStmtVec *stmts, uint32_t first) {
  Cost cost = {.in_lanes = first == 0 ? moves(lanes) : 0};
  for (uint32_t i = first; i < stmts->len; i++) {
    add_weight(lanes, stmts->data[i], &cost);
    if (lanes_is_way_out(stmts->data[i])) break;
  }
  return weight(cost);
}
