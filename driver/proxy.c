/* Proxy: reads headers with Teem and sorts the axes into values and space (doc/language.md, "Images
 * and fields"). The runtime does the same again, in full, for the file it is given.
 */
#include "driver/proxy.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <teem/nrrd.h>

#include "driver/options.h"
#include "frontend/base/text.h"
#include "runtime/formats/formats.h"
#include "runtime/header/header.h"
#include "runtime/header/kinds.h"

enum { MAX_PROBLEM = 200 };

/* Formats that cannot be read without their samples are read up to this size. */
static const double most_bytes = 1 << 30;

/* The kind by which axis 0 would hold the values of a sample, if its own does not; or NULL. */
static const char *value_kind_of(const Nrrd *nrrd) {
  for (unsigned i = 1; i < nrrd->dim; i++) {
    if (!ddr_kind_is_spatial(nrrd->axis[i].kind)) return NULL;
  }
  const NrrdAxisInfo *first = &nrrd->axis[0];
  ddr_value_kind values;
  if (ddr_value_kind_of(first->kind, first->size, &values) || first->size > INT_MAX) return NULL;
  const bool is_found = ddr_value_kind_for(first->size, (int)first->size, &values);
  return is_found ? airEnumStr(nrrdKind, values.kind) : NULL;
}

static void add_vector(Text *text, const double *vector, unsigned dim) {
  for (unsigned k = 0; k < dim; k++) text_addf(text, "%s%g", k == 0 ? "(" : ", ", vector[k]);
  text_add(text, ")");
}

/* "64 × 32 samples of float, the first at (0, 0), axes along (1, 0), (0, 1)": of axis 0 first. */
static const char *placement_of(Arena *arena, const Nrrd *nrrd) {
  Text text = text_new(arena);
  for (unsigned i = 0; i < nrrd->dim; i++)
    text_addf(&text, "%s%zu", i == 0 ? "" : " × ", nrrd->axis[i].size);
  text_addf(&text, " samples of %s", airEnumStr(nrrdType, nrrd->type));
  if (nrrd->spaceDim > 0 && AIR_EXISTS(nrrd->spaceOrigin[0])) {
    text_add(&text, ", the first at ");
    add_vector(&text, nrrd->spaceOrigin, nrrd->spaceDim);
  }
  unsigned n_placed = 0;
  for (unsigned i = 0; i < nrrd->dim; i++) {
    const NrrdAxisInfo *axis = &nrrd->axis[i];
    const bool has_direction = nrrd->spaceDim > 0 && AIR_EXISTS(axis->spaceDirection[0]);
    if (!has_direction && !AIR_EXISTS(axis->spacing)) continue;
    text_add(&text, n_placed++ == 0 ? ", axes along " : ", ");
    if (has_direction) add_vector(&text, axis->spaceDirection, nrrd->spaceDim);
    else text_addf(&text, "%g", axis->spacing);
  }
  if (n_placed == 0) text_add(&text, ", at their indices");
  return text_str(&text);
}

static ImageProbe probe_of(Arena *arena, const Nrrd *nrrd) {
  ImageProbe probe = {.exists = true,
                      .n_values = 1,
                      .sample_type = airEnumStr(nrrdType, nrrd->type),
                      .value_kind = value_kind_of(nrrd),
                      .first_size = nrrd->axis[0].size,
                      .n_axes = nrrd->dim,
                      .placement = placement_of(arena, nrrd)};
  for (unsigned i = 0; i < nrrd->dim; i++) {
    const NrrdAxisInfo *axis = &nrrd->axis[i];
    ddr_value_kind values;
    if (ddr_kind_is_spatial(axis->kind)) {
      probe.dim++;
    } else if (i == 0 && ddr_value_kind_of(axis->kind, axis->size, &values)) {
      probe.n_values = (uint64_t)values.n_components;
    } else {
      probe.unsupported_kind = airEnumStr(nrrdKind, axis->kind);
    }
  }
  return probe;
}

/* --- through Teem ----------------------------------------------------------------------------- */

/* The root cause, which Teem lists last as "[nrrd] function: message", copied and bounded. */
static const char *teem_problem(Arena *arena) {
  char *all = biffGetDone(NRRD), *rest = NULL;
  const char *cause = "not an image file";
  for (char *line = all ? strtok_r(all, "\n", &rest) : NULL; line;
       line = strtok_r(NULL, "\n", &rest)) {
    const char *colon = strstr(line, ": ");
    if (colon && colon[2]) cause = colon + 2;
  }
  char problem[MAX_PROBLEM];
  snprintf(problem, sizeof problem, "%s", cause);
  ddr_header_clean(problem);
  free(all);
  return arena_strdup(arena, problem, strlen(problem));
}

static const char *folder_of(Arena *arena, const char *file) {
  const char *slash = strrchr(file, '/');
  if (!slash) return ".";
  return arena_strdup(arena, file, slash > file ? (size_t)(slash - file) : 1);
}

static ImageProbe read_header(Arena *arena, FILE *file, const char *folder) {
  Nrrd *nrrd = nrrdNew();
  NrrdIoState *io = nrrdIoStateNew();
  nrrdIoStateSet(io, nrrdIoStateSkipData, 1);
  io->path = airStrdup(folder);
  nrrdStateVerboseIO = 0; /* or it warns on stderr */
  ImageProbe probe = {.exists = true};
  if (nrrdRead(nrrd, file, io)) {
    probe.problem = teem_problem(arena);
  } else {
    probe = probe_of(arena, nrrd);
  }
  nrrdIoStateNix(io);
  nrrdNuke(nrrd);
  return probe;
}

/* --- formats that Teem does not read ---------------------------------------------------------- */

static ImageProbe read_format(Arena *arena, FILE *file, const ddr_file_format *format) {
  Nrrd *nrrd = nrrdNew();
  ddr_formatted opened = {.offset = -1};
  ddr_problem problem = {""};
  ImageProbe probe = {.exists = true};
  if (format->open(file, nrrd, &opened, &problem)) probe = probe_of(arena, nrrd);
  else probe.problem = arena_strdup(arena, problem.text, strlen(problem.text));
  ddr_supply_close(opened.supply);
  nrrdNuke(nrrd);
  return probe;
}

static ImageProbe read_teem(Arena *arena, FILE *file, const char *folder) {
  ddr_header_check check = {.folder = folder, .most_bytes = most_bytes};
  if (ddr_header_check_file(file, &check)) return read_header(arena, file, folder);
  return (ImageProbe){.exists = true,
                      .problem = arena_strdup(arena, check.problem, strlen(check.problem))};
}

/* It could not be opened or, where its last line needs an end, copied. */
static ImageProbe unreadable(Arena *arena) {
  const char *reason = strerror(errno ? errno : EIO);
  return (ImageProbe){.exists = true, .problem = arena_strdup(arena, reason, strlen(reason))};
}

ImageProbe proxy_probe_image(void *state, Arena *arena, const char *file) {
  StringVec *looked_at = state;
  struct stat info;
  if (looked_at) vec_push(arena, looked_at, arena_strdup(arena, file, strlen(file)));
  if (stat(file, &info) != 0) return (ImageProbe){.exists = false};
  if (!S_ISREG(info.st_mode))
    return (ImageProbe){.exists = true, .problem = "it is not a regular file"};
  errno = 0;
  FILE *stream = fopen(file, "rb");
  if (stream) stream = ddr_header_whole(stream);
  if (!stream) return unreadable(arena);
  const ddr_file_format *format = ddr_file_format_of(stream);
  const ImageProbe probe = format ? read_format(arena, stream, format)
                                  : read_teem(arena, stream, folder_of(arena, file));
  fclose(stream);
  return probe;
}
