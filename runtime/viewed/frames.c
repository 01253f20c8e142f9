/* frames.c: frames of a run. A frame is two 32-bit numbers, least byte first: the sizes in bytes of
 * a head in JSON and of the values behind it, both multiples of 8. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "local.h"
#include "runtime/src/outputs/outputs.h"
#include "runtime/src/run/run.h"
#include "runtime/src/strands/store.h"
#include "runtime/src/trace/trace.h"
#include "runtime/src/world/values.h"

enum { MOST_TRACE = 1 << 26 };

static bool put(int wire, const void *bytes, size_t n) {
  const char *from = bytes;
  while (n > 0) {
    const ssize_t n_sent = send(wire, from, n, MSG_NOSIGNAL);
    if (n_sent < 0 && errno != EINTR) return false;
    if (n_sent > 0) from += n_sent, n -= (size_t)n_sent;
  }
  return true;
}

static size_t padded(size_t n) { return (n + 7) / 8 * 8; }

static bool put_head(int wire, ddr_text *head, size_t n_values) {
  while (head->len % 8 != 0) ddr_text_append(head, " ", 1);
  unsigned char sizes[8];
  for (int k = 0; k < 4; k++) {
    sizes[k] = (unsigned char)(head->len >> 8 * k);
    sizes[k + 4] = (unsigned char)(n_values >> 8 * k);
  }
  return !head->is_short && put(wire, sizes, sizeof sizes) && put(wire, head->chars, head->len);
}

bool frame_text(int wire, const char *kind, const char *name, const char *text) {
  ddr_text head = {0};
  json_format(&head, "{\"kind\":\"%s\",\"name\":", kind);
  ddr_text_json(&head, name);
  json_format(&head, ",\"text\":");
  ddr_text_json(&head, text);
  json_format(&head, "}");
  const bool is_sent = put_head(wire, &head, 0);
  ddr_text_clear(&head);
  return is_sent;
}

bool frame_errors(int wire, ddr_world *world) {
  char *errors = ddr_take_errors(world);
  const bool is_sent = frame_text(wire, "error", "", errors ? errors : "out of memory");
  free(errors);
  return is_sent;
}

bool frame_trace(int wire, ddr_world *world) {
  ddr_text head = {0}, trace = {0};
  ddr_trace_json(world, &trace);
  while (trace.len % 8 != 0 && !trace.is_short) ddr_text_append(&trace, " ", 1);
  bool is_good = !trace.is_short;
  if (is_good && trace.len > MOST_TRACE) {
    ddr_error(world, "the trace has %zu bytes, more than a page can hold", trace.len);
    is_good = false;
  }
  json_format(&head, "{\"kind\":\"trace\"}");
  const bool is_sent = is_good
                           ? put_head(wire, &head, trace.len) && put(wire, trace.chars, trace.len)
                           : frame_errors(wire, world) && false;
  ddr_text_clear(&head);
  ddr_text_clear(&trace);
  return is_sent;
}

/* --- outputs ---------------------------------------------------------------------------------- */

static size_t array_bytes(const ddr_array *array) {
  size_t n = array->element_size * (array->axis == DDR_AXIS_NONE ? 1 : array->n_components);
  for (uint32_t k = 0; k < array->rank; k++) n *= (size_t)array->len[k];
  return n;
}

/* A sequence is shown by its length. */
static bool collect(ddr_world *world, const ddr_output *output, ddr_selection selection,
                    ddr_array *array) {
  ddr_array elements = {0};
  if (ddr_output_fetch(world, output) != DDR_OK) return false;
  const char *why = output->kind == DDR_SEQUENCE
                        ? ddr_output_collect_sequences(world, output, selection, array, &elements)
                        : ddr_output_collect(world, output, selection, array);
  free(elements.data);
  if (why) ddr_error(world, "%s: %s", output->name, why);
  return !why;
}

/* For each strand of a collection a 64-bit number, by which a trace can name it. */
static bool collect_births(const ddr_world *world, ddr_selection selection, ddr_array *array) {
  const ddr_store *store = world->store;
  const int64_t n_slots = store->strands.n_slots;
  int64_t *births = malloc(((size_t)n_slots + 1) * sizeof *births);
  *array = (ddr_array){.kind = DDR_INT, .element_size = sizeof *births, .rank = 1, .data = births};
  for (int64_t slot = 0; births && slot < n_slots; slot++)
    if (selection == SELECT_ALIVE || store->strands.status[slot] == DDR_STABLE)
      births[array->len[0]++] = store->births[slot];
  return births != NULL;
}

static void put_array(ddr_text *head, const char *name, const ddr_array *array) {
  const char *letter = array->kind == DDR_REAL ? "f" : array->kind == DDR_INT ? "i" : "b";
  json_format(head, "{\"name\":");
  ddr_text_json(head, name);
  json_format(head, ",\"type\":\"%s%u\",\"n\":%u,\"shape\":[", letter,
              (unsigned)array->element_size,
              array->axis == DDR_AXIS_NONE ? 1U : (unsigned)array->n_components);
  for (uint32_t k = 0; k < array->rank; k++)
    json_format(head, "%s%lld", k > 0 ? "," : "", (long long)array->len[k]);
  json_format(head, "],\"bytes\":%zu}", array_bytes(array));
}

static void begin_head(ddr_text *head, ddr_world *world, FrameKind kind) {
  json_format(head, "{\"kind\":\"%s\",\"step\":%u,\"active\":%llu,\"stable\":%llu",
              kind == FRAME_LAST ? "last" : "step", (unsigned)world->store->n_steps,
              (unsigned long long)ddr_num_active(world), (unsigned long long)ddr_num_stable(world));
  json_format(head, ",\"thinning\":%u,\"seconds\":%.6f,\"outputs\":[",
              (unsigned)world->store->strands.step, ddr_run_seconds(world));
}

static bool put_values(int wire, const ddr_array *arrays, uint32_t n) {
  static const char zeros[8];
  bool is_sent = true;
  for (uint32_t k = 0; k < n && is_sent; k++) {
    const size_t n_bytes = array_bytes(&arrays[k]);
    is_sent = put(wire, arrays[k].data, n_bytes) && put(wire, zeros, padded(n_bytes) - n_bytes);
  }
  return is_sent;
}

/* All outputs, and behind them the births; the rest of the head. */
static bool collect_all(ddr_world *world, ddr_selection selection, ddr_text *head,
                        ddr_array *arrays, size_t *n_values) {
  const ddr_program *program = world->program;
  const uint32_t n = program->n_outputs;
  for (uint32_t k = 0; k < n; k++) {
    if (!collect(world, &program->outputs[k], selection, &arrays[k])) return false;
    if (k > 0) json_format(head, ",");
    put_array(head, program->outputs[k].name, &arrays[k]);
    *n_values += padded(array_bytes(&arrays[k]));
  }
  json_format(head, "]");
  if (program->is_collection) {
    if (!collect_births(world, selection, &arrays[n])) {
      ddr_error(world, "out of memory");
      return false;
    }
    json_format(head, ",\"births\":");
    put_array(head, "births", &arrays[n]);
    *n_values += array_bytes(&arrays[n]);
  }
  json_format(head, "}");
  if (*n_values <= UINT32_MAX / 2) return true;
  ddr_error(world, "the outputs have %zu bytes, more than a page can hold", *n_values);
  return false;
}

static bool put_frame(int wire, ddr_world *world, FrameKind kind, ddr_array *arrays) {
  const ddr_selection selection = kind == FRAME_LAST ? ddr_output_final(world) : SELECT_ALIVE;
  ddr_text head = {0};
  size_t n_values = 0;
  begin_head(&head, world, kind);
  const bool is_good = collect_all(world, selection, &head, arrays, &n_values);
  const bool is_sent = is_good ? put_head(wire, &head, n_values) &&
                                     put_values(wire, arrays, world->program->n_outputs + 1)
                               : frame_errors(wire, world) && false;
  ddr_text_clear(&head);
  return is_sent;
}

bool frame_outputs(int wire, ddr_world *world, FrameKind kind) {
  const uint32_t n = world->program->n_outputs;
  ddr_array *arrays = calloc(n + 1U, sizeof *arrays);
  if (!arrays) return false;
  const bool is_sent = put_frame(wire, world, kind, arrays);
  for (uint32_t k = 0; k <= n; k++) free(arrays[k].data);
  free(arrays);
  return is_sent;
}
