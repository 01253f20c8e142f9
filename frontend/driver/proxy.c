/* Proxy: reads headers with Teem and sorts the axes into values and space (fields.md §1.2, steps 1
 * and 2). The runtime does the same again, in full, for the file it is given.
 */
#include "frontend/driver/proxy.h"

#include <stdlib.h>
#include <string.h>
#include <teem/nrrd.h>
#include <unistd.h>

#include "frontend/driver/options.h"

enum { MAX_PROBLEM = 200 };

static bool is_spatial(int kind) {
  return kind == nrrdKindUnknown || kind == nrrdKindDomain || kind == nrrdKindSpace ||
         kind == nrrdKindTime;
}

static bool is_image_kind(int kind) {
  static const int kinds[] = {
      nrrdKind2Vector,  nrrdKind3Vector,     nrrdKind4Vector,     nrrdKind3Color,
      nrrdKindRGBColor, nrrdKind4Color,      nrrdKindRGBAColor,   nrrdKind2DMatrix,
      nrrdKind3DMatrix, nrrdKind2DSymMatrix, nrrdKind3DSymMatrix,
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (kinds[i] == kind) return true;
  }
  return false;
}

/* Values of a sample once symmetric matrices are expanded. */
static uint64_t values_of(const NrrdAxisInfo *axis) {
  if (axis->kind == nrrdKind2DSymMatrix) return 4;
  if (axis->kind == nrrdKind3DSymMatrix) return 9;
  return axis->size;
}

static ImageProbe probe_of(const Nrrd *nrrd) {
  ImageProbe probe = {
      .exists = true, .n_values = 1, .sample_type = airEnumStr(nrrdType, nrrd->type)};
  for (unsigned i = 0; i < nrrd->dim; i++) {
    const NrrdAxisInfo *axis = &nrrd->axis[i];
    if (is_spatial(axis->kind)) {
      probe.dim++;
    } else if (i == 0 && is_image_kind(axis->kind)) {
      probe.n_values = values_of(axis);
    } else {
      probe.unsupported_kind = airEnumStr(nrrdKind, axis->kind);
    }
  }
  return probe;
}

/* First line of what Teem complains about, copied and bounded. */
static const char *teem_problem(Arena *arena) {
  char *all = biffGetDone(NRRD);
  size_t len = 0;
  while (all && all[len] && all[len] != '\n' && len < MAX_PROBLEM) len++;
  const char *problem = len ? arena_strdup(arena, all, len) : "not an image file";
  free(all);
  return problem;
}

ImageProbe proxy_probe_image(void *state, Arena *arena, const char *file) {
  StringVec *looked_at = state;
  if (looked_at) vec_push(arena, looked_at, arena_strdup(arena, file, strlen(file)));
  if (access(file, R_OK) != 0) return (ImageProbe){.exists = false};
  Nrrd *nrrd = nrrdNew();
  NrrdIoState *io = nrrdIoStateNew();
  nrrdIoStateSet(io, nrrdIoStateSkipData, 1);
  ImageProbe probe = {.exists = true};
  if (nrrdLoad(nrrd, file, io)) {
    probe.problem = teem_problem(arena);
  } else {
    probe = probe_of(nrrd);
  }
  nrrdIoStateNix(io);
  nrrdNuke(nrrd);
  return probe;
}
