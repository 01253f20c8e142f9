/* Request: which requests are allowed. No client is trusted: other pages in the same browser can
 * send requests, even by host names that they let resolve to this machine (DNS rebinding).
 */
#include <string.h>
#include <strings.h>

#include "frontend/view/local.h"

static bool is_port(const char *text) {
  const size_t n = strspn(text, "0123456789");
  return n >= 1 && n <= 5 && text[n] == '\0';
}

/* Whether the host is this machine, by a name that cannot be faked. The port may be that of a
 * tunnel.
 */
static bool is_own_host(const char *host) {
  static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    const size_t n = strlen(names[k]);
    if (strncasecmp(host, names[k], n) != 0) continue;
    if (host[n] == '\0' || (host[n] == ':' && is_port(host + n + 1))) return true;
  }
  return false;
}

/* Browsers send the origin of the page that asks: if there is one, it must be this host. */
static bool is_own_origin(const char *origin, const char *host) {
  static const char scheme[] = "http://";
  const size_t n = sizeof scheme - 1;
  return strncmp(origin, scheme, n) == 0 && strcasecmp(origin + n, host) == 0;
}

typedef struct RouteRow {
  const char *method, *path;
} RouteRow;

static const RouteRow rows[ROUTE_COUNT] = {
#define ROUTE(id, method, path) {method, path},
#include "frontend/view/routes.def"
};

static Route refuse(unsigned *status, unsigned how) {
  *status = how;
  return ROUTE_REFUSED;
}

/* The route of the path behind the token. */
static Route find(const Request *request, const char *path, unsigned *status, const char **name) {
  for (int k = 0; k < ROUTE_COUNT; k++) {
    if (strcmp(path, rows[k].path) != 0) continue;
    return strcmp(request->method, rows[k].method) == 0 ? (Route)k : refuse(status, 405);
  }
  const Asset *asset = asset_find(*path ? path : view_assets[0].name);
  if (!asset) return refuse(status, 404);
  if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0)
    return refuse(status, 405);
  *name = asset->name;
  return ROUTE_PAGE;
}

Route request_route(const char token[TOKEN_LEN + 1], const Request *request, unsigned *status,
                    const char **name) {
  const char *path = request->path;
  if (!request->host || !is_own_host(request->host)) return refuse(status, 403);
  if (request->origin && !is_own_origin(request->origin, request->host)) return refuse(status, 403);
  if (strlen(path) > MAX_PATH_LEN) return refuse(status, 414);
  if (path[0] != '/' || !token_begins(token, path + 1)) return refuse(status, 404);
  if (path[TOKEN_LEN + 1] != '/') return refuse(status, 404);
  if (request->n_body > MAX_BODY) return refuse(status, 413);
  return find(request, path + TOKEN_LEN + 2, status, name);
}

const Asset *asset_find(const char *name) {
  const Asset *asset = view_assets;
  while (asset->name && strcmp(asset->name, name) != 0) asset++;
  return asset->name ? asset : NULL;
}
