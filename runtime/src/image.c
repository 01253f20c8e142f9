/* image.c: where an image lies in world space, and the memory of its samples.
 *
 * The placement is computed once in double from the space directions and rounded once to float.
 * Read next: nrrd_io.c, which fills the samples; ddr/image.h, which reads them.
 */
#include "ddr/image.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "local.h"

enum { SAMPLE_ALIGNMENT = 64 };

/* Relative size below which a determinant is rounding noise of parallel directions. */
static const double noise_factor = 16 * DBL_EPSILON;

static double minor(double a[DDR_MAX_DIM][DDR_MAX_DIM], int row, int col)
{
  const int row1 = (row + 1) % 3, row2 = (row + 2) % 3;
  const int col1 = (col + 1) % 3, col2 = (col + 2) % 3;
  return a[row1][col1] * a[row2][col2] - a[row1][col2] * a[row2][col1];
}

static double length(const double v[DDR_MAX_DIM])
{
  return hypot(hypot(v[DDR_X], v[DDR_Y]), v[DDR_Z]);
}

/* The adjugate over the determinant; `direction` is the transpose of what is inverted, and so the
 * result is indexed [index axis][world axis] without another transposition. */
static bool invert(double direction[DDR_MAX_DIM][DDR_MAX_DIM],
                   double inverse[DDR_MAX_DIM][DDR_MAX_DIM])
{
  double det = 0, scale = 1;
  for (int world = 0; world < DDR_MAX_DIM; world++) {
    det += direction[DDR_X][world] * minor(direction, DDR_X, world);
  }
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) scale *= length(direction[axis]);
  if (!isfinite(det) || !(fabs(det) > noise_factor * scale)) return false;
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) {
    for (int world = 0; world < DDR_MAX_DIM; world++) {
      inverse[axis][world] = minor(direction, axis, world) / det;
      if (!isfinite(inverse[axis][world])) return false;
    }
  }
  return true;
}

static void round_placement(const ddr_placement64 *src, ddr_placement32 *dst)
{
  for (int row = 0; row < DDR_MAX_DIM; row++) {
    dst->translate[row] = (float)src->translate[row];
    dst->origin[row] = (float)src->origin[row];
    for (int col = 0; col < DDR_MAX_DIM; col++) {
      dst->matrix[row][col] = (float)src->matrix[row][col];
      dst->gradient[row][col] = (float)src->gradient[row][col];
    }
  }
}

bool ddr_image_place(ddr_image *image, const ddr_grid *grid)
{
  ddr_placement64 *place = &image->place64;
  double direction[DDR_MAX_DIM][DDR_MAX_DIM] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  memset(place, 0, sizeof *place);
  for (int axis = 0; axis < grid->dim; axis++) {
    memcpy(direction[axis], grid->direction[axis], sizeof direction[axis]);
    place->origin[axis] = grid->origin[axis];
    if (!isfinite(grid->origin[axis])) return false;
  }
  if (!invert(direction, place->matrix)) return false;
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) {
    double sum = 0;
    for (int world = 0; world < DDR_MAX_DIM; world++) {
      sum += place->matrix[axis][world] * place->origin[world];
      place->gradient[world][axis] = place->matrix[axis][world];
    }
    place->translate[axis] = -sum;
  }
  round_placement(place, &image->place32);
  return true;
}

/* Samples to allocate, or 0 when they are too many. A kernel reaches beyond an axis that is shorter
 * than its support, or too long to be exact; that memory is there, too, so that no probe leaves the
 * allocation. */
static size_t samples_needed(const ddr_grid *grid, int n_components, size_t most)
{
  size_t n = (size_t)n_components, beyond = 0;
  for (int axis = 0; axis < grid->dim; axis++) {
    const size_t size = (size_t)grid->size[axis];
    const size_t missing = size < DDR_MAX_TAPS ? DDR_MAX_TAPS - size : size > DDR_LONGEST_EXACT;
    if (grid->size[axis] < 1 || n > most / size || missing > (most - beyond) / n) return 0;
    beyond += missing * n;
    n *= size;
  }
  return beyond > most - n ? 0 : n + beyond;
}

void *ddr_image_allocate(const ddr_grid *grid, int n_components, size_t sample_size)
{
  const size_t most = PTRDIFF_MAX / sample_size - DDR_ROW_SLACK - SAMPLE_ALIGNMENT;
  const size_t n = samples_needed(grid, n_components, most);
  if (n == 0) return NULL;
  const size_t bytes = (n + DDR_ROW_SLACK) * sample_size / SAMPLE_ALIGNMENT * SAMPLE_ALIGNMENT +
                       SAMPLE_ALIGNMENT;
  size_t used = sample_size * (size_t)n_components;
  for (int axis = 0; axis < grid->dim; axis++) used *= (size_t)grid->size[axis];
  char *samples = aligned_alloc(SAMPLE_ALIGNMENT, bytes);
  if (samples) memset(samples + used, 0, bytes - used);
  return samples;
}

void ddr_image_clear(ddr_image *image)
{
  /* The samples were allocated here and are const only to everybody else. */
  union { const void *constant; void *owned; } samples = {.constant = image->samples};
  free(samples.owned);
  memset(image, 0, sizeof *image);
}

void ddr_image_release(ddr_image_list *image)
{
  if (image->is_borrowed) image->image.samples = NULL;
  ddr_image_clear(&image->image);
}
