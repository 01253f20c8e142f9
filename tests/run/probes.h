/* probes.h: what fields_test.c and grids_test.c share: the program that they test, and the values
 * that it writes for an image at many positions. Read next: tests/oracle/fields.h.
 */
#pragma once

#include "tests/oracle/fields.h"

typedef struct Subject {
  const char *program; /* of fields/, compiled with the kernel */
  const KernelFacts *kernel;
  int dim;
  long double epsilon; /* unit roundoff of the program */
} Subject;

/* Reads the words PROGRAM KERNEL DIM float|double SCRATCH of a test, and enters SCRATCH. False: the
 * words are not valid; a line says so. */
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

/* Reads the outputs in the working directory. False: they are not those of n positions; a line says
 * so. Free with probes_free in either case. */
bool probes_read(Probes *probes, int dim, int n);
void probes_free(Probes *probes);

/* The k-th position; 0 beyond the dimension. */
void probes_position(const Probes *probes, int k, long double pos[3]);
