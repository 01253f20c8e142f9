/* profile.h: the counts of a program made with --profile, which the runtime reports for each line
 * of the source: its time, how often it ran, and for how many strands.
 *
 * Generated code sets a mark at each new line. Each thread has its own counts; a timer of
 * processor time interrupts threads and adds a tick to their current mark (runtime/src/profile).
 */
#pragma once

#include <stdint.h>

/* The tables of a program. A line may have several marks. */
typedef struct ddr_profile {
  uint32_t n_marks;      /* mark 0 is everything else */
  const uint32_t *lines; /* of each mark; from 1 on, 0 for mark 0 */
  uint32_t n_lines;
  const char *const *text; /* of each line, without its end */
  uint32_t n_lanes;        /* strands that the update method runs at once, at most */
} ddr_profile;

/* The counts of one mark in one thread. */
typedef struct ddr_profile_count {
  uint64_t n_runs;    /* each by one strand, or by a gang */
  uint64_t n_strands; /* sum over these runs */
  uint64_t n_probes, n_inside;
  uint64_t n_samples; /* ticks of the timer */
} ddr_profile_count;

extern _Thread_local ddr_profile_count *ddr_profile_counts; /* NULL until the thread's first mark */
extern _Thread_local volatile uint32_t ddr_profile_here;

/* Makes the counts of this thread; if memory is short, ends the process with status 1. */
void ddr_profile_begin(void);

static inline void ddr_profile_mark(uint32_t mark, int n_strands) {
  if (!ddr_profile_counts) ddr_profile_begin();
  ddr_profile_here = mark;
  ddr_profile_counts[mark].n_runs++;
  ddr_profile_counts[mark].n_strands += (uint64_t)n_strands;
}

/* Counts a probe of a field by n_strands strands, of which n_inside are inside, at the mark. */
static inline void ddr_profile_probe(int n_strands, int n_inside) {
  ddr_profile_counts[ddr_profile_here].n_probes += (uint64_t)n_strands;
  ddr_profile_counts[ddr_profile_here].n_inside += (uint64_t)n_inside;
}
