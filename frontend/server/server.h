/* Server: the language server. It gets the bytes of a client and gives it bytes, and keeps the open
 * documents, each with the compiler's analysis of its present text.
 *
 * Only the notification `exit` ends it: invalid input is answered by an error of the protocol.
 * Memory is bounded by the open documents, whose number and size are limited, and by one message.
 * Source: Microsoft, Language Server Protocol, version 3.17; JSON-RPC 2.0. Next: local.h.
 */
#pragma once

#include <stddef.h>

#include "frontend/check/check.h"

typedef struct Server Server;

/* Gets the bytes for the client, whole messages. */
typedef struct ServerOut {
  void *state;
  void (*write)(void *state, const char *bytes, size_t n);
} ServerOut;

/* The host looks at the images that programs name; its members may be NULL. */
Server *server_new(ServerOut out, CheckHost host);
void server_free(Server *server);
/* Takes bytes in any portions; complete messages are answered before it returns. */
void server_take(Server *server, const char *bytes, size_t n);
/* The exit status once the client has said `exit`: 0, or 1 without `shutdown` before; else -1. */
int server_status(const Server *server);
