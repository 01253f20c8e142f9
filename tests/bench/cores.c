/* cores.c: nanoseconds in which what one core writes reaches another and comes back.
 *
 * On processors whose cores share caches in groups, this depends on where the system, or the host
 * of a virtual machine, lets two threads run: 60 or 330, for example. What a second thread gains in
 * programs with short supersteps depends on it.
 *
 *   cc -O2 -pthread tests/bench/cores.c -o cores && ./cores
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <time.h>

enum { TIMES = 200, ROUNDS = 20 };
static const double PATIENCE = 5e8; /* nanoseconds; with one core each time takes milliseconds */

static _Alignas(128) _Atomic int ball;
static _Alignas(128) _Atomic bool is_ready;

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* Waits for every other number, and plays the next one. */
static void play(int first) {
  for (int k = first; k < 2 * TIMES; k += 2) {
    while (atomic_load(&ball) != k) continue;
    atomic_store(&ball, k + 1);
  }
}

static void *play_odd(void *data) {
  atomic_store(&is_ready, true);
  play(1);
  return data;
}

int main(void) {
  const double first = nanoseconds();
  double least = PATIENCE;
  for (int round = 0; round < ROUNDS && nanoseconds() - first < PATIENCE; round++) {
    pthread_t other;
    atomic_store(&ball, 0);
    atomic_store(&is_ready, false);
    if (pthread_create(&other, NULL, play_odd, NULL) != 0) return 1;
    while (!atomic_load(&is_ready)) continue;
    const double begin = nanoseconds();
    play(0);
    const double taken = (nanoseconds() - begin) / TIMES;
    pthread_join(other, NULL);
    if (taken < least) least = taken;
  }
  printf("%.0f\n", least);
  return 0;
}
