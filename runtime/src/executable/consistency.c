/* consistency.c: see consistency.h.  Ranks compare hashes. */
#include "consistency.h"

#include <stdio.h>
#include <string.h>

#include "runtime/src/inputs/inputs.h"
#include "runtime/src/ranks/ranks.h"
#include "runtime/src/world/hash.h"

/* A hash of the length of a file and of at most n_most of its bytes; 0: it cannot be read. */
static uint64_t hash_of_file(const char *name, size_t n_most) {
  char bytes[4096];
  uint64_t hash = DDR_HASH_START;
  FILE *file = fopen(name, "rb");
  if (!file) return 0;
  for (size_t n; n_most > 0; n_most -= n) {
    n = fread(bytes, 1, n_most < sizeof bytes ? n_most : sizeof bytes, file);
    if (n == 0) break;
    hash = ddr_hash_add(hash, bytes, n);
  }
  const long len = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
  fclose(file);
  return ddr_hash_add(hash, &len, sizeof len);
}

static uint64_t hash_of_words(int argc, char **argv) {
  uint64_t hash = DDR_HASH_START;
  for (int k = 1; k < argc; k++) hash = ddr_hash_add(hash, argv[k], strlen(argv[k]) + 1);
  return hash;
}

static ddr_status compare(ddr_world *world, uint64_t hash, const char *what, const char *hint) {
  const int rank = ddr_ranks_differ(world, hash);
  if (rank == 0) return DDR_OK;
  return ddr_error(world, "rank %d has %s than rank 0%s", rank, what, hint);
}

ddr_status ddr_check_same_start(ddr_world *world, int argc, char **argv) {
  const char *arch = world->program->variant.arch ? world->program->variant.arch : "";
  if (ddr_n_ranks(world) == 1) return DDR_OK;
  const uint64_t own = hash_of_file("/proc/self/exe", SIZE_MAX);
  if (compare(world, own, "another executable", "") != DDR_OK) return DDR_ERROR;
  if (compare(world, hash_of_words(argc, argv), "other options", "") != DDR_OK) return DDR_ERROR;
  return compare(world, ddr_hash_add(DDR_HASH_START, arch, strlen(arch)), "another processor",
                 "; compiled with one kind in --arch, all ranks run the same code");
}

ddr_status ddr_check_same_inputs(ddr_world *world) {
  enum { MOST = 65536 };
  const ddr_program *program = world->program;
  for (uint32_t k = 0; ddr_n_ranks(world) > 1 && k < program->n_inputs; k++) {
    const ddr_input *input = &program->inputs[k];
    if (input->kind != DDR_IMAGE && input->kind != DDR_SEQUENCE) continue;
    const char *file = world->inputs[k].string ? world->inputs[k].string : input->default_file;
    const uint64_t hash = file ? hash_of_file(file, MOST) : 0;
    const int rank = ddr_ranks_differ(world, hash);
    if (rank > 0)
      return ddr_error(world, "%s: \"%s\" of rank %d is another file than that of rank 0",
                       input->name, file, rank);
  }
  return DDR_OK;
}
