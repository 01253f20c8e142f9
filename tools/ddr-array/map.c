/* map.c: every element made into another, also only where a mask says so. */
#include "runtime/transform/transform.h"
#include "tools/ddr-array/request.h"

void print_map_names(FILE *out) {
  int n;
  const ddr_transform_form *forms = ddr_transform_forms(&n);
  fputs("\nNames; x and y are the arrays, a and b the numbers, each in their order:\n", out);
  for (int k = 0; k < n; k++) fprintf(out, "  %-18s %s\n", forms[k].name, forms[k].meaning);
}

typedef struct Map {
  const ddr_transform_form *form;
  Array *base; /* gives the result its axes and, with a mask, its other elements */
  ddr_ndview views[2];
  ddr_number numbers[2];
  bool has_type;
  ddr_element type; /* of the result, if it is given */
} Map;

/* --- what is asked for ------------------------------------------------------------------------ */

static ddr_status find_form(const Request *request, Map *map, ddr_reason *reason) {
  const char *name = request->n_bare > 0 ? request->bare[0] : "";
  map->form = ddr_transform_find(name);
  if (!map->form)
    return ddr_refuse(reason,
                      "expected the name of an operation, found \"%.100s\"; --help lists "
                      "them",
                      name);
  const int n_numbers = ddr_operands_n_numbers(map->form->operands);
  if (request_expect(request, 1, ddr_operands_n_views(map->form->operands), reason) != DDR_OK)
    return DDR_ERROR;
  if (request->n_numbers != n_numbers)
    return ddr_refuse(reason, "%s takes -a NUMBER %d times, found %d", name, n_numbers,
                      request->n_numbers);
  if (map->form->transform == DDR_TRANSFORM_CAST && !request->plain[OPT_TYPE])
    return ddr_refuse(reason, "cast needs --type");
  const bool needs_base =
      map->form->transform == DDR_TRANSFORM_FILL || request_count(request, OPT_MASK) > 0;
  if (!needs_base && request_count(request, OPT_BASE) > 0)
    return ddr_refuse(reason, "--base needs --mask");
  map->has_type = request->plain[OPT_TYPE] != NULL;
  return map->has_type ? read_type(OPT_TYPE, request->plain[OPT_TYPE], &map->type, reason) : DDR_OK;
}

static bool takes_truths(ddr_transform transform) {
  return transform == DDR_TRANSFORM_AND || transform == DDR_TRANSFORM_OR ||
         transform == DDR_TRANSFORM_NOT;
}

static ddr_status find_operands(Request *request, Map *map, ddr_reason *reason) {
  const ddr_operands operands = map->form->operands;
  Array *first = request_array(request, OPT_INPUT, 0), *base = request_array(request, OPT_BASE, 0);
  map->base = base ? base : first;
  if (!map->base) return ddr_refuse(reason, "%s needs -b FILE, the array to fill", map->form->name);
  for (int k = 0; k < ddr_operands_n_views(operands); k++) {
    Array *array = request_array(request, OPT_INPUT, k);
    const ddr_array_status status = takes_truths(map->form->transform)
                                        ? array_cast(array, DDR_ELEMENT_BOOL, request->n_threads)
                                        : DDR_ARRAY_OK;
    if (status != DDR_ARRAY_OK) return array_refuse(array, map->form->name, status, reason);
    map->views[k] = array->view;
  }
  const ddr_element like = first ? first->view.type : map->base->view.type;
  for (int k = 0; k < request->n_numbers; k++)
    if (read_number(request->numbers[k], like, &map->numbers[k], reason) != DDR_OK)
      return DDR_ERROR;
  return DDR_OK;
}

/* --- doing it --------------------------------------------------------------------------------- */

/* Overwrites a copy of the first array. */
static ddr_array_status make_in_place(const Map *map, int n_threads, ddr_ndview *result) {
  ddr_ndview copy;
  ddr_array_status status = packed_copy(&map->views[0], &copy);
  if (status != DDR_ARRAY_OK) return status;
  const ddr_ndview views[] = {copy, map->views[1]};
  status = ddr_transform_call(map->form, views, map->numbers, NULL, n_threads, NULL);
  if (status == DDR_ARRAY_OK) *result = copy;
  else ddr_ndview_release(&copy);
  return status;
}

static ddr_array_status fill(const Map *map, int n_threads, ddr_ndview *result) {
  const ddr_layout *shape = &map->base->view.layout;
  ddr_ndview made;
  ddr_array_status status =
      ddr_ndview_new(map->base->view.type, shape->rank, shape->len, DDR_HOST, &made);
  if (status != DDR_ARRAY_OK) return status;
  status = ddr_transform_call(map->form, map->views, map->numbers, &made, n_threads, NULL);
  if (status == DDR_ARRAY_OK) *result = made;
  else ddr_ndview_release(&made);
  return status;
}

static ddr_array_status make(const Map *map, int n_threads, ddr_ndview *result) {
  if (map->form->transform == DDR_TRANSFORM_FILL) return fill(map, n_threads, result);
  if (ddr_operands_are_in_place(map->form->operands)) return make_in_place(map, n_threads, result);
  return ddr_transform_call(map->form, map->views, map->numbers, NULL, n_threads, result);
}

static ddr_array_status cast(ddr_ndview *result, ddr_element type, int n_threads) {
  ddr_ndview made;
  if (result->type == type) return DDR_ARRAY_OK;
  const ddr_array_status status = ddr_transform_make_cast(result, type, n_threads, &made);
  if (status != DDR_ARRAY_OK) return status;
  ddr_ndview_release(result);
  *result = made;
  return DDR_ARRAY_OK;
}

/* The base where the mask is 0. */
static ddr_array_status merge(const Map *map, Array *mask, int n_threads, ddr_ndview *result) {
  ddr_ndview whole;
  ddr_array_status status = array_cast(mask, DDR_ELEMENT_BOOL, n_threads);
  if (status == DDR_ARRAY_OK) status = packed_copy(&map->base->view, &whole);
  if (status != DDR_ARRAY_OK) return status;
  status = ddr_masked_assign(&whole, &mask->view, result);
  ddr_ndview_release(status == DDR_ARRAY_OK ? result : &whole);
  if (status == DDR_ARRAY_OK) *result = whole;
  return status;
}

/* --- the command ------------------------------------------------------------------------------ */

static ddr_status map_array(Request *request, const Map *map, ddr_reason *reason) {
  Array *mask = request_array(request, OPT_MASK, 0);
  const int n_threads = request->n_threads;
  ddr_ndview result = {.data = NULL};
  ddr_array_status status = make(map, n_threads, &result);
  if (status == DDR_ARRAY_OK && map->has_type) status = cast(&result, map->type, n_threads);
  if (status == DDR_ARRAY_OK && mask) status = merge(map, mask, n_threads, &result);
  if (status == DDR_ARRAY_OK && !ddr_layout_same_shape(&result.layout, &map->base->view.layout))
    status = DDR_ARRAY_ESHAPE;
  if (status == DDR_ARRAY_OK) {
    array_replace(map->base, &result);
    return DDR_OK;
  }
  ddr_ndview_release(&result);
  return array_refuse(map->base, map->form->name, status, reason);
}

ddr_status command_map(Request *request, ddr_reason *reason) {
  const char *file;
  Map map = {.form = NULL};
  if (find_form(request, &map, reason) != DDR_OK ||
      request_output(request, &file, reason) != DDR_OK || request_load(request, reason) != DDR_OK ||
      find_operands(request, &map, reason) != DDR_OK || map_array(request, &map, reason) != DDR_OK)
    return DDR_ERROR;
  return array_save(map.base, file, reason);
}
