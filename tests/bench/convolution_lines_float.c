/* convolution_lines_float.c: lines of transforms in float. */
#define REAL float
#define FFTW(name) fftwf_##name
#define FFTW_LIBRARY "libfftw3f.so.3"
#define BENCH_LINE bench_line_of_floats
#include "convolution_lines_set.h"
