/* variant.c: see variant.h.
 *
 * Variants differ only in their functions, so tables of any variant may be read on every processor.
 * Read next: cpu.c.
 */
#include "variant.h"

#include <stdlib.h>
#include <string.h>

#include "text.h"

static bool needs(const ddr_program *program, int feature) {
  return program->variant.needs && program->variant.needs[feature];
}

static int count_missing(const ddr_program *program, const ddr_cpu *cpu) {
  int n = 0;
  for (int k = 0; k < DDR_CPU_COUNT; k++) n += needs(program, k) && !cpu->has[k];
  return n;
}

static int count_needs(const ddr_program *program) {
  static const ddr_cpu nothing;
  return count_missing(program, &nothing);
}

/* --- choice ----------------------------------------------------------------------------------- */

static const char *wanted_arch(void) {
  const char *name = getenv("DIDEROT_ARCH");
  return name && *name ? name : NULL;
}

/* A compilation without a name is the only one. */
static bool is_wanted(const ddr_program *program) {
  const char *wanted = wanted_arch(), *arch = program->variant.arch;
  return !wanted || !arch || strcmp(arch, wanted) == 0;
}

/* If two architectures both run, one includes the other: choose the one that needs more
 * features. */
const ddr_program *ddr_variant_choose(const ddr_program *program, const ddr_cpu *cpu) {
  const ddr_program *best = NULL;
  for (; program; program = program->variant.other) {
    if (!is_wanted(program) || count_missing(program, cpu) > 0) continue;
    if (!best || count_needs(program) > count_needs(best)) best = program;
  }
  return best;
}

/* --- refusal ---------------------------------------------------------------------------------- */

/* The variant that lacks the fewest features. */
static const ddr_program *nearest(const ddr_program *program, const ddr_cpu *cpu) {
  const ddr_program *best = NULL;
  for (; program; program = program->variant.other) {
    if (!is_wanted(program)) continue;
    if (!best || count_missing(program, cpu) < count_missing(best, cpu)) best = program;
  }
  return best;
}

/* "a", "a and b", "a, b and c", "a, b, c, d, e and 7 more" */
static void put_missing(ddr_text *text, const ddr_program *program, const ddr_cpu *cpu) {
  enum { MOST = 5 };
  const int n = count_missing(program, cpu);
  int n_put = 0;
  for (int k = 0; k < DDR_CPU_COUNT && n_put < MOST; k++) {
    if (!needs(program, k) || cpu->has[k]) continue;
    if (n_put > 0) ddr_put_string(text, n_put < n - 1 ? ", " : " and ");
    ddr_put_string(text, ddr_cpu_feature_name(k));
    n_put++;
  }
  if (n == n_put) return;
  ddr_put_string(text, " and ");
  ddr_put_int(text, n - n_put);
  ddr_put_string(text, " more");
}

static void put_archs(ddr_text *text, const ddr_program *program) {
  for (const char *separator = ""; program; program = program->variant.other) {
    ddr_put_string(text, separator);
    ddr_put_string(text, program->variant.arch);
    separator = ",";
  }
}

static void put_unknown(ddr_text *text, const ddr_program *program, const char *what) {
  ddr_put_string(text, "DIDEROT_ARCH is \"");
  ddr_put_string(text, wanted_arch());
  ddr_put_string(text, "\", but this ");
  ddr_put_string(text, what);
  ddr_put_string(text, " was made with --arch=");
  put_archs(text, program);
}

static void put_lacking(ddr_text *text, const ddr_program *program, const ddr_program *least,
                        const ddr_cpu *cpu, const char *what) {
  ddr_put_string(text, "this ");
  ddr_put_string(text, what);
  ddr_put_string(text, " needs a processor with ");
  put_missing(text, least, cpu);
  if (program->variant.arch) {
    ddr_put_string(text, wanted_arch() ? " (DIDEROT_ARCH=" : " (made with --arch=");
    if (wanted_arch()) ddr_put_string(text, wanted_arch());
    else put_archs(text, program);
    ddr_put_string(text, ")");
  }
  ddr_put_string(text,
                 count_missing(least, cpu) > 1 ? "; this one lacks them" : "; this one has none");
}

char *ddr_variant_refusal(const ddr_program *program, const ddr_cpu *cpu, const char *what) {
  const ddr_program *least = nearest(program, cpu);
  ddr_text text = {0};
  if (least) put_lacking(&text, program, least, cpu, what);
  else put_unknown(&text, program, what);
  if (!text.is_short) return text.chars;
  ddr_text_clear(&text);
  return NULL;
}
