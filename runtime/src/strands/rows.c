/* rows.c: sends rows of `before` to the ranks whose strands may ask for them.
 *
 * If rank a's region meets rank b's box, a sends b the boxes of its pieces, if it uses pieces, and
 * b sends a the number of rows.  The rows follow, and after them their slots: for each run its
 * distance from the end of the last run, and its length, in bytes of seven bits.  The receiver
 * remembers the slots; while nothing moves, only the rows are sent. Read next: halo.h.
 */
#include <stdlib.h>
#include <string.h>

#include "halo.h"
#include "shares.h"

/* --- lists ------------------------------------------------------------------------------------ */

void ddr_rows_forget(ddr_rows *rows) {
  free(rows->runs);
  *rows = (ddr_rows){0};
}

static void add_run(const ddr_world *world, ddr_rows *rows, int64_t slot, int64_t n) {
  ddr_strand_run *last = rows->n_runs > rows->first ? &rows->runs[rows->n_runs - 1] : NULL;
  if (last && last->first + last->count == slot) {
    last->count += n;
    return;
  }
  if (rows->n_runs == rows->capacity) {
    rows->capacity = rows->capacity > 0 ? 2 * rows->capacity : 16;
    const size_t n_bytes = (size_t)rows->capacity * sizeof *rows->runs;
    rows->runs = ddr_ranks_memory(world, realloc(rows->runs, n_bytes));
  }
  rows->runs[rows->n_runs++] = (ddr_strand_run){slot, n};
}

static int64_t count_rows(const ddr_rows *rows) {
  int64_t n = 0;
  for (int64_t k = rows->first; k < rows->n_runs; k++) n += rows->runs[k].count;
  return n;
}

/* --- which are wanted ------------------------------------------------------------------------- */

static bool is_asked_for(const ddr_asked *asked, const double pos[], int dim) {
  if (!ddr_region_has(&asked->region, pos, dim)) return false;
  bool is_so = !asked->has_pieces;
  for (int k = 0; k < DDR_PIECES && !is_so; k++)
    is_so = ddr_region_has(&asked->pieces[k], pos, dim);
  return is_so;
}

/* Chooses rows of slots [begin, end), at most a chunk. */
static void choose_rows_of(const ddr_world *world, ddr_peer *peer, int64_t begin, int64_t end) {
  const int dim = (int)world->program->pos_dim;
  ddr_places places;
  ddr_places_read(world, begin, end, &places);
  const ddr_region box = ddr_places_box(&places);
  if (!ddr_region_meets(&box, &peer->now.region, dim)) return;
  for (int64_t at = 0; at < places.n; at++) {
    const double pos[DDR_MOST_DIM] = {places.at[0][at], places.at[1][at], places.at[2][at]};
    if (is_asked_for(&peer->now, pos, dim) && !is_asked_for(&peer->last, pos, dim))
      add_run(world, &peer->sent, places.slots[at], 1);
  }
}

static void choose_rows(const ddr_world *world, ddr_peer *peer) {
  const ddr_strand_run own = ddr_share_of(world->store, ddr_own_rank(world));
  const int64_t end = own.first + own.count;
  for (int64_t slot = own.first; slot < end; slot += DDR_CHUNK)
    choose_rows_of(world, peer, slot, slot + DDR_CHUNK < end ? slot + DDR_CHUNK : end);
}

/* --- writing and reading ---------------------------------------------------------------------- */

static void put_number(ddr_text *out, uint64_t number) {
  do {
    const uint8_t low = (uint8_t)(number & 0x7f), more = number > 0x7f ? 0x80 : 0;
    const char byte = (char)(low | more);
    ddr_text_append(out, &byte, 1);
    number >>= 7;
  } while (number > 0);
}

static int64_t take_number(const char **at) {
  uint64_t number = 0;
  for (int shift = 0;; shift += 7) {
    const uint8_t byte = (uint8_t) * (*at)++;
    number |= (uint64_t)(byte & 0x7f) << shift;
    if (byte < 0x80) return (int64_t)number;
  }
}

static void put_rows(const ddr_world *world, ddr_peer *peer) {
  const size_t size = ddr_before_size(world->program);
  for (int64_t k = peer->sent.first; k < peer->sent.n_runs; k++) {
    const ddr_strand_run run = peer->sent.runs[k];
    const char *rows = (const char *)world->store->before + (size_t)run.first * size;
    ddr_text_append(&peer->out, rows, (size_t)run.count * size);
  }
  if (peer->out.is_short) ddr_ranks_give_up(world);
}

static void put_slots(const ddr_world *world, ddr_peer *peer) {
  int64_t end = ddr_share_of(world->store, ddr_own_rank(world)).first;
  for (int64_t k = peer->sent.first; k < peer->sent.n_runs; k++) {
    const ddr_strand_run run = peer->sent.runs[k];
    put_number(&peer->out, (uint64_t)(run.first - end));
    put_number(&peer->out, (uint64_t)run.count);
    end = run.first + run.count;
  }
  if (peer->out.is_short) ddr_ranks_give_up(world);
}

static void take_slots(const ddr_world *world, ddr_peer *peer, int rank) {
  const size_t n_rows = peer->n_in[0];
  const char *at = peer->in + n_rows * ddr_before_size(world->program);
  const char *stop = at + peer->n_in[1];
  int64_t end = ddr_share_of(world->store, rank).first;
  while (at < stop) {
    const int64_t first = end + take_number(&at), count = take_number(&at);
    add_run(world, &peer->got, first, count);
    end = first + count;
  }
}

static void take_rows(const ddr_world *world, const ddr_peer *peer) {
  const size_t size = ddr_before_size(world->program);
  const char *from = peer->in;
  for (int64_t k = peer->got.first; k < peer->got.n_runs; k++) {
    const ddr_strand_run run = peer->got.runs[k];
    const size_t n_bytes = (size_t)run.count * size;
    memcpy((char *)world->store->before + (size_t)run.first * size, from, n_bytes);
    from += n_bytes;
    ddr_halo_add(world->store->halo, run);
  }
}

/* --- sending ---------------------------------------------------------------------------------- */

typedef struct Parcels {
  ddr_parcel *out, *in;
  int64_t n_out, n_in;
} Parcels;

static Parcels parcels_new(const ddr_world *world) {
  const size_t n = (size_t)ddr_n_ranks(world);
  ddr_parcel *memory = ddr_ranks_memory(world, calloc(2 * n, sizeof *memory));
  return (Parcels){.out = memory, .in = memory + n};
}

static void exchange(const ddr_world *world, Parcels *parcels) {
  const ddr_rank_engine *engine = world->ranks->engine;
  engine->exchange(engine->link, parcels->out, parcels->n_out, parcels->in, parcels->n_in);
  free(parcels->out);
}

/* Whether rank `from` may have rows for rank `to`, whose region is new. */
static bool may_send(const ddr_world *world, int from, int to) {
  const ddr_peer *peers = world->store->halo->peers;
  return from != to && peers[to].is_asking &&
         ddr_region_meets(&peers[from].box, &peers[to].now.region, (int)world->program->pos_dim);
}

/* The boxes of pieces, as floats (halo.c): for all axes, first the lower ends. */
enum { MOST_NUMBERS = DDR_PIECES * 2 * DDR_MOST_DIM };

static void write_pieces(const ddr_asked *asked, int dim, float *number) {
  for (int k = 0; k < DDR_PIECES; k++) {
    for (int axis = 0; axis < dim; axis++) *number++ = (float)asked->pieces[k].lo[axis];
    for (int axis = 0; axis < dim; axis++) *number++ = (float)asked->pieces[k].hi[axis];
  }
}

static void read_pieces(ddr_asked *asked, int dim, const float *number) {
  for (int k = 0; k < DDR_PIECES; k++) {
    for (int axis = 0; axis < dim; axis++) asked->pieces[k].lo[axis] = (double)*number++;
    for (int axis = 0; axis < dim; axis++) asked->pieces[k].hi[axis] = (double)*number++;
  }
}

/* Sends the boxes of pieces to the ranks that may have rows for this one. */
static void send_pieces(const ddr_world *world) {
  const ddr_halo *halo = world->store->halo;
  const int own = ddr_own_rank(world), n_ranks = ddr_n_ranks(world);
  const int dim = (int)world->program->pos_dim;
  const size_t n_bytes = (size_t)(DDR_PIECES * 2 * dim) * sizeof(float);
  Parcels parcels = parcels_new(world);
  float mine[MOST_NUMBERS], (*theirs)[MOST_NUMBERS];
  theirs = ddr_ranks_memory(world, calloc((size_t)n_ranks, sizeof *theirs));
  write_pieces(&halo->here, dim, mine);
  for (int r = 0; r < n_ranks; r++) {
    if (halo->here.has_pieces && may_send(world, r, own))
      parcels.out[parcels.n_out++] = (ddr_parcel){r, n_bytes, mine};
    if (halo->peers[r].now.has_pieces && may_send(world, own, r))
      parcels.in[parcels.n_in++] = (ddr_parcel){r, n_bytes, theirs[r]};
  }
  exchange(world, &parcels);
  for (int r = 0; r < n_ranks; r++)
    if (halo->peers[r].now.has_pieces && may_send(world, own, r))
      read_pieces(&halo->peers[r].now, dim, theirs[r]);
  free(theirs);
}

/* Sends the numbers of rows, and of the bytes that encode the slots. */
static void send_numbers(const ddr_world *world) {
  const int own = ddr_own_rank(world);
  Parcels parcels = parcels_new(world);
  for (int r = 0; r < ddr_n_ranks(world); r++) {
    ddr_peer *peer = &world->store->halo->peers[r];
    if (may_send(world, own, r))
      parcels.out[parcels.n_out++] = (ddr_parcel){r, sizeof peer->n_out, peer->n_out};
    if (may_send(world, r, own))
      parcels.in[parcels.n_in++] = (ddr_parcel){r, sizeof peer->n_in, peer->n_in};
  }
  exchange(world, &parcels);
}

/* Sends rows and encoded slots. */
static void send_texts(const ddr_world *world) {
  const size_t size = ddr_before_size(world->program);
  Parcels parcels = parcels_new(world);
  for (int r = 0; r < ddr_n_ranks(world); r++) {
    ddr_peer *peer = &world->store->halo->peers[r];
    const size_t n_in = (size_t)peer->n_in[0] * size + peer->n_in[1];
    if (peer->out.len > 0)
      parcels.out[parcels.n_out++] = (ddr_parcel){r, peer->out.len, peer->out.chars};
    if (n_in == 0) continue;
    peer->in = ddr_ranks_memory(world, malloc(n_in));
    parcels.in[parcels.n_in++] = (ddr_parcel){r, n_in, peer->in};
  }
  exchange(world, &parcels);
  for (int r = 0; r < ddr_n_ranks(world); r++) ddr_text_clear(&world->store->halo->peers[r].out);
}

static void forget_numbers(ddr_peer *peer) {
  memset(peer->n_out, 0, sizeof peer->n_out);
  memset(peer->n_in, 0, sizeof peer->n_in);
}

static void write_new(const ddr_world *world, ddr_peer *peer) {
  choose_rows(world, peer);
  put_rows(world, peer);
  const size_t n_before = peer->out.len;
  put_slots(world, peer);
  peer->n_out[0] = (uint32_t)count_rows(&peer->sent);
  peer->n_out[1] = (uint32_t)(peer->out.len - n_before);
}

void ddr_rows_send(ddr_world *world) {
  const int n_ranks = ddr_n_ranks(world), own = ddr_own_rank(world);
  ddr_peer *peers = world->store->halo->peers;
  send_pieces(world);
  for (int r = 0; r < n_ranks; r++) {
    forget_numbers(&peers[r]);
    peers[r].sent.first = peers[r].sent.n_runs;
    peers[r].got.first = peers[r].got.n_runs;
    if (may_send(world, own, r)) write_new(world, &peers[r]);
  }
  send_numbers(world);
  send_texts(world);
  for (int r = 0; r < n_ranks; r++) {
    if (peers[r].n_in[0] > 0) {
      take_slots(world, &peers[r], r);
      take_rows(world, &peers[r]);
    }
    free(peers[r].in);
    peers[r].in = NULL;
  }
}

void ddr_rows_repeat(ddr_world *world) {
  const int n_ranks = ddr_n_ranks(world);
  ddr_peer *peers = world->store->halo->peers;
  for (int r = 0; r < n_ranks; r++) {
    forget_numbers(&peers[r]);
    peers[r].sent.first = peers[r].got.first = 0;
    peers[r].n_in[0] = (uint32_t)count_rows(&peers[r].got);
    put_rows(world, &peers[r]);
  }
  send_texts(world);
  for (int r = 0; r < n_ranks; r++) {
    if (peers[r].n_in[0] > 0) take_rows(world, &peers[r]);
    free(peers[r].in);
    peers[r].in = NULL;
  }
}
