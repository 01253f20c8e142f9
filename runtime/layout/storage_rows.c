/* storage_rows.c: memory for rows of images, each beginning where loads are fast. */
#include <stdint.h>
#include <string.h>

#include "runtime/layout/pitch.h"
#include "runtime/layout/storage.h"

enum {
  VECTOR = 64,      /* bytes: the widest load of a host, and a cache line */
  DEVICE_ROW = 256, /* alignment of a device's rows if the device is not asked */
};

static size_t padded(size_t n, size_t align) { return (n + align - 1) / align * align; }

static ddr_array_status alloc_on_host(size_t n_bytes, ddr_storage *storage) {
  if (n_bytes > PTRDIFF_MAX - VECTOR) return DDR_ARRAY_EOVERFLOW;
  const ddr_array_status status = ddr_storage_alloc(n_bytes + VECTOR, VECTOR, DDR_HOST, storage);
  if (status == DDR_ARRAY_OK) memset(storage->data, 0, n_bytes + VECTOR);
  return status;
}

static ddr_array_status alloc_on_device(size_t row_bytes, size_t n_rows, size_t element_size,
                                        ddr_storage *storage, size_t *pitch) {
  ddr_array_device *device = ddr_array_device_in_use();
  void *data;
  if (!device) return DDR_ARRAY_ERESIDENCY;
  const ddr_array_status status =
      device->allocate_rows(device, row_bytes, n_rows, element_size, &data, pitch);
  if (status != DDR_ARRAY_OK) return status;
  return ddr_storage_own(device, DDR_PITCHED, data, *pitch * n_rows, storage);
}

ddr_array_status ddr_storage_alloc_rows(size_t row_bytes, size_t n_rows, size_t element_size,
                                        ddr_residency residency, ddr_storage *storage,
                                        size_t *pitch) {
  DDR_NEED(storage && pitch);
  if ((unsigned)residency > DDR_UNIFIED) return DDR_ARRAY_ERESIDENCY;
  if (element_size == 0) return DDR_ARRAY_ETYPE;
  const size_t align = residency == DDR_HOST ? ddr_pitch_row_align(row_bytes, VECTOR, element_size)
                                             : DEVICE_ROW; /* elements are powers of two */
  if (row_bytes == 0 || n_rows == 0) {
    DDR_TRY(ddr_storage_alloc(0, VECTOR, residency, storage));
    *pitch = padded(row_bytes, element_size);
    return DDR_ARRAY_OK;
  }
  if (row_bytes > PTRDIFF_MAX - align || n_rows > PTRDIFF_MAX / padded(row_bytes, align))
    return DDR_ARRAY_EOVERFLOW;
  if (residency == DDR_CUDA)
    return alloc_on_device(row_bytes, n_rows, element_size, storage, pitch);
  const size_t row = padded(row_bytes, align);
  DDR_TRY(residency == DDR_HOST ? alloc_on_host(row * n_rows, storage)
                                : ddr_storage_alloc(row * n_rows, VECTOR, residency, storage));
  *pitch = row;
  return DDR_ARRAY_OK;
}
