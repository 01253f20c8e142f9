/* case.h: one case of a program: how it is run and what must come of it.
 *
 * A case file is read line by line; each line is a key and words, and acts when it is read.
 *
 *   about    TEXT            for the reader
 *   input    NAME = MAKER    make NAME.nrrd (tests/oracle/make_input.h), give it as -NAME NAME.nrrd
 *                            to the executions below
 *   file     PATH = MAKER    make a file, nothing else
 *   env      NAME=VALUE      for the executions below
 *   args     WORDS           execute: must end with status 0, silent on stderr
 *   noting   WORDS           the same, with notes on stderr
 *   refuse   WORDS           execute: must end with status 1 to 98 and give one reason
 *   compile  WORDS           run the compiler: must end with status 0
 *   reject   WORDS           run the compiler: must end as refuse does
 *
 * and, about the execution above them,
 *
 *   expect   NAME = V V ... within T   values of NAME.nrrd in file order; `within T U` when doubles
 *                            are nearer; `exactly`; NAME[k] for those from number k on
 *   holds    NAME = LAW V V ... within T   a law of laws.h about NAME.nrrd; T as for expect
 *   axes     NAME = KIND:N KIND:N ...  fastest first
 *   type     NAME = TYPE     of the samples; `real` for float or double
 *   stdout   TEXT            all of it; \n is a line end
 *   message  WORDS           the words stand together on one line of stderr
 *   absent   FILE            there is no such file;  present FILE: there is
 *
 * A value is a number, a fraction 1/3, nan, inf, -inf, pi, or N*V for N times V.
 * After T comes the reason for it, as a comment.
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

/* Counts one check; prints path:line and the text when it does not hold. Returns `holds`. */
bool case_check(Case *test, bool holds, const char *what, const char *found);

/* Reads the output NAME.nrrd; a failed check and false when there is none that can be read. */
bool case_read(Case *test, const char *name, NrrdFile *file);

/* Reads a word as a value; false when it is none. */
bool case_value(const char *word, long double *value);

/* The keys that speak of outputs. */
void case_expect(Case *test, const Words *words);
void case_axes(Case *test, const Words *words);
void case_type(Case *test, const Words *words);
void case_holds(Case *test, const Words *words);
