/* variant.h: which compilation of a program runs on this processor.  No function of a program may
 * be called before that is known. */
#pragma once

#include "cpu.h"

/* The one that makes most of what the processor has, or the one that $DIDEROT_ARCH names; NULL when
 * it cannot run.  `program` leads the chain. */
const ddr_program *ddr_variant_choose(const ddr_program *program, const ddr_cpu *cpu);

/* Why there was none to choose, in fresh memory: "this executable needs ..", where `what` is the
 * word for it; NULL when memory is short. */
char *ddr_variant_refusal(const ddr_program *program, const ddr_cpu *cpu, const char *what);
