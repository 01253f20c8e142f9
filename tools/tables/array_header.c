/* array_header.c: the headers of libddr-array and libddr-array-cuda as they are installed:
 * runtime/array/{array,array_cuda}.h with the rows of their tables in place of #include.
 *
 * In the source header, the #define before an #include says how a row is expanded; here the same is
 * repeated for each table, and the text of the row becomes a comment. */
#include <stdio.h>
#include <string.h>

#include "tools/tables/tables.h"

/* --- rows ------------------------------------------------------------------------------------- */

enum { WIDTH = 100, INDENT = 4 };

/* A comment, broken into lines; returns at its last word. */
static void put_comment(const char *text) {
  int column = printf("/*");
  while (*text) {
    const int n = (int)strcspn(text, " ");
    if (column + 1 + n + 3 > WIDTH) column = printf("\n *") - 1;
    column += printf(" %.*s", n, text);
    text += n + (text[n] == ' ');
  }
  puts(" */");
}

/* A declaration, broken behind commas. */
static void put_declaration(const char *result, const char *name, const char *arguments) {
  const char *space = result[strlen(result) - 1] == '*' ? "" : " ";
  int column = printf("%s%s%s", result, space, name);
  while (*arguments) {
    const int n = (int)strcspn(arguments, ",") + (strchr(arguments, ',') != NULL);
    const char *rest = arguments + n;
    if (column + n + 1 > WIDTH) {
      column = printf("\n%*s", INDENT, "") - 1;
      while (*arguments == ' ') arguments++;
    }
    column += printf("%.*s", (int)(rest - arguments), arguments);
    arguments = rest;
  }
  puts(";");
}

static void put_section(const char *title, const char *text) {
  printf("\n/* --- %s ---", title);
  for (int column = 11 + (int)strlen(title); column < WIDTH - 3; column++) putchar('-');
  puts(" */");
  if (*text) {
    puts("");
    put_comment(text);
  }
}

static void put_function(const char *result, const char *name, const char *arguments,
                         const char *meaning, const char *statuses) {
  char text[1200];
  snprintf(text, sizeof text, "%s%s%s%s", meaning, *statuses ? " Statuses: " : "", statuses,
           *statuses ? "." : "");
  puts("");
  put_comment(text);
  put_declaration(result, name, arguments);
}

/* --- tables ----------------------------------------------------------------------------------- */

static void put_statuses(void) {
#define STATUS(id, text) printf("  DDR_ARRAY_%s, /* %s */\n", #id, text);
#include "runtime/array/statuses.def"
}

static void put_elements(void) {
#define ELEMENT(id, c_type, kind, name) printf("  DDR_ELEMENT_%s, /* %s */\n", #id, #c_type);
#include "runtime/array/elements.def"
}

static void put_transforms(void) {
#define TRANSFORM(id, n_operands, kinds, result)                                                   \
  printf("  DDR_TRANSFORM_%s, /* operands: %d */\n", #id, n_operands);
#include "runtime/array/transforms.def"
}

static void put_reductions(void) {
#define REDUCTION(id, name, n_arrays, kinds, result, meaning)                                      \
  printf("  DDR_REDUCE_%s, /* %s */\n", #id, meaning);
#include "runtime/array/reductions.def"
}

static void put_functions(void) { array_functions(put_section, put_function); }

static void put_cuda_functions(void) { array_cuda_functions(put_section, put_function); }

static void put_include(void) { puts("#include <ddr/array.h>"); }

static const struct {
  const char *line;
  void (*put)(void);
} tables[] = {
    {"#include \"runtime/array/statuses.def\"\n", put_statuses},
    {"#include \"runtime/array/elements.def\"\n", put_elements},
    {"#include \"runtime/array/transforms.def\"\n", put_transforms},
    {"#include \"runtime/array/reductions.def\"\n", put_reductions},
    {"#include \"runtime/array/functions.def\"\n", put_functions},
    {"#include \"runtime/array/cuda_functions.def\"\n", put_cuda_functions},
    {"#include \"runtime/array/array.h\"\n", put_include},
};

/* --- the header ------------------------------------------------------------------------------- */

static int put_table(const char *line) {
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
    if (strcmp(line, tables[k].line) != 0) continue;
    tables[k].put();
    return 1;
  }
  return 0;
}

int put_array_header(const char *path) {
  char line[256];
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file)) {
    const int is_macro = strncmp(line, "#define ", 8) == 0; /* all of them are of tables */
    if (!is_macro && !put_table(line)) fputs(line, stdout);
  }
  return fclose(file) == 0;
}
