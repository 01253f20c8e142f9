/* prints.c: passes print statements to the world's printer.
 *
 * A statement is collected in a ddr_text and printed as a whole; that of a strand waits until all
 * earlier blocks have ended.  Running out of memory is recorded here.
 * Read next: strands/blocks.c, which lets strands print in rank order.
 */
#include "prints.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "world.h"

static bool print_to_stdout(void *data, const char *text) {
  (void)data;
  return fputs(text, stdout) == EOF || fflush(stdout) == EOF;
}

void ddr_set_printer(ddr_world *world, ddr_printer *printer, void *data) {
  world->prints.printer = printer ? printer : print_to_stdout;
  world->prints.data = data;
}

ddr_text *ddr_world_text(ddr_world *world) { return &world->text; }

bool ddr_text_has_turn(const ddr_text *text) {
  return text->ticket == 0 || text->ticket == atomic_load(&text->world->prints.turn);
}

/* A printer that has failed is not called again. */
static bool print(ddr_world *world, const char *statement) {
  ddr_prints *prints = &world->prints;
  if (prints->is_lost) return false;
  if (prints->is_mute) return true;
  errno = 0;
  atomic_store(&prints->thread, ddr_thread_number());
  const bool has_failed = prints->printer(prints->data, statement);
  atomic_store(&prints->thread, 0);
  if (!has_failed) {
    prints->n_bytes += strlen(statement);
    return true;
  }
  ddr_error(world, "cannot write printed text%s%s", errno ? ": " : "",
            errno ? strerror(errno) : "");
  prints->is_lost = true;
  return false;
}

bool ddr_text_print(const ddr_text *text, size_t begin, size_t end) {
  for (size_t at = begin; at < end; at += strlen(text->chars + at) + 1) {
    if (!print(text->world, text->chars + at)) return false;
  }
  return true;
}

void ddr_text_release(ddr_text *text) {
  ddr_text_print(text, 0, text->n_held);
  text->len = text->n_held = 0;
}

/* After a failure, text of global code is discarded; it may be wrong. */
void ddr_print_end(ddr_text *text) {
  ddr_world *world = text->world;
  if (!text->is_short) ddr_text_append(text, "", 1); /* the NUL ends the statement */
  if (text->is_short) ddr_error(world, "out of memory in a print statement");
  if (text->is_short || (text == &world->text && ddr_any_errors(world))) {
    text->len = text->n_held;
    text->is_short = false;
  }
  text->n_held = text->len;
  if (ddr_text_has_turn(text)) ddr_text_release(text);
}
