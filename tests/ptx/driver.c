/* A driver of CUDA that is asked what memory is, and answers what $FAKE_MEMORY says: type (2: of a
 * device), device, bytes before and in all, around whatever is asked for.  Linked as libcuda.so.1.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { INVALID_VALUE = 1 };
enum { MEMORY_TYPE = 2, IS_MANAGED = 8, DEVICE_ORDINAL = 9, RANGE_START = 11, RANGE_SIZE = 12 };

int cuPointerGetAttribute(void *answer, int what, unsigned long long pointer);
int cuPointerGetAttribute(void *answer, int what, unsigned long long pointer) {
  unsigned type, device;
  unsigned long long n_before, n_bytes;
  const char *text = getenv("FAKE_MEMORY");
  if (!text || sscanf(text, "%u %u %llu %llu", &type, &device, &n_before, &n_bytes) != 4)
    return INVALID_VALUE; /* as of memory that was freed */
  switch (what) {
  case MEMORY_TYPE: *(unsigned *)answer = type; return 0;
  case IS_MANAGED: *(unsigned *)answer = 0; return 0;
  case DEVICE_ORDINAL: *(unsigned *)answer = device; return 0;
  case RANGE_START: *(unsigned long long *)answer = pointer - n_before; return 0;
  case RANGE_SIZE: *(size_t *)answer = (size_t)n_bytes; return 0;
  default: return INVALID_VALUE;
  }
}
