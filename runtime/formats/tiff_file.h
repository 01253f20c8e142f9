/* tiff_file.h: libtiff, on a file that is open, and what it says of one page. */
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

/* libtiff has handlers for all of a process; from one call to the other they are ours, and what it
 * complains of is `problem`. */
void tiff_enter(const TiffCalls *calls, ddr_problem *problem);
void tiff_leave(const TiffCalls *calls);

/* The functions of the library, which is loaded once; NULL: there is none. */
const TiffCalls *tiff_calls(ddr_problem *problem);

/* The rest is called between tiff_enter and tiff_leave, and its failures are the problem's. */
bool tiff_file_open(TiffFile *it, FILE *file, const TiffCalls *calls, ddr_problem *problem);

typedef struct TiffPage {
  uint32_t width, height;
  int type; /* Teem's */
  uint16_t n_samples;
  bool is_planar; /* each component has strips or tiles of its own */
  bool is_tiled;
  uint32_t tile_width, tile_height; /* or those of a strip */
  uint16_t compression;
} TiffPage;

/* The page that libtiff stands on. */
bool tiff_describe_page(const TiffFile *it, TiffPage *page, ddr_problem *problem);

/* To the next page that is no smaller copy of another one; false: there is none. */
bool tiff_next_page(const TiffFile *it);

/* `n` rows from `row` on, which is a multiple of tile_height, components side by side.  `part` has
 * memory for a tile or strip. */
bool tiff_read_rows(const TiffFile *it, const TiffPage *page, uint32_t row, uint32_t n, char *rows,
                    char *part, ddr_problem *problem);
size_t tiff_part_bytes(const TiffPage *page); /* of a tile or strip */
#endif
