/* Commands: diderotc WORD, but for `run`, whose options are those of compiling. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* True when the first argument is such a word; *status is then the exit status. */
bool commands_run(int argc, char **argv, int *status);
void commands_print_usage(FILE *out);

/* Each is called with the arguments behind its word, NULL-terminated. */
int format_main(char **args); /* format_files.c */
int lsp_main(char **args);    /* lsp.c */
int view_main(char **args);   /* view.c */
