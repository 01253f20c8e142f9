/* What tests must notice: arithmetic in doubles. */
__global__ void kernel(float *x) { x[threadIdx.x] = (float)(x[threadIdx.x] * 1.1); }
