/* Paths: see paths.h. Where a compiler that was built and not installed finds the runtime comes
 * from CMake, relative to the compiler: its bytes say nothing of where it was built.
 */
#include "driver/paths.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/base/file.h"
#include "frontend/base/hash.h"
#include "frontend/base/process.h"
#include "frontend/base/text.h"

const char *path_last(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *path_without_suffix(Arena *a, const char *path) {
  const char *dot = strrchr(path_last(path), '.');
  return arena_strdup(a, path, dot ? (size_t)(dot - path) : strlen(path));
}

const char *path_stem(Arena *a, const char *path) {
  return path_without_suffix(a, path_last(path));
}

const char *path_without_object_suffix(Arena *a, const char *path) {
  const char *dot = strrchr(path_last(path), '.');
  const bool is_object = dot && (strcmp(dot, ".o") == 0 || strcmp(dot, ".obj") == 0);
  return is_object ? path_without_suffix(a, path) : path;
}

/* ---- the runtime ----------------------------------------------------------------------------- */

/* The folder `up` levels above the running compiler's, or NULL. */
static const char *own_folder(Arena *a, int up) {
  char path[PATH_MAX];
  const ssize_t len = readlink("/proc/self/exe", path, sizeof path - 1);
  if (len <= 0) return NULL;
  path[len] = '\0';
  for (int i = 0; i <= up; i++) {
    char *slash = strrchr(path, '/');
    if (!slash) return NULL;
    *slash = '\0';
  }
  return arena_strdup(a, path, strlen(path));
}

typedef struct Home {
  const char *include_dir, *library, *shared_library;
} Home;

/* Where Teem is: its prefix, or NULL if the C compiler finds it, and the file or option to link. */
typedef struct TeemPlace {
  const char *folder, *library;
} TeemPlace;

static bool is_home(Arena *a, Home home) {
  const char *header = text_format(a, "%s/ddr/program.h", home.include_dir);
  return access(header, R_OK) == 0 && access(home.library, R_OK) == 0;
}

static Home home_of_prefix(Arena *a, const char *prefix) {
  const char *libdir = text_format(a, "%s/" DDR_INSTALL_LIBDIR, prefix);
  return (Home){text_format(a, "%s/" DDR_INSTALL_INCLUDEDIR, prefix),
                text_format(a, "%s/diderot/libddr-runtime.a", libdir),
                text_format(a, "%s/libddr-runtime.so", libdir)};
}

static Home home_of_build(Arena *a, const char *folder) {
  char include_dir[PATH_MAX];
  const char *shown = text_format(a, "%s/" DDR_BUILD_INCLUDE_DIR, folder);
  if (realpath(shown, include_dir)) shown = arena_strdup(a, include_dir, strlen(include_dir));
  return (Home){shown, text_format(a, "%s/" DDR_BUILD_RUNTIME, folder),
                text_format(a, "%s/" DDR_BUILD_SHARED_RUNTIME, folder)};
}

static const char *find_home(Arena *a, Home *home) {
  const char *chosen = getenv("DIDEROT_HOME");
  if (chosen && *chosen) {
    *home = home_of_prefix(a, chosen);
    return is_home(a, *home) ? NULL
                             : text_format(a,
                                           "DIDEROT_HOME=%s holds no " DDR_INSTALL_INCLUDEDIR
                                           "/ddr and " DDR_INSTALL_LIBDIR "/diderot",
                                           chosen);
  }
  const char *prefix = own_folder(a, 1), *folder = own_folder(a, 0);
  if (prefix) *home = home_of_prefix(a, prefix);
  if (prefix && is_home(a, *home)) return NULL;
  if (folder) *home = home_of_build(a, folder);
  if (folder && is_home(a, *home)) return NULL;
  return "the runtime is not installed beside the compiler; set DIDEROT_HOME to its prefix";
}

/* What is called libteem.so.VERSION in a folder, or NULL. */
static const char *teem_in(Arena *a, const char *path) {
  static const char begin[] = "libteem.so.";
  const char *found = NULL;
  DIR *folder = opendir(path);
  for (const struct dirent *file; folder && !found && (file = readdir(folder));)
    if (strncmp(file->d_name, begin, strlen(begin)) == 0)
      found = text_format(a, "%s/%s", path, file->d_name);
  if (folder) closedir(folder);
  return found;
}

/* $DIDEROT_TEEM_DIR, else what came along with the runtime, as in wheels. */
static const char *find_teem(Arena *a, Home home, TeemPlace *teem) {
  const char *chosen = getenv("DIDEROT_TEEM_DIR");
  *teem = (TeemPlace){NULL, "-lteem"};
  if (!chosen || !*chosen) {
    const int len = (int)(path_last(home.library) - home.library);
    const char *own = text_format(a, "%.*steem", len, home.library);
    const char *library = teem_in(a, text_format(a, "%s/lib", own));
    if (library) *teem = (TeemPlace){own, library};
    return NULL;
  }
  teem->folder = chosen;
  if (access(text_format(a, "%s/include/teem/nrrd.h", chosen), R_OK) == 0 &&
      (access(text_format(a, "%s/lib/libteem.so", chosen), R_OK) == 0 ||
       access(text_format(a, "%s/lib/libteem.a", chosen), R_OK) == 0))
    return NULL;
  return text_format(a, "DIDEROT_TEEM_DIR=%s holds no include/teem/nrrd.h and lib/libteem", chosen);
}

/* The archive that the variable names, even if another build made it, or the one beside the other
 * archive. */
static void find_devices(Arena *a, Home home, RuntimePaths *paths) {
  static const struct {
    const char *variable, *name, *release;
  } kinds[DEVICE_KIND_COUNT] = {
      [DEVICE_CUDA] = {"DIDEROT_CUDA_RUNTIME", "cuda", DDR_CUDA_RELEASE},
      [DEVICE_HIP] = {"DIDEROT_HIP_RUNTIME", "hip", DDR_HIP_RELEASE},
  };
  for (int kind = DEVICE_NONE + 1; kind < DEVICE_KIND_COUNT; kind++) {
    const char *chosen = getenv(kinds[kind].variable), *name = kinds[kind].name;
    const char *own = text_format(a, "%s-%s.a", path_without_suffix(a, home.library), name);
    if (chosen && *chosen) {
      paths->device[kind].library = chosen;
    } else if (access(own, R_OK) == 0) {
      paths->device[kind].library = own;
      paths->device[kind].release = *kinds[kind].release ? kinds[kind].release : NULL;
    }
  }
}

/* Words for the linker: $DIDEROT_MPI_RUNTIME, even if another build made it, or the archive beside
 * the other one. */
static void find_ranks(Arena *a, Home home, RuntimePaths *paths) {
  static const char *const needed[] = {DDR_MPI_LINK_ARGS NULL};
  const char *chosen = getenv("DIDEROT_MPI_RUNTIME");
  const int len = (int)(path_last(home.library) - home.library);
  const char *own = text_format(a, "%.*slibddr-mpi.a", len, home.library);
  ArgVec args = {0};
  if (chosen && *chosen) {
    args_push_words(a, &args, chosen);
  } else if (access(own, R_OK) == 0) {
    vec_push(a, &args, own);
    for (const char *const *arg = needed; *arg; arg++) vec_push(a, &args, *arg);
  } else return;
  vec_push(a, &args, NULL);
  paths->rank_args = args.data;
}

static void find_view(Arena *a, Home home, RuntimePaths *paths) {
  const int len = (int)(path_last(home.library) - home.library);
  const char *own = text_format(a, "%.*slibddr-viewed.a", len, home.library);
  if (access(own, R_OK) != 0) return;
  const char **args = NEWN(a, const char *, 2);
  args[0] = own;
  paths->view_args = args;
}

static const char *const link_args[] = {DDR_RUNTIME_LINK_ARGS NULL};
/* Additional arguments for --sanitize; none in builds whose programs are sanitized anyway. */
static const char *const sanitized_compile_args[] = {DDR_SANITIZED_COMPILE_ARGS NULL};
static const char *const sanitized_link_args[] = {DDR_SANITIZED_LINK_ARGS NULL};

const char *const *runtime_libraries(Arena *a, bool with_shared) {
  ArgVec names = {0};
  if (with_shared) vec_push(a, &names, "ddr-runtime");
  for (const char *const *arg = link_args; *arg; arg++)
    if (strncmp(*arg, "-l", 2) == 0) vec_push(a, &names, *arg + 2);
  vec_push(a, &names, NULL);
  return names.data;
}

/* Programs find the library where it is now; if that is a default folder, they need no -rpath. */
static const char *find_shared(Arena *a, Home home, RuntimePaths *paths, ArgVec *link) {
  const char *path = home.shared_library;
  if (access(path, R_OK) != 0) return text_format(a, "there is no shared runtime: %s", path);
  paths->shared_library = path;
  if (strcmp(path, "/usr/" DDR_INSTALL_LIBDIR "/libddr-runtime.so") == 0) return NULL;
  const char *folder = arena_strdup(a, path, (size_t)(path_last(path) - path) - 1);
  const char *const words[] = {"-Xlinker", "-rpath", "-Xlinker", folder};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) vec_push(a, link, words[i]);
  return NULL;
}

/* The sanitized archive, beside the other one; in builds whose runtime is sanitized they are the
 * same. */
static const char *find_sanitized(Arena *a, Home home, RuntimePaths *paths) {
  paths->library =
      text_format(a, "%s" DDR_SANITIZED_SUFFIX ".a", path_without_suffix(a, home.library));
  if (access(paths->library, R_OK) == 0) return NULL;
  return text_format(a, "there is no sanitized runtime: %s", paths->library);
}

static void push_all(Arena *a, ArgVec *args, const char *const *list) {
  for (; *list; list++) vec_push(a, args, *list);
}

const char *runtime_paths(Arena *a, RuntimeKind kind, RuntimePaths *paths) {
  static const char *const compile_args[] = {DDR_RUNTIME_COMPILE_ARGS NULL};
  Home home;
  TeemPlace teem;
  const char *missing = find_home(a, &home);
  if (!missing) missing = find_teem(a, home, &teem);
  if (missing) return missing;
  ArgVec compile = {0}, link = {0};
  *paths = (RuntimePaths){.include_dir = home.include_dir, .library = home.library};
  if (kind == RUNTIME_SHARED) missing = find_shared(a, home, paths, &link);
  if (kind == RUNTIME_SANITIZED) missing = find_sanitized(a, home, paths);
  if (missing) return missing;
  vec_push(a, &compile, text_format(a, "-I%s", home.include_dir));
  if (teem.folder) {
    vec_push(a, &compile, text_format(a, "-I%s/include", teem.folder));
    vec_push(a, &link, text_format(a, "-L%s/lib", teem.folder));
    vec_push(a, &link, text_format(a, "-Wl,-rpath,%s/lib", teem.folder));
  }
  push_all(a, &compile, compile_args);
  for (const char *const *arg = link_args; *arg; arg++)
    vec_push(a, &link, strcmp(*arg, "-lteem") == 0 ? teem.library : *arg);
  if (kind == RUNTIME_SANITIZED) {
    push_all(a, &compile, sanitized_compile_args);
    push_all(a, &link, sanitized_link_args);
  }
  vec_push(a, &compile, NULL);
  vec_push(a, &link, NULL);
  paths->compile_args = compile.data;
  paths->link_args = link.data;
  find_devices(a, home, paths);
  find_ranks(a, home, paths);
  find_view(a, home, paths);
  return NULL;
}

static int by_name(const void *left, const void *right) {
  return strcmp(*(const char *const *)left, *(const char *const *)right);
}

uint64_t runtime_hash(Arena *a, const RuntimePaths *paths) {
  const char *path = text_format(a, "%s/ddr", paths->include_dir);
  ArgVec headers = {0};
  DIR *folder = opendir(path);
  for (const struct dirent *file; folder && (file = readdir(folder));)
    if (file->d_name[0] != '.') vec_push(a, &headers, text_format(a, "%s/%s", path, file->d_name));
  if (folder) closedir(folder);
  if (headers.len) qsort(headers.data, headers.len, sizeof *headers.data, by_name);
  uint64_t hash = hash_file(HASH_START, paths->library);
  if (paths->shared_library) hash = hash_file(hash, paths->shared_library);
  for (int kind = 0; kind < DEVICE_KIND_COUNT; kind++)
    if (paths->device[kind].library) hash = hash_file(hash, paths->device[kind].library);
  if (paths->rank_args) hash = hash_file(hash, paths->rank_args[0]);
  if (paths->view_args) hash = hash_file(hash, paths->view_args[0]);
  for (uint32_t i = 0; i < headers.len; i++) hash = hash_file(hash, headers.data[i]);
  return hash;
}
