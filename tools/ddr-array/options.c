/* options.c: see options.h. */
#include "tools/ddr-array/options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

/* Sets of commands. */
#define FOR(id) (1u << COMMAND_##id)
#define ALL (~0u)

typedef struct OptionRow {
  const char *name, *argument, *meaning;
  unsigned commands;
  OptionGroup group;
  char letter;
} OptionRow;

static const OptionRow rows[OPT_COUNT] = {
#define OPTION(id, name, letter, argument, group, commands, meaning)                               \
  {name, argument, meaning, commands, group, letter},
#include "tools/ddr-array/options.def"
};

typedef struct CommandRow {
  const char *name, *arguments, *meaning;
} CommandRow;

static const CommandRow commands[COMMAND_COUNT] = {
#define COMMAND(id, name, names, arguments, meaning) {#name, arguments, meaning},
#include "tools/ddr-array/commands.def"
};

OptionGroup option_group(OptionId id) { return rows[id].group; }
const char *option_name(OptionId id) { return rows[id].name; }
const char *option_argument(OptionId id) { return rows[id].argument; }
const char *command_name(CommandId id) { return commands[id].name; }

bool command_find(const char *name, CommandId *id) {
  for (int k = 0; k < COMMAND_COUNT; k++) {
    if (strcmp(commands[k].name, name) != 0) continue;
    *id = (CommandId)k;
    return true;
  }
  return false;
}

/* --- reading ---------------------------------------------------------------------------------- */

enum { CODE_BASE = 256, MOST_LETTERS = 3 * OPT_COUNT + 3 };

static bool takes(CommandId command, int id) { return (rows[id].commands >> command & 1) != 0; }

static void long_options(CommandId command, struct option *table) {
  for (int id = 0; id < OPT_COUNT; id++) {
    if (!takes(command, id)) continue;
    *table++ = (struct option){rows[id].name, rows[id].argument ? required_argument : no_argument,
                               NULL, CODE_BASE + id};
  }
  *table = (struct option){NULL, 0, NULL, 0};
}

/* The first characters tell getopt to return other words in their order ('-'), and to report a
 * missing argument as ':'. */
static void short_options(CommandId command, char *letters) {
  *letters++ = '-';
  *letters++ = ':';
  for (int id = 0; id < OPT_COUNT; id++) {
    if (!takes(command, id) || !rows[id].letter) continue;
    *letters++ = rows[id].letter;
    if (rows[id].argument) *letters++ = ':';
  }
  *letters = '\0';
}

static OptionId option_of_code(int code) {
  if (code == 1) return OPT_WORD;
  for (int id = 0; id < OPT_COUNT; id++)
    if (code == CODE_BASE + id || code == rows[id].letter) return (OptionId)id;
  return OPT_WORD;
}

static ddr_status refuse_option(CommandId command, int code, char **argv, ddr_reason *reason) {
  const char *word = argv[optind - 1];
  if (code == ':') return ddr_refuse(reason, "option %s needs an argument", word);
  if (optopt >= CODE_BASE) return ddr_refuse(reason, "option %s takes no argument", word);
  return ddr_refuse(reason, "unknown option %s; ddr-array %s --help lists the options", word,
                    command_name(command));
}

/* At most: one of a word, or of each of its letters, as in -hn. */
static size_t count_words(int argc, char **argv) {
  size_t n = 1;
  for (int k = 0; k < argc; k++) n += strlen(argv[k]) + 1;
  return n;
}

ddr_status words_read(CommandId command, int argc, char **argv, WordList *list,
                      ddr_reason *reason) {
  struct option table[OPT_COUNT + 1];
  char letters[MOST_LETTERS];
  *list = (WordList){calloc(count_words(argc, argv), sizeof(Word)), 0};
  if (!list->words) return ddr_refuse(reason, "out of memory");
  long_options(command, table);
  short_options(command, letters);
  opterr = 0;
  for (int code; (code = getopt_long(argc, argv, letters, table, NULL)) != -1;) {
    if (code == '?' || code == ':') return refuse_option(command, code, argv, reason);
    list->words[list->n++] = (Word){option_of_code(code), optarg};
  }
  for (; optind < argc; optind++) list->words[list->n++] = (Word){OPT_WORD, argv[optind]};
  return DDR_OK;
}

/* --- help ------------------------------------------------------------------------------------- */

void print_usage(FILE *out) {
  fputs("usage: ddr-array COMMAND [OPTION...]\n\n", out);
  for (int k = 0; k < COMMAND_COUNT; k++)
    fprintf(out, "  %-8s %s\n", commands[k].name, commands[k].meaning);
  fputs("\nddr-array COMMAND --help lists its options. Axes count from 0, the slowest first.\n",
        out);
}

static void print_group(CommandId command, OptionGroup group, const char *title, FILE *out) {
  bool is_first = true;
  for (int id = 0; id < OPT_COUNT; id++) {
    char spelled[64], letter[8] = "   ";
    if (!takes(command, id) || rows[id].group != group) continue;
    if (is_first) fprintf(out, "\n%s\n", title);
    is_first = false;
    snprintf(spelled, sizeof spelled, "%s%s%s", rows[id].name, rows[id].argument ? "=" : "",
             rows[id].argument ? rows[id].argument : "");
    if (rows[id].letter) snprintf(letter, sizeof letter, "-%c,", rows[id].letter);
    fprintf(out, "  %s --%-22s %s\n", letter, spelled, rows[id].meaning);
  }
}

void print_command_help(CommandId id, FILE *out) {
  fprintf(out, "usage: ddr-array %s %s\n%s.\n", commands[id].name, commands[id].arguments,
          commands[id].meaning);
  print_group(id, ARRAY, "Arrays:", out);
  print_group(id, PART,
              "PARTS of the array before them, done in this order; axes count from 0, "
              "the slowest first:",
              out);
  print_group(id, NUMBER, "Numbers:", out);
  print_group(id, PLAIN, "Others:", out);
}
