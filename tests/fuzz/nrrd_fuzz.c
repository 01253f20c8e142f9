/* Fuzz target: any bytes as an image file, for all readers of such files: programs, for images and
 * sequences; ddr-array; and the compiler, for proxies.
 *
 * Data files that the bytes may name are in the same folder: one.raw, p1.raw, p2.raw, one.txt, a
 * pipe. What counts as a find, besides crashes and leaks of ours: a refusal without exactly one
 * line, or with control characters; a file that one reader accepts and in which another
 * one does not find the sizes.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <teem/nrrd.h>
#include <unistd.h>

#include "driver/proxy.h"
#include "runtime/src/images/images.h"
#include "tests/unit/runtime/grid_program.h"
#include "tools/ddr-array/array.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Teem leaks much of its memory when a file is damaged. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) {
  return "leak:nrrdRead\nleak:libteem\nleak:libbz2\nleak:libz.so";
}

static char folder[] = "/tmp/ddr-fuzz-XXXXXX";
static char file_name[sizeof folder + 16];

static const char *path_of(const char *name) {
  static char path[sizeof file_name];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void leave(void) {
  static const char *const names[] = {"any.nrrd", "one.raw", "p1.raw", "p2.raw", "one.txt", "pipe"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) unlink(path_of(names[k]));
  rmdir(folder);
}

static void write_file(const char *name, const void *bytes, size_t n) {
  FILE *file = fopen(name, "wb");
  if (!file || fwrite(bytes, 1, n, file) != n || fclose(file) == EOF) abort();
}

/* Once. */
static void enter(void) {
  static const char raw[] = "0123456789abcdef";
  static const char text[] = "1 2 3\n4 nan -inf 7e400 x";
  if (!mkdtemp(folder) || mkfifo(path_of("pipe"), 0600) != 0) abort();
  write_file(path_of("one.raw"), raw, sizeof raw);
  write_file(path_of("p1.raw"), raw, 8);
  write_file(path_of("p2.raw"), raw, 8);
  write_file(path_of("one.txt"), text, sizeof text - 1);
  snprintf(file_name, sizeof file_name, "%s", path_of("any.nrrd"));
  atexit(leave);
}

/* --- what must hold --------------------------------------------------------------------------- */

static void check_line(const char *text) {
  const size_t n = strlen(text);
  if (n == 0) abort();
  for (size_t k = 0; k < n; k++) {
    if ((unsigned char)text[k] < ' ') abort();
  }
}

/* Nothing, or one line. */
static void check_errors(ddr_world *world, bool has_failed) {
  char *errors = ddr_take_errors(world);
  if (!errors || (*errors != '\0') != has_failed) abort();
  if (has_failed) {
    char *end = strchr(errors, '\n');
    if (!end || end[1] != '\0') abort();
    *end = '\0';
    check_line(errors);
  }
  free(errors);
}

/* So that the sanitizer sees every sample read. */
static double sum_bytes(const void *samples, size_t n) {
  const unsigned char *bytes = samples;
  double sum = 0;
  for (size_t k = 0; k < n; k++) sum += bytes[k];
  return sum;
}

static void check_image(const ddr_image *image) {
  const int64_t n = ddr_image_offset(image, image->size[DDR_X] - 1, image->size[DDR_Y] - 1,
                                     image->size[DDR_Z] - 1) +
                    image->n_components;
  if (n < 1 || sum_bytes(image->samples, (size_t)n) < 0) abort();
  for (int row = 0; row < DDR_MAX_DIM; row++) {
    if (!isfinite(image->place64.origin[row])) abort();
  }
}

/* --- readers ---------------------------------------------------------------------------------- */

static void read_image(int dim, int n_components, ddr_sample sample) {
  ddr_world *world = ddr_world_new(&grid_program);
  const ddr_image *image = ddr_load_image(world, "img", file_name, dim, n_components, sample);
  check_errors(world, !image);
  if (image) check_image(image);
  ddr_world_free(world);
}

static void read_sequence(ddr_kind kind, uint32_t n_components) {
  ddr_world *world = ddr_world_new(&grid_program);
  const ddr_seq_request request = {
      .name = "seq", .file = file_name, .kind = kind, .n_components = n_components};
  ddr_seq seq = ddr_seq_empty();
  const bool has_failed = ddr_nrrd_load_sequence(world, &request, &seq) != DDR_OK;
  check_errors(world, has_failed);
  ddr_world_free(world);
}

static bool is_tensor(const Array *array, int axis) {
  return array->axis[axis].kind != nrrdKindUnknown && !nrrdKindIsDomain(array->axis[axis].kind);
}

/* What ddr-array reads determines what the other readers are asked for. */
static void read_array(void) {
  Array array;
  bool is_stdin_taken = true;
  ddr_reason reason;
  if (array_load(&array, file_name, &is_stdin_taken, &reason) != DDR_OK) {
    check_line(reason.text);
    array_free(&array);
    read_image(2, 1, DDR_SAMPLE_U8);
    read_sequence(DDR_REAL, 1);
    return;
  }
  const ddr_layout *layout = &array.view.layout;
  const int last = layout->rank - 1;
  const int n_tensor = last >= 0 && is_tensor(&array, last);
  const int n = n_tensor && layout->len[last] <= 9 ? (int)layout->len[last] : 1;
  const int dim = layout->rank - n_tensor;
  if (!ddr_ndview_is_empty(&array.view)) {
    const size_t n_bytes = (size_t)ddr_ndview_size(&array.view) * ddr_element_size(array.view.type);
    if (sum_bytes(array.view.data, n_bytes) < 0) abort();
  }
  array_free(&array);
  if (dim < 1 || dim > DDR_MAX_DIM) return;
  read_image(dim, n, DDR_SAMPLE_REAL);
  read_image(dim, n == 3 ? 4 : n == 6 ? 9 : n, DDR_SAMPLE_U8);
  read_sequence(DDR_REAL, (uint32_t)n);
  read_sequence(DDR_INT, (uint32_t)n);
  read_sequence(DDR_BOOL, 1);
}

static void read_proxy(void) {
  Arena *arena = arena_new();
  const ImageProbe probe = proxy_probe_image(NULL, arena, file_name);
  if (!probe.exists) abort();
  if (probe.problem) check_line(probe.problem);
  arena_free(arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (file_name[0] == '\0') enter();
  write_file(file_name, data, size);
  read_array();
  read_proxy();
  return 0;
}
