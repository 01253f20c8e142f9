/* words: members of the structs of all lanes, or of all strands, some words of each at once
 * (runtime/include/ddr/lanes/structs.h). A word is a member of 32 bits; a truth value with nothing
 * beside it counts as one. Members of other sizes move one by one (exchange.c).
 *
 *   ddr_vwords4_row(&state[next], sizeof(*state), 2, word);
 *   rest->v[0] = ddr_vreal_of_word(word[0]);
 */
#include "backend-c/lanes/strands.h"

enum { WORD_SIZE = 4, MOST_WORDS = 4 };

static CExpr *name(Lanes *lanes, const char *text) { return c_name(lanes->gen->cx, text); }

/* ---- where they are -------------------------------------------------------------------------- */

static const Type *state_type(const Lanes *lanes, uint32_t i) {
  const TreeProgram *program = lanes->gen->program;
  return program->module->state.data[program->components[i].var].ty;
}

static uint32_t n_scalars(const Lanes *lanes, uint32_t i) {
  const Type *ty = state_type(lanes, i);
  return lane_is_places(ty) ? lane_width(ty) : 1;
}

static bool is_bool(const Lanes *lanes, uint32_t i) {
  return type_is(gen_scalar_type(lanes->gen, state_type(lanes, i)), TY_BOOL);
}

static bool are_words(const Lanes *lanes) {
  const Gen *gen = lanes->gen;
  const Cx *cx = gen->cx;
  bool are_aligned = false;
  for (uint32_t i = 0; i < gen->program->n_components; i++) {
    const Type *ty = state_type(lanes, i);
    if (lane_form_of_type(ty) != LANES_VECTOR && !lane_is_places(ty)) return false;
    are_aligned |= !is_bool(lanes, i);
  }
  return are_aligned && !cx->is_double && !cx->is_long_int;
}

/* Adds scalar k of a component, `offset` bytes into the struct; returns the offset behind it. */
static uint32_t add_scalar(Lanes *lanes, LaneWordVec *words, uint32_t i, uint32_t k,
                           uint32_t offset) {
  const LaneWord word = {.is_known = offset % WORD_SIZE == 0, .component = i, .scalar = k};
  if (word.is_known) vec_push(lanes->gen->cx->arena, words, word);
  else words->data[words->len - 1].is_known = false; /* bytes of several */
  return offset + (is_bool(lanes, i) ? 1 : WORD_SIZE);
}

static void add_component(Lanes *lanes, LaneWordVec *words, uint32_t i, uint32_t *offset) {
  if (!is_bool(lanes, i)) *offset = (*offset + WORD_SIZE - 1) / WORD_SIZE * WORD_SIZE;
  for (uint32_t k = 0; k < n_scalars(lanes, i); k++)
    *offset = add_scalar(lanes, words, i, k, *offset);
}

void lanes_find_words(Lanes *lanes) {
  uint32_t offset = 0;
  if (lanes->gen->has_groups || !are_words(lanes)) return;
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
    add_component(lanes, &lanes->words, i, &offset);
}

/* Global blocks read whole structs, and without a struct of what is shared strands do, too. */
void lanes_find_shared_words(Lanes *lanes) {
  const TreeProgram *program = lanes->gen->program;
  uint32_t offset = 0;
  for (uint32_t i = 0; lanes->words.len > 0 && i < program->n_components; i++)
    if (lanes->given || !gen_has_shared(lanes->gen) ||
        program->module->state.data[program->components[i].var].is_shared)
      add_component(lanes, &lanes->shared, i, &offset);
}

static bool is_word(const LaneWord *word, const Lanes *lanes, VarRef var) {
  const StateComponent component = lanes->gen->program->components[word->component];
  const uint32_t k = var.component == WHOLE ? 0 : var.component;
  return word->is_known && component.var == var.index && component.component == k;
}

uint32_t lanes_word_of(const LaneWordVec *words, const Lanes *lanes, const TreeExpr *expr) {
  uint32_t number = 0;
  while (number < words->len && !is_word(&words->data[number], lanes, expr->attr.var)) number++;
  return lane_form_of_type(expr->ty) == LANES_VECTOR ? number : words->len;
}

/* ---- which move ------------------------------------------------------------------------------ */

/* The words that move together, at most MOST_WORDS; n is 0 if one moves alone. */
typedef struct Words {
  uint32_t first, n;
} Words;

typedef struct Moving {
  const bool *components; /* for each: whether it moves */
  bool *is_done;          /* for each word */
  const char *first;      /* the slot of lane 0; NULL: the slots of the gang */
  bool is_load;
} Moving;

static bool moves(const Lanes *lanes, uint32_t at, const Moving *moving) {
  const LaneWord *word = &lanes->words.data[at];
  return word->is_known && moving->components[word->component];
}

static bool all_move(const Lanes *lanes, Words words, const Moving *moving) {
  if (words.first + words.n > lanes->words.len) return false;
  for (uint32_t k = 0; k < words.n; k++)
    if (!moves(lanes, words.first + k, moving)) return false;
  return true;
}

/* Any words may be loaded together with one, */
static Words loaded_with(const Lanes *lanes, uint32_t at) {
  const uint32_t n = lanes->words.len, most = n < MOST_WORDS ? 2 : MOST_WORDS;
  if (n < most) return (Words){0};
  return (Words){.first = at + most <= n ? at : n - most, .n = most};
}

/* but all that are stored together have to be stored; at most one of them for the second time. */
static Words stored_with(const Lanes *lanes, uint32_t at, const Moving *moving) {
  for (uint32_t n = MOST_WORDS; n >= 2; n /= 2)
    for (uint32_t back = 0; back <= 1 && back <= at; back++) {
      const Words words = {.first = at - back, .n = n};
      if (all_move(lanes, words, moving)) return words;
    }
  return (Words){0};
}

/* ---- code ------------------------------------------------------------------------------------ */

static CExpr *scalar_in_lanes(Lanes *lanes, const LaneWord *word) {
  CExpr *component = lanes_component_of(lanes, "rest", word->component);
  if (!lane_is_places(state_type(lanes, word->component))) return component;
  return c_index_int(lanes->gen->cx, component, word->scalar);
}

/* The call that moves words between structs and `word`. */
static void call(Lanes *lanes, Words words, const Moving *moving) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  CExpr *state = name(lanes, "state"), *first = state;
  if (moving->first) first = c_unary(cx, "&", c_index(cx, state, name(lanes, moving->first)));
  c_push(cx, &args, first);
  c_push(cx, &args, c_call1(cx, "sizeof", c_unary(cx, "*", state)));
  c_push(cx, &args, c_int(cx, words.first));
  if (!moving->first) c_push(cx, &args, c_arrow(cx, name(lanes, "gang"), "slot"));
  c_push(cx, &args, name(lanes, "word"));
  const char *way = moving->is_load ? moving->first ? "row" : "of"
                    : moving->first ? "to_row"
                                    : "to";
  const char *fn = text_format(cx->arena, "ddr_vwords%u_%s", words.n, way);
  em_expr(&lanes->gen->em, c_call(cx, fn, args));
}

/* Between `word` and the vectors of lanes. */
static void convert(Lanes *lanes, uint32_t at, Words words, const Moving *moving) {
  Cx *cx = lanes->gen->cx;
  const LaneWord *word = &lanes->words.data[at];
  const Type *scalar = gen_scalar_type(lanes->gen, state_type(lanes, word->component));
  CExpr *bits = c_index_int(cx, name(lanes, "word"), at - words.first);
  CExpr *value = scalar_in_lanes(lanes, word);
  CExpr *from = moving->is_load ? bits : value;
  const char *word_of = lane_word(scalar);
  const char *fn = moving->is_load ? text_format(cx->arena, "ddr_v%s_of_word", word_of)
                                   : text_format(cx->arena, "ddr_vword_of_%s", word_of);
  if (!type_is(scalar, TY_INT)) from = c_call1(cx, fn, from);
  em_assign(&lanes->gen->em, moving->is_load ? value : bits, from);
}

static void move_together(Lanes *lanes, Words words, const Moving *moving) {
  if (moving->is_load) call(lanes, words, moving);
  for (uint32_t at = words.first; at < words.first + words.n; at++) {
    const bool is_idle = moving->is_load && moving->is_done[at];
    if (moves(lanes, at, moving) && !is_idle) convert(lanes, at, words, moving);
    moving->is_done[at] = moves(lanes, at, moving);
  }
  if (!moving->is_load) call(lanes, words, moving);
}

/* Whether all scalars of a component have been moved. */
static bool has_moved(const Lanes *lanes, uint32_t i, const Moving *moving) {
  uint32_t n = 0;
  for (uint32_t at = 0; at < lanes->words.len; at++)
    n += lanes->words.data[at].component == i && moving->is_done[at];
  return n == n_scalars(lanes, i);
}

static void move_words(Lanes *lanes, const char *first, bool is_load, bool *left) {
  Arena *arena = lanes->gen->cx->arena;
  bool *is_done = NEWN(arena, bool, lanes->words.len);
  const Moving moving = {left, is_done, first, is_load};
  bool is_declared = false;
  for (uint32_t at = 0; at < lanes->words.len; at++) {
    if (is_done[at] || !moves(lanes, at, &moving)) continue;
    const Words words = is_load ? loaded_with(lanes, at) : stored_with(lanes, at, &moving);
    if (words.n == 0) continue;
    if (!is_declared) em_declare_array(&lanes->gen->em, "ddr_vint", "word", MOST_WORDS);
    is_declared = true;
    move_together(lanes, words, &moving);
  }
  for (uint32_t i = 0; i < lanes->gen->program->n_components; i++)
    left[i] = left[i] && !has_moved(lanes, i, &moving);
}

void lanes_load_words(Lanes *lanes, const char *first, bool *left) {
  move_words(lanes, first, true, left);
}

void lanes_store_words(Lanes *lanes, const char *first, bool *left) {
  move_words(lanes, first, false, left);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The number of all where the value is no word of the member, or a truth value, whose columns have
 * bytes. */
static uint32_t word_of_member(const Lanes *lanes, const TreeStmt *reduce, const TreeExpr *value) {
  const uint32_t n = lanes->words.len;
  if (value->kind != TX_OP || value->op != OP_STRAND_STATE || type_is(value->ty, TY_BOOL)) return n;
  const TreeExpr *strand = value->args.data[0];
  if (strand->kind != TX_VAR || strand->var != reduce->var) return n;
  return lanes_word_of(&lanes->words, lanes, value);
}

/* For each word the column that gets it, or NULL; false: some value is no word of the member. */
static bool find_columns(const Lanes *lanes, const TreeStmt *reduce, const char **columns) {
  for (uint32_t i = 0; i < reduce->values.len; i++) {
    const uint32_t at = word_of_member(lanes, reduce, reduce->values.data[i]);
    if (at == lanes->words.len || columns[at]) return false;
    columns[at] = gen_column_name(reduce, i);
  }
  return true;
}

/* Columns that get a word alone are filled as fast one by one. */
static bool are_together(const Lanes *lanes, const char *const *columns) {
  const uint32_t n = lanes->words.len;
  uint32_t n_columns = 0, n_groups = 0, end = 0; /* of the last group */
  for (uint32_t at = 0; n >= 2 && at < n; at++) {
    if (!columns[at]) continue;
    n_columns++;
    if (at < end) continue;
    const Words words = loaded_with(lanes, at);
    end = words.first + words.n;
    n_groups++;
  }
  return n_columns > n_groups;
}

/* ddr_vwords4_to_columns(&states[slot], sizeof(*states), 0, n_whole, sum_given, NULL, NULL, NULL)
 */
static void give_words(Lanes *lanes, Words words, const char **columns) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  CExpr *states = name(lanes, "states");
  c_push(cx, &args, c_unary(cx, "&", c_index(cx, states, name(lanes, "slot"))));
  c_push(cx, &args, c_call1(cx, "sizeof", c_unary(cx, "*", states)));
  c_push(cx, &args, c_int(cx, words.first));
  c_push(cx, &args, name(lanes, "n_whole"));
  for (uint32_t at = words.first; at < words.first + words.n; at++) {
    c_push(cx, &args, name(lanes, columns[at] ? columns[at] : "NULL"));
    columns[at] = NULL;
  }
  em_expr(&lanes->gen->em,
          c_call(cx, text_format(cx->arena, "ddr_vwords%u_to_columns", words.n), args));
}

bool lanes_give_words(Lanes *lanes) {
  Gen *gen = lanes->gen;
  Cx *cx = gen->cx;
  const TreeStmt *reduce = lanes->given;
  const uint32_t n = lanes->words.len;
  if (reduce->reduce.over != OVER_ALL || reduce->body.len > 0) return false;
  const char **columns = NEWN(cx->arena, const char *, n);
  if (!find_columns(lanes, reduce, columns) || !are_together(lanes, columns)) return false;
  lanes_declare_whole(lanes);
  for (uint32_t at = 0; at < n; at++)
    if (columns[at]) give_words(lanes, loaded_with(lanes, at), columns);
  em_assign(&gen->em, name(lanes, "slot"),
            c_binary(cx, "+", name(lanes, "slot"), name(lanes, "n_whole")));
  return true;
}
