/* blocks_float.c: transforms in float. */
#define REAL float
#define FFTW(name) fftwf_##name
#define FFTW_LIBRARY "libfftw3f.so.3"
#define CALLS ddr_fft_float
#include "runtime/conv/fft/blocks_set.h"
