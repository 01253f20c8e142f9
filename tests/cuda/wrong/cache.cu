/* What tests must notice: samples, which generated code reads by DDR_ROW4_LOAD, read otherwise. */
__global__ void kernel(float *x) { x[threadIdx.x] += x[threadIdx.x + 1]; }
