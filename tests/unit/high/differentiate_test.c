/* differentiate: derivatives of field expressions against exact derivatives of polynomials. */
#include "ir/high/jet.h"
#include "tests/unit/high/field_case.h"

static Poly P(double c, uint32_t x, uint32_t y, uint32_t z) { return poly_term(c, x, y, z); }
static Poly plus(Poly a, Poly b) { return poly_add(a, b, 1); }
static Poly minus(Poly a, Poly b) { return poly_add(a, b, -1); }

/* f, g scalar; v, w vectors; all depend on every variable */
typedef struct Samples {
  Poly f, g, v[3], w[3];
} Samples;

static Samples samples_of(uint32_t dim) {
  Samples s;
  uint32_t y = dim > 1, z = dim > 2;
  s.f = plus(plus(P(1, 2, y, 0), P(-2, 1, 0, z)), P(3, 0, 2 * y, z));
  s.g = plus(plus(P(2, 1, y, z), P(-1, 2, 0, 0)), P(5, 0, 0, 0));
  s.v[0] = plus(P(1, 1, y, 0), P(2, 0, 0, 2 * z));
  s.v[1] = plus(P(-1, 2, 0, z), P(1, 0, y, 0));
  s.v[2] = plus(P(3, 1, 0, z), P(1, 1, 2 * y, 0));
  s.w[0] = plus(P(1, 0, y, z), P(1, 1, 0, 0));
  s.w[1] = plus(P(2, 2, 0, 0), P(-1, 0, 0, z));
  s.w[2] = plus(P(1, 1, y, 0), P(4, 0, 0, 0));
  return s;
}

/* Checks all components of the derivatives of orders 0..max_order of F against those of `polys`. */
static void check_poly(Fields *t, Value *field, const Poly *polys, uint32_t max_order) {
  uint32_t n_components = (uint32_t)shape_size(type_shape(field->ty)), n_entries = 1;
  for (uint32_t order = 0; order <= max_order; order++, n_entries *= t->dim) {
    const double *found = fields_probe(t, field, order, pass_differentiate);
    for (uint32_t c = 0; c < n_components; c++) {
      for (uint32_t entry = 0; entry < n_entries; entry++) {
        Poly p = polys[c];
        for (uint32_t i = 0, rest = entry; i < order; i++, rest /= t->dim)
          p = poly_derive(p, rest % t->dim);
        double x[POLY_DIM] = {0};
        for (uint32_t i = 0; i < t->dim; i++) x[i] = t->x[i];
        double want = poly_eval(p, x);
        CHECK_NEAR(found[c * n_entries + entry], want, 1e-10 * (1 + fabs(want)));
      }
    }
  }
}

static void sums_and_products(void) {
  for (uint32_t dim = 1; dim <= 3; dim++) {
    Fields t = fields_new(dim);
    Samples s = samples_of(dim);
    Value *fg[] = {fields_leaf(&t, &s.f, shape_scalar()), fields_leaf(&t, &s.g, shape_scalar())};
    Poly sum = plus(s.f, poly_mul(s.g, P(3, 0, 0, 0))), product = poly_mul(s.f, s.g);
    Poly cube = poly_mul(s.f, poly_mul(s.f, s.f));
    check_poly(&t, fields_ein(&t, "<$0 + 3*$1>", 2, fg), &sum, 3);
    check_poly(&t, fields_ein(&t, "<$0*$1>", 2, fg), &product, 3);
    check_poly(&t, fields_ein(&t, "<pow($0,3)>", 1, fg), &cube, 3);
    fields_free(&t);
  }
}

static void tensor_products(void) {
  Fields t = fields_new(3);
  Samples s = samples_of(3);
  Value *vw[] = {fields_leaf(&t, s.v, shape_vec(3)), fields_leaf(&t, s.w, shape_vec(3))};
  Poly dot = P(0, 0, 0, 0), cross[3], outer[9];
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    dot = plus(dot, poly_mul(s.v[i], s.w[i]));
    cross[i] = minus(poly_mul(s.v[j], s.w[k]), poly_mul(s.v[k], s.w[j]));
    for (uint32_t l = 0; l < 3; l++) outer[3 * i + l] = poly_mul(s.v[i], s.w[l]);
  }
  check_poly(&t, fields_ein(&t, "<sum(i:3) $0[i]*$1[i]>", 2, vw), &dot, 2);
  check_poly(&t, fields_ein(&t, "<i:3 | sum(j:3) sum(k:3) eps(i,j,k)*$0[j]*$1[k]>", 2, vw), cross,
             2);
  check_poly(&t, fields_ein(&t, "<i:3,j:3 | $0[i]*$1[j]>", 2, vw), outer, 2);
  fields_free(&t);
}

static void derivative_operators(void) {
  Fields t = fields_new(3);
  Samples s = samples_of(3);
  Value *v = fields_leaf(&t, s.v, shape_vec(3)), *w = fields_leaf(&t, s.w, shape_vec(3));
  Value *jacobian = fields_derive(&t, v, 1);
  Poly curl[3], divergence = P(0, 0, 0, 0), along[3];
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t j = (i + 1) % 3, k = (i + 2) % 3;
    curl[i] = minus(poly_derive(s.v[k], j), poly_derive(s.v[j], k));
    divergence = plus(divergence, poly_derive(s.v[i], i));
    along[i] = P(0, 0, 0, 0);
    for (uint32_t l = 0; l < 3; l++)
      along[i] = plus(along[i], poly_mul(poly_derive(s.v[i], l), s.w[l]));
  }
  const char *curl_text = "<i:3 | sum(j:3) sum(k:3) eps(i,j,k)*$0[k,j]>";
  check_poly(&t, fields_ein(&t, curl_text, 1, &jacobian), curl, 2);
  check_poly(&t, fields_ein(&t, "<sum(i:3) $0[i,i]>", 1, &jacobian), &divergence, 2);
  Value *args[] = {jacobian, w};
  check_poly(&t, fields_ein(&t, "<i:3 | sum(j:3) $0[i,j]*$1[j]>", 2, args), along, 2);
  fields_free(&t);
}

static void determinant(void) {
  Fields t = fields_new(2);
  Samples s = samples_of(2);
  Poly m[] = {s.f, s.v[0], s.v[1], s.g};
  Poly det = minus(poly_mul(m[0], m[3]), poly_mul(m[1], m[2]));
  Value *field = fields_leaf(&t, m, shape_mat(2));
  check_poly(&t, fields_ein(&t, "<$0[0,0]*$0[1,1] - $0[0,1]*$0[1,0]>", 1, &field), &det, 3);
  fields_free(&t);
}

/* q = f/g: g q = f, differentiated twice. */
static void quotients(void) {
  Fields t = fields_new(3);
  Samples s = samples_of(3);
  Value *fg[] = {fields_leaf(&t, &s.f, shape_scalar()), fields_leaf(&t, &s.g, shape_scalar())};
  Value *q = fields_ein(&t, "<$0/$1>", 2, fg);
  double q0 = *fields_probe(&t, q, 0, pass_differentiate), g0 = poly_eval(s.g, t.x);
  const double *q1 = fields_probe(&t, q, 1, pass_differentiate);
  const double *q2 = fields_probe(&t, q, 2, pass_differentiate);
  CHECK_NEAR(q0 * g0, poly_eval(s.f, t.x), 1e-12);
  for (uint32_t i = 0; i < 3; i++) {
    double gi = poly_eval(poly_derive(s.g, i), t.x);
    CHECK_NEAR(q1[i] * g0 + q0 * gi, poly_eval(poly_derive(s.f, i), t.x), 1e-10);
    for (uint32_t j = 0; j < 3; j++) {
      double gj = poly_eval(poly_derive(s.g, j), t.x);
      double gij = poly_eval(poly_derive(poly_derive(s.g, i), j), t.x);
      double fij = poly_eval(poly_derive(poly_derive(s.f, i), j), t.x);
      CHECK_NEAR(q2[3 * i + j] * g0 + q1[i] * gj + q1[j] * gi + q0 * gij, fij, 1e-10);
    }
  }
  fields_free(&t);
}

/* n = |v|: n n = v.v, differentiated twice; sin f directly. */
static void norms_and_functions(void) {
  Fields t = fields_new(3);
  Samples s = samples_of(3);
  Value *v = fields_leaf(&t, s.v, shape_vec(3)), *f = fields_leaf(&t, &s.f, shape_scalar());
  Value *norm = fields_ein(&t, "<sqrt(sum(i:3) $0[i]*$0[i])>", 1, &v);
  Value *sine = fields_ein(&t, "<sin($0)>", 1, &f);
  Poly square = P(0, 0, 0, 0);
  for (uint32_t i = 0; i < 3; i++) square = plus(square, poly_mul(s.v[i], s.v[i]));
  double n0 = *fields_probe(&t, norm, 0, pass_differentiate), f0 = poly_eval(s.f, t.x);
  const double *n1 = fields_probe(&t, norm, 1, pass_differentiate);
  const double *n2 = fields_probe(&t, norm, 2, pass_differentiate);
  const double *s2 = fields_probe(&t, sine, 2, pass_differentiate);
  for (uint32_t i = 0; i < 3; i++) {
    CHECK_NEAR(2 * n0 * n1[i], poly_eval(poly_derive(square, i), t.x), 1e-10);
    for (uint32_t j = 0; j < 3; j++) {
      double vv = poly_eval(poly_derive(poly_derive(square, i), j), t.x);
      CHECK_NEAR(2 * (n1[i] * n1[j] + n0 * n2[3 * i + j]), vv, 1e-10);
      double fi = poly_eval(poly_derive(s.f, i), t.x), fj = poly_eval(poly_derive(s.f, j), t.x);
      double fij = poly_eval(poly_derive(poly_derive(s.f, i), j), t.x);
      CHECK_NEAR(s2[3 * i + j], cos(f0) * fij - sin(f0) * fi * fj, 1e-10);
    }
  }
  fields_free(&t);
}

static Value *coord(Fields *t) {
  const Type *ty = type_field(t->cx, CONTINUITY_INF, t->dim, *type_shape(t->pos->ty));
  return build_typed(&t->b, OP_COORD, ATTR_EMPTY, ty, NULL, 0);
}

static void closed_forms(void) {
  Fields t = fields_new(3);
  Value *x = coord(&t), *args[] = {x, x};
  Poly square = plus(plus(P(1, 2, 0, 0), P(1, 0, 2, 0)), P(1, 0, 0, 2));
  Poly fourth = poly_mul(square, square);
  Poly xs[] = {P(1, 1, 0, 0), P(1, 0, 1, 0), P(1, 0, 0, 1)};
  check_poly(&t, x, xs, 3);
  check_poly(&t, fields_ein(&t, "<sum(i:3) $0[i]*$1[i]>", 2, args), &square, 3);
  check_poly(&t, fields_ein(&t, "<pow(sum(i:3) $0[i]*$0[i], 2)>", 1, args), &fourth, 3);
  fields_free(&t);
}

static void constant_field_has_no_derivative(void) {
  Fields t = fields_new(3);
  Value *args[] = {build_real(&t.b, 2.5), coord(&t)};
  Poly constant = P(2.5, 0, 0, 0);
  check_poly(&t, fields_ein(&t, "<$0>", 2, args), &constant, 2);
  fields_free(&t);
}

static void compositions(void) {
  Fields t = fields_new(3);
  Samples s = samples_of(3);
  Value *f = fields_leaf(&t, &s.f, shape_scalar()), *v = fields_leaf(&t, s.v, shape_vec(3));
  Value *w = fields_leaf(&t, s.w, shape_vec(3));
  Poly fv = poly_compose(s.f, s.v), wv[3];
  for (uint32_t i = 0; i < 3; i++) wv[i] = poly_compose(s.w[i], s.v);
  check_poly(&t, build_op2(&t.b, OP_COMPOSE, f, v), &fv, 3);
  check_poly(&t, build_op2(&t.b, OP_COMPOSE, w, v), wv, 2);
  fields_free(&t);
}

/* A field over one dimension: its derivative has no axis. */
static void composition_over_one_dimension(void) {
  Fields t = fields_new(1);
  Samples s = samples_of(1);
  Value *f = fields_leaf(&t, &s.f, shape_scalar()), *g = fields_leaf(&t, &s.g, shape_scalar());
  Poly inner[] = {s.g, P(0, 0, 0, 0), P(0, 0, 0, 0)};
  Poly fg = poly_compose(s.f, inner);
  check_poly(&t, build_op2(&t.b, OP_COMPOSE, f, g), &fg, 3);
  fields_free(&t);
}

/* A colour map over the values of a volume: the derivative of the map has no axis to sum over. */
static void composition_of_one_dimension_with_three(void) {
  Fields t = fields_new(3);
  Samples s = samples_of(3);
  Poly map[] = {plus(P(1, 2, 0, 0), P(-3, 1, 0, 0)), P(2, 3, 0, 0), P(-1, 1, 0, 0)}, want[3];
  Value *f = fields_leaf(&t, &s.f, shape_scalar());
  t.dim = 1;
  Value *colour = fields_leaf(&t, map, shape_vec(3));
  t.dim = 3;
  Poly inner[] = {s.f, P(0, 0, 0, 0), P(0, 0, 0, 0)};
  for (uint32_t i = 0; i < 3; i++) want[i] = poly_compose(map[i], inner);
  check_poly(&t, build_op2(&t.b, OP_COMPOSE, colour, f), want, 3);
  fields_free(&t);
}

/* ---- structure ------------------------------------------------------------------------------- */

static void probes_of_images_stay(void) {
  Fields t = fields_new(3);
  Samples s = samples_of(3);
  Value *f = fields_leaf(&t, &s.f, shape_scalar());
  build_op2(&t.b, OP_PROBE, fields_derive(&t, f, 1), t.pos);
  Pass px = {.cx = t.cx, .module = t.m};
  CHECK(!pass_differentiate(&px, t.fn));
  fields_free(&t);
}

static void one_position_is_probed_once(void) {
  Fields t = fields_new(3);
  Samples s = samples_of(3);
  Value *f = fields_leaf(&t, &s.f, shape_scalar()), *ff[] = {f, f};
  Value *square = fields_ein(&t, "<$0*$1>", 2, ff);
  Value *doubled = fields_ein(&t, "<$0 + $0>", 1, &square);
  build_op2(&t.b, OP_PROBE, square, t.pos);
  build_op2(&t.b, OP_PROBE, doubled, t.pos);
  fields_run(&t, pass_differentiate);
  CHECK_EQ(fields_count(&t, OP_PROBE), 1);
  fields_free(&t);
}

static Inst *find_op(Fields *t, OpId op) {
  for (Inst *inst = t->b.block->first; inst; inst = inst->next)
    if (inst->op == op) return inst;
  return NULL;
}

static void inside_takes_the_widest_kernel_of_an_image(void) {
  Fields t = fields_new(3);
  Samples s = samples_of(3);
  Value *image = fields_image(&t, &s.f, shape_scalar());
  Value *clamped = build_op1(&t.b, OP_BORDER_CLAMP, image);
  Value *args[] = {fields_convolve(&t, image, kernel_find("bspln3")),
                   fields_convolve(&t, clamped, kernel_find("bspln5")),
                   fields_leaf(&t, &s.g, shape_scalar())};
  Value *field = fields_ein(&t, "<$0*$1 + $2>", 3, args);
  build_op2(&t.b, OP_INSIDE, t.pos, fields_derive(&t, field, 1));
  fields_run(&t, pass_differentiate);
  CHECK_EQ(fields_count(&t, OP_INSIDE_IMAGE), 2);
  CHECK_EQ(fields_count(&t, OP_BAND), 1);
  Inst *test = find_op(&t, OP_INSIDE_IMAGE);
  CHECK(test->args[0] == image);
  CHECK_EQ(test->attr.supports.along[0], 3);
  fields_free(&t);
}

static void inside_of_a_closed_form_is_true(void) {
  Fields t = fields_new(2);
  build_op2(&t.b, OP_INSIDE, t.pos, coord(&t));
  fields_run(&t, pass_differentiate);
  CHECK_EQ(fields_count(&t, OP_INSIDE), 0);
  CHECK(find_op(&t, OP_CONST_BOOL)->attr.b);
  fields_free(&t);
}

/* inside(x, f o v) is the conjunction of inside(x, v) and inside(v(x), f). */
static void inside_of_a_composition_asks_both(void) {
  Fields t = fields_new(3);
  Samples s = samples_of(3);
  Value *f = fields_leaf(&t, &s.f, shape_scalar()), *v = fields_leaf(&t, s.v, shape_vec(3));
  build_op2(&t.b, OP_INSIDE, t.pos, build_op2(&t.b, OP_COMPOSE, f, v));
  fields_run(&t, pass_differentiate);
  CHECK_EQ(fields_count(&t, OP_INSIDE_IMAGE), 2);
  CHECK_EQ(fields_count(&t, OP_PROBE), 1);
  fields_free(&t);
}

static void check_zero(Fields *t, Value *field) {
  uint32_t n_before = fields_count(t, OP_PROBE);
  fields_probe(t, field, 0, pass_differentiate);
  CHECK_EQ(fields_count(t, OP_PROBE), n_before);
}

/* For any f and v, nothing is probed. */
static void curl_of_gradient_and_divergence_of_curl_vanish(void) {
  Fields t = fields_new(3);
  Samples s = samples_of(3);
  const char *curl_text = "<i:3 | sum(j:3,k:3) eps(i,j,k)*$0[k,j]>";
  Value *fg[] = {fields_leaf(&t, &s.f, shape_scalar()), fields_leaf(&t, &s.g, shape_scalar())};
  Value *product = fields_ein(&t, "<$0*$1>", 2, fg);
  Value *second = fields_derive(&t, fg[0], 2), *second_product = fields_derive(&t, product, 2);
  Value *jacobian = fields_derive(&t, fields_leaf(&t, s.v, shape_vec(3)), 1);
  Value *curl = fields_ein(&t, curl_text, 1, &jacobian), *curl_derived = fields_derive(&t, curl, 1);
  check_zero(&t, fields_ein(&t, curl_text, 1, &second));
  check_zero(&t, fields_ein(&t, curl_text, 1, &second_product));
  check_zero(&t, fields_ein(&t, "<sum(i:3) $0[i,i]>", 1, &curl_derived));
  fields_free(&t);

  t = fields_new(2);
  s = samples_of(2);
  second = fields_derive(&t, fields_leaf(&t, &s.f, shape_scalar()), 2);
  check_zero(&t, fields_ein(&t, "<$0[1,0] - $0[0,1]>", 1, &second));
  fields_free(&t);
}

int main(void) {
  RUN(sums_and_products);
  RUN(tensor_products);
  RUN(derivative_operators);
  RUN(determinant);
  RUN(quotients);
  RUN(norms_and_functions);
  RUN(closed_forms);
  RUN(constant_field_has_no_derivative);
  RUN(compositions);
  RUN(composition_over_one_dimension);
  RUN(composition_of_one_dimension_with_three);
  RUN(curl_of_gradient_and_divergence_of_curl_vanish);
  RUN(probes_of_images_stay);
  RUN(one_position_is_probed_once);
  RUN(inside_takes_the_widest_kernel_of_an_image);
  RUN(inside_of_a_closed_form_is_true);
  RUN(inside_of_a_composition_asks_both);
  return test_result();
}
