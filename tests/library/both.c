/* Calls both libraries, as C and as C++ (headers.cmake). */
#include "field_lib.h"
#include "field_lib.h" /* NOLINT(readability-duplicate-include): once is as good as twice */
#include "swarm_lib.h"

bool both_fail(field_world_t *field, swarm_world_t *swarm);

bool both_fail(field_world_t *field, swarm_world_t *swarm) {
  float shift[2] = {0, 1};
  diderot_view_t view;
  return field_input_set_shift(field, shift) && field_output_view_value(field, &view) &&
         swarm_set_printer_cb(swarm, NULL, NULL) && swarm_run(swarm, 0) == 0;
}
