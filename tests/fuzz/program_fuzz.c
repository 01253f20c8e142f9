/* program-fuzz: random programs over fields have the same results at every level and when compiled.
 *
 *   program-fuzz [--seed N] [--count N] [--seconds N] [--depth N] [--target TARGET]
 *                [--compiler DIDEROTC SCRATCH]
 *
 * Seeds count up from --seed; without --count and --seconds there is no end. With a compiler each
 * program is also compiled, for the target if one is given, and run in float and double, in the
 * folder SCRATCH. Each program has a process of its own, so that crashes are finds, too. A find is
 * reduced as long as it fails in the same way, and printed; then the status is 1.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/fuzz/program_check.h"
#include "tests/run/process.h"

typedef struct Options {
  uint64_t seed, count;
  double seconds;
  uint32_t depth;
  const char *compiler, *target;
} Options;

typedef struct Totals {
  uint64_t n_programs, n_unsure, n_compared, n_free, n_found;
  double worst;
} Totals;

enum { MAX_SECONDS = 60, CRASHED = DIFFERENT + 1, STATUS = 10 };

/* --- one program ------------------------------------------------------------------------------ */

static Verdict check_all(const Options *options, const GenProgram *program, CheckResult *result) {
  const char *text = gen_text(program);
  Verdict verdict = check_levels(program, text, result);
  for (int k = 0; options->compiler && verdict == SAME && k < 2; k++) {
    const Toolchain tools = {options->compiler, options->target, k == 1};
    CheckResult compiled;
    verdict = check_compiled(program, text, &tools, &compiled);
    result->all.n_compared += compiled.all.n_compared;
    result->all.n_free += compiled.all.n_free;
    if (compiled.all.worst > result->all.worst) result->all.worst = compiled.all.worst;
  }
  return verdict;
}

/* A Verdict or CRASHED, found by a child process, silent when is_quiet. */
static int try_program(const Options *options, const GenProgram *program, bool is_quiet,
                       CheckResult *result) {
  int ends[2], status = -1;
  if (pipe(ends) != 0) abort();
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    CheckResult own;
    setrlimit(RLIMIT_CPU, &(struct rlimit){MAX_SECONDS, MAX_SECONDS});
    if (is_quiet && !freopen("/dev/null", "w", stderr)) _exit(1);
    const Verdict verdict = check_all(options, program, &own);
    const bool is_sent = write(ends[1], &own, sizeof own) == (ssize_t)sizeof own;
    _exit(is_sent ? STATUS + (int)verdict : 1);
  }
  close(ends[1]);
  const bool is_whole = read(ends[0], result, sizeof *result) == (ssize_t)sizeof *result;
  close(ends[0]);
  waitpid(child, &status, 0);
  if (is_whole && WIFEXITED(status) && WEXITSTATUS(status) >= STATUS) {
    const int verdict = WEXITSTATUS(status) - STATUS;
    if (verdict < CRASHED) return verdict;
  }
  if (!is_quiet && WIFSIGNALED(status)) fprintf(stderr, "ended by signal %d\n", WTERMSIG(status));
  if (!is_quiet && WIFEXITED(status))
    fprintf(stderr, "ended with status %d\n", WEXITSTATUS(status));
  return CRASHED;
}

/* --- cutting down ----------------------------------------------------------------------------- */

typedef struct Reducer {
  const Options *options;
  GenProgram *program;
  int verdict; /* the verdict that reduction must keep */
  uint32_t n_tries;
} Reducer;

enum { MAX_TRIES = 600 };

static void find_continuities(GenProgram *g) {
  for (uint32_t i = 0; i < g->defs.len; i++)
    if (g->defs.data[i]->body)
      g->defs.data[i]->ty.continuity = gen_continuity(g->defs.data[i]->body);
}

static bool is_still_found(Reducer *r) {
  CheckResult result;
  if (r->n_tries++ >= MAX_TRIES) return false;
  find_continuities(r->program);
  return try_program(r->options, r->program, true, &result) == r->verdict;
}

/* Puts a part or a leaf in the place of *slot; true when one does. */
static bool cut_here(Reducer *r, GenNode **slot) {
  GenNode *old = *slot;
  if (old->n_kids == 0) return false;
  for (uint32_t i = 0; i <= old->n_kids; i++) {
    GenNode *part = i < old->n_kids ? old->kids[i] : gen_leaf(r->program, old->ty);
    if (!gen_same_shape(part->ty, old->ty)) continue;
    *slot = part;
    if (is_still_found(r)) return true;
    *slot = old;
  }
  return false;
}

static bool cut_within(Reducer *r, GenNode **slot) {
  bool has_cut = false;
  while (cut_here(r, slot)) has_cut = true;
  for (uint32_t i = 0; i < (*slot)->n_kids; i++) has_cut |= cut_within(r, &(*slot)->kids[i]);
  return has_cut;
}

static bool cut_outputs(Reducer *r) {
  GenProgram *g = r->program;
  for (uint32_t k = 0; k < g->n_outputs; k++) {
    const GenOutput gone = g->outputs[k], last = g->outputs[g->n_outputs - 1];
    if (g->n_outputs > 1) {
      g->outputs[k] = last;
      g->n_outputs--;
      if (is_still_found(r)) return true;
      g->n_outputs++;
      g->outputs[k] = gone;
    }
    if (gone.style == 0) continue;
    g->outputs[k].style = 0;
    if (is_still_found(r)) return true;
    g->outputs[k] = gone;
  }
  return false;
}

static bool cut_definitions(Reducer *r) {
  bool has_cut = false;
  const uint32_t n = r->program->defs.len;
  for (uint32_t i = n; i-- > 0;) {
    GenDef *def = r->program->defs.data[i];
    if (def->body) {
      has_cut |= cut_within(r, &def->body);
    } else if (strcmp(def->border, "A") != 0) {
      const char *border = def->border;
      def->border = "A";
      if (is_still_found(r)) has_cut = true;
      else def->border = border;
    }
  }
  return has_cut;
}

static void reduce(const Options *options, GenProgram *program, int verdict) {
  Reducer r = {options, program, verdict, 0};
  while (cut_outputs(&r)) continue;
  while (cut_definitions(&r)) continue;
  find_continuities(program);
}

/* --- many ------------------------------------------------------------------------------------- */

static void try_seed(const Options *options, uint64_t seed, Totals *totals) {
  Arena *arena = arena_new();
  GenProgram *program = gen_program(arena, seed, options->depth);
  CheckResult result = {.is_unsure = false};
  totals->n_programs++;
  const int verdict = try_program(options, program, false, &result);
  if (verdict == SAME) {
    totals->n_unsure += result.is_unsure;
    totals->n_compared += result.all.n_compared;
    totals->n_free += result.all.n_free;
    if (result.all.worst > totals->worst) totals->worst = result.all.worst;
  } else {
    totals->n_found++;
    fprintf(stderr, "seed %llu; cutting down ...\n", (unsigned long long)seed);
    reduce(options, program, verdict);
    try_program(options, program, false, &result);
    fprintf(stderr, "--- seed %llu\n%s---\n", (unsigned long long)seed, gen_text(program));
  }
  gen_free_images(program);
  arena_free(arena);
}

static int usage(void) {
  fprintf(stderr, "usage: program-fuzz [--seed N] [--count N] [--seconds N] [--depth N]"
                  " [--target TARGET] [--compiler DIDEROTC SCRATCH]\n");
  return 2;
}

static bool read_options(int argc, char **argv, Options *options) {
  for (int i = 1; i + 1 < argc; i += 2) {
    const char *value = argv[i + 1];
    if (strcmp(argv[i], "--seed") == 0) options->seed = strtoull(value, NULL, 10);
    else if (strcmp(argv[i], "--count") == 0) options->count = strtoull(value, NULL, 10);
    else if (strcmp(argv[i], "--seconds") == 0) options->seconds = strtod(value, NULL);
    else if (strcmp(argv[i], "--depth") == 0) options->depth = (uint32_t)strtoul(value, NULL, 10);
    else if (strcmp(argv[i], "--target") == 0) options->target = value;
    else if (strcmp(argv[i], "--compiler") == 0 && i + 2 < argc) {
      options->compiler = realpath(value, NULL); /* for as long as the program runs */
      if (!options->compiler) return false;
      enter_scratch(argv[++i + 1]);
    } else return false;
  }
  return argc % 2 == 1 || options->compiler;
}

int main(int argc, char **argv) {
  Options options = {.seed = 1, .count = UINT64_MAX, .seconds = 1e18, .depth = 4};
  Totals totals = {.n_programs = 0};
  if (!read_options(argc, argv, &options) || options.depth == 0) return usage();
  const time_t start = time(NULL);
  while (totals.n_programs < options.count && difftime(time(NULL), start) < options.seconds)
    try_seed(&options, options.seed + totals.n_programs, &totals);
  printf("%llu programs, %llu found, %llu unsure; %llu values agree, at most %.2g of what is"
         " allowed, %llu have no digits\n",
         (unsigned long long)totals.n_programs, (unsigned long long)totals.n_found,
         (unsigned long long)totals.n_unsure, (unsigned long long)totals.n_compared, totals.worst,
         (unsigned long long)totals.n_free);
  return totals.n_found > 0 || totals.n_compared == 0;
}
