/* Operations on views in the syntax of sub_views.txt: name(numbers). */
#pragma once

#include "runtime/layout/ndview.h"
#include "tests/unit/layout/layout_vectors.h"

/* Applies the operation `name`; its result replaces the view. */
static inline ddr_array_status view_apply_named(ddr_ndview *view, const char *name, int n,
                                                const int64_t *x) {
  ddr_ndview part = {.data = NULL};
  ddr_range range;
  void *element;
  int order[DDR_MAX_RANK] = {0};
  ddr_array_status status = DDR_ARRAY_ENOMEM; /* no row expects this */
  for (int k = 0; k < n; k++) order[k] = (int)x[k];
  if (strcmp(name, "at") == 0) return ddr_ndview_at(view, n, x, &element);
  if (strcmp(name, "canonical") == 0) return ddr_ndview_canonical_range(view, &range);
  if (strcmp(name, "contiguous") == 0) return ddr_ndview_contiguous_range(view, &range);
  if (strcmp(name, "fix") == 0) status = ddr_ndview_fix(view, order[0], x[1], &part);
  if (strcmp(name, "slice") == 0) status = ddr_ndview_slice(view, order[0], x[1], x[2], &part);
  if (strcmp(name, "permute") == 0) status = ddr_ndview_permute(view, order, &part);
  if (strcmp(name, "flip") == 0) status = ddr_ndview_flip(view, order[0], &part);
  if (strcmp(name, "step") == 0) status = ddr_ndview_step(view, order[0], x[1], &part);
  if (strcmp(name, "repeat") == 0) status = ddr_ndview_repeat(view, order[0], x[1], &part);
  if (strcmp(name, "reshape") == 0) status = ddr_ndview_reshape(view, n, x, &part);
  if (status != DDR_ARRAY_OK) return status;
  ddr_ndview_release(view);
  *view = part;
  return DDR_ARRAY_OK;
}

/* Applies operations one after another, up to the first that fails. */
static inline ddr_array_status view_apply_text(ddr_ndview *view, const char *text) {
  ddr_array_status status = DDR_ARRAY_OK;
  while (status == DDR_ARRAY_OK && *text != '\0') {
    char name[16] = "";
    int64_t x[DDR_MAX_RANK] = {0};
    text += strspn(text, " ");
    const size_t n_name = strcspn(text, "(");
    if (!CHECK(n_name < sizeof name)) break;
    memcpy(name, text, n_name);
    const char *end = strchr(text, ')');
    const int n = vector_ints(text + n_name, DDR_MAX_RANK, x, NULL);
    status = view_apply_named(view, name, end == text + n_name + 1 ? 0 : n, x);
    text = end + 1;
  }
  return status;
}
