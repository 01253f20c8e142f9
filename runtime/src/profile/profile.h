/* profile.h: the report of a program made with --profile.
 *
 * The timer and the counts belong to the process: one program at a time. Without program->profile
 * all of these do nothing.
 * Read next: counts.c, report.c.
 */
#pragma once

#include "ddr/profile.h"
#include "ddr/program.h"
#include "runtime/src/files/files.h"

typedef enum ddr_profile_phase {
  PHASE_LOAD,   /* options, inputs, images, globals */
  PHASE_START,  /* strands are created */
  PHASE_STEPS,  /* supersteps */
  PHASE_OUTPUT, /* files */
  PHASE_COUNT
} ddr_profile_phase;

/* Counts and samples from now on; the phase is PHASE_LOAD. */
void ddr_profile_open(const ddr_program *program);

/* What follows belongs to the phase. */
void ddr_profile_enter(ddr_profile_phase phase);

/* Whether the page of the report can be written, for those who are about to run for long. */
ddr_status ddr_profile_try_page(ddr_reason *reason);

/* No more samples. A table on standard error, and NAME.profile.html in this folder; DDR_ERROR with
 * the reason when that cannot be written. */
ddr_status ddr_profile_report(ddr_reason *reason);
