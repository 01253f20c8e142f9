/* formats.c: see formats.h. */
#include "runtime/formats/formats.h"

#include <stdarg.h>
#include <stdlib.h>

#include "runtime/formats/format_local.h"
#include "runtime/header/header.h"

bool ddr_problem_say(ddr_problem *problem, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ddr_header_say(problem->text, sizeof problem->text, format, args);
  va_end(args);
  return false;
}

static const ddr_file_format formats[] = {
#define FORMAT(id, text) {text, id##_is_it, id##_open},
#include "runtime/formats/formats.def"
};

const ddr_file_format *ddr_file_format_of(FILE *file) {
  const ddr_file_format *found = NULL;
  for (size_t k = 0; k < sizeof formats / sizeof *formats && !found; k++) {
    rewind(file);
    if (formats[k].is_it(file)) found = &formats[k];
  }
  rewind(file);
  return found;
}

void format_set_axes(Nrrd *header, int n_components, int kind, int rank, const size_t *sizes) {
  NrrdAxisInfo *axis = header->axis;
  if (n_components > 1) {
    axis->size = (size_t)n_components;
    (axis++)->kind = kind;
  }
  for (int k = 0; k < rank; k++, axis++) {
    axis->size = sizes[k];
    axis->kind = nrrdKindSpace;
  }
  header->dim = (unsigned)(axis - header->axis);
}
