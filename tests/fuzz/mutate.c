#include "tests/fuzz/mutate.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 16, MOST_WORDS = 4096, MOST_READ = 1 << 24 };

Input input_new(const uint8_t *bytes, size_t n) {
  Input input = {malloc(n + !n), n};
  if (!input.bytes) exit(EXIT_FAILURE);
  if (n > 0) memcpy(input.bytes, bytes, n);
  return input;
}

Input input_read(const char *path) {
  FILE *file = fopen(path, "rb");
  uint8_t *bytes = malloc(MOST_READ);
  if (!file || !bytes) {
    fprintf(stderr, "cannot open %s\n", path);
    exit(EXIT_FAILURE);
  }
  const Input input = input_new(bytes, fread(bytes, 1, MOST_READ, file));
  fclose(file);
  free(bytes);
  return input;
}

uint8_t mutate_read_byte(const char **at) {
  const char *digits = *at + 2;
  if ((*at)[0] != '\\' || (*at)[1] == '\0') return (uint8_t) * (*at)++;
  const bool is_code = (*at)[1] == 'x' && digits[0] && digits[1];
  *at += is_code ? 4 : 2;
  if (!is_code) return (uint8_t)digits[-1];
  return (uint8_t)strtoul((const char[]){digits[0], digits[1], '\0'}, NULL, 16);
}

Inputs mutate_read_words(const char *path) {
  char line[1024];
  uint8_t word[sizeof line];
  FILE *file = fopen(path, "r");
  Inputs words = {calloc(MOST_WORDS, sizeof *words.all), 0};
  if (!file || !words.all) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(EXIT_FAILURE);
  }
  while (words.n < MOST_WORDS && fgets(line, sizeof line, file)) {
    const char *at = strchr(line, '"');
    size_t n = 0;
    if (!at || line[0] == '#') continue;
    for (at++; *at && *at != '"';) word[n++] = mutate_read_byte(&at);
    words.all[words.n++] = input_new(word, n);
  }
  fclose(file);
  return words;
}

/* Xorshift. */
static size_t below(uint64_t *random, size_t n) {
  *random ^= *random << 13;
  *random ^= *random >> 7;
  *random ^= *random << 17;
  return n > 0 ? (size_t)(*random >> 11) % n : 0;
}

/* Puts a piece in the place of n_old bytes at `at`. */
static void replace(Input *input, size_t at, size_t n_old, const uint8_t *piece, size_t n_piece) {
  if (n_old > input->n - at) n_old = input->n - at;
  const size_t n_behind = input->n - at - n_old;
  if (at + n_piece + n_behind > MOST_BYTES) return;
  memmove(input->bytes + at + n_piece, input->bytes + at + n_old, n_behind);
  if (n_piece > 0) memmove(input->bytes + at, piece, n_piece);
  input->n = at + n_piece + n_behind;
}

/* A piece of one of them, or all of it. */
static Input piece_of(Inputs inputs, uint64_t *random) {
  const Input *input = &inputs.all[below(random, inputs.n)];
  const size_t from = below(random, input->n);
  return (Input){input->bytes + from, below(random, input->n - from + 1)};
}

static const char *const usual_words[] = {
    "-1", "0", "99999999999999999999", "nan", "%s", "\n", "\n\n", "\"", "(", ")", "[", "]", "{",
    "}",  ","};

static Input any_word(Inputs words, uint64_t *random) {
  const size_t n_usual = sizeof usual_words / sizeof *usual_words;
  const size_t choice = below(random, n_usual + words.n);
  if (choice >= n_usual) return words.all[choice - n_usual];
  static uint8_t bytes[32];
  const size_t n = strlen(usual_words[choice]);
  memcpy(bytes, usual_words[choice], n);
  return (Input){bytes, n};
}

static void change(Input *input, Inputs inputs, Inputs words, uint64_t *random) {
  const size_t at = below(random, input->n + 1), n = below(random, 8) + 1;
  uint8_t byte = at < input->n ? input->bytes[at] : 0;
  Input piece;
  switch (below(random, 8)) {
  case 0: byte ^= (uint8_t)(1u << below(random, 8)); break;
  case 1: byte = (uint8_t)below(random, 256); break;
  case 2: replace(input, at, n, NULL, 0); return;
  case 3: replace(input, at, below(random, 256), NULL, 0); return;
  case 4:
    piece = any_word(words, random);
    replace(input, at, 0, piece.bytes, piece.n);
    return;
  case 5:
    piece = any_word(words, random);
    replace(input, at, n, piece.bytes, piece.n);
    return;
  case 6:
    piece = piece_of(inputs, random);
    replace(input, at, below(random, piece.n + 1), piece.bytes, piece.n);
    return;
  default: /* of this one */
    piece = piece_of((Inputs){input, 1}, random);
    piece = input_new(piece.bytes, piece.n);
    replace(input, at, 0, piece.bytes, piece.n);
    free(piece.bytes);
    return;
  }
  if (at < input->n) input->bytes[at] = byte;
}

Input mutate(Inputs inputs, Inputs words, uint64_t *random) {
  static uint8_t buffer[MOST_BYTES];
  const Input *from = &inputs.all[below(random, inputs.n)];
  Input input = {buffer, from->n < MOST_BYTES ? from->n : MOST_BYTES};
  memcpy(buffer, from->bytes, input.n);
  for (size_t i = below(random, 4) + 1; i > 0; i--) change(&input, inputs, words, random);
  return input_new(input.bytes, input.n);
}
