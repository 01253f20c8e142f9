/* Choosing a variant: what the compiler needs, what the processor has, and the choice. Needs are
 * those of the x86-64 psABI; the processor's features are also taken from Linux and a builtin. */
#include "runtime/src/world/variant.h"

#include "tests/unit/test.h"

#if defined(DDR_TEST_VARIANTS)

extern const ddr_program ddr_test_generic, ddr_test_v2, ddr_test_v3, ddr_test_v4;

/* System V ABI, AMD64 supplement, table 3.1, without features that compilers do not use by
 * themselves. */
static const char *const levels[] = {
    "",
    "SSE3 SSSE3 SSE4.1 SSE4.2 POPCNT ",
    "AVX AVX2 FMA F16C BMI1 BMI2 LZCNT MOVBE ",
    "AVX512F AVX512CD AVX512BW AVX512DQ AVX512VL ",
};

static bool is_in_level(const char *name, int level) {
  char list[256] = " ", word[32];
  for (int k = 0; k <= level; k++) strncat(list, levels[k], sizeof list - strlen(list) - 1);
  snprintf(word, sizeof word, " %s ", name);
  return strstr(list, word) != NULL;
}

static ddr_cpu cpu_of_level(int level) {
  ddr_cpu cpu = {{false}};
  for (int k = 0; k < DDR_CPU_COUNT; k++) cpu.has[k] = is_in_level(ddr_cpu_feature_name(k), level);
  return cpu;
}

static void check_needs(const ddr_program *program, const char *arch, int level) {
  CHECK_STR(program->variant.arch, arch);
  for (int k = 0; k < DDR_CPU_COUNT; k++) {
    const char *name = ddr_cpu_feature_name(k);
    if (program->variant.needs[k] != is_in_level(name, level)) CHECK_STR(name, "of another level");
  }
}

static void needs_are_those_of_the_levels(void) {
  check_needs(&ddr_test_generic, "generic", 0);
  check_needs(&ddr_test_v2, "x86-64-v2", 1);
  check_needs(&ddr_test_v3, "x86-64-v3", 2);
  check_needs(&ddr_test_v4, "x86-64-v4", 3);
}

static void compilations_are_a_chain(void) {
  CHECK(ddr_test_v3.variant.other == &ddr_test_generic);
  CHECK(ddr_test_generic.variant.other == &ddr_test_v4);
  CHECK(ddr_test_v4.variant.other == NULL && ddr_test_v2.variant.other == NULL);
}

/* --- the processor ---------------------------------------------------------------------------- */

static const struct {
  const char *name, *linux_name;
} spellings[] = {{"SSE3", "pni"},
                 {"SSSE3", "ssse3"},
                 {"SSE4.1", "sse4_1"},
                 {"SSE4.2", "sse4_2"},
                 {"POPCNT", "popcnt"},
                 {"AVX", "avx"},
                 {"AVX2", "avx2"},
                 {"FMA", "fma"},
                 {"F16C", "f16c"},
                 {"BMI1", "bmi1"},
                 {"BMI2", "bmi2"},
                 {"LZCNT", "abm"},
                 {"MOVBE", "movbe"},
                 {"AVX512F", "avx512f"},
                 {"AVX512CD", "avx512cd"},
                 {"AVX512BW", "avx512bw"},
                 {"AVX512DQ", "avx512dq"},
                 {"AVX512VL", "avx512vl"},
                 {"AVX512IFMA", "avx512ifma"},
                 {"AVX512VBMI", "avx512vbmi"},
                 {"AVX512VBMI2", "avx512_vbmi2"},
                 {"AVX512VNNI", "avx512_vnni"},
                 {"AVX512BITALG", "avx512_bitalg"},
                 {"AVX512VPOPCNTDQ", "avx512_vpopcntdq"},
                 {"AVX512FP16", "avx512_fp16"},
                 {"GFNI", "gfni"},
                 {"AVX-VNNI", "avx_vnni"},
                 {"SSE4a", "sse4a"},
                 {"XOP", "xop"},
                 {"FMA4", "fma4"},
                 {"TBM", "tbm"}}; /* the others are newer than the oldest system that builds this */

static bool read_flags(char *line, int size) {
  FILE *file = fopen("/proc/cpuinfo", "r");
  bool is_found = false;
  while (file && !is_found && fgets(line, size, file)) is_found = strncmp(line, "flags", 5) == 0;
  if (file) fclose(file);
  if (is_found) line[strcspn(line, "\n")] = ' ';
  return is_found;
}

static void the_processor_has_what_linux_says(void) {
  static char flags[1 << 14];
  const ddr_cpu cpu = ddr_cpu_here();
  if (!read_flags(flags, sizeof flags - 1)) return;
  for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
    char word[32];
    int k = 0;
    while (k < DDR_CPU_COUNT && strcmp(ddr_cpu_feature_name(k), spellings[i].name) != 0) k++;
    if (!CHECK(k < DDR_CPU_COUNT)) return;
    snprintf(word, sizeof word, " %s ", spellings[i].linux_name);
    if (cpu.has[k] != (strstr(flags, word) != NULL))
      CHECK_STR(spellings[i].name, cpu.has[k] ? "unknown to Linux" : "not found");
  }
}

#define CHECK_BUILTIN(id, name)                                                                    \
  CHECK_EQ(ddr_cpu_here().has[DDR_CPU_##id], __builtin_cpu_supports(name) != 0)

static void the_processor_has_what_the_builtin_says(void) {
  __builtin_cpu_init();
  CHECK_BUILTIN(SSE4_2, "sse4.2");
  CHECK_BUILTIN(POPCNT, "popcnt");
  CHECK_BUILTIN(AVX, "avx");
  CHECK_BUILTIN(AVX2, "avx2");
  CHECK_BUILTIN(FMA, "fma");
  CHECK_BUILTIN(BMI2, "bmi2");
  CHECK_BUILTIN(AVX512F, "avx512f");
  CHECK_BUILTIN(AVX512VL, "avx512vl");
}

/* --- the choice ------------------------------------------------------------------------------- */

static void the_one_that_needs_most_runs(void) {
  const ddr_cpu v1 = cpu_of_level(0), v2 = cpu_of_level(1), v3 = cpu_of_level(2),
                v4 = cpu_of_level(3);
  CHECK(ddr_variant_choose(&ddr_test_v3, &v1) == &ddr_test_generic);
  CHECK(ddr_variant_choose(&ddr_test_v3, &v2) == &ddr_test_generic);
  CHECK(ddr_variant_choose(&ddr_test_v3, &v3) == &ddr_test_v3);
  CHECK(ddr_variant_choose(&ddr_test_v3, &v4) == &ddr_test_v4);
  CHECK(ddr_variant_choose(&ddr_test_v2, &v1) == NULL);
  CHECK(ddr_variant_choose(&ddr_test_v2, &v4) == &ddr_test_v2);
}

static void each_feature_counts(void) {
  for (int k = 0; k < DDR_CPU_COUNT; k++) {
    ddr_cpu cpu = cpu_of_level(3);
    if (!ddr_test_v4.variant.needs[k]) continue;
    CHECK(ddr_variant_choose(&ddr_test_v4, &cpu) == &ddr_test_v4);
    cpu.has[k] = false;
    CHECK(ddr_variant_choose(&ddr_test_v4, &cpu) == NULL);
  }
}

static void check_refusal(const ddr_program *program, int level, const char *want) {
  const ddr_cpu cpu = cpu_of_level(level);
  char *why = ddr_variant_refusal(program, &cpu, "library");
  CHECK(ddr_variant_choose(program, &cpu) == NULL);
  CHECK_STR(why, want);
  free(why);
}

static void what_is_missing_is_named(void) {
  check_refusal(&ddr_test_v2, 0,
                "this library needs a processor with SSE3, SSSE3, SSE4.1, SSE4.2 and POPCNT (made "
                "with --arch=x86-64-v2); this one lacks them");
  check_refusal(&ddr_test_v4, 1,
                "this library needs a processor with AVX, AVX2, FMA, F16C, BMI1 and 8 more (made "
                "with --arch=x86-64-v4); this one lacks them");
  ddr_cpu cpu = cpu_of_level(3);
  cpu.has[DDR_CPU_AVX512DQ] = false;
  char *why = ddr_variant_refusal(&ddr_test_v4, &cpu, "executable");
  CHECK_STR(why, "this executable needs a processor with AVX512DQ (made with --arch=x86-64-v4); "
                 "this one has none");
  free(why);
}

/* Compiled by hand: there is no option to name in the message. */
static void a_program_without_a_name_is_judged_by_its_needs(void) {
  static const bool needs[DDR_CPU_COUNT + 1] = {[DDR_CPU_AVX] = true, [DDR_CPU_FMA] = true};
  const ddr_program bare = {.variant = {.needs = needs}}, nothing = {0};
  const ddr_cpu v1 = cpu_of_level(0);
  check_refusal(&bare, 1, "this library needs a processor with AVX and FMA; this one lacks them");
  CHECK(ddr_variant_choose(&nothing, &v1) == &nothing);
  setenv("DIDEROT_ARCH", "x86-64-v2", 1);
  CHECK(ddr_variant_choose(&nothing, &v1) == &nothing);
  unsetenv("DIDEROT_ARCH");
}

static void the_user_may_choose(void) {
  const ddr_cpu v4 = cpu_of_level(3);
  setenv("DIDEROT_ARCH", "", 1);
  CHECK(ddr_variant_choose(&ddr_test_v3, &v4) == &ddr_test_v4);
  setenv("DIDEROT_ARCH", "generic", 1);
  CHECK(ddr_variant_choose(&ddr_test_v3, &v4) == &ddr_test_generic);
  setenv("DIDEROT_ARCH", "x86-64-v4", 1);
  check_refusal(&ddr_test_v3, 2,
                "this library needs a processor with AVX512F, AVX512CD, AVX512BW, AVX512DQ and "
                "AVX512VL (DIDEROT_ARCH=x86-64-v4); this one lacks them");
  setenv("DIDEROT_ARCH", "x86-64-v", 1);
  check_refusal(&ddr_test_v3, 3,
                "DIDEROT_ARCH is \"x86-64-v\", but this library was made with "
                "--arch=x86-64-v3,generic,x86-64-v4");
  unsetenv("DIDEROT_ARCH");
}

int main(void) {
  unsetenv("DIDEROT_ARCH");
  RUN(needs_are_those_of_the_levels);
  RUN(compilations_are_a_chain);
  RUN(the_processor_has_what_linux_says);
  RUN(the_processor_has_what_the_builtin_says);
  RUN(the_one_that_needs_most_runs);
  RUN(each_feature_counts);
  RUN(what_is_missing_is_named);
  RUN(a_program_without_a_name_is_judged_by_its_needs);
  RUN(the_user_may_choose);
  return test_result();
}

#else

int main(void) { return test_skipped("the C compiler knows no levels of x86-64"); }

#endif
