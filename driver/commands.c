#include "driver/commands.h"

#include <string.h>

typedef struct Command {
  const char *word;
  int (*run)(char **args);
  const char *usage;
} Command;

static const Command commands[] = {
#define COMMAND(word, function, usage) {word, function, usage},
#include "driver/commands.def"
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

bool commands_run(int argc, char **argv, int *status) {
  for (int i = 0; i < N_COMMANDS && argc > 1; i++) {
    if (strcmp(argv[1], commands[i].word) != 0) continue;
    *status = commands[i].run(argv + 2);
    return true;
  }
  return false;
}

static void print_usage(FILE *out, const char *head, const Command *command) {
  fprintf(out, "%sdiderotc %s%s%s\n", head, command->word, *command->usage ? " " : "",
          command->usage);
}

void commands_print_usage(FILE *out) {
  for (int i = 0; i < N_COMMANDS; i++) print_usage(out, "       ", &commands[i]);
}

int command_usage(const char *word, const char *what, const char *found) {
  fprintf(stderr, "Error: diderotc %s: %s%s\n", word, what, found);
  for (int i = 0; i < N_COMMANDS; i++)
    if (strcmp(commands[i].word, word) == 0) print_usage(stderr, "usage: ", &commands[i]);
  return 1;
}
