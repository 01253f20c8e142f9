/* fftw.h: FFTW, loaded when transforms are first asked for.
 *
 * Nothing is linked with FFTW, whose license would be that of all it becomes part of: a machine has
 * it or not.  Nor is its header needed: declared here is what version 3 has had since 2003, and
 * unit.conv.fftw compares it with that header.
 *
 * The including file defines REAL, and FFTW(name): fftw_name or fftwf_name.
 */
#pragma once

#include <stdbool.h>

/* Looks up the functions, a list that ends in NULL, in the library of that name: in the folder that
 * DIDEROT_FFTW names, else where the system finds it.  It stays loaded.  False: it is not there. */
bool ddr_fftw_load(const char *library, const char *const *functions, void *pointers);

#if defined(REAL)

typedef REAL Complex[2];
typedef struct FFTW(plan_s) * FftwPlan;

enum { FFTW_FORWARD = -1, FFTW_BACKWARD = 1, FFTW_ESTIMATE = 1 << 6 };

typedef struct Fftw {
#define CALL(result, name, arguments) result(*name) arguments;
#include "runtime/conv/fft/fftw_calls.def"
} Fftw;

#define FFTW_QUOTED(name) #name
#define FFTW_TEXT(name) FFTW_QUOTED(name)

static const char *const fftw_names[] = {
#define CALL(result, name, arguments) FFTW_TEXT(FFTW(name)),
#include "runtime/conv/fft/fftw_calls.def"
    0};

#endif
