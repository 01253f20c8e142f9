# cuda.library: libraries as nvcc makes them, two of them in one program, from objects and as shared
# objects; the names in them are private, and what the description names is all that is left to link.
# Where there is no device the CPU does the work.
#   cmake -DDIDEROTC=... -DCC=... -DFLAGS=... -DPROGRAMS=tests/library -DTEEM=... -DFOLDER=... -P library.cmake
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
separate_arguments(flags UNIX_COMMAND "${FLAGS}")
set(ENV{DIDEROT_CFLAGS} "${FLAGS}")
foreach(name slope tally)
  execute_process(COMMAND ${DIDEROTC} --target=cuda --json --snapshot --warnings=none
      --namespace=${name} -o ${FOLDER}/${name}_lib ${PROGRAMS}/${name}.diderot
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND nm -g --defined-only ${FOLDER}/${name}_lib.o OUTPUT_VARIABLE names
    COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX REPLACE "[^\n]* ${name}_[a-z_]*\n" "" others "${names}")
  if(NOT others STREQUAL "")
    message(FATAL_ERROR "${name}_lib.o shows\n${others}")
  endif()
endforeach()
file(READ ${FOLDER}/tally_lib.json description)
string(JSON n LENGTH "${description}" libraries)
math(EXPR last "${n} - 1")
foreach(k RANGE ${last})
  string(JSON library GET "${description}" libraries ${k})
  list(APPEND libraries -l${library})
endforeach()
cmake_path(GET TEEM PARENT_PATH teem)
file(WRITE ${FOLDER}/client.c [=[
#include <stdio.h>
#include <stdlib.h>
#include "slope_lib.h"
#include "tally_lib.h"
static int fail(char *errors) { fputs(errors, stderr); free(errors); return 1; }
int main(void) {
  static float samples[8][8];
  diderot_view_t view = {.data = samples, .type = nrrdTypeFloat, .rank = 2}, steps, ages;
  view.shape[0] = view.shape[1] = 8;
  view.strides[0] = sizeof samples[0], view.strides[1] = sizeof(float);
  slope_world_t *slope = slope_new_world();
  tally_world_t *tally = tally_new_world();
  if (slope_init_world(slope) || slope_input_set_view_img(slope, &view, NULL, NULL) ||
      slope_create_strands(slope) || slope_run(slope, 0) != 4 ||
      slope_output_view_steps(slope, &steps)) return fail(slope_get_errors(slope));
  if (tally_init_world(tally) || tally_create_strands(tally) || tally_run(tally, 0) != 3 ||
      tally_output_view_age(tally, &ages)) return fail(tally_get_errors(tally));
  for (ptrdiff_t k = 0; k < 4; k++)
    printf("%d ", *(int *)((char *)steps.data + k * steps.strides[1]));
  for (ptrdiff_t k = 0; k < 5; k++)
    printf("%d ", *(int *)((char *)ages.data + k * ages.strides[0]));
  fprintf(stderr, "slope: %s, tally: %s\n", slope_get_gpu(slope), tally_get_gpu(tally));
  slope_shutdown(slope);
  tally_shutdown(tally);
  return 0;
}
]=])
foreach(suffix o so)
  execute_process(COMMAND ${CC} ${flags} client.c ./slope_lib.${suffix} ./tally_lib.${suffix}
      -L${teem} ${libraries} -o client-${suffix}
    WORKING_DIRECTORY ${FOLDER} COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ./client-${suffix}
    WORKING_DIRECTORY ${FOLDER} OUTPUT_VARIABLE found COMMAND_ERROR_IS_FATAL ANY)
  if(NOT found STREQUAL "1 2 3 4 1 2 3 3 3 ")
    message(FATAL_ERROR "client-${suffix}: ${found}")
  endif()
endforeach()
