/* Corpus text: the inputs of a corpus (corpus.h) as files, and files as inputs.
 *   fuzz-corpus-text unpack TEXT FOLDER
 *   fuzz-corpus-text pack FILE ...         to standard output
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "frontend/base/utf8.h"
#include "tests/fuzz/corpus.h"

/* Where a line is divided. */
enum { MOST_COLUMNS = 100 };

/* Characters that every editor shows unchanged, one column wide: mathematics, Greek and some of
 * Latin. */
static bool is_shown(uint32_t code) {
  static const uint32_t ranges[][2] = {
      {' ', '~'}, {0xae, 0x2ff}, {0x370, 0x3ff}, {0x2010, 0x2027}, {0x2190, 0x22ff}};
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++)
    if (code >= ranges[k][0] && code <= ranges[k][1]) return true;
  return false;
}

/* Prints the character at text and returns its bytes. */
static uint32_t print_character(const char *text, size_t n, bool is_escaped, size_t *n_columns) {
  uint32_t n_bytes = 1;
  const uint32_t code = utf8_decode(text, n, &n_bytes);
  if (*text == '\\') *n_columns += (size_t)printf("\\\\");
  else if (!is_escaped && is_shown(code)) *n_columns += (size_t)printf("%.*s", (int)n_bytes, text);
  else {
    *n_columns += (size_t)printf("\\x%02X", (unsigned)(unsigned char)*text);
    return 1;
  }
  return n_bytes;
}

/* Escaped are spaces at the end, which editors remove, and what would begin an input. */
static void print_line(const char *line, size_t n) {
  size_t n_columns = 0;
  for (size_t k = 0; k < n;) {
    const bool is_last = k + 1 == n;
    if (n_columns > MOST_COLUMNS) {
      printf("\\\n");
      n_columns = 0;
    }
    k += print_character(line + k, n - k,
                         (line[k] == ' ' && is_last) || (line[k] == '@' && n_columns == 0),
                         &n_columns);
  }
  printf("\n");
}

static void print_input(const char *name, Input input) {
  const char *text = (const char *)input.bytes, *end = text + input.n;
  printf("@ %s\n", name);
  while (input.n > 0) {
    const char *line_end = memchr(text, '\n', (size_t)(end - text));
    print_line(text, (size_t)((line_end ? line_end : end) - text));
    if (!line_end) return;
    text = line_end + 1;
  }
}

static void unpack(void *folder, const char *name, Input input) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", (const char *)folder, name);
  FILE *file = fopen(path, "wbx");
  if (!file || fwrite(input.bytes, 1, input.n, file) != input.n || fclose(file) != 0) {
    fprintf(stderr, "cannot write %s; are two inputs called so?\n", path);
    exit(EXIT_FAILURE);
  }
  free(input.bytes);
}

static void pack(const char *path) {
  const char *slash = strrchr(path, '/');
  const Input input = input_read(path);
  print_input(slash ? slash + 1 : path, input);
  free(input.bytes);
}

int main(int argc, char **argv) {
  const char *command = argc > 1 ? argv[1] : "";
  if (strcmp(command, "unpack") == 0 && argc == 4) {
    corpus_read(argv[2], unpack, argv[3]);
    return EXIT_SUCCESS;
  }
  if (strcmp(command, "pack") != 0) {
    fprintf(stderr, "usage: %s unpack TEXT FOLDER | pack FILE ...\n", argv[0]);
    return EXIT_FAILURE;
  }
  for (int k = 2; k < argc; k++) pack(argv[k]);
  return EXIT_SUCCESS;
}
