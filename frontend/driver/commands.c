#include "frontend/driver/commands.h"

#include <string.h>

typedef struct Command {
  const char *word;
  int (*run)(char **args);
  const char *usage;
} Command;

static const Command commands[] = {
#define COMMAND(word, function, usage) {word, function, usage},
#include "frontend/driver/commands.def"
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

void commands_print_usage(FILE *out) {
  for (int i = 0; i < N_COMMANDS; i++)
    fprintf(out, "       diderotc %s%s%s\n", commands[i].word, *commands[i].usage ? " " : "",
            commands[i].usage);
}
