/* Corpus: the inputs that a fuzz target begins with, all in one text (corpus/TARGET.txt).
 *
 *   A line before the first input is a comment.
 *   @ NAME WHAT IT SHOWS
 *   begins an input: these lines, up to the next such line, with
 *   a line end between them. \xHH is any byte, \\ a backslash; a backslash at the \
 *   end joins two lines.
 */
#pragma once

#include "tests/fuzz/mutate.h"

/* The bytes of the input are the visitor's. */
typedef void CorpusVisit(void *state, const char *name, Input input);

/* Ends the process, with a line that says why, if the text is not a corpus. */
void corpus_read(const char *path, CorpusVisit *visit, void *state);
