/* FFTW is loaded, or not, as its header would have it. */
#define _GNU_SOURCE /* dladdr, setenv */
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REAL double
#define FFTW(name) fftw_##name
#include "runtime/conv/conv.h"
#include "runtime/conv/fft/fftw.h"
#include "tests/unit/test.h"

#if defined(DDR_HAS_FFTW_HEADER)

enum { FORWARD = FFTW_FORWARD, BACKWARD = FFTW_BACKWARD, ESTIMATE = FFTW_ESTIMATE };
#include <fftw3.h>
_Static_assert(FORWARD == FFTW_FORWARD && BACKWARD == FFTW_BACKWARD && ESTIMATE == FFTW_ESTIMATE,
               "the numbers of fftw3.h");
/* Floats have the same functions, with another letter. */
#define CALL(result, name, arguments)                                                              \
  _Static_assert(_Generic(((Fftw *)NULL)->name, __typeof__(&FFTW(name)) : 1, default : 0), #name);
#include "runtime/conv/fft/fftw_calls.def"

#endif

typedef struct {
  double (*cos)(double x), (*sin)(double x);
} Functions;

static const char mathematics[] = "libm.so.6";
static const char *const functions[] = {"cos", "sin", NULL};

static void finds_libraries_of_the_system(void) {
  Functions found = {NULL, NULL};
  unsetenv("DIDEROT_FFTW");
  CHECK(ddr_fftw_load(mathematics, functions, &found));
  CHECK_NEAR(found.cos(0.5), cos(0.5), 0);
  CHECK_NEAR(found.sin(0.5), sin(0.5), 0);
  CHECK(!ddr_fftw_load("libnobody-has-this.so.3", functions, &found));
  setenv("DIDEROT_FFTW", "", 1);
  CHECK(ddr_fftw_load(mathematics, functions, &found));
}

static void finds_libraries_in_a_folder(void) {
  Functions found = {NULL, NULL};
  Dl_info info;
  char folder[4096];
  double (*const here)(double x) = cos;
  void *address;
  memcpy(&address, &here, sizeof address);
  if (!CHECK(dladdr(address, &info) != 0 && strlen(info.dli_fname) < sizeof folder)) return;
  strcpy(folder, info.dli_fname);
  if (!CHECK(strrchr(folder, '/') != NULL)) return;
  *strrchr(folder, '/') = '\0';
  setenv("DIDEROT_FFTW", folder, 1);
  CHECK(ddr_fftw_load(mathematics, functions, &found));
  CHECK_NEAR(found.cos(0.5), cos(0.5), 0);
  setenv("DIDEROT_FFTW", "/nowhere", 1);
  CHECK(!ddr_fftw_load(mathematics, functions, &found));
  memset(folder, 'a', sizeof folder - 1);
  folder[sizeof folder - 1] = '\0';
  setenv("DIDEROT_FFTW", folder, 1);
  CHECK(!ddr_fftw_load(mathematics, functions, &found));
}

static void needs_all_functions(void) {
  static const char *const some[] = {"cos", "a_function_of_no_library", NULL};
  Functions found = {NULL, NULL};
  unsetenv("DIDEROT_FFTW");
  CHECK(!ddr_fftw_load(mathematics, some, &found));
}

/* Once for a process: this comes last, and is what the first call finds. */
static void says_whether_it_is_there(void) {
  setenv("DIDEROT_FFTW", "/nowhere", 1);
  CHECK(!ddr_conv_has_fft());
  unsetenv("DIDEROT_FFTW");
  CHECK(!ddr_conv_has_fft());
}

int main(void) {
  RUN(finds_libraries_of_the_system);
  RUN(finds_libraries_in_a_folder);
  RUN(needs_all_functions);
  RUN(says_whether_it_is_there);
  return test_result();
}
