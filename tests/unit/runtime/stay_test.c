/* From which size on samples stay in a mapped file: reals, and samples of other types, which take
 * longer to probe without AVX-512. */
#include "ddr/library.h"
#include "runtime/src/images/local.h"
#include "runtime/src/world/world.h"
#include "tests/unit/test.h"

/* A cube of bytes in memory, whose samples are not read. */
static bool bytes_can_stay(bool has_avx512, ptrdiff_t n) {
  static const char bytes[1] = {0};
  bool needs[DDR_CPU_COUNT + 1] = {false};
  needs[DDR_CPU_AVX512F] = has_avx512;
  const ddr_program program = {.real_size = sizeof(float), .variant = {.needs = needs}};
  const ddr_world world = {.program = &program};
  const ddr_nrrd_image header = {
      .grid = {.dim = 3, .size = {n, n, n}}, .n_components = 1, .n_stored = 1};
  const ddr_rows rows = {
      .data = bytes, .type = nrrdTypeUChar, .step = {1, n, n * n}, .spare = SIZE_MAX};
  ddr_stay stay;
  const bool can_stay = ddr_rows_can_stay(&world, &rows, &header, DDR_SAMPLE_REAL, &stay);
  CHECK_EQ(stay.in_place, DDR_SAMPLE_U8);
  CHECK_EQ(stay.in_copy, DDR_SAMPLE_REAL);
  return can_stay;
}

#if defined(DDR_SMALL_SIZES)
enum { ARE_SMALL = true };
#else
enum { ARE_SMALL = false };
#endif

/* 256^3 floats are 64 MiB, 293^3 are 96 MiB. */
static void bytes_stay_from_some_size_on(void) {
  CHECK_EQ(bytes_can_stay(true, 255), ARE_SMALL);
  CHECK(bytes_can_stay(true, 256));
  CHECK_EQ(bytes_can_stay(false, 256), ARE_SMALL);
  CHECK_EQ(bytes_can_stay(false, 293), ARE_SMALL);
  CHECK(bytes_can_stay(false, 294));
}

int main(void) {
  RUN(bytes_stay_from_some_size_on);
  return test_result();
}
