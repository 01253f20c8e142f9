/* Elements of sequences at a different index in each lane (ddr/lanes/lanes.h): of a sequence per
 * lane, and of one that all lanes share. */
#include "ddr/lanes/lanes.h"
#include "tests/unit/runtime/lanes_here.h"
#include "tests/unit/test.h"

static const ddr_int places[] = {0, 1, -1, 2, 7, -7, 100, DDR_INT_MAX, DDR_INT_MIN, 3};
enum { N_PLACES = sizeof places / sizeof *places };

static ddr_vint indices_from(int from) {
  ddr_vint v = {0};
  for (int lane = 0; lane < DDR_LANES; lane++) v[lane] = places[(from + lane) % N_PLACES];
  return v;
}

static ddr_vreal numbers_from(int from) {
  ddr_vreal v = {0};
  for (int lane = 0; lane < DDR_LANES; lane++) v[lane] = (ddr_real)(100 * from + lane);
  return v;
}

/* Three elements of two parts each, at every index. */
static void places_of_sequences(void) {
  const ddr_vreal vectors[] = {numbers_from(0), numbers_from(1), numbers_from(2),
                               numbers_from(3), numbers_from(4), numbers_from(5)};
  for (int k = 0; k < N_PLACES; k++) {
    const ddr_vint idx = indices_from(k);
    const ddr_vreal r = ddr_vplace_real(&vectors[1], 2, 3, idx);
    for (int i = 0; i < DDR_LANES; i++) {
      const int at = idx[i] <= 0 ? 0 : idx[i] == 1 ? 1 : 2;
      const ddr_vreal place = numbers_from(2 * at + 1);
      CHECK(r[i] == place[i]);
    }
  }
}

/* Three elements of two parts, after the header of their buffer, and without; an empty sequence;
 * one part. */
static void elements_that_all_share(void) {
  static struct {
    ddr_seq_buffer head;
    ddr_real part[6];
  } buffer = {.part = {0, 1, 10, 11, 20, 21}};
  static struct {
    ddr_seq_buffer head;
    ddr_int whole[3];
  } numbers = {.whole = {-1, -11, -21}};
  static struct {
    ddr_seq_buffer head;
    bool odd[3];
  } truths = {.odd = {true, false, true}};
  const ddr_seq seq = {&buffer.head, 3}, none = ddr_seq_empty();
  for (int k = 0; k < N_PLACES; k++) {
    const ddr_vint idx = indices_from(k);
    const ddr_vreal r = ddr_vseq_real(seq, idx, 2, 1), of_none = ddr_vseq_real(none, idx, 2, 1);
    const ddr_vreal same = ddr_vamong_real(&buffer.part[1], 2, 3, idx);
    const ddr_vint n = ddr_vamong_int(numbers.whole, 1, 3, idx);
    const ddr_vint same_n = ddr_vseq_int((ddr_seq){&numbers.head, 3}, idx, 1, 0);
    const ddr_vmask is_odd = ddr_vamong_bool(truths.odd, 1, 3, idx);
    const ddr_vmask same_truth = ddr_vseq_bool((ddr_seq){&truths.head, 3}, idx, 1, 0);
    for (int i = 0; i < DDR_LANES; i++) {
      CHECK(r[i] == (idx[i] <= 0 ? 1 : idx[i] == 1 ? 11 : 21));
      CHECK(of_none[i] == 0 && r[i] == same[i]);
      CHECK_EQ(n[i], idx[i] <= 0 ? -1 : idx[i] == 1 ? -11 : -21);
      CHECK_EQ(is_odd[i], idx[i] == 1 ? 0 : -1);
      CHECK(same_n[i] == n[i] && same_truth[i] == is_odd[i]);
    }
  }
}

/* Sequences of any length, whether they fit in registers or not, with elements of up to three
 * parts. */
static void elements_of_any_number(void) {
  enum { MOST = 2 * DDR_LANES + 3, MOST_PARTS = 3 };
  ddr_int numbers[MOST * MOST_PARTS];
  bool truths[MOST * MOST_PARTS];
  for (int i = 0; i < MOST * MOST_PARTS; i++) numbers[i] = 7 * i, truths[i] = i % 3 == 1;
  for (int n = 1; n <= MOST; n++)
    for (int step = 1; step <= MOST_PARTS; step++)
      for (int from = -2; from <= n; from++) {
        ddr_vint idx = {0};
        for (int lane = 0; lane < DDR_LANES; lane++) idx[lane] = from + lane;
        const ddr_vint found = ddr_vamong_int(numbers, step, n, idx);
        const ddr_vmask is_set = ddr_vamong_bool(truths, step, n, idx);
        const ddr_vint far = ddr_vseq_place(idx, n, step);
        for (int lane = 0; lane < DDR_LANES; lane++) {
          const int at = from + lane < 0 ? 0 : from + lane < n ? from + lane : n - 1;
          CHECK_EQ(found[lane], numbers[at * step]);
          CHECK_EQ(is_set[lane], -truths[at * step]);
          CHECK_EQ(far[lane], at * step);
        }
      }
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(places_of_sequences);
  RUN(elements_that_all_share);
  RUN(elements_of_any_number);
  return test_result();
}
