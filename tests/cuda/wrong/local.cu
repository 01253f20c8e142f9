/* What tests must notice: an array whose index is known at run time only. */
__global__ void kernel(float *x, int n) {
  float square[16];
  for (int k = 0; k < 16; k++) square[k] = x[k] * x[k];
  x[0] = square[n];
}
