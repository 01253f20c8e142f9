/* make_input.c: test inputs from words, one row of `makers` per kind. Read next: make_input.h. */
#include "tests/oracle/make_input.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/oracle/image_file.h"

typedef long double Real;

typedef struct Words {
  char *const *word;
  int n;
} Words;

static int whole(Words words, int k) { return k < words.n ? atoi(words.word[k]) : 0; }

/* A number of samples, axes or components; 0 is a mistake in the test. */
static int count(Words words, int k) {
  const int n = whole(words, k);
  if (n > 0) return n;
  fprintf(stderr, "make_input: argument %d must be positive\n", k + 1);
  exit(1);
}

/* n samples on each axis; world and index space are equal. */
static Grid unit_grid(int dim, int n) {
  Grid grid = {.dim = dim, .size = {n, n, n}};
  for (int axis = 0; axis < dim; axis++) grid.dir[axis][axis] = 1;
  return grid;
}

static Image make_sphere(Words words) {
  const int n = count(words, 0);
  Grid grid = unit_grid(3, n);
  for (int axis = 0; axis < 3; axis++) {
    grid.dir[axis][axis] = 2.0L / (n - 1);
    grid.origin[axis] = -1;
  }
  Image image = image_new(&grid, 1);
  for (int k = 0; k < n * n * n; k++) {
    const Real idx[3] = {k % n, k / n % n, k / n / n};
    Real pos[3];
    grid_to_world(&grid, idx, pos);
    image.samples[k] = 1 - sqrtl(pos[0] * pos[0] + pos[1] * pos[1] + pos[2] * pos[2]);
  }
  return image;
}

static Image make_ramp(Words words) {
  const int dim = count(words, 0), n = count(words, 1), n_comp = words.n > 2 ? count(words, 2) : 1;
  const Grid grid = unit_grid(dim, n);
  Image image = image_new(&grid, n_comp);
  for (int at = 0; at < (int)grid_count(&grid) * n_comp; at++) {
    const int k = at / n_comp;
    image.samples[at] =
        k % n + 2 * (dim > 1 ? k / n % n : 0) + 4 * (dim > 2 ? k / n / n : 0) + 8 * (at % n_comp);
  }
  return image;
}

static Image make_constant(Words words) {
  const Grid grid = unit_grid(count(words, 1), count(words, 2));
  Image image = image_new(&grid, 1);
  for (size_t k = 0; k < grid_count(&grid); k++) image.samples[k] = atof(words.word[0]);
  return image;
}

static Image make_uniform(Words words) {
  const Grid grid = unit_grid(count(words, 0), count(words, 1));
  const int n_comp = words.n - 2;
  Image image = image_new(&grid, n_comp);
  for (int k = 0; k < (int)grid_count(&grid) * n_comp; k++)
    image.samples[k] = atof(words.word[2 + k % n_comp]);
  return image;
}

/* n samples on each axis, `spacing` apart, around 0. */
static Grid centred_grid(int dim, int n, Real spacing) {
  Grid grid = unit_grid(dim, n);
  for (int axis = 0; axis < dim; axis++) {
    grid.dir[axis][axis] = spacing;
    grid.origin[axis] = -spacing * (n - 1) / 2;
  }
  return grid;
}

static void sample_position(const Grid *grid, int k, Real pos[3]) {
  const int n = grid->size[0];
  grid_to_world(grid, (Real[3]){k % n, k / n % n, k / n / n}, pos);
}

static Image make_quadric(Words words) {
  const Grid grid = centred_grid(words.n, 33, 0.5L);
  Image image = image_new(&grid, 1);
  for (int k = 0; k < (int)grid_count(&grid); k++) {
    Real pos[3];
    sample_position(&grid, k, pos);
    for (int axis = 0; axis < words.n; axis++)
      image.samples[k] += atof(words.word[axis]) * pos[axis] * pos[axis];
  }
  return image;
}

static Image make_rotation(Words words) {
  const Grid grid = centred_grid(2, count(words, 0), 1);
  Image image = image_new(&grid, 2);
  for (int k = 0; k < (int)grid_count(&grid); k++) {
    Real pos[3];
    sample_position(&grid, k, pos);
    image.samples[2 * (size_t)k] = -pos[1];
    image.samples[2 * (size_t)k + 1] = pos[0];
  }
  return image;
}

static Image make_samples(Words words) {
  const Grid grid = unit_grid(1, words.n);
  Image image = image_new(&grid, 1);
  for (int k = 0; k < words.n; k++) image.samples[k] = atof(words.word[k]);
  return image;
}

static Image make_colors(Words words) {
  const int n = words.n / 3;
  Grid grid = unit_grid(1, n);
  grid.dir[0][0] = 1.0L / (n - 1);
  Image image = image_new(&grid, 3);
  for (int k = 0; k < 3 * n; k++) image.samples[k] = atof(words.word[k]);
  return image;
}

/* n samples on each axis, around 0. */
static Grid sheared_grid(int dim, int n) {
  Grid grid = unit_grid(dim, n);
  for (int axis = 1; axis < dim; axis++) grid.dir[axis][axis - 1] = 0.5L;
  for (int r = 0; r < dim; r++) grid.origin[r] = -n / 2;
  return grid;
}

static Image make_linear(Words words) {
  const int dim = count(words, 0), n_comp = count(words, 1), n = count(words, 2);
  const Grid grid = sheared_grid(dim, n);
  Image image = image_new(&grid, n_comp);
  for (size_t k = 0; k < grid_count(&grid); k++) {
    const int i = (int)k;
    const Real idx[3] = {i % n, i / n % n, i / n / n};
    Real pos[3];
    grid_to_world(&grid, idx, pos);
    for (int row = 0; row < n_comp * dim; row++)
      image.samples[i * n_comp + row / dim] += (row + 1) * pos[row % dim];
  }
  return image;
}

/* Whole numbers below 64. */
static Image make_digits(Words words) {
  const int n_comp = count(words, 1);
  const Grid grid = sheared_grid(count(words, 0), count(words, 2));
  Image image = image_new(&grid, n_comp);
  unsigned state = (unsigned)whole(words, 3);
  for (size_t k = 0; k < grid_count(&grid) * (size_t)n_comp; k++) {
    state = state * 1664525u + 1013904223u;
    image.samples[k] = state >> 26;
  }
  return image;
}

static Image make_noise(Words words) {
  Image image = make_digits(words);
  const size_t n = grid_count(&image.grid) * (size_t)image.n_comp;
  for (size_t k = 0; k < n; k++) image.samples[k] = image.samples[k] / 8 - 4;
  return image;
}

/* The axes of the file in reverse order, each with its direction. */
static Image make_turned(Words words) {
  Image plain = make_noise(words);
  const int dim = plain.grid.dim, n = plain.grid.size[0];
  Grid grid = plain.grid;
  for (int axis = 0; axis < dim; axis++)
    memcpy(grid.dir[axis], plain.grid.dir[dim - 1 - axis], sizeof grid.dir[axis]);
  Image image = image_new(&grid, plain.n_comp);
  for (size_t k = 0; k < grid_count(&grid); k++) {
    size_t from = 0, rest = k;
    for (int axis = 0; axis < dim; axis++, rest /= (size_t)n)
      from = from * (size_t)n + rest % (size_t)n;
    for (int c = 0; c < plain.n_comp; c++)
      image.samples[k * (size_t)plain.n_comp + (size_t)c] =
          plain.samples[from * (size_t)plain.n_comp + (size_t)c];
  }
  image_free(&plain);
  return image;
}

static const struct {
  const char *name;
  int n_words; /* at least */
  Image (*make)(Words words);
} makers[] = {
    {"sphere", 1, make_sphere},   {"ramp", 2, make_ramp},       {"constant", 3, make_constant},
    {"uniform", 3, make_uniform}, {"quadric", 1, make_quadric}, {"rotation", 1, make_rotation},
    {"samples", 2, make_samples}, {"colors", 6, make_colors},   {"linear", 3, make_linear},
    {"noise", 4, make_noise},     {"turned", 4, make_turned},   {"digits", 4, make_digits},
};

static const struct {
  const char *word, *type;
} sample_types[] = {{"byte", "unsigned char"},  {"short", "short"},
                    {"float", "float"},         {"double", "double"},
                    {"int8", "signed char"},    {"uint16", "unsigned short"},
                    {"int32", "int"},           {"uint32", "unsigned int"},
                    {"int64", "long long int"}, {"uint64", "unsigned long long int"}};

static Words rest(Words words, int k) { return (Words){words.word + k, words.n - k}; }

static bool make_image(const char *path, Words words, const char *type) {
  for (size_t k = 0; k < sizeof makers / sizeof *makers; k++) {
    if (strcmp(makers[k].name, words.word[0]) != 0 || words.n - 1 < makers[k].n_words) continue;
    Image image = makers[k].make(rest(words, 1));
    image.type = type;
    image_write(&image, path);
    image_free(&image);
    return true;
  }
  return false;
}

static bool make_text(const char *path, const char *text) {
  FILE *out = fopen(path, "wb");
  if (!out) return false;
  for (; *text; text++) {
    const bool is_line_end = text[0] == '\\' && text[1] == 'n';
    fputc(is_line_end ? '\n' : *text, out);
    text += is_line_end;
  }
  return fclose(out) == 0;
}

static bool cut(const char *path, long n_bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return false;
  fseek(file, 0, SEEK_END);
  const long length = ftell(file);
  fclose(file);
  return length > n_bytes && truncate(path, (off_t)(length - n_bytes)) == 0;
}

bool make_input(const char *path, char *const *words, int n_words) {
  const Words all = {words, n_words};
  if (n_words < 2) return false;
  if (strcmp(words[0], "text") == 0) return make_text(path, words[1]);
  if (strcmp(words[0], "cut") == 0)
    return make_input(path, words + 2, n_words - 2) && cut(path, atol(words[1]));
  for (size_t k = 0; k < sizeof sample_types / sizeof *sample_types; k++)
    if (strcmp(sample_types[k].word, words[0]) == 0)
      return make_image(path, rest(all, 1), sample_types[k].type);
  return make_image(path, all, "float");
}
