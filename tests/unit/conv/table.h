/* Numbers, lists of numbers and operands in the fields of tables. */
#pragma once

#include "runtime/conv/conv.h"
#include "tests/unit/vectors.h"

enum { MOST_NUMBERS = 64 };

/* Part `n` of a field, where `divider` separates parts; NULL if there is none. */
static inline const char *part(const char *field, char divider, int n) {
  while (n-- > 0) {
    field = strchr(field, divider);
    if (!field) return NULL;
    field++;
  }
  return field + strspn(field, " ");
}

/* Reads integers of a list "[1,-2]" or "1 2 . 3"; a dot counts as the number `dot`. */
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
