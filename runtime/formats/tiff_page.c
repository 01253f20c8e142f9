/* tiff_page.c: one page of a TIFF file: its description and its rows. */
#include "runtime/formats/tiff_file.h"

#if defined(DDR_TIFF)
#include <string.h>

/* The most bytes of a tile, which may be larger than its page, or of a strip. */
static const double part_most = 1 << 28;

static uint16_t small_field(const TiffFile *opened, uint32_t tag) {
  uint16_t value = 0;
  opened->calls->TIFFGetFieldDefaulted(opened->tiff, tag, &value);
  return value;
}

static uint32_t field(const TiffFile *opened, uint32_t tag) {
  uint32_t value = 0;
  opened->calls->TIFFGetFieldDefaulted(opened->tiff, tag, &value);
  return value;
}

/* --- types ------------------------------------------------------------------------------------ */

static const struct {
  uint16_t format, bits;
  int type;
} types[] = {
    {SAMPLEFORMAT_UINT, 8, nrrdTypeUChar},    {SAMPLEFORMAT_INT, 8, nrrdTypeChar},
    {SAMPLEFORMAT_UINT, 16, nrrdTypeUShort},  {SAMPLEFORMAT_INT, 16, nrrdTypeShort},
    {SAMPLEFORMAT_UINT, 32, nrrdTypeUInt},    {SAMPLEFORMAT_INT, 32, nrrdTypeInt},
    {SAMPLEFORMAT_UINT, 64, nrrdTypeULLong},  {SAMPLEFORMAT_INT, 64, nrrdTypeLLong},
    {SAMPLEFORMAT_IEEEFP, 32, nrrdTypeFloat}, {SAMPLEFORMAT_IEEEFP, 64, nrrdTypeDouble},
};

static const struct {
  uint16_t format;
  const char *name;
} formats[] = {
    {SAMPLEFORMAT_UINT, "unsigned integers"},        {SAMPLEFORMAT_INT, "integers"},
    {SAMPLEFORMAT_IEEEFP, "floating-point numbers"}, {SAMPLEFORMAT_COMPLEXINT, "complex numbers"},
    {SAMPLEFORMAT_COMPLEXIEEEFP, "complex numbers"},
};

/* Without a sample format, samples are unsigned integers. */
static bool find_type(const TiffFile *opened, TiffPage *page, ddr_problem *problem) {
  const uint16_t bits = small_field(opened, TIFFTAG_BITSPERSAMPLE);
  uint16_t format = small_field(opened, TIFFTAG_SAMPLEFORMAT);
  const char *name = "samples";
  if (format == SAMPLEFORMAT_VOID || format == 0) format = SAMPLEFORMAT_UINT;
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    if (types[k].format != format || types[k].bits != bits) continue;
    page->type = types[k].type;
    return true;
  }
  for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
    if (formats[k].format == format) name = formats[k].name;
  }
  return ddr_problem_say(problem,
                         "it holds %s of %d bits (expected integers of 8, 16, 32 or 64 bits, or "
                         "floating-point numbers of 32 or 64)",
                         name, bits);
}

/* --- colours ---------------------------------------------------------------------------------- */

static const struct {
  uint16_t photometric;
  const char *name;
} colours[] = {
    {PHOTOMETRIC_MINISWHITE, "grey levels whose 0 is white"},
    {PHOTOMETRIC_PALETTE, "indices of a palette"},
    {PHOTOMETRIC_MASK, "a mask"},
    {PHOTOMETRIC_SEPARATED, "colours of inks"},
    {PHOTOMETRIC_YCBCR, "luma and chroma"},
    {PHOTOMETRIC_CIELAB, "colours in CIE L*a*b*"},
};

/* libtiff can convert luma and chroma in JPEG data to colours. */
static bool is_decoded(const TiffFile *opened, uint16_t photometric) {
  return photometric == PHOTOMETRIC_YCBCR &&
         small_field(opened, TIFFTAG_COMPRESSION) == COMPRESSION_JPEG &&
         opened->calls->TIFFSetField(opened->tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
}

static bool check_colours(const TiffFile *opened, const TiffPage *page, ddr_problem *problem) {
  uint16_t photometric = PHOTOMETRIC_MINISBLACK; /* if the tag is missing */
  opened->calls->TIFFGetField(opened->tiff, TIFFTAG_PHOTOMETRIC, &photometric);
  const uint16_t orientation = small_field(opened, TIFFTAG_ORIENTATION);
  const char *name = "something else";
  if (page->n_samples < 1 || page->n_samples > 4) {
    return ddr_problem_say(problem, "it has %d components per sample (expected 1 to 4)",
                           page->n_samples);
  }
  if (orientation != ORIENTATION_TOPLEFT) {
    return ddr_problem_say(problem,
                           "its orientation is %d (expected 1: rows from the top, from "
                           "left to right)",
                           orientation);
  }
  if (photometric == PHOTOMETRIC_MINISBLACK || photometric == PHOTOMETRIC_RGB ||
      is_decoded(opened, photometric)) {
    return true;
  }
  for (size_t k = 0; k < sizeof colours / sizeof *colours; k++) {
    if (colours[k].photometric == photometric) name = colours[k].name;
  }
  return ddr_problem_say(problem, "its samples are %s (expected grey levels, RGB or RGBA)", name);
}

/* --- pages ------------------------------------------------------------------------------------ */

size_t tiff_part_bytes(const TiffPage *page) {
  const size_t n = page->is_planar ? 1 : page->n_samples;
  return (size_t)page->tile_width * page->tile_height * n * nrrdTypeSize[page->type];
}

static bool find_parts(const TiffFile *opened, TiffPage *page, ddr_problem *problem) {
  page->is_tiled = opened->calls->TIFFIsTiled(opened->tiff);
  page->is_planar =
      page->n_samples > 1 && small_field(opened, TIFFTAG_PLANARCONFIG) == PLANARCONFIG_SEPARATE;
  page->tile_width = page->is_tiled ? field(opened, TIFFTAG_TILEWIDTH) : page->width;
  page->tile_height = field(opened, page->is_tiled ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP);
  if (!page->is_tiled && page->tile_height > page->height) page->tile_height = page->height;
  if (page->tile_width == 0 || page->tile_height == 0) {
    return ddr_problem_say(problem, "its %s are empty", page->is_tiled ? "tiles" : "strips");
  }
  const double n_bytes = (double)page->tile_width * page->tile_height * page->n_samples *
                         (double)nrrdTypeSize[page->type];
  if (page->is_tiled && n_bytes > part_most) {
    return ddr_problem_say(problem, "its tiles are too large (%.3g bytes)", n_bytes);
  }
  const tmsize_t size = page->is_tiled ? opened->calls->TIFFTileSize(opened->tiff)
                                       : opened->calls->TIFFStripSize(opened->tiff);
  if (size == (tmsize_t)tiff_part_bytes(page)) return true;
  return problem->text[0] ? false : ddr_problem_say(problem, "its samples are subsampled");
}

bool tiff_describe_page(const TiffFile *opened, TiffPage *page, ddr_problem *problem) {
  *page = (TiffPage){.width = field(opened, TIFFTAG_IMAGEWIDTH),
                     .height = field(opened, TIFFTAG_IMAGELENGTH),
                     .n_samples = small_field(opened, TIFFTAG_SAMPLESPERPIXEL),
                     .compression = small_field(opened, TIFFTAG_COMPRESSION)};
  if (page->width == 0 || page->height == 0) {
    return ddr_problem_say(problem, "a page has %u x %u samples", page->width, page->height);
  }
  return find_type(opened, page, problem) && check_colours(opened, page, problem) &&
         find_parts(opened, page, problem);
}

bool tiff_next_page(const TiffFile *opened, ddr_problem *problem) {
  while (tiff_has_next_address(opened)) {
    if (!opened->calls->TIFFReadDirectory(opened->tiff)) return false;
    if (!(field(opened, TIFFTAG_SUBFILETYPE) & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)))
      return true;
  }
  return ddr_problem_say(problem, "the data is truncated");
}

/* --- rows ------------------------------------------------------------------------------------- */

static bool read_part(const TiffFile *opened, const TiffPage *page, uint32_t x, uint32_t y,
                      uint16_t component, char *part, size_t n_bytes, ddr_problem *problem) {
  const TiffCalls *calls = opened->calls;
  const tmsize_t size = (tmsize_t)n_bytes;
  const tmsize_t n =
      page->is_tiled
          ? calls->TIFFReadEncodedTile(
                opened->tiff, calls->TIFFComputeTile(opened->tiff, x, y, 0, component), part, size)
          : calls->TIFFReadEncodedStrip(
                opened->tiff, calls->TIFFComputeStrip(opened->tiff, y, component), part, size);
  if (n == size) return true;
  return problem->text[0] ? false : ddr_problem_say(problem, "the data is truncated");
}

typedef struct {
  uint32_t x, n_rows, n_columns; /* of the page */
  uint16_t component;            /* the first one of the part */
} Place;

static void copy_part(const TiffPage *page, const Place *place, const char *part, char *rows) {
  const size_t size = nrrdTypeSize[page->type], n_all = page->n_samples;
  const size_t n_inside = page->is_planar ? 1 : n_all;
  for (size_t row = 0; row < place->n_rows; row++) {
    const char *from = part + row * page->tile_width * n_inside * size;
    char *to = rows + ((row * page->width + place->x) * n_all + place->component) * size;
    if (n_inside == n_all) {
      memcpy(to, from, place->n_columns * n_all * size);
      continue;
    }
    for (size_t column = 0; column < place->n_columns; column++) {
      memcpy(to + column * n_all * size, from + column * size, size);
    }
  }
}

bool tiff_read_rows(const TiffFile *opened, const TiffPage *page, uint32_t row, uint32_t n,
                    char *rows, char *part, ddr_problem *problem) {
  const uint16_t n_planes = page->is_planar ? page->n_samples : 1;
  const size_t n_strip = tiff_part_bytes(page) / page->tile_height * n;
  const size_t n_bytes = page->is_tiled ? tiff_part_bytes(page) : n_strip;
  for (uint32_t x = 0; x < page->width; x += page->tile_width) {
    const uint32_t rest = page->width - x;
    Place place = {x, n, rest < page->tile_width ? rest : page->tile_width, 0};
    for (; place.component < n_planes; place.component++) {
      if (!read_part(opened, page, x, row, place.component, part, n_bytes, problem)) return false;
      copy_part(page, &place, part, rows);
    }
    if (rest <= page->tile_width) break;
  }
  return true;
}
#endif
