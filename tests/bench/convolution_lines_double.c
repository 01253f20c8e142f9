/* convolution_lines_double.c: lines of transforms in double. */
#include <fftw3.h>
#define REAL double
#define FFTW(name) fftw_##name
#define BENCH_LINE bench_line_of_doubles
#include "convolution_lines_set.h"
