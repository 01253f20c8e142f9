/* Two shared objects at once, opened by name: they have the functions of their descriptions and no
 * others; both run side by side.
 */
#include <dlfcn.h>
#include <stdlib.h>

#include "swarm_lib.h"
#include "tests/library/field.h"

/* A function by its name; C has no cast from an object pointer to a function pointer. */
#define FIND(library, name)                                                                        \
  __typeof__(&name) name##_of = NULL;                                                              \
  do {                                                                                             \
    void *found = dlsym(library, #name);                                                           \
    CHECK(found != NULL);                                                                          \
    memcpy(&name##_of, &found, sizeof name##_of);                                                  \
  } while (0)

static void *open_library(const char *file) {
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!CHECK(library != NULL)) fprintf(stderr, "%s\n", dlerror());
  return library;
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "r");
  char *text = calloc(1, 1 << 20);
  if (file && text) CHECK(fread(text, 1, (1 << 20) - 1, file) > 0);
  if (file) fclose(file);
  return text;
}

/* Every "name": "PREFIX_..." of the description is a symbol. */
static void check_described(void *library, const char *description, const char *prefix,
                            int n_least) {
  char *text = read_file(description), quoted[64], name[128];
  int n = 0;
  snprintf(quoted, sizeof quoted, "\"name\": \"%s_", prefix);
  for (const char *at = text ? strstr(text, quoted) : NULL; at; at = strstr(at, quoted), n++) {
    at += strlen("\"name\": \"");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(at, "\""), at);
    if (!CHECK(dlsym(library, name) != NULL)) fprintf(stderr, "no %s\n", name);
  }
  CHECK(n >= n_least);
  free(text);
}

static void check_swarm(void *library) {
  FIND(library, swarm_new_world);
  FIND(library, swarm_init_world);
  FIND(library, swarm_input_set_first_count);
  FIND(library, swarm_create_strands);
  FIND(library, swarm_run);
  FIND(library, swarm_num_stable_strands);
  FIND(library, swarm_shutdown);
  swarm_world_t *world = swarm_new_world_of();
  CHECK(!swarm_init_world_of(world) && !swarm_input_set_first_count_of(world, 3));
  CHECK(!swarm_create_strands_of(world));
  CHECK_EQ(swarm_run_of(world, 0), 2);
  CHECK_EQ(swarm_num_stable_strands_of(world), 4);
  swarm_shutdown_of(world);
}

static void check_field(void *library) {
  FIND(library, field_new_world);
  FIND(library, field_init_world);
  FIND(library, field_create_strands);
  FIND(library, field_get_errors);
  FIND(library, field_shutdown);
  field_world_t *world = field_new_world_of();
  CHECK(!field_init_world_of(world) && field_create_strands_of(world));
  char *errors = field_get_errors_of(world);
  CHECK_STR(errors, "[DIDEROT] undefined input \"img\"\n");
  free(errors);
  field_shutdown_of(world);
}

static void both_run_in_one_process(void) {
  void *field = open_library("./field_lib.so"), *swarm = open_library("./swarm_lib.so");
  if (!field || !swarm) return;
  CHECK(dlsym(field, "ddr_world_new") == NULL && dlsym(field, "ddr_program_main") == NULL);
  check_described(field, "field_lib.json", "field", 40);
  check_described(swarm, "swarm_lib.json", "swarm", 25);
  check_field(field);
  check_swarm(swarm);
  check_field(field);
  dlclose(field);
  check_swarm(swarm);
  dlclose(swarm);
}

int main(void) {
  RUN(both_run_in_one_process);
  return test_result();
}
