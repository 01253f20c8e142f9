/* variant.h: chooses the variant (compilation) of a program for this processor.  No function of a
 * program may be called before that. */
#pragma once

#include "cpu.h"

/* The variant that uses most features of the processor, or the one that $DIDEROT_ARCH names; NULL
 * when it cannot run.  `program` is the first of the chain. */
const ddr_program *ddr_variant_choose(const ddr_program *program, const ddr_cpu *cpu);

/* Why no variant could be chosen, in fresh memory: "this executable needs ..", where `what` names
 * the kind of file; NULL when memory is short. */
char *ddr_variant_refusal(const ddr_program *program, const ddr_cpu *cpu, const char *what);
