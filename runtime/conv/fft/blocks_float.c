/* blocks_float.c: transforms in float. */
#if defined(DDR_HAS_FFTW)
#include <fftw3.h>
#define REAL float
#define FFTW(name) fftwf_##name
#define CALLS ddr_fft_float
#endif
#include "runtime/conv/fft/blocks_set.h"
