/* storage: the memory layout of a program, as index functions, for --dump=memory.
 *
 *   globals   a struct; sequences and tensors are arrays in it
 *   images    rows by strides; a window is the samples under a kernel
 *   states    an array of structs, one per strand: strides are sizes of a struct in units of the
 *             variable's own scalars, which divide it
 *   groups    or an array of structs of vectors, as in lanes
 *   shared    the columns that strands read of each other: structs of those variables alone
 *   columns   the states on a device: one for each scalar, so that the strand is the fastest axis
 *             there, too; sequences are columns of structs
 *   lanes     the states of as many strands as there are lanes, while they run: each component is a
 *             vector, so that the strand is the fastest axis
 *
 * Next: address.c, which emits indices of such functions.
 */
#include "backend-c/types/storage.h"

#include "ir/core/memory.h"

typedef struct Storage {
  Cx *cx;
  const TreeProgram *program;
  VEC(MemoryPlace) places;
} Storage;

static Arena *arena_of(const Storage *s) { return s->cx->arena; }

static void add_title(Storage *s, const char *title) {
  vec_push(arena_of(s), &s->places, ((MemoryPlace){.name = title}));
}

static void add_place(Storage *s, const char *name, const Type *scalar, const Ixfun *at) {
  const MemoryPlace place = {.name = name, .type = type_text(s->cx, scalar), .at = at};
  vec_push(arena_of(s), &s->places, place);
}

/* ---- structs -----------------------------------------------------------------------------------
 * As C compilers for 64 bits lay them out: each member at the next multiple of what it is made of.
 */

enum { POINTER_SIZE = 8 };

/* The size in bytes of a member's units. A dynamic sequence is two words, a pointer and a
 * length. */
static uint64_t unit_size(const Storage *s, const Type *scalar) {
  const Cx *cx = s->cx;
  switch (type_kind(scalar)) {
  case TY_BOOL: return 1;
  case TY_INT: return cx->is_long_int ? 8 : 4;
  case TY_TENSOR: return cx->is_double ? 8 : 4;
  default: return POINTER_SIZE;
  }
}

static uint64_t n_units(const Type *ty, const Type *scalar) {
  const uint64_t n = seq_n_scalars(ty), n_each = type_is_dynamic_seq(scalar) ? 2 : 1;
  return (n > 0 ? n : 1) * n_each;
}

typedef struct Member {
  const char *name;
  const Type *ty, *scalar;
  uint64_t unit, offset; /* bytes */
} Member;

typedef struct Record {
  VEC(Member) members;
  uint64_t size, align;
} Record;

static uint64_t round_up(uint64_t bytes, uint64_t unit) { return (bytes + unit - 1) / unit * unit; }

static void add_member(Storage *s, Record *record, const char *name, const Type *ty) {
  Member member = {.name = name, .ty = ty, .scalar = seq_scalar(s->cx, ty)};
  member.unit = unit_size(s, member.scalar);
  member.offset = round_up(record->size, member.unit);
  vec_push(arena_of(s), &record->members, member);
  record->size = member.offset + n_units(ty, member.scalar) * member.unit;
  if (member.unit > record->align) record->align = member.unit;
}

static Record record_of_state(Storage *s, bool is_shared_only) {
  const TreeProgram *program = s->program;
  Record record = {.align = 1};
  for (uint32_t i = 0; i < program->module->state.len; i++) {
    const StateVar *var = &program->module->state.data[i];
    if (is_shared_only && !var->is_shared) continue;
    add_member(s, &record, program->state[i].field, var->ty);
  }
  record.size = round_up(record.size, record.align);
  return record;
}

/* Axes of an array with those of a value after them. */
static Extents axes_with(Arena *a, Poly n, const Ixfun *value) {
  const Extents own = ixfun_shape(a, value);
  Poly *len = NEWN(a, Poly, own.rank + 1);
  len[0] = n;
  for (uint32_t k = 0; k < own.rank; k++) len[k + 1] = own.len[k];
  return (Extents){.rank = own.rank + 1, .len = len};
}

/* A member of the structs in an array, as a slice of the units of all structs. */
static const Ixfun *member_in_array(Storage *s, const Record *record, const Member *member,
                                    Poly n_structs) {
  Arena *a = arena_of(s);
  const Poly units[] = {n_structs, poly_const((int64_t)(record->size / member->unit))};
  const Poly first = poly_const((int64_t)(member->offset / member->unit));
  const Poly n = poly_const((int64_t)n_units(member->ty, member->scalar));
  const bool is_one = poly_is(n, 1);
  const IxSlice own[] = {ix_whole(n_structs),
                         is_one ? ix_fix(first) : ix_range(first, n, poly_const(1))};
  const Ixfun *at = ixfun_slice(a, ixfun_iota(a, (Extents){2, units}), own, 2);
  const Extents axes = axes_with(a, n_structs, memory_of_value(a, member->ty));
  IxAxis *shape = NEWN(a, IxAxis, axes.rank);
  if (is_one || type_is_dynamic_seq(member->scalar)) return at;
  shape[0] = ix_coerce(n_structs);
  for (uint32_t k = 1; k < axes.rank; k++) shape[k] = ix_new(axes.len[k]);
  return ixfun_reshape(a, at, shape, axes.rank);
}

static void add_record(Storage *s, const char *title, bool is_shared_only) {
  const Record record = record_of_state(s, is_shared_only);
  const Poly n = poly_extent(arena_of(s), name_from(s->cx->names, "n_strands"));
  add_title(
      s, text_format(arena_of(s), "%s: %llu bytes each", title, (unsigned long long)record.size));
  for (uint32_t i = 0; i < record.members.len; i++) {
    const Member *member = &record.members.data[i];
    add_place(s, member->name, member->scalar, member_in_array(s, &record, member, n));
  }
}

/* ---- columns -----------------------------------------------------------------------------------
 * As ddr/device/device.h has them: what is so many units into a struct begins as many capacities
 * on.
 */

static Poly symbol(Storage *s, const char *text) {
  return poly_extent(arena_of(s), name_from(s->cx->names, text));
}

/* The function of (strand, axes of the value): slots are the first axis of `at`, then all
 * others. */
static const Ixfun *with_axes(Storage *s, const Member *member, const Ixfun *at, Poly n_strands) {
  Arena *a = arena_of(s);
  const Extents axes = axes_with(a, n_strands, memory_of_value(a, member->ty));
  IxAxis *shape = NEWN(a, IxAxis, axes.rank);
  shape[0] = ix_coerce(n_strands);
  for (uint32_t k = 1; k < axes.rank; k++) shape[k] = ix_new(axes.len[k]);
  return ixfun_reshape(a, at, shape, axes.rank);
}

static const Ixfun *scalars_in_columns(Storage *s, const Record *record, const Member *member) {
  static const uint32_t order[] = {1, 0};
  Arena *a = arena_of(s);
  const Poly n_strands = symbol(s, "n_strands"), one = poly_const(1);
  const Poly units[] = {poly_const((int64_t)(record->size / member->unit)), symbol(s, "capacity")};
  const Poly first = poly_const((int64_t)(member->offset / member->unit));
  const Poly n = poly_const((int64_t)n_units(member->ty, member->scalar));
  const bool is_one = poly_is(n, 1);
  const IxSlice own[] = {is_one ? ix_fix(first) : ix_range(first, n, one),
                         ix_range(poly_const(0), n_strands, one)};
  const Ixfun *at = ixfun_slice(a, ixfun_iota(a, (Extents){2, units}), own, 2);
  return is_one ? at : with_axes(s, member, ixfun_permute(a, at, order, 2), n_strands);
}

static const Ixfun *structs_in_column(Storage *s, const Record *record, const Member *member) {
  Arena *a = arena_of(s);
  const Poly n_strands = symbol(s, "n_strands"), capacity = symbol(s, "capacity");
  const Poly first = poly_const((int64_t)(member->offset / member->unit));
  const Poly n = poly_const((int64_t)n_units(member->ty, member->scalar));
  const Poly all = poly_mul(a, poly_const((int64_t)(record->size / member->unit)), capacity);
  const IxSlice own =
      ix_range(poly_mul(a, first, capacity), poly_mul(a, n, n_strands), poly_const(1));
  const IxAxis pairs[] = {ix_new(n_strands), ix_new(n)};
  const Ixfun *at = ixfun_slice(a, ixfun_iota(a, (Extents){1, &all}), &own, 1);
  at = ixfun_reshape(a, at, pairs, 2);
  return type_is_dynamic_seq(member->scalar) ? at : with_axes(s, member, at, n_strands);
}

static void add_columns(Storage *s) {
  const Record record = record_of_state(s, false);
  add_title(s, "states on a device");
  for (uint32_t i = 0; i < record.members.len; i++) {
    const Member *member = &record.members.data[i];
    const bool is_struct = type_is(member->ty, TY_SEQ);
    add_place(s, member->name, member->scalar,
              is_struct ? structs_in_column(s, &record, member)
                        : scalars_in_columns(s, &record, member));
  }
}

/* ---- running --------------------------------------------------------------------------------- */

/* A vector for each scalar, as a function of (running strand, axes of the value). */
static const Ixfun *value_in_vectors(Storage *s, const Type *ty, const char *axis) {
  Arena *a = arena_of(s);
  const Poly n_strands = poly_extent(a, name_from(s->cx->names, axis));
  const Extents own = ixfun_shape(a, memory_of_value(a, ty));
  Poly *len = NEWN(a, Poly, own.rank + 1);
  uint32_t *order = NEWN(a, uint32_t, own.rank + 1);
  for (uint32_t k = 0; k < own.rank; k++) len[k] = own.len[k], order[k + 1] = k;
  len[own.rank] = n_strands;
  order[0] = own.rank;
  return ixfun_permute(a, ixfun_iota(a, (Extents){own.rank + 1, len}), order, own.rank + 1);
}

static void add_running(Storage *s, const char *title, const char *axis) {
  const TreeProgram *program = s->program;
  add_title(s, title);
  for (uint32_t i = 0; i < program->module->state.len; i++) {
    const Type *ty = program->module->state.data[i].ty;
    if (!type_is_dynamic_seq(ty)) /* dynamic sequences are an array, two words for each lane */
      add_place(s, program->state[i].field, seq_scalar(s->cx, ty), value_in_vectors(s, ty, axis));
  }
}

/* ---- groups ------------------------------------------------------------------------------------
 * Each group is such a struct of vectors: strand number s is in lane s % n_lanes of group number
 * s / n_lanes.
 */

static const Ixfun *vectors_in_groups(Storage *s, uint32_t n_all, uint32_t first, const Type *ty) {
  static const uint32_t order[] = {0, 2, 1};
  Arena *a = arena_of(s);
  const Poly n_groups = symbol(s, "n_groups"), n_lanes = symbol(s, "n_lanes");
  const Poly units[] = {n_groups, poly_const(n_all), n_lanes}, one = poly_const(1);
  const uint32_t n = tree_component_count(ty);
  const IxSlice own[] = {ix_whole(n_groups),
                         n == 1 ? ix_fix(poly_const(first))
                                : ix_range(poly_const(first), poly_const(n), one),
                         ix_whole(n_lanes)};
  const Ixfun *at = ixfun_slice(a, ixfun_iota(a, (Extents){3, units}), own, 3);
  return n == 1 ? at : ixfun_permute(a, at, order, 3);
}

static void add_groups(Storage *s) {
  const TreeProgram *program = s->program;
  const uint32_t n_all = program->n_components;
  add_title(s, "states, in groups of as many strands as there are lanes");
  for (uint32_t i = 0, first = 0; i < program->module->state.len; i++) {
    const Type *ty = program->module->state.data[i].ty;
    add_place(s, program->state[i].field, seq_scalar(s->cx, ty),
              vectors_in_groups(s, n_all, first, ty));
    first += tree_component_count(ty);
  }
}

/* ---- globals and images ---------------------------------------------------------------------- */

static void add_globals(Storage *s) {
  const TreeProgram *program = s->program;
  bool has_title = false;
  for (uint32_t i = 0; i < program->module->globals.len; i++) {
    const Type *ty = program->module->globals.data[i].ty;
    const Ixfun *at = memory_of_value(arena_of(s), ty);
    if (type_is(ty, TY_IMAGE) || ixfun_rank(at) == 0) continue;
    if (!has_title) add_title(s, "globals");
    has_title = true;
    add_place(s, program->globals[i].field, seq_scalar(s->cx, ty), at);
  }
}

/* If inst computes a corner, the global whose axis the support is compared with; else NULL. */
static const Value *image_of_corner(const Inst *inst) {
  const bool is_corner = inst->op == OP_CORNER || inst->op == OP_CORNER_WITHIN;
  const Inst *len = is_corner ? inst->args[1]->def : NULL;
  return len && len->op == OP_IMAGE_AXIS_LEN && inst_is_op(len->args[0]->def, OP_GLOBAL_LOAD)
             ? len->args[0]
             : NULL;
}

/* Half-supports of the kernels that are applied to samples of an image, as a set of bits. */
static uint32_t supports_at(const Storage *s, uint32_t global) {
  const Module *m = s->program->module;
  uint32_t supports = 0;
  for (uint32_t f = 0; f < m->funcs.len; f++)
    for (uint32_t i = 0; i < m->funcs.data[f]->blocks.len; i++)
      for (const Inst *inst = m->funcs.data[f]->blocks.data[i]->first; inst; inst = inst->next) {
        const Value *image = image_of_corner(inst);
        if (image && image->def->attr.var.index == global) supports |= 1u << inst->attr.i;
      }
  return supports;
}

static void add_image(Storage *s, uint32_t global) {
  Cx *cx = s->cx;
  const Type *ty = s->program->module->globals.data[global].ty;
  const char *name = s->program->globals[global].field;
  const MemoryPlace whole = {.name = name, .at = memory_of_image(cx, ty)};
  vec_push(cx->arena, &s->places, whole);
  const uint32_t supports = supports_at(s, global);
  for (uint32_t support = 1; supports >> support; support++) {
    MemoryPlace window = {.name = text_format(cx->arena, "window of %u", 2 * support)};
    window.at = memory_of_window(cx, ty, 2 * support);
    window.is_part = true;
    if (supports >> support & 1) vec_push(cx->arena, &s->places, window);
  }
}

static void add_images(Storage *s) {
  const Module *m = s->program->module;
  bool has_title = false;
  for (uint32_t i = 0; i < m->globals.len; i++) {
    if (!type_is(m->globals.data[i].ty, TY_IMAGE)) continue;
    if (!has_title) add_title(s, "images");
    has_title = true;
    add_image(s, i);
  }
}

const MemoryPlace *storage_places(Cx *cx, const TreeProgram *program, const StorageParts *parts) {
  Storage s = {.cx = cx, .program = program};
  add_globals(&s);
  add_images(&s);
  if (parts->has_groups) add_groups(&s);
  else add_record(&s, "states", false);
  if (parts->has_shared) {
    add_record(&s, "states that strands read of each other, copied after a superstep", true);
  } else if (parts->is_dual) {
    add_title(&s, "all states as strands read them of each other, copied after a superstep");
  }
  if (parts->has_columns) add_columns(&s);
  if (parts->running_title) add_running(&s, parts->running_title, parts->running_axis);
  vec_push(cx->arena, &s.places, (MemoryPlace){0});
  return s.places.data;
}
