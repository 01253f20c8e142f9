/* Samples: lookups over samples.def. */
#include "frontend/lang/sample.h"

#include <stdint.h>
#include <string.h>

static const struct {
  const char *text;
  uint32_t n_bits;
  const char *in_files, *in_c;
} rows[SAMPLE_COUNT] = {
#define SAMPLE(id, text, n_bits, in_files, in_c) {text, n_bits, in_files, in_c},
#include "frontend/lang/samples.def"
};

const char *sample_text(SampleType samples) { return rows[samples].text; }
const char *sample_c_type(SampleType samples) { return rows[samples].in_c; }

SampleType sample_find(const char *text, size_t len) {
  uint32_t i = 0;
  while (i < SAMPLE_COUNT && (strlen(rows[i].text) != len || memcmp(rows[i].text, text, len) != 0))
    i++;
  return (SampleType)i;
}

SampleType sample_in_file(const char *name, bool is_double) {
  const uint32_t real_bits = is_double ? 64 : 32;
  for (uint32_t i = 0; i < SAMPLE_COUNT; i++)
    if (strcmp(rows[i].in_files, name) == 0 && rows[i].n_bits < real_bits) return (SampleType)i;
  return SAMPLE_REAL;
}
