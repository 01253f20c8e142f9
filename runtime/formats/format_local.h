/* format_local.h: what the files of this folder share. */
#pragma once

#include "runtime/formats/formats.h"

/* formats.def: of each format, as in ddr_file_format. */
#define FORMAT(id, name)                                                                           \
  bool id##_is_it(FILE *file);                                                                     \
  bool id##_open(FILE *file, Nrrd *header, ddr_formatted *opened, ddr_problem *problem);
#include "runtime/formats/formats.def"

/* formats.c: the axis of so many components, and the axes of the grid behind it; one component has
 * no axis.  `kind` is that of the first one. */
void format_set_axes(Nrrd *header, int n_components, int kind, int rank, const size_t *sizes);

/* nifti_place.c: from indices to positions, in columns, the fourth is the origin. */
typedef struct NiftiHeader NiftiHeader;
void nifti_place(const NiftiHeader *nifti, double place[4][3]);

/* ome.c: distances of samples along x, y and z, in micrometres; how many channels and times its
 * pages are of.  False: the text of the first page is none of OME's. */
typedef struct OmePixels {
  double spacing[3];
  bool has_spacing[3];
  double n_channels, n_times;
} OmePixels;
bool ome_find_pixels(const char *text, OmePixels *pixels);

/* library.c: functions of a library that is loaded for the first file which needs it, so that other
 * programs start without. `names` are tried in turn; both lists end in NULL. A struct of as many
 * pointers as there are functions is filled once, whichever thread comes first; *is_there is false
 * until then. */
bool format_borrow(const char *const *names, const char *const *functions, void *pointers,
                   bool *is_there, ddr_problem *problem);
