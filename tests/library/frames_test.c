/* Frames in the layouts of cameras and decoders: every layout, type and pitch gives the bits of the
 * packed image, nothing behind a buffer is read, rows are read in place if possible, and frames
 * that do not fit are refused before anything is done. */
#include "tests/library/frames.h"

/* The program's result for a picture given as packed samples of that type. Samples of the type that
 * the program was compiled for are used unchanged. All others become reals, which another part of
 * the program reads, and may round differently. */
static Nrrd *expected(const Kind *kind, int seed, int type) {
  static char packed[DEPTH * HEIGHT * WIDTH * 3 * sizeof(double)];
  const int depth = kind->dim == 3 ? DEPTH : 1, n = kind->n_components;
  const size_t shape[] = {DEPTH, HEIGHT, WIDTH, (size_t)n};
  char *next = packed;
  for (int z = 0; z < depth; z++)
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++)
        for (int c = 0; c < n; c++, next += nrrdTypeSize[type])
          store(next, type, sample_at(seed, c, z, y, x));
  diderot_view_t view = {.data = packed, .type = type};
  ptrdiff_t stride = (ptrdiff_t)nrrdTypeSize[type];
  view.rank = (uint32_t)kind->dim + (n > 1);
  for (uint32_t k = view.rank, from = 3 + (n > 1); k-- > 0; stride *= (ptrdiff_t)view.shape[k])
    view.shape[k] = shape[--from], view.strides[k] = stride;
  frames_world_t *world = new_world();
  CHECK(!kind->set_view(world, &view, NULL, NULL));
  return result_of(world, kind);
}

/* --- all layouts ------------------------------------------------------------------------------ */

/* How large the buffer is: up to the last sample, as the pitches say, or a little larger. */
typedef enum { EXACT, WHOLE, ROOMY, N_MEMORIES } Memory;

static Guarded memory_for(const Kind *kind, diderot_frame_t *frame, Memory how) {
  const size_t size = nrrdTypeSize[frame->type];
  const size_t n = how == EXACT   ? least_bytes(kind, frame)
                   : how == WHOLE ? frame->pitches[0]
                                  : frame->pitches[0] + 16 * size;
  const Guarded memory = guarded(n);
  frame->data = memory.data;
  frame->n_bytes = how == WHOLE ? 0 : n;
  return memory;
}

static void check_frame(const Kind *kind, int layout, int type, Padding pad, int extra, Memory how,
                        const Nrrd *want) {
  diderot_frame_t frame = new_frame(kind, layout, type, pad, extra);
  Guarded memory = memory_for(kind, &frame, how);
  paint(kind, &frame, 0);
  frames_world_t *world = new_world();
  CHECK(!bind(world, kind, &frame));
  Nrrd *found = result_of(world, kind);
  if (!CHECK(same_bits(found, want)))
    fprintf(stderr, "  %s: layout %d, type %d, pads %zu %zu %zu, %d extra, memory %d\n", kind->name,
            layout, type, pad.pixel, pad.row, pad.plane, extra, how);
  nrrdNuke(found);
  release(&memory);
}

/* One combination in five, each time another one for the same padding; in slow tests all. */
static bool is_due(void) {
  static unsigned n_asked;
  return n_asked++ % 5 == 0 || test_is_slow();
}

static void check_layout(const Kind *kind, int layout, const Nrrd *kept, const Nrrd *reals) {
  for (int type = nrrdTypeChar; type < nrrdTypeBlock; type++) {
    const size_t size = nrrdTypeSize[type];
    const Padding pads[] = {
        {0, 0, 0},                /* packed */
        {1, 1, 1},                /* packed, with explicit pitches */
        {1, 32, 1},               /* rows as video hardware has them */
        {1, 64, 4096},            /* planes by pages */
        {4 * size, 5 * size, 1},  /* padding behind every pixel */
        {1, size, 7 * 64 * size}, /* planes alone */
    };
    for (size_t p = 0; p < sizeof pads / sizeof *pads; p++)
      for (Memory how = EXACT; how < N_MEMORIES; how++)
        for (int extra = 0; extra < (layout == DIDEROT_420SP || p > 2 ? 1 : 2); extra++)
          if (is_due())
            check_frame(kind, layout, type, pads[p], extra, how, type == kind->type ? kept : reals);
  }
}

static void layouts_give_the_same_bits(void) {
  for (const Kind *kind = kinds; kind < kinds + N_KINDS; kind++) {
    Nrrd *kept = expected(kind, 0, kind->type), *reals = expected(kind, 0, nrrdTypeDouble);
    check_layout(kind, DIDEROT_NHWC, kept, reals);
    check_layout(kind, DIDEROT_NCHW, kept, reals);
    if (kind->dim == 2 && kind->n_components < 3) check_layout(kind, DIDEROT_420SP, kept, reals);
    const size_t n = nrrdElementNumber(kept);
    for (size_t k = 0; k < n;
         k++) /* sums of up to 216 products, values and derivatives below 200 */
      CHECK_NEAR(((float *)kept->data)[k], ((float *)reals->data)[k], 1e-3);
    nrrdNuke(kept), nrrdNuke(reals);
  }
}

/* --- in place --------------------------------------------------------------------------------- */

typedef enum { COPIED, IN_PLACE } Use;

/* The picture is painted over after it was bound: a world that reads it in place sees the new
 * one. */
static void check_use(int k, int layout, int type, Padding pad, int extra, Memory how, Use want) {
  const Kind *kind = &kinds[k];
  Nrrd *pictures[] = {[COPIED] = expected(kind, 0, type), [IN_PLACE] = expected(kind, 1, type)};
  diderot_frame_t frame = new_frame(kind, layout, type, pad, extra);
  Guarded memory = memory_for(kind, &frame, how);
  paint(kind, &frame, 0);
  frames_world_t *world = new_world();
  CHECK(!bind(world, kind, &frame));
  paint(kind, &frame, 1);
  Nrrd *found = result_of(world, kind);
  CHECK(!same_bits(pictures[COPIED], pictures[IN_PLACE]));
  if (!CHECK(same_bits(found, pictures[want])))
    fprintf(stderr, "  %s: layout %d, type %d, memory %d\n", kind->name, layout, type, how);
  nrrdNuke(found), nrrdNuke(pictures[COPIED]), nrrdNuke(pictures[IN_PLACE]);
  release(&memory);
}

static void rows_are_read_in_place(void) {
  const Padding packed = {0, 0, 0}, rows = {1, 32, 1}, planes = {1, 64, 4096};
  check_use(GREY, DIDEROT_NHWC, nrrdTypeUChar, packed, 0, ROOMY, IN_PLACE);
  check_use(GREY, DIDEROT_NHWC, nrrdTypeUChar, rows, 0, WHOLE, IN_PLACE);
  check_use(GREY, DIDEROT_NCHW, nrrdTypeUChar, rows, 1, WHOLE, IN_PLACE);
  check_use(GREY, DIDEROT_NCHW, nrrdTypeUChar, planes, 1, WHOLE, IN_PLACE);
  check_use(GREY, DIDEROT_420SP, nrrdTypeUChar, packed, 0, WHOLE, IN_PLACE);
  check_use(DEEP, DIDEROT_NCHW, nrrdTypeUShort, planes, 0, WHOLE, IN_PLACE);
  check_use(FINE, DIDEROT_NCHW, nrrdTypeFloat, (Padding){1, 128, 1}, 0, WHOLE, IN_PLACE);
  check_use(GREY, DIDEROT_420SP, nrrdTypeFloat, packed, 0, WHOLE, IN_PLACE); /* reals are, too */
  check_use(PAIR, DIDEROT_420SP, nrrdTypeUChar, packed, 0, ROOMY, IN_PLACE);
  check_use(COLOUR, DIDEROT_NHWC, nrrdTypeUChar, rows, 0, ROOMY, IN_PLACE);
  check_use(VOLUME, DIDEROT_NCHW, nrrdTypeUChar, rows, 1, WHOLE, IN_PLACE);
  check_use(FLOW, DIDEROT_NHWC, nrrdTypeShort, planes, 0, WHOLE, IN_PLACE);
}

/* What is done with samples of another type depends on the size of the image: see
 * views_test.c. */
static void other_frames_are_copied(void) {
#if defined(DDR_SMALL_SIZES)
  const Use of_large = IN_PLACE;
#else
  const Use of_large = COPIED;
#endif
  const Padding packed = {0, 0, 0}, rows = {1, 32, 1}, pixels = {4, 32, 1};
  check_use(GREY, DIDEROT_NHWC, nrrdTypeUChar, packed, 0, WHOLE, COPIED); /* no spare memory */
  check_use(GREY, DIDEROT_NHWC, nrrdTypeUChar, rows, 0, EXACT, COPIED);   /* nor here */
  check_use(GREY, DIDEROT_NHWC, nrrdTypeUChar, rows, 1, ROOMY, COPIED);   /* every second sample */
  check_use(GREY, DIDEROT_NCHW, nrrdTypeDouble, rows, 0, ROOMY, COPIED);  /* another type */
  check_use(GREY, DIDEROT_NCHW, nrrdTypeUShort, rows, 0, ROOMY, of_large);
  check_use(PAIR, DIDEROT_420SP, nrrdTypeUChar, packed, 0, WHOLE, COPIED); /* the last plane */
  check_use(COLOUR, DIDEROT_NCHW, nrrdTypeUChar, rows, 0, ROOMY, COPIED);  /* planes */
  check_use(COLOUR, DIDEROT_NHWC, nrrdTypeUChar, pixels, 0, ROOMY, COPIED);
  check_use(FLOW, DIDEROT_NCHW, nrrdTypeShort, rows, 0, ROOMY, COPIED);
}

/* --- chroma ----------------------------------------------------------------------------------- */

/* Linear in world space, which every kernel here reproduces. */
static double linear(int c, double x, double y) { return (c + 1) * (3 * x - 2 * y) + 5 * c + 40; }

/* A frame, turned and scaled: luma index (i, j) is at origin + i*step_x + j*step_y. */
static const double origin[2] = {-6, -3}, steps[4] = {0.125, 0.5, 0.5, -0.125};

static double ramp(int c, double i, double j) {
  return linear(c, origin[0] + j * steps[0] + i * steps[2],
                origin[1] + j * steps[1] + i * steps[3]);
}

static void check_siting(int siting, double shift_x) {
  enum { SIDE = 64, ROW = 2 * SIDE };
  static float both[3 * SIDE / 2][ROW];
  memset(both, 0, sizeof both);
  for (int j = 0; j < SIDE; j++)
    for (int i = 0; i < SIDE; i++) {
      both[j][i] = (float)ramp(0, i, j);
      if (i % 2 == 0 && j % 2 == 0)
        for (int c = 0; c < 2; c++)
          both[SIDE + j / 2][i + c] = (float)ramp(c, i + shift_x, j + 0.5);
    }
  diderot_frame_t frame = {.data = both,
                           .layout = DIDEROT_420SP,
                           .type = nrrdTypeFloat,
                           .rank = 3,
                           .dims = {3, SIDE, SIDE},
                           .n_pitches = 3,
                           .siting = siting};
  frame.pitches[2] = sizeof both[0], frame.pitches[1] = SIDE * sizeof both[0];
  frame.pitches[0] = sizeof both;
  frames_world_t *world = new_world();
  CHECK(!frames_input_set_frame_fine(world, &frame, origin, steps));
  frame.component = 1;
  CHECK(!frames_input_set_frame_pair(world, &frame, origin, steps));
  CHECK(!frames_create_strands(world) && frames_run(world, 0) == 1);
  Nrrd *fine = nrrdNew(), *pair = nrrdNew();
  CHECK(!frames_output_get_out_fine(world, fine) && !frames_output_get_out_pair(world, pair));
  const int n_x = (int)fine->axis[0].size, n_y = (int)fine->axis[1].size;
  CHECK(n_x == WIDTH + 1 && n_y == HEIGHT + 1);
  for (int k = 0; k < n_x * n_y; k++) {
    const double x = k % n_x - 0.7, y = k / n_x - 0.6; /* tolerance: floats up to 150 */
    CHECK_NEAR(((float *)fine->data)[k], linear(0, x, y), 2e-4);
    CHECK_NEAR(((float *)pair->data)[2 * k], linear(0, x, y), 2e-4);
    CHECK_NEAR(((float *)pair->data)[2 * k + 1], linear(1, x, y), 2e-4);
  }
  check_no_errors(world);
  nrrdNuke(fine), nrrdNuke(pair);
  frames_shutdown(world);
}

static void chroma_is_where_it_was_sampled(void) {
  check_siting(DIDEROT_CENTRED, 0.5);
  check_siting(DIDEROT_LEFT, 0);
}

/* --- Nrrds ------------------------------------------------------------------------------------ */

/* A Nrrd whose key/value pairs describe a frame: luma is read in place, chroma behind it. */
static void a_nrrd_may_be_a_frame(void) {
  const Kind *grey = &kinds[GREY];
  const Padding pad = {1, 32, 1};
  diderot_frame_t frame = new_frame(grey, DIDEROT_420SP, nrrdTypeUChar, pad, 0);
  Nrrd *nrrd = nrrdNew(), *want = expected(grey, 1, nrrdTypeUChar);
  char pitches[100];
  CHECK(nrrdAlloc_va(nrrd, nrrdTypeUChar, 1, frame.pitches[0]) == 0);
  frame.data = nrrd->data;
  paint(grey, &frame, 0);
  snprintf(pitches, sizeof pitches, "%zu %zu %zu", frame.pitches[0], frame.pitches[1],
           frame.pitches[2]);
  frames_world_t *world = new_world();
  CHECK(frames_input_set_grey(world, nrrd));
  nrrdKeyValueAdd(nrrd, "layout", "420SP");
  nrrdKeyValueAdd(nrrd, "height", "10");
  nrrdKeyValueAdd(nrrd, "width", "13");
  nrrdKeyValueAdd(nrrd, "pitches", pitches);
  CHECK(!frames_input_set_grey(world, nrrd) && !frames_input_set_pair(world, nrrd));
  CHECK(frames_input_set_colour(world, nrrd));
  char *errors = frames_get_errors(world);
  CHECK_STR(errors, "[DIDEROT] colour: cannot use the given array: the frame gives 2 values per "
                    "element, expected 3\n[DIDEROT] grey: cannot use the given array: nrrd has "
                    "unexpected dimension 1, expected 2 (1 spatial axes, expected 2)\n");
  free(errors);
  paint(grey, &frame, 1);
  nrrdNix(nrrd);
  Nrrd *found = result_of(world, grey);
  CHECK(same_bits(found, want));
  nrrdNuke(found), nrrdNuke(want);
}

int main(void) {
  RUN(layouts_give_the_same_bits);
  RUN(rows_are_read_in_place);
  RUN(other_frames_are_copied);
  RUN(chroma_is_where_it_was_sampled);
  RUN(a_nrrd_may_be_a_frame);
  return test_result();
}
