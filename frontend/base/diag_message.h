/* DiagMessage: a message of diag.h as data, for those who show messages in other ways. */
#pragma once

#include "frontend/base/diag.h"

#define DIAG_MAX_ARGS 6 /* one more than any row has holes */

typedef struct DiagMessage {
  DiagId id;
  Severity severity; /* that of its row, but for warnings that count as errors */
  Span span;
  const char *text;            /* holes filled */
  DiagArg args[DIAG_MAX_ARGS]; /* what fills them; DARG_END behind the last */
  const char *name;            /* for --no-warning; NULL: it is none of those */
  struct DiagMessage *notes;   /* notes and helps in the order they were reported */
  struct DiagMessage *next;    /* the next note of the same message */
} DiagMessage;

/* All that are kept, in the order in which they were reported. */
uint32_t diag_message_count(const Cx *cx);
const DiagMessage *diag_message_at(const Cx *cx, uint32_t i);
