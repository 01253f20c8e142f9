/* info.c: describes the array in a file and the layout of a view of it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ddr-array/request.h"

static const char *yes_or_no(bool is_so) { return is_so ? "yes" : "no"; }

static void print_list(const char *title, int n, const int64_t *list) {
  printf("%s:", title);
  for (int k = 0; k < n; k++) printf(" %lld", (long long)list[k]);
  putchar('\n');
}

/* Prints as few digits as are needed to read the same number back. */
static void print_shortest(double number) {
  char text[40];
  int n_digits = 15;
  do snprintf(text, sizeof text, "%.*g", n_digits++, number);
  while (n_digits <= 17 && strtod(text, NULL) != number);
  fputs(text, stdout);
}

static void print_vector(const char *title, unsigned n, const double *vector) {
  printf("%s", title);
  for (unsigned k = 0; k < n; k++) {
    putchar(' ');
    print_shortest(vector[k]);
  }
}

static void print_axis(const Array *array, int k) {
  const Axis *axis = &array->axis[k];
  printf("axis %d: %lld", k, (long long)array->view.layout.len[k]);
  if (axis->kind != nrrdKindUnknown) printf(", %s", airEnumStr(nrrdKind, axis->kind));
  if (axis->label && *axis->label) printf(", \"%s\"", axis->label);
  if (AIR_EXISTS(axis->direction[0]))
    print_vector(", direction", array->header->spaceDim, axis->direction);
  if (AIR_EXISTS(axis->spacing)) print_vector(", spacing", 1, &axis->spacing);
  if (AIR_EXISTS(axis->min) && AIR_EXISTS(axis->max)) {
    print_vector(", from", 1, &axis->min);
    print_vector(" to", 1, &axis->max);
  }
  putchar('\n');
}

static void print_file(const Array *array) {
  const ddr_ndview *view = &array->view;
  const size_t size = ddr_element_size(view->type);
  printf("elements: %lld of type %s, %zu bytes each\n", (long long)ddr_ndview_size(view),
         ddr_element_name(view->type), size);
  printf("axes: %d\n", view->layout.rank);
  for (int k = 0; k < view->layout.rank; k++) print_axis(array, k);
  if (!array_is_placed(array, view->layout.rank) || !AIR_EXISTS(array->origin[0])) return;
  print_vector("origin:", array->header->spaceDim, array->origin);
  putchar('\n');
}

static ddr_array_status print_layout(const ddr_layout *layout) {
  bool is_injective;
  const ddr_array_status status = ddr_layout_is_injective(layout, &is_injective);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_layout few = ddr_layout_collapse(layout);
  printf("offset: %lld\n", (long long)layout->offset);
  print_list("strides", layout->rank, layout->stride);
  printf("contiguous: %s\n", yes_or_no(ddr_layout_is_contiguous(layout)));
  printf("canonical: %s\n", yes_or_no(ddr_layout_is_canonical(layout)));
  printf("injective: %s\n", yes_or_no(is_injective));
  print_list("collapsed", few.rank, few.len);
  print_list("collapsed strides", few.rank, few.stride);
  return DDR_ARRAY_OK;
}

ddr_status command_info(Request *request, ddr_reason *reason) {
  if (request_expect(request, 0, 1, reason) != DDR_OK) return DDR_ERROR;
  if (request_load(request, reason) != DDR_OK) return DDR_ERROR;
  const Array *array = request_array(request, OPT_INPUT, 0);
  print_file(array);
  const ddr_array_status status = print_layout(&array->view.layout);
  if (status != DDR_ARRAY_OK) return array_refuse(array, "injective", status, reason);
  if (fflush(stdout) == EOF) return ddr_refuse(reason, "%s", strerror(errno));
  return DDR_OK;
}
