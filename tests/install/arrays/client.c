/* A client of libddr-array in C: views of memory of its own, a reduction, a convolution, an error.
 */
#include <stdio.h>

#include <ddr/array.h>

int main(void) {
  float memory[12], smooth[3] = {0};
  const int64_t len[] = {3, 4}, taps_len[] = {3}, line_len[] = {3};
  const float taps[] = {0.25f, 0.5f, 0.25f};
  ddr_layout layout;
  ddr_ndview x, turned, column;
  ddr_number sum;
  for (int k = 0; k < 12; k++) memory[k] = (float)k;
  if (ddr_layout_packed(2, len, &layout)) return 1;
  if (ddr_ndview_wrap(DDR_ELEMENT_FLOAT, memory, &layout, DDR_HOST, NULL, &x)) return 1;
  if (ddr_reduce_sum(&x, NULL, &sum)) return 1;
  if (ddr_ndview_flip(&x, 0, &turned) || ddr_ndview_fix(&turned, 1, 3, &column)) return 1;
  printf("sum %g, last", sum.re);
  for (int64_t k = 0; k < 3; k++) {
    void *element;
    if (ddr_ndview_at(&column, 1, &k, &element)) return 1;
    printf(" %g", *(float *)element);
  }

  /* the mode that is cheaper, whether FFTW is there or not */
  const int64_t row_len[] = {5};
  float row[] = {2, 4, 6, 8, 10};
  ddr_conv_task *task =
      ddr_conv_task_new(DDR_CORRELATION, 1, taps_len, row_len, line_len, DDR_ELEMENT_FLOAT);
  union {
    const float *constant;
    float *plain;
  } its_taps = {taps};
  const ddr_conv_array kernel = {its_taps.plain, 3, {1}}, y = {row, 5, {1}}, z = {smooth, 3, {1}};
  ddr_conv_task_set_mode(task, &ddr_conv_auto);
  ddr_conv_task_set_start(task, (const int64_t[]){0});
  ddr_conv_task_bind_x(task, &kernel);
  if (ddr_conv_task_exec(task, NULL, &y, &z)) return 1;
  ddr_conv_task_delete(task);
  printf(", smooth %g %g %g", (double)smooth[0], (double)smooth[1], (double)smooth[2]);
  printf(", ENULL: %s\n", ddr_array_status_text(ddr_transform_add(&x, NULL, &x, 1)));
  ddr_ndview_release(&column);
  ddr_ndview_release(&turned);
  ddr_ndview_release(&x);
  return 0;
}
