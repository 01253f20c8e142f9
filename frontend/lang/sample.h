/* Sample: the type in which an image keeps its samples in memory. A program converts a sample to
 * real whenever it loads one, so a type is worth its while when it is narrower than a real: the
 * image is smaller, and its values are the same.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef enum {
#define SAMPLE(id, text, n_bits, in_files, in_c) SAMPLE_##id,
#include "frontend/lang/samples.def"
  SAMPLE_COUNT
} SampleType;

const char *sample_text(SampleType samples); /* "u8" */
const char *sample_c_type(SampleType samples);
/* Of that text, len bytes; SAMPLE_COUNT when there is none. */
SampleType sample_find(const char *text, size_t len);
/* Of a file whose header names this type; SAMPLE_REAL for all that are not narrower than a real. */
SampleType sample_in_file(const char *name, bool is_double);
