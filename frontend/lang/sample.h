/* Sample: the type in which an image keeps its samples in memory. A program converts a sample to
 * real whenever it loads one, so only types narrower than a real are used: the image is smaller,
 * and its values are the same.
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
/* The type with that text of len bytes; SAMPLE_COUNT if there is none. */
SampleType sample_find(const char *text, size_t len);
/* The type for files whose header has this name; SAMPLE_REAL for types not narrower than a real. */
SampleType sample_in_file(const char *name, bool is_double);
