#include <stdio.h>

#include "gpu-cubes.h"

/* The name of the device, then the output. */
int main(void) {
  gpu_cubes_world_t *world = gpu_cubes_new_world();
  diderot_view_t cubes;
  if (!world || gpu_cubes_init_world(world) || gpu_cubes_set_gpu(world, "required", 0)) return 1;
  if (gpu_cubes_create_strands(world) || gpu_cubes_run(world, 0) != 1) return 1;
  if (gpu_cubes_output_view_x(world, &cubes)) return 1;
  printf("%s:", gpu_cubes_get_gpu(world));
  for (size_t k = 0; k < cubes.shape[0]; k++)
    printf(" %d", *(const int *)((const char *)cubes.data + (ptrdiff_t)k * cubes.strides[0]));
  puts("");
  gpu_cubes_shutdown(world);
  return 0;
}
