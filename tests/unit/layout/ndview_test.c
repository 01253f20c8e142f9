/* Views: ownership of memory, parts (sub_views.txt), elements, errors. */
#include "runtime/layout/ndview.h"

#include "tests/unit/layout/view_text.h"

static void count(void *counter) { ++*(int *)counter; }

static ddr_ndview view_over(void *data, ddr_element type, const char *layout,
                            ddr_cleanup *cleanup) {
  const ddr_layout from_text = layout_from_text(layout);
  ddr_ndview view = {.data = NULL};
  CHECK_EQ(ddr_ndview_wrap(type, data, &from_text, DDR_HOST, cleanup, &view), DDR_ARRAY_OK);
  return view;
}

/* --- ownership -------------------------------------------------------------------------------- */

/* A view, two slices and a fix of one of them. */
static void make_family(ddr_ndview family[4], char *data, int *n_cleanups) {
  family[0] =
      view_over(data, DDR_ELEMENT_INT8, "0; [3,4]; [4,1]", ddr_cleanup_new(count, n_cleanups));
  CHECK_EQ(ddr_ndview_slice(&family[0], 0, 1, 3, &family[1]), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_slice(&family[0], 1, 0, 2, &family[2]), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_fix(&family[1], 0, 1, &family[3]), DDR_ARRAY_OK);
}

static void are_dropped_in_any_order(void) {
  int n_orders = 0;
  for (int code = 0; code < 256; code++) {
    const int order[] = {code & 3, code >> 2 & 3, code >> 4 & 3, code >> 6};
    int seen = 0, n_cleanups = 0;
    char data[12] = "";
    ddr_ndview family[4];
    for (int k = 0; k < 4; k++) seen |= 1 << order[k];
    if (seen != 15) continue;
    n_orders++;
    make_family(family, data, &n_cleanups);
    for (int k = 0; k < 4; k++) {
      CHECK_EQ(n_cleanups, 0);
      ddr_ndview_release(&family[order[k]]);
      CHECK(!family[order[k]].data && ddr_ndview_is_empty(&family[order[k]]));
    }
    CHECK_EQ(n_cleanups, 1);
  }
  CHECK_EQ(n_orders, 24);
}

static void share_a_cleanup_with_others(void) {
  int n_cleanups = 0;
  char data[2] = "";
  ddr_ndview view =
      view_over(data, DDR_ELEMENT_INT8, "[2]; [1]", ddr_cleanup_new(count, &n_cleanups));
  ddr_cleanup *mine = ddr_cleanup_retain(ddr_ndview_cleanup(&view));
  ddr_ndview copy = ddr_ndview_retain(&view);
  ddr_ndview other = view_over(data, DDR_ELEMENT_INT8, "[1]; [1]", ddr_cleanup_retain(mine));
  ddr_ndview_release(&view);
  ddr_ndview_release(&view); /* it is empty already */
  ddr_ndview_release(&copy);
  ddr_ndview_release(&other);
  CHECK_EQ(n_cleanups, 0);
  ddr_cleanup_release(mine);
  CHECK_EQ(n_cleanups, 1);
}

static void failing_operations_take_no_reference(void) {
  int n_cleanups = 0;
  char data[6] = "";
  ddr_ndview part = {.data = data}, view = view_over(data, DDR_ELEMENT_INT8, "[2,3]; [3,1]",
                                                     ddr_cleanup_new(count, &n_cleanups));
  const ddr_layout wrong = {.rank = 1, .len = {-1}};
  CHECK_EQ(ddr_ndview_fix(&view, 0, 2, &part), DDR_ARRAY_EINDEX);
  CHECK_EQ(ddr_ndview_slice(&view, 0, 1, 3, &part), DDR_ARRAY_ERANGE);
  CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_INT8, data, &wrong, DDR_HOST, view.cleanup, &part),
           DDR_ARRAY_EDIM);
  CHECK(part.data == data);
  ddr_ndview_release(&view);
  CHECK_EQ(n_cleanups, 1);
}

static void are_given_up_by_the_only_owner(void) {
  int n_cleanups = 0, other = 0;
  ddr_cleanup *cleanup = ddr_cleanup_new(count, &n_cleanups);
  ddr_cleanup_retain(cleanup);
  CHECK(!ddr_cleanup_give(cleanup, count, &n_cleanups));
  ddr_cleanup_release(cleanup);
  CHECK(!ddr_cleanup_give(cleanup, count, &other));
  CHECK(!ddr_cleanup_give(cleanup, NULL, &n_cleanups));
  CHECK(!ddr_cleanup_give(NULL, count, &n_cleanups));
  CHECK(ddr_cleanup_give(cleanup, count, &n_cleanups));
  CHECK_EQ(n_cleanups, 0);
}

static void borrow_without_a_cleanup(void) {
  char data[6] = "";
  ddr_ndview view = view_over(data, DDR_ELEMENT_INT8, "[2,3]; [3,1]", NULL), part;
  CHECK_EQ(ddr_ndview_fix(&view, 0, 1, &part), DDR_ARRAY_OK);
  CHECK(!ddr_ndview_cleanup(&view) && !ddr_ndview_cleanup(&part));
  ddr_ndview_release(&view);
  ddr_ndview_release(&part);
}

static void may_be_empty(void) {
  ddr_ndview none = {.data = NULL}, hole;
  const int64_t len[] = {0, 4};
  void *element;
  CHECK(ddr_ndview_is_empty(&none) && ddr_ndview_size(&none) == 0);
  CHECK_EQ(ddr_ndview_at(&none, 0, NULL, &element), DDR_ARRAY_EINDEX);
  CHECK_EQ(ddr_ndview_range(&none).n, 0);
  ddr_ndview_release(&none);
  CHECK_EQ(ddr_ndview_new(DDR_ELEMENT_FLOAT, 2, len, DDR_HOST, &hole), DDR_ARRAY_OK);
  CHECK(ddr_ndview_is_empty(&hole) && ddr_ndview_size(&hole) == 0);
  CHECK(hole.layout.rank == 2 && hole.layout.len[1] == 4);
  ddr_ndview_release(&hole);
}

/* --- parts and elements ----------------------------------------------------------------------- */

static void check_visits(const ddr_ndview *view, const char *offsets) {
  int64_t want[64];
  const int n = vector_ints(offsets, 64, want, NULL);
  CHECK_EQ(ddr_ndview_size(view), n);
  for (int p = 0; p < n; p++) CHECK_EQ(ddr_layout_at_position(&view->layout, p), want[p]);
}

static void are_cut_like_the_table_says(void) {
  static char data[64];
  Vector v;
  FILE *file = vectors_open("tests/unit/layout/sub_views.txt");
  while (vectors_next(file, &v)) {
    int n_cleanups = 0;
    ddr_ndview view =
        view_over(data, DDR_ELEMENT_INT8, v.field[1], ddr_cleanup_new(count, &n_cleanups));
    const ddr_array_status status = view_apply_text(&view, v.field[2]);
    const int want = status_from_text(v.field[3]);
    CHECK_EQ(status, want < 0 ? DDR_ARRAY_OK : want);
    if (want < 0 && v.field[3][0] == 'v') {
      check_visits(&view, v.field[3] + strlen("visits"));
    } else if (want < 0) {
      const ddr_layout layout = layout_from_text(v.field[3]);
      check_layout(&view.layout, &layout);
    }
    ddr_ndview_release(&view);
    CHECK_EQ(n_cleanups, 1);
  }
  vectors_close(file);
}

static void elements_have_addresses(void) {
  int32_t data[12];
  const ddr_ndview view = view_over(data, DDR_ELEMENT_INT32, "11; [3,4]; [-4,-1]", NULL);
  const int64_t first[] = {0, 0}, other[] = {1, 2}, outside[] = {3, 0};
  void *element = NULL;
  CHECK_EQ(ddr_ndview_at(&view, 2, first, &element), DDR_ARRAY_OK);
  CHECK(element == data + 11);
  CHECK_EQ(ddr_ndview_at(&view, 2, other, &element), DDR_ARRAY_OK);
  CHECK(element == data + 5);
  CHECK_EQ(ddr_ndview_at(&view, 1, first, &element), DDR_ARRAY_ERANK);
  CHECK_EQ(ddr_ndview_at(&view, 2, outside, &element), DDR_ARRAY_EINDEX);
  CHECK(element == data + 5);
}

static void are_as_wide_as_memory(void) {
  char data[1];
  ddr_ndview view;
  const ddr_layout wide = {.rank = 1, .len = {2}, .stride = {PTRDIFF_MAX / 8 + 1}};
  const ddr_layout fits = {.rank = 1, .len = {2}, .stride = {PTRDIFF_MAX / 8}};
  const ddr_layout below = {.rank = 1, .offset = -PTRDIFF_MAX / 8 - 1, .len = {1}};
  CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_DOUBLE, data, &wide, DDR_HOST, NULL, &view),
           DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_DOUBLE, data, &below, DDR_HOST, NULL, &view),
           DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_DOUBLE, data, &fits, DDR_HOST, NULL, &view), DDR_ARRAY_OK);
}

/* --- new ones --------------------------------------------------------------------------------- */

static void are_made_anew(void) {
  const int64_t len[] = {3, 5}, large[] = {PTRDIFF_MAX / 4}, negative[] = {-1};
  ddr_ndview view;
  CHECK_EQ(ddr_ndview_new(DDR_ELEMENT_DOUBLE, 2, len, DDR_HOST, &view), DDR_ARRAY_OK);
  CHECK(ddr_layout_is_canonical(&view.layout) && ddr_ndview_size(&view) == 15);
  CHECK_EQ((uintptr_t)view.data % 64, 0);
  memset(view.data, 1, 15 * sizeof(double)); /* all of it is accessible */
  ddr_ndview_release(&view);
  CHECK_EQ(ddr_ndview_new(DDR_ELEMENT_DOUBLE, 1, large, DDR_HOST, &view), DDR_ARRAY_EOVERFLOW);
  CHECK_EQ(ddr_ndview_new(DDR_ELEMENT_DOUBLE, 1, negative, DDR_HOST, &view), DDR_ARRAY_EDIM);
  CHECK_EQ(ddr_ndview_new(DDR_ELEMENT_DOUBLE, 17, len, DDR_HOST, &view), DDR_ARRAY_ERANK);
}

static void are_made_where_this_build_has_memory(void) {
  const int64_t len[] = {3};
  const ddr_residency all[] = {DDR_HOST, DDR_CUDA, DDR_UNIFIED};
  CHECK(ddr_residency_is_there(DDR_HOST));
  for (int k = 0; k < 3; k++) {
    ddr_ndview view = {.data = NULL};
    CHECK_EQ(ddr_ndview_new(DDR_ELEMENT_INT8, 1, len, all[k], &view),
             ddr_residency_is_there(all[k]) ? DDR_ARRAY_OK : DDR_ARRAY_ERESIDENCY);
    ddr_ndview_release(&view);
  }
}

static void elements_of_devices_have_no_address(void) {
  char data[3];
  const int64_t at[] = {1};
  const ddr_layout layout = {.rank = 1, .len = {3}, .stride = {1}};
  ddr_ndview view;
  void *element;
  CHECK_EQ(ddr_ndview_wrap(DDR_ELEMENT_INT8, data, &layout, DDR_CUDA, NULL, &view), DDR_ARRAY_OK);
  CHECK_EQ(ddr_ndview_at(&view, 1, at, &element), DDR_ARRAY_ERESIDENCY);
}

int main(void) {
  RUN(are_dropped_in_any_order);
  RUN(share_a_cleanup_with_others);
  RUN(failing_operations_take_no_reference);
  RUN(are_given_up_by_the_only_owner);
  RUN(borrow_without_a_cleanup);
  RUN(may_be_empty);
  RUN(are_cut_like_the_table_says);
  RUN(elements_have_addresses);
  RUN(are_as_wide_as_memory);
  RUN(are_made_anew);
  RUN(are_made_where_this_build_has_memory);
  RUN(elements_of_devices_have_no_address);
  return test_result();
}
