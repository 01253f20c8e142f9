/* array_table.c: doc/tables/array.md, from runtime/array: functions, statuses, elements. */
#include <stdio.h>
#include <string.h>

#include "tools/tables/tables.h"

static void put_section(const char *title, const char *text) {
  printf("\n## %s\n\n", title);
  if (*text) printf("%s\n\n", text);
  puts("| function | meaning |\n|---|---|");
}

/* "ERANK EDIM" as "`ERANK`, `EDIM`". */
static void put_statuses(const char *statuses) {
  if (!*statuses) return;
  fputs(" Statuses: `", stdout);
  for (; *statuses; statuses++) {
    if (*statuses == ' ') fputs("`, `", stdout);
    else putchar(*statuses);
  }
  fputs("`.", stdout);
}

static void put_function(const char *result, const char *name, const char *arguments,
                         const char *meaning, const char *statuses) {
  const char *space = result[strlen(result) - 1] == '*' ? "" : " ";
  printf("| `%s%s%s%s` | ", result, space, name, arguments);
  put_cell(meaning);
  put_statuses(statuses);
  puts(" |");
}

static void put_statuses_table(void) {
  puts("\n## Statuses\n\nWith `DDR_ARRAY_` before them.\n\n| status | text |\n|---|---|");
#define STATUS(id, text) printf("| `%s` | %s |\n", #id, text);
#include "runtime/array/statuses.def"
}

static void put_elements(void) {
  puts(
      "\n## Elements\n\nWith `DDR_ELEMENT_` before them.\n\n| type | in C | name |\n|---|---|---|");
#define ELEMENT(id, c_type, kind, name) printf("| `%s` | `%s` | %s |\n", #id, #c_type, name);
#include "runtime/array/elements.def"
}

void put_array_functions(void) {
  puts("# Functions of arrays\n\nThe functions of `libddr-array`, header `ddr/array.h`. All of "
       "them may "
       "return `ENULL`; and `ERANK`,\n`EDIM`, `ETYPE`, `ERESIDENCY` or `EOVERFLOW` for views and "
       "layouts that were not made by one of them.");
  array_functions(put_section, put_function);
  array_cuda_functions(put_section, put_function);
  put_statuses_table();
  put_elements();
}
