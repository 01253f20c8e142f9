/* nrrd_normalize.c: from the many forms of a nrrd header to one canonical image.
 *
 * Spatial axes are those of kind domain, space, time or none.  Any other kind marks the component
 * axis; there is at most one, the fastest.  Component values are never rotated: only the placement
 * follows the space directions.  From here on axes are no longer in file order: spatial axis 0 is
 * x.
 * Read next: nrrd_image.c.
 */
#include <math.h>
#include <stdio.h>

#include "local.h"
#include "runtime/header/kinds.h"

enum { HINT_SIZE = 96 };

/* The text that a refusal adds: the axis kind with which axis 0 would hold the requested
 * components, between two texts.  Empty if there is none. */
static void say_kind(const Nrrd *nrrd, const ddr_image_request *request, const char *before,
                     const char *after, char hint[HINT_SIZE]) {
  const bool is_one_more = nrrd->dim == (unsigned)request->dim + 1;
  ddr_value_kind fitting;
  hint[0] = '\0';
  if (is_one_more && ddr_value_kind_for(nrrd->axis[0].size, request->n_components, &fitting))
    snprintf(hint, HINT_SIZE, "%s%s%s", before, airEnumStr(nrrdKind, fitting.kind), after);
}

/* Finds the first spatial axis of the file: 0, or 1 after a component axis. */
static ddr_status find_components(const Nrrd *nrrd, const ddr_image_request *request,
                                  ddr_nrrd_image *image, unsigned *first, ddr_reason *reason) {
  *first = 0;
  image->n_stored = image->n_components = 1;
  for (unsigned k = 0; k < nrrd->dim; k++) {
    const int kind = nrrd->axis[k].kind;
    if (ddr_kind_is_spatial(kind)) continue;
    if (k > 0) {
      return ddr_refuse(reason, "nrrd axis[%u] has kind %s (expected space)", k,
                        airEnumStr(nrrdKind, kind));
    }
    *first = 1;
    ddr_value_kind values;
    if (!ddr_value_kind_of(kind, nrrd->axis[0].size, &values)) {
      char hint[HINT_SIZE];
      say_kind(nrrd, request, " (expected ", ", in the line kinds of the header)", hint);
      return ddr_refuse(reason,
                        "nrrd axis[0] has kind %s and size %llu, which is not a tensor kind%s",
                        airEnumStr(nrrdKind, kind), (unsigned long long)nrrd->axis[0].size, hint);
    }
    image->n_stored = values.n_stored;
    image->n_components = values.n_components;
    image->source = values.source;
  }
  return DDR_OK;
}

static ddr_status check_shape(const Nrrd *nrrd, unsigned first, const ddr_image_request *request,
                              const ddr_nrrd_image *image, ddr_reason *reason) {
  const unsigned n_spatial = nrrd->dim - first;
  const unsigned space_dim = nrrd->spaceDim > 0 ? nrrd->spaceDim : n_spatial;
  if (n_spatial != (unsigned)request->dim) {
    char hint[HINT_SIZE];
    say_kind(nrrd, request, "; axis 0 has no kind such as ", "", hint);
    const unsigned expected = (unsigned)request->dim + (request->n_components > 1);
    if (nrrd->dim == expected)
      return ddr_refuse(reason, "nrrd has unexpected dimension %u, expected %d (of space%s)",
                        n_spatial, request->dim, hint);
    return ddr_refuse(reason,
                      "nrrd has unexpected dimension %u, expected %u (%u spatial axes, "
                      "expected %d%s)",
                      nrrd->dim, expected, n_spatial, request->dim, hint);
  }
  if (space_dim != n_spatial) {
    return ddr_refuse(reason, "nrrd has %u spatial axes in a space of dimension %u, expected %d",
                      n_spatial, space_dim, request->dim);
  }
  if (image->n_components != request->n_components) {
    return ddr_refuse(reason, "nrrd has %d elements per voxel (expected %d)", image->n_components,
                      request->n_components);
  }
  return DDR_OK;
}

/* With a space, directions are kept; a missing one is the unit vector of its axis. */
static void place_by_directions(const Nrrd *nrrd, unsigned first, ddr_grid *grid) {
  for (int axis = 0; axis < grid->dim; axis++) {
    const double *direction = nrrd->axis[first + (unsigned)axis].spaceDirection;
    const bool is_given = AIR_EXISTS(direction[0]);
    for (int world = 0; world < grid->dim; world++) {
      grid->direction[axis][world] = is_given ? direction[world] : world == axis;
    }
    grid->origin[axis] = AIR_EXISTS(nrrd->spaceOrigin[axis]) ? nrrd->spaceOrigin[axis] : 0;
  }
}

static bool has_ranges(const Nrrd *nrrd, unsigned first) {
  for (unsigned k = first; k < nrrd->dim; k++) {
    if (!AIR_EXISTS(nrrd->axis[k].min) || !AIR_EXISTS(nrrd->axis[k].max)) return false;
  }
  return true;
}

/* Axis ranges end at the outer samples (node) or half a sample beyond them (cell, or
 * unspecified). */
static void place_by_ranges(const Nrrd *nrrd, unsigned first, ddr_grid *grid) {
  for (int axis = 0; axis < grid->dim; axis++) {
    const NrrdAxisInfo *info = &nrrd->axis[first + (unsigned)axis];
    const double range = info->max - info->min, n = (double)info->size;
    const bool is_node = info->center == nrrdCenterNode;
    grid->direction[axis][axis] = is_node ? range / (n - 1) : range / n;
    grid->origin[axis] = is_node ? info->min : info->min + range / (2 * n);
  }
}

static void place_by_spacings(const Nrrd *nrrd, unsigned first, ddr_grid *grid) {
  for (int axis = 0; axis < grid->dim; axis++) {
    const double spacing = nrrd->axis[first + (unsigned)axis].spacing;
    grid->direction[axis][axis] = AIR_EXISTS(spacing) ? spacing : 1;
  }
}

ddr_status ddr_nrrd_normalize(const Nrrd *nrrd, const ddr_image_request *request,
                              ddr_nrrd_image *image, ddr_reason *reason) {
  *image = (ddr_nrrd_image){.grid.dim = request->dim};
  unsigned first;
  if (nrrd->type == nrrdTypeBlock || nrrd->type == nrrdTypeUnknown) {
    return ddr_refuse(reason, "nrrd has unexpected sample type %s; expected numbers",
                      airEnumStr(nrrdType, nrrd->type));
  }
  if (find_components(nrrd, request, image, &first, reason) != DDR_OK) return DDR_ERROR;
  if (check_shape(nrrd, first, request, image, reason) != DDR_OK) return DDR_ERROR;
  for (int axis = 0; axis < request->dim; axis++) {
    image->grid.size[axis] = (int64_t)nrrd->axis[first + (unsigned)axis].size;
  }
  if (nrrd->spaceDim > 0) {
    place_by_directions(nrrd, first, &image->grid);
    image->has_measurement_frame = AIR_EXISTS(nrrd->measurementFrame[0][0]);
  } else if (has_ranges(nrrd, first)) {
    place_by_ranges(nrrd, first, &image->grid);
  } else {
    place_by_spacings(nrrd, first, &image->grid);
  }
  return DDR_OK;
}
