/* Programs in LOW, made with the builder, as the front end would make them from small sources.
 * Their results are known in closed form (programs_test.c). */
#pragma once

#include "ir/core/build.h"

typedef struct TestProgram {
  const char *name;
  Module *(*make)(Cx *cx); /* sets cx->source */
  bool is_scalar;          /* not run in lanes, even if it could be */
} TestProgram;

extern const TestProgram test_programs[];
extern const uint32_t n_test_programs;
