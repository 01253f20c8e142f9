/* Commands: diderotc WORD, except `run`, whose options are those of compiling. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* True when the first argument is such a word; *status is then the exit status. */
bool commands_run(int argc, char **argv, int *status);
void commands_print_usage(FILE *out);
/* Reports what is wrong with the arguments of a command, in two parts of a line, and its usage;
 * returns 1. */
int command_usage(const char *word, const char *what, const char *found);

/* Each is called with the arguments behind its word, NULL-terminated. */
int format_main(char **args); /* format_files.c */
int lsp_main(char **args);    /* lsp.c */
int view_main(char **args);   /* view.c */
