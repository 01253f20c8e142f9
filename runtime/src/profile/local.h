/* local.h: what the files of this room share. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "profile.h"

/* Of one line of the source, from all of its marks in all threads. */
typedef struct ddr_profile_line {
  uint64_t n_samples;
  uint64_t n_runs;    /* by one strand or by many at once, at the mark that most strands came to */
  uint64_t n_strands; /* of these */
  uint64_t n_probes, n_inside;
} ddr_profile_line;

typedef struct ddr_profile_sums {
  const ddr_program *program;
  ddr_profile_line *lines; /* by number, from 1 on; 0 is everything else */
  uint64_t n_samples;
  double seconds[PHASE_COUNT]; /* of processor time */
} ddr_profile_sums;

extern const char *const ddr_profile_phase_names[PHASE_COUNT];

/* counts.c: the marks of all threads that have ended or wait; fails when memory is short. */
bool ddr_profile_collect(const ddr_profile *profile, ddr_profile_sums *sums);
void ddr_profile_stop(void); /* the timer */
bool ddr_profile_start(const ddr_profile *profile);

/* In parts of one; -1 where it says nothing. */
double ddr_profile_time(const ddr_profile_sums *sums, uint32_t line);
double ddr_profile_lanes(const ddr_profile_sums *sums, uint32_t line);
double ddr_profile_outside(const ddr_profile_sums *sums, uint32_t line);

/* page.c */
void ddr_profile_write_page(FILE *file, const ddr_profile_sums *sums);
