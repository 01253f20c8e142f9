/* Words of structs in lanes, and back (ddr/lanes/structs.h): each arrives where it belongs, and no
 * other byte changes.
 */
#include "ddr/lanes/structs.h"
#include "tests/unit/runtime/lanes_here.h"
#include "tests/unit/test.h"

enum { MOST_WORDS = 7, N_STRUCTS = 3 * DDR_LANES, BEFORE = -1000000 };

static ddr_int memory[N_STRUCTS * MOST_WORDS];

static ddr_int value_of(int64_t at, int number) { return (ddr_int)(1000 * at + number); }

/* Structs of n words. */
static void fill(int n) {
  for (int at = 0; at < N_STRUCTS; at++)
    for (int number = 0; number < n; number++) memory[at * n + number] = value_of(at, number);
}

static void empty(void) {
  for (int i = 0; i < N_STRUCTS * MOST_WORDS; i++) memory[i] = BEFORE;
}

/* Slots in no order, each once. */
static void scatter(int64_t at[DDR_LANES]) {
  for (int lane = 0; lane < DDR_LANES; lane++) at[lane] = (7 * lane + 5) % N_STRUCTS;
}

static void row(int64_t at[DDR_LANES], int64_t first) {
  for (int lane = 0; lane < DDR_LANES; lane++) at[lane] = first + lane;
}

static void check_words(const ddr_vint *word, int n, int number, const int64_t *at) {
  for (int k = 0; k < n; k++)
    for (int lane = 0; lane < DDR_LANES; lane++)
      CHECK_EQ(word[k][lane], value_of(at[lane], number + k));
}

/* Whether struct `slot` is that of a lane. */
static bool has(const int64_t *at, int64_t slot) {
  bool found = false;
  for (int lane = 0; lane < DDR_LANES; lane++) found |= at[lane] == slot;
  return found;
}

/* Words `number` to number + k - 1 of the structs of lanes have been stored, and nothing else. */
static void check_memory(int n, int number, int k, const int64_t *at) {
  for (int slot = 0; slot < N_STRUCTS; slot++)
    for (int i = 0; i < n; i++) {
      const bool is_stored = has(at, slot) && i >= number && i < number + k;
      CHECK_EQ(memory[slot * n + i], is_stored ? value_of(slot, i) : BEFORE);
    }
}

static void make_words(ddr_vint *word, int n, int number, const int64_t *at) {
  for (int k = 0; k < n; k++)
    for (int lane = 0; lane < DDR_LANES; lane++) word[k][lane] = value_of(at[lane], number + k);
}

/* The same function for each number of words and each size of struct. */
#define TEST_WORDS(k)                                                                              \
  static void words##k(void) {                                                                     \
    for (int n = k; n <= MOST_WORDS; n++)                                                          \
      for (int number = 0; number + k <= n; number++) {                                            \
        const size_t size = (size_t)n * sizeof *memory;                                            \
        int64_t at[DDR_LANES];                                                                     \
        ddr_vint word[k];                                                                          \
        fill(n);                                                                                   \
        row(at, 2);                                                                                \
        ddr_vwords##k##_row(memory + (size_t)(2 * n), size, number, word);                         \
        check_words(word, k, number, at);                                                          \
        empty();                                                                                   \
        ddr_vwords##k##_to_row(memory + (size_t)(2 * n), size, number, word);                      \
        check_memory(n, number, k, at);                                                            \
        fill(n);                                                                                   \
        scatter(at);                                                                               \
        ddr_vwords##k##_of(memory, size, number, at, word);                                        \
        check_words(word, k, number, at);                                                          \
        make_words(word, k, number, at);                                                           \
        empty();                                                                                   \
        ddr_vwords##k##_to(memory, size, number, at, word);                                        \
        check_memory(n, number, k, at);                                                            \
      }                                                                                            \
  }
TEST_WORDS(2)
TEST_WORDS(4)

/* Bits of reals stay as they are, those of a NaN, too. */
static void words_of_reals(void) {
  static const uint32_t bits[] = {0, 0x80000000u, 0x3f800000u, 0x7fa00001u, 0xffc00000u, 1};
  ddr_vint word = {0};
  for (int lane = 0; lane < DDR_LANES; lane++) memcpy((char *)&word + 4 * lane, &bits[lane % 6], 4);
  const ddr_vint same = ddr_vword_of_real(ddr_vreal_of_word(word));
  CHECK(memcmp(&same, &word, sizeof word) == 0);
}

/* A truth value is one byte, and the others of its word are anything. */
static void words_of_truth_values(void) {
  struct {
    bool truth;
    uint8_t padding[3];
  } all[DDR_LANES];
  ddr_vint word = {0};
  memset(all, 0xa5, sizeof all);
  for (int lane = 0; lane < DDR_LANES; lane++) all[lane].truth = lane % 3 == 1;
  memcpy(&word, all, sizeof word);
  const ddr_vmask m = ddr_vbool_of_word(word);
  for (int lane = 0; lane < DDR_LANES; lane++) CHECK_EQ(m[lane], lane % 3 == 1 ? -1 : 0);
  word = ddr_vword_of_bool(m);
  memcpy(all, &word, sizeof word);
  for (int lane = 0; lane < DDR_LANES; lane++)
    CHECK_EQ(*(const uint8_t *)&all[lane].truth, lane % 3 == 1);
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(words2);
  RUN(words4);
  RUN(words_of_reals);
  RUN(words_of_truth_values);
  return test_result();
}
