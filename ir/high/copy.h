/* Copies of functions, made block by block, in which a pass expands some calls or loops on the way:
 * a call becomes the body of its callee, a loop the bodies of its rounds.
 */
#pragma once

#include "frontend/base/map.h"
#include "ir/core/build.h"
#include "ir/pass/pass.h"

/* What a pass expands; NULL: nothing. */
typedef struct Expansions {
  bool (*calls)(const Func *callee);                   /* whether calls become the body */
  uint32_t (*rounds)(void *context, const Inst *loop); /* of a loop to be expanded; 0: it stays */
  void *context;
} Expansions;

/* Makes a copy of the function's blocks, which replaces them. Adds callees to `inlined`, the same
 * one perhaps more than once. */
void copy_function(Pass *px, Func *fn, const Expansions *expansions, FuncVec *inlined);
