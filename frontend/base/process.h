/* Process: runs another program and waits for it. Arguments are passed as a vector, never through a
 * shell; standard input is empty.
 */
#pragma once

#include <stdbool.h>

#include "frontend/base/vec.h"

typedef VEC(const char *) ArgVec;

/* The words of a setting ("ccache gcc -m64"), separated by blanks. */
void args_push_words(Arena *a, ArgVec *args, const char *words);
const char *args_text(Arena *a, const ArgVec *args); /* a line, for people */

/* Runs args, whose first word is looked up in $PATH, and waits. What it prints goes to the file
 * output, or to our standard error for NULL. Returns NULL and its exit status (128 + N when signal
 * N ended it), or the reason why it could not be run. A signal that asks us to end is passed on. */
const char *process_run(Arena *a, const ArgVec *args, const char *output, int *status);

bool process_finds(const char *name); /* is there such a program in $PATH? */

/* Runs work(state) in a copy of this process, whose exit status is what work returns: so a crash
 * does not affect us. Sets *output to all that it wrote to standard output, and *status as above;
 * returns NULL, or the reason why there is no copy. The copy ends when this process does. */
const char *process_fork(Arena *a, int (*work)(void *state), void *state, const char **output,
                         int *status);

/* Between hold and release, signals that ask this process to end are delayed, so that temporary
 * files can be removed first. If one has come, release does not return. */
typedef struct SignalHold SignalHold;
SignalHold *signals_hold(Arena *a);
void signals_release(const SignalHold *hold);
