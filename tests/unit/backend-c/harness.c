/* Harness: runs the program it is linked with, without the runtime: every input at its default,
 * every image input a quadratic polynomial sampled on a grid of 12 x 11 x 13, all outputs printed,
 * one strand per line. What the program prints comes first.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ddr/image.h"
#include "ddr/program.h"

/* --- what generated code calls ---------------------------------------------------------------- */

void ddr_put_string(ddr_text *text, const char *string) { (void)text, fputs(string, stdout); }
void ddr_put_bool(ddr_text *text, bool value) {
  (void)text, fputs(value ? "true" : "false", stdout);
}
void ddr_put_int(ddr_text *text, int64_t value) { (void)text, printf("%" PRId64, value); }
void ddr_put_float(ddr_text *text, float value) { (void)text, printf("%.9g", (double)value); }
void ddr_put_double(ddr_text *text, double value) { (void)text, printf("%.17g", value); }
void ddr_print_end(ddr_text *text) { (void)text; }

/* --- an image --------------------------------------------------------------------------------- */

enum { SIZE_X = 12, SIZE_Y = 11, SIZE_Z = 13, N_SAMPLES = SIZE_X * SIZE_Y * SIZE_Z };

static ddr_real samples[N_SAMPLES + DDR_ROW_SLACK];

static double polynomial(double x, double y, double z) {
  return 1 + x - 2 * y + 0.5 * z + 0.25 * x * y - 0.125 * z * z + 0.5 * x * z;
}

static ddr_image make_image(void) {
  ddr_image image = {.samples = samples,
                     .dim = 3,
                     .n_components = 1,
                     .size = {SIZE_X, SIZE_Y, SIZE_Z},
                     .stride = {1, SIZE_X, SIZE_X * SIZE_Y}};
  for (int axis = 0; axis < 3; axis++) {
    image.place32.matrix[axis][axis] = 1;
    image.place64.matrix[axis][axis] = 1;
    image.place32.origin[axis] = -0.5f;
    image.place64.origin[axis] = -0.5;
  }
  for (int k = 0; k < N_SAMPLES; k++)
    samples[k] = (ddr_real)polynomial(k % SIZE_X - 0.5, k / SIZE_X % SIZE_Y - 0.5,
                                      k / (SIZE_X * SIZE_Y) - 0.5);
  return image;
}

/* --- a run ------------------------------------------------------------------------------------ */

static void print_component(const ddr_program *program, const ddr_output *output, const char *at) {
  if (output->kind == DDR_REAL && program->real_size == 4)
    printf(" %.9g", (double)*(const float *)(const void *)at);
  else if (output->kind == DDR_REAL) printf(" %.17g", *(const double *)(const void *)at);
  else if (program->int_size == 4) printf(" %" PRId32, *(const int32_t *)(const void *)at);
  else printf(" %" PRId64, *(const int64_t *)(const void *)at);
}

static void print_strand(const ddr_program *program, const ddr_strands *strands, int64_t slot) {
  for (uint32_t i = 0; i < program->n_outputs; i++) {
    const ddr_output *output = &program->outputs[i];
    size_t size = output->kind == DDR_REAL ? program->real_size : program->int_size;
    double gathered[16];
    const char *at = (const char *)gathered;
    if (output->gather) output->gather(strands, slot, slot + 1, gathered);
    else at = (const char *)strands->state + (size_t)slot * program->state_size + output->offset;
    for (uint32_t k = 0; k < output->n_components; k++)
      print_component(program, output, at + k * size);
  }
  printf("\n");
}

/* Zeroed states, which may lie in groups. */
static void *make_states(const ddr_program *program, int64_t n_slots) {
  const size_t width = program->state_width;
  const size_t n_bytes = ((size_t)n_slots + width - 1) / width * program->state_size;
  void *states = aligned_alloc(program->state_align < 16 ? 16 : program->state_align,
                               (n_bytes + 63) / 64 * 64);
  return memset(states, 0, n_bytes);
}

int main(void) {
  const ddr_program *program = &ddr_program_main;
  char *globals = calloc(1, program->globals_size + 1);
  ddr_image image = make_image();
  const ddr_image *image_at = &image;
  program->defaults(globals);
  for (uint32_t i = 0; i < program->n_inputs; i++)
    if (program->inputs[i].kind == DDR_IMAGE)
      memcpy(globals + program->inputs[i].offset, &image_at, sizeof image_at);
  if (program->init_globals(NULL, globals) != DDR_OK) return 1;
  ddr_strands strands = {.n_slots = 1, .step = 1};
  int64_t hi[DDR_MAX_ITERATORS];
  program->bounds(NULL, globals, strands.lo, hi);
  for (uint32_t i = 0; i < program->rank; i++) {
    strands.len[i] = hi[i] - strands.lo[i] + 1;
    strands.n_slots *= strands.len[i];
  }
  strands.state = make_states(program, strands.n_slots);
  strands.status = malloc((size_t)strands.n_slots);
  memset(strands.status, DDR_NEW, (size_t)strands.n_slots);
  ddr_block block = {.strands = &strands, .end = strands.n_slots};
  if (program->create(globals, &block) != DDR_OK) return 1;
  while (program->update(globals, &block, 7) != 0) continue; /* in pieces, as a world may */
  for (int64_t slot = 0; slot < strands.n_slots; slot++) print_strand(program, &strands, slot);
  free(strands.status);
  free(strands.state);
  free(globals);
  return 0;
}
