/* What tests must notice: more shared memory than wrong/registers.txt allows. */
__global__ void kernel(const float *x, float *y) {
  __shared__ float all[256];
  all[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = all[255 - threadIdx.x];
}
