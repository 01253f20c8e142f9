/* What answers.c and server.c share. */
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
  int fd; /* the client's socket, by which its end is noticed */
  char *body;
  size_t n_body;
  bool is_suspended; /* waits for an event */
  bool is_run;       /* has a run, or waits for a program that can trace a strand */
  bool is_over;      /* the answer is not needed any more */
  int wire;          /* from which the run is read; -1: none */
  char page[65];     /* that asked for the run, and the run's number there */
  json_int_t run;
} Conn;

struct Server {
  const ViewOptions *options;
  const Mhd *mhd;
  struct MHD_Daemon *daemon;
  Program *program;
  Program *tracer;       /* the same program, compiled with --trace when a trace is first needed */
  bool has_tracer;       /* it is of the present file, or is being compiled from it */
  ViewOptions of_tracer; /* options of the program, and --trace */
  Watch *watch;
  Conn *conns;
  char token[TOKEN_LEN + 1];
};

/* ---- answers.c ------------------------------------------------------------------------------- */

/* Callbacks of libmicrohttpd: a part of a request has come; a request has ended. */
enum MHD_Result answers_take(void *server, struct MHD_Connection *connection, const char *path,
                             const char *method, const char *version, const char *part,
                             size_t *n_part, void **conn);
void answers_end(void *server, struct MHD_Connection *connection, void **conn,
                 enum MHD_RequestTerminationCode why);

/* Continues a suspended request. */
void conn_wake(Conn *conn);
/* Ends the run of a request. */
void conn_end_run(Conn *conn);
