/* Shared by the files of mid-to-low and seen by nobody else.
 *
 * A MID value becomes its parts: one LOW value per scalar component. They lie in a block, an array
 * of this compiler, and an index function says which is where, so that a slice or a transpose of a
 * tensor is another function on the same block, and a tensor put together from others is built in
 * its place (doc/internals.md, "Layout in memory"). Values without components (bool, int, string,
 * image, sequence) have one part.
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

/* Where they are: component idx is block[at(idx)]. The coefficients of `at` are constants. */
typedef struct Tensor {
  Value **block;
  const Ixfun *at;
} Tensor;

typedef struct Lower {
  Cx *cx;
  const struct Dom *dom; /* of the MID blocks */
  Builder b;
  Map *tensors;          /* MID Value to Tensor */
  Map *homes;            /* MID Value to Tensor: where it is to be built */
  Map *views;            /* MID Value to SeqView: fixed sequences within others */
  Map *blocks;           /* MID Block to LOW Block */
  struct NoteText *note; /* notes.c: of what is being lowered; NULL: nobody asks */
} Lower;

/* ---- components.c ---- */

Parts parts_new(Cx *cx, uint32_t n);
uint32_t parts_count(const Type *ty);
const Type *part_type(Cx *cx, const Type *ty);
/* "pos" of a vec3: pos_x, pos_y, pos_z; of larger tensors: pos_0, pos_1, ... */
const Name *part_name(Cx *cx, const Name *name, const Type *ty, uint32_t part);

/* Room for the parts of a value, uninitialised: in the tensor whose element it is, if it is nothing
 * else. */
Parts parts_room(Lower *lower, const Value *mid);
/* The value has these parts, in room of its own or elsewhere; they are named after it. */
void parts_set(Lower *lower, const Value *mid, Parts parts);
/* A sequence within another is copied out of it here. */
Parts parts_of(Lower *lower, const Value *mid);
void tensor_set(Lower *lower, const Value *mid, Tensor tensor);
Tensor tensor_of(Lower *lower, const Value *mid); /* not of a sequence */
/* A value by its elements along a new first axis. */
Tensor tensor_cons(Lower *lower, const Inst *inst);

/* Gives v a name for readers unless it has one; returns it. */
Value *part_hint(Lower *lower, Value *v, const char *format, ...) TEXT_FORMAT(3, 4);
/* Axes and world coordinates in names. */
#define AXIS_LETTER(axis) ("xyz"[axis])

/* ---- access.c ---- */

/* Where the component param[..] of an operand is, as a function of all indices of its expression,
 * 0 .. n_indices-1. */
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

/* ---- notes.c: for readers; nothing unless cx->is_noted ---- */

/* Component param[..] of the operand, of which `read` says where it is by all indices. */
void note_param(Lower *lower, const Inst *inst, const EinExpr *param, Tensor read,
                const uint32_t *ranges);
void note_cons(Lower *lower, const Inst *cons, Tensor whole);
void note_element(Lower *lower, const Inst *inst); /* of a SEQ_INDEX that is lowered */
/* From here to note_close the note is that of the group; lines that values give it. */
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

/* The samples under a kernel at one position. Axes are x, y, z: 0, 1, 2. */
typedef struct Voxels {
  Value *image;
  Value **outside; /* BORDER_CONST: the value outside, one real per component */
  uint32_t dim, n_taps, n_components;
  Border border;
  Value *floor_index[MAX_DIM];           /* of the position in index space */
  Value *len[MAX_DIM], *stride[MAX_DIM]; /* of the image; NULL until somebody asks */
  Placing placing;
  SampleType samples;
  const Ixfun *window;            /* where the samples are; of corners and strides */
  Value *corner[MAX_DIM];         /* a block: its first tap on each axis */
  Value *step[MAX_DIM][MAX_TAPS]; /* a block: of axis y or z, times tap; NULL until needed */
  Value *corner_offset;           /* a block: of addr; NULL until it is found */
  Value *addr;                    /* a block: of its first sample */
  Value *first_taps;              /* a window: the first tap on each axis, unbounded; int[dim] */
} Voxels;

/* What a group asks for, not yet placed. floor_index: one real per axis. */
Voxels voxels_of(Lower *lower, const Inst *group, Value *const *floor_index);
/* Lengths and strides of the image are computed here, for whatever follows. */
void voxels_measure(Lower *lower, Voxels *vox);
Value *voxels_stride(Lower *lower, Voxels *vox, uint32_t axis);
/* An op on the half-support: does it fit, or where is its first tap? */
Value *voxels_axis_op(Lower *lower, OpId op, Voxels *vox, uint32_t axis);
/* Does the whole block lie in the grid? */
Value *voxels_are_within(Lower *lower, Voxels *vox);
/* The same samples as a block, or window by window. */
Voxels voxels_placed(Lower *lower, const Voxels *vox, Placing placing, SampleType samples);
/* PLACE_WINDOW: the samples of one component, n_taps on each axis. Note [Windows]. */
Value *voxels_window(Lower *lower, const Voxels *vox, uint32_t component);

/* ---- stencil.c ---- */

/* Where a block starts, for whatever follows: its first sample's offset, and the steps from there.
 */
void block_find(Lower *lower, Voxels *vox, Placing placing);
/* Its address; finds it unless that has been done. */
void block_place(Lower *lower, Voxels *vox);
/* Do rows come as chunks, with the components of a sample side by side? */
bool voxels_are_chunked(const Voxels *vox);
/* Samples along x at taps y and z (0 where the image has fewer axes): of component `part`, or chunk
 * `part` of them all. There are as many of these as of those. */
Value *voxels_row(Lower *lower, Voxels *vox, uint32_t y, uint32_t z, uint32_t part);
void note_row(Lower *lower, const Voxels *vox, const Value *row, uint32_t y, uint32_t z,
              uint32_t part); /* notes.c */
/* One component of what all chunks hold: lanes are moved, nothing is computed. */
Value *voxels_component(Lower *lower, const Voxels *vox, Value *const *chunks, uint32_t component);
/* From the first component of a sample to another. */
Value *block_component(Lower *lower, const Voxels *vox, uint32_t component);

/* ---- group.c ---- */

typedef struct Contraction Contraction;

Contraction *contraction_new(Lower *lower, const Inst *group);
/* The samples it asks for. */
Voxels contraction_voxels(const Contraction *con);
/* All weights are computed here, for whatever follows. */
void contraction_prepare(Contraction *con);
/* The results of the group from these samples, the parts of one after those of another. */
Parts contract(Contraction *con, Voxels *vox);

/* ---- inside.c ---- */

/* Does a PROBE_GROUP run only where its position has been found inside its image? */
bool is_known_inside(const Lower *lower, const Inst *group);

/* ---- probe_variants.c ---- */

/* All results of a PROBE_GROUP, in order: from its sampling where that is made. */
void lower_group(Lower *lower, const Inst *inst);

/* ---- transform.c ---- */

Parts lower_to_index(Lower *lower, const Inst *inst);
Tensor lower_gradient_matrix(Lower *lower, const Inst *inst);
Parts lower_inside_index(Lower *lower, const Inst *inst);

/* ---- seq.c ---- */

/* An element of a sequence, where it lies: LOW values. Without indices, the sequence. */
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
