#include "tests/fuzz/corpus.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20, MOST_LETTERS = 64 };

typedef struct Reader {
  const char *path, *at;
  int line;
} Reader;

static _Noreturn void fail(const Reader *reader, const char *expected) {
  fprintf(stderr, "%s:%d: expected %s\n", reader->path, reader->line, expected);
  exit(EXIT_FAILURE);
}

static char *read_text(const char *path) {
  FILE *file = fopen(path, "rb");
  char *text = calloc(MOST_BYTES + 1, 1);
  const size_t n = file && text ? fread(text, 1, MOST_BYTES, file) : 0;
  if (n == 0 || n == MOST_BYTES || strlen(text) < n) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(EXIT_FAILURE);
  }
  fclose(file);
  return text;
}

static const char *line_end(const char *at) { return at + strcspn(at, "\n"); }

static void next_line(Reader *reader) {
  const char *end = line_end(reader->at);
  reader->at = *end ? end + 1 : end;
  reader->line++;
}

static bool is_header(const char *line) { return *line == '@'; }

static void read_header(Reader *reader, char name[MOST_LETTERS]) {
  size_t n = 0;
  const char *at = reader->at + 1;
  if (*at++ != ' ') fail(reader, "'@ NAME'");
  for (; isalnum((unsigned char)*at) || *at == '-'; at++)
    if (n + 1 < MOST_LETTERS) name[n++] = *at;
  name[n] = '\0';
  if (n == 0 || (*at != ' ' && *at != '\n')) fail(reader, "a name of letters, digits and '-'");
  next_line(reader);
}

static uint8_t read_byte(Reader *reader) {
  const char *at = reader->at;
  const bool is_code =
      at[1] == 'x' && isxdigit((unsigned char)at[2]) && isxdigit((unsigned char)at[3]);
  if (*at == '\\' && at[1] != '\\' && !is_code) fail(reader, "\\xHH or \\\\");
  return mutate_read_byte(&reader->at);
}

/* Appends a line to bytes, and advances to the next line. */
static size_t read_line(Reader *reader, uint8_t *bytes, size_t n) {
  while (*reader->at && *reader->at != '\n') {
    if (reader->at[0] == '\\' && reader->at[1] == '\n') next_line(reader);
    else bytes[n++] = read_byte(reader);
  }
  next_line(reader);
  return n;
}

void corpus_read(const char *path, CorpusVisit *visit, void *state) {
  char name[MOST_LETTERS], *text = read_text(path);
  uint8_t *bytes = malloc(MOST_BYTES);
  Reader reader = {path, text, 1};
  if (!bytes) exit(EXIT_FAILURE);
  while (*reader.at && !is_header(reader.at)) next_line(&reader);
  if (!*reader.at) fail(&reader, "an input, '@ NAME'");
  while (*reader.at) {
    size_t n = 0;
    read_header(&reader, name);
    for (bool is_first = true; *reader.at && !is_header(reader.at); is_first = false) {
      if (!is_first) bytes[n++] = '\n';
      n = read_line(&reader, bytes, n);
    }
    visit(state, name, input_new(bytes, n));
  }
  free(bytes);
  free(text);
}
