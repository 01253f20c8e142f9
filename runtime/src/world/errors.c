/* errors.c: the messages of a world: errors, newest first, and notes, oldest first.
 *
 * Any thread may record an error at any time; nothing is printed here.  New errors belong to the
 * current call, and stop it; settled errors stop nothing, and go to the first call that takes them.
 * Read next: executable.c and library.c, which show them.
 */
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

static const char error_prefix[] = "[DIDEROT] ";

/* Recipients of messages; no thread has these numbers. */
#define ANYBODY UINT64_C(0)
#define EVERYBODY UINT64_MAX

uint64_t ddr_thread_number(void) {
  static _Atomic uint64_t last;
  static _Thread_local uint64_t mine;
  if (mine == 0) mine = atomic_fetch_add(&last, 1) + 1;
  return mine;
}

DDR_PRINTF(1, 0) static ddr_message *message_new(const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  ddr_message *message = n < 0 ? NULL : malloc(sizeof *message + (size_t)n + 1);
  if (!message) return NULL;
  message->thread = ANYBODY;
  vsnprintf(message->text, (size_t)n + 1, format, args);
  return message;
}

/* The message must stay one line, whatever a file name or a header contains. */
static void flatten(char *text) {
  for (; *text; text++) {
    if ((unsigned char)*text < ' ' || *text == 127) *text = ' ';
  }
}

ddr_status ddr_error(ddr_world *world, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ddr_message *message = message_new(format, args);
  va_end(args);
  pthread_mutex_lock(&world->messages.lock);
  if (message) {
    flatten(message->text);
    message->older = world->messages.newest;
    world->messages.newest = message;
  } else {
    world->messages.is_lost = true;
  }
  atomic_store(&world->messages.any, true);
  pthread_mutex_unlock(&world->messages.lock);
  return DDR_ERROR;
}

bool ddr_any_errors(ddr_world *world) { return atomic_load(&world->messages.any); }

/* Settles new errors, which stay in front of older ones. */
static void settle(ddr_world *world) {
  ddr_message **last = &world->messages.newest;
  while (*last) last = &(*last)->older;
  *last = world->messages.settled;
  world->messages.settled = world->messages.newest;
  world->messages.newest = NULL;
  world->messages.is_settled_lost |= world->messages.is_lost;
  world->messages.is_lost = false;
  atomic_store(&world->messages.any, false);
  world->pool.is_short = false; /* the error is recorded */
}

void ddr_settle_errors(ddr_world *world) {
  pthread_mutex_lock(&world->messages.lock);
  settle(world);
  pthread_mutex_unlock(&world->messages.lock);
}

/* --- to take ---------------------------------------------------------------------------------- */

static bool is_for(const ddr_message *message, uint64_t thread) {
  return thread == EVERYBODY || message->thread == thread;
}

/* The caller holds the lock, here and below. */
static bool any_for(const ddr_world *world, uint64_t thread) {
  const ddr_message *message = world->messages.settled;
  while (message && !is_for(message, thread)) message = message->older;
  return message != NULL;
}

static void take_for(ddr_world *world, uint64_t thread, ddr_text *all) {
  for (ddr_message **link = &world->messages.settled; *link;) {
    ddr_message *message = *link;
    if (!is_for(message, thread)) {
      link = &message->older;
      continue;
    }
    ddr_put_string(all, error_prefix);
    ddr_put_string(all, message->text);
    ddr_put_string(all, "\n");
    *link = message->older;
    free(message);
  }
}

static void take_lost(ddr_world *world, ddr_text *all) {
  if (world->messages.is_settled_lost) ddr_put_string(all, "[DIDEROT] out of memory\n");
  world->messages.is_settled_lost = false;
}

char *ddr_take_errors(ddr_world *world) {
  ddr_text all = {0};
  ddr_text_append(&all, "", 0);
  pthread_mutex_lock(&world->messages.lock);
  settle(world);
  take_lost(world, &all);
  take_for(world, EVERYBODY, &all);
  pthread_mutex_unlock(&world->messages.lock);
  return all.chars;
}

bool ddr_any_settled(ddr_world *world) {
  const uint64_t own = ddr_thread_number();
  pthread_mutex_lock(&world->messages.lock);
  const bool any =
      any_for(world, own) || any_for(world, ANYBODY) || world->messages.is_settled_lost;
  pthread_mutex_unlock(&world->messages.lock);
  return any;
}

char *ddr_take_settled(ddr_world *world) {
  const uint64_t own = ddr_thread_number();
  ddr_text all = {0};
  ddr_text_append(&all, "", 0);
  pthread_mutex_lock(&world->messages.lock);
  if (any_for(world, own)) {
    take_for(world, own, &all);
  } else {
    take_lost(world, &all);
    take_for(world, ANYBODY, &all);
  }
  pthread_mutex_unlock(&world->messages.lock);
  return all.chars;
}

/* --- refusals --------------------------------------------------------------------------------- */

/* Once for each thread, however often it calls. */
void ddr_turn_away(ddr_world *world, const char *format, ...) {
  const uint64_t own = ddr_thread_number();
  const bool is_printer = atomic_load(&world->prints.thread) == own;
  va_list args;
  va_start(args, format);
  ddr_message *message = message_new(format, args);
  va_end(args);
  if (message) flatten(message->text);
  pthread_mutex_lock(&world->messages.lock);
  if (!message) {
    world->messages.is_settled_lost = true;
  } else if (is_printer || !any_for(world, own)) {
    message->thread = is_printer ? ANYBODY : own;
    message->older = world->messages.settled;
    world->messages.settled = message;
    message = NULL;
  }
  pthread_mutex_unlock(&world->messages.lock);
  free(message);
}

/* --- notes ------------------------------------------------------------------------------------ */

/* Only whole lines are added; a line that is lost is an error. */
void ddr_note(ddr_world *world, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ddr_message *message = message_new(format, args);
  va_end(args);
  if (message) {
    const size_t n = strlen(message->text);
    flatten(message->text);
    message->text[n] = '\n'; /* the newline replaces the NUL */
    ddr_text_append(&world->messages.notes, message->text, n + 1);
    free(message);
  }
  if (message && !world->messages.notes.is_short) return;
  world->messages.notes.is_short = false;
  pthread_mutex_lock(&world->messages.lock);
  world->messages.is_lost = true;
  atomic_store(&world->messages.any, true);
  pthread_mutex_unlock(&world->messages.lock);
}

char *ddr_take_notes(ddr_world *world) {
  char *notes = world->messages.notes.chars;
  world->messages.notes = (ddr_text){0};
  return notes;
}
