/* ir_image.h: an image reconstructed with a kernel, by definition: the sum over all taps of sample
 * times kernel, expanded into a power series at the position.
 * Derivatives come from shifting the kernel's value polynomials, not from its derivative tables.
 * Read next: taylor.h, image_file.h.
 */
#pragma once

#include "frontend/lang/kernel.h"
#include "ir/core/ir.h"
#include "tests/oracle/image_file.h"
#include "tests/oracle/taylor.h"

typedef struct IrImage {
  const Image *image;
  double to_index[3][3], origin[3]; /* index position: to_index (x - origin) */
} IrImage;

IrImage ir_image(const Image *image);

/* The sample that a border rule takes for tap index i of an axis with n samples; -1: none. Without
 * a rule: i itself, or -1. Any i; n >= 1. */
int64_t ir_border_tap(Border border, int64_t i, int64_t n);

/* The first tap on an axis for floor(position), which may be outside the grid; 0 if the position is
 * not finite. */
int64_t ir_first_tap(double floor_index, int64_t support);

typedef struct IrProbe {
  const IrImage *image;
  const Kernel *kernel;
  Border border;
  const double *outside; /* BORDER_CONST: one value per component */
  double pos_index[3], error[3];
} IrProbe;

/* Series in the index position, one per component of the samples. The space has as many variables
 * as the image dimensions. Without a border the corner is moved into the grid, as compiled programs
 * do. NaN everywhere when the position is not finite. */
void ir_probe_series(const IrProbe *probe, const TaylorSpace *sp, Taylor *out);

/* The index of the first component of sample (x, y, z). */
size_t ir_sample_at(const Image *image, const int64_t idx[3]);
