/* Runs the squares as a library, and adds them up. */
#include <stdio.h>

#ifndef HEADER
#define HEADER "numbers.h"
#endif
#include HEADER

int main(void) {
  numbers_world_t *world = numbers_new_world();
  diderot_view_t view;
  int64_t sum = 0;
  if (!world || numbers_init_world(world) || numbers_create_strands(world)) return 1;
  if (numbers_run(world, 0) != 1 || numbers_output_view_x(world, &view)) return 1;
  for (size_t k = 0; k < view.shape[0]; k++)
    sum +=
        *(const int64_t *)(const void *)((const char *)view.data + (ptrdiff_t)k * view.strides[0]);
  printf("%d\n", (int)sum);
  numbers_shutdown(world);
  return 0;
}
