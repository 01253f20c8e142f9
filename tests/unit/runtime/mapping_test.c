/* Mapped files: where data begins, how far it can be read, which files are mapped and which are
 * read, and what happens to a process whose file is truncated.  The contents of the files follow a
 * formula. */
#include "runtime/src/files/mapping.h"

#include <fcntl.h>

#include "ddr/image.h"
#include "files.h"
#include "grid_program.h"
#include "runtime/src/images/images.h"
#include "runtime/src/world/world.h"

enum { SIZE = 8, N = SIZE * SIZE * SIZE };

static ddr_world *world;
static float samples[N];

static void fill(void) {
  for (int k = 0; k < N; k++) samples[k] = 0.5f * (float)k - 7;
}

/* --- mappings --------------------------------------------------------------------------------- */

static void maps_any_part(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), size = 2 * page;
  char *bytes = malloc(size);
  if (!CHECK(bytes != NULL)) return;
  for (size_t k = 0; k < size; k++) bytes[k] = (char)(k * 37 % 251);
  files_write("bytes", bytes, size);
  const int file = open("bytes", O_RDONLY);
  const size_t parts[][2] = {{0, size}, {1, 5}, {page - 1, 2}, {page, page}, {size - 3, 3}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    ddr_mapping mapping;
    CHECK(ddr_map_file(file, (int64_t)parts[k][0], parts[k][1], 100, "img", "bytes", &mapping));
    const char *data = mapping.data;
    CHECK(memcmp(data, bytes + parts[k][0], parts[k][1]) == 0);
    volatile char behind = 0; /* readable, with any value */
    for (size_t i = 0; i < 100; i++) behind = data[parts[k][1] + i];
    (void)behind;
    ddr_unmap(&mapping);
    CHECK(mapping.data == NULL);
  }
  ddr_mapping mapping;
  CHECK(!ddr_map_file(file, 1, size, 0, "img", "bytes", &mapping)); /* one byte too many */
  CHECK(!ddr_map_file(file, -1, 4, 0, "img", "bytes", &mapping));
  CHECK(!ddr_map_file(file, 0, SIZE_MAX - 8, 16, "img", "bytes", &mapping));
  close(file);
  int pipes[2];
  CHECK(pipe(pipes) == 0 && !ddr_map_file(pipes[0], 0, 4, 0, "img", "bytes", &mapping));
  close(pipes[0]);
  close(pipes[1]);
  free(bytes);
}

/* The flags of the memory at an address, as the system lists them; "": it does not. */
static const char *flags_of(const void *address, char line[512]) {
  unsigned long begin, end;
  bool is_found = false;
  FILE *list = fopen("/proc/self/smaps", "r");
  while (list && fgets(line, 512, list)) {
    if (sscanf(line, "%lx-%lx ", &begin, &end) == 2)
      is_found = (uintptr_t)address >= begin && (uintptr_t)address < end;
    if (is_found && strncmp(line, "VmFlags:", 8) == 0) break;
    line[0] = '\0';
  }
  if (list) fclose(list);
  return list ? line : "";
}

/* The system is asked for huge pages of a small file, where it has any. */
static void asks_for_huge_pages(void) {
  char flags[512];
  files_write("bytes", samples, sizeof samples);
  const int file = open("bytes", O_RDONLY);
  ddr_mapping mapping;
  CHECK(ddr_map_file(file, 0, sizeof samples, 100, "img", "bytes", &mapping));
  const bool is_known = strlen(flags_of(mapping.data, flags)) > 0;
  const bool has_any = access("/sys/kernel/mm/transparent_hugepage", F_OK) == 0;
  CHECK(!is_known || !has_any || strstr(flags, " hg"));
  ddr_unmap(&mapping);
  close(file);
}

/* Wherever the data begins, huge pages of the file are where huge pages of memory can be. */
static void fits_huge_pages(void) {
  const size_t huge = (size_t)1 << 21, page = (size_t)sysconf(_SC_PAGESIZE), size = 3 * page;
  const size_t offsets[] = {0, 1, page, 2 * page + 5};
  char *bytes = calloc(1, size);
  files_write("bytes", bytes, size);
  free(bytes);
  const int file = open("bytes", O_RDONLY);
  for (size_t k = 0; k < sizeof offsets / sizeof *offsets; k++) {
    ddr_mapping mapping;
    const size_t at = offsets[k];
    CHECK(ddr_map_file(file, (int64_t)at, size - at, 100, "img", "bytes", &mapping));
    CHECK_EQ((uintptr_t)mapping.data % huge, at);
    ddr_unmap(&mapping);
  }
  close(file);
}

/* --- images ----------------------------------------------------------------------------------- */

#define HEADER "NRRD0004\ntype: float\ndimension: 3\nsizes: 8 8 8\n"

/* The newest image of the world is mapped or not, and has the expected samples. */
static void check_load(const char *file, bool is_mapped) {
  const ddr_image *image = ddr_load_image(world, "img", file, 3, 1, DDR_SAMPLE_REAL);
  CHECK(image != NULL);
  if (!image) return;
#if !defined(DDR_SMALL_SIZES)
  is_mapped = false; /* only images that are larger than the caches */
#endif
  CHECK_EQ(world->images->all->mapping.data != NULL, is_mapped);
  for (int k = 0; k < N; k++) {
    const int64_t offset = ddr_image_offset(image, k % SIZE, k / SIZE % SIZE, k / SIZE / SIZE);
    CHECK(ddr_image_sample(image, offset) == samples[k]);
  }
}

static void check_header(const char *more, bool is_mapped) {
  char header[300];
  snprintf(header, sizeof header, "%s%s\n", HEADER, more);
  files_write_nrrd("detached.nhdr", header, "", 0);
  check_load("detached.nhdr", is_mapped);
}

static void maps_native_data(void) {
  char padded[16 + sizeof samples];
  memset(padded, 'x', 16);
  memcpy(padded + 16, samples, sizeof samples);
  files_write("data.raw", samples, sizeof samples);
  files_write("padded.raw", padded, sizeof padded);
  check_header("encoding: raw\nendian: little\ndata file: data.raw\n", true);
  check_header("encoding: raw\nendian: little\nbyte skip: 16\ndata file: padded.raw\n", true);
  check_header("encoding: raw\nendian: little\nbyte skip: -1\ndata file: padded.raw\n", true);
}

/* --- at any byte ------------------------------------------------------------------------------ */

typedef struct OfType {
  const char *name;
  size_t size;
  ddr_sample sample;
  double (*value)(const unsigned char *sample);
} OfType;

#define VALUE(id, c_type)                                                                          \
  static double value_##id(const unsigned char *sample) {                                          \
    c_type value;                                                                                  \
    memcpy(&value, sample, sizeof value);                                                          \
    return (double)(float)value;                                                                   \
  }
VALUE(i8, int8_t)
VALUE(u8, uint8_t)
VALUE(i16, int16_t)
VALUE(u16, uint16_t)
VALUE(i32, int32_t)
VALUE(u32, uint32_t)
VALUE(f32, float)
VALUE(f64, double)

static const OfType types[] = {
    {"signed char", 1, DDR_SAMPLE_I8, value_i8}, {"uchar", 1, DDR_SAMPLE_U8, value_u8},
    {"short", 2, DDR_SAMPLE_I16, value_i16},     {"ushort", 2, DDR_SAMPLE_U16, value_u16},
    {"int", 4, DDR_SAMPLE_I32, value_i32},       {"uint", 4, DDR_SAMPLE_U32, value_u32},
    {"float", 4, DDR_SAMPLE_REAL, value_f32},    {"double", 8, DDR_SAMPLE_REAL, value_f64},
};

/* Samples with many different bytes, of which reals are ordinary numbers. */
static void fill_bytes(const OfType *type, unsigned char *bytes) {
  for (size_t k = 0; k < N * type->size; k++) bytes[k] = (unsigned char)(k * 73 % 251);
  for (int k = 0; k < N && type->size >= 4; k++) bytes[((size_t)k + 1) * type->size - 1] = 0x40;
}

static void check_at_any_byte(const OfType *type, int filling) {
  static const char comment[] = "#       ";
  unsigned char bytes[N * sizeof(double)];
  char header[300];
  fill_bytes(type, bytes);
  const int n = snprintf(header, sizeof header,
                         "NRRD0004\ntype: %s\ndimension: 3\nsizes: 8 8 8\n%.*s\nencoding: raw\n"
                         "endian: little\n\n",
                         type->name, 1 + filling, comment);
  files_write_nrrd("attached.nrrd", header, bytes, N * type->size);
  const ddr_image *image = ddr_load_image(world, "img", "attached.nrrd", 3, 1, DDR_SAMPLE_REAL);
  if (!CHECK(image != NULL)) return;
#if defined(DDR_SMALL_SIZES)
  const bool is_kept = type->size < sizeof(double);
  CHECK_EQ(world->images->all->mapping.data != NULL, is_kept);
  CHECK(image->sample == type->sample);
  CHECK(!is_kept || (uintptr_t)image->samples % 8 == (size_t)n % 8);
#else
  (void)n;
#endif
  for (int k = 0; k < N; k++) {
    const int64_t offset = ddr_image_offset(image, k % SIZE, k / SIZE % SIZE, k / SIZE / SIZE);
    CHECK((double)ddr_image_sample(image, offset) == type->value(bytes + (size_t)k * type->size));
  }
}

/* Attached data begins after the header, whose length may be any number. */
static void maps_behind_a_header(void) {
  for (size_t type = 0; type < sizeof types / sizeof *types; type++)
    for (int filling = 0; filling < 8; filling++) check_at_any_byte(&types[type], filling);
}

static void maps_behind_skipped_bytes(void) {
  for (int n = 0; n < 8; n++) {
    char skipped[8 + sizeof samples], more[100];
    memset(skipped, 'x', 8);
    memcpy(skipped + n, samples, sizeof samples);
    files_write("skipped.raw", skipped, (size_t)n + sizeof samples);
    snprintf(more, sizeof more,
             "encoding: raw\nendian: little\nbyte skip: %d\ndata file: skipped.raw\n", n);
    check_header(more, true);
  }
}

/* --- not mapped, or of other formats ---------------------------------------------------------- */

static void reads_what_must_be_decoded(void) {
  float swapped[N];
  for (int k = 0; k < N; k++) {
    unsigned char *to = (unsigned char *)&swapped[k];
    const unsigned char *from = (const unsigned char *)&samples[k];
    for (int i = 0; i < 4; i++) to[i] = from[3 - i];
  }
  files_write("swapped.raw", swapped, sizeof swapped);
  files_write("part1.raw", samples, sizeof samples / 2);
  files_write("part2.raw", samples + N / 2, sizeof samples / 2);
  FILE *lines = fopen("lines.raw", "wb");
  CHECK(lines && fputs("one\ntwo\n", lines) >= 0 && fwrite(samples, sizeof samples, 1, lines) == 1);
  if (lines) fclose(lines);
  check_header("encoding: raw\nendian: big\ndata file: swapped.raw\n", false);
  check_header("encoding: raw\nendian: little\nline skip: 2\ndata file: lines.raw\n", false);
  check_header("encoding: raw\nendian: little\ndata file: part%d.raw 1 2 1 3\n", false);
  check_header("encoding: raw\nendian: little\ndata file: part%01d.raw 1 2 1 3\n", false);
  check_header("encoding: raw\nendian: little\ndata file: LIST 3\npart1.raw\npart2.raw", false);
  files_write("skipped.raw", "12345", 5);
  FILE *skipped = fopen("skipped.raw", "ab");
  CHECK(skipped && fwrite(samples, sizeof samples, 1, skipped) == 1);
  if (skipped) fclose(skipped);
  check_header("encoding: raw\nendian: little\nbyte skip: 5\ndata file: LIST 3\nskipped.raw",
               true); /* one file, of which only bytes are skipped */
  check_header("encoding: raw\nendian: little\ndata file: SKIPLIST 3\n5 skipped.raw", false);
}

/* NIfTI files are mapped under the same conditions as nrrd files. */
static void maps_another_format(void) {
  unsigned char header[352] = {0};
  const int32_t size = sizeof header - 4;
  const int16_t axes[4] = {3, SIZE, SIZE, SIZE}, type = 16, code = 1;
  const float offset = sizeof header, rows[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};
  memcpy(header, &size, sizeof size);
  memcpy(header + 40, axes, sizeof axes);
  memcpy(header + 70, &type, sizeof type);
  memcpy(header + 108, &offset, sizeof offset);
  memcpy(header + 254, &code, sizeof code);
  memcpy(header + 280, rows, sizeof rows);
  memcpy(header + 344, "n+1", 4);
  FILE *file = fopen("volume", "wb");
  CHECK(file && fwrite(header, sizeof header, 1, file) == 1 &&
        fwrite(samples, sizeof samples, 1, file) == 1);
  if (file) fclose(file);
  check_load("volume", true);
}

/* Later data stays in memory, and earlier data is read again. */
static void passes_pages(void) {
  enum { BYTES = 9 << 20 };
  char *bytes = malloc(BYTES);
  for (size_t k = 0; bytes && k < BYTES; k++) bytes[k] = (char)(k * 37 % 251);
  files_write("long", bytes, BYTES);
  const int file = open("long", O_RDONLY);
  ddr_mapping mapping;
  CHECK(ddr_map_file(file, 5, BYTES - 5, 0, "img", "long", &mapping));
  const char *data = mapping.data;
  for (size_t end = 0; end < BYTES - 5; end += 100000) ddr_mapping_pass(&mapping, data + end);
  CHECK(mapping.n_passed > 0 && mapping.n_passed < BYTES);
  CHECK(memcmp(data, bytes + 5, BYTES - 5) == 0);
  ddr_unmap(&mapping);
  close(file);
  free(bytes);
}

/* A named pipe can be read once; there is no second writer. */
static void reads_a_pipe(void) {
  CHECK(mkfifo("pipe", 0600) == 0);
  const pid_t child = fork();
  if (child == 0) {
    files_write_nrrd("pipe", HEADER "encoding: raw\nendian: little\n\n", samples, sizeof samples);
    _exit(0);
  }
  alarm(20); /* otherwise it could wait for ever */
  const ddr_image *image = ddr_load_image(world, "img", "pipe", 3, 1, DDR_SAMPLE_REAL);
  alarm(0);
  CHECK(image && ddr_image_sample(image, ddr_image_offset(image, 7, 7, 7)) == samples[N - 1]);
  CHECK(waitpid(child, NULL, 0) == child);
}

/* Other types are converted to reals directly from the file. */
static void converts_from_the_file(void) {
  double wide[N];
  for (int k = 0; k < N; k++) wide[k] = (double)samples[k];
  files_write("wide.raw", wide, sizeof wide);
  files_write_nrrd("wide.nhdr",
                   "NRRD0004\ntype: double\ndimension: 3\nsizes: 8 8 8\nencoding: raw\n"
                   "endian: little\ndata file: wide.raw\n\n",
                   "", 0);
  check_load("wide.nhdr", false);
}

/* --- files that are cut short ----------------------------------------------------------------- */

static void ends_with_a_line(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *bytes = calloc(3, page);
  files_write("cut", bytes, 3 * page);
  free(bytes);
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    ddr_mapping mapping;
    const int file = open("cut", O_RDONLY), text = open("text", O_WRONLY | O_CREAT, 0600);
    if (!ddr_map_file(file, 0, 3 * page, 0, "vol", "cut", &mapping)) _exit(2);
    ddr_mapping_guard();
    if (dup2(text, STDERR_FILENO) < 0 || truncate("cut", 1) != 0) _exit(3);
    _exit(10 + ((volatile const char *)mapping.data)[2 * page]);
  }
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 1);
  files_check("text", "[DIDEROT] vol: image \"cut\" has been cut short while it was in use\n");
}

int main(void) {
  files_enter();
  fill();
  world = ddr_world_new(&grid_program);
  RUN(maps_any_part);
  RUN(fits_huge_pages);
  RUN(asks_for_huge_pages);
  RUN(maps_native_data);
  RUN(maps_behind_a_header);
  RUN(maps_behind_skipped_bytes);
  RUN(reads_what_must_be_decoded);
  RUN(maps_another_format);
  RUN(passes_pages);
  RUN(reads_a_pipe);
  RUN(converts_from_the_file);
  RUN(ends_with_a_line);
  ddr_world_free(world);
  files_leave();
  return test_result();
}
