/* conv_geometry.c: see conv_geometry.h. */
#include "tools/ddr-array/conv_geometry.h"

#include <string.h>

#include "tools/ddr-array/arguments.h"

/* No array is as long; sums of a few do not overflow. */
#define MOST_INDEX ((int64_t)1 << 40)

/* One number per axis; if the option is not given, the list is unchanged. */
static ddr_status read_per_axis(const Request *request, OptionId option, const Geometry *geometry,
                                int64_t *list, ddr_reason *reason) {
  const char *text = request->plain[option];
  int64_t given[DDR_MAX_RANK];
  int n;
  if (!text) return DDR_OK;
  if (read_ints(option, text, ',', 0, given, &n, reason) != DDR_OK) return DDR_ERROR;
  if (n != geometry->rank)
    return ddr_refuse(reason, "--%s expects one number per axis (%d), found \"%.200s\"",
                      option_name(option), geometry->rank, text);
  for (int k = 0; k < n; k++)
    if (given[k] > MOST_INDEX || given[k] < -MOST_INDEX)
      return ddr_refuse(reason, "--%s expects numbers up to %lld, found \"%.200s\"",
                        option_name(option), (long long)MOST_INDEX, text);
  memcpy(list, given, (size_t)n * sizeof *list);
  return DDR_OK;
}

/* Results of a range: first to last. */
static void range_of(const Geometry *g, const char *name, int k, int64_t *first, int64_t *last) {
  const bool is_conv = g->op == DDR_CONVOLUTION;
  const int64_t low = g->kernel_origin[k], high = low + g->kernel_len[k] - 1;
  *first = g->image_origin[k];
  *last = *first + g->image_len[k] - 1;
  if (strcmp(name, "full") == 0) {
    *first += is_conv ? low : -high;
    *last += is_conv ? high : -low;
  } else if (strcmp(name, "valid") == 0) {
    *first += is_conv ? high : -low;
    *last += is_conv ? low : -high;
  }
}

static ddr_status place_results(const Request *request, Geometry *g, ddr_reason *reason) {
  const char *name = request->plain[OPT_RANGE] ? request->plain[OPT_RANGE] : "same";
  int64_t last[DDR_MAX_RANK];
  if (strcmp(name, "same") != 0 && strcmp(name, "full") != 0 && strcmp(name, "valid") != 0)
    return ddr_refuse(reason, "--range expects %s, found \"%.200s\"", option_argument(OPT_RANGE),
                      name);
  for (int k = 0; k < g->rank; k++) {
    range_of(g, name, k, &g->start[k], &last[k]);
    g->decimation[k] = 1;
  }
  if (read_per_axis(request, OPT_START, g, g->start, reason) != DDR_OK) return DDR_ERROR;
  if (read_per_axis(request, OPT_DECIMATE, g, g->decimation, reason) != DDR_OK) return DDR_ERROR;
  for (int k = 0; k < g->rank; k++) {
    if (g->decimation[k] < 1)
      return ddr_refuse(reason, "--decimate expects numbers of at least 1, found %lld",
                        (long long)g->decimation[k]);
    const int64_t distance = last[k] - g->start[k];
    g->n[k] = distance < 0 ? 0 : distance / g->decimation[k] + 1;
  }
  if (read_per_axis(request, OPT_EXTENT, g, g->n, reason) != DDR_OK) return DDR_ERROR;
  for (int k = 0; k < g->rank; k++)
    if (g->n[k] > 1 && g->n[k] - 1 > MOST_INDEX / g->decimation[k])
      return ddr_refuse(reason, "%lld results with a step of %lld exceed 64-bit indices",
                        (long long)g->n[k], (long long)g->decimation[k]);
  return DDR_OK;
}

ddr_status geometry_find(const Request *request, const ddr_ndview *kernel, const ddr_ndview *image,
                         Geometry *g, ddr_reason *reason) {
  *g = (Geometry){.op = request->plain[OPT_CORRELATE] ? DDR_CORRELATION : DDR_CONVOLUTION,
                  .rank = image->layout.rank};
  for (int k = 0; k < g->rank; k++) {
    g->kernel_len[k] = kernel->layout.len[k];
    g->image_len[k] = image->layout.len[k];
    g->kernel_origin[k] = -((g->kernel_len[k] - 1) / 2);
  }
  if (read_per_axis(request, OPT_KERNEL_ORIGIN, g, g->kernel_origin, reason) != DDR_OK ||
      read_per_axis(request, OPT_IMAGE_ORIGIN, g, g->image_origin, reason) != DDR_OK)
    return DDR_ERROR;
  return place_results(request, g, reason);
}
