/* Rows of samples of every type, at any address, against plain casts lane by lane; in the precision
 * of the build. */
#include "ddr/row_load.h"

#include <string.h>

#include "tests/unit/test.h"

enum { N_SAMPLES = 24 };

/* Both ends of the range and numbers around 0 come first. */
static const double interesting[] = {
    -2147483648.0, 4294967295.0, -32768, 65535, -128,       255, -1,  0, 1,
    127,           128,          32767,  32768, 2147483647, 200, -100};

#define FILL(c_type, low, high)                                                                    \
  for (int k = 0; k < N_SAMPLES; k++) {                                                            \
    const double wanted = interesting[(k * 7) % 16];                                               \
    src[k] = (c_type)(wanted < (low) ? (low) + k : wanted > (high) ? (high)-k : wanted);           \
  }

/* The first `n` lanes of a row loaded from every address that has room. */
#define CHECK_ROWS(upper, width)                                                                   \
  for (int first = 0; first + 8 <= N_SAMPLES; first++) {                                           \
    const ddr_row##width row = DDR_ROW##width##_LOAD_##upper(src + first);                         \
    for (int k = 0; k < (width); k++) CHECK(row[k] == (ddr_real)src[first + k]);                   \
  }

#define TYPE_TEST(id, upper, c_type, low, high)                                                    \
  static void rows_of_##id(void) {                                                                 \
    c_type src[N_SAMPLES];                                                                         \
    FILL(c_type, low, high)                                                                        \
    CHECK_ROWS(upper, 2)                                                                           \
    CHECK_ROWS(upper, 4)                                                                           \
    CHECK_ROWS(upper, 6)                                                                           \
  }

TYPE_TEST(i8, I8, int8_t, -128, 127)
TYPE_TEST(u8, U8, uint8_t, 0, 255)
TYPE_TEST(i16, I16, int16_t, -32768, 32767)
TYPE_TEST(u16, U16, uint16_t, 0, 65535)
TYPE_TEST(i32, I32, int32_t, -2147483648.0, 2147483647.0)
TYPE_TEST(u32, U32, uint32_t, 0, 4294967295.0)
TYPE_TEST(f32, F32, float, -1e30, 1e30)

int main(void) {
#define ROW(id, upper, c_type) RUN(rows_of_##id);
  DDR_SAMPLE_TYPES(ROW)
#undef ROW
  return test_result();
}
