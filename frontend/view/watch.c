/* Watch: changes of one file. Watches its folder, because editors often rename a new file over it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "frontend/view/local.h"

struct Watch {
  int fd;
  char *name; /* in the folder */
};

static char *copy(const char *text, size_t n) {
  char *to = malloc(n + 1);
  if (to) memcpy(to, text, n), to[n] = '\0';
  return to;
}

static bool begin(Watch *watch, const char *file) {
  const char *slash = strrchr(file, '/');
  char *folder = slash ? copy(file, (size_t)(slash + 1 - file)) : copy("./", 2);
  watch->name = copy(slash ? slash + 1 : file, strlen(slash ? slash + 1 : file));
  watch->fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  const bool is_good = folder && watch->name && watch->fd >= 0 &&
                       inotify_add_watch(watch->fd, folder, IN_CLOSE_WRITE | IN_MOVED_TO) >= 0;
  free(folder);
  return is_good;
}

Watch *watch_new(const char *file, const char **why) {
  Watch *watch = calloc(1, sizeof *watch);
  if (watch && begin(watch, file)) return watch;
  *why = strerror(errno);
  watch_free(watch);
  return NULL;
}

void watch_free(Watch *watch) {
  if (!watch) return;
  if (watch->fd >= 0) close(watch->fd);
  free(watch->name);
  free(watch);
}

int watch_fd(const Watch *watch) { return watch->fd; }

bool watch_has_changed(Watch *watch) {
  union {
    char bytes[4096];
    struct inotify_event align;
  } events;
  bool has_changed = false;
  for (ssize_t n; (n = read(watch->fd, events.bytes, sizeof events.bytes)) > 0;) {
    for (const char *at = events.bytes; at < events.bytes + n;) {
      struct inotify_event event;
      memcpy(&event, at, sizeof event);
      const char *name = at + sizeof event;
      has_changed = has_changed || (event.mask & IN_Q_OVERFLOW) ||
                    (event.len > 0 && strcmp(name, watch->name) == 0);
      at += sizeof event + event.len;
    }
  }
  return has_changed;
}
