/* probes.c: see probes.h. */
#include "tests/run/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/run/process.h"

bool subject_read(Subject *subject, int argc, char **argv) {
  const bool is_complete = argc == 6;
  if (is_complete) {
    subject->program = argv[1];
    subject->kernel = kernel_facts(argv[2]);
    subject->dim = atoi(argv[3]);
    subject->epsilon = strcmp(argv[4], "double") == 0 ? 0x1p-53L : 0x1p-24L;
  }
  if (!is_complete || !subject->kernel || subject->dim < 1 || subject->dim > 3) {
    fprintf(stderr, "usage: %s PROGRAM KERNEL DIM float|double SCRATCH\n", argv[0]);
    return false;
  }
  enter_scratch(argv[5]);
  return true;
}

void probe_command_begin(ProbeCommand *command, const Subject *subject, const long double first[3],
                         const long double by[3]) {
  *command = (ProbeCommand){.argv = {subject->program, "-img", "img.nrrd"}, .n = 3};
  for (int which = 0; which < 2; which++) {
    command->argv[command->n++] = which == 0 ? "-first" : "-by";
    for (int r = 0; r < subject->dim; r++) {
      char *word = command->real[which][r];
      snprintf(word, sizeof command->real[which][r], "%.17Lg", which == 0 ? first[r] : by[r]);
      command->argv[command->n++] = word;
    }
  }
}

void probe_command_count(ProbeCommand *command, const char *option, int n) {
  char *word = command->count[command->n_counts++];
  snprintf(word, sizeof command->count[0], "%d", n);
  command->argv[command->n++] = option;
  command->argv[command->n++] = word;
}

int probes_n_components(int dim, int order) {
  return order == 0 ? 1 : order == 1 ? dim : dim * dim;
}

static bool read_output(NrrdFile *file, const char *path, int n) {
  const bool is_good = nrrd_file_read(file, path) && file->n_values == (size_t)n;
  if (!is_good) fprintf(stderr, "%s: %zu values: %s\n", path, file->n_values, file->reason);
  return is_good;
}

bool probes_read(Probes *probes, int dim, int n) {
  static const char *const names[] = {"value.nrrd", "gradient.nrrd", "hessian.nrrd"};
  *probes = (Probes){.n = n, .dim = dim};
  bool is_good = read_output(&probes->pos, "pos.nrrd", n * dim) &&
                 read_output(&probes->inside, "isInside.nrrd", n);
  for (int order = 0; is_good && order <= MAX_ORDER; order++)
    is_good = read_output(&probes->order[order], names[order], n * probes_n_components(dim, order));
  return is_good;
}

void probes_free(Probes *probes) {
  nrrd_file_free(&probes->pos);
  nrrd_file_free(&probes->inside);
  for (int order = 0; order <= MAX_ORDER; order++) nrrd_file_free(&probes->order[order]);
}

void probes_position(const Probes *probes, int k, long double pos[3]) {
  for (int r = 0; r < 3; r++) pos[r] = r < probes->dim ? probes->pos.value[k * probes->dim + r] : 0;
}
