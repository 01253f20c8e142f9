/* FNV-1a: values published with the function by Fowler, Noll and Vo. */
#define _POSIX_C_SOURCE 200809L

#include "frontend/base/hash.h"

#include <stdlib.h>

#include "tests/unit/test.h"

static void published_values(void) {
  CHECK(hash_bytes(HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
  CHECK(hash_bytes(HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
  CHECK(hash_bytes(HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
  CHECK(hash_bytes(hash_bytes(HASH_START, "foo", 3), "bar", 3) == UINT64_C(0x85944171f73967e8));
}

static void files_hash_as_their_bytes(void) {
  char path[] = "/tmp/ddr-hash-XXXXXX";
  enum { LEN = 200000 };
  static char bytes[LEN];
  for (int i = 0; i < LEN; i++) bytes[i] = (char)(i * 7 % 251);
  const int number = mkstemp(path);
  FILE *file = number < 0 ? NULL : fopen(path, "wb");
  if (!CHECK(file != NULL)) return;
  CHECK_EQ(fwrite(bytes, 1, LEN, file), LEN);
  fclose(file);
  CHECK(hash_file(HASH_START, path) == hash_bytes(HASH_START, bytes, LEN));
  CHECK(hash_file(HASH_START, "/no/such/file") == HASH_START);
  remove(path);
}

int main(void) {
  RUN(published_values);
  RUN(files_hash_as_their_bytes);
  return test_result();
}
