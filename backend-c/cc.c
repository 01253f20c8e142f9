/* cc: runs the C compiler on the emitted text. Arguments go as a vector, never through a shell; the
 * text lies in a private folder that is gone afterwards.
 *
 * The compiler is $DIDEROT_CC, else $CC, else cc; either may hold arguments ("ccache gcc").
 * $DIDEROT_CFLAGS adds arguments after ours, e.g. for sanitizers.
 */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend-c/local.h"

extern char **environ;

typedef VEC(char *) ArgVec;

static void push_arg(Cx *cx, ArgVec *args, const char *arg) {
  vec_push(cx->arena, args, arg ? arena_strdup(cx->arena, arg, strlen(arg)) : NULL);
}

static void push_words(Cx *cx, ArgVec *args, const char *words) {
  const char *gaps = " \t\r";
  for (words += strspn(words, gaps); *words; words += strspn(words, gaps)) {
    size_t len = strcspn(words, gaps);
    vec_push(cx->arena, args, arena_strdup(cx->arena, words, len));
    words += len;
  }
}

static const char *setting(const char *variable) {
  const char *value = getenv(variable);
  return value && value[strspn(value, " \t")] ? value : NULL;
}

static const char *compiler(void) {
  if (setting("DIDEROT_CC")) return setting("DIDEROT_CC");
  return setting("CC") ? setting("CC") : "cc";
}

static ArgVec arguments(Cx *cx, const BuildJob *job, const char *source) {
  static const char *const optimised[] = {"-O2", "-march=native"};
  static const char *const debug[] = {"-O0", "-g"};
  static const char *const always[] = {"-std=gnu17", "-ffp-contract=fast", "-fno-math-errno",
                                       "-fno-trapping-math"};
  ArgVec args = {0};
  push_words(cx, &args, compiler());
  for (size_t i = 0; i < 4; i++) push_arg(cx, &args, always[i]);
  for (size_t i = 0; i < 2; i++) push_arg(cx, &args, job->is_debug ? debug[i] : optimised[i]);
  if (setting("DIDEROT_CFLAGS")) push_words(cx, &args, setting("DIDEROT_CFLAGS"));
  push_arg(cx, &args, text_format(cx->arena, "-I%s", job->include_dir));
  push_arg(cx, &args, source);
  push_arg(cx, &args, job->runtime_library);
  for (const char *const *arg = job->link_args; arg && *arg; arg++) push_arg(cx, &args, *arg);
  push_arg(cx, &args, "-o");
  push_arg(cx, &args, job->output);
  push_arg(cx, &args, NULL);
  return args;
}

/* ---- files -------------------------------------------------------------------------------------
 */

static const char *write_file(Cx *cx, const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  bool is_written = file && fputs(text, file) >= 0;
  int reason = errno;
  if (file && fclose(file) != 0) {
    is_written = false;
    reason = errno;
  }
  return is_written ? NULL
                    : text_format(cx->arena, "cannot write '%s': %s", path, strerror(reason));
}

static const char *temporary_parent(void) { return setting("TMPDIR") ? setting("TMPDIR") : "/tmp"; }

static char *private_folder(Cx *cx) {
  const char *pattern = text_format(cx->arena, "%s/diderotc-XXXXXX", temporary_parent());
  return mkdtemp(arena_strdup(cx->arena, pattern, strlen(pattern)));
}

/* ---- running -----------------------------------------------------------------------------------
 */

static const char *run(Cx *cx, const ArgVec *args) {
  pid_t child;
  int failure = posix_spawnp(&child, args->data[0], NULL, NULL, args->data, environ);
  if (failure != 0)
    return text_format(cx->arena, "cannot run the C compiler '%s': %s", args->data[0],
                       strerror(failure));
  int status;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return "lost track of the C compiler";
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
    return text_format(cx->arena, "cannot run the C compiler '%s'", args->data[0]);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return NULL;
  return text_format(cx->arena, "the C compiler '%s' failed", args->data[0]);
}

static const char *build_in(Cx *cx, const BuildJob *job, const char *source) {
  const char *error = write_file(cx, source, job->text);
  if (!error && job->keep) error = write_file(cx, job->keep, job->text);
  if (error) return error;
  ArgVec args = arguments(cx, job, source);
  error = run(cx, &args);
  if (error) remove(job->output); /* nothing of an earlier run is mistaken for this one */
  return error;
}

const char *cc_build(Cx *cx, const BuildJob *job) {
  const char *folder = private_folder(cx);
  if (!folder)
    return text_format(cx->arena, "cannot make a folder in %s: %s", temporary_parent(),
                       strerror(errno));
  const char *source = text_format(cx->arena, "%s/program.c", folder);
  const char *error = build_in(cx, job, source);
  remove(source);
  rmdir(folder);
  return error;
}
