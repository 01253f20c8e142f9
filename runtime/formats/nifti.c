/* nifti.c: reads NIfTI-1 and NIfTI-2, plain or in gzip, into arrays of Teem.
 *
 * The first three axes are those of the grid. All others (time, vectors, matrices) become one axis
 * of components, the fastest.  If the header says so, samples are slope * stored + intercept, as
 * doubles. Read next: nifti_header.c, nifti_place.c.
 */
#include <math.h>
#include <string.h>

#include "runtime/formats/nifti_header.h"

/* --- what is stored --------------------------------------------------------------------------- */

static const struct {
  int datatype, type, n_colours;
} types[] = {
    {2, nrrdTypeUChar, 1},    {4, nrrdTypeShort, 1},     {8, nrrdTypeInt, 1},
    {16, nrrdTypeFloat, 1},   {64, nrrdTypeDouble, 1},   {128, nrrdTypeUChar, 3},
    {256, nrrdTypeChar, 1},   {512, nrrdTypeUShort, 1},  {768, nrrdTypeUInt, 1},
    {1024, nrrdTypeLLong, 1}, {1280, nrrdTypeULLong, 1}, {2304, nrrdTypeUChar, 4},
};

static const struct {
  int datatype;
  const char *name;
} others[] = {
    {1, "bits"},
    {32, "complex numbers"},
    {1536, "numbers of 128 bits"},
    {1792, "complex numbers"},
    {2048, "complex numbers"},
};

typedef struct {
  int type, n_colours; /* of stored samples */
  int rank;
  size_t size[3];
  size_t n_behind; /* the product of all axes behind these */
  int64_t offset;
  bool is_scaled;
  double slope, intercept;
} Contents;

static bool find_type(const NiftiHeader *nifti, Contents *contents, ddr_problem *problem) {
  const int datatype = (int)nifti_number(nifti, NIFTI_DATATYPE, 0);
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    if (types[k].datatype != datatype) continue;
    contents->type = types[k].type;
    contents->n_colours = types[k].n_colours;
    return true;
  }
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    if (others[k].datatype == datatype)
      return ddr_problem_say(problem, "its samples are %s (expected integers, float or double)",
                             others[k].name);
  }
  return ddr_problem_say(problem, "its NIfTI header has the unknown datatype %d", datatype);
}

static bool find_sizes(const NiftiHeader *nifti, Contents *contents, ddr_problem *problem) {
  const double n_axes = nifti_number(nifti, NIFTI_DIM, 0);
  double n_behind = 1;
  if (!(n_axes >= 1 && n_axes <= 7)) {
    return ddr_problem_say(problem, "its NIfTI header has %.0f axes (expected 1 to 7)", n_axes);
  }
  contents->rank = n_axes < 3 ? (int)n_axes : 3;
  for (int axis = 0; axis < (int)n_axes; axis++) {
    const double size = nifti_number(nifti, NIFTI_DIM, 1 + axis);
    if (!(size >= 1 && size < 1e15)) {
      return ddr_problem_say(problem, "axis %d of its NIfTI header has size %.0f", axis, size);
    }
    if (axis < 3) contents->size[axis] = (size_t)size;
    else n_behind *= size;
  }
  contents->n_behind = (size_t)n_behind;
  if (n_behind * contents->n_colours < 1 << 30) return true;
  return ddr_problem_say(problem, "its NIfTI header has %.3g components per sample", n_behind);
}

static bool find_samples(const NiftiHeader *nifti, Contents *contents, ddr_problem *problem) {
  const double offset = nifti_number(nifti, NIFTI_VOX_OFFSET, 0);
  const int least = nifti->version == 1 ? NIFTI_HEADER_1 : NIFTI_HEADER_2;
  if (nifti->is_pair) {
    return ddr_problem_say(problem, "it is the header of a pair of files (expected header and "
                                    "samples in one, such as .nii or .nii.gz)");
  }
  if (!(offset >= least && offset < 1e15 && offset == floor(offset))) {
    return ddr_problem_say(problem, "its samples begin at byte %g (expected at least %d)", offset,
                           least);
  }
  contents->offset = (int64_t)offset;
  contents->slope = nifti_number(nifti, NIFTI_SLOPE, 0);
  contents->intercept = nifti_number(nifti, NIFTI_INTERCEPT, 0);
  const bool is_scale = isfinite(contents->slope) && contents->slope != 0;
  contents->is_scaled =
      is_scale && contents->n_colours == 1 && (contents->slope != 1 || contents->intercept != 0);
  if (!contents->is_scaled || isfinite(contents->intercept)) return true;
  return ddr_problem_say(problem, "its intercept is %g", contents->intercept);
}

/* --- as an array of Teem ---------------------------------------------------------------------- */

enum { INTENT_SYMMETRIC = 1005 };

/* The lower triangle row by row, in the order of the upper one. */
static const int upper_3d[6] = {0, 1, 3, 2, 4, 5};

static int kind_of(const NiftiHeader *nifti, const Contents *contents) {
  static const int kinds[] = {
      [2] = nrrdKind2Vector, [3] = nrrdKind3Vector, [4] = nrrdKind4Vector, [9] = nrrdKind3DMatrix};
  const bool is_symmetric = nifti_number(nifti, NIFTI_INTENT, 0) == INTENT_SYMMETRIC;
  const size_t n = contents->n_behind;
  if (contents->n_colours > 1)
    return contents->n_colours == 3 ? nrrdKindRGBColor : nrrdKindRGBAColor;
  if (is_symmetric && n == 3) return nrrdKind2DSymMatrix;
  if (is_symmetric && n == 6) return nrrdKind3DSymMatrix;
  const int kind = n < sizeof kinds / sizeof *kinds ? kinds[n] : nrrdKindUnknown;
  return kind != nrrdKindUnknown ? kind : nrrdKindList;
}

/* Teem takes NaN in a direction or an origin to mean that there is none. */
static bool check_place(double place[4][3], int rank, ddr_problem *problem) {
  for (int col = 0; col < 4; col++) {
    for (int row = 0; row < 3; row++) {
      const double number = place[col][row];
      const bool is_read = col == 3 ? row < rank : col < rank;
      if (is_read && !isfinite(number))
        return ddr_problem_say(
            problem, "its NIfTI header places samples at %g (expected finite numbers)", number);
    }
  }
  return true;
}

/* A grid of fewer than three axes is placed in a space of as many dimensions, in which it must lie.
 */
static bool set_place(const NiftiHeader *nifti, int rank, Nrrd *header, ddr_problem *problem) {
  double place[4][3];
  nifti_place(nifti, place);
  if (!check_place(place, rank, problem)) return false;
  if (rank == 3) nrrdSpaceSet(header, nrrdSpaceRightAnteriorSuperior);
  else nrrdSpaceDimensionSet(header, (unsigned)rank);
  NrrdAxisInfo *first = &header->axis[header->dim - (unsigned)rank];
  for (int row = 0; row < 3; row++) {
    for (int axis = 0; axis < rank; axis++) {
      if (row < rank) first[axis].spaceDirection[row] = place[axis][row];
      else if (place[axis][row] != 0)
        return ddr_problem_say(problem, "its %d axes are not those of its space", rank);
    }
    if (row < rank) header->spaceOrigin[row] = place[3][row];
  }
  return true;
}

static bool set_header(const NiftiHeader *nifti, const Contents *contents, Nrrd *header,
                       ddr_problem *problem) {
  const int n_behind = (int)contents->n_behind;
  if (contents->n_colours > 1 && n_behind > 1) {
    return ddr_problem_say(problem, "it has %d colours per sample (expected 1)", n_behind);
  }
  header->type = contents->is_scaled ? nrrdTypeDouble : contents->type;
  format_set_axes(header, n_behind * contents->n_colours, kind_of(nifti, contents), contents->rank,
                  contents->size);
  return set_place(nifti, contents->rank, header, problem);
}

/* --- samples ---------------------------------------------------------------------------------- */

static double sample_bytes(const Contents *contents) {
  double n =
      (double)contents->n_behind * contents->n_colours * (double)nrrdTypeSize[contents->type];
  for (int axis = 0; axis < contents->rank; axis++) n *= (double)contents->size[axis];
  return n;
}

static ddr_supply *open_supply(const NiftiHeader *nifti, const Contents *contents, FILE *file,
                               const Nrrd *header, ddr_problem *problem) {
  const ddr_stored stored = {.file = file,
                             .offset = nifti->is_gzip ? 0 : contents->offset,
                             .skip = nifti->is_gzip ? contents->offset : 0,
                             .compression = nifti->is_gzip ? DDR_GZIP : DDR_UNCOMPRESSED,
                             .is_swapped = nifti->is_swapped,
                             .type = contents->type,
                             .n_bytes = sample_bytes(contents),
                             .is_scaled = contents->is_scaled,
                             .slope = contents->slope,
                             .intercept = contents->intercept};
  ddr_supply *supply = ddr_supply_stored(&stored, problem);
  if (!supply || contents->n_behind == 1) return supply;
  size_t n_voxels = 1;
  for (int axis = 0; axis < contents->rank; axis++) n_voxels *= contents->size[axis];
  const int *order = header->axis[0].kind == nrrdKind3DSymMatrix ? upper_3d : NULL;
  return ddr_supply_woven(supply, nrrdTypeSize[header->type], n_voxels, (int)contents->n_behind,
                          order, problem);
}

static double least_bytes(const NiftiHeader *nifti, const Contents *contents) {
  const double n = sample_bytes(contents);
  return nifti->is_gzip ? n / 1100 : n + (double)contents->offset; /* deflate's best */
}

static bool lies_ready(const NiftiHeader *nifti, const Contents *contents) {
  const bool is_native = !nifti->is_swapped || nrrdTypeSize[contents->type] == 1;
  return is_native && !nifti->is_gzip && !contents->is_scaled && contents->n_behind == 1;
}

/* Nothing follows in the gzip data, so damage to it is reported here. */
bool nifti_is_it(FILE *file) {
  NiftiHeader nifti;
  ddr_problem unused = {""};
  return nifti_read_header(&nifti, file, &unused) || nifti.version > 0 || nifti.is_gzip;
}

bool nifti_open(FILE *file, Nrrd *header, ddr_formatted *opened, ddr_problem *problem) {
  NiftiHeader nifti;
  Contents contents = {0};
  if (!nifti_read_header(&nifti, file, problem) || !find_type(&nifti, &contents, problem) ||
      !find_sizes(&nifti, &contents, problem) || !find_samples(&nifti, &contents, problem) ||
      !set_header(&nifti, &contents, header, problem)) {
    return false;
  }
  opened->offset = lies_ready(&nifti, &contents) ? contents.offset : -1;
  opened->least_bytes = least_bytes(&nifti, &contents);
  opened->supply = open_supply(&nifti, &contents, file, header, problem);
  return opened->supply != NULL;
}
