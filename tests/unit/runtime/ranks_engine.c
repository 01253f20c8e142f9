/* ranks_engine.c: what a rank sends stays in place until all others have copied it. */
#include "ranks_engine.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct Team Team;

typedef struct Member {
  Team *team;
  pthread_t thread;
  ddr_rank_engine engine;
  const void *shown; /* shown by share and complete */
  const ddr_parcel *out;
  int64_t n_out;
  RanksCount received;
  void *lent;    /* to other ranks of the machine; only one thing at a time */
  void **common; /* of the first of a machine: memory of its ranks */
  int n_common;
  pthread_barrier_t machine; /* likewise */
  int fd;                    /* of the common file */
  int n_puts;
} Member;

struct Team {
  int n;
  Member *members;
  pthread_barrier_t barrier;
  _Atomic int64_t counter;
  bool has_room;
  RanksTrouble trouble;
  _Atomic int n_open;
  RankLife *life;
  void *data;
};

static void wait_for_all(const Member *own) { pthread_barrier_wait(&own->team->barrier); }

static void receive(Member *own, void *to, const void *from, size_t n_bytes) {
  if (n_bytes > 0) memcpy(to, from, n_bytes);
  own->received.n_messages++;
  own->received.n_bytes += (int64_t)n_bytes;
}

static void share(void *link, const void *bytes, size_t size, void *all) {
  Member *own = link;
  own->shown = bytes;
  wait_for_all(own);
  for (int r = 0; r < own->team->n; r++) {
    char *to = (char *)all + (size_t)r * size;
    if (r == own->engine.rank) memcpy(to, bytes, size);
    else receive(own, to, own->team->members[r].shown, size);
  }
  wait_for_all(own);
}

static void complete(void *link, void *all, const int64_t n[], size_t unit) {
  Member *own = link;
  own->shown = all;
  wait_for_all(own);
  size_t at = 0;
  for (int r = 0; r < own->team->n; r++) {
    const size_t n_bytes = (size_t)n[r] * unit;
    const char *from = own->team->members[r].shown;
    if (r != own->engine.rank) receive(own, (char *)all + at, from + at, n_bytes);
    at += n_bytes;
  }
  wait_for_all(own);
}

/* The next parcel for a rank, after `last`. */
static const ddr_parcel *next_to(const Member *from, int rank, const ddr_parcel *last) {
  for (int64_t k = last ? last + 1 - from->out : 0; k < from->n_out; k++)
    if (from->out[k].rank == rank) return &from->out[k];
  return NULL;
}

static void fail(const char *what) {
  fprintf(stderr, "ranks: %s\n", what);
  abort();
}

static void exchange(void *link, const ddr_parcel *out, int64_t n_out, const ddr_parcel *in,
                     int64_t n_in) {
  Member *own = link;
  own->out = out;
  own->n_out = n_out;
  wait_for_all(own);
  for (int r = 0; r < own->team->n; r++) {
    const ddr_parcel *parcel = NULL;
    for (int64_t k = 0; k < n_in; k++) {
      if (in[k].rank != r) continue;
      parcel = next_to(&own->team->members[r], own->engine.rank, parcel);
      if (!parcel) fail("a parcel was not sent");
      if (parcel->n_bytes != in[k].n_bytes) fail("a parcel has another length");
      receive(own, in[k].bytes, parcel->bytes, parcel->n_bytes);
    }
    if (next_to(&own->team->members[r], own->engine.rank, parcel)) fail("a parcel is left over");
  }
  wait_for_all(own);
}

/* All machines lend at the same time here. */
static const void *lend(void *link, const void *bytes, size_t n_bytes) {
  Member *own = link;
  const Member *first = &own->team->members[own->engine.first_on_node];
  if ((bytes != NULL) != (first == own)) fail("the first of a machine lends, and nobody else");
  if (bytes && own->team->has_room) {
    own->lent = malloc(n_bytes);
    if (!own->lent) fail("out of memory");
    memcpy(own->lent, bytes, n_bytes);
  }
  wait_for_all(own);
  return first->lent;
}

static Member *first_of_machine(const Member *own) {
  return &own->team->members[own->engine.first_on_node];
}

static void meet(void *link) { pthread_barrier_wait(&first_of_machine(link)->machine); }

static void release(Member *first, void *old) {
  int k = 0;
  while (k < first->n_common && first->common[k] != old) k++;
  if (k == first->n_common) fail("memory is returned that was not given");
  first->common[k] = first->common[--first->n_common];
  free(old);
}

static void *common(void *link, void *old, size_t n_bytes) {
  const Member *own = link;
  Member *first = first_of_machine(own);
  meet(link);
  if (own == first && old) release(first, old);
  if (own == first && own->team->has_room) {
    void **more = realloc(first->common, (size_t)(first->n_common + 1) * sizeof *more);
    void *memory = aligned_alloc(64, (n_bytes + 63) / 64 * 64);
    if (!more || !memory) fail("out of memory");
    memset(memory, 0xff, n_bytes);
    first->common = more;
    first->common[first->n_common++] = memory;
  }
  meet(link);
  return own->team->has_room ? first->common[first->n_common - 1] : NULL;
}

static int64_t take(void *link) {
  const Member *own = link;
  return atomic_fetch_add(&own->team->counter, 1);
}

static void attend(void *link) { (void)link; }

/* As on machines with a common folder; a blind rank does not have it. */
static bool open_file(void *link, const char *name) {
  Member *own = link;
  const bool is_blind = own->engine.rank == own->team->trouble.blind_rank - 1;
  own->fd = is_blind ? -1 : open(name, O_WRONLY | O_CLOEXEC);
  own->n_puts = 0;
  own->team->n_open += own->fd >= 0;
  wait_for_all(own);
  const bool is_open = own->team->n_open == own->team->n;
  wait_for_all(own);
  own->team->n_open = 0;
  wait_for_all(own);
  if (!is_open && own->fd >= 0) close(own->fd);
  return is_open;
}

static int put(void *link, int64_t at, const void *bytes, size_t n_bytes) {
  Member *own = link;
  const RanksTrouble *trouble = &own->team->trouble;
  if (own->engine.rank == trouble->full_rank - 1 && own->n_puts++ == trouble->n_puts) return ENOSPC;
  return pwrite(own->fd, bytes, n_bytes, (off_t)at) == (ssize_t)n_bytes ? 0 : errno;
}

static int close_file(void *link) {
  Member *own = link;
  const int status = close(own->fd) == 0 ? 0 : errno;
  wait_for_all(own);
  return own->engine.rank == own->team->trouble.late_rank - 1 ? EIO : status;
}

static void give_up(void *link, const char *message) {
  (void)link;
  fail(message);
}

static void *live(void *data) {
  Member *own = data;
  own->team->life(&own->engine, own->team->data);
  return NULL;
}

/* Runs all members of the team. */
static void live_all(Team *team, int n_on_node) {
  const int n_ranks = team->n;
  team->members = calloc((size_t)n_ranks, sizeof *team->members);
  if (!team->members || pthread_barrier_init(&team->barrier, NULL, (unsigned)n_ranks) != 0)
    fail("out of memory");
  for (int r = 0; r < n_ranks; r++) {
    Member *own = &team->members[r];
    own->team = team;
    own->engine = (ddr_rank_engine){
        .link = own,
        .rank = r,
        .n_ranks = n_ranks,
        .n_on_node = n_on_node,
        .first_on_node = r / n_on_node * n_on_node,
        .number_on_node = r % n_on_node,
        .share = share,
        .complete = complete,
        .exchange = exchange,
        .lend = lend,
        .common = common,
        .meet = meet,
        .take = take,
        .attend = attend,
        .open_file = open_file,
        .put = put,
        .close_file = close_file,
        .give_up = give_up,
    };
  }
  for (int r = 0; r < n_ranks; r += n_on_node)
    if (pthread_barrier_init(&team->members[r].machine, NULL, (unsigned)n_on_node) != 0)
      fail("out of memory");
  for (int r = 0; r < n_ranks; r++)
    if (pthread_create(&team->members[r].thread, NULL, live, &team->members[r]) != 0)
      fail("cannot start a thread");
  for (int r = 0; r < n_ranks; r++) pthread_join(team->members[r].thread, NULL);
  pthread_barrier_destroy(&team->barrier);
  for (int r = 0; r < n_ranks; r++) free(team->members[r].lent);
  for (int r = 0; r < n_ranks; r += n_on_node) {
    Member *first = &team->members[r];
    for (int k = 0; k < first->n_common; k++) free(first->common[k]);
    free(first->common);
    pthread_barrier_destroy(&first->machine);
  }
  free(team->members);
}

void ranks_live(int n_ranks, RankLife *life, void *data) {
  ranks_live_on(n_ranks, 1, true, life, data);
}

void ranks_live_on(int n_ranks, int n_on_node, bool has_room, RankLife *life, void *data) {
  Team team = {.n = n_ranks, .has_room = has_room, .life = life, .data = data};
  live_all(&team, n_on_node);
}

void ranks_live_in(RanksTrouble trouble, int n_ranks, RankLife *life, void *data) {
  Team team = {.n = n_ranks, .has_room = true, .trouble = trouble, .life = life, .data = data};
  live_all(&team, 1);
}

RanksCount ranks_received(const ddr_rank_engine *engine) {
  const Member *own = engine->link;
  return own->received;
}
