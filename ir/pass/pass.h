/* Pass: one transformation of one function, one file each, one row of passes.def each.
 *
 * A pass returns true when it changed the function. It never prints, reads options or calls another
 * pass; it reads properties of the target through px->target. The runner (run.c) provides the
 * analyses that a row of passes.def names, drops those that the pass does not keep, and verifies
 * the module, and the analyses that were kept, after every pass. Clean-up passes such as simplify
 * and dce are rows of a pipeline like all others.
 */
#pragma once

#include "ir/core/ir.h"

struct Target;
struct Dom;

typedef struct Pass {
  Cx *cx;
  Module *module;
  const struct Target *target;
  const struct Dom *dom; /* of the current function when the row says NEED_DOM, else NULL */
} Pass;

typedef bool PassFn(Pass *px, Func *fn);

enum { NEED_NONE = 0, NEED_DOM = 1 };
enum { KEEP_NONE = 0, KEEP_DOM = 1 };

typedef enum {
#define PASS(id, ...) PASS_##id,
#include "ir/pass/passes.def"
  PASS_COUNT
} PassId;

#define PASS(id, ...) PassFn pass_##id;
#include "ir/pass/passes.def"

const char *pass_name(PassId id);   /* with hyphens: "share-probes" */
PassId pass_find(const char *name); /* PASS_COUNT when unknown */
uint32_t pass_from(PassId id);      /* bit set of Level */
const char *pass_meaning(PassId id);

/* Options of a run. A NULL pointer means none. */
typedef struct RunOptions {
  const bool *disabled;   /* [PASS_COUNT], or NULL; passes to another level run all the same */
  const bool *dump_after; /* [PASS_COUNT], or NULL: dump receives the IR text */
  void (*dump)(void *context, PassId after, const char *text);
  void (*after)(void *context, PassId id, const Module *m); /* after every pass; or NULL */
  void *context;
} RunOptions;

/* Runs one pass over all functions; a level change (from != to) is complete afterwards. */
void run_pass(Cx *cx, Module *m, PassId id, const struct Target *target, const RunOptions *options);
/* The whole pipeline, from the module's level down to another. */
void run_pipeline(Cx *cx, Module *m, Level to, const struct Target *target,
                  const RunOptions *options);
