/* values.c: numbers and types of elements, as words and in arrays. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/transform/transform.h"
#include "tools/ddr-array/request.h"

/* --- reading ---------------------------------------------------------------------------------- */

static bool is_integer(const char *text, ddr_number *number) {
  char *end;
  errno = 0;
  const long long value = strtoll(text, &end, 10);
  *number = ddr_number_int(value);
  return end != text && *end == '\0' && errno == 0;
}

/* 0.5, 2i, 1+2i. */
static bool is_complex_or_real(const char *text, ddr_number *number) {
  char *end, *last;
  const double first = strtod(text, &end);
  *number = ddr_number_real(first);
  if (end == text || *end == '\0') return end != text;
  *number = ddr_number_complex(0, first);
  if (strcmp(end, "i") == 0) return true;
  *number = ddr_number_complex(first, strtod(end, &last));
  return (*end == '+' || *end == '-') && last != end && strcmp(last, "i") == 0;
}

static bool holds_integer(ddr_element type, int64_t value) {
  ddr_number inside, back;
  if (ddr_element_kind_of(type) == DDR_KIND_BOOL) return value == 0 || value == 1;
  if (ddr_element_kind_of(type) == DDR_KIND_UINT && value < 0) return false;
  return ddr_number_cast(ddr_number_int(value), type, &inside) == DDR_ARRAY_OK &&
         ddr_number_cast(inside, DDR_ELEMENT_INT64, &back) == DDR_ARRAY_OK && back.integer == value;
}

/* The type for a number beside elements of type `like`: theirs where it can be, with an imaginary
 * part where it must; else its own. */
static ddr_element fitting_type(const ddr_number *number, ddr_element like) {
  const ddr_element_kind kind = ddr_element_kind_of(like);
  const bool is_floating = kind == DDR_KIND_REAL || kind == DDR_KIND_COMPLEX;
  switch (number->type) {
  case DDR_ELEMENT_INT64:
    return is_floating || holds_integer(like, number->integer) ? like : number->type;
  case DDR_ELEMENT_CDOUBLE:
    return is_floating ? ddr_element_promote(like, DDR_ELEMENT_CFLOAT) : number->type;
  default: return is_floating ? like : number->type;
  }
}

ddr_status read_number(const char *text, ddr_element like, ddr_number *number, ddr_reason *reason) {
  ddr_number found;
  if (!is_integer(text, &found) && !is_complex_or_real(text, &found))
    return ddr_refuse(reason, "expected a number, found \"%.200s\"", text);
  const ddr_array_status status = ddr_number_cast(found, fitting_type(&found, like), number);
  return status == DDR_ARRAY_OK ? DDR_OK
                                : ddr_refuse(reason, "%s: %s", text, ddr_array_status_text(status));
}

ddr_status read_type(OptionId option, const char *name, ddr_element *type, ddr_reason *reason) {
  char all[200] = "";
  for (int k = 0; k < DDR_ELEMENT_COUNT; k++) {
    const char *known = ddr_element_name((ddr_element)k);
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k > 0 ? ", " : "", known);
    *type = (ddr_element)k;
    if (strcmp(name, known) == 0) return DDR_OK;
  }
  return ddr_refuse(reason, "--%s expects one of (%s), found \"%.100s\"", option_name(option), all,
                    name);
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Reals have all digits that tell them from their neighbours. */
void print_number(ddr_number number, FILE *out) {
  const bool is_double = number.type == DDR_ELEMENT_DOUBLE || number.type == DDR_ELEMENT_CDOUBLE;
  const int n_digits = is_double ? 17 : 9;
  switch (ddr_element_kind_of(number.type)) {
  case DDR_KIND_BOOL: fputs(number.integer ? "true" : "false", out); break;
  case DDR_KIND_INT: fprintf(out, "%" PRId64, number.integer); break;
  case DDR_KIND_UINT: fprintf(out, "%" PRIu64, (uint64_t)number.integer); break;
  case DDR_KIND_REAL: fprintf(out, "%.*g", n_digits, number.re); break;
  case DDR_KIND_COMPLEX:
    fprintf(out, "%.*g%+.*gi", n_digits, number.re, n_digits, number.im);
    break;
  }
  fputc('\n', out);
}

/* --- arrays ----------------------------------------------------------------------------------- */

ddr_array_status packed_copy(const ddr_ndview *view, ddr_ndview *copy) {
  const ddr_operand from = ddr_operand_view(view);
  ddr_ndview made;
  ddr_array_status status =
      ddr_ndview_new(view->type, view->layout.rank, view->layout.len, DDR_HOST, &made);
  if (status != DDR_ARRAY_OK) return status;
  status = ddr_transform_apply(DDR_TRANSFORM_ASSIGN, 1, &from, &made, 1);
  if (status == DDR_ARRAY_OK) *copy = made;
  else ddr_ndview_release(&made);
  return status;
}

ddr_array_status array_cast(Array *array, ddr_element type, int n_threads) {
  ddr_ndview made;
  if (type == array->view.type) return DDR_ARRAY_OK;
  const ddr_array_status status = ddr_transform_make_cast(&array->view, type, n_threads, &made);
  if (status == DDR_ARRAY_OK) array_replace(array, &made);
  return status;
}
