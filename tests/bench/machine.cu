/* machine.cu: the first GPU there is: its name, multiprocessors and clock in kHz, a line each.
 * Status 1 and one line on standard error when there is none.
 */
#include <stdio.h>

static int value(cudaDeviceAttr attribute) {
  int found = 0;
  return cudaDeviceGetAttribute(&found, attribute, 0) == cudaSuccess ? found : 0;
}

int main() {
  int n_devices = 0;
  cudaDeviceProp properties;
  cudaError_t error = cudaGetDeviceCount(&n_devices);
  if (error == cudaSuccess && n_devices > 0) error = cudaGetDeviceProperties(&properties, 0);
  if (error != cudaSuccess || n_devices == 0) {
    fprintf(stderr, "there is no usable GPU: %s\n", cudaGetErrorString(error));
    return 1;
  }
  printf("%s\n%d\n%d\n", properties.name, value(cudaDevAttrMultiProcessorCount),
         value(cudaDevAttrClockRate));
  return 0;
}
