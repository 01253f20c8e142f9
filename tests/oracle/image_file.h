/* image_file.h: grids in space, and nrrd files read and written without Teem.
 *
 * Reading accepts exactly what a compiled program may write (one header, these fields in this
 * order), so every test that reads an output checks its header as well. Writing makes the inputs of
 * tests. Axes are fastest first, as in the file.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { MAX_AXES = 8, WORD_LEN = 32 };

/* Sample (i, j, k) lies at origin + i dir[0] + j dir[1] + k dir[2]. */
typedef struct Grid {
  int dim;
  int size[3];
  long double dir[3][3]; /* [axis][component] */
  long double origin[3];
} Grid;

void grid_to_world(const Grid *grid, const long double idx[3], long double pos[3]);

/* Index position of a world position, by the inverse below. */
void grid_to_index(const Grid *grid, const long double pos[3], long double idx[3]);

/* inverse[axis][component] of the matrix whose columns are the directions. */
void grid_inverse(const Grid *grid, long double inverse[3][3]);

size_t grid_count(const Grid *grid);

/* Samples of n_comp values each, components fastest. */
typedef struct Image {
  Grid grid;
  int n_comp;
  const char *type; /* of the file's samples, as its header says */
  long double *samples;
} Image;

/* An image with zeroed samples; free with image_free. Ends the program if memory runs out. */
Image image_new(const Grid *grid, int n_comp);
void image_free(Image *image);

/* Writes an attached header and raw samples in the host's byte order. Ends the program on failure.
 */
void image_write(const Image *image, const char *path);

typedef struct NrrdFile {
  char type[WORD_LEN];
  int n_axes;
  long size[MAX_AXES];
  char kind[MAX_AXES][WORD_LEN];
  size_t n_values;
  long double *value;
  char reason[640]; /* why reading failed */
} NrrdFile;

/* False, with the reason: the file is missing or is not what a program may write. */
bool nrrd_file_read(NrrdFile *file, const char *path);
void nrrd_file_free(NrrdFile *file);
