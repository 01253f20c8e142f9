/* NAME_trace: the trace of a strand in JSON; calls for a strand that does not exist, or out of
 * turn. */
#include <stdlib.h>
#include <string.h>

#include "steps_lib.h"
#include "tests/unit/test.h"

static steps_world_t *steps_world(void) {
  steps_world_t *world = steps_new_world();
  CHECK(world && !steps_init_world(world));
  return world;
}

static void check_errors(steps_world_t *world, const char *expected) {
  char *errors = steps_get_errors(world);
  CHECK(errors && strcmp(errors, expected) == 0);
  free(errors);
}

/* The strand that the text names is refused, and says why. */
static void check_refused(steps_world_t *world, const char *strand, const char *expected) {
  CHECK(!steps_trace(world, strand, 0, 0));
  check_errors(world, expected);
}

static uint32_t count(const char *text, const char *part) {
  uint32_t n = 0;
  for (; (text = strstr(text, part)) != NULL; text += strlen(part)) n++;
  return n;
}

static bool note_print(void *data, char *text) {
  (void)text;
  return *(bool *)data = true;
}

/* Two steps of 2 + 0.25. */
static void a_strand_is_told(void) {
  static const char *const parts[] = {
      "\"strand\":{\"name\":\"walk\",\"index\":[1,2],\"birth\":9}",
      "\"end\":{\"how\":\"stable\",\"superstep\":2}",
      "{\"method\":\"update\",\"superstep\":1,",
      "{\"method\":\"update\",\"superstep\":2,",
      "\"value\":2.25}",
      "\"value\":4.5}",
      "\"values\":[\"step \",2,\"\\u000a\"]",
  };
  bool has_printed = false;
  steps_world_t *world = steps_world();
  CHECK(!steps_input_set_scale(world, 0.25f));
  CHECK(!steps_set_printer_cb(world, note_print, &has_printed));
  char *text = steps_trace(world, "1,2", 0, 0);
  for (size_t k = 0; text && k < sizeof parts / sizeof *parts; k++)
    CHECK(strstr(text, parts[k]) != NULL);
  CHECK(text && count(text, "\"method\":\"update\"") == 2 && !has_printed);
  free(text);
  CHECK(!steps_any_errors(world));
  steps_shutdown(world);
}

static void limits_are_kept(void) {
  steps_world_t *world = steps_world();
  char *text = steps_trace(world, "#3", 1, 2); /* scale, i, j, x, n; x, n, print, if, continue */
  CHECK(text && strstr(text, "\"end\":{\"how\":\"active\",\"superstep\":1}"));
  CHECK(text && strstr(text, "\"records\":{\"kept\":2,\"left_out\":8}"));
  free(text);
  steps_shutdown(world);
}

static void strands_that_are_not_there(void) {
  static const struct {
    const char *strand, *errors;
  } rows[] = {
      {"4,0", "[DIDEROT] the index is outside: the grid has the sizes 4, 3, fastest axis first\n"},
      {"1", "[DIDEROT] the index has too few numbers: the grid has the sizes 4, 3, fastest axis "
            "first\n"},
      {"#12", "[DIDEROT] there is no strand #12: the last one of the grid is #11\n"},
      {"one", "[DIDEROT] \"one\" names no strand: 120,80 is one of a grid by its index, #17 one by "
              "its birth\n"},
      {NULL, "[DIDEROT] steps_trace needs a strand, such as 120,80 or #17\n"},
  };
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    steps_world_t *world = steps_world();
    check_refused(world, rows[k].strand, rows[k].errors);
    steps_shutdown(world);
  }
}

static void it_has_its_turn(void) {
  steps_world_t *world = steps_new_world();
  check_refused(world, "0,0", "[DIDEROT] must call steps_init_world before steps_trace\n");
  CHECK(!steps_init_world(world) && !steps_create_strands(world));
  check_refused(world, "0,0",
                "[DIDEROT] steps_trace must be called instead of steps_create_strands\n");
  CHECK_EQ(steps_num_strands(world), 12); /* it did no harm */
  CHECK(!steps_set_printer_cb(world, NULL, NULL));
  steps_shutdown(world);
  CHECK(!steps_trace(NULL, "0,0", 0, 0));
}

static void nothing_follows_it(void) {
  steps_world_t *world = steps_world();
  free(steps_trace(world, "0,0", 0, 0));
  CHECK_EQ(steps_run(world, 0), 0);
  CHECK(steps_create_strands(world));
  check_errors(world, "[DIDEROT] multiple calls to steps_create_strands\n");
  check_refused(world, "0,0",
                "[DIDEROT] steps_trace must be called instead of steps_create_strands\n");
  steps_shutdown(world);
}

int main(void) {
  RUN(a_strand_is_told);
  RUN(limits_are_kept);
  RUN(strands_that_are_not_there);
  RUN(it_has_its_turn);
  RUN(nothing_follows_it);
  return test_result();
}
