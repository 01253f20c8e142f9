/* register.h: the width of vector registers in bytes. It is decided here, when the C compiler knows
 * the processor, and not by diderotc.
 */
#pragma once

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define DDR_REGISTER_SIZE 64
#elif defined(__AVX__)
#define DDR_REGISTER_SIZE 32
#else
#define DDR_REGISTER_SIZE 16
#endif
