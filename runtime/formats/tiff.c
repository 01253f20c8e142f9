/* tiff.c: reads TIFF and BigTIFF into arrays of Teem: a page is an image of two axes, several pages
 * are an image of three.
 *
 * Components are the fastest axis.  Distances between samples are those of OME-TIFF, in
 * micrometres, or 1.  Pages are decoded one after the other, by rows of tiles or strips. Read next:
 * tiff_page.c, ome.c.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/formats/tiff_file.h"

bool tiff_is_it(FILE *file) {
  static const char magic[][5] = {"II*", "MM\0*", "II+", "MM\0+"};
  char begin[4];
  if (fread(begin, 1, 4, file) != 4) return false;
  for (size_t k = 0; k < sizeof magic / sizeof *magic; k++) {
    if (memcmp(begin, magic[k], 4) == 0) return true;
  }
  return false;
}

#if defined(DDR_TIFF)

/* --- samples ---------------------------------------------------------------------------------- */

typedef struct {
  ddr_supply supply;
  TiffFile tiff;
  TiffPage page; /* what all have in common */
  bool is_begun;
  uint32_t row; /* the first row after those in `rows` */
  char *rows;   /* decoded rows, tile_height of them */
  char *part;
  size_t n_used, n_there; /* bytes of them */
} Pages;

/* Pages may be stored in different ways, although their samples are of one type. */
static bool is_alike(const TiffPage *a, const TiffPage *b) {
  return a->width == b->width && a->height == b->height && a->type == b->type &&
         a->n_samples == b->n_samples;
}

static size_t row_bytes(const TiffPage *page) {
  return (size_t)page->width * page->n_samples * nrrdTypeSize[page->type];
}

static bool make_room(Pages *pages, ddr_problem *problem) {
  free(pages->rows);
  free(pages->part);
  const uint32_t n_rows =
      pages->page.height < pages->page.tile_height ? pages->page.height : pages->page.tile_height;
  pages->rows = malloc(row_bytes(&pages->page) * n_rows);
  pages->part = malloc(tiff_part_bytes(&pages->page));
  return pages->rows && pages->part ? true : ddr_problem_say(problem, "out of memory");
}

static bool next_page(Pages *pages, ddr_problem *problem) {
  TiffPage page;
  const bool is_there = pages->is_begun ? tiff_next_page(&pages->tiff, problem)
                                        : pages->tiff.calls->TIFFSetDirectory(pages->tiff.tiff, 0);
  if (!is_there)
    return problem->text[0] ? false : ddr_problem_say(problem, "the data is truncated");
  if (!tiff_describe_page(&pages->tiff, &page, problem)) return false;
  pages->page = page;
  pages->is_begun = true;
  pages->row = 0;
  return make_room(pages, problem);
}

static bool next_rows(Pages *pages, ddr_problem *problem) {
  if ((!pages->is_begun || pages->row >= pages->page.height) && !next_page(pages, problem))
    return false;
  const uint32_t rest = pages->page.height - pages->row;
  const uint32_t n = rest < pages->page.tile_height ? rest : pages->page.tile_height;
  if (!tiff_read_rows(&pages->tiff, &pages->page, pages->row, n, pages->rows, pages->part, problem))
    return false;
  pages->row += n;
  pages->n_used = 0;
  pages->n_there = n * row_bytes(&pages->page);
  return true;
}

static bool read_inside(Pages *pages, char *to, size_t n_bytes, ddr_problem *problem) {
  while (n_bytes > 0) {
    if (pages->n_used == pages->n_there && !next_rows(pages, problem)) return false;
    const size_t n_left = pages->n_there - pages->n_used, n = n_bytes < n_left ? n_bytes : n_left;
    memcpy(to, pages->rows + pages->n_used, n);
    pages->n_used += n;
    to += n;
    n_bytes -= n;
  }
  return true;
}

static bool read_pages(ddr_supply *supply, void *samples, size_t n_bytes, ddr_problem *problem) {
  Pages *pages = (Pages *)supply;
  if (pages->n_there - pages->n_used >= n_bytes)
    return read_inside(pages, samples, n_bytes, problem);
  tiff_enter(pages->tiff.calls, problem);
  const bool is_read = read_inside(pages, samples, n_bytes, problem);
  tiff_leave(pages->tiff.calls);
  return is_read;
}

static void close_pages(ddr_supply *supply) {
  Pages *pages = (Pages *)supply;
  ddr_problem unused = {""};
  if (pages->tiff.tiff) {
    tiff_enter(pages->tiff.calls, &unused);
    pages->tiff.calls->TIFFClose(pages->tiff.tiff);
    tiff_leave(pages->tiff.calls);
  }
  free(pages->rows);
  free(pages->part);
  free(pages);
}

/* --- header ----------------------------------------------------------------------------------- */

/* The most bytes into which a compression can decompress one byte. */
static double ratio_of(uint16_t compression) {
  switch (compression) {
  case COMPRESSION_NONE: return 1;
  case COMPRESSION_PACKBITS:
  case COMPRESSION_LZW:
  case COMPRESSION_ADOBE_DEFLATE:
  case COMPRESSION_DEFLATE: return 3000;
  default: return 0; /* unknown */
  }
}

/* Checks that all pages are alike; the last one is current afterwards. */
static bool count_pages(Pages *pages, size_t *n_pages, double *least, ddr_problem *problem) {
  TiffPage page = pages->page;
  *n_pages = 0;
  *least = 0;
  do {
    if (!tiff_describe_page(&pages->tiff, &page, problem)) return false;
    if (!is_alike(&page, &pages->page)) {
      return ddr_problem_say(problem,
                             "its pages have different sizes or types (page %zu has %u x "
                             "%u, the first %u x %u)",
                             *n_pages, page.width, page.height, pages->page.width,
                             pages->page.height);
    }
    const double ratio = ratio_of(page.compression);
    if (ratio > 0) *least += (double)row_bytes(&page) * page.height / ratio;
    ++*n_pages;
  } while (tiff_next_page(&pages->tiff, problem));
  return problem->text[0] == '\0'; /* the last page, or none that can be read */
}

static bool find_distances(const Pages *pages, OmePixels *ome, ddr_problem *problem) {
  const char *text = NULL;
  *ome = (OmePixels){.n_channels = 1, .n_times = 1};
  const bool has_text =
      pages->tiff.calls->TIFFGetField(pages->tiff.tiff, TIFFTAG_IMAGEDESCRIPTION, &text);
  if (!has_text || !text || !ome_find_pixels(text, ome)) return true;
  if (ome->n_times <= 1 && ome->n_channels <= pages->page.n_samples) return true;
  return ddr_problem_say(problem,
                         "its OME description names %.0f channels and %.0f times (expected "
                         "one of each; RGB in each sample)",
                         ome->n_channels, ome->n_times);
}

static void set_header(const Pages *pages, size_t n_pages, const OmePixels *ome, Nrrd *header) {
  static const int kinds[] = {
      [2] = nrrdKind2Vector, [3] = nrrdKindRGBColor, [4] = nrrdKindRGBAColor};
  const int n = pages->page.n_samples, rank = n_pages > 1 ? 3 : 2;
  const size_t sizes[] = {pages->page.width, pages->page.height, n_pages};
  header->type = pages->page.type;
  format_set_axes(header, n, n > 1 ? kinds[n] : nrrdKindUnknown, rank, sizes);
  for (int axis = 0; axis < rank; axis++) {
    if (ome->has_spacing[axis]) header->axis[(n > 1) + axis].spacing = ome->spacing[axis];
  }
}

static bool open_pages(Pages *pages, FILE *file, Nrrd *header, ddr_formatted *opened,
                       ddr_problem *problem) {
  size_t n_pages;
  OmePixels ome;
  if (!tiff_file_open(&pages->tiff, file, pages->tiff.calls, problem) ||
      !tiff_describe_page(&pages->tiff, &pages->page, problem) ||
      !find_distances(pages, &ome, problem) ||
      !count_pages(pages, &n_pages, &opened->least_bytes, problem)) {
    return false;
  }
  set_header(pages, n_pages, &ome, header);
  return true;
}

bool tiff_open(FILE *file, Nrrd *header, ddr_formatted *opened, ddr_problem *problem) {
  const TiffCalls *calls = tiff_calls(problem);
  Pages *pages = calls ? malloc(sizeof *pages) : NULL;
  if (!pages) return calls ? ddr_problem_say(problem, "out of memory") : false;
  *pages = (Pages){.supply = {read_pages, close_pages}, .tiff.calls = calls};
  tiff_enter(calls, problem);
  const bool is_open = open_pages(pages, file, header, opened, problem);
  tiff_leave(calls);
  opened->offset = -1;
  opened->supply = &pages->supply;
  return is_open;
}

#else

bool tiff_open(FILE *file, Nrrd *header, ddr_formatted *opened, ddr_problem *problem) {
  (void)file;
  (void)header;
  (void)opened;
  return ddr_problem_say(problem, "this build has no TIFF reader (install libtiff-dev and build "
                                  "again)");
}

#endif
