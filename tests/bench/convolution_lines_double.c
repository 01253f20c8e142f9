/* convolution_lines_double.c: lines of transforms in double. */
#define REAL double
#define FFTW(name) fftw_##name
#define FFTW_LIBRARY "libfftw3.so.3"
#define BENCH_LINE bench_line_of_doubles
#include "convolution_lines_set.h"
