#include "driver/trace.h"

#include <time.h>

#include "frontend/base/file.h"
#include "frontend/base/text.h"
#include "ir/op/op.h"

struct Trace {
  Arena *arena;
  const Options *options;
  Text log, stats;
  struct timespec since; /* of the running step */
};

Trace *trace_new(Arena *a, const Options *options) {
  Trace *trace = NEW(a, Trace);
  *trace = (Trace){.arena = a, .options = options, .log = text_new(a), .stats = text_new(a)};
  timespec_get(&trace->since, TIME_UTC);
  return trace;
}

static double milliseconds_since(struct timespec *since) {
  const struct timespec start = *since;
  timespec_get(since, TIME_UTC);
  return 1e3 * (double)(since->tv_sec - start.tv_sec) +
         1e-6 * (double)(since->tv_nsec - start.tv_nsec);
}

static void count_ops(const Module *m, uint32_t counts[OP_COUNT]) {
  for (uint32_t i = 0; i < m->funcs.len; i++) {
    const BlockVec *blocks = &m->funcs.data[i]->blocks;
    for (uint32_t k = 0; k < blocks->len; k++)
      for (const Inst *inst = blocks->data[k]->first; inst; inst = inst->next) counts[inst->op]++;
  }
}

void trace_step(Trace *trace, const char *name, const Module *module_or_null) {
  uint32_t counts[OP_COUNT] = {0}, n = 0;
  if (!trace->options->given[OPT_VERBOSE] && !trace->options->given[OPT_LOG]) return;
  const double milliseconds = milliseconds_since(&trace->since);
  if (module_or_null) count_ops(module_or_null, counts);
  for (int op = 0; op < OP_COUNT; op++) n += counts[op];
  const char *size = module_or_null ? text_format(trace->arena, "  %u instructions", n) : "";
  if (trace->options->given[OPT_VERBOSE])
    fprintf(stderr, "%-16s %8.1f ms%s\n", name, milliseconds, size);
  text_addf(&trace->log, "%s%s\n", name, size);
}

void trace_note(Trace *trace, const char *subject, const char *text) {
  if (trace->options->given[OPT_VERBOSE]) fprintf(stderr, "%-16s %s\n", subject, text);
  text_addf(&trace->log, "%s  %s\n", subject, text);
}

void trace_ops(Trace *trace, const Module *module) {
  uint32_t counts[OP_COUNT] = {0};
  count_ops(module, counts);
  for (int op = 0; op < OP_COUNT; op++)
    if (counts[op] > 0)
      text_addf(&trace->stats, "%s %s %u\n", level_text(module->level), op_text((OpId)op),
                counts[op]);
}

/* Calls handle with each requested file and its text, up to the first error. */
static const char *for_each_file(Trace *trace, const char *base,
                                 const char *(*handle)(Arena *a, const char *, const char *)) {
  const struct {
    OptionId option;
    const char *suffix;
    const Text *text;
  } files[] = {{OPT_LOG, ".log", &trace->log}, {OPT_STATS, ".stats", &trace->stats}};
  const char *error = NULL;
  for (size_t i = 0; i < sizeof files / sizeof *files && !error; i++) {
    if (!trace->options->given[files[i].option]) continue;
    const char *path = text_format(trace->arena, "%s%s", base, files[i].suffix);
    error = handle(trace->arena, path, text_str(files[i].text));
  }
  return error;
}

static const char *obstacle(Arena *a, const char *path, const char *text) {
  (void)text;
  return file_obstacle(a, path);
}

const char *trace_obstacle(Trace *trace, const char *base) {
  return for_each_file(trace, base, obstacle);
}

const char *trace_write(Trace *trace, const char *base) {
  return for_each_file(trace, base, file_write_whole);
}
