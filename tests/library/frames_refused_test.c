/* Frames that do not fit are refused when they are bound: one line says what was expected and what
 * was found, and the input keeps its value. Then the world filters many frames one after
 * another. */
#include <dirent.h>

#include "tests/library/frames.h"

static const char all[] = "cannot use the given array: ";

static void check_refused(const Kind *kind, const diderot_frame_t *frame, const char *reason) {
  char want[300];
  frames_world_t *world = new_world();
  CHECK(kind->set_frame(world, frame, NULL, NULL));
  snprintf(want, sizeof want, "[DIDEROT] %s: %s%s\n", kind->name, frame ? all : "", reason);
  char *errors = frames_get_errors(world);
  CHECK_STR(errors, want);
  free(errors);
  CHECK(!frames_create_strands(world)); /* with the picture it has from its file */
  frames_shutdown(world);
}

/* Rows of 6 words and 2 of padding, 8 of them; three planes; two frames. */
static uint16_t words[2 * 3 * 8 * 8];
static const diderot_frame_t planar = {.data = words,
                                       .layout = DIDEROT_NCHW,
                                       .type = nrrdTypeUShort,
                                       .rank = 4,
                                       .dims = {2, 3, 8, 6},
                                       .n_pitches = 4,
                                       .pitches = {768, 384, 128, 16},
                                       .n_components = 1};
static const diderot_frame_t nv12 = {.data = words,
                                     .layout = DIDEROT_420SP,
                                     .type = nrrdTypeUChar,
                                     .rank = 3,
                                     .dims = {3, 8, 7},
                                     .n_pitches = 3,
                                     .pitches = {96, 64, 8}};

static void a_frame_must_be_one(void) {
  const Kind *deep = &kinds[DEEP];
  diderot_frame_t frame = planar;
  check_refused(deep, NULL, "the frame is NULL");
  frame.data = NULL;
  check_refused(deep, &frame, "the frame has no data");
  frame = planar, frame.layout = 3;
  check_refused(deep, &frame, "the frame has the unknown layout 3");
  frame.layout = -1;
  check_refused(deep, &frame, "the frame has the unknown layout -1");
  frame = planar, frame.type = nrrdTypeBlock;
  check_refused(deep, &frame, "the frame has samples of type 11, which are not numbers");
}

static void axes_are_those_of_the_layout(void) {
  diderot_frame_t frame = planar;
  check_refused(&kinds[VOLUME], &frame, "the frame has 4 axes, expected 5: NCDHW");
  frame.rank = 3;
  check_refused(&kinds[DEEP], &frame, "the frame has 3 axes, expected 4: NCHW");
  frame.layout = DIDEROT_NHWC, frame.rank = 4000000000u;
  check_refused(&kinds[DEEP], &frame, "the frame has 4000000000 axes, expected 4: NHWC");
  frame = planar, frame.dims[2] = 0;
  check_refused(&kinds[DEEP], &frame, "axis H of the frame has size 0 (expected at least 1)");
  check_refused(&kinds[VOLUME], &nv12, "a frame of that layout cannot be an image of dimension 3");
  frame = nv12, frame.dims[0] = 4;
  check_refused(&kinds[GREY], &frame, "a 420SP frame has size 4 on its first axis, expected 3");
  frame = nv12, frame.dims[2] = 0;
  check_refused(&kinds[GREY], &frame, "axis W of the frame has size 0 (expected at least 1)");
}

static void components_are_those_of_the_image(void) {
  diderot_frame_t frame = planar;
  frame.n_components = 0;
  check_refused(&kinds[DEEP], &frame, "the frame gives 3 values per element, expected 1");
  check_refused(&kinds[PAIR], &frame, "the frame gives 3 values per element, expected 2");
  frame.component = 3;
  check_refused(&kinds[DEEP], &frame, "the frame has no component 3, expected less than 3");
  frame.component = 1, frame.n_components = 3;
  check_refused(&kinds[COLOUR], &frame, "the frame has 2 components from 1 on, expected 3");
  frame = planar, frame.number = 2;
  check_refused(&kinds[DEEP], &frame, "the frame has number 2, expected less than 2");
  frame = nv12, frame.number = 1;
  check_refused(&kinds[GREY], &frame, "the frame has number 1, expected 0");
  check_refused(&kinds[PAIR], &nv12, "the frame gives 1 values per element, expected 2");
  frame = nv12, frame.component = 1;
  check_refused(&kinds[GREY], &frame, "the frame gives 2 values per element, expected 1");
  frame.component = 3;
  check_refused(&kinds[GREY], &frame, "the frame has no component 3, expected less than 3");
}

static void pitches_hold_what_is_in_them(void) {
  const Kind *deep = &kinds[DEEP], *grey = &kinds[GREY];
  diderot_frame_t frame = planar;
  frame.n_pitches = 3;
  check_refused(deep, &frame, "the frame has 3 pitches, expected 4 or none");
  frame = planar, frame.pitches[3] = 10;
  check_refused(deep, &frame, "pitch 3 (W) of the frame is 10 bytes, expected at least 12");
  frame = planar, frame.pitches[3] = 15;
  check_refused(deep, &frame,
                "pitch 3 (W) of the frame is 15 bytes, expected a multiple of the sample's 2");
  frame = planar, frame.pitches[2] = 127;
  check_refused(deep, &frame, "pitch 2 (H) of the frame is 127 bytes, expected at least 128");
  frame = planar, frame.pitches[1] = 0;
  check_refused(deep, &frame, "pitch 1 (C) of the frame is 0 bytes, expected at least 384");
  frame = planar, frame.pitches[0] = 767;
  check_refused(deep, &frame, "pitch 0 (N) of the frame is 767 bytes, expected at least 768");
  frame = nv12, frame.pitches[2] = 7; /* a row of four pairs */
  check_refused(grey, &frame, "pitch 2 (W) of the frame is 7 bytes, expected at least 8");
  frame = nv12, frame.pitches[1] = 63;
  check_refused(grey, &frame, "pitch 1 (H) of the frame is 63 bytes, expected at least 64");
  frame = nv12, frame.pitches[0] = 95;
  check_refused(grey, &frame, "pitch 0 (3) of the frame is 95 bytes, expected at least 96");
  frame = nv12, frame.type = nrrdTypeUShort, frame.pitches[2] = 17;
  frame.pitches[1] = 8 * 17, frame.pitches[0] = 12 * 17;
  check_refused(grey, &frame,
                "pitch 2 (W) of the frame is 17 bytes, expected a multiple of the sample's 2");
}

static void frames_fit_into_memory(void) {
  static const char too_large[] = "the frame is invalid: a number is too large for its type, "
                                  "or the array for the address space";
  diderot_frame_t frame = planar;
  frame.n_bytes = 384 + 128 - 4 - 1; /* of the second frame's first plane, without padding */
  frame.number = 1;
  check_refused(&kinds[DEEP], &frame, "the frame ends at byte 508, but its buffer has 507");
  frame = nv12, frame.n_bytes = 62;
  check_refused(&kinds[GREY], &frame, "the frame ends at byte 63, but its buffer has 62");
  frame = planar, frame.n_pitches = 0, frame.dims[0] = (size_t)1 << 60;
  check_refused(&kinds[DEEP], &frame, too_large);
  frame.dims[0] = SIZE_MAX;
  check_refused(&kinds[DEEP], &frame,
                "axis N of the frame has size 18446744073709551615 (expected at least 1)");
  frame = planar, frame.dims[3] = (size_t)1 << 62;
  check_refused(&kinds[DEEP], &frame, too_large);
  frame = planar, frame.pitches[1] = SIZE_MAX - 1;
  check_refused(&kinds[DEEP], &frame, too_large);
  frame = nv12, frame.dims[1] = (size_t)1 << 62;
  check_refused(&kinds[GREY], &frame, too_large);
}

/* --- at random -------------------------------------------------------------------------------- */

static uint32_t state = 12345;
static size_t below(size_t n) {
  state = state * 1664525u + 1013904223u;
  return (size_t)((uint64_t)state * n >> 32);
}

/* May an image of n components at two axes take that frame from a buffer of n_bytes?  The rules
 * once more, for small numbers. */
static bool fits(const diderot_frame_t *f, size_t n) {
  const bool is_420sp = f->layout == DIDEROT_420SP, is_planar = f->layout == DIDEROT_NCHW;
  const size_t e = nrrdTypeSize[f->type], *p = f->pitches, *d = f->dims;
  const uint32_t rank = is_420sp ? 3 : 4;
  if (f->rank != rank || f->n_pitches != rank) return false;
  for (uint32_t k = 0; k < rank; k++)
    if (d[k] == 0 || (k > 0 && p[k] % e != 0)) return false;
  if (is_420sp) {
    const size_t h = (d[1] + 1) / 2, w = (d[2] + 1) / 2, c = f->component > 0;
    if (d[0] != 3 || p[2] < 2 * w * e || p[1] < d[1] * p[2] || p[0] < p[1] + h * p[2]) return false;
    const size_t first = f->component - c, n_there = c ? 2 : 1;
    if (f->number != 0 || first >= n_there) return false;
    if (f->n_components ? f->n_components != n || first + n > n_there : n != n_there - first)
      return false;
    const size_t end =
        c ? p[1] + (h - 1) * p[2] + (2 * (w - 1) + first + n) * e : (d[1] - 1) * p[2] + d[2] * e;
    return end <= f->n_bytes;
  }
  if (p[3] < d[3] * e || p[2] < d[2] * p[3] || p[1] < d[1] * p[2] || p[0] < d[0] * p[1])
    return false;
  const size_t n_there = is_planar ? d[1] : d[3], first = f->component;
  if (f->number >= d[0] || first >= n_there) return false;
  if (f->n_components ? f->n_components != n || first + n > n_there : n != n_there - first)
    return false;
  const size_t start = f->number * p[1];
  const size_t end = is_planar ? start + (first + n - 1) * p[2] + (d[2] - 1) * p[3] + d[3] * e
                               : start + (d[1] - 1) * p[2] + (d[2] - 1) * p[3] + (first + n) * e;
  return end <= f->n_bytes;
}

/* Usually n, sometimes a little less or more. */
static size_t about(size_t n) {
  const size_t choice = below(40);
  return choice == 0 && n > 0 ? n - 1 : choice == 1 ? n + 1 : choice < 6 ? n + 8 * below(4) : n;
}

static diderot_frame_t random_frame(void) {
  static const int types[] = {nrrdTypeUChar, nrrdTypeShort, nrrdTypeFloat};
  diderot_frame_t f = {.layout = (int)below(3), .type = types[below(3)]};
  const size_t e = nrrdTypeSize[f.type], h = 6 + below(6), w = 6 + below(6), n = 1 + below(3);
  const size_t dims[][4] = {{2, h, w, n}, {2, n, h, w}, {3, h, w, 0}};
  f.rank = f.n_pitches = f.layout == DIDEROT_420SP ? 3 : 4;
  if (below(40) == 0) f.rank += 1 - 2 * (uint32_t)below(2);
  size_t inner = e;
  for (uint32_t k = 4; k-- > 0;) {
    f.dims[k] = below(60) == 0 ? 0 : dims[f.layout][k];
    if (f.layout != DIDEROT_420SP) inner = f.pitches[k] = about(f.dims[k] * inner);
  }
  if (f.layout == DIDEROT_420SP) {
    f.pitches[2] = about((w + 1) / 2 * 2 * e), f.pitches[1] = about(h * f.pitches[2]);
    f.pitches[0] = about(f.pitches[1] + (h + 1) / 2 * f.pitches[2]);
  }
  f.number = f.layout == DIDEROT_420SP ? below(20) == 0 : below(12) / 5;
  f.component = below(3) == 0 ? below(4) : 0, f.n_components = below(2) * (1 + below(3));
  f.n_bytes = 1 + f.pitches[0] - below(2) * below(f.pitches[0] / 4 + 1);
  return f;
}

/* Exactly the frames that fit are accepted, and nothing behind their buffers is read. */
static void frames_are_taken_when_they_fit(void) {
  static const int takers[] = {GREY, PAIR, COLOUR};
  int n_taken = 0, n_refused = 0;
  for (int k = 0; k < 4000; k++) {
    const Kind *kind = &kinds[takers[below(3)]];
    diderot_frame_t frame = random_frame();
    Guarded memory = guarded(frame.n_bytes);
    frame.data = memory.data;
    frames_world_t *world = new_world();
    const bool is_taken = !bind(world, kind, &frame),
               want = fits(&frame, (size_t)kind->n_components);
    if (!CHECK_EQ(is_taken, want)) {
      char *errors = frames_get_errors(world);
      fprintf(stderr, "  %d: %s", k, errors);
      free(errors);
    }
    *(is_taken ? &n_taken : &n_refused) += 1;
    if (is_taken && n_taken % 8 == 0) nrrdNuke(result_of(world, kind));
    else frames_shutdown(world);
    release(&memory);
  }
  if (!CHECK(n_taken > 400 && n_refused > 400))
    fprintf(stderr, "  %d taken, %d refused\n", n_taken, n_refused);
}

/* --- many ------------------------------------------------------------------------------------- */

static int n_entries(const char *folder) {
  int n = 0;
  DIR *dir = opendir(folder);
  while (dir && readdir(dir)) n++;
  if (dir) closedir(dir);
  return n;
}

/* Frames of a film, each in a world of its own with two threads: the first one comes back the same
 * after all the others, and nothing is left of them. */
static void films_leave_nothing_behind(void) {
  const Kind *kind = &kinds[COLOUR];
  diderot_frame_t frame = new_frame(kind, DIDEROT_NHWC, nrrdTypeUChar, (Padding){1, 64, 1}, 0);
  Guarded memory = guarded(frame.pitches[0]);
  frame.data = memory.data;
  Nrrd *first = NULL, *last = NULL;
  int n_threads = 0, n_files = 0;
  for (int k = 0; k <= 100; k++) {
    paint(kind, &frame, k < 100 ? k : 0);
    frames_world_t *world = new_world();
    frames_set_num_workers(world, 2);
    CHECK(!bind(world, kind, &frame));
    nrrdNuke(last);
    last = result_of(world, kind);
    if (k == 1) {
      CHECK(!same_bits(first, last));
      n_threads = n_entries("/proc/self/task");
      n_files = n_entries("/proc/self/fd");
    }
    if (k == 0) first = last, last = NULL;
  }
  CHECK(same_bits(first, last));
  CHECK_EQ(n_entries("/proc/self/task"), n_threads);
  CHECK_EQ(n_entries("/proc/self/fd"), n_files);
  nrrdNuke(first), nrrdNuke(last);
  release(&memory);
}

/* Bound again, an input forgets the frame it had. */
static void frames_replace_each_other(void) {
  const Kind *kind = &kinds[DEEP];
  diderot_frame_t frame = new_frame(kind, DIDEROT_NCHW, nrrdTypeUShort, (Padding){1, 64, 1}, 0);
  Guarded one = guarded(frame.pitches[0]), two = guarded(frame.pitches[0]);
  Nrrd *pictures[2];
  for (int k = 0; k < 2; k++) {
    frames_world_t *world = new_world();
    for (int turn = 0; turn < 4; turn++) {
      frame.data = turn % 2 == k ? one.data : two.data;
      frame.type = turn == 2 ? nrrdTypeShort : nrrdTypeUShort; /* copied, too */
      paint(kind, &frame, turn % 2 == k ? 1 : 2);
      CHECK(!bind(world, kind, &frame));
    }
    frame.rank = 1;
    CHECK(bind(world, kind, &frame));
    free(frames_get_errors(world));
    frame.rank = 4;
    pictures[k] = result_of(world, kind);
  }
  CHECK(!same_bits(pictures[0], pictures[1]));
  nrrdNuke(pictures[0]), nrrdNuke(pictures[1]);
  release(&one), release(&two);
}

int main(void) {
  RUN(a_frame_must_be_one);
  RUN(axes_are_those_of_the_layout);
  RUN(components_are_those_of_the_image);
  RUN(pitches_hold_what_is_in_them);
  RUN(frames_fit_into_memory);
  RUN(frames_are_taken_when_they_fit);
  RUN(films_leave_nothing_behind);
  RUN(frames_replace_each_other);
  return test_result();
}
