/* Cc: runs the C compiler and moves files into place: for cc.c (executables), cc_library.c and
 * backend-cuda/device_cc.c. Functions that may fail return NULL or one line saying why.
 */
#pragma once

#include "frontend/base/process.h"
#include "frontend/base/text.h"
#include "ir/target.h"

const char *cc_setting(const char *variable); /* of the environment; NULL when empty */

void cc_push(Cx *cx, ArgVec *args, const char *const *list);
/* Adds the arguments for ranks: our archive, or the libraries of MPI, which are only linked into
 * libraries of programs. */
void cc_push_ranks(Cx *cx, const BuildJob *job, bool are_archives, ArgVec *args);
/* Arguments for compiling one of the job's variants, or with NULL for any processor, and for
 * linking. */
ArgVec cc_common_arguments(Cx *cx, const BuildJob *job, const BuildVariant *variant);

/* Runs a tool, described by `what`; its output goes to the file `output`, if that is not NULL. */
const char *cc_run(Cx *cx, const ArgVec *args, const BuildJob *job, const char *what,
                   const char *output);
const char *cc_compile(Cx *cx, const BuildJob *job, const BuildVariant *variant, const char *source,
                       const char *object);
/* Compiles the program for every variant, and adds the objects, which are beside the source. */
const char *cc_compile_variants(Cx *cx, const BuildJob *job, const char *source, ArgVec *objects);
/* Joins objects, and what they need from archives among them, into one; the list ends with NULL. */
const char *cc_join(Cx *cx, const BuildJob *job, const char *const *objects, const char *joined);
const char *cc_put(Cx *cx, const char *made, const char *wanted); /* wanted may be NULL */

/* Runs `make` in a private folder, with signals held back; first reports if results could not be
 * moved into place afterwards. */
typedef const char *CcMake(Cx *cx, const BuildJob *job, const char *folder);
const char *cc_build_in_private(Cx *cx, const BuildJob *job, CcMake *make);

/* NULL if the tool `name` has made the file; otherwise the error. */
const char *cc_missing(Cx *cx, const char *what, const char *name, const char *made);

const char *cc_build(Cx *cx, const BuildJob *job); /* Target.build */
const char *cc_build_ranks(Cx *cx, const BuildJob *job);

/* Why programs for several ranks cannot be made; NULL: they can. */
const char *cc_missing_ranks(const BuildJob *job);
const char *cc_identify(Cx *cx, const BuildJob *job, const char **error);

/* Makes all results of the job in such a folder and moves them into place: a CcMake. */
const char *cc_make(Cx *cx, const BuildJob *job, const char *folder);
const char *cc_make_library(Cx *cx, const BuildJob *job, const char *folder);
