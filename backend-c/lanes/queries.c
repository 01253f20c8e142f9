/* queries: access to other strands from lanes: queries of a gang, which give a row of hits for each
 * round of a loop (ddr/lanes/hits.h), and states of others.
 *
 *   foreach (particle q in sphere(r))
 *   const ddr_vhits near = ddr_vsphere2(block, gang, mask, x, y, r);
 *   while (...) {
 *     const uint32_t *q = ddr_vhits_at(&near, i);
 */
#include "backend-c/lanes/strands.h"

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

/* ---- queries --------------------------------------------------------------------------------- */

bool lane_is_of_hits(const Lanes *lanes, const TreeExpr *expr) {
  return expr->kind == TX_OP && (expr->op == OP_SEQ_LEN || expr->op == OP_SEQ_INDEX) &&
         lane_form(lanes, expr->args.data[0]) == LANES_HITS;
}

bool lane_is_each_hit(const Lanes *lanes, const TreeExpr *expr) {
  return lane_is_of_hits(lanes, expr) && expr->op == OP_SEQ_INDEX &&
         lane_form(lanes, expr->args.data[1]) != LANES_UNIFORM;
}

bool lane_is_row_of_hits(const Lanes *lanes, const TreeExpr *expr) {
  return lane_is_of_hits(lanes, expr) && expr->op == OP_SEQ_INDEX && !lane_is_each_hit(lanes, expr);
}

/* ddr_vsphere2(block, gang, mask, x, y, radius) */
CExpr *lane_query(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, name(lanes, "block"));
  c_push(cx, &args, name(lanes, "gang"));
  c_push(cx, &args, name(lanes, lanes->scope.mask));
  for (uint32_t i = 0; i < expr->args.len; i++)
    c_push(cx, &args, lane_expr(lanes, expr->args.data[i]));
  return c_call(cx, text_format(cx->arena, "ddr_vsphere%u", expr->args.len - 1), args);
}

static CExpr *address_of_hits(Lanes *lanes, const TreeExpr *expr) {
  return c_unary(lanes->gen->cx, "&", name(lanes, expr->args.data[0]->var->name));
}

CExpr *lane_row_of_hits(Lanes *lanes, const TreeExpr *expr) {
  return c_call2(lanes->gen->cx, "ddr_vhits_at", address_of_hits(lanes, expr),
                 gen_expr(lanes->gen, expr->args.data[1]));
}

CExpr *lane_hit(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  c_push(cx, &args, address_of_hits(lanes, expr));
  c_push(cx, &args, name(lanes, "lane"));
  c_push(cx, &args, gen_expr(lanes->gen, expr->args.data[1]));
  return c_call(cx, "ddr_hit_of_lane", args);
}

/* ---- states ---------------------------------------------------------------------------------- */

/* Words that lie side by side in the structs of a row of hits are loaded together, as soon as the
 * row is known (runtime/include/ddr/lanes/structs.h), even if some of them are only read in a
 * branch: most often some lane takes it, and a word that is loaded alone costs as much as four.
 *
 *   ddr_vint q_words[4];
 *   ddr_vwords4_of_hits(states, sizeof(*states), 0, q, q_words);
 *   const ddr_vreal apart_x = pos_x - ddr_vreal_of_word(q_words[0]);
 */

enum { MOST_TOGETHER = 4, MOST_WORDS = 64 };

/* What the method reads of the strands of a row: words of the struct that strands read of each
 * other. */
typedef struct Others {
  bool is_read[MOST_WORDS];
  const char *name[MOST_WORDS]; /* the array that it was loaded to; NULL: none */
  uint32_t place[MOST_WORDS];   /* its index there */
} Others;

/* The number of all where the scalar is no word. */
static uint32_t word_of(const Lanes *lanes, const TreeExpr *expr) {
  return lanes_word_of(&lanes->shared, lanes, expr);
}

static Others *others_of(Lanes *lanes, const TreeVar *var) {
  if (!map_has(lanes->others, var)) map_put(lanes->others, var, NEW(lanes->gen->cx->arena, Others));
  return map_get(lanes->others, var);
}

static void find_in_expr(Lanes *lanes, const TreeExpr *expr) {
  if (!expr || expr->kind == TX_VAR) return;
  const uint32_t number = expr->op == OP_STRAND_STATE ? word_of(lanes, expr) : MOST_WORDS;
  if (number < lanes->shared.len && expr->args.data[0]->kind == TX_VAR)
    others_of(lanes, expr->args.data[0]->var)->is_read[number] = true;
  for (uint32_t i = 0; i < expr->args.len; i++) find_in_expr(lanes, expr->args.data[i]);
}

static void find_in(Lanes *lanes, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    find_in_expr(lanes, stmt->expr);
    for (uint32_t k = 0; k < stmt->values.len; k++) find_in_expr(lanes, stmt->values.data[k]);
    find_in(lanes, &stmt->body);
    find_in(lanes, &stmt->else_body);
  }
}

void lanes_find_others(Lanes *lanes, const TreeStmtVec *stmts) {
  lanes->others = map_new(lanes->gen->cx->arena);
  lanes_find_shared_words(lanes);
  if (lanes->shared.len <= MOST_WORDS) find_in(lanes, stmts);
}

typedef struct Group {
  uint32_t first, n;
} Group;

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

static uint32_t n_read(const Others *others, uint32_t first, uint32_t n) {
  uint32_t count = 0;
  for (uint32_t k = first; k < least(first + n, MOST_WORDS); k++)
    count += others->is_read[k] && !others->name[k];
  return count;
}

/* The words to load with this one. Behind the last struct of a column there is always another
 * word, so the fourth of three may be loaded. */
static Group group_of(const Lanes *lanes, const Others *others, uint32_t number) {
  const uint32_t n = lanes->shared.len, most = n > 2 ? MOST_TOGETHER : 2;
  const uint32_t first = n < most ? 0 : least(number, n - most);
  const uint32_t n_all = n_read(others, first, most);
  if (n_all == 2 && number + 2 <= n && n_read(others, number, 2) == 2) return (Group){number, 2};
  return (Group){first, n_all < 2 || n < 2 ? 0 : most};
}

/* How the slots of the strands are given, in names of functions. */
static const char *way(const Lanes *lanes) {
  if (lanes_are_in_row(lanes)) return "row";
  if (lanes->gen->has_groups) return "of_groups";
  return lanes->given ? "of" : "of_hits";
}

static void load(Lanes *lanes, const TreeVar *var, Others *others, Group group) {
  Cx *cx = lanes->gen->cx;
  const bool is_row = lanes_are_in_row(lanes);
  const char *words = lanes_new_name(lanes, text_format(cx->arena, "%s_words", var->name));
  CExprVec args = {0};
  CExpr *states = name(lanes, "states"), *strand = name(lanes, var->name);
  c_push(cx, &args, is_row ? c_unary(cx, "&", c_index(cx, states, strand)) : states);
  c_push(cx, &args, c_call1(cx, "sizeof", c_unary(cx, "*", states)));
  c_push(cx, &args, c_int(cx, group.first));
  if (!is_row) c_push(cx, &args, strand);
  c_push(cx, &args, name(lanes, words));
  em_declare_array(&lanes->gen->em, "ddr_vint", words, group.n);
  em_expr(&lanes->gen->em,
          c_call(cx, text_format(cx->arena, "ddr_vwords%u_%s", group.n, way(lanes)), args));
  for (uint32_t k = 0; k < group.n && group.first + k < lanes->shared.len; k++) {
    others->name[group.first + k] = words;
    others->place[group.first + k] = k;
  }
}

void lanes_load_others(Lanes *lanes, const TreeVar *var) {
  Others *others = map_get(lanes->others, var);
  for (uint32_t k = 0; others && k < lanes->shared.len; k++) {
    if (!others->is_read[k] || others->name[k]) continue;
    const Group group = group_of(lanes, others, k);
    if (group.n > 0) load(lanes, var, others, group);
  }
}

/* NULL: the scalar was not loaded with others. */
static CExpr *loaded(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  const Others *others = lanes->others ? map_get(lanes->others, expr->args.data[0]->var) : NULL;
  const uint32_t number = word_of(lanes, expr);
  if (!others || number == lanes->shared.len || !others->name[number]) return NULL;
  CExpr *word = c_index_int(cx, name(lanes, others->name[number]), others->place[number]);
  if (type_is(expr->ty, TY_INT)) return word;
  return c_call1(cx, text_format(cx->arena, "ddr_v%s_of_word", lane_word(expr->ty)), word);
}

/* ddr_vreal_of_hits(&states->pos[1], sizeof *states, others) */
CExpr *lane_state_of_others(Lanes *lanes, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  const VarRef var = expr->attr.var;
  CExpr *states = name(lanes, "states"), *together = loaded(lanes, expr);
  if (together) return together;
  const bool is_row = lanes_are_in_row(lanes);
  if (lanes->gen->has_groups && is_row)
    return gen_vector_of(lanes->gen, name(lanes, expr->args.data[0]->var->name), var);
  const char *strand = expr->args.data[0]->var->name;
  const char *field = lanes->gen->program->state[var.index].field;
  CExpr *first = is_row ? c_dot(cx, c_index(cx, states, name(lanes, strand)), field)
                        : c_arrow(cx, states, field);
  if (var.component != WHOLE) first = c_index_int(cx, first, var.component);
  CExprVec args = {0};
  c_push(cx, &args, c_unary(cx, "&", first));
  c_push(cx, &args, c_call1(cx, "sizeof", c_unary(cx, "*", states)));
  if (!is_row) c_push(cx, &args, name(lanes, strand));
  return c_call(cx, text_format(cx->arena, "ddr_v%s_%s", lane_word(expr->ty), way(lanes)), args);
}
