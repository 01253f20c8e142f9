/* Streams of bytes from gzip: all of them, at once or in pieces, and whether the checksum follows.
 */
#include "bytes.h"
#include "runtime/formats/supply.h"

enum { TRAILER = 8 }; /* checksum and length */

static unsigned char byte_at(size_t k) { return (unsigned char)(k * k >> 3 ^ k); }

static const Bytes *zipped(size_t n_bytes) {
  static Bytes bytes;
  bytes = (Bytes){.n = n_bytes};
  for (size_t k = 0; k < n_bytes; k++) bytes.data[k] = byte_at(k);
  wrap_in_gzip(&bytes);
  return &bytes;
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

/* Whether the bytes are read and checked, if the file lacks its last ones. */
static bool is_accepted(size_t n_bytes, size_t piece, size_t n_lost, ddr_problem *problem) {
  const Bytes *bytes = zipped(n_bytes);
  FILE *file = tmpfile();
  bool is_good = false;
  if (CHECK(file && fwrite(bytes->data, 1, bytes->n - n_lost, file) == bytes->n - n_lost)) {
    ddr_stream *stream = ddr_stream_open(file, 0, true, problem);
    is_good = CHECK(stream) && reads(stream, n_bytes, piece, problem);
    ddr_stream_close(stream);
  }
  if (file) fclose(file);
  return is_good;
}

/* zlib decompresses large pieces without its buffer, whose size is 16 KiB. */
static void a_part_of_the_checksum_is_missing(void) {
  static const size_t sizes[] = {1, 2, 100, 8192, 16383, 16384, 16385, 20000, 32768, 60000};
  static const size_t pieces[] = {1 << 16, 16384, 16385, 5000};
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++)
      for (size_t n_lost = 0; n_lost <= TRAILER; n_lost++) {
        ddr_problem problem = {""};
        const bool is_good = is_accepted(sizes[s], pieces[p], n_lost, &problem);
        if (!CHECK(is_good == (n_lost == 0)))
          fprintf(stderr, "  %zu bytes, %zu at once, %zu missing\n", sizes[s], pieces[p], n_lost);
        CHECK(n_lost == 0 || strstr(problem.text, "truncated"));
      }
}

int main(void) {
  RUN(a_part_of_the_checksum_is_missing);
  return test_result();
}
