/* Rows of a data file: fields between bars, numbers and lists of numbers in them. */
#pragma once

#include <stdlib.h>

#include "runtime/conv/conv.h"
#include "tests/unit/test.h"

enum { MOST_FIELDS = 16, MOST_NUMBERS = 64 };

typedef struct Row {
  char text[512];
  char *field[MOST_FIELDS];
  int n_fields;
} Row;

/* The next row that is no comment; false: there are no more. */
static inline bool next_row(FILE *file, Row *row) {
  while (fgets(row->text, sizeof row->text, file)) {
    if (row->text[0] == '#' || row->text[0] == '\n') continue;
    row->text[strcspn(row->text, "\n")] = '\0';
    row->n_fields = 0;
    for (char *at = row->text; at && row->n_fields < MOST_FIELDS;) {
      row->field[row->n_fields++] = at + strspn(at, " ");
      at = strchr(at, '|');
      if (!at) break;
      char *end = at++;
      while (end > row->text && end[-1] == ' ') end--;
      *end = '\0';
    }
    return true;
  }
  return false;
}

/* Part `n` of a field whose parts are divided by `divider`; NULL when there is none. */
static inline const char *part(const char *field, char divider, int n) {
  while (n-- > 0) {
    field = strchr(field, divider);
    if (!field) return NULL;
    field++;
  }
  return field + strspn(field, " ");
}

/* Whole numbers of a list "[1,-2]" or "1 2 . 3"; dots are counted, too, as `dot`. */
static inline int read_numbers(const char *text, int64_t dot, int64_t *numbers) {
  int n = 0;
  text += strspn(text, " [,");
  while (n < MOST_NUMBERS && *text && strchr("+-0123456789.", *text)) {
    char *end;
    if (*text == '.') {
      numbers[n++] = dot;
      text++;
    } else {
      numbers[n] = strtoll(text, &end, 10);
      if (end == text) break;
      n++;
      text = end;
    }
    text += strspn(text, " ,");
  }
  return n;
}

/* An operand "DATA; [shape]; [stride]" (DATA optional) or "[shape]; [stride]; length". */
typedef struct Operand {
  int rank, n_data;
  int64_t data[MOST_NUMBERS], len[MOST_NUMBERS], stride[MOST_NUMBERS], length;
} Operand;

static inline Operand read_operand(const char *field) {
  Operand operand = {0};
  const bool has_data = field[0] != '[';
  if (has_data) operand.n_data = read_numbers(field, 0, operand.data);
  const char *shape = part(field, ';', has_data), *stride = part(field, ';', has_data + 1);
  const char *length = part(field, ';', has_data + 2);
  if (!shape || !stride) return operand;
  operand.rank = read_numbers(shape, 0, operand.len);
  if (read_numbers(stride, 0, operand.stride) != operand.rank) operand.rank = 0;
  operand.length = length ? strtoll(length, NULL, 10) : operand.n_data;
  if (!length && !has_data) {
    operand.length = 1;
    for (int k = 0; k < operand.rank; k++) {
      operand.length += llabs(operand.stride[k]) * (operand.len[k] > 0 ? operand.len[k] - 1 : 0);
    }
  }
  return operand;
}

/* "[1,2]", or NULL for "-". */
static inline const int64_t *read_optional(const char *text, int64_t *numbers) {
  if (!text || (text[0] == '-' && (text[1] == ' ' || text[1] == '\0'))) return NULL;
  return read_numbers(text, 0, numbers) > 0 ? numbers : NULL;
}
