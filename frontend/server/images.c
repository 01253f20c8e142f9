/* Images: the headers of the files that programs name. A header is read again when its file has
 * changed; relative names start from the program's folder.
 */
#define _POSIX_C_SOURCE 200809L

#include <string.h>
#include <sys/stat.h>

#include "frontend/server/local.h"

enum { MAX_IMAGES = 64 };

/* A file as it was when its header was read. */
typedef struct SeenImage {
  Arena *arena; /* of all that is here; NULL: the slot is free */
  const char *file;
  struct stat info; /* not looked at where there was no file */
  ImageProbe probe;
} SeenImage;

struct Images {
  CheckHost host;
  SeenImage seen[MAX_IMAGES];
  uint32_t next; /* the slot to be reused next */
};

Images *images_new(Arena *a, CheckHost host) {
  Images *images = NEW(a, Images);
  images->host = host;
  return images;
}

void images_free(Images *images) {
  for (int k = 0; k < MAX_IMAGES; k++) arena_free(images->seen[k].arena);
}

/* ---- names ---------------------------------------------------------------------------------- */

static int digit_of(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char low = (char)(c | 0x20);
  return low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
}

/* The path of a file:// address with its %20; NULL for all others. */
static const char *path_of(Arena *a, const char *uri) {
  static const char scheme[] = "file://";
  if (strncmp(uri, scheme, sizeof scheme - 1) != 0) return NULL;
  Text path = text_new(a);
  for (const char *c = strchr(uri + sizeof scheme - 1, '/'); c && *c; c++) {
    const int high = *c == '%' ? digit_of(c[1]) : -1, low = high >= 0 ? digit_of(c[2]) : -1;
    char byte = *c;
    if (low >= 0) byte = (char)(16 * high + low);
    if (byte == '\0') return NULL;
    text_add_n(&path, &byte, 1);
    if (low >= 0) c += 2;
  }
  return path.len > 0 ? text_str(&path) : NULL;
}

/* The path of a file that a program names; NULL if it cannot be known. */
static const char *find_file(Arena *a, const char *uri, const char *name) {
  const char *program = path_of(a, uri), *slash = program ? strrchr(program, '/') : NULL;
  if (!slash || strcmp(name, "-") == 0 || *name == '\0') return NULL;
  if (*name == '/') return name;
  return text_format(a, "%.*s/%s", (int)(slash - program), program, name);
}

/* ---- headers -------------------------------------------------------------------------------- */

static bool is_same_file(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
         a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static const SeenImage *seen_before(const Images *images, const char *file,
                                    const struct stat *info) {
  for (const SeenImage *seen = images->seen; seen < images->seen + MAX_IMAGES; seen++)
    if (seen->arena && strcmp(seen->file, file) == 0 && is_same_file(&seen->info, info))
      return seen;
  return NULL;
}

static const SeenImage *look(Images *images, const char *file, const struct stat *info) {
  SeenImage *seen = &images->seen[images->next];
  images->next = (images->next + 1) % MAX_IMAGES;
  arena_free(seen->arena);
  Arena *arena = arena_new();
  *seen = (SeenImage){.arena = arena, .file = arena_strdup(arena, file, strlen(file))};
  seen->info = *info;
  seen->probe = images->host.probe_image(images->host.state, arena, file);
  return seen;
}

static const char *copy(Arena *a, const char *text) {
  return text ? arena_strdup(a, text, strlen(text)) : NULL;
}

bool images_probe(Images *images, Arena *a, const char *uri, const char *name, ImageProbe *probe) {
  const char *file = images->host.probe_image ? find_file(a, uri, name) : NULL;
  struct stat info;
  if (!file) return false;
  *probe = (ImageProbe){0};
  if (stat(file, &info) != 0) return true;
  const SeenImage *seen = seen_before(images, file, &info);
  if (!seen) seen = look(images, file, &info);
  *probe = seen->probe; /* its strings may not live long enough: they are copied */
  probe->problem = copy(a, seen->probe.problem);
  probe->unsupported_kind = copy(a, seen->probe.unsupported_kind);
  probe->sample_type = copy(a, seen->probe.sample_type);
  probe->value_kind = copy(a, seen->probe.value_kind);
  probe->placement = copy(a, seen->probe.placement);
  return true;
}
