/* What tests must notice: an array whose index is known at run time only. For few elements ptxas
 * finds registers. */
__global__ void kernel(float *x, int n) {
  float square[256];
  for (int k = 0; k < 256; k++) square[k] = x[k] * x[k];
  x[0] = square[n];
}
