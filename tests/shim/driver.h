/* driver.h: what all copies of the shim in one process share, as CUDA's runtimes share its driver.
 *
 * A client of libraries, each of which has its own copy, owns it by defining shim_shared_driver;
 * without one each copy has its own, and DDR_SHIM_FAIL says what fails.
 */
#pragma once

#include <stddef.h>

/* Memory that a client has on a device: it alone knows how it came there. AddressSanitizer finds
 * it poisoned outside of kernels and copies, as other memory of devices. */
enum { SHIM_MOST_GIVEN = 8 };
typedef struct shim_given {
  char *data; /* NULL: there is none */
  size_t n_bytes;
  int device;
} shim_given;

typedef struct shim_driver {
  int device;        /* that is current */
  long n_selections; /* calls that chose one */
  long n_calls;      /* that may fail */
  long fail_at;      /* the one that does; 0: none */
  int error;         /* of it and all that follow */
  int last;          /* of a call that failed alone: what cudaGetLastError tells, once */
  long n_waits;      /* for streams */
  long n_allocations, n_frees;
  long n_copied; /* bytes */
  shim_given given[SHIM_MOST_GIVEN];
} shim_driver;

__attribute__((weak, visibility("default"))) shim_driver *shim_shared_driver(void);
