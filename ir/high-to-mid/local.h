/* What the files of high-to-mid share. */
#pragma once

#include "frontend/base/panic.h"
#include "ir/core/build.h"
#include "ir/ein/ein.h"

/* ---- border.c -------------------------------------------------------------------------------- */

typedef struct BorderedImage {
  Value *image;   /* without border control */
  Border border;  /* the outermost control counts */
  Value *outside; /* BORDER_CONST: the value outside, else NULL */
} BorderedImage;

BorderedImage bordered_image(Value *image);
/* Adds a probe with that kernel to what is known of the image's use. */
void note_image_use(Builder *b, const BorderedImage *image, const Kernel *kernel);
/* INSIDE_IMAGE at a position in world space, in MID ops. */
Value *convert_inside(Builder *b, const Inst *inst);

/* ---- transform.c ----------------------------------------------------------------------------- */

/* Position: world to index space. */
Value *pos_index_of(Builder *b, Value *image, Value *pos_world);
/* Shapes: tensor[s,d,..d] with order derivative axes, which alone are transformed.
 * Space: index to world. The rule: transform.c. */
Value *world_derivative(Builder *b, Value *image, Value *derivative, uint32_t order);

/* ---- probe.c --------------------------------------------------------------------------------- */

/* PROBE of derivatives of a convolution, in MID ops. */
Value *convert_probe(Builder *b, const Inst *inst);
