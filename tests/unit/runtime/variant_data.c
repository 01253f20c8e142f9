/* Descriptors that are compiled for one kind of processors each, by options of the compiler; see
 * runtime/CMakeLists.txt. Data alone: any processor may read them. */
#include "ddr/variant.h"

const ddr_program ddr_program_main = {.variant = DDR_VARIANT};
