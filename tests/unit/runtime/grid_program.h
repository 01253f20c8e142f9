/* The hand-written grid program of the runtime's tests; see grid_program.c. */
#pragma once

#include "ddr/program.h"

typedef struct {
  int32_t ny;
  float gain;
  bool is_on;
  const char *word;
  float centre[3];
  float table[6];
  bool flags[2];
  bool is_echoing;
} GridGlobals;

typedef struct {
  int32_t x, y, sum, n_updates;
  float at[3];
  bool is_right;
} GridState;

/* The descriptor of an executable is ddr_program_main; the build may set another name. */
#if !defined(GRID_NAME)
#define GRID_NAME grid_program
#endif

extern const ddr_program GRID_NAME;
