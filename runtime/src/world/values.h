/* values.h: parses and shows values of a program.
 *
 * Read next: values.c.
 */
#pragma once

#include "ddr/program.h"

/* The size of one component of a kind; pointers for strings, images, sequences. */
size_t ddr_value_size(const ddr_program *program, ddr_kind kind);

/* Parses a word as one component of `kind` and stores it at dst; false if it is unreadable, or a
 * number that is too large. */
bool ddr_value_parse(const ddr_program *program, ddr_kind kind, const char *word, void *dst);
/* Of an unreadable word that is a number: in words, which ints or reals there are; else NULL. */
const char *ddr_value_range(const ddr_program *program, ddr_kind kind, const char *word);
/* How many characters of the word make the value; all of them unless a number ends before and more
 * than blanks follows. */
size_t ddr_value_length(ddr_kind kind, const char *word);
/* What a word that only contains the name of a real is read as: "nan" of banana; NULL: it contains
 * none, or is one. */
const char *ddr_value_inexact(ddr_kind kind, const char *word);
bool ddr_value_parse_unsigned(const char *word, uint32_t *dst);
bool ddr_value_parse_size(const char *word, size_t *dst); /* 4096, 500M, 8G */

/* Shows a component with six digits. */
void ddr_value_show(const ddr_program *program, ddr_kind kind, const void *src, ddr_text *text);
