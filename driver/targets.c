#include "driver/targets.h"

#include <string.h>

#include "backend-c/target_c.h"
#include "backend-cuda/target_cuda.h"
#include "frontend/base/text.h"

/* Spellings that build scripts use; without a Target, this version cannot make that. */
static const struct {
  const char *name;
  const Target *target;
} targets[] = {
    {"sequential", &target_c},
    {"c", &target_c},
    {"parallel", &target_c_parallel},
    {"pthread", &target_c_parallel},
    {"mpi", &target_c_ranks},
    {"hip", &target_hip},
    {"cuda", &target_cuda},
    {"cuda,mpi", &target_cuda_ranks},
    {"mpi,cuda", &target_cuda_ranks},
    {"hip,mpi", &target_hip_ranks},
    {"mpi,hip", &target_hip_ranks},
    {"opencl", NULL},
    {"cl", NULL},
    {"debugger", NULL},
};

static bool is_target(const char *name, size_t len) {
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
    if (strlen(targets[i].name) == len && strncmp(targets[i].name, name, len) == 0) return true;
  return false;
}

/* Whether the name is a list of targets, which is not allowed but is a likely mistake. */
static bool are_two_targets(const char *name) {
  const char *comma = strchr(name, ',');
  return comma && is_target(name, (size_t)(comma - name)) &&
         is_target(comma + 1, strlen(comma + 1));
}

/* The first name of each. */
static const char *known_targets(Arena *a) {
  Text text = text_new(a);
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    const bool is_alias = i > 0 && targets[i].target == targets[i - 1].target;
    if (!targets[i].target || is_alias) continue;
    text_addf(&text, "%s%s", i > 0 ? ", " : "", targets[i].name);
  }
  return text_str(&text);
}

const Target *targets_find(Arena *a, const char *name, const char **error) {
  if (!name) return targets[0].target;
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    if (strcmp(targets[i].name, name) != 0) continue;
    if (!targets[i].target)
      *error = text_format(a, "%s target not supported by this version", name);
    return targets[i].target;
  }
  if (are_two_targets(name))
    *error = text_format(a, "%s: one target at a time is supported by this version", name);
  else
    *error =
        text_format(a, "unrecognized target \"%s\"; expected one of %s", name, known_targets(a));
  return NULL;
}
