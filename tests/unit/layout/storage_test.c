/* Blocks of memory: alignment, errors, and threads that share one. Label threads. */
#include "runtime/layout/storage.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "runtime/layout/ndview.h"
#include "tests/unit/test.h"

static void are_aligned(void) {
  for (size_t align = 1; align <= 1 << 16; align *= 2) {
    ddr_storage storage;
    CHECK_EQ(ddr_storage_alloc(100, align, DDR_HOST, &storage), DDR_ARRAY_OK);
    CHECK_EQ((uintptr_t)storage.data % align, 0);
    CHECK(storage.n_bytes == 100 && storage.residency == DDR_HOST);
    memset(storage.data, 1, 100);
    ddr_storage_release(&storage);
    CHECK(!storage.data && !storage.cleanup);
  }
}

static void are_refused(void) {
  ddr_storage storage = {.n_bytes = 7};
  CHECK_EQ(ddr_storage_alloc(8, 0, DDR_HOST, &storage), DDR_ARRAY_EALIGN);
  CHECK_EQ(ddr_storage_alloc(8, 24, DDR_HOST, &storage), DDR_ARRAY_EALIGN);
  CHECK_EQ(ddr_storage_alloc(8, 8, DDR_CUDA, &storage),
           ddr_residency_is_there(DDR_CUDA) ? DDR_ARRAY_OK : DDR_ARRAY_ERESIDENCY);
  CHECK_EQ(ddr_storage_alloc((size_t)PTRDIFF_MAX + 1, 8, DDR_HOST, &storage), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(ddr_storage_alloc(SIZE_MAX, 8, DDR_HOST, &storage), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(ddr_storage_alloc(PTRDIFF_MAX, 64, DDR_HOST, &storage), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(storage.n_bytes, 7);
}

static void may_have_no_bytes(void) {
  ddr_storage storage;
  CHECK_EQ(ddr_storage_alloc(0, 64, DDR_HOST, &storage), DDR_ARRAY_OK);
  CHECK(storage.data && storage.n_bytes == 0);
  ddr_storage_release(&storage);
  ddr_cleanup_release(ddr_cleanup_retain(NULL));
}

/* --- threads ---------------------------------------------------------------------------------- */

enum { N_THREADS = 4, N_ROUNDS = 5000 };

typedef struct Block {
  int32_t cells[N_THREADS];
  int64_t sum;
  int n_cleanups;
} Block;

typedef struct Worker {
  pthread_t thread;
  ddr_ndview view; /* with its own reference */
  int cell;
} Worker;

/* Reads what all threads wrote, which requires that these writes happened before. */
static void sum_up(void *argument) {
  Block *block = argument;
  for (int k = 0; k < N_THREADS; k++) block->sum += block->cells[k];
  block->n_cleanups++;
}

static void *work(void *argument) {
  Worker *worker = argument;
  for (int k = 0; k < N_ROUNDS; k++) {
    ddr_ndview copy = ddr_ndview_retain(&worker->view), part = {.data = NULL};
    if (ddr_ndview_fix(&copy, 0, worker->cell, &part) == DDR_ARRAY_OK)
      ((int32_t *)part.data)[part.layout.offset]++;
    ddr_ndview_release(&copy);
    ddr_ndview_release(&part);
  }
  ddr_ndview_release(&worker->view);
  return NULL;
}

static void are_shared_by_threads(void) {
  Block block = {.sum = 0};
  Worker workers[N_THREADS];
  const ddr_layout layout = {.rank = 1, .len = {N_THREADS}, .stride = {1}};
  ddr_ndview view;
  CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_INT32, block.cells, &layout, DDR_HOST,
                           ddr_cleanup_new(sum_up, &block), &view),
           DDR_ARRAY_OK);
  for (int k = 0; k < N_THREADS; k++) {
    workers[k].view = ddr_ndview_retain(&view);
    workers[k].cell = k;
  }
  ddr_ndview_release(&view); /* the last thread cleans up */
  for (int k = 0; k < N_THREADS; k++)
    CHECK_EQ(pthread_create(&workers[k].thread, NULL, work, &workers[k]), 0);
  for (int k = 0; k < N_THREADS; k++) pthread_join(workers[k].thread, NULL);
  CHECK_EQ(block.n_cleanups, 1);
  CHECK_EQ(block.sum, N_THREADS * N_ROUNDS);
}

int main(void) {
  RUN(are_aligned);
  RUN(are_refused);
  RUN(may_have_no_bytes);
  RUN(are_shared_by_threads);
  return test_result();
}
