/* case.h: one case of a program: how it is run, and which results are expected.
 *
 * A case file is read line by line. Each line is a key and words, and is executed when it is read.
 *
 *   about    TEXT            a description for readers
 *   input    NAME = MAKER    make NAME.nrrd (tests/oracle/make_input.h), give it as -NAME NAME.nrrd
 *                            in the executions below
 *   file     PATH = MAKER    only make a file
 *   env      NAME=VALUE      set a variable for the executions below
 *   args     WORDS           execute: must end with status 0, silent on stderr
 *   noting   WORDS           the same, with notes on stderr
 *   refuse   WORDS           execute: must end with status 1 to 98 and give one reason
 *   compile  WORDS           run the compiler: must end with status 0
 *   reject   WORDS           run the compiler: must end as refuse does
 *
 * The following are about the last execution above them:
 *
 *   expect   NAME = V V ... within T   values of NAME.nrrd in file order. `within T U`: U is the
 *                            tolerance for doubles; `exactly`: 0; NAME[k]: values from number k on
 *   holds    NAME = LAW V V ... within T   a law of laws.h about NAME.nrrd; T as for expect
 *   axes     NAME = KIND:N KIND:N ...  fastest first
 *   type     NAME = TYPE     of the samples; `real` for float or double
 *   stdout   TEXT            all of the output; \n is a line end
 *   message  WORDS           one line of stderr has all of these words
 *   absent   FILE            there is no such file;  present FILE: there is
 *
 * A value is a number, a fraction 1/3, nan, inf, -inf, pi, or N*V for N times V.
 * A comment after T gives the reason for T.
 */
#pragma once

#include <stdbool.h>

#include "tests/oracle/image_file.h"
#include "tests/run/case_line.h"

typedef struct Case {
  const char *path, *program, *compiler;
  bool is_double;
  int line, n_checks, n_failed;
  Words inputs; /* -NAME NAME.nrrd ... */
  Outcome outcome;
} Case;

/* Counts one check; if it does not hold, prints path:line and the text. Returns `holds`. */
bool case_check(Case *test, bool holds, const char *what, const char *found);

/* Reads the output NAME.nrrd. If it cannot be read, that is a failed check; returns false. */
bool case_read(Case *test, const char *name, NrrdFile *file);

/* Reads a word as a value; false: it is not a value. */
bool case_value(const char *word, long double *value);

/* The keys about outputs. */
void case_expect(Case *test, const Words *words);
void case_axes(Case *test, const Words *words);
void case_type(Case *test, const Words *words);
void case_holds(Case *test, const Words *words);
