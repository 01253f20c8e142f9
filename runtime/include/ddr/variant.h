/* variant.h: the kind of processors for which the C compiler compiles a program.
 *
 * The C compiler tells by macros which features it may use; the runtime checks that the processor
 * has them before it calls any function of the program.  A program that is compiled for several
 * kinds of processors is a chain of descriptors, each with a pointer to the next
 * (backend-c/compile/cc.c).
 *
 * Generated code alone includes this.  Read next: runtime/src/world/variant.c.
 */
#pragma once

#include "ddr/program.h"

/* 1 for a macro that is 1, and 0 for one that is not defined. The value is pasted to a name, and
 * only with 1 that name is a macro. */
#define DDR_IS_ONE(macro) DDR_IS_ONE_VALUE(macro)
#define DDR_IS_ONE_VALUE(value) DDR_IS_ONE_SHIFTED(DDR_SHIFT_##value)
#define DDR_IS_ONE_SHIFTED(shift) DDR_SECOND(shift 1, 0, )
#define DDR_SECOND(first, second, ...) second
#define DDR_SHIFT_1 0,

static const bool ddr_cpu_needs[DDR_CPU_COUNT + 1] = {
#define FEATURE(id, name, macro, ...) DDR_IS_ONE(macro),
#include "ddr/cpu.def"
    false};

/* Set by diderotc: the name of --arch, and the descriptor of the next compilation. */
#ifndef DDR_ARCH
#define DDR_ARCH NULL
#endif
#ifdef DDR_OTHER
extern const ddr_program DDR_OTHER;
#define DDR_OTHER_PROGRAM (&DDR_OTHER)
#else
#define DDR_OTHER_PROGRAM NULL
#endif

#define DDR_VARIANT                                                                                \
  { DDR_ARCH, ddr_cpu_needs, DDR_OTHER_PROGRAM }
