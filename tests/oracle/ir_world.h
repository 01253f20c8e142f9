/* ir_world.h: runs all strands of a program, superstep by superstep, with the evaluator. It follows
 * doc/language.md, "Strands" and "Collections", literally, and its queries try every strand. It is
 * the oracle for what strands see of each other, at every level. Read next: ir_eval.h.
 */
#pragma once

#include "tests/oracle/ir_eval.h"

typedef struct IrWorld IrWorld;

typedef enum { IR_ACTIVE, IR_NEW, IR_STABLE, IR_DEAD } IrStatus;

typedef struct IrStrand {
  IrStatus status;
  IrOutcome state;
} IrStrand;

/* Runs the globals, creates the initial strands, and runs the global start block. Inputs must be
 * set before. The world uses the evaluator, and lives until that is freed. */
IrWorld *ir_world_new(IrEval *eval);
/* A world of the given strands, of which number `self` runs: for single functions. */
IrWorld *ir_world_of(IrEval *eval, const IrStrand *strands, uint32_t n, uint32_t self);
/* Runs one superstep, including the global update; false: there is nothing to run. */
bool ir_world_step(IrWorld *world);
/* The living strands, in rank order. */
const IrStrand *ir_world_strands(const IrWorld *world, uint32_t *n);
/* New strands, which wait for the end of the superstep. */
const IrStrand *ir_world_born(const IrWorld *world, uint32_t *n);
