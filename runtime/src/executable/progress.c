/* progress.c: see progress.h. */
#include "progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "runtime/src/strands/store.h"

enum { BAR_LEN = 20, LINE_SIZE = 256 };

static const double renewal_period = 0.1; /* seconds */

static double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- the line --------------------------------------------------------------------------------- */

/* The part of the work that is done, from 0 to 1; NaN: unknown.  A program without supersteps
 * visits its blocks in order. */
static double done_part(const ddr_progress *progress) {
  const ddr_world *world = progress->world;
  if (progress->limit > 0 && (world->program->is_lockstep || world->store->n_steps > 0)) {
    return (double)world->store->n_steps / progress->limit;
  }
  if (world->program->is_lockstep || world->store->n_blocks == 0) return NAN;
  return (double)(atomic_load(&world->prints.turn) - 1) / (double)world->store->n_blocks;
}

static void put_bar(char *line, double part) {
  char bar[BAR_LEN + 1];
  memset(bar, '.', BAR_LEN);
  memset(bar, '#', (size_t)fmin(BAR_LEN, fmax(0, part * BAR_LEN)));
  bar[BAR_LEN] = '\0';
  snprintf(line + strlen(line), LINE_SIZE - strlen(line), " [%s]", bar);
}

static void put_time_left(char *line, double part, double seconds) {
  const double left = seconds * (1 - part) / part;
  if (!(part > 0) || !(left < 3600.0 * 1000)) return;
  const long n = lround(left);
  char *end = line + strlen(line);
  const size_t room = LINE_SIZE - strlen(line);
  if (n < 3600) snprintf(end, room, ", %ld:%02ld left", n / 60, n % 60);
  else snprintf(end, room, ", %ld:%02ld:%02ld left", n / 3600, n / 60 % 60, n % 60);
}

static void put_steps(char *line, const ddr_progress *progress) {
  const ddr_world *world = progress->world;
  char *end = line + strlen(line);
  const size_t room = LINE_SIZE - strlen(line);
  if (!world->program->is_lockstep && world->store->n_steps == 0) return;
  if (progress->limit == 0) snprintf(end, room, "step %u, ", (unsigned)world->store->n_steps);
  else
    snprintf(end, room, "step %u/%u, ", (unsigned)world->store->n_steps, (unsigned)progress->limit);
}

/* Puts supersteps per second; without supersteps, ended strands per second. */
static void put_rate(char *line, const ddr_progress *progress, double n_active, double seconds) {
  const ddr_world *world = progress->world;
  const bool has_steps = world->program->is_lockstep || world->store->n_steps > 0;
  const double n_ended = (double)world->store->n_active - n_active;
  const double rate = (has_steps ? (double)world->store->n_steps : n_ended) / seconds;
  if (!(seconds > 0)) return;
  snprintf(line + strlen(line), LINE_SIZE - strlen(line), ", %.3g %s/s", rate,
           has_steps ? "steps" : "strands");
}

/* Returns to the first column, writes the line, and erases the rest. */
static void show(ddr_progress *progress, double now) {
  const ddr_world *world = progress->world;
  const double part = done_part(progress), seconds = now - progress->begin;
  const int64_t n_active = atomic_load(&world->store->n_running);
  char line[LINE_SIZE] = "";
  put_steps(line, progress);
  snprintf(line + strlen(line), LINE_SIZE - strlen(line), "%lld active", (long long)n_active);
  put_rate(line, progress, (double)n_active, seconds);
  if (!isnan(part)) {
    put_bar(line, part);
    put_time_left(line, part, seconds);
  }
  fprintf(stderr, "\r%.79s\033[K", line);
  progress->is_shown = true;
}

static void clear(ddr_progress *progress) {
  if (progress->is_shown) fputs("\r\033[K", stderr);
  progress->is_shown = false;
}

/* --- while a world runs ----------------------------------------------------------------------- */

static void renew(void *data) {
  ddr_progress *progress = data;
  const double now = now_seconds();
  pthread_mutex_lock(&progress->lock);
  if (now - progress->last >= renewal_period) {
    show(progress, now);
    progress->last = now;
  }
  pthread_mutex_unlock(&progress->lock);
}

/* Text of the program may go to the same terminal, so the line is removed first. */
static bool print(void *data, const char *text) {
  ddr_progress *progress = data;
  pthread_mutex_lock(&progress->lock);
  clear(progress);
  const bool has_failed = progress->printer(progress->printer_data, text);
  pthread_mutex_unlock(&progress->lock);
  return has_failed;
}

void ddr_progress_begin(ddr_progress *progress, ddr_world *world, uint32_t limit) {
  *progress = (ddr_progress){0};
  if (!isatty(STDERR_FILENO) || pthread_mutex_init(&progress->lock, NULL) != 0) return;
  progress->world = world;
  progress->limit = limit;
  progress->begin = now_seconds();
  progress->printer = world->prints.printer;
  progress->printer_data = world->prints.data;
  ddr_set_printer(world, print, progress);
  world->follower.call = renew;
  world->follower.data = progress;
}

void ddr_progress_end(ddr_progress *progress) {
  if (!progress->world) return;
  clear(progress);
  progress->world->follower.call = NULL;
  ddr_set_printer(progress->world, progress->printer, progress->printer_data);
  pthread_mutex_destroy(&progress->lock);
  *progress = (ddr_progress){0};
}
