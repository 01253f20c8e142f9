/* blocks_double.c: transforms in double. */
#if defined(DDR_HAS_FFTW)
#include <fftw3.h>
#define REAL double
#define FFTW(name) fftw_##name
#define CALLS ddr_fft_double
#endif
#include "runtime/conv/fft/blocks_set.h"
