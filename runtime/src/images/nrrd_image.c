/* nrrd_image.c: reads a file as the image that a program requires.
 *
 * Read next: nrrd_normalize.c, nrrd_rows.c.
 */
#include "local.h"

typedef struct {
  const ddr_image_request *request;
  ddr_nrrd_image header; /* as normalised */
  ddr_rows rows;         /* when there is data */
} ImageCheck;

/* Picture formats do not mark their colour axis. */
static void name_colours(const ddr_nrrd_file *file) {
  static const int kinds[] = {
      [2] = nrrdKind2Vector, [3] = nrrdKindRGBColor, [4] = nrrdKindRGBAColor};
  NrrdAxisInfo *axis = file->nrrd->axis;
  if (file->nio->format->isImage && file->nrrd->dim == 3 && axis[0].kind == nrrdKindUnknown &&
      axis[0].size >= 2 && axis[0].size <= 4) {
    axis[0].kind = kinds[axis[0].size];
  }
}

/* VTK has an origin and distances, of which Teem makes minima and spacings.  The maxima are set
 * here, of cells since these have a size on axes of one sample, too; where they exist, this was
 * done already. */
static void place_vtk(const ddr_nrrd_file *file) {
  if (file->nio->format != nrrdFormatVTK) return;
  for (unsigned k = 0; k < file->nrrd->dim; k++) {
    NrrdAxisInfo *axis = &file->nrrd->axis[k];
    if (!AIR_EXISTS(axis->min) || !AIR_EXISTS(axis->spacing) || AIR_EXISTS(axis->max)) continue;
    axis->max = axis->min + axis->spacing * ((double)axis->size - 0.5);
    axis->min -= axis->spacing / 2;
    axis->center = nrrdCenterCell;
  }
}

static ddr_status check(const ddr_nrrd_file *file, void *data, ddr_reason *reason) {
  ImageCheck *wanted = data;
  name_colours(file);
  place_vtk(file);
  return ddr_nrrd_find_rows(file->nrrd, wanted->request, &wanted->header, &wanted->rows, reason);
}

ddr_status ddr_nrrd_find_rows(const Nrrd *nrrd, const ddr_image_request *request,
                              ddr_nrrd_image *header, ddr_rows *rows, ddr_reason *reason) {
  if (ddr_nrrd_is_frame(nrrd, request)) {
    return ddr_nrrd_frame(nrrd, request, header, rows, reason);
  }
  if (ddr_nrrd_normalize(nrrd, request, header, reason) != DDR_OK) return DDR_ERROR;
  if (nrrd->data) *rows = ddr_rows_of_nrrd(nrrd, header); /* without data, the sizes may overflow */
  return DDR_OK;
}

ddr_status ddr_nrrd_describe(const ddr_nrrd_image *header, ddr_image *image, ddr_reason *reason) {
  const ddr_grid *grid = &header->grid;
  *image = (ddr_image){.dim = grid->dim, .n_components = header->n_components};
  for (int axis = 0; axis < DDR_MAX_DIM; axis++) {
    image->size[axis] = axis < grid->dim ? grid->size[axis] : 1;
  }
  if (ddr_image_place(image, grid)) return DDR_OK;
  return ddr_refuse(reason,
                    "its space directions are singular (expected independent, finite ones)");
}

/* --- in place --------------------------------------------------------------------------------- */

/* From this size on, in bytes as reals, samples keep the type of the file: they take less memory
 * but longer to load, which pays where reals would not fit the caches.  The same rule decides
 * whether mapped samples stay in the file, since rows of a copy are aligned to cache lines. Without
 * AVX-512 it takes longer to convert them than to wait for reals that hardly fit: 1.17 to 1.24
 * times for 256^3 bytes, at most 1.08 for 320^3. */
#if defined(DDR_SMALL_SIZES)
enum { LEAST_KEPT = 0, LEAST_CONVERTED = 0 };
#else
enum { LEAST_KEPT = 64 << 20, LEAST_CONVERTED = 96 << 20 };
#endif

static double bytes_as_reals(const ddr_world *world, const ddr_nrrd_image *header) {
  double n_bytes = (double)world->program->real_size * header->n_components;
  for (int axis = 0; axis < header->grid.dim; axis++) n_bytes *= (double)header->grid.size[axis];
  return n_bytes;
}

static bool is_large(const ddr_world *world, const ddr_nrrd_image *header) {
  return bytes_as_reals(world, header) >= LEAST_KEPT;
}

/* Whether code that was compiled for reals can probe samples of other types, by copies of those
 * under a kernel (ddr/host/support.h).  That takes longer, so small images are converted. */
static bool reads_any_type(const ddr_world *world, const ddr_nrrd_image *header) {
  const bool *needs = world->program->variant.needs;
  const int least = needs && needs[DDR_CPU_AVX512F] ? LEAST_KEPT : LEAST_CONVERTED;
  const bool can_be_copied = header->grid.dim > 1 && header->n_components <= DDR_MOST_COPIED;
  return !world->program->device && can_be_copied && bytes_as_reals(world, header) >= least;
}

bool ddr_rows_can_stay(const ddr_world *world, const ddr_rows *rows, const ddr_nrrd_image *header,
                       ddr_sample wanted, ddr_stay *stay) {
  const int real = world->program->real_size == sizeof(float) ? nrrdTypeFloat : nrrdTypeDouble;
  const ddr_sample own = rows->type == real ? DDR_SAMPLE_REAL : ddr_nrrd_sample(rows->type);
  const bool is_read = rows->type == real || (own == wanted && own != DDR_SAMPLE_REAL);
  *stay = (ddr_stay){.in_place = own, .in_copy = is_read ? own : DDR_SAMPLE_REAL};
  if (!ddr_rows_are_loadable(rows, header)) return false;
  return is_read || (own != DDR_SAMPLE_REAL && reads_any_type(world, header));
}

ddr_status ddr_rows_borrow(const ddr_nrrd_image *header, const ddr_rows *rows, ddr_sample sample,
                           ddr_image_list *image, ddr_reason *reason) {
  if (ddr_nrrd_describe(header, &image->image, reason) != DDR_OK) return DDR_ERROR;
  for (int axis = 0; axis < header->grid.dim; axis++) {
    image->image.stride[axis] = rows->step[axis] / (ptrdiff_t)nrrdTypeSize[rows->type];
  }
  image->image.sample = sample;
  image->image.samples = rows->data;
  image->is_borrowed = true;
  return DDR_OK;
}

/* --- copies ----------------------------------------------------------------------------------- */

/* Samples of a type that the program was not compiled for become reals. */
static ddr_status fill(const ddr_rows *rows, const ddr_nrrd_image *header, size_t real_size,
                       ddr_image *image, ddr_reason *reason) {
  const bool is_real = image->sample == DDR_SAMPLE_REAL;
  const size_t sample_size = is_real ? real_size : nrrdTypeSize[rows->type];
  ddr_convert *convert =
      is_real ? ddr_nrrd_conversion(rows->type, real_size) : ddr_nrrd_copy(rows->type);
  void *samples = ddr_image_allocate(image, sample_size);
  image->samples = samples;
  if (!samples) return ddr_refuse(reason, "out of memory");
  return ddr_rows_convert(rows, header, convert, image, sample_size, samples, reason);
}

ddr_status ddr_nrrd_fill(ddr_world *world, const ddr_rows *rows, const ddr_nrrd_image *header,
                         ddr_sample kept, ddr_image *image, ddr_reason *reason) {
  if (ddr_nrrd_describe(header, image, reason) != DDR_OK) return DDR_ERROR;
  image->sample = kept;
  if (fill(rows, header, world->program->real_size, image, reason) == DDR_OK) return DDR_OK;
  ddr_image_clear(image);
  return DDR_ERROR;
}

/* --- files ------------------------------------------------------------------------------------ */

static ddr_status take_file(ddr_world *world, ddr_nrrd_file *file, const ImageCheck *wanted,
                            ddr_image_list *image, ddr_reason *reason) {
  const ddr_nrrd_image *header = &wanted->header;
  const bool large = is_large(world, header);
  ddr_rows rows = wanted->rows;
  ddr_stay stay;
  if (file->is_mapped) {
    rows.spare += file->spare;
    rows.mapping = &file->mapping;
  }
  const bool can_stay = ddr_rows_can_stay(world, &rows, header, wanted->request->sample, &stay);
  if (!can_stay || !large || !file->is_mapped)
    return ddr_nrrd_fill(world, &rows, header, large ? stay.in_copy : DDR_SAMPLE_REAL,
                         &image->image, reason);
  if (ddr_rows_borrow(header, &rows, stay.in_place, image, reason) != DDR_OK) return DDR_ERROR;
  image->mapping = file->mapping;
  file->mapping = (ddr_mapping){0};
  return DDR_OK;
}

static void tell(ddr_world *world, const ddr_image_request *request, const ImageCheck *wanted,
                 const ddr_image_list *image, size_t n_bytes) {
  const char *how = image->mapping.data ? "mapped, read where it is probed" : "read";
  if (!world->is_verbose) return;
  ddr_note(world, "%s: \"%s\": %zu bytes, %s", request->name, request->file, n_bytes, how);
  if (wanted->header.has_measurement_frame)
    ddr_note(world, "%s: \"%s\": the measurement frame is dropped", request->name, request->file);
}

/* Called once the data is read.  Samples of frames do not lie row by row: their rows were found
 * already. */
static ddr_status find_samples(ddr_nrrd_file *file, ImageCheck *wanted, ddr_reason *reason) {
  const bool is_frame = wanted->rows.step[DDR_X] != 0;
  if (!file->supply || is_frame) {
    if (ddr_nrrd_drain(file, reason) != DDR_OK) return DDR_ERROR;
    return check(file, wanted, reason);
  }
  wanted->rows = ddr_rows_of_nrrd(file->nrrd, &wanted->header);
  wanted->rows.supply = file->supply;
  return DDR_OK;
}

ddr_status ddr_nrrd_load(ddr_world *world, const ddr_image_request *request,
                         ddr_image_list *image) {
  ddr_reason reason = {0};
  ddr_nrrd_file file = {
      .name = request->file, .title = request->name, .spare = DDR_ROW_SLACK * sizeof(double)};
  ImageCheck wanted = {.request = request};
  size_t n_bytes = 0;
  ddr_status status = ddr_nrrd_read(&world->images->is_stdin_taken, &file, check, &wanted, &reason);
  if (status == DDR_OK) status = find_samples(&file, &wanted, &reason);
  if (status == DDR_OK) {
    n_bytes = nrrdElementNumber(file.nrrd) * nrrdElementSize(file.nrrd);
    status = take_file(world, &file, &wanted, image, &reason);
  }
  ddr_nrrd_close(&file);
  if (status == DDR_OK) {
    tell(world, request, &wanted, image, n_bytes);
    return DDR_OK;
  }
  return ddr_error(world, "%s: cannot load image \"%s\": %s", request->name, request->file,
                   reason.text);
}
