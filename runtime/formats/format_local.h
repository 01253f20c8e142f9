/* format_local.h: what the files of this folder share. */
#pragma once

#include "runtime/formats/formats.h"

/* The functions of each format of formats.def; ddr_file_format says what they do. */
#define FORMAT(id, name)                                                                           \
  bool id##_is_it(FILE *file);                                                                     \
  bool id##_open(FILE *file, Nrrd *header, ddr_formatted *opened, ddr_problem *problem);
#include "runtime/formats/formats.def"

/* formats.c: sets the axes of a header: one of `n_components` (none for a single component), whose
 * kind is `kind`, and then `rank` axes of the grid with these sizes. */
void format_set_axes(Nrrd *header, int n_components, int kind, int rank, const size_t *sizes);

/* nifti_place.c: the map from indices to positions, in millimetres: three columns are the steps
 * along the axes, the fourth is the origin. */
typedef struct NiftiHeader NiftiHeader;
void nifti_place(const NiftiHeader *nifti, double place[4][3]);

/* ome.c: distances between samples along x, y and z, in micrometres, and the numbers of channels
 * and times in the pages.  `text` is the description of the first page; false: it is not OME's XML.
 */
typedef struct OmePixels {
  double spacing[3];
  bool has_spacing[3];
  double n_channels, n_times;
} OmePixels;
bool ome_find_pixels(const char *text, OmePixels *pixels);

/* gzip.c, bzip2.c: the bytes that a file has compressed from an offset on, where it is positioned.
 * `open` returns what the other functions get. NULL or false: the problem says why. */
typedef struct FormatCompression {
  void *(*open)(FILE *file, int64_t offset, ddr_problem *problem);
  bool (*read)(void *packed, char *bytes, size_t n_bytes, ddr_problem *problem);
  bool (*check)(void *packed, ddr_problem *problem); /* as ddr_stream_check */
  void (*close)(void *packed);
} FormatCompression;
extern const FormatCompression format_gzip, format_bzip2;

/* library.c: loads a library when the first file needs it. Tries the `names` in turn and looks up
 * the `functions`; both lists end in NULL. `pointers` is a struct of as many pointers as there are
 * functions. It is filled once, by the first thread that comes; *is_there is false until then.
 * False: the problem says why. */
bool format_borrow(const char *const *names, const char *const *functions, void *pointers,
                   bool *is_there, ddr_problem *problem);
