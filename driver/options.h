/* Options: the command line of diderotc, parsed by the table options.def. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "driver/paths.h"
#include "frontend/base/diag.h"
#include "frontend/base/vec.h"
#include "ir/pass/pass.h"

typedef enum {
#define OPTION(id, ...) OPT_##id,
#include "driver/options.def"
  OPT_COUNT
} OptionId;

typedef VEC(const char *) StringVec;

typedef struct Options {
  bool given[OPT_COUNT];     /* given[OPT_EXEC] also by --object and by diderotc run */
  StringVec args[OPT_COUNT]; /* in order, of options that take one; the last one wins */
  bool pass_disabled[PASS_COUNT];
  StringVec constants;   /* NAME=VALUE of each --CNAME=VALUE */
  StringVec definitions; /* NAME or NAME=VALUE of each --DNAME[=VALUE] */
  bool is_run;           /* diderotc run */
  char **program_args;   /* of the program, its name first, NULL-terminated; with is_run */
  const char *command;   /* all words of the command line, with a space between */
  const char *file;      /* the first source file; NULL only with --version and the like */
  StringVec files;       /* all of them; several only with --check */
} Options;

/* Reads the arguments, and $DIDEROT_COMPAT. On a usage error returns false, and *error is one line;
 * the other options have been read nevertheless. */
bool options_parse(Arena *a, int argc, char **argv, Options *options, const char **error);
extern const char options_run_hint[]; /* appended to errors about arguments of diderotc run */
/* options_conflicts.c: why options that are valid by themselves contradict each other, or NULL. */
const char *options_contradiction(Arena *a, const Options *options);
const char *option_arg(const Options *options, OptionId id); /* last argument, or NULL */
bool option_has(const Options *options, OptionId id, const char *value); /* among its arguments */
bool options_are_vis15(const Options *options);                          /* --compat=vis15 */
RuntimeKind options_runtime(const Options *options);                     /* that they ask for */
const char *option_name(OptionId id);
DiagStyle options_style(const Options *options); /* as --diagnostics says, or scripts expect */
bool style_is_document(DiagStyle style);         /* JSON on standard output */

void options_print_usage(FILE *out);
void options_print_help(FILE *out, bool all);
void options_print_table(FILE *out); /* as Markdown */
