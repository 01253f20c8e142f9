/* Tensors, positions and control flow through mid_to_low. */
#include <math.h>

#include "ir/analysis/dom.h"
#include "ir/ein/ein.h"
#include "ir/pass/pass.h"
#include "tests/unit/mid-to-low/low_case.h"

typedef struct Fixture {
  Cx *cx;
  Func *fn;
  Builder b;
} Fixture;

static Fixture fixture_new(void) {
  Fixture t = {.cx = cx_new()};
  types_init(t.cx);
  Module *m = module_new(t.cx, LEVEL_MID);
  const Global image = {
      .kind = GLOBAL_IMAGE, .ty = type_image(t.cx, 3, shape_of(0, NULL)), .file = "f"};
  vec_push(t.cx->arena, &m->globals, image);
  t.fn = func_new(m, FN_USER, name_from(t.cx->names, "f"), (Span){0, 1});
  t.b = build_at_end(t.cx, block_new(t.fn), (Span){0, 1});
  return t;
}

static Value *param(Fixture *t, const char *name, const Type *ty) {
  return block_add_param(t->b.block, ty, name_from(t->cx->names, name));
}

static Value *image(Fixture *t) {
  return build_typed(&t->b, OP_GLOBAL_LOAD, (Attr){.var = {0, WHOLE}},
                     t->fn->module->globals.data[0].ty, NULL, 0);
}

static Value *ein(Fixture *t, const char *text, Value **args, uint32_t n_args) {
  const char *error = NULL;
  const Ein *expr = ein_parse(t->cx, &text, &error);
  if (!expr) BUG(t->cx, "test expression: %s", error);
  return build_ein(&t->b, ein_with_params(t->cx, expr, n_args), args, n_args);
}

static void finish(Fixture *t, Value **results, uint32_t n) {
  build_leave(&t->b, EXIT_RETURN, results, n);
  Pass px = {.cx = t->cx, .module = t->fn->module, .dom = dom_new(t->cx->arena, t->fn)};
  pass_mid_to_low(&px, t->fn);
  t->fn->module->level = LEVEL_LOW;
}

/* ---- Einstein expressions -------------------------------------------------------------------- */

/* Every expression over a 3x3 matrix and a 3-vector, against ein_eval. */
static void expressions_mean_what_they_say(void) {
  static const char *const texts[] = {
      "<i:3 | sum(j:3) $0[i,j]*$1[j]>",
      "<i:3,j:3 | $0[j,i] - delta(i,j)*3>",
      "<i:3 | sum(j:3,k:3) eps(i,j,k)*$1[j]*$0[k,1]>",
      "<sqrt(sum(i:3) $1[i]*$1[i])/2>",
      "<i:3 | $1[i]/(1 + pow($1[0], 3)) - -$1[2]>",
      "<i:2 | max($1[i], clamp(0, 1, $0[i,2])) + pow($1[1], -2)>",
      "<i:3,j:3 | $1[i]*$1[j]*(2 - $0[i,j])>",
      "<i:3 | 0*$1[i]>",
      "<i:3 | $1[i]*(sum(j:3) $0[j,j]) - $0[i,i]>",
      "<i:3,j:3,k:3 | $1[k]*$0[j,2] + $1[1]*$0[k,i]>",
  };
  static const double params[12] = {2, -1, 0.5, 3, 1.25, -2, 0.75, 4, -0.5, 1.5, -0.75, 2.25};
  for (size_t n = 0; n < sizeof texts / sizeof *texts; n++) {
    Fixture t = fixture_new();
    const uint32_t square[] = {3, 3};
    Value *args[] = {param(&t, "m", type_tensor(t.cx, shape_of(2, square))),
                     param(&t, "v", type_vec(t.cx, 3))};
    Value *result = ein(&t, texts[n], args, 2);
    const Ein *expr = result->def->attr.ein;
    const Shape shape = ein_shape(expr), shapes[] = {shape_of(2, square), shape_of(1, square)};
    finish(&t, &result, 1);
    double found[27];
    run_func(t.fn, NULL, params, 12, found);
    for (uint32_t c = 0; c < shape_size(&shape); c++) {
      uint32_t component[MAX_ORDER], rest = c;
      for (uint32_t i = shape.order; i-- > 0; rest /= shape.dims[i])
        component[i] = rest % shape.dims[i];
      const double *operands[] = {params, params + 9};
      CHECK_NEAR(found[c], ein_eval(expr, operands, shapes, component), 1e-12);
    }
    cx_free(t.cx);
  }
}

static uint32_t count_all(const Fixture *t) {
  uint32_t n = 0;
  for (const Inst *inst = t->fn->blocks.data[0]->first; inst; inst = inst->next) n++;
  return n;
}

/* Deltas and epsilons cost no arithmetic. */
static void structural_zeros_cost_nothing(void) {
  Fixture t = fixture_new();
  Value *v[] = {param(&t, "v", type_vec(t.cx, 3)), param(&t, "w", type_vec(t.cx, 3))};
  Value *same = ein(&t, "<i:3 | sum(j:3) delta(i,j)*$0[j]>", v, 1);
  finish(&t, &same, 1);
  CHECK_EQ(count_all(&t), 1); /* leave */
  cx_free(t.cx);

  t = fixture_new();
  Value *u[] = {param(&t, "v", type_vec(t.cx, 3)), param(&t, "w", type_vec(t.cx, 3))};
  Value *cross = ein(&t, "<i:3 | sum(j:3,k:3) eps(i,j,k)*$0[j]*$1[k]>", u, 2);
  finish(&t, &cross, 1);
  CHECK_EQ(count_all(&t), 3 * 3 + 1); /* two products and a difference each */
  cx_free(t.cx);
}

/* ---- views ----------------------------------------------------------------------------------- */

/* Component k of an array of n: its index in the block that it is a view of. */
typedef struct ViewCase {
  const char *text;
  uint32_t n, from[12];
} ViewCase;

static void check_view(Fixture *t, Value *view, uint32_t n_block, const ViewCase *want) {
  double block[12], found[12];
  for (uint32_t k = 0; k < n_block; k++) block[k] = 1 + k;
  finish(t, &view, 1);
  CHECK_EQ(count_all(t), 1); /* leave */
  run_func(t->fn, NULL, block, n_block, found);
  for (uint32_t k = 0; k < want->n; k++) CHECK_EQ((uint32_t)found[k], 1 + want->from[k]);
}

/* Slices, transposes and diagonals need no instructions; axes are permuted in cycles of three,
 * which differ from their inverses. */
static void views_cost_nothing(void) {
  static const ViewCase of_block[] = {
      {"<i:2 | $0[1,i,2]>", 2, {8, 11}},
      {"<i:2,j:3 | $0[0,i,j]>", 6, {0, 1, 2, 3, 4, 5}},
      {"<i:3,j:2,k:2 | $0[j,k,i]>", 12, {0, 3, 6, 9, 1, 4, 7, 10, 2, 5, 8, 11}},
      {"<i:2,j:3,k:2 | $0[k,i,j]>", 12, {0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11}},
      {"<i:2,j:3 | $0[i,i,j]>", 6, {0, 1, 2, 9, 10, 11}},
      {"<i:3,j:2 | $0[j,j,i]>", 6, {0, 9, 1, 10, 2, 11}},
  };
  for (size_t n = 0; n < sizeof of_block / sizeof *of_block; n++) {
    Fixture t = fixture_new();
    Value *block = param(&t, "t", type_tensor(t.cx, shape_of(3, (uint32_t[]){2, 2, 3})));
    check_view(&t, ein(&t, of_block[n].text, &block, 1), 12, &of_block[n]);
    cx_free(t.cx);
  }
}

/* A tensor made of views, and taken apart again. */
static void tensors_of_views_are_views(void) {
  Fixture t = fixture_new();
  Value *m = param(&t, "m", type_tensor(t.cx, shape_of(2, (uint32_t[]){3, 3})));
  Value *columns[] = {ein(&t, "<i:3 | $0[i,0]>", &m, 1), ein(&t, "<i:3 | $0[i,1]>", &m, 1),
                      ein(&t, "<i:3 | $0[i,2]>", &m, 1)};
  Value *transposed = build_op(&t.b, OP_CONS, ATTR_EMPTY, columns, 3);
  Value *rows[] = {ein(&t, "<i:3 | $0[2,i]>", &transposed, 1), columns[0]};
  Value *both = build_op(&t.b, OP_CONS, ATTR_EMPTY, rows, 2);
  Value *again = ein(&t, "<i:3,j:2 | $0[j,i]>", &both, 1);
  const ViewCase want = {"", 6, {2, 0, 5, 3, 8, 6}};
  check_view(&t, again, 9, &want);
  cx_free(t.cx);
}

/* The elements of a tensor are computed once, in place, at any depth. */
static void elements_are_built_in_place(void) {
  Fixture t = fixture_new();
  Value *v[] = {param(&t, "v", type_vec(t.cx, 2)), param(&t, "w", type_vec(t.cx, 2))};
  Value *inner[] = {ein(&t, "<i:2 | $0[i]+$1[i]>", v, 2), ein(&t, "<i:2 | 2*$0[i]>", v, 1)};
  Value *outer[] = {build_op(&t.b, OP_CONS, ATTR_EMPTY, inner, 2),
                    ein(&t, "<i:2,j:2 | $0[i]*$1[j]>", v, 2)};
  Value *whole = build_op(&t.b, OP_CONS, ATTR_EMPTY, outer, 2);
  finish(&t, &whole, 1);
  CHECK_EQ(count_all(&t), 2 + 2 * 2 + 4 + 1); /* sums; products, each with its 2; products; leave */
  const double params[4] = {1, 2, 10, 20}, want[8] = {11, 22, 2, 4, 10, 20, 20, 40};
  double found[8];
  run_func(t.fn, NULL, params, 4, found);
  for (int k = 0; k < 8; k++) CHECK_EQ(found[k], want[k]);
  cx_free(t.cx);
}

/* ---- orientation ----------------------------------------------------------------------------- */

static void positions_go_to_index_space(void) {
  Fixture t = fixture_new();
  Value *args[] = {image(&t), param(&t, "x", type_vec(t.cx, 3))};
  Value *pos_index = build_op(&t.b, OP_TO_INDEX, ATTR_EMPTY, args, 2);
  finish(&t, &pos_index, 1);
  const double x[3] = {1.75, -2.5, 4};
  double found[3];
  const Grid grid = sheared_grid(3);
  const long double pos[3] = {x[0], x[1], x[2]};
  Image sheared = image_new(&grid, 1);
  run_func(t.fn, &sheared, x, 3, found);
  long double want[3];
  grid_to_index(&grid, pos, want);
  for (int i = 0; i < 3; i++) CHECK_NEAR(found[i], (double)want[i], 1e-12);
  image_free(&sheared);
  cx_free(t.cx);
}

static void gradient_matrix_is_the_transpose(void) {
  Fixture t = fixture_new();
  Value *img = image(&t);
  const uint32_t square[] = {3, 3};
  Value *matrix = build_typed(&t.b, OP_GRADIENT_MATRIX, ATTR_EMPTY,
                              type_tensor(t.cx, shape_of(2, square)), &img, 1);
  finish(&t, &matrix, 1);
  double found[9];
  const Grid grid = sheared_grid(3);
  Image sheared = image_new(&grid, 1);
  run_func(t.fn, &sheared, NULL, 0, found);
  long double inverse[3][3];
  grid_inverse(&grid, inverse);
  for (int i = 0; i < 9; i++) CHECK(found[i] == (double)inverse[i % 3][i / 3]);
  image_free(&sheared);
  cx_free(t.cx);
}

/* s-1 < n < N-s, both strict. */
static void inside_is_strict_on_both_ends(void) {
  static const struct {
    Supports supports;
    double n[3];
    bool is_inside;
  } cases[] = {
      {{{2, 2, 2}}, {4, 4, 3}, true},         {{{2, 2, 2}}, {1, 4, 3}, false},
      {{{2, 2, 2}}, {1.0001, 4, 3}, true},    {{{2, 2, 2}}, {7, 4, 3}, false},
      {{{2, 2, 2}}, {6.9999, 4, 3}, true},    {{{2, 2, 2}}, {4, 6, 3}, false},
      {{{2, 2, 2}}, {4, 4, 5}, false},        {{{2, 2, 2}}, {4, 5.9999, 4.9}, true},
      {{{2, 2, 2}}, {4, NAN, 3}, false},      {{{3, 3, 3}}, {4, 4, 3}, true},
      {{{3, 3, 3}}, {4, 4, 4}, false},        {{{4, 4, 4}}, {4, 4, 3}, false},
      {{{2, 2, 2}}, {INFINITY, 4, 3}, false}, {{{3, 2, 1}}, {4, 1.5, 0.5}, true},
      {{{3, 2, 1}}, {2, 1.5, 0.5}, false},    {{{3, 2, 1}}, {4, 1, 0.5}, false},
  };
  const Grid grid = sheared_grid(3);
  Image sheared = image_new(&grid, 1);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    Fixture t = fixture_new();
    Value *args[] = {image(&t), param(&t, "n", type_vec(t.cx, 3))};
    Value *inside = build_op(&t.b, OP_INSIDE_INDEX, (Attr){.supports = cases[k].supports}, args, 2);
    finish(&t, &inside, 1);
    double found;
    run_func(t.fn, &sheared, cases[k].n, 3, &found);
    CHECK_EQ(found != 0, cases[k].is_inside);
    cx_free(t.cx);
  }
  image_free(&sheared);
}

/* ---- structure ------------------------------------------------------------------------------- */

/* A vector through a branch: block parameters and arguments are split alike. */
static void block_parameters_split_into_components(void) {
  Fixture t = fixture_new();
  Value *cond = param(&t, "c", type_bool(t.cx)), *v = param(&t, "v", type_vec(t.cx, 3));
  Block *yes = block_new(t.fn), *no = block_new(t.fn), *merge = block_new(t.fn);
  Value *joined = block_add_param(merge, type_vec(t.cx, 3), name_from(t.cx->names, "p"));
  build_branch(&t.b, cond, yes, no, merge);
  t.b.block = yes;
  build_jump(&t.b, merge, &v, 1);
  t.b.block = no;
  Value *twice = ein(&t, "<i:3 | 2*$0[i]>", &v, 1);
  build_jump(&t.b, merge, &twice, 1);
  t.b.block = merge;
  finish(&t, &joined, 1);

  CHECK_EQ(t.fn->blocks.len, 4);
  const Block *entry = t.fn->blocks.data[0];
  CHECK_EQ(entry->params.len, 4);
  const Block *low_merge = entry->last->merge;
  CHECK_EQ(low_merge->params.len, 3);
  CHECK_STR(low_merge->params.data[1]->name->text, "p_y");
  CHECK_EQ(low_merge->last->n_args, 3);
  for (uint32_t s = 0; s < 2; s++) CHECK_EQ(entry->last->succs[s].block->last->n_args, 3);
  cx_free(t.cx);
}

static void printed_tensors_get_brackets(void) {
  Fixture t = fixture_new();
  const uint32_t square[] = {2, 2};
  Value *m = param(&t, "m", type_tensor(t.cx, shape_of(2, square)));
  build_effect(&t.b, OP_PRINT, ATTR_EMPTY, &m, 1);
  finish(&t, NULL, 0);
  const Inst *print = t.fn->blocks.data[0]->last->prev;
  CHECK_EQ(print->op, OP_PRINT);
  Text shown = text_new(t.cx->arena);
  for (uint32_t i = 0; i < print->n_args; i++) {
    const Inst *def = print->args[i]->def;
    text_add(&shown, def ? def->attr.s : print->args[i]->name->text);
  }
  CHECK_STR(text_str(&shown), "[[m_0,m_1],[m_2,m_3]]");
  cx_free(t.cx);
}

int main(void) {
  RUN(expressions_mean_what_they_say);
  RUN(structural_zeros_cost_nothing);
  RUN(views_cost_nothing);
  RUN(tensors_of_views_are_views);
  RUN(elements_are_built_in_place);
  RUN(positions_go_to_index_space);
  RUN(gradient_matrix_is_the_transpose);
  RUN(inside_is_strict_on_both_ends);
  RUN(block_parameters_split_into_components);
  RUN(printed_tensors_get_brackets);
  return test_result();
}
