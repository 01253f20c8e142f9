/* View: diderotc view. Options of the view come first or among those of the compilation, which go
 * on to diderotc run as they are.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "driver/commands.h"

#ifdef DDR_HAS_VIEW
#include "frontend/base/text.h"
#include "frontend/base/vec.h"
#include "frontend/view/view.h"

typedef VEC(const char *) WordVec;

static int usage(const char *what, const char *found) { return command_usage("view", what, found); }

/* The command is well-formed, but cannot be obeyed. */
static int refuse(const char *what, const char *found) {
  fprintf(stderr, "Error: diderotc view: %s%s\n", what, found);
  return 1;
}

static bool read_port(const char *text, unsigned *port) {
  char *end;
  const unsigned long n = strtoul(text, &end, 10);
  *port = (unsigned)n;
  return *text >= '0' && *text <= '9' && !*end && n <= 65535;
}

/* The value behind NAME=, if the word begins so. */
static const char *value_of(const char *word, const char *name) {
  const size_t n = strlen(name);
  return strncmp(word, name, n) == 0 && word[n] == '=' ? word + n + 1 : NULL;
}

/* One word that begins with a dash; false: its value cannot be read. */
static bool take_option(Arena *a, const char *word, ViewOptions *options, WordVec *others) {
  const char *port = value_of(word, "--port"), *files = value_of(word, "--files");
  if (port) return read_port(port, &options->port);
  if (files) options->folder = files;
  else if (strcmp(word, "--no-browser") == 0) options->opens_browser = false;
  else vec_push(a, others, word);
  return true;
}

static bool is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static const char *folder_of(Arena *a, const char *file) {
  const char *slash = strrchr(file, '/');
  return slash ? arena_strdup(a, file, (size_t)(slash + 1 - file)) : ".";
}

static bool is_program(const char *word) {
  const size_t n = strlen(word);
  return (n > 8 && strcmp(word + n - 8, ".diderot") == 0) ||
         (n > 5 && strcmp(word + n - 5, ".ddro") == 0);
}

static int view(Arena *a, char **args) {
  static const char *const none[] = {NULL};
  static char compiler[PATH_MAX];
  ViewOptions options = {.arguments = none, .opens_browser = true};
  WordVec others = {0}, rest = {0};
  for (; *args && strcmp(*args, "--") != 0; args++) {
    if (**args == '-' && !take_option(a, *args, &options, &others))
      return usage("expected a port from 0 to 65535; found ", *args);
    if (**args == '-') continue;
    if (options.program) return usage("arguments of the program come after --, unlike ", *args);
    options.program = *args;
  }
  for (; *args && *++args;) vec_push(a, &rest, *args);
  vec_push(a, &others, NULL);
  vec_push(a, &rest, NULL);
  options.options = others.data;
  options.arguments = rest.data;
  if (!options.program) return usage("missing file argument", "");
  if (!is_program(options.program))
    return usage("expected a diderot file, whose name ends in .diderot or .ddro; found ",
                 options.program);
  if (access(options.program, R_OK) != 0)
    return refuse(text_format(a, "cannot read \"%s\": ", options.program), strerror(errno));
  if (!options.folder) options.folder = folder_of(a, options.program);
  if (!is_folder(options.folder)) return refuse("--files takes a folder, not ", options.folder);
  if (readlink("/proc/self/exe", compiler, sizeof compiler - 1) <= 0)
    return refuse("cannot find diderotc itself", "");
  options.compiler = compiler;
  return view_serve(&options);
}

int view_main(char **args) {
  Arena *a = arena_new();
  const int status = view(a, args);
  arena_free(a);
  return status;
}
#else
int view_main(char **args) {
  (void)args;
  fputs(
      "Error: diderotc view: this compiler was built without libmicrohttpd (on Debian and Ubuntu: "
      "apt-get install libmicrohttpd-dev, and build it anew)\n",
      stderr);
  return 1;
}
#endif
