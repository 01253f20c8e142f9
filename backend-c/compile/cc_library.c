/* cc_library: a library is one object that contains the runtime, whose names objcopy ($OBJCOPY)
 * makes local, and a shared object made of that, or of the parts if only that is wanted.
 */
#include <string.h>

#include "backend-c/compile/cc.h"
#include "frontend/base/file.h"

/* Files in the private folder. */
typedef struct Made {
  const char *source, *functions, *header, *json;
  ArgVec parts; /* objects of the program */
  const char *functions_o, *joined, *object, *shared;
} Made;

static const char *in(Cx *cx, const char *folder, const char *path) {
  const char *slash = strrchr(path, '/');
  return text_format(cx->arena, "%s/%s", folder, slash ? slash + 1 : path);
}

static const char *write_texts(Cx *cx, const BuildJob *job, const Made *made) {
  Arena *a = cx->arena;
  const char *error = file_write(a, made->source, job->text);
  if (!error) error = file_write(a, made->functions, job->library->functions);
  if (!error) error = file_write(a, made->header, job->library->header);
  return error ? error : file_write(a, made->json, job->library->json);
}

/* The functions of the library run on any processor: they check it before others are called. */
static const char *compile_all(Cx *cx, const BuildJob *job, Made *made) {
  const char *error = cc_compile_variants(cx, job, made->source, &made->parts);
  return error ? error : cc_compile(cx, job, NULL, made->functions, made->functions_o);
}

/* All objects, and the archive of the runtime, from which they take what they need, unless it is
 * shared. */
static ArgVec parts_of(Cx *cx, const BuildJob *job, const Made *made) {
  ArgVec objects = {0};
  for (uint32_t i = 0; i < made->parts.len; i++) vec_push(cx->arena, &objects, made->parts.data[i]);
  vec_push(cx->arena, &objects, made->functions_o);
  if (job->device_object) vec_push(cx->arena, &objects, job->device_object);
  cc_push_ranks(cx, job, true, &objects);
  if (!job->shared_runtime) vec_push(cx->arena, &objects, job->runtime_library);
  vec_push(cx->arena, &objects, NULL);
  return objects;
}

static const char *join_objects(Cx *cx, const BuildJob *job, const Made *made) {
  const ArgVec parts = parts_of(cx, job, made);
  return cc_join(cx, job, parts.data, made->joined);
}

/* Several libraries may be linked into one program. Names from C++ headers are not hidden
 * otherwise. */
static const char *hide_names(Cx *cx, const BuildJob *job, const Made *made) {
  const char *tool = cc_setting("OBJCOPY") ? cc_setting("OBJCOPY") : "objcopy";
  ArgVec args = {0};
  args_push_words(cx->arena, &args, tool);
  cc_push(cx, &args,
          (const char *const[]){"--localize-hidden", "--wildcard", "--keep-global-symbol",
                                job->library->visible, made->joined, made->object, NULL});
  return cc_run(cx, &args, job, "object file tool", NULL);
}

/* From the object, or from its parts if no object is wanted: only what its header declares is
 * visible. */
static const char *link_shared(Cx *cx, const BuildJob *job, const Made *made) {
  ArgVec args = cc_common_arguments(cx, job, NULL);
  const ArgVec parts = parts_of(cx, job, made);
  vec_push(cx->arena, &args, "-shared");
  cc_push(cx, &args, job->object ? (const char *const[]){made->object, NULL} : parts.data);
  cc_push(cx, &args, (const char *const[]){job->shared_runtime, NULL});
  cc_push_ranks(cx, job, false, &args);
  cc_push(cx, &args, job->link_args);
  cc_push(cx, &args, (const char *const[]){"-o", made->shared, NULL});
  return cc_run(cx, &args, job, "C compiler", NULL);
}

static const char *put_all(Cx *cx, const BuildJob *job, const Made *made) {
  const char *error = cc_put(cx, made->source, job->source);
  if (!error) error = cc_put(cx, made->functions, job->functions);
  if (!error) error = cc_put(cx, made->header, job->header);
  if (!error) error = cc_put(cx, made->json, job->json);
  if (!error) error = cc_put(cx, made->object, job->object);
  return error ? error : cc_put(cx, made->shared, job->shared);
}

const char *cc_make_library(Cx *cx, const BuildJob *job, const char *folder) {
  Made made = {
      .source = in(cx, folder, "program.c"),
      .functions = in(cx, folder, "functions.c"),
      .header = in(cx, folder, job->header), /* as the functions include it */
      .json = in(cx, folder, "library.json"),
      .functions_o = in(cx, folder, "functions.o"),
      .joined = in(cx, folder, "joined.o"),
      .object = in(cx, folder, "library.o"),
      .shared = in(cx, folder, "library.so"),
  };
  const char *error = write_texts(cx, job, &made);
  if (!error) error = compile_all(cx, job, &made);
  if (!error && job->object) error = join_objects(cx, job, &made);
  if (!error && job->object) error = hide_names(cx, job, &made);
  if (!error && job->shared) error = link_shared(cx, job, &made);
  return error ? error : put_all(cx, job, &made);
}
