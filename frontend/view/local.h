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

/* ---- token.c -----------------------------------------------------------------------------------
 */

enum { TOKEN_LEN = 32 };                    /* 128 bits in hexadecimal digits */
bool token_make(char token[TOKEN_LEN + 1]); /* false: there is no randomness */
/* Whether text begins so; takes as long for every text. */
bool token_begins(const char token[TOKEN_LEN + 1], const char *text);

/* ---- request.c: what may be asked, and by whom -------------------------------------------------
 */

enum { MAX_BODY = 1 << 16, MAX_PATH_LEN = 512 };

/* NULL where the client says nothing. */
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

/* What is asked for. ROUTE_REFUSED: *status is that of the protocol; ROUTE_PAGE: *name is the file
 * of the page. */
Route request_route(const char token[TOKEN_LEN + 1], const Request *request, unsigned *status,
                    const char **name);

/* ---- files.c: below one folder -----------------------------------------------------------------
 */

/* The real path of a file below the folder, which no symbolic link leads out of; else NULL with
 * *why. */
const char *files_find(Arena *a, const char *folder, const char *name, const char **why);
/* Names below the folder that begin so, as a JSON array; of folders with a slash behind. */
json_t *files_complete(Arena *a, const char *folder, const char *begin);

/* ---- order.c: from JSON to what the program understands ----------------------------------------
 */

typedef struct Order {
  const char *page; /* which asks: it looks at its last run only */
  json_int_t run;   /* its number for that */
  bool is_trace;    /* of one strand */
  char *message;    /* words, each with a zero byte behind it; sendmsg wants it unprotected */
  size_t n_bytes;
} Order;

/* program: its description. NULL, or what is wrong with the body. */
const char *order_read(Arena *a, const char *folder, const json_t *program, const Request *request,
                       Order *order);
/* {page, run, letter}: for a run that waits. */
const char *order_read_letter(Arena *a, const Request *request, Order *order, char *letter);

/* ---- assets.c: the page, made by the build from page/ ------------------------------------------
 */

typedef struct Asset {
  const char *name, *type;
  const unsigned char *bytes;
  size_t n_bytes;
} Asset;
extern const Asset view_assets[]; /* ends in one without a name; the first is the page itself */
const Asset *asset_find(const char *name);

/* ---- program.c: the program, compiled again and again ------------------------------------------
 */

typedef enum { PHASE_BUILDING, PHASE_READY, PHASE_BROKEN } Phase;

typedef struct Program Program;

Program *program_new(const ViewOptions *options);
void program_free(Program *program);
void program_build(Program *program); /* anew; what runs goes on until that is ready */

typedef struct ProgramView {
  Phase phase;
  json_int_t version;        /* another whenever something has changed */
  json_int_t n_builds;       /* programs so far */
  const char *said;          /* what the compiler, and the program itself, have said */
  const json_t *description; /* of the last that could be compiled; NULL: none yet */
} ProgramView;
ProgramView program_see(const Program *program);

/* What to wait for: at most PROGRAM_FDS; returns how many. */
enum { PROGRAM_FDS = 4 };
size_t program_watch(const Program *program, struct pollfd fds[PROGRAM_FDS]);
/* After waiting: takes what has come. True when the version is another. */
bool program_advance(Program *program, const struct pollfd fds[PROGRAM_FDS], size_t n);
/* The wire of a run, which it ends with; -1: there is no program, or no room. */
int program_order(Program *program, const Order *order);

/* ---- watch.c: a file that editors write, or put another in the place of ------------------------
 */

typedef struct Watch Watch;
Watch *watch_new(const char *file, const char **why);
void watch_free(Watch *watch);
int watch_fd(const Watch *watch);
bool watch_has_changed(Watch *watch); /* since it was asked last */
