/* transform.h: arrays made from arrays element by element.
 *
 *   ddr_transform_add(&x, &y, &out, n_threads)          into memory that is there
 *   ddr_transform_make(DDR_TRANSFORM_ADD, ...)          into a fresh array: x + y
 *
 * Shapes: all arrays have that of the output (ESHAPE); there is no broadcasting, see
 * ddr_ndview_repeat.  Types: the operands meet in one, numbers too (ddr_element_promote), but for
 * the bounds of CLIP, which are cast to the type of what is clipped; which ones a transform takes
 * and what type its result has is in transforms.def (ETYPE).  Strides: any.
 * Memory: the output may be exactly one of the operands, else has no element in common with them,
 * and none with itself (EALIAS).  All of it can be reached from the host, or all from the device,
 * which then does the work (ERESIDENCY; runtime/layout/side.h); but ASSIGN copies from one to the
 * other.  The device's exp, log and Bessel transforms may differ in the last bits.
 *
 * Each step is one IEEE operation; ints wrap; division of ints by 0 is EDIV0.  The same bits for
 * any number of threads.  Where an operation fails nothing is written.
 *
 * Read next: transforms.def, forms.def, kernels.def.
 */
#pragma once

#include "runtime/element/number.h"
#include "runtime/layout/ndview.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum ddr_transform {
#define TRANSFORM(id, n_operands, kinds, result) DDR_TRANSFORM_##id,
#include "runtime/transform/transforms.def"
  DDR_TRANSFORM_COUNT
} ddr_transform;

enum { DDR_MAX_OPERANDS = 4 };

/* An array, or a number for every element. */
typedef struct ddr_operand {
  const ddr_ndview *view; /* NULL: the number */
  ddr_number number;
} ddr_operand;

ddr_operand ddr_operand_view(const ddr_ndview *view);
ddr_operand ddr_operand_number(ddr_number number);

/* The type of the result of such operands; for CAST and FILL it is whatever the output has, and
 * here that of the operand.  Errors: ETYPE; ELEN for a wrong number of operands. */
ddr_array_status ddr_transform_type(ddr_transform transform, int n_operands,
                                    const ddr_operand *operands, ddr_element *type);

/* Into an array that is there.  Errors: ELEN, ETYPE, ESHAPE, ERESIDENCY, EALIAS, EDIV0, ENOMEM,
 * EDEVICE; ERANGE for bounds of CLIP in the wrong order. */
ddr_array_status ddr_transform_apply(ddr_transform transform, int n_operands,
                                     const ddr_operand *operands, const ddr_ndview *out,
                                     int n_threads);

/* Into a fresh array of the operands' shape.  It is packed, or laid out as the operands where all
 * of them are contiguous in the same way.  Errors: as above; ESHAPE also where no operand is an
 * array. */
ddr_array_status ddr_transform_make(ddr_transform transform, int n_operands,
                                    const ddr_operand *operands, int n_threads, ddr_ndview *result);

/* x in another type, as a fresh array. */
ddr_array_status ddr_transform_make_cast(const ddr_ndview *x, ddr_element type, int n_threads,
                                         ddr_ndview *result);

/* --- by name ---------------------------------------------------------------------------------- */

/* What a form is given, in order: arrays (V) and numbers (S), then the output unless it is the
 * first array (IN).  TOP is one number, above a lower bound of 0. */
typedef enum ddr_operands {
  DDR_OPERANDS_V,
  DDR_OPERANDS_S,
  DDR_OPERANDS_V_V,
  DDR_OPERANDS_V_S,
  DDR_OPERANDS_S_V,
  DDR_OPERANDS_V_S_S,
  DDR_OPERANDS_V_TOP,
  DDR_OPERANDS_S_V_S_V,
  DDR_OPERANDS_IN_V_V,
  DDR_OPERANDS_IN_V_S
} ddr_operands;

typedef struct ddr_transform_form {
  const char *name;
  ddr_transform transform;
  ddr_operands operands;
  const char *meaning;
} ddr_transform_form;

const ddr_transform_form *ddr_transform_forms(int *n);          /* all, in the order of forms.def */
const ddr_transform_form *ddr_transform_find(const char *name); /* NULL: there is none */

int ddr_operands_n_views(ddr_operands operands); /* without the output */
int ddr_operands_n_numbers(ddr_operands operands);
bool ddr_operands_are_in_place(ddr_operands operands);

/* Arrays and numbers each in the order of the form.  `out` is not looked at in in-place forms;
 * where it is NULL in others, the result is a fresh array in *made. */
ddr_array_status ddr_transform_call(const ddr_transform_form *form, const ddr_ndview *views,
                                    const ddr_number *numbers, const ddr_ndview *out, int n_threads,
                                    ddr_ndview *made);

/* --- one function per form: ddr_transform_add, ddr_transform_scalar_sub, ... ------------------ */

#define DDR_FORM_V const ddr_ndview *x, const ddr_ndview *out, int n_threads
#define DDR_FORM_S ddr_number a, const ddr_ndview *out, int n_threads
#define DDR_FORM_V_V const ddr_ndview *x, const ddr_ndview *y, const ddr_ndview *out, int n_threads
#define DDR_FORM_V_S const ddr_ndview *x, ddr_number a, const ddr_ndview *out, int n_threads
#define DDR_FORM_S_V ddr_number a, const ddr_ndview *x, const ddr_ndview *out, int n_threads
#define DDR_FORM_V_S_S                                                                             \
  const ddr_ndview *x, ddr_number a, ddr_number b, const ddr_ndview *out, int n_threads
#define DDR_FORM_V_TOP const ddr_ndview *x, ddr_number a, const ddr_ndview *out, int n_threads
#define DDR_FORM_S_V_S_V                                                                           \
  ddr_number a, const ddr_ndview *x, ddr_number b, const ddr_ndview *y, const ddr_ndview *out,     \
      int n_threads
#define DDR_FORM_IN_V_V const ddr_ndview *x, const ddr_ndview *y, int n_threads
#define DDR_FORM_IN_V_S const ddr_ndview *x, ddr_number a, int n_threads

#define FORM(name, transform, operands, meaning)                                                   \
  ddr_array_status ddr_transform_##name(DDR_FORM_##operands);
#include "runtime/transform/forms.def"

/* --- masked assignment ------------------------------------------------------------------------ */

/* x[i] := a, or y[i], wherever mask[i].  y has the type of x; a is cast to it.  y and the mask are
 * read as if completely before the first write.  Errors: ESHAPE; ETYPE, also for a mask that is not
 * of bools; ERESIDENCY; EALIAS where x overlaps itself; ENOMEM, EDEVICE. */
ddr_array_status ddr_masked_assign_number(const ddr_ndview *x, const ddr_ndview *mask,
                                          ddr_number number);
ddr_array_status ddr_masked_assign(const ddr_ndview *x, const ddr_ndview *mask,
                                   const ddr_ndview *y);

#ifdef __cplusplus
}
#endif
