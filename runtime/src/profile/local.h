/* local.h: what the files of this folder share. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "profile.h"

/* Counts of one line of the source, from all of its marks in all threads. */
typedef struct ddr_profile_line {
  uint64_t n_samples;
  uint64_t n_runs;    /* by one strand or by many at once, at the mark that most strands came to */
  uint64_t n_strands; /* of these */
  uint64_t n_probes, n_inside;
} ddr_profile_line;

typedef struct ddr_profile_sums {
  const ddr_program *program;
  /* Lines[k] is line k of the source, from 1 on; lines[0] is everything else. */
  ddr_profile_line *lines;
  uint64_t n_samples;
  double seconds[PHASE_COUNT]; /* of processor time */
} ddr_profile_sums;

extern const char *const ddr_profile_phase_names[PHASE_COUNT];

/* counts.c: sums the marks of all threads, none of which is running; fails when memory is short. */
bool ddr_profile_collect(const ddr_profile *profile, ddr_profile_sums *sums);
void ddr_profile_stop(void); /* stops the timer */
bool ddr_profile_start(const ddr_profile *profile);

/* Fractions from 0 to 1 of a line; -1 where they are undefined. */
double ddr_profile_time(const ddr_profile_sums *sums, uint32_t line);
double ddr_profile_lanes(const ddr_profile_sums *sums, uint32_t line);
double ddr_profile_outside(const ddr_profile_sums *sums, uint32_t line);

/* page.c */
void ddr_profile_write_page(FILE *file, const ddr_profile_sums *sums);
