/* Check: from the syntax tree to the typed tree; the last place where the user can be wrong.
 * Pipeline: Ast -> **check** -> typed tree -> ir/high/from_tast. Next: tast.h for the result,
 * local.h for how the files of this component share their work.
 */
#pragma once

#include "frontend/check/record.h"
#include "frontend/syntax/ast.h"
#include "frontend/tast/tast.h"

/* --CNAME=VALUE of the command line. The last one of a name counts. */
typedef struct ConstOverride {
  const char *name, *value;
} ConstOverride;

/* What the header of an image file says. */
typedef struct ImageProbe {
  bool exists;
  bool is_unknown;              /* the file could not be looked at: no mistake is reported */
  const char *problem;          /* why it cannot be read, else NULL */
  const char *unsupported_kind; /* an axis kind that images cannot have, else NULL */
  uint32_t dim;                 /* spatial axes */
  uint64_t n_values;            /* values per sample */
  const char *sample_type;      /* as headers name it, or NULL */
  const char *value_kind;       /* the kind with which axis 0 would hold values; or NULL */
  uint64_t first_size;
  uint32_t n_axes;
  const char *placement; /* sizes, and where samples are, for people; or NULL */
} ImageProbe;

/* Services from outside the front end. A member may be NULL: then the images that the program loads
 * are not looked at. */
typedef struct CheckHost {
  void *state;
  ImageProbe (*probe_image)(void *state, Arena *arena, const char *file);
} CheckHost;

typedef struct CheckOptions {
  const ConstOverride *overrides;
  uint32_t n_overrides;
  CheckHost host;
  bool makes_nothing; /* nothing is compiled: images need not exist yet */
  Record *record;     /* filled; or NULL */
} CheckOptions;

/* Types the program, reports every mistake and warning of frontend/base/diag.def that needs types,
 * and folds its constants. options may be NULL. Returns NULL when an error was reported (by
 * whatever stage). */
TProgram *check(Cx *cx, const Ast *program, const CheckOptions *options);
