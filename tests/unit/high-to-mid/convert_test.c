/* high_to_mid: derivatives in world space against those of the polynomial whose samples are on a
 * sheared grid. */
#include "tests/unit/high/field_case.h"

static Poly P(double c, uint32_t x, uint32_t y, uint32_t z) { return poly_term(c, x, y, z); }

static Poly sample_poly(uint32_t dim, uint32_t which) {
  uint32_t y = dim > 1, z = dim > 2;
  Poly p = poly_add(P(1 + which, 2, y, 0), P(-2, 1, 0, 2 * z), 1);
  return poly_add(poly_add(p, P(3, 0, 2 * y, 0), 1), P(0.5, 3, 0, 0), 1);
}

static void check_world(uint32_t dim, uint32_t order, uint32_t n_components) {
  Fields t = fields_new(dim);
  Poly polys[] = {sample_poly(dim, 0), sample_poly(dim, 1)};
  Value *f = fields_leaf(&t, polys, n_components == 1 ? shape_scalar() : shape_vec(n_components));
  const double *found = fields_probe(&t, f, order, pass_high_to_mid);
  double x[POLY_DIM] = {0};
  uint32_t n_entries = 1;
  for (uint32_t i = 0; i < dim; i++) x[i] = t.x[i];
  for (uint32_t i = 0; i < order; i++) n_entries *= dim;
  for (uint32_t c = 0; c < n_components; c++) {
    for (uint32_t entry = 0; entry < n_entries; entry++) {
      Poly p = polys[c];
      for (uint32_t i = 0, rest = entry; i < order; i++, rest /= dim)
        p = poly_derive(p, rest % dim);
      CHECK_NEAR(found[c * n_entries + entry], poly_eval(p, x), 1e-10);
    }
  }
  CHECK_EQ(fields_count(&t, OP_PROBE) + fields_count(&t, OP_CONVOLVE) + fields_count(&t, OP_DERIV),
           0);
  CHECK_EQ(fields_count(&t, OP_KERNEL), 0);
  fields_free(&t);
}

static void derivatives_are_world_derivatives(void) {
  for (uint32_t dim = 1; dim <= 3; dim++)
    for (uint32_t order = 0; order <= 3; order++)
      for (uint32_t n = 1; n <= 2; n++) check_world(dim, order, n);
}

static void second_derivative_is_exactly_symmetric(void) {
  Fields t = fields_new(3);
  Poly p = sample_poly(3, 0);
  const double *h = fields_probe(&t, fields_leaf(&t, &p, shape_scalar()), 2, pass_high_to_mid);
  CHECK(h[1] == h[3] && h[2] == h[6] && h[5] == h[7]);
  CHECK(h[1] != 0 && h[2] != 0 && h[5] != 0);
  fields_free(&t);
}

static Inst *find_op(Fields *t, OpId op) {
  for (Inst *inst = t->b.block->first; inst; inst = inst->next)
    if (inst->op == op) return inst;
  return NULL;
}

static void outermost_border_control_counts(void) {
  Fields t = fields_new(2);
  Poly p = sample_poly(2, 0);
  Value *image = fields_image(&t, &p, shape_scalar());
  Value *mirrored = build_op1(&t.b, OP_BORDER_MIRROR, image);
  Value *outside = build_real(&t.b, 7);
  Value *constant = build_op2(&t.b, OP_BORDER_CONST, mirrored, outside);
  fields_probe(&t, fields_convolve(&t, constant, kernel_find("bspln3")), 0, pass_high_to_mid);
  const Inst *group = find_op(&t, OP_PROBE_GROUP);
  CHECK_EQ(group->attr.group.border, BORDER_CONST);
  CHECK(group->args[0] == image);
  CHECK_EQ(group->n_args, 3);
  CHECK(group->args[2] == outside);
  CHECK_EQ(fields_count(&t, OP_BORDER_CONST) + fields_count(&t, OP_BORDER_MIRROR), 0);
  fields_free(&t);
}

static void clamp_over_constant_has_no_operand(void) {
  Fields t = fields_new(2);
  Poly p = sample_poly(2, 0);
  Value *image = fields_image(&t, &p, shape_scalar());
  Value *constant = build_op2(&t.b, OP_BORDER_CONST, image, build_real(&t.b, 7));
  Value *clamped = build_op1(&t.b, OP_BORDER_CLAMP, constant);
  fields_probe(&t, fields_convolve(&t, clamped, kernel_find("bspln3")), 1, pass_high_to_mid);
  const Inst *group = find_op(&t, OP_PROBE_GROUP);
  CHECK_EQ(group->attr.group.border, BORDER_CLAMP);
  CHECK_EQ(group->n_args, 2);
  CHECK_EQ(group->attr.group.orders, 2);
  fields_free(&t);
}

static void inside_is_asked_in_index_space(void) {
  Fields t = fields_new(2);
  Poly p = sample_poly(2, 0);
  Value *args[] = {fields_image(&t, &p, shape_scalar()), t.pos};
  build_op(&t.b, OP_INSIDE_IMAGE, (Attr){.supports = {{2, 2, 2}}}, args, 2);
  fields_run(&t, pass_high_to_mid);
  const Inst *test = find_op(&t, OP_INSIDE_INDEX);
  CHECK_EQ(test->attr.supports.along[0], 2);
  CHECK(inst_is_op(test->args[1]->def, OP_TO_INDEX));
  fields_free(&t);
}

int main(void) {
  RUN(derivatives_are_world_derivatives);
  RUN(second_derivative_is_exactly_symmetric);
  RUN(outermost_border_control_counts);
  RUN(clamp_over_constant_has_no_operand);
  RUN(inside_is_asked_in_index_space);
  return test_result();
}
