/* Replay: the fuzz target on the files named, for builds without libFuzzer and for finds.
 *   replay FILE ...
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MAX_BYTES = 1 << 24 };

static int replay(const char *path, uint8_t *buffer) {
  FILE *file = fopen(path, "rb");
  if (!file) {
    fprintf(stderr, "cannot open %s\n", path);
    return EXIT_FAILURE;
  }
  const size_t n_bytes = fread(buffer, 1, MAX_BYTES, file);
  fclose(file);
  return LLVMFuzzerTestOneInput(buffer, n_bytes);
}

int main(int argc, char **argv) {
  uint8_t *buffer = malloc(MAX_BYTES);
  if (!buffer) return EXIT_FAILURE;
  int status = argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
  for (int i = 1; i < argc; i++) {
    if (replay(argv[i], buffer) != 0) status = EXIT_FAILURE;
  }
  free(buffer);
  printf("%d inputs\n", argc - 1);
  return status;
}
