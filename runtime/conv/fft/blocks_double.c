/* blocks_double.c: transforms in double. */
#define REAL double
#define FFTW(name) fftw_##name
#define FFTW_LIBRARY "libfftw3.so.3"
#define CALLS ddr_fft_double
#include "runtime/conv/fft/blocks_set.h"
