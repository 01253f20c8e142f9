/* options.h: the command line of ddr-array as a list of words.
 *
 * The order matters, since parts are done to the array before them; hest, which reads the options
 * of executables, has none.  So this is getopt_long over a table, as the compiler's command line.
 * Read next: request.h (what the words ask for).
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "runtime/src/files/files.h"

typedef enum {
#define COMMAND(id, name, names, arguments, meaning) COMMAND_##id,
#include "tools/ddr-array/commands.def"
  COMMAND_COUNT
} CommandId;

typedef enum {
#define OPTION(id, name, letter, argument, group, commands, meaning) OPT_##id,
#include "tools/ddr-array/options.def"
  OPT_COUNT,
  OPT_WORD = OPT_COUNT /* a word that is not an option */
} OptionId;

typedef enum { ARRAY, PART, PLAIN, NUMBER } OptionGroup;

typedef struct Word {
  OptionId id;
  const char *argument;
} Word;

typedef struct WordList {
  Word *words;
  int n;
} WordList;

OptionGroup option_group(OptionId id);
const char *option_name(OptionId id);
const char *option_argument(OptionId id);
const char *command_name(CommandId id);
bool command_find(const char *name, CommandId *id);

/* argv[0] is the command's name.  Free the words. */
ddr_status words_read(CommandId command, int argc, char **argv, WordList *list, ddr_reason *reason);

void print_usage(FILE *out);                      /* all commands */
void print_command_help(CommandId id, FILE *out); /* one, with its options */
