#include "driver/arch.h"

#include <stdbool.h>
#include <string.h>

#include "frontend/base/process.h"
#include "frontend/base/text.h"
#include "frontend/base/vec.h"

typedef enum { ON_X86_64, ON_AARCH64, ELSEWHERE, N_MACHINES } Machine;

#if defined(__x86_64__)
static const Machine here = ON_X86_64;
#elif defined(__aarch64__)
static const Machine here = ON_AARCH64;
#else
static const Machine here = ELSEWHERE;
#endif

typedef struct ArchRow {
  const char *name;
  const char *args[N_MACHINES];
  bool is_unfused; /* on x86-64 */
  const char *meaning;
} ArchRow;

enum { FUSED, UNFUSED };
static const ArchRow rows[] = {
#define ARCH(name, x86_64, aarch64, other, fused, meaning)                                         \
  {name, {x86_64, aarch64, other}, fused == UNFUSED, meaning},
#include "driver/archs.def"
};
enum { N_ROWS = sizeof rows / sizeof *rows };

/* The row with the name of `len` bytes at text, or N_ROWS. */
static int find_row(const char *text, size_t len) {
  int i = 0;
  while (i < N_ROWS && (strlen(rows[i].name) != len || strncmp(rows[i].name, text, len) != 0)) i++;
  return i;
}

static const char *known(Arena *a) {
  Text text = text_new(a);
  for (int i = 0; i < N_ROWS; i++) text_addf(&text, "%s%s", i > 0 ? " " : "", rows[i].name);
  return text_str(&text);
}

static const char *wrong_name(Arena *a, const char *name, size_t len, bool *is_seen) {
  const int i = find_row(name, len);
  if (i == N_ROWS)
    return text_format(a, "--arch takes one of (%s), or several with commas between, not \"%.*s\"",
                       known(a), (int)len, name);
  if (!rows[i].args[here])
    return text_format(a, "--arch=%s is for machines of another architecture than this one",
                       rows[i].name);
  if (is_seen[i]) return text_format(a, "--arch names \"%s\" twice", rows[i].name);
  is_seen[i] = true;
  return NULL;
}

const char *arch_wrong(Arena *a, const char *list) {
  bool is_seen[N_ROWS] = {false};
  for (;; list++) {
    const size_t len = strcspn(list, ",");
    const char *wrong = wrong_name(a, list, len, is_seen);
    list += len;
    if (wrong || !*list) return wrong;
  }
}

static BuildVariant variant_of(Arena *a, const ArchRow *row) {
  ArgVec args = {0};
  if (*row->args[here]) args_push_words(a, &args, row->args[here]);
  vec_push(a, &args, NULL);
  return (BuildVariant){row->name, args.data};
}

const BuildVariant *arch_variants(Arena *a, const char *list) {
  VEC(BuildVariant) variants = {0};
  for (const char *name = list ? list : rows[0].name;; name++) {
    const size_t len = strcspn(name, ",");
    vec_push(a, &variants, variant_of(a, &rows[find_row(name, len)]));
    name += len;
    if (!*name) break;
  }
  vec_push(a, &variants, ((BuildVariant){NULL, NULL}));
  return variants.data;
}

bool arch_is_unfused(const char *list) {
  bool is_unfused = here == ON_X86_64 && list;
  for (const char *name = list; is_unfused; name++) {
    const size_t len = strcspn(name, ",");
    is_unfused = rows[find_row(name, len)].is_unfused;
    name += len;
    if (!*name) break;
  }
  return is_unfused;
}

void arch_print_table(FILE *out) {
  fputs("The kinds of processors that `--arch` takes, and their options of the C compiler on "
        "x86-64\n"
        "and on aarch64. [The manual](../diderotc.md#other-processors) says more.\n\n"
        "| name | x86-64 | aarch64 | processors |\n|---|---|---|---|\n",
        out);
  for (int i = 0; i < N_ROWS; i++) {
    fprintf(out, "| `%s` |", rows[i].name);
    for (int k = ON_X86_64; k <= ON_AARCH64; k++)
      fprintf(out, rows[i].args[k] ? " `%s` |" : " |", rows[i].args[k]);
    fprintf(out, " %s |\n", rows[i].meaning);
  }
}
