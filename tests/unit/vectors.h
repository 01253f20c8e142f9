/* Vectors: tables of tests, a line per row, fields between bars, # before remarks.
 *
 *   Vector v;
 *   FILE *file = vectors_open("tests/unit/layout/views.txt");
 *   while (vectors_next(file, &v)) { ... v.field[1] ... }
 *   vectors_close(file);
 *
 * The first field is the name of the row, under which failures are reported. Lists of numbers may
 * be written with brackets and commas.
 */
#pragma once

#include <stdlib.h>

#include "tests/unit/test.h"

enum { VECTOR_FIELDS = 16, VECTOR_SIZE = 4096 };

typedef struct Vector {
  int n_fields;
  char *field[VECTOR_FIELDS];
  char text[VECTOR_SIZE];
} Vector;

static inline FILE *vectors_open(const char *name) {
  FILE *file = fopen(name, "r");
  if (file) return file;
  fprintf(stderr, "cannot open %s\n", name);
  exit(1);
}

/* Removes blanks at both ends, in place. */
static inline char *vector_trim(char *text) {
  text += strspn(text, " \t");
  size_t n = strlen(text);
  while (n > 0 && strchr(" \t\r\n", text[n - 1])) n--;
  text[n] = '\0';
  return text;
}

static inline bool vectors_next(FILE *file, Vector *v) {
  do {
    if (!fgets(v->text, sizeof v->text, file)) return false;
  } while (strchr("#\n\r", v->text[0]));
  v->n_fields = 0;
  for (char *rest = v->text; rest && v->n_fields < VECTOR_FIELDS;) {
    char *bar = strchr(rest, '|');
    if (bar) *bar = '\0';
    v->field[v->n_fields++] = vector_trim(rest);
    rest = bar ? bar + 1 : NULL;
  }
  for (int k = v->n_fields; k < VECTOR_FIELDS; k++) v->field[k] = NULL;
  test_state.running = v->field[0];
  return true;
}

static inline void vectors_close(FILE *file) {
  fclose(file);
  test_state.running = NULL;
}

/* Reads up to `most` integers from the start of the text; returns their number. *end (may be NULL)
 * is after the last one and its bracket. */
static inline int vector_ints(const char *text, int most, int64_t *values, const char **end) {
  int n = 0;
  for (;;) {
    char *after;
    text += strspn(text, "[](), \t");
    const long long value = strtoll(text, &after, 10);
    if (after == text || n == most) break;
    values[n++] = value;
    text = after;
  }
  if (end) *end = text;
  return n;
}
