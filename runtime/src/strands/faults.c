/* faults.c: mistakes with a defined result, which --debug reports as errors.
 *
 * The text of a visit holds the first fault of a strand; a visit keeps that of its lowest slot, and
 * a phase that of all visits, so the message does not depend on which ran first.  Global code runs
 * alone.
 * Read next: ir/high/insert_checks.c, which has them made.
 */
#include "phases.h"

static void describe(ddr_text *what, const ddr_fault *fault) {
  if (fault->kind == FAULT_DIVISOR) {
    ddr_put_string(what, "an int is divided by zero");
    return;
  }
  ddr_put_string(what, "the index ");
  ddr_put_int(what, fault->idx);
  if (fault->length == 0) {
    ddr_put_string(what, " is outside an empty sequence");
    return;
  }
  ddr_put_string(what, " is outside 0 to "); /* of a sequence, or along an axis of a tensor */
  ddr_put_int(what, fault->length - 1);
}

/* Names a strand of a grid by its iterators, any other by its number. */
static void describe_strand(ddr_text *text, const ddr_world *world, int64_t slot) {
  const ddr_strands *strands = &world->store->strands;
  int64_t n_inner = 1; /* strands for each value of the iterator */
  ddr_put_string(text, ", in strand ");
  if (world->program->is_collection) {
    ddr_put_int(text, slot);
    return;
  }
  for (uint32_t k = 0; k < world->program->rank; k++) n_inner *= strands->len[k];
  for (uint32_t k = 0; k < world->program->rank; k++) {
    n_inner /= strands->len[k];
    if (k > 0) ddr_put_string(text, ", ");
    ddr_put_int(text, strands->lo[k] + strands->step * (slot / n_inner % strands->len[k]));
  }
}

static void report(ddr_world *world, const ddr_fault *fault, bool is_global) {
  ddr_text what = {0};
  describe(&what, fault);
  if (!is_global) describe_strand(&what, world, fault->slot);
  ddr_error(world, "%s:%u.%u: %s", world->program->source, (unsigned)fault->line,
            (unsigned)fault->column, what.chars ? what.chars : "a check failed");
  ddr_text_clear(&what);
}

static void record(ddr_text *text, ddr_fault fault) {
  fault.slot = text->slot;
  if (text == &text->world->text) {
    if (!ddr_any_errors(text->world)) report(text->world, &fault, true);
  } else if (text->fault.kind == FAULT_NONE || fault.slot < text->fault.slot) {
    text->fault = fault;
  }
}

void ddr_check_index(ddr_text *text, int64_t idx, int64_t length, uint32_t line, uint32_t column) {
  if (idx >= 0 && idx < length) return;
  record(text,
         (ddr_fault){
             .kind = FAULT_INDEX, .idx = idx, .length = length, .line = line, .column = column});
}

void ddr_check_divisor(ddr_text *text, int64_t divisor, uint32_t line, uint32_t column) {
  if (divisor != 0) return;
  record(text, (ddr_fault){.kind = FAULT_DIVISOR, .line = line, .column = column});
}

void ddr_check_strand(ddr_text *text, int64_t slot) { text->slot = slot; }

bool ddr_has_fault(const ddr_text *text) {
  return text->fault.kind != FAULT_NONE && text->fault.slot == text->slot;
}

void ddr_fault_take(ddr_world *world, ddr_text *text) {
  if (text->fault.kind == FAULT_NONE) return;
  pthread_mutex_lock(&world->messages.lock);
  if (world->store->fault.kind == FAULT_NONE || text->fault.slot < world->store->fault.slot)
    world->store->fault = text->fault;
  pthread_mutex_unlock(&world->messages.lock);
  text->fault = (ddr_fault){0};
}

void ddr_fault_report(ddr_world *world) {
  if (world->store->fault.kind == FAULT_NONE) return;
  report(world, &world->store->fault, false);
  world->store->fault = (ddr_fault){0};
}
