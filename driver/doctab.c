/* --doc=TABLE: the reference tables of doc/tables, printed from the tables of the compiler as
 * Markdown. A test compares the files with this output.
 */
#include "driver/doctab.h"

#include <ctype.h>
#include <string.h>

#include "driver/arch.h"
#include "driver/options.h"
#include "driver/vocabulary.h"
#include "frontend/base/diag.h"
#include "frontend/lang/builtin.h"
#include "frontend/lang/kernel.h"
#include "ir/pass/pass.h"

/* A cell: bars would end it. */
static void cell(FILE *out, const char *text) {
  fputs("| ", out);
  for (; *text; text++) {
    if (*text == '|') fputc('\\', out);
    fputc(*text, out);
  }
  fputc(' ', out);
}

static void print_errors(FILE *out) {
  static const char *const severities[] = {"error", "warning", "remark", "note", "help"};
  fputs(
      "All messages of the compiler. Words in braces stand for what a message fills in. A warning "
      "ends\n"
      "with its name in brackets; `--no-warning` takes this name or the code.\n\n"
      "| code | severity | text |\n|---|---|---|\n",
      out);
  for (int i = 0; i < DIAG_COUNT; i++) {
    cell(out, diag_code((DiagId)i));
    cell(out, severities[diag_severity((DiagId)i)]);
    cell(out, diag_template((DiagId)i));
    fputs("|\n", out);
  }
}

static void print_builtins(FILE *out) {
  fputs("The operators and functions of the language, with their overloads in the order in which "
        "they are\n"
        "tried. `k j` stand for continuities, `d e n` for dimensions, `s t u` for lists of axes, "
        "`T` for a type;\n"
        "`neg` is prefix minus, `norm` is `|e|`.\n\n"
        "| name | type | meaning |\n|---|---|---|\n",
        out);
  for (int i = 0; i < BI_COUNT; i++) {
    const Builtin *row = builtin_row((BuiltinId)i);
    cell(out, row->name);
    cell(out, row->sig);
    cell(out, row->meaning);
    fputs("|\n", out);
  }
}

static void print_kernels(FILE *out) {
  fputs(
      "The reconstruction kernels. The type states the continuity that a kernel claims; support is "
      "the\n"
      "radius in samples, degree that of the polynomial pieces. If the samples are those of a "
      "polynomial\n"
      "of at most the degree reproduced, the field is this polynomial.\n\n"
      "| kernel | type | support | degree | true continuity | degree reproduced |\n"
      "|---|---|---|---|---|---|\n",
      out);
  for (uint32_t i = 0; i < kernel_count(); i++) {
    const Kernel *kernel = kernel_at(i);
    fprintf(out, "| `%s` | kernel#%u | %u | %u | %d | %d |\n", kernel->name, kernel->continuity,
            kernel->support, kernel->degree, kernel_true_continuity(kernel),
            kernel_reproduced_degree(kernel));
  }
}

static void print_levels(FILE *out, uint32_t levels) {
  static const Level all[] = {LEVEL_HIGH, LEVEL_MID, LEVEL_LOW};
  const char *separator = "| ";
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
    if (!(levels & all[i])) continue;
    fprintf(out, "%s%s", separator, level_text(all[i]));
    separator = " ";
  }
  fputc(' ', out);
}

static void print_ops(FILE *out) {
  static const char *const effects[] = {"pure", "read", "write", "io", "exit"};
  fputs("The operations of the intermediate representation, and the levels at which each is "
        "legal.\n\n"
        "| op | levels | effect | type | meaning |\n|---|---|---|---|---|\n",
        out);
  for (int i = 0; i < OP_COUNT; i++) {
    cell(out, op_text((OpId)i));
    print_levels(out, op_levels((OpId)i));
    cell(out, effects[op_effect((OpId)i)]);
    cell(out, op_sig_text((OpId)i));
    cell(out, op_meaning((OpId)i));
    fputs("|\n", out);
  }
}

static void print_passes(FILE *out) {
  fputs("The passes over the intermediate representation. `--no-NAME` leaves one out, "
        "`--dump-after=NAME`\n"
        "prints the IR after it.\n\n"
        "| pass | what it does |\n|---|---|\n",
        out);
  for (int i = 0; i < PASS_COUNT; i++) {
    fprintf(out, "| `%s` | %s |\n", pass_name((PassId)i), pass_meaning((PassId)i));
  }
}

static const struct {
  const char *name;
  void (*print)(FILE *out);
  bool is_data; /* for programs: no heading */
} tables[] = {
    {"options", options_print_table, false},
    {"errors", print_errors, false},
    {"builtins", print_builtins, false},
    {"kernels", print_kernels, false},
    {"ops", print_ops, false},
    {"passes", print_passes, false},
    {"archs", arch_print_table, false},
    {"unicode", words_print_unicode, false},
    {"words", words_print, true},
};

bool doctab_print(const char *table, FILE *out) {
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    if (strcmp(tables[i].name, table) != 0) continue;
    if (!tables[i].is_data) fprintf(out, "# %c%s\n\n", toupper((unsigned char)table[0]), table + 1);
    tables[i].print(out);
    return true;
  }
  return false;
}
