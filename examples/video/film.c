/* film.c: makes a film with noise, as a camera would deliver it, and denoises each
 * frame.
 *
 *   film [420SP|NHWC|NCHW] PICTURE
 *
 * The layout is that of the buffers: one with luma and then pairs of chroma (NV12), one of luma and
 * one of pairs, or three planes. All have rows of PITCH bytes. The picture shows some frames,
 * before on the left and after on the right. Frames are read in place, except the two planes
 * of chroma, which become pairs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "video.h"

enum { WIDTH = 200, HEIGHT = 140, PITCH = 256, PLANE = HEIGHT * PITCH };
enum { N_FRAMES = 4, N_SHOWN = 2, STEP = 2 };

/* Rows of luma, then of chroma: pairs, or planes side by side. */
static unsigned char buffer[3 * HEIGHT / 2][PITCH], planes[2][HEIGHT / 2][PITCH];

/* ---- the film -------------------------------------------------------------------------------- */

static const double pi = 3.141592653589793;

/* Luma and chroma at a point of the picture: a wheel of six colours rolls before slanting bars. */
static void scene(double x, double y, double time, double sample[3]) {
  const double turn = 2 * pi * time;
  const double u = x - WIDTH / 2.0 - 45 * cos(turn), v = y - HEIGHT / 2.0 - 25 * sin(turn);
  const double sector = floor(3 * atan2(v, u) / pi - 6 * time);
  const bool is_dark = fmod(x + 0.5 * y + 200 * time, 24) < 12;
  if (u * u + v * v < 40 * 40) {
    sample[0] = 130 + 40 * cos(pi * sector);
    sample[1] = 128 + 60 * cos(sector * pi / 3), sample[2] = 128 + 60 * sin(sector * pi / 3);
  } else {
    sample[0] = is_dark ? 60 + 0.25 * x : 190 - 0.25 * x;
    sample[1] = is_dark ? 136 : 122, sample[2] = is_dark ? 124 : 132;
  }
}

/* Around 0, about as wide as 1: the sum of four numbers without order. */
static double noise(unsigned *state) {
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    *state = *state * 1664525u + 1013904223u;
    sum += *state >> 24;
  }
  return (sum - 510) / 148;
}

static unsigned char level(double value) {
  return (unsigned char)(value < 0 ? 0 : value > 255 ? 255 : floor(value + 0.5));
}

static void make_frame(int number) {
  const double time = (double)number / N_FRAMES;
  unsigned state = (unsigned)number;
  double sample[3];
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      scene(x, y, time, sample);
      buffer[y][x] = level(sample[0] + 14 * noise(&state));
    }
  }
  for (int y = 0; y < HEIGHT / 2; y++) {
    for (int x = 0; x < WIDTH / 2; x++) {
      scene(2 * x + 0.5, 2 * y + 0.5, time, sample);
      for (int c = 0; c < 2; c++) {
        const unsigned char chroma = level(sample[1 + c] + 10 * noise(&state));
        buffer[HEIGHT + y][2 * x + c] = planes[c][y][x] = chroma;
      }
    }
  }
}

/* ---- the library ----------------------------------------------------------------------------- */

static bool set_both(video_world_t *world, const diderot_frame_t *luma,
                     const diderot_frame_t *chroma) {
  /* A sample of chroma is in the middle of four of luma. */
  static const double origin[2] = {0.5, 0.5}, steps[4] = {0, 2, 2, 0};
  return video_input_set_frame_luma(world, luma, NULL, NULL) ||
         video_input_set_frame_chroma(world, chroma, origin, steps);
}

/* Both are parts of one frame, which knows where they are. */
static bool set_420sp(video_world_t *world) {
  diderot_frame_t frame = {.data = buffer, .layout = DIDEROT_420SP, .type = nrrdTypeUChar};
  frame.rank = 3, frame.dims[0] = 3, frame.dims[1] = HEIGHT, frame.dims[2] = WIDTH;
  frame.n_pitches = 3, frame.pitches[0] = sizeof buffer;
  frame.pitches[1] = PLANE, frame.pitches[2] = PITCH;
  if (video_input_set_frame_luma(world, &frame, NULL, NULL)) return true;
  frame.component = 1;
  return video_input_set_frame_chroma(world, &frame, NULL, NULL);
}

static bool set_nhwc(video_world_t *world) {
  const diderot_frame_t luma = {.data = buffer,
                                .layout = DIDEROT_NHWC,
                                .type = nrrdTypeUChar,
                                .rank = 4,
                                .dims = {1, HEIGHT, WIDTH, 1},
                                .n_pitches = 4,
                                .pitches = {PLANE, PLANE, PITCH, 1}};
  const diderot_frame_t pairs = {.data = buffer[HEIGHT],
                                 .layout = DIDEROT_NHWC,
                                 .type = nrrdTypeUChar,
                                 .rank = 4,
                                 .dims = {1, HEIGHT / 2, WIDTH / 2, 2},
                                 .n_pitches = 4,
                                 .pitches = {PLANE / 2, PLANE / 2, PITCH, 2}};
  return set_both(world, &luma, &pairs);
}

static bool set_nchw(video_world_t *world) {
  const diderot_frame_t luma = {.data = buffer,
                                .layout = DIDEROT_NCHW,
                                .type = nrrdTypeUChar,
                                .rank = 4,
                                .dims = {1, 1, HEIGHT, WIDTH},
                                .n_pitches = 4,
                                .pitches = {PLANE, PLANE, PLANE, PITCH}};
  const diderot_frame_t both = {.data = planes,
                                .layout = DIDEROT_NCHW,
                                .type = nrrdTypeUChar,
                                .rank = 4,
                                .dims = {1, 2, HEIGHT / 2, WIDTH / 2},
                                .n_pitches = 4,
                                .pitches = {sizeof planes, sizeof planes, sizeof planes[0], PITCH}};
  return set_both(world, &luma, &both);
}

static const struct {
  const char *name;
  bool (*set)(video_world_t *);
} layouts[] = {{"420SP", set_420sp}, {"NHWC", set_nhwc}, {"NCHW", set_nchw}};

static bool filter(int layout, Nrrd *rgb) {
  video_world_t *world = video_new_world();
  const bool is_bad = !world || video_init_world(world) || layouts[layout].set(world) ||
                      video_create_strands(world) || video_run(world, 0) == 0 ||
                      video_output_get_rgb(world, rgb);
  if (is_bad) {
    char *errors = video_get_errors(world);
    fprintf(stderr, "film: %s\n", errors);
    free(errors);
  }
  video_shutdown(world);
  return is_bad;
}

/* ---- the picture ----------------------------------------------------------------------------- */

static unsigned char picture[N_SHOWN * HEIGHT][2 * WIDTH][3];

static void show(int number, const Nrrd *rgb) {
  const float *after = rgb->data;
  for (int y = 0; y < HEIGHT; y++) {
    for (int x = 0; x < WIDTH; x++) {
      const unsigned char *pair = &buffer[HEIGHT + y / 2][x - x % 2];
      const double luma = buffer[y][x], blue = pair[0] - 128, red = pair[1] - 128;
      const double before[3] = {luma + 1.402 * red, luma - 0.344136 * blue - 0.714136 * red,
                                luma + 1.772 * blue};
      for (int c = 0; c < 3; c++) {
        picture[number * HEIGHT + y][x][c] = level(before[c]);
        picture[number * HEIGHT + y][WIDTH + x][c] = level((double)*after++);
      }
    }
  }
}

static bool save(const char *file) {
  Nrrd *nrrd = nrrdNew();
  const bool is_bad = nrrdWrap_va(nrrd, picture, nrrdTypeUChar, 3, (size_t)3, (size_t)2 * WIDTH,
                                  (size_t)N_SHOWN * HEIGHT) ||
                      nrrdSave(file, nrrd, NULL);
  if (is_bad) fprintf(stderr, "film: cannot save %s\n", file);
  nrrdNix(nrrd);
  return is_bad;
}

int main(int argc, char **argv) {
  int layout = 0;
  while (argc == 3 && layout < 3 && strcmp(argv[1], layouts[layout].name) != 0) layout++;
  if (argc < 2 || argc > 3 || layout == 3) {
    fputs("usage: film [420SP|NHWC|NCHW] PICTURE\n", stderr);
    return 2;
  }
  Nrrd *rgb = nrrdNew();
  bool is_bad = false;
  for (int k = 0; k < N_FRAMES && !is_bad; k++) {
    make_frame(k);
    is_bad = filter(layout, rgb);
    if (!is_bad && k % STEP == 0) show(k / STEP, rgb);
  }
  nrrdNuke(rgb);
  return is_bad || save(argv[argc - 1]);
}
