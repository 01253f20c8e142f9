/* ddr-array: arrays in files: what is in them, parts of them.
 *
 * Read next: commands.def, options.h, request.h.
 */
#include <string.h>

#include "tools/ddr-array/request.h"

static Command *const commands[COMMAND_COUNT] = {
#define COMMAND(id, name, names, arguments, meaning) command_##name,
#include "tools/ddr-array/commands.def"
};

#define NO_NAMES NULL
static NamePrinter *const names_of[COMMAND_COUNT] = {
#define COMMAND(id, name, names, arguments, meaning) names,
#include "tools/ddr-array/commands.def"
};

static int run(CommandId id, int argc, char **argv) {
  Request request;
  ddr_reason reason;
  ddr_status status = request_read(&request, id, argc, argv, &reason);
  if (status == DDR_OK && request.plain[OPT_HELP]) {
    print_command_help(id, stdout);
    if (names_of[id]) names_of[id](stdout);
  } else if (status == DDR_OK) {
    status = commands[id](&request, &reason);
  }
  request_free(&request);
  if (status == DDR_OK) return 0;
  fprintf(stderr, "ddr-array %s: %s\n", command_name(id), reason.text);
  return 1;
}

/* Words may be anything; the terminal gets no control characters of them. */
static void print_unknown(const char *name) {
  ddr_reason reason;
  ddr_refuse(&reason, "there is no command %.200s", name);
  fprintf(stderr, "ddr-array: %s\n", reason.text);
}

int main(int argc, char **argv) {
  CommandId id;
  const char *name = argc > 1 ? argv[1] : "";
  if (command_find(name, &id)) return run(id, argc - 1, argv + 1);
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    print_usage(stdout);
    return 0;
  }
  if (strcmp(name, "--version") == 0) {
    puts("ddr-array " DDR_VERSION);
    return 0;
  }
  if (*name) print_unknown(name);
  print_usage(stderr);
  return 1;
}
