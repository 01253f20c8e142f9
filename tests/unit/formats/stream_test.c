/* Streams of bytes from gzip and bzip2: all of them, at once or in pieces, in one stream or two,
 * and whether the checksum follows. */
#include <dlfcn.h>

#include "bytes.h"
#include "runtime/formats/supply.h"

enum { TRAILER = 8 }; /* of gzip: checksum and length; bzip2's are of 10 bytes */

static unsigned char byte_at(size_t k) { return (unsigned char)(k * k >> 3 ^ k); }

typedef int Compress(char *to, unsigned *n, char *from, unsigned n_from, int size, int say,
                     int how);
static Compress *bzip2;

static void wrap_in_bzip2(Bytes *bytes) {
  static Bytes plain;
  plain = *bytes;
  unsigned n = sizeof bytes->data;
  CHECK_EQ(bzip2((char *)bytes->data, &n, (char *)plain.data, (unsigned)plain.n, 1, 0, 0), 0);
  bytes->n = n;
}

/* The bytes from `begin` on, compressed. */
static Bytes zipped(ddr_compression compression, size_t begin, size_t n_bytes) {
  static Bytes bytes;
  bytes = (Bytes){.n = n_bytes};
  for (size_t k = 0; k < n_bytes; k++) bytes.data[k] = byte_at(begin + k);
  if (compression == DDR_GZIP) wrap_in_gzip(&bytes);
  else wrap_in_bzip2(&bytes);
  return bytes;
}

/* In two streams, one after the other. */
static const Bytes *zipped_twice(ddr_compression compression, size_t n_bytes) {
  static Bytes all, rest;
  all = zipped(compression, 0, n_bytes / 3);
  rest = zipped(compression, n_bytes / 3, n_bytes - n_bytes / 3);
  memcpy(all.data + all.n, rest.data, rest.n);
  all.n += rest.n;
  return &all;
}

static bool reads(ddr_stream *stream, size_t n_bytes, size_t piece, ddr_problem *problem) {
  static unsigned char data[1 << 16];
  for (size_t begin = 0; begin < n_bytes; begin += piece) {
    const size_t n = n_bytes - begin < piece ? n_bytes - begin : piece;
    if (!ddr_stream_read(stream, data + begin, n, problem)) return false;
  }
  size_t n_right = 0;
  for (size_t k = 0; k < n_bytes; k++) n_right += data[k] == byte_at(k);
  CHECK(n_right == n_bytes);
  return ddr_stream_check(stream, problem);
}

/* Whether the n_bytes are read and checked, if the file lacks its last ones. */
static bool is_accepted(ddr_compression compression, const Bytes *bytes, size_t n_bytes,
                        size_t piece, size_t n_lost, ddr_problem *problem) {
  FILE *file = tmpfile();
  bool is_good = false;
  if (CHECK(file && fwrite(bytes->data, 1, bytes->n - n_lost, file) == bytes->n - n_lost)) {
    ddr_stream *stream = ddr_stream_open(file, 0, compression, problem);
    is_good = CHECK(stream) && reads(stream, n_bytes, piece, problem);
    ddr_stream_close(stream);
  }
  if (file) fclose(file);
  return is_good;
}

static void lacks_last_bytes(ddr_compression compression, const Bytes *bytes, size_t n_bytes,
                             size_t piece) {
  for (size_t n_lost = 0; n_lost <= TRAILER; n_lost++) {
    ddr_problem problem = {""};
    const bool is_good = is_accepted(compression, bytes, n_bytes, piece, n_lost, &problem);
    if (!CHECK(is_good == (n_lost == 0)))
      fprintf(stderr, "  compression %d: %zu bytes, %zu at once, %zu missing\n", (int)compression,
              n_bytes, piece, n_lost);
    CHECK(n_lost == 0 || strstr(problem.text, "truncated"));
  }
}

/* zlib decompresses large pieces without its buffer, whose size is 16 KiB. */
static void a_part_of_the_checksum_is_missing(ddr_compression compression) {
  static const size_t sizes[] = {1, 2, 100, 8192, 16383, 16384, 16385, 20000, 32768, 60000};
  static const size_t pieces[] = {1 << 16, 16384, 16385, 5000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
    static Bytes once;
    once = zipped(compression, 0, sizes[s]);
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
      lacks_last_bytes(compression, &once, sizes[s], pieces[p]);
      lacks_last_bytes(compression, zipped_twice(compression, sizes[s]), sizes[s], pieces[p]);
    }
  }
}

/* Of the last byte of bzip2, not all bits matter. */
static void a_part_of_the_checksum_is_wrong(ddr_compression compression) {
  enum { LENGTH = 300 };
  static Bytes bytes;
  bytes = zipped(compression, 0, LENGTH);
  for (size_t k = 2; k <= TRAILER; k++) {
    ddr_problem problem = {""};
    bytes.data[bytes.n - k] ^= 0x10;
    CHECK(!is_accepted(compression, &bytes, LENGTH, 100, 0, &problem));
    CHECK(strstr(problem.text, "damaged"));
    bytes.data[bytes.n - k] ^= 0x10;
  }
}

static void gzip_is_checked(void) {
  a_part_of_the_checksum_is_missing(DDR_GZIP);
  a_part_of_the_checksum_is_wrong(DDR_GZIP);
}

static void bzip2_is_checked(void) {
  a_part_of_the_checksum_is_missing(DDR_BZIP2);
  a_part_of_the_checksum_is_wrong(DDR_BZIP2);
}

int main(void) {
  void *library = dlopen("libbz2.so.1.0", RTLD_NOW);
  void *found = library ? dlsym(library, "BZ2_bzBuffToBuffCompress") : NULL;
  memcpy(&bzip2, &found, sizeof found);
  RUN(gzip_is_checked);
  if (CHECK(found != NULL)) RUN(bzip2_is_checked);
  return test_result();
}
