/* What tests must notice: a warning. */
__global__ void kernel(float *x) {
  const int unused = 3;
  x[threadIdx.x] = 1;
}
