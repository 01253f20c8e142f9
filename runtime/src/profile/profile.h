/* profile.h: the report of a program made with --profile.
 *
 * The timer and the counts are global to the process: one program at a time. Without
 * program->profile these functions do nothing.
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

/* Starts counting and sampling; the phase is PHASE_LOAD. */
void ddr_profile_open(const ddr_program *program);

/* Starts a phase. */
void ddr_profile_enter(ddr_profile_phase phase);

/* Whether the page of the report can be written; called before a long run. */
ddr_status ddr_profile_try_page(ddr_reason *reason);

/* Stops sampling, and writes a table to standard error and a page NAME.profile.html to the current
 * folder; DDR_ERROR with the reason if the page cannot be written. */
ddr_status ddr_profile_report(ddr_reason *reason);
