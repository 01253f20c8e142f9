/* Lsp: the language server between standard input and standard output, until the client says `exit`
 * or goes.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "driver/commands.h"
#include "driver/proxy.h"

#ifdef DDR_HAS_SERVER
#include "frontend/server/server.h"

enum { CHUNK = 1 << 16 };

static void write_out(void *state, const char *bytes, size_t n) { fwrite(bytes, 1, n, state); }

static int serve(void) {
  static char chunk[CHUNK];
  Server *server =
      server_new((ServerOut){stdout, write_out}, (CheckHost){.probe_image = proxy_probe_image});
  while (server_status(server) < 0) {
    const ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    server_take(server, chunk, (size_t)n);
    if (fflush(stdout) != 0) break;
  }
  const int status = server_status(server);
  server_free(server);
  return status < 0 ? 1 : status;
}
#else
static int serve(void) {
  fputs("Error: diderotc lsp: this compiler was built without jansson\n", stderr);
  return 1;
}
#endif

/* Many editors add --stdio. */
int lsp_main(char **args) {
  if (*args && strcmp(*args, "--stdio") == 0) args++;
  if (!*args) return serve();
  fprintf(stderr, "Error: diderotc lsp takes no \"%s\"; it reads standard input\n", *args);
  return 1;
}
