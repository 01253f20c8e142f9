/* examples/video: a linear ramp stays unchanged, up to the last sample whose mean is complete, and
 * all layouts of a frame give the same bits. Pictures given as arguments must be equal.
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/unit/test.h"
#include "video.h"

enum { WIDTH = 62, HEIGHT = 50, REACH = 4, ROW = 80 };

/* Pixels that are no mean of repeated samples: the kernel of chroma reaches two of its samples,
 * four pixels, further than the mean. */
enum { MARGIN = REACH + 4 };

typedef struct Film {
  unsigned char luma[HEIGHT][ROW], pairs[HEIGHT / 2][ROW]; /* one buffer, as 420SP */
  unsigned char planes[2][HEIGHT / 2][ROW];
} Film;

static int luma_at(int x, int y) { return 40 + 2 * x + y; }
static int chroma_at(int c, int i, int j) { return c == 0 ? 90 + i + 2 * j : 170 - 2 * i + j; }

static Film *new_film(bool is_noisy) {
  Film *film = calloc(1, sizeof *film);
  for (int k = 0; film && k < WIDTH * HEIGHT; k++) {
    const int x = k % WIDTH, y = k / WIDTH;
    film->luma[y][x] = (unsigned char)(luma_at(x, y) + (is_noisy ? 7 * k % 31 : 0));
  }
  for (int k = 0; film && k < WIDTH / 2 * (HEIGHT / 2); k++) {
    const int i = k % (WIDTH / 2), j = k / (WIDTH / 2);
    for (int c = 0; c < 2; c++) {
      film->pairs[j][2 * i + c] = (unsigned char)chroma_at(c, i, j);
      film->planes[c][j][i] = film->pairs[j][2 * i + c];
    }
  }
  return film;
}

/* --- layouts ---------------------------------------------------------------------------------- */

static const double origin[2] = {0.5, 0.5}, steps[4] = {0, 2, 2, 0};

static bool set_420sp(video_world_t *world, Film *film) {
  diderot_frame_t frame = {.data = film,
                           .layout = DIDEROT_420SP,
                           .type = nrrdTypeUChar,
                           .rank = 3,
                           .dims = {3, HEIGHT, WIDTH},
                           .n_pitches = 3,
                           .pitches = {3 * HEIGHT / 2 * ROW, HEIGHT * ROW, ROW}};
  if (video_input_set_frame_luma(world, &frame, NULL, NULL)) return true;
  frame.component = 1;
  return video_input_set_frame_chroma(world, &frame, NULL, NULL);
}

static bool set_nhwc(video_world_t *world, Film *film) {
  diderot_frame_t luma = {.data = film->luma,
                          .layout = DIDEROT_NHWC,
                          .type = nrrdTypeUChar,
                          .rank = 4,
                          .dims = {1, HEIGHT, WIDTH, 1},
                          .n_pitches = 4,
                          .pitches = {HEIGHT * ROW, HEIGHT * ROW, ROW, 1}};
  diderot_frame_t pairs = {.data = film->pairs,
                           .layout = DIDEROT_NHWC,
                           .type = nrrdTypeUChar,
                           .rank = 4,
                           .dims = {1, HEIGHT / 2, WIDTH / 2, 2},
                           .n_pitches = 4,
                           .pitches = {HEIGHT / 2 * ROW, HEIGHT / 2 * ROW, ROW, 2}};
  return video_input_set_frame_luma(world, &luma, NULL, NULL) ||
         video_input_set_frame_chroma(world, &pairs, origin, steps);
}

static bool set_nchw(video_world_t *world, Film *film) {
  const size_t all = sizeof film->luma, plane = sizeof film->planes[0];
  diderot_frame_t luma = {.data = film->luma,
                          .layout = DIDEROT_NCHW,
                          .type = nrrdTypeUChar,
                          .rank = 4,
                          .dims = {1, 1, HEIGHT, WIDTH},
                          .n_pitches = 4,
                          .pitches = {all, all, all, ROW}};
  diderot_frame_t planes = {.data = film->planes,
                            .layout = DIDEROT_NCHW,
                            .type = nrrdTypeUChar,
                            .rank = 4,
                            .dims = {1, 2, HEIGHT / 2, WIDTH / 2},
                            .n_pitches = 4,
                            .pitches = {2 * plane, 2 * plane, plane, ROW}};
  return video_input_set_frame_luma(world, &luma, NULL, NULL) ||
         video_input_set_frame_chroma(world, &planes, origin, steps);
}

/* Everything side by side, without a byte to spare. */
static bool set_packed(video_world_t *world, Film *film) {
  static unsigned char luma[HEIGHT][WIDTH], chroma[HEIGHT / 2][WIDTH / 2][2];
  for (int y = 0; y < HEIGHT; y++) {
    memcpy(luma[y], film->luma[y], sizeof luma[y]);
    memcpy(chroma[y / 2], film->pairs[y / 2], sizeof chroma[y / 2]);
  }
  diderot_view_t view = {.data = luma,
                         .type = nrrdTypeUChar,
                         .rank = 2,
                         .shape = {HEIGHT, WIDTH},
                         .strides = {WIDTH, 1}};
  if (video_input_set_view_luma(world, &view, NULL, NULL)) return true;
  view = (diderot_view_t){.data = chroma,
                          .type = nrrdTypeUChar,
                          .rank = 3,
                          .shape = {HEIGHT / 2, WIDTH / 2, 2},
                          .strides = {WIDTH, 2, 1}};
  return video_input_set_view_chroma(world, &view, origin, steps);
}

static Nrrd *filtered(bool (*set)(video_world_t *, Film *), bool is_noisy) {
  Film *film = new_film(is_noisy);
  Nrrd *rgb = nrrdNew();
  video_world_t *world = video_new_world();
  CHECK(film && world && !video_init_world(world) && !set(world, film));
  CHECK(!video_input_set_reach(world, REACH));
  CHECK(!video_create_strands(world) && video_run(world, 0) == 1);
  CHECK(!video_output_get_rgb(world, rgb) && !video_any_errors(world));
  video_shutdown(world);
  free(film);
  return rgb;
}

/* --- tests ------------------------------------------------------------------------------------ */

static void ramps_survive(void) {
  Nrrd *rgb = filtered(set_420sp, false);
  if (!CHECK(nrrdElementNumber(rgb) == 3 * WIDTH * HEIGHT)) return;
  for (int y = MARGIN; y < HEIGHT - MARGIN; y++)
    for (int x = MARGIN; x < WIDTH - MARGIN; x++) {
      const float *found = (const float *)rgb->data + 3 * (y * WIDTH + x);
      const double i = (x - 0.5) / 2, j = (y - 0.5) / 2, luma = luma_at(x, y);
      const double blue = 90 + i + 2 * j - 128, red = 170 - 2 * i + j - 128;
      CHECK_NEAR(found[0], luma + 1.402 * red, 1e-3); /* floats up to 255, sums of 81 of them */
      CHECK_NEAR(found[1], luma - 0.344136 * blue - 0.714136 * red, 1e-3);
      CHECK_NEAR(found[2], luma + 1.772 * blue, 1e-3);
    }
  nrrdNuke(rgb);
}

static bool same_bytes(const Nrrd *a, const Nrrd *b) {
  const size_t n = nrrdElementNumber(a) * nrrdElementSize(a);
  return n > 0 && n == nrrdElementNumber(b) * nrrdElementSize(b) && a->type == b->type &&
         memcmp(a->data, b->data, n) == 0;
}

static void layouts_give_the_same_bits(void) {
  Nrrd *packed = filtered(set_packed, true), *clean = filtered(set_packed, false);
  bool (*const sets[])(video_world_t *, Film *) = {set_420sp, set_nhwc, set_nchw};
  for (int k = 0; k < 3; k++) {
    Nrrd *rgb = filtered(sets[k], true);
    CHECK(same_bytes(rgb, packed) && !same_bytes(rgb, clean));
    nrrdNuke(rgb);
  }
  nrrdNuke(packed), nrrdNuke(clean);
}

/* The program has kernels of four taps and reads nothing behind a frame, so that frames without
 * spare memory are read in place. The page behind the last byte must not be read. */
static void exact_buffers_are_read_in_place(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE), n = WIDTH * HEIGHT * 3 / 2;
  const size_t body = (n + page - 1) / page * page;
  char *pages = mmap(NULL, body + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (!CHECK(pages != MAP_FAILED && mprotect(pages + body, page, PROT_NONE) == 0)) return;
  memset(pages, 10, body);
  diderot_frame_t frame = {.data = pages + body - n,
                           .layout = DIDEROT_420SP,
                           .rank = 3,
                           .type = nrrdTypeUChar,
                           .dims = {3, HEIGHT, WIDTH}};
  video_world_t *world = video_new_world();
  CHECK(!video_init_world(world) && !video_input_set_frame_luma(world, &frame, NULL, NULL));
  frame.component = 1;
  CHECK(!video_input_set_frame_chroma(world, &frame, NULL, NULL));
  memset(pages, 128, body);
  Nrrd *rgb = nrrdNew();
  CHECK(!video_create_strands(world) && video_run(world, 0) == 1);
  CHECK(!video_output_get_rgb(world, rgb) && nrrdElementNumber(rgb) == 3 * WIDTH * HEIGHT);
  for (int k = 0; k < 3 * WIDTH * HEIGHT; k++) CHECK_NEAR(((float *)rgb->data)[k], 128, 1e-3);
  nrrdNuke(rgb);
  video_shutdown(world);
  munmap(pages, body + page);
}

static void check_pictures(int n, char **files) {
  Nrrd *first = nrrdNew(), *other = nrrdNew();
  for (int k = 0; k < n; k++) {
    CHECK(nrrdLoad(k == 0 ? first : other, files[k], NULL) == 0);
    if (k > 0 && !CHECK(same_bytes(first, other))) fprintf(stderr, "  %s\n", files[k]);
  }
  nrrdNuke(first), nrrdNuke(other);
}

int main(int argc, char **argv) {
  RUN(ramps_survive);
  RUN(layouts_give_the_same_bits);
  RUN(exact_buffers_are_read_in_place);
  test_state.running = "pictures_are_the_same";
  check_pictures(argc - 1, argv + 1);
  return test_result();
}
