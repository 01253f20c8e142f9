/* Probe groups: all wanted derivatives of one image at one position from one set of samples.
 *
 *   for y:  B[c]    = sum over z of row(y,z) * wz[c][z]          rows of 2s samples along x
 *           A[b,c] += B[c] * wy[b][y]
 *   derivative (a,b,c) = dot(A[b,c], wx[a])
 *
 * The slowest axis comes first, so no data crosses the lanes of a row before the last line. a, b, c
 * count derivatives along x, y, z. A row has one component of the samples, or a chunk of all their
 * components side by side, which are separated before the last line. If the samples are beyond a
 * border, the three lines are one op on a window of samples. Only this file knows the order of
 * evaluation.  Next: probe_variants.c.
 */
#include "ir/mid-to-low/local.h"

#define MAX_DERIV 16 /* orders of one group are below this: no kernel has degree 16 */

typedef struct Lines {
  Value *at[MAX_DERIV][MAX_DERIV]; /* A[b][c] */
  Value *window;                   /* instead of lines: a window of all samples; or NULL */
} Lines;

struct Contraction {
  Lower *lower;
  const Inst *group;
  const Kernel *kernel;
  uint32_t dim, n_taps;
  uint32_t max_order;
  Value *fraction[MAX_DIM];
  Value *weights[MAX_DIM][MAX_DERIV];          /* rows, made on demand */
  Value *scalar[MAX_DIM][MAX_DERIV][MAX_TAPS]; /* single weights of y and z */
  Lines *parts;                                /* of each component or chunk */
  Value *derivative[MAX_DERIV][MAX_DERIV];     /* [b][c], for a = order - b - c */
  Value *floor_index[MAX_DIM];
};

/* "yy" for order 2 along y. */
static const char *repeated(const Contraction *con, uint32_t axis, uint32_t order) {
  Text text = text_new(con->lower->cx->arena);
  for (uint32_t k = 0; k < order; k++) text_addf(&text, "%c", AXIS_LETTER(axis));
  return text_str(&text);
}

static Value *weights(Contraction *con, uint32_t axis, uint32_t order) {
  Value **slot = &con->weights[axis][order];
  if (*slot != NULL) return *slot;
  *slot = lower_weights(con->lower, con->kernel, axis, order, con->fraction[axis]);
  if (order == 0) return part_hint(con->lower, *slot, "weight_%c", AXIS_LETTER(axis));
  return part_hint(con->lower, *slot, "weight_d%s", repeated(con, axis, order));
}

static Value *weight(Contraction *con, uint32_t axis, uint32_t order, uint32_t tap) {
  Value **slot = &con->scalar[axis][order][tap];
  if (*slot == NULL) {
    Value *row = weights(con, axis, order);
    *slot = build_op(&con->lower->b, OP_ROW_GET, (Attr){.i = tap}, &row, 1);
  }
  return *slot;
}

/* Whether a tap is under the kernel of its axis. The support is a cube, as wide as the widest
 * kernel; outside a narrower one weights are 0. */
static bool is_under_kernel(const Contraction *con, uint32_t axis, uint32_t tap) {
  const uint32_t beyond = con->n_taps / 2 - kernel_along(con->kernel, axis)->support;
  return tap >= beyond && tap + beyond < con->n_taps;
}

/* sum + row * w; sum NULL is zero. */
static Value *accumulate(Contraction *con, Value *sum, Value *row, Value *w) {
  Value *args[] = {row, w, sum};
  return sum == NULL ? build_op2(&con->lower->b, OP_ROW_SCALE, row, w)
                     : build_op(&con->lower->b, OP_ROW_FMA, ATTR_EMPTY, args, 3);
}

/* Names a row after contraction: "row_y1_dz" along z, "line" or "line_dyz" along y and z. */
static void name_row(Contraction *con, Value *row, const char *word, uint32_t b, uint32_t c) {
  const char *mark = b + c > 0 ? "_d" : "";
  part_hint(con->lower, row, "%s%s%s%s", word, mark, repeated(con, 1, b), repeated(con, 2, c));
}

/* B[c] for c up to the highest order, at tap y. */
static void contract_z(Contraction *con, Voxels *vox, uint32_t part, uint32_t y,
                       Value *sums[MAX_DERIV]) {
  for (uint32_t c = 0; c <= con->max_order; c++) sums[c] = NULL;
  for (uint32_t z = 0; z < con->n_taps; z++) {
    if (!is_under_kernel(con, 2, z)) continue;
    Value *row = voxels_row(con->lower, vox, y, z, part);
    if (con->max_order > 0) part_hint(con->lower, row, "row_y%uz%u", y, z);
    for (uint32_t c = 0; c <= con->max_order; c++) {
      sums[c] = accumulate(con, sums[c], row, weight(con, 2, c, z));
    }
  }
  const char *word = text_format(con->lower->cx->arena, "row_y%u", y);
  for (uint32_t c = 0; c <= con->max_order; c++) name_row(con, sums[c], word, 0, c);
}

static void contract_y(Contraction *con, Voxels *vox, uint32_t part) {
  const uint32_t max_z = con->dim == 3 ? con->max_order : 0;
  Lines *lines = &con->parts[part];
  for (uint32_t y = 0; y < con->n_taps; y++) {
    if (!is_under_kernel(con, 1, y)) continue;
    Value *sums[MAX_DERIV] = {NULL};
    if (con->dim == 3) {
      contract_z(con, vox, part, y, sums);
    } else {
      sums[0] = voxels_row(con->lower, vox, y, 0, part);
      if (con->max_order > 0) part_hint(con->lower, sums[0], "row_y%u", y);
    }
    for (uint32_t c = 0; c <= max_z; c++) {
      for (uint32_t b = 0; b + c <= con->max_order; b++) {
        lines->at[b][c] = accumulate(con, lines->at[b][c], sums[c], weight(con, 1, b, y));
      }
    }
  }
  const char *word = voxels_are_chunked(vox) ? "chunk" : "line";
  for (uint32_t c = 0; c <= max_z; c++) {
    for (uint32_t b = 0; b + c <= con->max_order; b++) name_row(con, lines->at[b][c], word, b, c);
  }
}

static void contract_rows(Contraction *con, Voxels *vox) {
  for (uint32_t part = 0; part < vox->n_components; part++) {
    if (con->dim == 1) {
      con->parts[part].at[0][0] = voxels_row(con->lower, vox, 0, 0, part);
    } else {
      contract_y(con, vox, part);
    }
  }
}

/* Separates the components of chunks. */
static void split_chunks(Contraction *con, Voxels *vox) {
  Arena *arena = con->lower->cx->arena;
  Lines *split = NEWN(arena, Lines, vox->n_components);
  Value **chunks = NEWN(arena, Value *, vox->n_components);
  for (uint32_t entry = 0; entry < MAX_DERIV * MAX_DERIV; entry++) {
    const uint32_t b = entry / MAX_DERIV, c = entry % MAX_DERIV;
    if (con->parts[0].at[b][c] == NULL) continue;
    for (uint32_t part = 0; part < vox->n_components; part++) {
      chunks[part] = con->parts[part].at[b][c];
    }
    for (uint32_t part = 0; part < vox->n_components; part++) {
      split[part].at[b][c] = voxels_component(con->lower, vox, chunks, part);
      name_row(con, split[part].at[b][c], "line", b, c);
    }
  }
  con->parts = split;
}

/* The derivative of order count[axis] along each axis. */
static Value *weigh(Contraction *con, const Lines *lines, const uint32_t count[MAX_DIM]) {
  Builder *b = &con->lower->b;
  if (lines->window == NULL)
    return build_op2(b, OP_ROW_DOT, lines->at[count[1]][count[2]], weights(con, 0, count[0]));
  Value *args[1 + MAX_DIM] = {lines->window};
  for (uint32_t axis = 0; axis < con->dim; axis++) args[1 + axis] = weights(con, axis, count[axis]);
  return build_op(b, OP_WINDOW_DOT, ATTR_EMPTY, args, 1 + con->dim);
}

/* The derivative whose indices are the base-dim digits of number, order of them. */
static Value *derivative(Contraction *con, const Lines *lines, uint32_t order, uint64_t number) {
  uint32_t count[MAX_DIM] = {0};
  for (uint32_t k = 0; k < order; k++, number /= con->dim) count[number % con->dim]++;
  Value **slot = &con->derivative[count[1]][count[2]];
  if (*slot == NULL) {
    *slot = weigh(con, lines, count);
    if (order > 0)
      part_hint(con->lower, *slot, "d%s%s%s", repeated(con, 0, count[0]),
                repeated(con, 1, count[1]), repeated(con, 2, count[2]));
  }
  return *slot;
}

/* Components of one order of one sample component; symmetric entries are the same value. */
static void fill_order(Contraction *con, uint32_t order, uint32_t component, Parts parts) {
  uint64_t n_entries = 1;
  for (uint32_t k = 0; k < order; k++) n_entries *= con->dim;
  for (uint32_t b = 0; b <= order; b++) {
    for (uint32_t c = 0; c <= order; c++) con->derivative[b][c] = NULL;
  }
  for (uint64_t entry = 0; entry < n_entries; entry++) {
    parts.v[component * n_entries + entry] = derivative(con, &con->parts[component], order, entry);
  }
}

static uint32_t highest_order(const Lower *lower, const Inst *inst) {
  uint32_t order = 0;
  for (uint32_t m = 0; m < 32; m++) {
    if (inst->attr.group.orders & (1u << m)) order = m;
  }
  if (order >= MAX_DERIV) LIMIT(lower->cx, inst->span, "derivatives of order %u", order);
  return order;
}

static void split_position(Contraction *con, Parts pos_index) {
  Builder *b = &con->lower->b;
  for (uint32_t axis = 0; axis < con->dim; axis++) {
    const char letter = AXIS_LETTER(axis);
    con->floor_index[axis] = build_op1(b, OP_RFLOOR, pos_index.v[axis]);
    part_hint(con->lower, con->floor_index[axis], "cell_%c", letter);
    con->fraction[axis] = build_op2(b, OP_RSUB, pos_index.v[axis], con->floor_index[axis]);
    part_hint(con->lower, con->fraction[axis], "fraction_%c", letter);
  }
}

Contraction *contraction_new(Lower *lower, const Inst *group) {
  Contraction *con = NEW(lower->cx->arena, Contraction);
  *con = (Contraction){
      .lower = lower,
      .group = group,
      .kernel = group->attr.group.kernel,
      .dim = type_dim(group->args[0]->ty),
      .n_taps = 2 * group->attr.group.kernel->support,
      .max_order = highest_order(lower, group),
  };
  split_position(con, parts_of(lower, group->args[1]));
  return con;
}

Voxels contraction_voxels(const Contraction *con) {
  return voxels_of(con->lower, con->group, con->floor_index);
}

void contraction_prepare(Contraction *con) {
  for (uint32_t axis = 0; axis < con->dim; axis++) {
    for (uint32_t order = 0; order <= con->max_order; order++) {
      weights(con, axis, order);
      for (uint32_t tap = 0; axis > 0 && tap < con->n_taps; tap++)
        if (is_under_kernel(con, axis, tap)) weight(con, axis, order, tap);
    }
  }
}

Parts contract(Contraction *con, Voxels *vox) {
  uint32_t n_parts = 0;
  for (uint32_t r = 0; r < con->group->n_results; r++)
    n_parts += parts_count(con->group->results[r]->ty);
  const Parts all = parts_new(con->lower->cx, n_parts);
  con->parts = NEWN(con->lower->cx->arena, Lines, vox->n_components);
  const bool is_block = vox->placing != PLACE_WINDOW;
  if (is_block) contract_rows(con, vox);
  if (is_block && voxels_are_chunked(vox)) split_chunks(con, vox);
  for (uint32_t component = 0; component < vox->n_components; component++) {
    if (!is_block) con->parts[component].window = voxels_window(con->lower, vox, component);
    Value **at = all.v;
    for (uint32_t m = 0, r = 0; m <= con->max_order; m++) {
      if (!(con->group->attr.group.orders & (1u << m))) continue;
      ASSERT(con->lower->cx, r < con->group->n_results);
      const Parts result = {.n = parts_count(con->group->results[r++]->ty), .v = at};
      fill_order(con, m, component, result);
      at += result.n;
    }
  }
  return all;
}
