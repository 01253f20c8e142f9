/* process.c: programs by posix_spawn, no shell. Read next: process.h. */
#include "tests/run/process.h"

#include <dirent.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The whole of a file from its beginning; closes it. */
static char *take_text(FILE *in) {
  fseek(in, 0, SEEK_END);
  const long n = ftell(in);
  rewind(in);
  char *text = n < 0 ? NULL : calloc((size_t)n + 1, 1);
  if (!text || fread(text, 1, (size_t)n, in) != (size_t)n) abort();
  fclose(in);
  return text;
}

bool process_run(const char *const argv[], Outcome *outcome) {
  char *words[MAX_WORDS + 1] = {NULL}; /* posix_spawn wants writable words, but does not write */
  size_t n = 0;
  *outcome = (Outcome){.status = -1};
  while (argv[n]) n++;
  if (n == 0 || n > MAX_WORDS) return false;
  memcpy(words, argv, n * sizeof *words);

  FILE *out = tmpfile(), *err = tmpfile();
  posix_spawn_file_actions_t actions;
  if (!out || !err || posix_spawn_file_actions_init(&actions)) abort();
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
  setenv("ASAN_OPTIONS", "exitcode=99:detect_leaks=1", 1);
  setenv("UBSAN_OPTIONS", "exitcode=99:halt_on_error=1", 1);

  pid_t child;
  const int error = posix_spawnp(&child, words[0], &actions, NULL, words, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) fprintf(stderr, "%s: %s\n", argv[0], strerror(error));
  int status = 0;
  const bool has_ended = !error && waitpid(child, &status, 0) == child;
  if (has_ended && WIFEXITED(status)) outcome->status = WEXITSTATUS(status);
  outcome->out = take_text(out);
  outcome->err = take_text(err);
  return has_ended;
}

void outcome_free(Outcome *outcome) {
  free(outcome->out);
  free(outcome->err);
  outcome->out = outcome->err = NULL;
}

void enter_scratch(const char *path) {
  if ((mkdir(path, 0755) && access(path, W_OK)) || chdir(path)) {
    perror(path);
    exit(2);
  }
  DIR *folder = opendir(".");
  if (!folder) abort();
  for (struct dirent *entry; (entry = readdir(folder));) {
    struct stat info;
    if (lstat(entry->d_name, &info) == 0 && !S_ISDIR(info.st_mode)) unlink(entry->d_name);
  }
  closedir(folder);
}
