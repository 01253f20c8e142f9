/* operands.c: checks types and memory. */
#include "runtime/transform/operands.h"

/* --- types ------------------------------------------------------------------------------------ */

enum {
  TRUTHS = 1 << DDR_KIND_BOOL,
  REALS = 1 << DDR_KIND_REAL,
  FLOATING = REALS | 1 << DDR_KIND_COMPLEX,
  INTS_AND_REALS = REALS | 1 << DDR_KIND_INT | 1 << DDR_KIND_UINT,
  NUMBERS = INTS_AND_REALS | FLOATING,
  ORDERED = INTS_AND_REALS | TRUTHS,
  ALL = NUMBERS | TRUTHS
};

typedef enum { SAME, PART, BOOL, OUT } Result;

static const struct {
  int n_operands;
  unsigned kinds;
  Result result;
} rules[] = {
#define TRANSFORM(id, n_operands, kinds, result) {n_operands, kinds, result},
#include "runtime/array/transforms.def"
};

static ddr_element part_of(ddr_element type) {
  if (type == DDR_ELEMENT_CFLOAT) return DDR_ELEMENT_FLOAT;
  return type == DDR_ELEMENT_CDOUBLE ? DDR_ELEMENT_DOUBLE : type;
}

static ddr_element type_of(const ddr_operand *operand) {
  return operand->view ? operand->view->type : operand->number.type;
}

static ddr_array_status check_operands(int n_operands, const ddr_operand *operands) {
  DDR_NEED(operands);
  for (int k = 0; k < n_operands; k++) {
    if (operands[k].view) DDR_TRY(ddr_ndview_check(operands[k].view));
    if (!ddr_element_is_there(type_of(&operands[k]))) return DDR_ARRAY_ETYPE;
  }
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_transform_types(ddr_transform transform, int n_operands,
                                     const ddr_operand *operands, ddr_element *operand_type,
                                     ddr_element *result_type) {
  if ((unsigned)transform >= DDR_TRANSFORM_COUNT) return DDR_ARRAY_EOPERATION;
  if (n_operands != rules[transform].n_operands) return DDR_ARRAY_ELEN;
  DDR_TRY(check_operands(n_operands, operands));
  ddr_element type = type_of(&operands[0]);
  const bool takes_bounds = transform == DDR_TRANSFORM_CLIP; /* bounds are cast */
  for (int k = 1; k < n_operands && !takes_bounds; k++) {
    type = ddr_element_promote(type, type_of(&operands[k]));
  }
  if (!(rules[transform].kinds >> ddr_element_kind_of(type) & 1u)) return DDR_ARRAY_ETYPE;
  *operand_type = *result_type = type;
  if (rules[transform].result == PART) *result_type = part_of(type);
  if (rules[transform].result == BOOL) *result_type = DDR_ELEMENT_BOOL;
  return DDR_ARRAY_OK;
}

ddr_array_status ddr_transform_type(ddr_transform transform, int n_operands,
                                    const ddr_operand *operands, ddr_element *type) {
  ddr_element operand_type;
  DDR_NEED(type);
  return ddr_transform_types(transform, n_operands, operands, &operand_type, type);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Offsets of views without elements are meaningless. */
static const char *first_of(const ddr_ndview *view) {
  const int64_t size = (int64_t)ddr_element_size(view->type);
  if (ddr_ndview_is_empty(view)) return view->data;
  return (const char *)view->data + view->layout.offset * size;
}

bool ddr_is_same_place(const ddr_ndview *a, const ddr_ndview *b) {
  if (ddr_element_size(a->type) != ddr_element_size(b->type)) return false;
  if (first_of(a) != first_of(b) || !ddr_layout_same_shape(&a->layout, &b->layout)) return false;
  for (int k = 0; k < a->layout.rank; k++) {
    if (a->layout.len[k] > 1 && a->layout.stride[k] != b->layout.stride[k]) return false;
  }
  return true;
}

/* The layout of the view in pieces of `piece` bytes, counted from address 0. */
static bool in_pieces(const ddr_ndview *view, int64_t piece, ddr_layout *layout) {
  const int64_t n_pieces = (int64_t)ddr_element_size(view->type) / piece;
  const intptr_t address = (intptr_t)first_of(view);
  if (address % piece != 0) return false;
  *layout = ddr_layout_collapse(&view->layout);
  layout->offset = address / piece;
  for (int k = 0; k < layout->rank; k++) layout->stride[k] *= n_pieces;
  if (n_pieces == 1) return true;
  if (layout->rank == DDR_MAX_RANK) return false;
  layout->len[layout->rank] = n_pieces;
  layout->stride[layout->rank++] = 1;
  return true;
}

/* The addresses of the first byte and past the last one; the view has elements. */
static void ends_of(const ddr_ndview *view, uintptr_t *begin, uintptr_t *end) {
  const uintptr_t data = (uintptr_t)view->data, size = ddr_element_size(view->type);
  int64_t least = 0, greatest = 0;
  ddr_layout_span(&view->layout, &least, &greatest);
  *begin = data + (uintptr_t)least * size;
  *end = data + (uintptr_t)greatest * size + size;
}

/* Whether one ends before the other begins, as different arrays nearly always do. */
static bool are_apart(const ddr_ndview *a, const ddr_ndview *b) {
  uintptr_t a_begin, a_end, b_begin, b_end;
  ends_of(a, &a_begin, &a_end);
  ends_of(b, &b_begin, &b_end);
  return a_end <= b_begin || b_end <= a_begin;
}

bool ddr_has_common_memory(const ddr_ndview *a, const ddr_ndview *b) {
  const size_t a_size = ddr_element_size(a->type), b_size = ddr_element_size(b->type);
  ddr_layout a_layout, b_layout;
  if (ddr_ndview_is_empty(a) || ddr_ndview_is_empty(b) || are_apart(a, b)) return false;
  for (int64_t piece = (int64_t)(a_size < b_size ? a_size : b_size); piece > 0; piece /= 2) {
    if (in_pieces(a, piece, &a_layout) && in_pieces(b, piece, &b_layout)) {
      return ddr_layout_overlap(&a_layout, &b_layout);
    }
  }
  return true;
}

ddr_array_status ddr_check_output(const ddr_ndview *out) {
  bool is_injective = false;
  const ddr_array_status status = ddr_layout_is_injective(&out->layout, &is_injective);
  if (status != DDR_ARRAY_OK) return status;
  return is_injective ? DDR_ARRAY_OK : DDR_ARRAY_EALIAS;
}
