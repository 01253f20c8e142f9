/* array.h: an array of a file: a view of its samples, and what its header says of the axes.
 *
 * Axes are those of the view, slowest first.  Whatever picks samples of an axis keeps them where
 * they are in space.
 */
#pragma once

#include "runtime/layout/ndview.h"
#include "runtime/src/files/files.h"

typedef struct Axis {
  int kind, center; /* nrrdKind..., nrrdCenter... */
  double spacing, thickness, min, max;
  double direction[NRRD_SPACE_DIM_MAX]; /* from one sample to the next; NaN: not in space */
  const char *label, *units;            /* NULL: none; in the header */
} Axis;

typedef struct Array {
  const char *file; /* for messages */
  ddr_ndview view;
  Axis axis[DDR_MAX_RANK];
  double origin[NRRD_SPACE_DIM_MAX]; /* where index 0 is; NaN: nowhere */
  Nrrd *header;                      /* everything else; without samples */
} Array;

/* array.c: one message on failure, with the name of the file. */
ddr_status array_load(Array *array, const char *file, bool *is_stdin_taken, ddr_reason *reason);
ddr_status array_save(Array *array, const char *file, ddr_reason *reason); /* the view goes, too */
void array_free(Array *array);

/* Another view with its axes: of other samples, which have lost the old ones' range and units. */
void array_replace(Array *array, ddr_ndview *view);

/* --- axes.c: what becomes of the axes; of a layout that has not changed yet ------------------- */

/* n samples: where indices first, first + step, ... of before are, or would be. */
void array_pick(Array *array, int axis, double first, double step, int64_t n);
void array_drop_axis(Array *array, int axis, double where); /* an index, or between two */
void array_order_axes(Array *array, const int *order);
void array_add_axis(Array *array, int axis);
void array_forget_axes(Array *array);

/* Whether one of the first `rank` axes has a direction: a space in which none has says nothing. */
bool array_is_placed(const Array *array, int rank);

/* --- messages --------------------------------------------------------------------------------- */

/* "12 x 11 x 10"; of no axes "a single element". */
enum { SHAPE_SIZE = 400 };
const char *shape_text(const ddr_layout *layout, char text[SHAPE_SIZE]);

/* "file (12 x 11 x 10): what was not possible". */
ddr_status array_refuse(const Array *array, const char *what, ddr_array_status status,
                        ddr_reason *reason);
