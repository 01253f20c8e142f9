/* What the two halves of the server share: answers to requests, and waiting for everything. */
#pragma once

#include "frontend/view/local.h"
#include "frontend/view/mhd.h"

enum { MOST_CONNECTIONS = 64, MOST_BODY_PART = 1 << 16 };

typedef struct Server Server;

/* A request that is being answered. */
typedef struct Conn {
  struct Conn *next;
  Server *server;
  struct MHD_Connection *connection;
  int fd; /* the client's: it tells when that has gone */
  char *body;
  size_t n_body;
  bool is_suspended; /* waits for something to happen */
  bool is_run;       /* it has one, or waits for a program that can follow a strand */
  bool is_over;      /* nobody wants the answer any more */
  int wire;          /* of its run; -1: none */
  char page[65];     /* that asked for the run, and its number there */
  json_int_t run;
} Conn;

struct Server {
  const ViewOptions *options;
  const Mhd *mhd;
  struct MHD_Daemon *daemon;
  Program *program;
  Program *tracer;       /* the same, made with --trace, as soon as somebody wants a trace */
  bool has_tracer;       /* it is, or becomes, one of the present file */
  ViewOptions of_tracer; /* those of the program, and that */
  Watch *watch;
  Conn *conns;
  char token[TOKEN_LEN + 1];
};

/* ---- answers.c ---------------------------------------------------------------------------------
 */

/* MHD's callbacks: a request has come, in parts; it is answered, or its client has gone. */
enum MHD_Result answers_take(void *server, struct MHD_Connection *connection, const char *path,
                             const char *method, const char *version, const char *part,
                             size_t *n_part, void **conn);
void answers_end(void *server, struct MHD_Connection *connection, void **conn,
                 enum MHD_RequestTerminationCode why);

/* Goes on with a request that waited. */
void conn_wake(Conn *conn);
/* The run of the request ends. */
void conn_end_run(Conn *conn);
