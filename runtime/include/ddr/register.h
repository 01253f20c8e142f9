/* register.h: how wide vector registers are, in bytes: decided here and not by the compiler of the
 * program.
 */
#pragma once

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define DDR_REGISTER_SIZE 64
#elif defined(__AVX__)
#define DDR_REGISTER_SIZE 32
#else
#define DDR_REGISTER_SIZE 16
#endif
