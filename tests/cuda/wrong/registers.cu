/* What tests must notice: more registers than wrong/registers.txt allows. */
__global__ void kernel(const float *x, float *y) {
  float sum[24];
#pragma unroll
  for (int k = 0; k < 24; k++) sum[k] = x[k];
  __syncthreads();
#pragma unroll
  for (int k = 0; k < 24; k++) y[k] = sum[k] * sum[23 - k];
}
