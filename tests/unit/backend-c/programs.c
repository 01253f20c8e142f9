/* Programs in LOW: see programs.h. */
#include "tests/unit/backend-c/programs.h"

#include "tests/unit/backend-c/make.h"

/* --- mandelbrot ------------------------------------------------------------------------------- */

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

/* --- control: loops, swaps, calls, prints ----------------------------------------------------- */

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

const TestProgram test_programs[] = {
    {"mandelbrot", make_mandelbrot, false}, {"mandelbrot-scalar", make_mandelbrot, true},
    {"control", make_control, false},       {"probe", make_probe, false},
    {"probe-scalar", make_probe, true},
};
const uint32_t n_test_programs = sizeof test_programs / sizeof test_programs[0];
