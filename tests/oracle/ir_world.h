/* ir_world.h: all strands of a program, superstep by superstep, by the evaluator: doc/language.md,
 * "Strands" and "Collections", word for word, with queries that try everybody. The oracle for what
 * strands know of each other, at every level. Read next: ir_eval.h.
 */
#pragma once

#include "tests/oracle/ir_eval.h"

typedef struct IrWorld IrWorld;

typedef enum { IR_ACTIVE, IR_NEW, IR_STABLE, IR_DEAD } IrStatus;

typedef struct IrStrand {
  IrStatus status;
  IrOutcome state;
} IrStrand;

/* Globals and the initial strands; the global start block. Inputs are set before. The evaluator is
 * the world's until it is freed; the world lives as long. */
IrWorld *ir_world_new(IrEval *eval);
/* The given strands, of which number `self` runs: for single functions. */
IrWorld *ir_world_of(IrEval *eval, const IrStrand *strands, uint32_t n, uint32_t self);
/* One superstep, the global update included; false when there is nothing to run. */
bool ir_world_step(IrWorld *world);
/* The living, in rank order. */
const IrStrand *ir_world_strands(const IrWorld *world, uint32_t *n);
/* Those that wait for the end of the superstep. */
const IrStrand *ir_world_born(const IrWorld *world, uint32_t *n);
