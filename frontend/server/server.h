/* Server: the language server. Bytes of a client come in, bytes for it go out; between them
 * documents that are open, each with what the compiler says of its present text.
 *
 * No input ends it but the notification `exit`: what cannot be understood is answered by an error
 * of the protocol. Memory is bounded by the open documents, whose number and size are limited, and
 * by one message. Source: Microsoft, Language Server Protocol, version 3.17; JSON-RPC 2.0. Next:
 * local.h.
 */
#pragma once

#include <stddef.h>

#include "frontend/check/check.h"

typedef struct Server Server;

/* Takes what is for the client, whole messages. */
typedef struct ServerOut {
  void *state;
  void (*write)(void *state, const char *bytes, size_t n);
} ServerOut;

/* The host looks at images that programs name; without one nobody does. */
Server *server_new(ServerOut out, CheckHost host);
void server_free(Server *server);
/* Bytes as they come; what is complete is answered before this returns. */
void server_take(Server *server, const char *bytes, size_t n);
/* The exit status once the client has said `exit`: 0, or 1 without `shutdown` before; else -1. */
int server_status(const Server *server);
