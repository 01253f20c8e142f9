/* A tricubic probe: see programs.h. */
#include "tests/unit/backend-c/make.h"

static const char probe_text[] = "#version 2.0\n"
                                 "input image(3)[] vol;\n"
                                 "field#1(3)[] F = vol ⊛ ctmr;\n"
                                 "strand point(int j, int i) {\n"
                                 "  vec3 pos = [4.0 + 0.3*i, 3.5 + 0.2*j, 4.2 + 0.1*i];\n"
                                 "  output real value = 0.0;\n"
                                 "  update {\n"
                                 "    value = F(pos);\n"
                                 "    stabilize;\n"
                                 "  }\n"
                                 "}\n"
                                 "create_array { point(j, i) | j in 0..6, i in 0..6 }\n";

static Value *axis_pos(Make *mk, Value *iterator, double base, double step) {
  Value *scaled = op2(mk, OP_RMUL, literal(mk, step, NULL), build_op1(&mk->b, OP_I2R, iterator));
  return op2(mk, OP_RADD, literal(mk, base, NULL), scaled);
}

static void probe_create(Make *mk) {
  Func *fn = open_func(mk, FN_CREATE, "point", "vec3 pos");
  const Type *int_ty = type_int(mk->cx);
  Value *j = param(mk, fn->blocks.data[0], int_ty, "j");
  Value *i = param(mk, fn->blocks.data[0], int_ty, "i");
  Value *state[] = {axis_pos(mk, i, 4.0, 0.3), axis_pos(mk, j, 3.5, 0.2), axis_pos(mk, i, 4.2, 0.1),
                    literal(mk, 0, "0.0")};
  build_leave(&mk->b, EXIT_ACTIVE, state, 4);
}

/* Catmull-Rom weights of the four taps: columns of 1, f, f^2, f^3. */
static const Rational ctmr[4][4] = {{{0, 1}, {1, 1}, {0, 1}, {0, 1}},
                                    {{-1, 2}, {0, 1}, {1, 2}, {0, 1}},
                                    {{1, 1}, {-5, 2}, {2, 1}, {-1, 2}},
                                    {{-1, 2}, {3, 2}, {-3, 2}, {1, 2}}};

static Value *probe_weights(Make *mk, Value *fraction) {
  const Type *row_ty = type_row(mk->cx, 4);
  Value *sum = NULL;
  for (uint32_t power = 4; power-- > 0;) {
    Attr attr = {.row = {.width = 4, .lanes = ctmr[power]}};
    Value *row = build_typed(&mk->b, OP_CONST_ROW, attr, row_ty, NULL, 0);
    sum = sum ? build_op(&mk->b, OP_ROW_FMA, ATTR_EMPTY, (Value *[]){sum, fraction, row}, 3) : row;
  }
  return sum;
}

typedef struct Axis {
  Value *weights, *step[4];
} Axis;

static Value *to_index(Make *mk, Value *image, Value *const *pos, uint32_t axis) {
  Value *sum = NULL;
  for (uint32_t k = 0; k < 3; k++) {
    Value *origin = build_op(&mk->b, OP_IMAGE_ORIGIN, (Attr){.i = k}, &image, 1);
    Value *entry = build_op(&mk->b, OP_IMAGE_MATRIX, (Attr){.pair = {axis, k}}, &image, 1);
    Value *from_origin = op2(mk, OP_RSUB, pos[k], origin);
    sum = sum ? build_op(&mk->b, OP_RFMA, ATTR_EMPTY, (Value *[]){entry, from_origin, sum}, 3)
              : op2(mk, OP_RMUL, entry, from_origin);
  }
  return sum;
}

static Value *weight(Make *mk, const Axis *axis, uint32_t tap) {
  Value *row = axis->weights;
  return build_op(&mk->b, OP_ROW_GET, (Attr){.i = tap}, &row, 1);
}

static Value *add_scaled(Make *mk, Value *sum, Value *row, Value *w) {
  return sum ? build_op(&mk->b, OP_ROW_FMA, ATTR_EMPTY, (Value *[]){row, w, sum}, 3)
             : op2(mk, OP_ROW_SCALE, row, w);
}

static Value *step_along(Make *mk, Value *addr, Value *step) {
  return step ? op2(mk, OP_ADDR_ADD, addr, step) : addr;
}

static Value *probe_contract(Make *mk, Value *addr, const Axis axes[3]) {
  Value *sum_y = NULL;
  for (uint32_t y = 0; y < 4; y++) {
    Value *sum_z = NULL;
    for (uint32_t z = 0; z < 4; z++) {
      Value *at_row = step_along(mk, step_along(mk, addr, axes[1].step[y]), axes[2].step[z]);
      Value *row = build_typed(&mk->b, OP_ROW_LOAD, ATTR_EMPTY, type_row(mk->cx, 4), &at_row, 1);
      sum_z = add_scaled(mk, sum_z, row, weight(mk, &axes[2], z));
    }
    sum_y = add_scaled(mk, sum_y, sum_z, weight(mk, &axes[1], y));
  }
  return op2(mk, OP_ROW_DOT, sum_y, axes[0].weights);
}

static Value *probe_value(Make *mk, Value *image, Value *const *pos) {
  Value *corner_offset = NULL;
  Axis axes[3];
  for (uint32_t axis = 0; axis < 3; axis++) {
    Value *x = to_index(mk, image, pos, axis), *cell = build_op1(&mk->b, OP_RFLOOR, x);
    Value *stride = build_op(&mk->b, OP_IMAGE_STRIDE, (Attr){.i = axis}, &image, 1);
    Value *len = build_op(&mk->b, OP_IMAGE_AXIS_LEN, (Attr){.i = axis}, &image, 1);
    Value *args[] = {cell, len};
    Value *corner = build_op(&mk->b, OP_CORNER, (Attr){.i = 2}, args, 2);
    Value *offset = op2(mk, OP_OFFSET_MUL, corner, stride);
    corner_offset = corner_offset ? op2(mk, OP_OFFSET_ADD, corner_offset, offset) : offset;
    axes[axis].weights = probe_weights(mk, op2(mk, OP_RSUB, x, cell));
    axes[axis].step[0] = NULL;
    for (uint32_t tap = 1; tap < 4; tap++)
      axes[axis].step[tap] = op2(mk, OP_OFFSET_MUL, build_int(&mk->b, tap), stride);
  }
  Value *args[] = {image, corner_offset};
  const Type *ty = type_addr(mk->cx, SAMPLE_REAL);
  Value *corner = build_typed(&mk->b, OP_SAMPLE_ADDR, ATTR_EMPTY, ty, args, 2);
  return probe_contract(mk, corner, axes);
}

static void probe_update(Make *mk, uint32_t vol) {
  Func *fn = open_func(mk, FN_UPDATE, "update", "update");
  const char *const names[] = {"pos_x", "pos_y", "pos_z"};
  Value *pos[3];
  for (uint32_t k = 0; k < 3; k++)
    pos[k] = param(mk, fn->blocks.data[0], type_real(mk->cx), names[k]);
  param(mk, fn->blocks.data[0], type_real(mk->cx), "value");
  at(mk, "value = F(pos)");
  Value *image = global(mk, vol, WHOLE, mk->m->globals.data[vol].ty);
  Value *value = named(mk, probe_value(mk, image, pos), "value");
  at(mk, "stabilize");
  Value *state[] = {pos[0], pos[1], pos[2], value};
  build_leave(&mk->b, EXIT_STABILIZE, state, 4);
}

Module *make_probe(Cx *cx) {
  Make mk = make_module(cx, "probe.diderot", probe_text, "point");
  const Type *image = type_image(cx, 3, shape_of(0, NULL));
  uint32_t vol = add_input(&mk, "vol", image, NULL);
  add_state(&mk, "pos", type_vec(cx, 3), false);
  add_state(&mk, "value", type_real(cx), true);
  empty_globals(&mk);
  square_bounds(&mk, 6);
  add_params(&mk, (const char *[]){"j", "i"}, 2);
  probe_create(&mk);
  probe_update(&mk, vol);
  return mk.m;
}
