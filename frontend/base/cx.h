/* Cx: the state of one compilation, handed to every stage. There are no mutable globals. */
#pragma once

#include "frontend/base/arena.h"
#include "frontend/base/name.h"
#include "frontend/base/source.h"

/* How messages are printed; frontend/base/diag.h. */
typedef enum {
  DIAG_FULL,  /* the one-line form, then excerpt, carets, notes and help */
  DIAG_PLAIN, /* the one-line form alone */
  DIAG_JSON,  /* a line for each: an object of the document in diag_document.h */
  DIAG_SARIF, /* likewise, a result of SARIF */
} DiagStyle;

typedef struct Cx {
  Arena *arena;   /* lives as long as the compilation */
  Arena *scratch; /* reset after each pass */
  NameTable *names;
  const char *file;        /* as the user gave it; NULL where there is none */
  const Source *source;    /* its text, what spans point into; NULL while it is not read */
  struct DiagList *diags;  /* frontend/base/diag.h */
  struct TypeTable *types; /* frontend/lang/type.h */
  struct Map *sigs;        /* frontend/lang/sig.h: signatures read so far */
  struct Map *kernels;     /* frontend/lang/kernel.h: those made of one for each axis so far */
  struct EinTable *eins;   /* ir/ein/ein.h: index expressions made so far */
  bool is_double;          /* real is double; else float */
  bool is_long_int;        /* int is 64-bit; else 32-bit */
  bool is_traced;          /* the program can tell what each line gave (--trace) */
  bool is_checked;         /* the program ends at mistakes that have a defined result (--debug) */
  bool is_noted;           /* mid-to-low writes down what accesses become (--dump=memory) */
  DiagStyle style;         /* --diagnostics */
  struct Escape *escape;   /* frontend/base/panic.h; NULL: bugs end the process */
  const char *running;     /* name of the running pass, for panics; NULL outside passes */
  const char *(*describe_state)(struct Cx *); /* IR text for a BUG report; may be NULL */
  const struct Module *module;                /* ir/core/ir.h: what passes run on, or NULL */
} Cx;

/* Arena, scratch, names, diags; types stays NULL until types_init (frontend/lang/type.h). */
Cx *cx_new(void);
void cx_free(Cx *cx);
