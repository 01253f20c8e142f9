/* Edit distances of words, and the word that was probably meant. */
#include "frontend/base/nearest.h"

#include "frontend/base/cx.h"
#include "tests/unit/test.h"

static void distance_counts_edits(void) {
  CHECK_EQ(edit_distance("", ""), 0);
  CHECK_EQ(edit_distance("abc", "abc"), 0);
  CHECK_EQ(edit_distance("abc", "abd"), 1);
  CHECK_EQ(edit_distance("abc", "ab"), 1);
  CHECK_EQ(edit_distance("", "abc"), 3);
  CHECK_EQ(edit_distance("kitten", "sitting"), 3);
  CHECK_EQ(edit_distance("pso", "pos"), 1); /* neighbours exchanged */
  CHECK_EQ(edit_distance("udpate", "update"), 1);
  CHECK_EQ(edit_distance("abcd", "badc"), 2);
}

static void nearest_is_close_or_absent(void) {
  Cx *cx = cx_new();
  Nearest near = nearest_to(name_from(cx->names, "heigth"));
  nearest_offer(&near, "width");
  nearest_offer(&near, "height");
  CHECK_STR(near.best, "height");
  Nearest far = nearest_to(name_from(cx->names, "colour"));
  nearest_offer(&far, "width");
  CHECK(far.best == NULL);
  Nearest one_letter = nearest_to(name_from(cx->names, "w"));
  nearest_offer(&one_letter, "v");
  CHECK(one_letter.best == NULL);
  cx_free(cx);
}

int main(void) {
  RUN(distance_counts_edits);
  RUN(nearest_is_close_or_absent);
  return test_result();
}
