/* Cc: running the C compiler and putting files in place: for cc.c (executables), cc_library.c and
 * backend-cuda/device_cc.c. Functions that may fail return NULL or one
 * line saying why.
 */
#pragma once

#include "frontend/base/process.h"
#include "frontend/base/text.h"
#include "ir/target.h"

const char *cc_setting(const char *variable); /* of the environment; NULL when empty */

void cc_push(Cx *cx, ArgVec *args, const char *const *list);
/* Of the words for ranks: our archive, or the libraries of MPI, with which only libraries of
 * programs are linked. */
void cc_push_ranks(Cx *cx, const BuildJob *job, bool are_archives, ArgVec *args);
/* Of compiling, for one of the job's variants or with NULL for any processor, and of linking. */
ArgVec cc_common_arguments(Cx *cx, const BuildJob *job, const BuildVariant *variant);

/* Runs a tool of that description; what it prints goes to the file output, if there is one. */
const char *cc_run(Cx *cx, const ArgVec *args, const BuildJob *job, const char *what,
                   const char *output);
const char *cc_compile(Cx *cx, const BuildJob *job, const BuildVariant *variant, const char *source,
                       const char *object);
/* The program, for every variant: adds the objects, which lie beside the source. */
const char *cc_compile_variants(Cx *cx, const BuildJob *job, const char *source, ArgVec *objects);
/* One object of several, and of what they need of archives among them; the list ends in NULL. */
const char *cc_join(Cx *cx, const BuildJob *job, const char *const *objects, const char *joined);
const char *cc_put(Cx *cx, const char *made, const char *wanted); /* wanted may be NULL */

/* Runs `make` in a private folder, with signals held back; says first what could not be put in
 * place afterwards. */
typedef const char *CcMake(Cx *cx, const BuildJob *job, const char *folder);
const char *cc_build_in_private(Cx *cx, const BuildJob *job, CcMake *make);

/* NULL if the tool `name`, whatever that is, made it. */
const char *cc_missing(Cx *cx, const char *what, const char *name, const char *made);

const char *cc_build(Cx *cx, const BuildJob *job); /* Target.build */
const char *cc_build_ranks(Cx *cx, const BuildJob *job);

/* Why nothing for several ranks can be made; NULL: it can. */
const char *cc_missing_ranks(const BuildJob *job);
const char *cc_identify(Cx *cx, const BuildJob *job, const char **error);

/* All that the job asks for, in such a folder, then in its place: a CcMake. */
const char *cc_make(Cx *cx, const BuildJob *job, const char *folder);
const char *cc_make_library(Cx *cx, const BuildJob *job, const char *folder);
