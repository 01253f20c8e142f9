/* DiagDocument: what --diagnostics=json and sarif print, one JSON document for all files of a
 * command. Each file's messages come as lines, as diag_print_all prints them in that style.
 */
#pragma once

#include "frontend/base/diag.h"
#include "frontend/base/vec.h"

typedef struct DiagDocument {
  DiagStyle style;     /* DIAG_JSON or DIAG_SARIF */
  const char *version; /* of the compiler */
  int status;          /* with which it ends */
  VEC(const char *) files;
  VEC(const char *) lines;  /* about programs */
  const char *usage_lines;  /* about the command line, or NULL */
  const char *failed_lines; /* about files at which the compiler itself failed, or NULL */
} DiagDocument;

const char *diag_document(Arena *a, const DiagDocument *document);
