/* cpu.c: see cpu.h.  The rows of ddr/cpu.def name the registers that are read here.
 *
 * Compilers have a builtin function for this, but not every compiler has it for every row.
 * Read next: variant.c.
 */
#include "cpu.h"

#include <pthread.h>

#if defined(__x86_64__)
#include <cpuid.h>
#elif defined(__aarch64__)
#include <sys/auxv.h>
#endif

#if defined(__x86_64__)

typedef enum {
  LEAF_1_ECX,
  LEAF_7_EBX,
  LEAF_7_ECX,
  LEAF_7_EDX,
  LEAF_7_1_EAX,
  LEAF_7_1_EDX,
  LEAF_X1_ECX,
  N_WORDS
} Word;
/* Bits of XCR0: which registers the system saves when it switches threads. */
enum { NO_STATE = 0, YMM_STATE = 0x6, ZMM_STATE = 0xe6, APX_STATE = 1 << 19 };

typedef struct Leaf {
  unsigned eax, ebx, ecx, edx;
} Leaf;

/* Each CPUID is a trap on virtual machines and takes some microseconds. The result is 0 if `last`
 * says that there is no such leaf. */
static Leaf read_leaf(unsigned last, unsigned number, unsigned part) {
  Leaf leaf = {0};
  if (number <= last) __cpuid_count(number, part, leaf.eax, leaf.ebx, leaf.ecx, leaf.edx);
  return leaf;
}

static uint64_t read_state(Leaf first) {
  const unsigned has_xgetbv = 1u << 27;
  unsigned low, high;
  if (!(first.ecx & has_xgetbv)) return 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (uint64_t)high << 32 | low;
}

/* In clang's header the function takes an int. */
static unsigned last_leaf(unsigned kind) { return (unsigned)__get_cpuid_max(kind, NULL); }

static uint64_t read_words(uint64_t words[N_WORDS]) {
  const unsigned last = last_leaf(0), last_extended = last_leaf(1u << 31);
  const Leaf first = read_leaf(last, 1, 0), seventh = read_leaf(last, 7, 0);
  const Leaf more = seventh.eax >= 1 ? read_leaf(last, 7, 1) : (Leaf){0};
  const Leaf extended = read_leaf(last_extended, (1u << 31) + 1, 0);
  words[LEAF_1_ECX] = first.ecx;
  words[LEAF_7_EBX] = seventh.ebx;
  words[LEAF_7_ECX] = seventh.ecx;
  words[LEAF_7_EDX] = seventh.edx;
  words[LEAF_7_1_EAX] = more.eax;
  words[LEAF_7_1_EDX] = more.edx;
  words[LEAF_X1_ECX] = extended.ecx;
  return read_state(first);
}

#elif defined(__aarch64__)

typedef enum { HWCAP_1, HWCAP_2, N_WORDS } Word;
enum { NO_STATE = 0 };

static uint64_t read_words(uint64_t words[N_WORDS]) {
  words[HWCAP_1] = getauxval(AT_HWCAP);
  words[HWCAP_2] = getauxval(AT_HWCAP2);
  return 0;
}

#else /* other processors: no features */

typedef enum { N_WORDS = 1 } Word;
enum { NO_STATE = 0 };

static uint64_t read_words(uint64_t words[N_WORDS]) {
  words[0] = 0;
  return 0;
}

#endif

static const struct {
  const char *name;
  Word word;
  uint8_t bit;
  uint32_t state;
} features[DDR_CPU_COUNT + 1] = {
#define FEATURE(id, name, macro, word, bit, state) {name, word, bit, state},
#include "ddr/cpu.def"
    {"", (Word)0, 0, NO_STATE},
};

/* All threads of a process have the same kind of processor. */
static ddr_cpu here;
static pthread_once_t is_known = PTHREAD_ONCE_INIT;

static void know(void) {
  uint64_t words[N_WORDS];
  const uint64_t state = read_words(words);
  for (int k = 0; k < DDR_CPU_COUNT; k++) {
    const bool is_kept = (state & features[k].state) == features[k].state;
    here.has[k] = is_kept && (words[features[k].word] >> features[k].bit & 1);
  }
}

ddr_cpu ddr_cpu_here(void) {
  pthread_once(&is_known, know);
  return here;
}

const char *ddr_cpu_feature_name(int feature) { return features[feature].name; }
