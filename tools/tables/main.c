/* ddr-tables: the reference tables of doc/tables that the compiler cannot print, since they are of
 * arrays and of the runtime's part of executables; and the header of libddr-array. The manual pages
 * are filled from the tables, too (doc/man/fill.awk).
 *
 *   ddr-tables array | ddr-array | executables | array-header FILE
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/tables/tables.h"

/* --- ddr-array -------------------------------------------------------------------------------- */

enum {
#define COMMAND(id, name, names, arguments, meaning) COMMAND_##id,
#include "tools/ddr-array/commands.def"
  COMMAND_COUNT
};

#define FOR(id) (1u << COMMAND_##id)
#define ALL ((1u << COMMAND_COUNT) - 1)

typedef enum { ARRAY, PART, PLAIN, NUMBER } Group;

typedef struct ArrayOption {
  const char *name, *argument, *meaning;
  unsigned commands;
  Group group;
  char letter;
} ArrayOption;

static const ArrayOption array_options[] = {
#define OPTION(id, name, letter, argument, group, commands, meaning)                               \
  {name, argument, meaning, (commands)&ALL, group, letter},
#include "tools/ddr-array/options.def"
};

typedef struct Command {
  const char *name, *arguments, *meaning;
} Command;

static const Command commands[COMMAND_COUNT] = {
#define COMMAND(id, name, names, arguments, meaning) {#name, arguments, meaning},
#include "tools/ddr-array/commands.def"
};

void put_cell(const char *text) {
  for (; *text; text++) {
    if (*text == '|') putchar('\\');
    putchar(*text);
  }
}

static void put_commands_of(unsigned set) {
  if (set == ALL) return;
  const char *separator = " (";
  for (int k = 0; k < COMMAND_COUNT; k++) {
    if (!(set >> k & 1)) continue;
    printf("%s`%s`", separator, commands[k].name);
    separator = ", ";
  }
  putchar(')');
}

static void put_array_option(const ArrayOption *option) {
  fputs("| ", stdout);
  if (option->letter) {
    printf("`-%c%s", option->letter, option->argument ? " " : "");
    put_cell(option->argument ? option->argument : "");
    fputs("`, ", stdout);
  }
  printf("`--%s%s", option->name, option->argument ? "=" : "");
  put_cell(option->argument ? option->argument : "");
  fputs("` | ", stdout);
  put_cell(option->meaning);
  put_commands_of(option->commands);
  puts(" |");
}

static void put_group(Group group, const char *title, const char *first) {
  printf("\n## %s\n\n%s\n\n| option | meaning |\n|---|---|\n", title, first);
  for (size_t k = 0; k < sizeof array_options / sizeof *array_options; k++)
    if (array_options[k].group == group) put_array_option(&array_options[k]);
}

static void put_ddr_array(void) {
  puts("# ddr-array\n\n## Commands\n\n| command | meaning |\n|---|---|");
  for (int k = 0; k < COMMAND_COUNT; k++) {
    printf("| `%s ", commands[k].name);
    put_cell(commands[k].arguments);
    fputs("` | ", stdout);
    put_cell(commands[k].meaning);
    puts(" |");
  }
  put_group(ARRAY, "Arrays",
            "If an option is not for all commands, those that take it are named in parentheses.");
  put_group(PART, "Parts", "Applied to the array before them, in the order of the command line.");
  put_group(NUMBER, "Numbers", "Operands, in their order.");
  put_group(
      PLAIN, "Others",
      "May stand anywhere. If one is repeated, the last counts, unless its row says otherwise.");
}

/* --- executables ------------------------------------------------------------------------------ */

typedef enum { ANY, SNAPSHOTS, PARALLEL, IMAGES, GPUS, TRACED, CHECKPOINTS } Where;

typedef struct FixedOption {
  const char *flag, *placeholder, *default_text, *meaning;
  Where where;
} FixedOption;

static const FixedOption fixed_options[] = {
#define FIXED(id, flag, placeholder, type, default_text, where, info)                              \
  {flag, placeholder, default_text, info, where},
#include "runtime/src/executable/options.def"
};

static const char *const places[] = {
    [ANY] = NULL,
    [SNAPSHOTS] = "compiled with `--snapshot`",
    [PARALLEL] = "compiled with `--target=parallel` or `cuda`",
    [IMAGES] = "with image inputs",
    [GPUS] = "compiled with `--target=cuda`",
    [TRACED] = "compiled with `--trace`",
    [CHECKPOINTS] = "with supersteps",
};

static void put_spelling(const char *dashes, const char *name, int len, const char *placeholder) {
  printf("`%s%.*s", dashes, len, name);
  if (placeholder) printf(" <%s>", placeholder);
  putchar('`');
}

static void put_fixed(const FixedOption *option) {
  const char *comma = strchr(option->flag, ',');
  const int len = comma ? (int)(comma - option->flag) : (int)strlen(option->flag);
  fputs("| ", stdout);
  put_spelling("-", option->flag, len, option->placeholder);
  if (comma) {
    fputs(", ", stdout);
    put_spelling("--", comma + 1, (int)strlen(comma + 1), option->placeholder);
  }
  printf(" | %s", option->meaning);
  if (option->default_text && *option->default_text) printf("; default: %s", option->default_text);
  if (places[option->where]) printf(". Programs %s", places[option->where]);
  puts(" |");
}

static void put_executables(void) {
  puts("# Executables\n\nThe options of every compiled program, besides one for each of its "
       "inputs "
       "and outputs.\n\n| option | meaning |\n|---|---|");
  for (size_t k = 0; k < sizeof fixed_options / sizeof *fixed_options; k++)
    put_fixed(&fixed_options[k]);
}

int main(int argc, char **argv) {
  bool is_read = true;
  if (argc == 2 && strcmp(argv[1], "ddr-array") == 0) put_ddr_array();
  else if (argc == 2 && strcmp(argv[1], "array") == 0) put_array_functions();
  else if (argc == 3 && strcmp(argv[1], "array-header") == 0)
    is_read = put_array_header(argv[2]) != 0;
  else if (argc == 2 && strcmp(argv[1], "executables") == 0) put_executables();
  else
    return fputs("usage: ddr-tables array | ddr-array | executables | array-header FILE\n", stderr),
           2;
  return !is_read || ferror(stdout) || fflush(stdout) == EOF;
}
