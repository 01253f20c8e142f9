/* Command: calls the main of a tool as a function, repeatedly.
 *
 * It runs in a folder of its own with copies of given files, and with streams of its own. The files
 * that it leaves in that folder can be examined, and are removed before the next call. The linker
 * calls __wrap_exit instead of exit (WRAPPED exit in tests/fuzz/CMakeLists.txt). The runner of the
 * target is in another folder, so its own files are not affected.
 */
#pragma once

#include <stdbool.h>

typedef int CommandMain(int argc, char **argv);
typedef int CommandWork(void *state);

typedef struct Outcome {
  int status;
  bool has_exited; /* it called exit, and has freed nothing */
  char *out, *err; /* what it printed */
} Outcome;

/* Makes the folder, with the files of another, which is an absolute path. Once. */
void command_enter(const char *from);
const char *command_folder(void); /* its path; the target may add folders before the first call */

/* Whether no word can name a file outside of the folder: each / is between digits, as in 1/3, and
 * no folder has such a name. */
bool command_is_tame(int n_words, char *const *words);

/* Calls the tool. Standard input is the given file; empty if there is no such file. */
Outcome command_call(CommandMain *tool, int argc, char **argv, const char *input);
void outcome_free(Outcome *outcome);

/* Calls work, within a call of the tool: the status that it returns or exits with. */
int command_catch(CommandWork *work, void *state, bool *has_exited);

/* Reports a find and ends the process. */
_Noreturn void command_fail(const Outcome *outcome, const char *what);

/* --- the folder, between two calls ------------------------------------------------------------ */

/* The name of a given file that is changed or gone, or NULL. */
const char *command_changed(void);
/* Files that were not given, at most `most` names; the number of them. Until the next call. */
enum { MOST_NAMES = 32 };
int command_made(const char *names[MOST_NAMES]);
bool command_is_folder(const char *name);
void command_restore(void); /* as it was before */

/* --- text ------------------------------------------------------------------------------------- */

/* The first line; it holds something, and no control characters. NULL where it does not, else what
 * follows it. */
const char *command_after_line(const char *text);
bool command_begins(const char *text, const char *prefix);
bool command_ends(const char *text, const char *suffix);
