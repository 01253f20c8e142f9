/* Files for the tests of formats: made byte by byte, in either byte order, with gzip; and read
 * back. */
#pragma once

#include "runtime/formats/formats.h"
#include "tests/unit/test.h"

typedef struct Bytes {
  unsigned char data[1 << 16];
  size_t n;
  bool is_big; /* big-endian */
} Bytes;

static inline void put(Bytes *bytes, uint64_t value, size_t size) {
  for (size_t k = 0; k < size; k++) {
    const size_t shift = 8 * (bytes->is_big ? size - 1 - k : k);
    bytes->data[bytes->n++] = (unsigned char)(value >> shift);
  }
}

/* A number of one of Teem's types. */
static inline void put_number(Bytes *bytes, int type, double number) {
  uint64_t bits = 0;
  if (type == nrrdTypeFloat) {
    const float value = (float)number;
    uint32_t half;
    memcpy(&half, &value, sizeof half);
    bits = half;
  } else if (type == nrrdTypeDouble) {
    memcpy(&bits, &number, sizeof bits);
  } else {
    bits = (uint64_t)(int64_t)number;
  }
  put(bytes, bits, nrrdTypeSize[type]);
}

static inline void put_at(Bytes *bytes, size_t at, uint64_t value, size_t size) {
  const size_t n = bytes->n;
  bytes->n = at;
  put(bytes, value, size);
  bytes->n = n;
}

static inline void put_number_at(Bytes *bytes, size_t at, int type, double number) {
  const size_t n = bytes->n;
  bytes->n = at;
  put_number(bytes, type, number);
  bytes->n = n;
}

static inline uint32_t crc_of(const unsigned char *data, size_t n) {
  uint32_t crc = ~0u;
  for (size_t k = 0; k < n; k++) {
    crc ^= data[k];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

/* One stored block, by RFC 1951 and 1952. */
static inline void wrap_in_gzip(Bytes *bytes) {
  static const unsigned char head[] = {0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1};
  static Bytes inner;
  inner = *bytes;
  *bytes = (Bytes){.n = sizeof head};
  memcpy(bytes->data, head, sizeof head);
  put(bytes, inner.n, 2);
  put(bytes, ~inner.n, 2);
  memcpy(bytes->data + bytes->n, inner.data, inner.n);
  bytes->n += inner.n;
  put(bytes, crc_of(inner.data, inner.n), 4);
  put(bytes, inner.n, 4);
}

/* --- reading ---------------------------------------------------------------------------------- */

typedef struct Read {
  const char *name; /* of the format, or NULL */
  Nrrd *nrrd;       /* with data if it could be read */
  ddr_formatted opened;
  ddr_problem problem;
} Read;

/* Reads in pieces of any size. */
static inline bool read_all(Read *it, size_t piece) {
  const size_t n = nrrdElementNumber(it->nrrd) * nrrdElementSize(it->nrrd);
  char *data = malloc(n);
  bool is_good = data != NULL;
  for (size_t begin = 0; is_good && begin < n; begin += piece) {
    const size_t n_now = n - begin < piece ? n - begin : piece;
    is_good = it->opened.supply->read(it->opened.supply, data + begin, n_now, &it->problem);
  }
  it->nrrd->data = data;
  return is_good;
}

/* Free the result with read_free. */
static inline bool read_bytes(const Bytes *bytes, size_t n_samples_at_once, Read *it) {
  FILE *file = tmpfile();
  bool is_good = false;
  *it = (Read){.nrrd = nrrdNew(), .opened = {.offset = -1}};
  if (CHECK(file && fwrite(bytes->data, 1, bytes->n, file) == bytes->n)) {
    const ddr_file_format *format = ddr_file_format_of(file);
    if (format) it->name = format->name;
    is_good = format && format->open(file, it->nrrd, &it->opened, &it->problem) &&
              read_all(it, n_samples_at_once * nrrdElementSize(it->nrrd));
    CHECK(is_good || !format || it->problem.text[0] != '\0');
  }
  ddr_supply_close(it->opened.supply);
  if (file) fclose(file);
  return is_good;
}

static inline void read_free(Read *it) { nrrdNuke(it->nrrd); }

static inline void check_refusal(const Bytes *bytes, const char *words) {
  Read it;
  CHECK(!read_bytes(bytes, 1, &it));
  if (!CHECK(strstr(it.problem.text, words) != NULL))
    fprintf(stderr, "  \"%s\" (expected \"%s\")\n", it.problem.text, words);
  read_free(&it);
}
