/* errors.c: the messages of a world: errors, newest first, and notes, oldest first.
 *
 * Any thread may record an error at any time; nothing is printed here.
 * Read next: executable.c and library.c, which show them.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "world.h"

static const char error_prefix[] = "[DIDEROT] ";

DDR_PRINTF(1, 0) static ddr_message *message_new(const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  const int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  ddr_message *message = n < 0 ? NULL : malloc(sizeof *message + (size_t)n + 1);
  if (message) vsnprintf(message->text, (size_t)n + 1, format, args);
  return message;
}

/* The message must stay one line whatever a file name or a header puts into it. */
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
  pthread_mutex_unlock(&world->messages.lock);
  return DDR_ERROR;
}

bool ddr_any_errors(ddr_world *world) {
  pthread_mutex_lock(&world->messages.lock);
  const bool any = world->messages.newest != NULL || world->messages.is_lost;
  pthread_mutex_unlock(&world->messages.lock);
  return any;
}

bool ddr_has_messages(ddr_world *world) {
  pthread_mutex_lock(&world->messages.lock);
  const bool has = world->messages.newest || world->messages.settled || world->messages.is_lost;
  pthread_mutex_unlock(&world->messages.lock);
  return has;
}

/* Newer messages stay in front. */
static void settle(ddr_world *world) {
  ddr_message **last = &world->messages.newest;
  while (*last) last = &(*last)->older;
  *last = world->messages.settled;
  world->messages.settled = world->messages.newest;
  world->messages.newest = NULL;
  world->pool.is_short = false; /* that has been said */
}

void ddr_settle_errors(ddr_world *world) {
  pthread_mutex_lock(&world->messages.lock);
  settle(world);
  pthread_mutex_unlock(&world->messages.lock);
}

char *ddr_take_errors(ddr_world *world) {
  ddr_text all = {0};
  ddr_text_append(&all, "", 0);
  pthread_mutex_lock(&world->messages.lock);
  if (world->messages.is_lost) ddr_put_string(&all, "[DIDEROT] out of memory\n");
  settle(world);
  for (ddr_message *message = world->messages.settled, *older; message; message = older) {
    ddr_put_string(&all, error_prefix);
    ddr_put_string(&all, message->text);
    ddr_put_string(&all, "\n");
    older = message->older;
    free(message);
  }
  world->messages.settled = NULL;
  world->messages.is_lost = false;
  pthread_mutex_unlock(&world->messages.lock);
  return all.chars;
}

/* Whole lines only; one that is lost is an error. */
void ddr_note(ddr_world *world, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ddr_message *message = message_new(format, args);
  va_end(args);
  if (message) {
    const size_t n = strlen(message->text);
    flatten(message->text);
    message->text[n] = '\n'; /* which ends the line instead of the NUL */
    ddr_text_append(&world->messages.notes, message->text, n + 1);
    free(message);
  }
  if (message && !world->messages.notes.is_short) return;
  world->messages.notes.is_short = false;
  pthread_mutex_lock(&world->messages.lock);
  world->messages.is_lost = true;
  pthread_mutex_unlock(&world->messages.lock);
}

char *ddr_take_notes(ddr_world *world) {
  char *notes = world->messages.notes.chars;
  world->messages.notes = (ddr_text){0};
  return notes;
}
