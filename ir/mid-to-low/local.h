/* What the files of mid-to-low share.
 *
 * A MID value becomes its parts, one LOW value per scalar component. These are in a block, an array
 * of the compiler, and an index function gives the place of each component in it. So a slice or
 * transpose of a tensor is another index function on the same block, and the elements of a tensor
 * are built in place (doc/internals.md, "Layout in memory"). Values without components (bool, int,
 * string, image, sequence) have one part.
 */
#pragma once

#include "frontend/base/map.h"
#include "frontend/base/panic.h"
#include "ir/core/build.h"
#include "ir/core/memory.h"
#include "ir/ein/ein.h"
#include "ir/pass/pass.h"

/* The components of a value, row-major. */
typedef struct Parts {
  uint32_t n;
  Value **v;
} Parts;

/* The places of components: component idx is block[at(idx)]. The coefficients of `at` are
 * constants.
 */
typedef struct Tensor {
  Value **block;
  const Ixfun *at;
} Tensor;

typedef struct Lower {
  Cx *cx;
  const struct Dom *dom; /* of the MID blocks */
  Builder b;
  Map *tensors;          /* MID Value to Tensor */
  Map *homes;            /* MID Value to Tensor: where it will be built */
  Map *views;            /* MID Value to SeqView: fixed sequences within others */
  Map *blocks;           /* MID Block to LOW Block */
  struct NoteText *note; /* notes.c: the note of the current instruction; NULL: none is made */
} Lower;

/* ---- components.c ---- */

Parts parts_new(Cx *cx, uint32_t n);
uint32_t parts_count(const Type *ty);
const Type *part_type(Cx *cx, const Type *ty);
/* "pos" of a vec3: pos_x, pos_y, pos_z; of larger tensors: pos_0, pos_1, ... */
const Name *part_name(Cx *cx, const Name *name, const Type *ty, uint32_t part);

/* Uninitialised memory for the parts of a value: if its only use is as an element of a tensor,
 * inside that tensor. */
Parts parts_room(Lower *lower, const Value *mid);
/* Sets the parts of a value, wherever they are, and names them after it. */
void parts_set(Lower *lower, const Value *mid, Parts parts);
/* The parts of a value; a sequence within another is copied here. */
Parts parts_of(Lower *lower, const Value *mid);
void tensor_set(Lower *lower, const Value *mid, Tensor tensor);
Tensor tensor_of(Lower *lower, const Value *mid); /* not of a sequence */
/* A tensor from its elements along a new first axis. */
Tensor tensor_cons(Lower *lower, const Inst *inst);

/* Gives v a name for readers unless it has one; returns it. */
Value *part_hint(Lower *lower, Value *v, const char *format, ...) TEXT_FORMAT(3, 4);
/* Axes and world coordinates in names. */
#define AXIS_LETTER(axis) ("xyz"[axis])

/* ---- access.c ---- */

/* The place of the component param[..] of an operand, as a function of all indices of its
 * expression, 0 .. n_indices-1. */
const Ixfun *access_path(Lower *lower, const Ixfun *operand, const EinExpr *param,
                         const uint32_t *ranges, uint32_t n_indices);

/* An index function of constants, ready to be asked. */
typedef struct Access {
  const Ixfun *at;
  bool is_layout;
  ddr_layout layout;
} Access;

Access access_new(const Ixfun *at);
uint32_t access_number(Cx *cx, const Access *access, const uint32_t *idx);

/* ---- notes.c: for --dump=memory; these functions do nothing unless cx->is_noted ---- */

/* The access to component param[..] of an operand; `read` has its place by all indices. */
void note_param(Lower *lower, const Inst *inst, const EinExpr *param, Tensor read,
                const uint32_t *ranges);
void note_cons(Lower *lower, const Inst *cons, Tensor whole);
void note_element(Lower *lower, const Inst *inst); /* of a SEQ_INDEX that is lowered */
/* From here to note_close, lines are added to the note of this group. */
void note_probe(Lower *lower, const Inst *group);
void note_value(Lower *lower, const char *what, const Value *v);
void note_close(Lower *lower);

/* ---- einsum.c ---- */

/* An Einstein expression: a view of its operand, or scalar arithmetic. Deltas, epsilons and zeros
 * vanish here. */
void lower_ein(Lower *lower, const Inst *inst);

/* ---- kernel_eval.c ---- */

/* Weights of the order-th derivative for taps 1-s .. s at fraction f: a row of width 2s, by Horner
 * in the local variable, which rounds least. */
Value *lower_weights(Lower *lower, const Kernel *kernel, uint32_t axis, uint32_t order,
                     Value *fraction);
/* Of KERNEL_WEIGHTS: those of all axes. */
Parts lower_weight_table(Lower *lower, const Inst *inst);

/* ---- voxels.c ---- */

#define MAX_DIM 3
enum { MAX_TAPS = 2 * KERNEL_MAX_SUPPORT };

typedef enum {
  PLACE_CLAMPED, /* one block of samples; its corner is moved into the grid */
  PLACE_WITHIN,  /* one block, which is known to lie in the grid */
  PLACE_WINDOW,  /* copied sample by sample, by the border rule */
} Placing;

/* The samples under a kernel at one position. Axes x, y, z are 0, 1, 2. */
typedef struct Voxels {
  Value *image;
  Value **outside; /* BORDER_CONST: the value outside, one real per component */
  uint32_t dim, n_taps, n_components;
  Border border;
  Value *floor_index[MAX_DIM];           /* of the position in index space */
  Value *len[MAX_DIM], *stride[MAX_DIM]; /* of the image; NULL until needed */
  Value *next[MAX_DIM];                  /* a block: from a row, or plane, to the next one */
  Placing placing;
  SampleType samples;
  const Ixfun *window;            /* places of the samples, in terms of corners and strides */
  Value *corner[MAX_DIM];         /* a block: its first tap on each axis */
  Value *step[MAX_DIM][MAX_TAPS]; /* a block: of axis y or z, times tap; NULL until needed */
  Value *corner_offset;           /* a block: of addr; NULL until it is found */
  Value *addr;                    /* a block: of its first sample */
  Value *first_taps;              /* a window: the first tap on each axis, unbounded; int[dim] */
} Voxels;

/* The samples of a group, not yet placed. floor_index: one real per axis. */
Voxels voxels_of(Lower *lower, const Inst *group, Value *const *floor_index);
/* Loads lengths and strides of the image here, for the code that follows. */
void voxels_measure(Lower *lower, Voxels *vox);
Value *voxels_stride(Lower *lower, Voxels *vox, uint32_t axis);
/* Whether a block may be a copy, since reals are loaded and the image may keep another type. Note
 * [Copies]. */
bool voxels_may_be_copied(const Voxels *vox);
/* From one row (axis y) or plane of a block to the next one. */
Value *voxels_next(Lower *lower, Voxels *vox, uint32_t axis);
/* An op of an axis with the half-support: whether the support is within, or its first tap. */
Value *voxels_axis_op(Lower *lower, OpId op, Voxels *vox, uint32_t axis);
/* Whether the whole support is within the grid. */
Value *voxels_are_within(Lower *lower, Voxels *vox);
/* The same samples, placed as a block or as a window. */
Voxels voxels_placed(Lower *lower, const Voxels *vox, Placing placing, SampleType samples);
/* PLACE_WINDOW: the samples of one component, n_taps on each axis. Note [Windows]. */
Value *voxels_window(Lower *lower, const Voxels *vox, uint32_t component);

/* ---- stencil.c ---- */

/* Computes the start of a block for the code that follows: the offset of its first sample, and the
 * steps from there. */
void block_find(Lower *lower, Voxels *vox, Placing placing);
/* Computes the address of a block, unless that has been done. */
void block_place(Lower *lower, Voxels *vox);
/* Whether rows are chunks, with the components of a sample side by side. */
bool voxels_are_chunked(const Voxels *vox);
/* Samples along x at taps y and z (0 if the image has fewer axes): of component `part`, or chunk
 * `part` of all components. There are as many chunks as components. */
Value *voxels_row(Lower *lower, Voxels *vox, uint32_t y, uint32_t z, uint32_t part);
void note_row(Lower *lower, const Voxels *vox, const Value *row, uint32_t y, uint32_t z,
              uint32_t part); /* notes.c */
/* One component from all chunks, by moving lanes only. */
Value *voxels_component(Lower *lower, const Voxels *vox, Value *const *chunks, uint32_t component);
/* The offset from the first component of a sample to another one. */
Value *block_component(Lower *lower, const Voxels *vox, uint32_t component);

/* ---- group.c ---- */

typedef struct Contraction Contraction;

Contraction *contraction_new(Lower *lower, const Inst *group);
/* The samples that a contraction needs. */
Voxels contraction_voxels(const Contraction *con);
/* Computes all weights here, for the code that follows. */
void contraction_prepare(Contraction *con);
/* The results of the group from these samples, one after another, as parts. */
Parts contract(Contraction *con, Voxels *vox);

/* ---- inside.c ---- */

/* Whether a PROBE_GROUP runs only if its position has been found inside its image. */
bool is_known_inside(const Lower *lower, const Inst *group);

/* ---- probe_variants.c ---- */

/* All results of a PROBE_GROUP, in order; from its sampling, if there is one at run time. */
void lower_group(Lower *lower, const Inst *inst);

/* ---- transform.c ---- */

Parts lower_to_index(Lower *lower, const Inst *inst);
Tensor lower_gradient_matrix(Lower *lower, const Inst *inst);
Parts lower_inside_index(Lower *lower, const Inst *inst);

/* ---- seq.c ---- */

/* A reference to an element of a sequence, in LOW values. Without indices, to the sequence. */
typedef struct SeqView {
  Value *seq;
  Value **idx;
  uint32_t n_idx;
} SeqView;

SeqView seq_view(Lower *lower, const Value *mid); /* of a sequence */
SeqView seq_view_at(Lower *lower, const SeqView *outer, Value *index);
const Type *seq_view_type(const SeqView *view);
Parts seq_view_parts(Lower *lower, const SeqView *view); /* loads it; copies a sequence */
void seq_view_scalars(Lower *lower, const SeqView *view, ValueVec *scalars); /* of a fixed one */
void lower_seq_index(Lower *lower, const Inst *inst);
Parts lower_seq_literal(Lower *lower, const Inst *inst);
Parts lower_prepend(Lower *lower, const Inst *inst);
Parts lower_eigen(Lower *lower, const Inst *inst);
Parts lower_image_size(Lower *lower, const Inst *inst);

/* ---- print.c ---- */

void lower_print(Lower *lower, const Inst *inst);
void lower_trace(Lower *lower, const Inst *inst);
