/* strings.cu: the characters of strings in globals, copied to the device.
 *
 * A copy stays as long as the device, since a strand may keep its address.  There are few copies:
 * all strings come from the program's text and its inputs.
 */
#include <stdlib.h>
#include <string.h>

#include "runtime/cuda/check.h"

static const char *reserve_one(ddr_device *device) {
  if (device->n_string_copies < device->string_capacity) return NULL;
  const uint32_t capacity = 2 * device->string_capacity + 8;
  void *grown = realloc(device->strings, capacity * sizeof *device->strings);
  if (!grown) return "out of memory";
  device->strings = (ddr_string_copy *)grown;
  device->string_capacity = capacity;
  return NULL;
}

static const char *copy_string(ddr_device *device, const char *host, char **copy) {
  const size_t n_bytes = strlen(host) + 1;
  const char *error = reserve_one(device);
  if (error) return error;
  ddr_string_copy *made = &device->strings[device->n_string_copies];
  error = ddr_device_allocate(device, (void **)&made->device, n_bytes);
  if (error) return error;
  made->host = host;
  device->n_string_copies++;
  *copy = made->device;
  return ddr_device_copy(device, made->device, host, n_bytes);
}

static const char *find_copy(ddr_device *device, const char *host, char **copy) {
  for (uint32_t k = 0; k < device->n_string_copies; k++) {
    *copy = device->strings[k].device;
    if (strcmp(device->strings[k].host, host) == 0) return NULL;
  }
  return copy_string(device, host, copy);
}

static const char *replace(ddr_device *device, char *field) {
  char *string;
  memcpy(&string, field, sizeof string);
  const char *error = string ? find_copy(device, string, &string) : NULL;
  memcpy(field, &string, sizeof string);
  return error;
}

const char *ddr_strings_replace(ddr_device *device, char *globals) {
  const ddr_device_program *program = device->program->device;
  const char *error = NULL;
  for (uint32_t k = 0; k < program->n_strings; k++) {
    const ddr_column *column = &program->strings[k];
    for (uint32_t at = 0; at < column->size && !error; at += (uint32_t)sizeof(char *))
      error = replace(device, globals + column->offset + at);
  }
  return error;
}

void ddr_strings_free(ddr_device *device) { free(device->strings); }
