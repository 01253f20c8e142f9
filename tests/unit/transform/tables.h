/* Reader of the table of transforms: the operands of a row, in one of several memory layouts.
 * Shared by the tests of the host and of devices. */
#pragma once

#include "runtime/transform/transform.h"
#include "tests/unit/array_text.h"

enum { N_LAYOUTS = 4 };

typedef struct TransformRow {
  const ddr_transform_form *form;
  ddr_ndview views[2];
  ddr_number numbers[2];
  ddr_element type; /* of the result, */
  const char *want; /* its elements, */
  double n_ulp;     /* and the largest error; 0: exactly these values */
} TransformRow;

/* "type value type value"; _ stands for a blank in the name of a type. */
static inline void numbers_from_text(const char *text, ddr_number *numbers) {
  char type[40];
  int n_read;
  for (int k = 0; k < 2 && sscanf(text, "%39s %n", type, &n_read) == 1; k++) {
    char *end, *blank = strchr(type, '_');
    if (blank) *blank = ' ';
    numbers[k] = number_from_text(element_from_text(type), text + n_read, &end);
    text = end;
  }
}

static inline TransformRow transform_row(const Vector *v, int layout) {
  const bool is_near = v->field[8][0] == '~';
  TransformRow row = {.form = ddr_transform_find(v->field[1]),
                      .type = element_from_text(v->field[7]),
                      .want = v->field[8] + (is_near ? 2 : 0),
                      .n_ulp = is_near ? v->field[8][1] - '0' : 0};
  for (int k = 0; k < 2; k++) {
    if (v->field[2 + 2 * k][0] == '\0') continue;
    const ddr_element type = element_from_text(v->field[2 + 2 * k]);
    row.views[k] = line_from_text(type, v->field[3 + 2 * k], line_strides[(layout + k) % 4]);
  }
  numbers_from_text(v->field[6], row.numbers);
  return row;
}

static inline void each_transform(void (*check)(const Vector *v, int layout)) {
  Vector v;
  int n_rows = 0;
  FILE *file = vectors_open("tests/unit/transform/transforms.txt");
  for (; vectors_next(file, &v); n_rows++) {
    if (!CHECK_EQ(v.n_fields, 9) || !CHECK(ddr_transform_find(v.field[1]))) continue;
    for (int layout = 0; layout < N_LAYOUTS; layout++) check(&v, layout);
  }
  vectors_close(file);
  CHECK(n_rows > 130);
}
