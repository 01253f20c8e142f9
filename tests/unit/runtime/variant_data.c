/* Descriptors that are each compiled for one kind of processor, by compiler options; see
 * runtime/CMakeLists.txt. They are only data: any processor may read them. */
#include "ddr/variant.h"

const ddr_program ddr_program_main = {.variant = DDR_VARIANT};
