/* Programs in LOW: see programs.h. The spans point into sources that say the same. */
#include "tests/unit/backend-c/programs.h"

#include <string.h>

typedef struct Make {
  Cx *cx;
  Module *m;
  Builder b;
} Make;

/* ---- helpers -----------------------------------------------------------------------------------
 */

static Span span_of(const Cx *cx, const char *part) {
  const char *at = strstr(cx->source->text, part);
  if (!at) return SPAN_NONE;
  uint32_t start = (uint32_t)(at - cx->source->text);
  return (Span){start, start + (uint32_t)strlen(part)};
}

static Make make_module(Cx *cx, const char *path, const char *text, const char *strand) {
  cx->source = source_from_text(cx->arena, path, text, strlen(text));
  Make mk = {.cx = cx, .m = module_new(cx, LEVEL_LOW)};
  mk.m->strand_name = name_from(cx->names, strand);
  return mk;
}

static const Name *word(Make *mk, const char *text) { return name_from(mk->cx->names, text); }
static void at(Make *mk, const char *part) { mk->b.span = span_of(mk->cx, part); }

static Func *open_func(Make *mk, FuncKind kind, const char *name, const char *part) {
  Func *fn = func_new(mk->m, kind, word(mk, name), span_of(mk->cx, part));
  mk->b = build_at_end(mk->cx, block_new(fn), fn->span);
  return fn;
}

static void go_to(Make *mk, Block *blk) { mk->b.block = blk; }

static Value *param(Make *mk, Block *blk, const Type *ty, const char *name) {
  return block_add_param(blk, ty, name ? word(mk, name) : NULL);
}

static Value *named(Make *mk, Value *value, const char *name) {
  value->name = word(mk, name);
  return value;
}

static Value *op2(Make *mk, OpId op, Value *a, Value *c) { return build_op2(&mk->b, op, a, c); }

static Value *literal(Make *mk, double value, const char *digits) {
  return build_op(&mk->b, OP_CONST_REAL, (Attr){.real = {value, digits}}, NULL, 0);
}

static uint32_t add_input(Make *mk, const char *name, const Type *ty, const Const *value) {
  Global global = {.kind = GLOBAL_INPUT,
                   .name = word(mk, name),
                   .ty = ty,
                   .value = value,
                   .span = span_of(mk->cx, name)};
  vec_push(mk->cx->arena, &mk->m->globals, global);
  return mk->m->globals.len - 1;
}

static Const *int_const(Make *mk, int64_t i) {
  Const *value = NEW(mk->cx->arena, Const);
  *value = (Const){.ty = type_int(mk->cx), .i = i};
  return value;
}

static Const *vec_const(Make *mk, uint32_t n, const RealConst *reals) {
  Const *value = NEW(mk->cx->arena, Const);
  value->ty = type_vec(mk->cx, n);
  value->reals = NEWN(mk->cx->arena, RealConst, n);
  memcpy(value->reals, reals, n * sizeof *reals);
  return value;
}

static Value *global(Make *mk, uint32_t idx, uint32_t component, const Type *ty) {
  return build_typed(&mk->b, OP_GLOBAL_LOAD, (Attr){.var = {idx, component}}, ty, NULL, 0);
}

static void add_state(Make *mk, const char *name, const Type *ty, bool is_output) {
  StateVar var = {.name = word(mk, name), .ty = ty, .is_output = is_output, .is_varying = true};
  vec_push(mk->cx->arena, &mk->m->state, var);
}

static void empty_globals(Make *mk) {
  open_func(mk, FN_GLOBALS, "globals", "#version");
  build_leave(&mk->b, EXIT_RETURN, NULL, 0);
}

/* Strand parameters that are the first iterators of two: ints of these names. */
static void add_params(Make *mk, const char *const *names, uint32_t n) {
  static const char *const iterators[] = {"j", "i"};
  Func *fn = open_func(mk, FN_ARGS, "args", "create_array");
  Value *args[2];
  for (uint32_t i = 0; i < 2; i++)
    args[i] = param(mk, fn->blocks.data[0], type_int(mk->cx), iterators[i]);
  for (uint32_t i = 0; i < n; i++) {
    StrandParam own = {.name = word(mk, names[i]), .ty = type_int(mk->cx), .span = fn->span};
    vec_push(mk->cx->arena, &mk->m->params, own);
  }
  build_leave(&mk->b, EXIT_RETURN, args, n);
}

/* ---- mandelbrot --------------------------------------------------------------------------------
 */

static const char mandelbrot_text[] = "#version 2.0\n"
                                      "input int limit (\"steps before giving up\") = 100;\n"
                                      "input vec2 corner = [-2.0, -1.5];\n"
                                      "strand pixel(int j, int i) {\n"
                                      "  vec2 c = [corner[0] + 0.25*i, corner[1] + 0.25*j];\n"
                                      "  vec2 z = [0.0, 0.0];\n"
                                      "  output int n = 0;\n"
                                      "  update {\n"
                                      "    if (n == limit || z • z > 4.0) { stabilize; }\n"
                                      "    z = [z[0]*z[0] - z[1]*z[1], 2.0*z[0]*z[1]] + c;\n"
                                      "    n += 1;\n"
                                      "  }\n"
                                      "}\n"
                                      "create_array { pixel(j, i) | j in 0..12, i in 0..12 }\n";

static void mandelbrot_create(Make *mk, uint32_t corner) {
  Func *fn = open_func(mk, FN_CREATE, "pixel", "vec2 c");
  Block *entry = fn->blocks.data[0];
  const Type *int_ty = type_int(mk->cx), *real = type_real(mk->cx);
  Value *j = param(mk, entry, int_ty, "j"), *i = param(mk, entry, int_ty, "i");
  Value *quarter = literal(mk, 0.25, "0.25");
  Value *x = op2(mk, OP_RMUL, quarter, build_op1(&mk->b, OP_I2R, i));
  Value *c_x = op2(mk, OP_RADD, global(mk, corner, 0, real), x);
  Value *y = op2(mk, OP_RMUL, quarter, build_op1(&mk->b, OP_I2R, j));
  Value *c_y = op2(mk, OP_RADD, global(mk, corner, 1, real), y);
  Value *zero = literal(mk, 0, "0.0");
  at(mk, "output int n");
  Value *state[] = {c_x, c_y, zero, zero, build_int(&mk->b, 0)};
  build_leave(&mk->b, EXIT_ACTIVE, state, 5);
}

static void mandelbrot_update(Make *mk, uint32_t limit) {
  Func *fn = open_func(mk, FN_UPDATE, "update", "update");
  Block *entry = fn->blocks.data[0], *stop = block_new(fn), *go = block_new(fn);
  const Type *real = type_real(mk->cx);
  Value *c_x = param(mk, entry, real, "c_x"), *c_y = param(mk, entry, real, "c_y");
  Value *z_x = param(mk, entry, real, "z_x"), *z_y = param(mk, entry, real, "z_y");
  Value *n = param(mk, entry, type_int(mk->cx), "n");
  at(mk, "if (n ==");
  Value *at_limit = op2(mk, OP_IEQ, n, global(mk, limit, WHOLE, type_int(mk->cx)));
  Value *squares = op2(mk, OP_RADD, op2(mk, OP_RMUL, z_x, z_x), op2(mk, OP_RMUL, z_y, z_y));
  Value *is_far = op2(mk, OP_RGT, squares, literal(mk, 4, "4.0"));
  build_branch(&mk->b, op2(mk, OP_BOR, at_limit, is_far), stop, go, NULL);
  go_to(mk, stop);
  Value *same[] = {c_x, c_y, z_x, z_y, n};
  build_leave(&mk->b, EXIT_STABILIZE, same, 5);
  go_to(mk, go);
  at(mk, "z = [z[0]*z[0]");
  Value *x = op2(mk, OP_RSUB, op2(mk, OP_RMUL, z_x, z_x), op2(mk, OP_RMUL, z_y, z_y));
  Value *y = op2(mk, OP_RMUL, op2(mk, OP_RMUL, literal(mk, 2, "2.0"), z_x), z_y);
  Value *next_x = named(mk, op2(mk, OP_RADD, x, c_x), "z_x");
  Value *next_y = named(mk, op2(mk, OP_RADD, y, c_y), "z_y");
  at(mk, "n += 1");
  Value *next_n = named(mk, op2(mk, OP_IADD, n, build_int(&mk->b, 1)), "n");
  Value *next[] = {c_x, c_y, next_x, next_y, next_n};
  build_leave(&mk->b, EXIT_ACTIVE, next, 5);
}

static void square_bounds(Make *mk, int64_t hi) {
  open_func(mk, FN_BOUNDS, "bounds", "create_array");
  Value *zero = build_int(&mk->b, 0), *last = build_int(&mk->b, hi);
  Value *bounds[] = {zero, last, zero, last};
  build_leave(&mk->b, EXIT_RETURN, bounds, 4);
  mk->m->n_iters = 2;
}

static Module *make_mandelbrot(Cx *cx) {
  Make mk = make_module(cx, "mandelbrot.diderot", mandelbrot_text, "pixel");
  uint32_t limit = add_input(&mk, "limit", type_int(cx), int_const(&mk, 100));
  mk.m->globals.data[limit].description = "steps before giving up";
  const RealConst corner_at[] = {{-2, NULL}, {-1.5, NULL}};
  uint32_t corner = add_input(&mk, "corner", type_vec(cx, 2), vec_const(&mk, 2, corner_at));
  add_state(&mk, "c", type_vec(cx, 2), false);
  add_state(&mk, "z", type_vec(cx, 2), false);
  add_state(&mk, "n", type_int(cx), true);
  empty_globals(&mk);
  square_bounds(&mk, 12);
  add_params(&mk, (const char *[]){"j", "i"}, 2);
  mandelbrot_create(&mk, corner);
  mandelbrot_update(&mk, limit);
  return mk.m;
}

/* ---- control: loops, swaps, calls, prints -------------------------------------------------------
 */

static const char control_text[] =
    "#version 2.0\n"
    "input int offset = 1;\n"
    "function vec2 turn(vec2 v') { return [-v'[1], v'[0]]; }\n"
    "strand walk(int i) {\n"
    "  output int fib = 0;\n"
    "  output vec2 λ = [1.0, 0.0];\n"
    "  output real up = 0.0;\n"
    "  update {\n"
    "    int a = 0; int b = 1;\n"
    "    foreach (int k in offset..fib) { int t = b; b = a + b; a = t; }\n"
    "    real up = up;\n"
    "    if (fib < 5) { up = 1.0; }\n"
    "    if (b > a) { λ = [λ[1], λ[0]]; } else { up += 0.1; }\n"
    "    λ = turn(λ);\n"
    "    if (fib == 3) { print(\"at \", fib, [up, λ[0]]); }\n"
    "    fib = a;\n"
    "    stabilize;\n"
    "  }\n"
    "}\n"
    "create_array { walk(j) | j in 0..12, i in 0..0 }\n";

static Func *control_turn(Make *mk) {
  Func *fn = open_func(mk, FN_USER, "turn", "function vec2");
  Block *entry = fn->blocks.data[0];
  fn->result = type_vec(mk->cx, 2);
  Value *x = param(mk, entry, type_real(mk->cx), "v'_x");
  Value *y = param(mk, entry, type_real(mk->cx), "v'_y");
  at(mk, "return");
  Value *turned[] = {build_op1(&mk->b, OP_RNEG, y), x};
  build_leave(&mk->b, EXIT_RETURN, turned, 2);
  return fn;
}

static void control_create(Make *mk) {
  Func *fn = open_func(mk, FN_CREATE, "walk", "output int fib");
  Value *i = param(mk, fn->blocks.data[0], type_int(mk->cx), "i");
  Value *state[] = {i, literal(mk, 1, "1.0"), literal(mk, 0, "0.0"), literal(mk, 0, "0.0")};
  build_leave(&mk->b, EXIT_ACTIVE, state, 4);
}

/* a, b = fib(n): the carried values swap places. Returns a after the loop, and *b. */
static Value *control_loop(Make *mk, uint32_t offset, Value *n, Value **b_after) {
  Func *fn = mk->b.fn;
  const Type *int_ty = type_int(mk->cx);
  Block *body = block_new(fn), *after = block_new(fn);
  at(mk, "int a = 0");
  Value *first[] = {build_int(&mk->b, 0), build_int(&mk->b, 1)};
  at(mk, "foreach");
  build_foreach(&mk->b, global(mk, offset, WHOLE, int_ty), n, body, after, first, 2);
  param(mk, body, int_ty, "k");
  Value *a = param(mk, body, int_ty, "a"), *b = param(mk, body, int_ty, "b");
  go_to(mk, body);
  Value *next[] = {b, named(mk, op2(mk, OP_IADD, a, b), "b")};
  build_next(&mk->b, next, 2);
  Value *a_after = param(mk, after, int_ty, "a");
  *b_after = param(mk, after, int_ty, "b");
  go_to(mk, after);
  return a_after;
}

/* if (fib < 5) { up = 1.0; }: the parameter takes over the variable of up. */
static Value *control_if(Make *mk, Value *fib, Value *up) {
  Func *fn = mk->b.fn;
  Block *yes = block_new(fn), *no = block_new(fn), *merge = block_new(fn);
  at(mk, "if (fib < 5)");
  build_branch(&mk->b, op2(mk, OP_ILT, fib, build_int(&mk->b, 5)), yes, no, merge);
  go_to(mk, yes);
  at(mk, "up = 1.0");
  Value *one = literal(mk, 1, "1.0");
  build_jump(&mk->b, merge, &one, 1);
  go_to(mk, no);
  build_jump(&mk->b, merge, &up, 1);
  go_to(mk, merge);
  return param(mk, merge, type_real(mk->cx), "up");
}

/* if (b > a) swap x, y else up += 0.1: results[] are x, y, up and replaced. */
static void control_swap(Make *mk, Value *is_greater, Value *results[3]) {
  Func *fn = mk->b.fn;
  Block *yes = block_new(fn), *no = block_new(fn), *merge = block_new(fn);
  build_branch(&mk->b, is_greater, yes, no, merge);
  go_to(mk, yes);
  at(mk, "if (b > a)");
  Value *swapped[] = {results[1], results[0], results[2]};
  build_jump(&mk->b, merge, swapped, 3);
  go_to(mk, no);
  at(mk, "up += 0.1");
  Value *more = named(mk, op2(mk, OP_RADD, results[2], literal(mk, 0.1, "0.1")), "up");
  Value *kept[] = {results[0], results[1], more};
  build_jump(&mk->b, merge, kept, 3);
  go_to(mk, merge);
  results[0] = param(mk, merge, type_real(mk->cx), "λ_x");
  results[1] = param(mk, merge, type_real(mk->cx), "λ_y");
  results[2] = param(mk, merge, type_real(mk->cx), "up");
}

static void control_print(Make *mk, Value *fib, Value *up, Value *x) {
  Func *fn = mk->b.fn;
  Block *yes = block_new(fn), *no = block_new(fn), *merge = block_new(fn);
  at(mk, "if (fib == 3)");
  build_branch(&mk->b, op2(mk, OP_IEQ, fib, build_int(&mk->b, 3)), yes, no, merge);
  go_to(mk, yes);
  const char *const texts[] = {"at ", "[", ",", "]"};
  Value *text[4];
  for (int k = 0; k < 4; k++)
    text[k] = build_op(&mk->b, OP_CONST_STRING, (Attr){.s = texts[k]}, NULL, 0);
  Value *line = build_op(&mk->b, OP_CONST_STRING, (Attr){.s = "\n"}, NULL, 0);
  Value *args[] = {text[0], fib, text[1], up, text[2], x, text[3], line};
  build_effect(&mk->b, OP_PRINT, ATTR_EMPTY, args, 8);
  build_jump(&mk->b, merge, NULL, 0);
  go_to(mk, no);
  build_jump(&mk->b, merge, NULL, 0);
  go_to(mk, merge);
}

static void control_update(Make *mk, uint32_t offset, Func *turn) {
  Func *fn = open_func(mk, FN_UPDATE, "update", "update");
  Block *entry = fn->blocks.data[0];
  const Type *real = type_real(mk->cx);
  Value *fib = param(mk, entry, type_int(mk->cx), "fib"), *b;
  Value *x = param(mk, entry, real, "λ_x"), *y = param(mk, entry, real, "λ_y");
  Value *up = param(mk, entry, real, "up");
  Value *a = control_loop(mk, offset, fib, &b);
  Value *results[] = {x, y, control_if(mk, fib, up)};
  at(mk, "if (b > a)");
  control_swap(mk, op2(mk, OP_IGT, b, a), results);
  at(mk, "λ = turn");
  Inst *call = inst_new(fn, OP_CALL, (Attr){.func = turn}, mk->b.span, results, 2);
  Value *turned_x = inst_add_result(call, real, word(mk, "λ_x"));
  Value *turned_y = inst_add_result(call, real, word(mk, "λ_y"));
  inst_append(mk->b.block, call);
  control_print(mk, fib, results[2], results[0]);
  at(mk, "stabilize");
  Value *state[] = {a, turned_x, turned_y, results[2]};
  build_leave(&mk->b, EXIT_STABILIZE, state, 4);
}

static Module *make_control(Cx *cx) {
  Make mk = make_module(cx, "control.diderot", control_text, "walk");
  uint32_t offset = add_input(&mk, "offset", type_int(cx), int_const(&mk, 1));
  add_state(&mk, "fib", type_int(cx), true);
  add_state(&mk, "λ", type_vec(cx, 2), true);
  add_state(&mk, "up", type_real(cx), true);
  empty_globals(&mk);
  Func *turn = control_turn(&mk);
  add_params(&mk, (const char *[]){"i"}, 1);
  control_create(&mk);
  control_update(&mk, offset, turn);
  open_func(&mk, FN_BOUNDS, "bounds", "create_array");
  Value *zero = build_int(&mk.b, 0);
  Value *bounds[] = {zero, build_int(&mk.b, 12), zero, zero};
  build_leave(&mk.b, EXIT_RETURN, bounds, 4);
  mk.m->n_iters = 2;
  return mk.m;
}

/* ---- probe: one tricubic value ------------------------------------------------------------------
 */

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

static Module *make_probe(Cx *cx) {
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

const TestProgram test_programs[] = {
    {"mandelbrot", make_mandelbrot, false}, {"mandelbrot-scalar", make_mandelbrot, true},
    {"control", make_control, false},       {"probe", make_probe, false},
    {"probe-scalar", make_probe, true},
};
const uint32_t n_test_programs = sizeof test_programs / sizeof test_programs[0];
