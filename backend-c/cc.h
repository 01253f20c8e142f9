/* Cc: what cc.c (executables) and cc_library.c share. Functions that may fail return NULL or one
 * line saying why.
 */
#pragma once

#include "backend-c/local.h"
#include "frontend/base/process.h"

const char *cc_setting(const char *variable); /* of the environment; NULL when empty */
const char *cc_compiler(void);                /* may be several words */

void cc_push(Cx *cx, ArgVec *args, const char *const *list);
ArgVec cc_common_arguments(Cx *cx, const BuildJob *job); /* of compiling and linking */

/* Runs a tool of that description; what it prints goes to the file output, if there is one. */
const char *cc_run(Cx *cx, const ArgVec *args, const BuildJob *job, const char *what,
                   const char *output);
const char *cc_compile(Cx *cx, const BuildJob *job, const char *source, const char *object);
const char *cc_put(Cx *cx, const char *made, const char *wanted); /* wanted may be NULL */

const char *cc_build_library(Cx *cx, const BuildJob *job, const char *folder);
