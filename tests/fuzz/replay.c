/* Replay: a fuzz target on files, for builds without libFuzzer and for finds.
 *   replay [--mutate=N] [--words=DICTIONARY] [--keep=FILE] FILE ...
 * runs the target on every file, then on N inputs that are made from them, always the same. FILE is
 * the input that runs: what it was when the target has crashed.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What libFuzzer calls before all, if the target has it. */
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

enum { MOST_BYTES = 1 << 24 };

static const char *keep;

static void run(Input input) {
  FILE *file = keep ? fopen(keep, "wb") : NULL;
  if (file) {
    fwrite(input.bytes, 1, input.n, file);
    fclose(file);
  }
  if (LLVMFuzzerTestOneInput(input.bytes, input.n) != 0) exit(EXIT_FAILURE);
}

static Input read_input(const char *path) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = malloc(MOST_BYTES);
  if (!file || !bytes) {
    fprintf(stderr, "cannot open %s\n", path);
    exit(EXIT_FAILURE);
  }
  const Input input = input_new(bytes, fread(bytes, 1, MOST_BYTES, file));
  fclose(file);
  free(bytes);
  return input;
}

/* The value of an option, or NULL. */
static const char *value_of(const char *arg, const char *name) {
  const size_t n = strlen(name);
  return strncmp(arg, name, n) == 0 ? arg + n : NULL;
}

static void free_all(Inputs inputs) {
  for (size_t i = 0; i < inputs.n; i++) free(inputs.all[i].bytes);
  free(inputs.all);
}

int main(int argc, char **argv) {
  long n_mutations = 0;
  Inputs words = {0}, inputs = {calloc((size_t)argc, sizeof *inputs.all), 0};
  if (!inputs.all) return EXIT_FAILURE;
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  for (int i = 1; i < argc; i++) {
    const char *number = value_of(argv[i], "--mutate="), *path = value_of(argv[i], "--words=");
    if (number) n_mutations = strtol(number, NULL, 10);
    else if (path) words = mutate_read_words(path);
    else if (value_of(argv[i], "--keep=")) keep = value_of(argv[i], "--keep=");
    else inputs.all[inputs.n++] = read_input(argv[i]);
  }
  for (size_t i = 0; i < inputs.n; i++) run(inputs.all[i]);
  uint64_t random = 0x9e3779b97f4a7c15u;
  for (long k = 0; k < n_mutations && inputs.n > 0; k++) {
    const Input input = mutate(inputs, words, &random);
    run(input);
    free(input.bytes);
  }
  if (keep) remove(keep);
  const size_t n_files = inputs.n;
  free_all(inputs);
  free_all(words);
  printf("%zu files, %ld mutations of them\n", n_files, n_mutations);
  return n_files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
