/* Trace: what --verbose, --log and --stats tell of a compilation. The files say nothing of time, so
 * that the same program gives the same bytes.
 */
#pragma once

#include "driver/options.h"
#include "ir/core/ir.h"

typedef struct Trace Trace;

Trace *trace_new(Arena *a, const Options *options);
/* To be called at the end of a step; module: what it produced, whose size is noted. */
void trace_step(Trace *trace, const char *name, const Module *module_or_null);
void trace_note(Trace *trace, const char *subject, const char *text);
/* How often each op occurs, for --stats. */
void trace_ops(Trace *trace, const Module *module);
/* Both return NULL, or one line. */
/* Whether and why it cannot be written, asked beforehand. */
const char *trace_obstacle(Trace *trace, const char *base);
const char *trace_write(Trace *trace, const char *base); /* BASE.log and BASE.stats as asked */
