/* Replay: a fuzz target on inputs, for builds without libFuzzer and for finds.
 *   replay [--mutate=N] [--words=DICTIONARY] [--keep=FILE] [--corpus=TEXT] [FILE ...]
 * runs the target on the inputs in TEXT (corpus.h) and on every file, then on N inputs that are
 * made from all these, always the same. The file that --keep names has the current input, so that
 * it is known if the target crashes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/corpus.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What libFuzzer calls before all, if the target has it. */
int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));

static const char *keep;

static void run(Input input) {
  FILE *file = keep ? fopen(keep, "wb") : NULL;
  if (file) {
    fwrite(input.bytes, 1, input.n, file);
    fclose(file);
  }
  if (LLVMFuzzerTestOneInput(input.bytes, input.n) != 0) exit(EXIT_FAILURE);
}

/* The value of an option, or NULL. */
static const char *value_of(const char *arg, const char *name) {
  const size_t n = strlen(name);
  return strncmp(arg, name, n) == 0 ? arg + n : NULL;
}

static void add(Inputs *inputs, Input input) {
  inputs->all = realloc(inputs->all, (inputs->n + 1) * sizeof *inputs->all);
  if (!inputs->all) exit(EXIT_FAILURE);
  inputs->all[inputs->n++] = input;
}

static void add_of_corpus(void *inputs, const char *name, Input input) {
  (void)name;
  add(inputs, input);
}

static void free_all(Inputs inputs) {
  for (size_t i = 0; i < inputs.n; i++) free(inputs.all[i].bytes);
  free(inputs.all);
}

static void run_mutations(long n, Inputs inputs, Inputs words) {
  uint64_t random = 0x9e3779b97f4a7c15u;
  for (long k = 0; k < n && inputs.n > 0; k++) {
    const Input input = mutate(inputs, words, &random);
    run(input);
    free(input.bytes);
  }
}

int main(int argc, char **argv) {
  long n_mutations = 0;
  Inputs words = {0}, inputs = {0};
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  for (int i = 1; i < argc; i++) {
    const char *value = NULL;
    if ((value = value_of(argv[i], "--mutate="))) n_mutations = strtol(value, NULL, 10);
    else if ((value = value_of(argv[i], "--words="))) words = mutate_read_words(value);
    else if ((value = value_of(argv[i], "--keep="))) keep = value;
    else if ((value = value_of(argv[i], "--corpus="))) corpus_read(value, add_of_corpus, &inputs);
    else add(&inputs, input_read(argv[i]));
  }
  for (size_t i = 0; i < inputs.n; i++) run(inputs.all[i]);
  run_mutations(n_mutations, inputs, words);
  if (keep) remove(keep);
  const size_t n_inputs = inputs.n;
  free_all(inputs);
  free_all(words);
  printf("%zu inputs, %ld mutations of them\n", n_inputs, n_mutations);
  return n_inputs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
