/* TIFF files, made byte by byte by the specification: both byte orders, classic and BigTIFF, strips
 * and tiles, components interleaved or planar, one page and several; and files that cannot be used.
 * Skipped if the build or the machine has no libtiff. */
#include "bytes.h"

enum { WIDTH = 5, HEIGHT = 7, TILE = 16 };

typedef struct {
  bool is_big, is_large; /* byte order; BigTIFF */
  bool is_tiled, is_planar;
  int type, n_samples, n_pages, rows_per_strip;
  int photometric, compression, orientation;
  const char *text;
} Made;

static const Made plain = {.type = nrrdTypeUShort,
                           .n_samples = 1,
                           .n_pages = 1,
                           .rows_per_strip = 3,
                           .photometric = 1,
                           .compression = 1,
                           .orientation = 1};

static double value_of(size_t page, size_t row, size_t column, size_t component) {
  return (double)((page * 31 + row * 11 + column * 3 + component * 7) % 120);
}

static int format_of(int type) {
  return type == nrrdTypeFloat || type == nrrdTypeDouble ? 3 : nrrdTypeIsUnsigned[type] ? 1 : 2;
}

/* --- parts: strips or tiles ------------------------------------------------------------------- */

enum { MOST_PARTS = 64 };

typedef struct {
  size_t n, at[MOST_PARTS], size[MOST_PARTS];
} Parts;

/* The rows and columns from a position on; tiles extend beyond the page, with zeros. */
static void put_part(const Made *made, Bytes *bytes, Parts *parts, size_t page, size_t row,
                     size_t n_rows, size_t n_columns, size_t component) {
  const size_t n_inside = made->is_planar ? 1 : (size_t)made->n_samples;
  parts->at[parts->n] = bytes->n;
  for (size_t y = row; y < row + n_rows; y++) {
    for (size_t x = 0; x < n_columns; x++) {
      for (size_t c = component; c < component + n_inside; c++) {
        const bool is_inside = y < HEIGHT && x < WIDTH;
        put_number(bytes, made->type, is_inside ? value_of(page, y, x, c) : 0);
      }
    }
  }
  parts->size[parts->n] = bytes->n - parts->at[parts->n];
  parts->n++;
}

static void put_parts(const Made *made, Bytes *bytes, Parts *parts, size_t page) {
  const size_t n_planes = made->is_planar ? (size_t)made->n_samples : 1;
  const size_t step = made->is_tiled ? TILE : (size_t)made->rows_per_strip;
  *parts = (Parts){.n = 0};
  for (size_t component = 0; component < n_planes; component++) {
    for (size_t row = 0; row < HEIGHT; row += step) {
      const size_t rest = HEIGHT - row, n = made->is_tiled || rest > step ? step : rest;
      put_part(made, bytes, parts, page, row, n, made->is_tiled ? TILE : WIDTH, component);
    }
  }
}

/* --- directories ------------------------------------------------------------------------------ */

/* A value, or the offset of several values. */
static void put_field(const Made *made, Bytes *bytes, int tag, int type, size_t count,
                      uint64_t value) {
  put(bytes, (uint64_t)tag, 2);
  put(bytes, (uint64_t)type, 2);
  put(bytes, count, made->is_large ? 8 : 4);
  const size_t room = made->is_large ? 8 : 4;
  const size_t size = count > 1 || type == 16 ? room : type == 3 ? 2 : 4;
  put(bytes, value, size);
  put(bytes, 0, room - size);
}

static size_t put_list(const Made *made, Bytes *bytes, const size_t *values, size_t n) {
  const size_t at = bytes->n;
  for (size_t k = 0; k < n; k++) put(bytes, values[k], made->is_large ? 8 : 4);
  return at;
}

/* The same 16-bit number for each component: in place, or the offset of an array. */
static uint64_t put_each(const Made *made, Bytes *bytes, uint64_t value) {
  const size_t n = (size_t)made->n_samples, room = made->is_large ? 4 : 2, at = bytes->n;
  uint64_t in_place = 0;
  for (size_t k = 0; k < n; k++) in_place |= value << 16 * (made->is_big ? room - 1 - k : k) % 64;
  if (n == 1) return value;
  if (n <= room) return in_place;
  for (size_t k = 0; k < n; k++) put(bytes, value, 2);
  return at;
}

static size_t put_text(const Made *made, Bytes *bytes) {
  const size_t at = bytes->n, n = made->text ? strlen(made->text) + 1 : 0;
  if (n > 0) memcpy(bytes->data + at, made->text, n);
  bytes->n += n + (at + n) % 2;
  return at;
}

static void put_parts_fields(const Made *made, Bytes *bytes, size_t n, uint64_t at, uint64_t size) {
  const int wide = made->is_large ? 16 : 4; /* LONG8, LONG */
  put_field(made, bytes, made->is_tiled ? 324 : 273, wide, n, at);
  if (!made->is_tiled) {
    put_field(made, bytes, 274, 3, 1, (uint64_t)made->orientation);
    put_field(made, bytes, 277, 3, 1, (uint64_t)made->n_samples);
    put_field(made, bytes, 278, 4, 1, (uint64_t)made->rows_per_strip);
  }
  put_field(made, bytes, made->is_tiled ? 325 : 279, wide, n, size);
}

static void put_tile_fields(const Made *made, Bytes *bytes, size_t n, uint64_t at, uint64_t size) {
  put_field(made, bytes, 274, 3, 1, (uint64_t)made->orientation);
  put_field(made, bytes, 277, 3, 1, (uint64_t)made->n_samples);
  put_field(made, bytes, 284, 3, 1, made->is_planar ? 2 : 1);
  put_field(made, bytes, 322, 4, 1, TILE);
  put_field(made, bytes, 323, 4, 1, TILE);
  put_parts_fields(made, bytes, n, at, size);
}

/* The offset of the directory; *next is the offset of its link to the next one. */
static size_t put_directory(const Made *made, Bytes *bytes, const Parts *parts, size_t *next) {
  const size_t n = parts->n, at_text = put_text(made, bytes);
  const size_t at = n > 1 ? put_list(made, bytes, parts->at, n) : parts->at[0];
  const size_t size = n > 1 ? put_list(made, bytes, parts->size, n) : parts->size[0];
  const uint64_t bits = put_each(made, bytes, 8 * nrrdTypeSize[made->type]);
  const uint64_t format = put_each(made, bytes, (uint64_t)format_of(made->type));
  const size_t begin = bytes->n;
  put(bytes, (made->is_tiled ? 13u : 12u) + (made->text != NULL), made->is_large ? 8 : 2);
  put_field(made, bytes, 256, 4, 1, WIDTH);
  put_field(made, bytes, 257, 4, 1, HEIGHT);
  put_field(made, bytes, 258, 3, (size_t)made->n_samples, bits);
  put_field(made, bytes, 259, 3, 1, (uint64_t)made->compression);
  put_field(made, bytes, 262, 3, 1, (uint64_t)made->photometric);
  if (made->text) put_field(made, bytes, 270, 2, strlen(made->text) + 1, at_text);
  if (made->is_tiled) {
    put_tile_fields(made, bytes, n, at, size);
  } else {
    put_parts_fields(made, bytes, n, at, size);
    put_field(made, bytes, 284, 3, 1, made->is_planar ? 2 : 1);
  }
  put_field(made, bytes, 339, 3, (size_t)made->n_samples, format);
  *next = bytes->n;
  put(bytes, 0, made->is_large ? 8 : 4);
  return begin;
}

static Bytes *make(const Made *made) {
  static Bytes bytes;
  bytes = (Bytes){.is_big = made->is_big};
  put(&bytes, made->is_big ? 0x4d4d : 0x4949, 2);
  put(&bytes, made->is_large ? 43 : 42, 2);
  if (made->is_large) put(&bytes, 8, made->is_big ? 2 : 4); /* size of offsets, and zero */
  if (made->is_large && made->is_big) put(&bytes, 0, 2);
  size_t link = bytes.n;
  put(&bytes, 0, made->is_large ? 8 : 4);
  for (int page = 0; page < made->n_pages; page++) {
    Parts parts;
    size_t next;
    put_parts(made, &bytes, &parts, (size_t)page);
    if (bytes.n % 2) put(&bytes, 0, 1);
    const size_t begin = put_directory(made, &bytes, &parts, &next);
    put_at(&bytes, link, begin, made->is_large ? 8 : 4);
    link = next;
  }
  return &bytes;
}

/* --- samples ---------------------------------------------------------------------------------- */

static bool is_as_made(const Made *made, const Nrrd *nrrd) {
  size_t k = 0;
  for (size_t page = 0; page < (size_t)made->n_pages; page++) {
    for (size_t row = 0; row < HEIGHT; row++) {
      for (size_t column = 0; column < WIDTH; column++) {
        for (size_t component = 0; component < (size_t)made->n_samples; component++, k++) {
          const double found = nrrdDLookup[nrrd->type](nrrd->data, k);
          if (found != value_of(page, row, column, component)) return false;
        }
      }
    }
  }
  return true;
}

static void check_samples(const Made *made, size_t n_at_once) {
  Read it;
  if (CHECK(read_bytes(make(made), n_at_once, &it))) {
    const bool has_components = made->n_samples > 1;
    CHECK_STR(it.name, "TIFF");
    CHECK_EQ(it.nrrd->type, made->type);
    CHECK_EQ(it.nrrd->dim, has_components + 2 + (made->n_pages > 1));
    CHECK_EQ(it.nrrd->axis[has_components].size, WIDTH);
    CHECK_EQ(it.nrrd->axis[has_components + 1].size, HEIGHT);
    if (!CHECK(is_as_made(made, it.nrrd)))
      fprintf(stderr, "  big %d large %d tiled %d planar %d type %d samples %d\n", made->is_big,
              made->is_large, made->is_tiled, made->is_planar, made->type, made->n_samples);
  } else {
    fprintf(stderr, "  %s\n", it.problem.text);
  }
  read_free(&it);
}

static void reads_every_form(void) {
  static const int types[] = {nrrdTypeUChar, nrrdTypeChar,  nrrdTypeUShort, nrrdTypeShort,
                              nrrdTypeUInt,  nrrdTypeInt,   nrrdTypeFloat,  nrrdTypeDouble,
                              nrrdTypeLLong, nrrdTypeULLong};
  for (int form = 0; form < 32; form++) {
    for (size_t type = 0; type < sizeof types / sizeof *types; type++) {
      Made made = plain;
      made.is_big = form & 1;
      made.is_large = form & 2;
      made.is_tiled = form & 4;
      made.is_planar = form & 8;
      made.n_pages = form & 16 ? 3 : 1;
      made.type = types[type];
      made.n_samples = made.is_planar ? 3 : 1 + (int)type % 4;
      made.photometric = made.n_samples > 2 ? 2 : 1;
      made.rows_per_strip = 1 + (int)type;
      check_samples(&made, 1 + type * 3);
    }
  }
}

static void names_colours(void) {
  static const int kinds[] = {nrrdKindSpace, nrrdKind2Vector, nrrdKindRGBColor, nrrdKindRGBAColor};
  for (int n = 1; n <= 4; n++) {
    Made made = plain;
    made.n_samples = n;
    Read it;
    CHECK(read_bytes(make(&made), 1, &it));
    CHECK_EQ(it.nrrd->axis[0].kind, kinds[n - 1]);
    read_free(&it);
  }
}

#define OME "<OME><Image><Pixels PhysicalSizeX=\"0.5\" PhysicalSizeZ=\"2\" "

static void has_distances(void) {
  Made made = plain;
  made.n_pages = 4;
  made.text = OME "SizeC=\"1\" SizeZ=\"4\"></Pixels></Image></OME>";
  Read it;
  CHECK(read_bytes(make(&made), 9, &it));
  CHECK_NEAR(it.nrrd->axis[0].spacing, 0.5, 0);
  CHECK(isnan(it.nrrd->axis[1].spacing));
  CHECK_NEAR(it.nrrd->axis[2].spacing, 2, 0);
  read_free(&it);
  made.text = OME "SizeC=\"2\" SizeZ=\"2\"></Pixels></Image></OME>";
  check_refusal(make(&made), "2 channels");
}

/* --- what cannot be used ---------------------------------------------------------------------- */

static void refuses(void) {
  Made made = plain;
  made.photometric = 8;
  check_refusal(make(&made), "L*a*b*");
  made.photometric = 0;
  check_refusal(make(&made), "0 is white");
  made.photometric = 5;
  check_refusal(make(&made), "inks");
  made = plain;
  made.orientation = 4;
  check_refusal(make(&made), "orientation is 4");
  made = plain;
  made.compression = 12345;
  check_refusal(make(&made), "ompression");
}

/* With any single byte changed, the only effect may be a message. */
static void survives_any_byte(void) {
  Made made = plain;
  made.n_pages = 2;
  const Bytes whole = *make(&made);
  for (size_t at = 4; at < whole.n; at++) {
    static const unsigned char other[] = {0, 1, 0xff};
    for (size_t k = 0; k < sizeof other; k++) {
      static Bytes changed;
      changed = whole;
      changed.data[at] = other[k];
      FILE *file = tmpfile();
      if (!file) continue;
      fwrite(changed.data, 1, changed.n, file);
      Nrrd *nrrd = nrrdNew();
      ddr_formatted opened = {.offset = -1};
      ddr_problem problem = {""};
      const ddr_file_format *format = ddr_file_format_of(file);
      const bool is_open = format && format->open(file, nrrd, &opened, &problem);
      CHECK(is_open || problem.text[0] != '\0');
      ddr_supply_close(opened.supply);
      nrrdNuke(nrrd);
      fclose(file);
    }
  }
}

/* The last bytes are the address of no page: libtiff does not miss it. */
static void ends_early(void) {
  Made made = plain;
  made.n_pages = 2;
  for (int form = 0; form < 4; form++) {
    made.is_big = form & 1;
    made.is_large = form & 2;
    const Bytes whole = *make(&made);
    for (size_t n = 4; n < whole.n; n++) {
      static Bytes part;
      part = whole;
      part.n = n;
      check_refusal(&part, whole.n - n <= 4 ? "truncated" : "");
    }
  }
}

/* libtiff stops when pages repeat. */
static void survives_circles(void) {
  Bytes *bytes = make(&plain);
  const uint64_t first = bytes->data[4] + 256u * bytes->data[5];
  put_at(bytes, bytes->n - 4, first, 4);
  Read it;
  CHECK(read_bytes(bytes, 35, &it));
  CHECK_EQ(it.nrrd->dim, 2);
  CHECK(is_as_made(&plain, it.nrrd));
  read_free(&it);
}

int main(void) {
  Read it;
  const bool can_read = read_bytes(make(&plain), 1, &it);
  const bool is_left_out = !can_read && (strstr(it.problem.text, "no TIFF reader") ||
                                         strstr(it.problem.text, "cannot be loaded"));
  if (!can_read) printf("%s\n", it.problem.text);
  read_free(&it);
  if (is_left_out) return 77;
  RUN(reads_every_form);
  RUN(names_colours);
  RUN(has_distances);
  RUN(refuses);
  RUN(survives_any_byte);
  RUN(ends_early);
  RUN(survives_circles);
  return test_result();
}
