/* What the files of the view share. */
#pragma once

#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "frontend/base/text.h"
#include "frontend/base/vec.h"
#include "frontend/view/view.h"

/* ---- token.c --------------------------------------------------------------------------------- */

enum { TOKEN_LEN = 32 };                    /* 128 bits in hexadecimal digits */
bool token_make(char token[TOKEN_LEN + 1]); /* false: there is no randomness */
/* Whether text begins with the token, in constant time. */
bool token_begins(const char token[TOKEN_LEN + 1], const char *text);

/* ---- request.c: which requests are allowed, and from whom ------------------------------------ */

enum { MAX_BODY = 1 << 16, MAX_PATH_LEN = 512 };

/* A request; members are NULL if the client does not send them. */
typedef struct Request {
  const char *method, *path, *host, *origin;
  const char *after, *under; /* arguments behind the path */
  const char *body;
  size_t n_body;
} Request;

typedef enum {
#define ROUTE(id, ...) ROUTE_##id,
#include "frontend/view/routes.def"
  ROUTE_COUNT,
  ROUTE_PAGE = ROUTE_COUNT, /* a file of the page */
  ROUTE_REFUSED
} Route;

/* The route of a request. ROUTE_REFUSED: *status is the HTTP status; ROUTE_PAGE: *name is the file
 * of the page. */
Route request_route(const char token[TOKEN_LEN + 1], const Request *request, unsigned *status,
                    const char **name);

/* ---- files.c: below one folder --------------------------------------------------------------- */

/* The real path of a file below the folder, which no symbolic link leads out of; else NULL with
 * *why. */
const char *files_find(Arena *a, const char *folder, const char *name, const char **why);
/* Names below the folder that begin with `begin`, as a JSON array; folders with a slash at the end.
 */
json_t *files_complete(Arena *a, const char *folder, const char *begin);

/* ---- order.c: from JSON to messages for the program ------------------------------------------ */

typedef struct Order {
  const char *page; /* that sends the order; it only shows its last run */
  json_int_t run;   /* its number, given by the page */
  bool is_trace;    /* a trace of one strand */
  char *message;    /* words, each followed by a zero byte; not const because of sendmsg */
  size_t n_bytes;
} Order;

/* program: its description. NULL, or what is wrong with the body. */
const char *order_read(Arena *a, const char *folder, const json_t *program, const Request *request,
                       Order *order);
/* Reads {page, run, letter}, which continues a run that waits. */
const char *order_read_letter(Arena *a, const Request *request, Order *order, char *letter);

/* ---- assets.c: the page, made by the build from page/ ---------------------------------------- */

typedef struct Asset {
  const char *name, *type;
  const unsigned char *bytes;
  size_t n_bytes;
} Asset;
extern const Asset view_assets[]; /* ends in one without a name; the first is the page itself */
const Asset *asset_find(const char *name);

/* ---- program.c: the program, compiled again and again ---------------------------------------- */

typedef enum { PHASE_BUILDING, PHASE_READY, PHASE_BROKEN } Phase;

typedef struct Program Program;

Program *program_new(const ViewOptions *options);
void program_free(Program *program);
void program_build(Program *program); /* compiles again; the old program runs until it is ready */

typedef struct ProgramView {
  Phase phase;
  json_int_t version;        /* changes whenever something else here does */
  json_int_t n_builds;       /* programs so far */
  const char *said;          /* output of the compiler and of the program */
  const json_t *description; /* of the last that could be compiled; NULL: none yet */
} ProgramView;
ProgramView program_see(const Program *program);

/* Sets the descriptors to wait for, at most PROGRAM_FDS; returns their number. */
enum { PROGRAM_FDS = 4 };
size_t program_watch(const Program *program, struct pollfd fds[PROGRAM_FDS]);
/* After waiting: handles what has come. True if the version has changed. */
bool program_advance(Program *program, const struct pollfd fds[PROGRAM_FDS], size_t n);
/* Starts a run; returns the descriptor from which to read it, whose end is the run's end. -1: there
 * is no program, or no descriptor is free. */
int program_order(Program *program, const Order *order);

/* ---- watch.c: a file that editors write or replace ------------------------------------------- */

typedef struct Watch Watch;
Watch *watch_new(const char *file, const char **why);
void watch_free(Watch *watch);
int watch_fd(const Watch *watch);
bool watch_has_changed(Watch *watch); /* since it was asked last */
