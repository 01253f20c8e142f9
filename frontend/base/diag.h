/* Diag: everything the compiler says to its user about a program. Messages are collected,
 * sorted by position, counted and printed at the end of the compilation by diag_print.c.
 *
 * A message is one row of diag.def with typed holes, {name} {type} {text} {int}, filled in order:
 *   diag(cx, span, E_TYPE_MISMATCH, d_text("initializer"), d_type(want), d_type(found));
 *   diag_note(cx, decl_span, N_DECLARED_HERE, d_name(name));
 * Number and kind of the arguments must be those of the row's holes; anything else is a BUG.
 */
#pragma once

#include <stdio.h>

#include "frontend/base/cx.h"

typedef enum { SEV_ERROR, SEV_WARNING, SEV_REMARK, SEV_NOTE, SEV_HELP } Severity;

typedef enum {
#define DIAG(id, code, severity, text) id,
#include "frontend/base/diag.def"
  DIAG_COUNT
} DiagId;

typedef enum { DARG_TEXT, DARG_NAME, DARG_TYPE, DARG_INT, DARG_END } DiagArgKind;
typedef struct DiagArg {
  DiagArgKind kind;
  const char *text;
  int64_t value;
} DiagArg;

DiagArg d_text(const char *text);
DiagArg d_name(const Name *name);
DiagArg d_int(int64_t value);
DiagArg d_type_text(const char *text); /* d_type(cx, ty) of frontend/lang/type.h calls this */

typedef struct DiagList DiagList;

DiagList *diag_list_new(Arena *a);

/* Reports a message with as many DiagArg as its row has holes. Notes and helps belong to the
 * message reported before them and are printed after it. A second error with the same id and span
 * is dropped. */
#define diag(...) diag_report(__VA_ARGS__, DIAG_END)      /* (Cx *cx, Span span, DiagId id, ...) */
#define diag_note(...) diag_attach(__VA_ARGS__, DIAG_END) /* likewise */

#define DIAG_END ((DiagArg){.kind = DARG_END})
void diag_report(Cx *cx, Span span, DiagId id, ...);
void diag_attach(Cx *cx, Span span, DiagId id, ...);

/* Sets what happens to warnings that are reported from now on: one kind, or all (DIAG_COUNT). */
typedef enum { WARN, WARN_NEVER, WARN_AS_ERROR } DiagPolicy;
void diag_set_policy(Cx *cx, DiagId id, DiagPolicy policy);

/* Counts all errors that were reported, even if not all are shown. */
uint32_t diag_error_count(const Cx *cx);
bool diag_has_mistakes(const Cx *cx); /* errors other than warnings that count as errors */
/* More errors than are shown: time to stop looking for others. */
bool diag_has_enough(const Cx *cx);

/* Prints all collected messages sorted by position. The one-line form is
 *   [FILE:LINE.COL-COL2] Error: TEXT      [FILE:LINE.COL-LINE2.COL2] Error: TEXT
 *   [FILE] Error: TEXT                    (no position)
 * A warning is "Warning: TEXT [NAME]", with the NAME of diag_find_warning. FILE is as given by the
 * user; columns count characters from 1, and COL2 is inclusive. */
void diag_print_all(const Cx *cx, FILE *out, DiagStyle style);
/* The same as text, for DIAG_JSON and DIAG_SARIF. */
const char *diag_lines(const Cx *cx, DiagStyle style);
/* The stream for messages of a style: documents go to standard output, text to standard error. */
FILE *diag_stream(DiagStyle style);

/* Row lookups for the doc tables and tests. */
const char *diag_code(DiagId id); /* "E0301" */
Severity diag_severity(DiagId id);
const char *diag_template(DiagId id);
const char *diag_name(Arena *a, DiagId id); /* "type-mismatch" */
/* The warning of that name, "no-proxy" for W_NO_PROXY, or code, "W0505"; DIAG_COUNT for none. */
DiagId diag_find_warning(const char *name);
