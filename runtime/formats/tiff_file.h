/* tiff_file.h: libtiff on an open file, and the description of one page. */
#pragma once

#include "runtime/formats/format_local.h"

#if defined(DDR_TIFF)
#include <tiffio.h>

typedef struct TiffCalls {
#define CALL(name) __typeof__(name) *name;
#include "runtime/formats/tiff_calls.def"
} TiffCalls;

typedef struct TiffFile {
  const TiffCalls *calls;
  FILE *file;
  TIFF *tiff;
} TiffFile;

/* The error handlers of libtiff are global to the process: between these two calls they are ours,
 * and write into `problem`.  Other threads wait in tiff_enter. */
void tiff_enter(const TiffCalls *calls, ddr_problem *problem);
void tiff_leave(const TiffCalls *calls);

/* The functions of the library, which is loaded once; NULL: it is missing, the problem says so. */
const TiffCalls *tiff_calls(ddr_problem *problem);

/* The other functions are called between tiff_enter and tiff_leave; `problem` says why one fails.
 */
bool tiff_file_open(TiffFile *opened, FILE *file, const TiffCalls *calls, ddr_problem *problem);

/* Whether the address of the next page, or of none, lies in the file: if not, libtiff takes this
 * page for the last one. */
bool tiff_has_next_address(const TiffFile *opened);

typedef struct TiffPage {
  uint32_t width, height;
  int type; /* Teem's */
  uint16_t n_samples;
  bool is_planar; /* each component has strips or tiles of its own */
  bool is_tiled;
  uint32_t tile_width, tile_height; /* or those of a strip */
  uint16_t compression;
} TiffPage;

/* The current page of libtiff. */
bool tiff_describe_page(const TiffFile *opened, TiffPage *page, ddr_problem *problem);

/* Goes to the next page that is not a smaller copy of another one; false: there is none, or the
 * problem says why not. */
bool tiff_next_page(const TiffFile *opened, ddr_problem *problem);

/* Reads n rows from `row` on, which is a multiple of tile_height, with components side by side.
 * `part` is memory for a tile or strip. */
bool tiff_read_rows(const TiffFile *opened, const TiffPage *page, uint32_t row, uint32_t n,
                    char *rows, char *part, ddr_problem *problem);
size_t tiff_part_bytes(const TiffPage *page); /* of a tile or strip */
#endif
