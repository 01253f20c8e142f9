/* probes.h: what fields_test.c and grids_test.c share: the program they test, and what it writes of
 * an image at many positions. Read next: tests/oracle/fields.h.
 */
#pragma once

#include "tests/oracle/fields.h"

typedef struct Subject {
  const char *program; /* of fields/, compiled with the kernel */
  const KernelFacts *kernel;
  int dim;
  long double epsilon; /* unit roundoff of the program */
} Subject;

/* From the words PROGRAM KERNEL DIM float|double SCRATCH of a test; enters SCRATCH. False, with a
 * line that tells it, when they are others. */
bool subject_read(Subject *subject, int argc, char **argv);

/* PROGRAM -img img.nrrd -first VECTOR -by VECTOR, to which counts and other words may be added. */
typedef struct ProbeCommand {
  const char *argv[24];
  int n, n_counts;
  char real[2][3][40], count[3][16];
} ProbeCommand;

void probe_command_begin(ProbeCommand *command, const Subject *subject, const long double first[3],
                         const long double by[3]);
void probe_command_count(ProbeCommand *command, const char *option, int n);

typedef struct Probes {
  int n, dim; /* positions, and their components */
  NrrdFile pos, inside, order[MAX_ORDER + 1];
} Probes;

int probes_n_components(int dim, int order); /* of a derivative */

/* The outputs in the working directory; false, with a line that tells it, when they are not those
 * of n positions. Free with probes_free in either case. */
bool probes_read(Probes *probes, int dim, int n);
void probes_free(Probes *probes);

/* The k-th position; 0 beyond the dimension. */
void probes_position(const Probes *probes, int k, long double pos[3]);
