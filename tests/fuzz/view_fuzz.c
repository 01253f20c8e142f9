/* Fuzz target: requests to `diderotc view`. The input's lines are method, path, host, origin, and
 * the arguments `after` and `under`; a line of one dash stands for none. What follows is the body.
 *
 * What must hold: without the token, or from another host or page, all is refused; what becomes of
 * an accepted order are whole words that the program can count, and files are those below the
 * folder. Next: frontend/view/local.h.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "frontend/view/local.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char token[TOKEN_LEN + 1] = "0123456789abcdef0123456789abcdef";
static const char description[] =
    "{\"inputs\":[{\"name\":\"scale\",\"kind\":\"real\",\"n\":1},"
    "{\"name\":\"eye\",\"kind\":\"real\",\"n\":3},{\"name\":\"img\",\"kind\":\"image\",\"n\":1},"
    "{\"name\":\"text\",\"kind\":\"string\",\"n\":1}]}";

static void find(const char *what, const char *text) {
  fprintf(stderr, "%s: %.300s\n", what, text);
  abort();
}

/* The next line, cut off; NULL for none. */
static const char *take_line(char **rest) {
  char *line = *rest, *end = strchr(line, '\n');
  *rest = end ? end + 1 : line + strlen(line);
  if (end) *end = '\0';
  return strcmp(line, "-") == 0 ? NULL : line;
}

/* The folder is one of nothing but a link out of it. */
static const char *make_folder(void) {
  static char folder[] = "/tmp/view-fuzz-XXXXXX";
  static char *made;
  if (!made) {
    made = mkdtemp(folder);
    char link[64];
    snprintf(link, sizeof link, "%s/out", folder);
    if (!made || symlink("/etc", link) != 0) find("no folder", folder);
  }
  return made;
}

static void remove_folder(void) {
  char link[64];
  snprintf(link, sizeof link, "%s/out", make_folder());
  unlink(link);
  rmdir(make_folder());
}

/* THINNING, MODE, of a trace the strand, then NAME COUNT and COUNT words each. */
static void see_words(Arena *a, const Order *order) {
  const char *at = order->message, *end = at + order->n_bytes;
  if (order->n_bytes == 0 || end[-1] != '\0') find("no last word", "");
  VEC(const char *) words = {0};
  for (; at < end; at += strlen(at) + 1) vec_push(a, &words, at);
  const uint32_t n_first = order->is_trace ? 3 : 2;
  if (words.len < n_first) find("no first words", "");
  if (order->is_trace && words.data[2][strspn(words.data[2], "#,0123456789")])
    find("no strand", words.data[2]);
  uint32_t k = n_first;
  while (k + 1 < words.len) {
    const uint32_t n = (uint32_t)strtoul(words.data[k + 1], NULL, 10);
    if (strcmp(words.data[k], "img") == 0 && n > 0) find("a file of another folder", at);
    k += n + 2;
  }
  if (k != words.len) find("words are missing", order->message);
}

static void see_route(Arena *a, const Request *request, Route route, const json_t *program) {
  Order order = {0};
  char letter = 0;
  if (strncmp(request->path + 1, token, TOKEN_LEN) != 0) find("without the token", request->path);
  if (request->origin && strncmp(request->origin, "http://", 7) != 0)
    find("from another page", request->origin);
  if (route == ROUTE_RUN && !order_read(a, make_folder(), program, request, &order))
    see_words(a, &order);
  if (route == ROUTE_STEP && !order_read_letter(a, request, &order, &letter) && letter != 's' &&
      letter != 'e')
    find("another letter", request->body);
  if (route != ROUTE_FILES) return;
  json_t *names = files_complete(a, make_folder(), request->under ? request->under : "");
  if (json_array_size(names) > 0) find("a name of another folder", request->under);
  json_decref(names);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static json_t *program;
  if (!program) {
    program = json_loads(description, 0, NULL);
    make_folder();
    atexit(remove_folder);
  }
  Arena *a = arena_new();
  char *rest = arena_strdup(a, (const char *)data, size);
  const char *end = rest + size;
  Request request = {.method = take_line(&rest), .path = take_line(&rest)};
  request.host = take_line(&rest), request.origin = take_line(&rest);
  request.after = take_line(&rest), request.under = take_line(&rest);
  request.body = rest, request.n_body = (size_t)(end - rest);
  unsigned status;
  const char *name;
  if (request.method && request.path) {
    const Route route = request_route(token, &request, &status, &name);
    if (route != ROUTE_REFUSED) see_route(a, &request, route, program);
  }
  arena_free(a);
  return 0;
}
