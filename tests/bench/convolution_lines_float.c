/* convolution_lines_float.c: lines of transforms in float. */
#include <fftw3.h>
#define REAL float
#define FFTW(name) fftwf_##name
#define BENCH_LINE bench_line_of_floats
#include "convolution_lines_set.h"
