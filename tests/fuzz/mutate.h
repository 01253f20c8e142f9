/* Mutate: makes inputs from other inputs, the same ones in each run. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct Input {
  uint8_t *bytes; /* exactly n of them, so that sanitizers see a read beyond */
  size_t n;
} Input;

typedef struct Inputs {
  Input *all;
  size_t n;
} Inputs;

/* Both end the process if they fail. */
Input input_new(const uint8_t *bytes, size_t n);
Input input_read(const char *path);

/* A byte of a text, spelled \xHH or, after a backslash, as itself; advances *at. */
uint8_t mutate_read_byte(const char **at);

/* The words of a dictionary of libFuzzer: in double quotes, one to a line, \xHH for any byte. Ends
 * the process when the file cannot be read. */
Inputs mutate_read_words(const char *path);

/* Changes one of the inputs at a few places. *random is the state of the choice, never 0. */
Input mutate(Inputs inputs, Inputs words, uint64_t *random);
