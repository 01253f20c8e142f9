/* image_file.c: grids, and nrrd files in and out. Read next: image_file.h. */
#include "tests/oracle/image_file.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef long double Real;

#define SAMPLE_TYPES(ROW)                                                                          \
  ROW("signed char", int8_t)                                                                       \
  ROW("unsigned char", uint8_t)                                                                    \
  ROW("short", int16_t)                                                                            \
  ROW("unsigned short", uint16_t)                                                                  \
  ROW("int", int32_t)                                                                              \
  ROW("unsigned int", uint32_t)                                                                    \
  ROW("long long int", int64_t)                                                                    \
  ROW("unsigned long long int", uint64_t)                                                          \
  ROW("float", float)                                                                              \
  ROW("double", double)

/* ---- grids ----------------------------------------------------------------------------------- */

void grid_to_world(const Grid *grid, const Real idx[3], Real pos[3]) {
  for (int r = 0; r < 3; r++) {
    pos[r] = r < grid->dim ? grid->origin[r] : 0;
    for (int axis = 0; axis < grid->dim && r < grid->dim; axis++)
      pos[r] += idx[axis] * grid->dir[axis][r];
  }
}

/* Rows beyond the grid's dimension are those of the identity. */
static Real full(const Grid *grid, int axis, int r) {
  if (axis < grid->dim && r < grid->dim) return grid->dir[axis][r];
  return axis == r;
}

void grid_inverse(const Grid *grid, Real inverse[3][3]) {
  Real cofactor[3][3], det = 0;
  for (int axis = 0; axis < 3; axis++)
    for (int r = 0; r < 3; r++) {
      const int a1 = (axis + 1) % 3, a2 = (axis + 2) % 3, r1 = (r + 1) % 3, r2 = (r + 2) % 3;
      cofactor[axis][r] =
          full(grid, a1, r1) * full(grid, a2, r2) - full(grid, a1, r2) * full(grid, a2, r1);
    }
  for (int r = 0; r < 3; r++) det += full(grid, 0, r) * cofactor[0][r];
  for (int axis = 0; axis < 3; axis++)
    for (int r = 0; r < 3; r++) inverse[axis][r] = cofactor[axis][r] / det;
}

void grid_to_index(const Grid *grid, const Real pos[3], Real idx[3]) {
  Real inverse[3][3];
  grid_inverse(grid, inverse);
  for (int axis = 0; axis < 3; axis++) {
    idx[axis] = 0;
    for (int r = 0; r < grid->dim; r++) idx[axis] += inverse[axis][r] * (pos[r] - grid->origin[r]);
  }
}

size_t grid_count(const Grid *grid) {
  size_t n = 1;
  for (int axis = 0; axis < grid->dim; axis++) n *= (size_t)grid->size[axis];
  return n;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void *checked(void *memory) {
  if (memory) return memory;
  fprintf(stderr, "out of memory\n");
  exit(2);
}

Image image_new(const Grid *grid, int n_comp) {
  Real *samples = checked(calloc(grid_count(grid) * (size_t)n_comp, sizeof *samples));
  return (Image){*grid, n_comp, "double", samples};
}

void image_free(Image *image) { free(image->samples); }

static void write_vector(FILE *out, const Real v[3], int dim) {
  for (int r = 0; r < dim; r++) fprintf(out, "%s%.21Lg", r ? "," : "(", v[r]);
  fputs(")", out);
}

static void write_header(FILE *out, const Image *image) {
  const Grid *grid = &image->grid;
  const bool has_comp = image->n_comp > 1;
  fprintf(out, "NRRD0004\ntype: %s\ndimension: %d\n", image->type, grid->dim + has_comp);
  fprintf(out, "space dimension: %d\nsizes:", grid->dim);
  if (has_comp) fprintf(out, " %d", image->n_comp);
  for (int axis = 0; axis < grid->dim; axis++) fprintf(out, " %d", grid->size[axis]);
  fputs("\nspace directions:", out);
  if (has_comp) fputs(" none", out);
  for (int axis = 0; axis < grid->dim; axis++) {
    fputs(" ", out);
    write_vector(out, grid->dir[axis], grid->dim);
  }
  fputs("\nkinds:", out);
  if (image->n_comp == 9) fputs(" 3D-matrix", out);
  else if (has_comp && image->n_comp <= 4) fprintf(out, " %d-vector", image->n_comp);
  else if (has_comp) fputs(" list", out);
  for (int axis = 0; axis < grid->dim; axis++) fputs(" space", out);
  const uint16_t probe = 1;
  fprintf(out, "\nendian: %s\nencoding: raw\nspace origin: ",
          *(const unsigned char *)&probe ? "little" : "big");
  write_vector(out, grid->origin, grid->dim);
  fputs("\n\n", out);
}

static void write_sample(FILE *out, const char *type, Real value) {
#define ROW(name, ctype)                                                                           \
  if (strcmp(type, name) == 0) {                                                                   \
    const ctype sample = (ctype)value;                                                             \
    fwrite(&sample, sizeof sample, 1, out);                                                        \
    return;                                                                                        \
  }
  SAMPLE_TYPES(ROW)
#undef ROW
  fprintf(stderr, "no sample type \"%s\"\n", type);
  exit(2);
}

void image_write(const Image *image, const char *path) {
  FILE *out = fopen(path, "wb");
  if (out) {
    write_header(out, image);
    const size_t n = grid_count(&image->grid) * (size_t)image->n_comp;
    for (size_t k = 0; k < n; k++) write_sample(out, image->type, image->samples[k]);
  }
  if (!out || ferror(out) || fclose(out)) {
    perror(path);
    exit(2);
  }
}

/* ---- reading --------------------------------------------------------------------------------- */

#define FAIL(file, ...) (snprintf((file)->reason, sizeof(file)->reason, __VA_ARGS__), false)

/* The rest of the next line after "key: ", in `line`. */
static bool read_field(FILE *in, NrrdFile *file, const char *key, char *line, int capacity) {
  const size_t n = strlen(key);
  if (!fgets(line, capacity, in)) return FAIL(file, "header ends before \"%s\"", key);
  line[strcspn(line, "\n")] = '\0';
  if (strncmp(line, key, n) != 0 || strncmp(line + n, ": ", 2) != 0)
    return FAIL(file, "header has \"%.80s\" where \"%s\" belongs", line, key);
  memmove(line, line + n + 2, strlen(line + n + 2) + 1);
  return true;
}

static bool read_axes(FILE *in, NrrdFile *file) {
  char line[512];
  if (!read_field(in, file, "dimension", line, sizeof line)) return false;
  file->n_axes = atoi(line);
  if (file->n_axes < 1 || file->n_axes > MAX_AXES) return FAIL(file, "dimension %s", line);
  if (!read_field(in, file, "sizes", line, sizeof line)) return false;
  char *rest = line;
  file->n_values = 1;
  for (int axis = 0; axis < file->n_axes; axis++) {
    file->size[axis] = strtol(rest, &rest, 10);
    if (file->size[axis] < 1) return FAIL(file, "sizes %s", line);
    file->n_values *= (size_t)file->size[axis];
  }
  if (*rest) return FAIL(file, "too many sizes: %s", line);
  if (!read_field(in, file, "kinds", line, sizeof line)) return false;
  rest = line;
  for (int axis = 0; axis < file->n_axes; axis++) {
    int used = 0;
    if (sscanf(rest, "%31s%n", file->kind[axis], &used) != 1) return FAIL(file, "kinds %s", line);
    rest += used;
  }
  return true;
}

static bool read_header(FILE *in, NrrdFile *file) {
  char line[512];
  const uint16_t probe = 1;
  const char *endian = *(const unsigned char *)&probe ? "little" : "big";
  if (!fgets(line, sizeof line, in) || strncmp(line, "NRRD000", 7) != 0)
    return FAIL(file, "not a nrrd file");
  for (int k = 0; k < 2; k++)
    if (!fgets(line, sizeof line, in) || line[0] != '#')
      return FAIL(file, "the header does not begin with two comment lines");
  if (!read_field(in, file, "type", line, sizeof line)) return false;
  snprintf(file->type, sizeof file->type, "%.31s", line);
  if (!read_axes(in, file)) return false;
  if (strcmp(file->type, "unsigned char") != 0) {
    if (!read_field(in, file, "endian", line, sizeof line)) return false;
    if (strcmp(line, endian) != 0) return FAIL(file, "endian %s", line);
  }
  if (!read_field(in, file, "encoding", line, sizeof line)) return false;
  if (strcmp(line, "raw") != 0) return FAIL(file, "encoding %s", line);
  if (!fgets(line, sizeof line, in) || strcmp(line, "\n") != 0)
    return FAIL(file, "the header has more fields: %.80s", line);
  return true;
}

static bool read_sample(FILE *in, const char *type, Real *value) {
#define ROW(name, ctype)                                                                           \
  if (strcmp(type, name) == 0) {                                                                   \
    ctype sample;                                                                                  \
    if (fread(&sample, sizeof sample, 1, in) != 1) return false;                                   \
    *value = (Real)sample;                                                                         \
    return true;                                                                                   \
  }
  SAMPLE_TYPES(ROW)
#undef ROW
  return false;
}

static bool read_samples(FILE *in, NrrdFile *file) {
  file->value = checked(calloc(file->n_values, sizeof *file->value));
  for (size_t k = 0; k < file->n_values; k++)
    if (!read_sample(in, file->type, &file->value[k]))
      return FAIL(file, "type %s, and only %zu of %zu values", file->type, k, file->n_values);
  if (fgetc(in) != EOF) return FAIL(file, "something follows the data");
  return true;
}

bool nrrd_file_read(NrrdFile *file, const char *path) {
  memset(file, 0, sizeof *file);
  FILE *in = fopen(path, "rb");
  if (!in) return FAIL(file, "cannot be opened");
  const bool is_good = read_header(in, file) && read_samples(in, file);
  fclose(in);
  return is_good;
}

void nrrd_file_free(NrrdFile *file) {
  free(file->value);
  file->value = NULL;
}
