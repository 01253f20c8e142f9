/* ranks.c: agreement between ranks.  Read next: ranks.h. */
#include "ranks.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const ddr_rank_engine *engine_of(const ddr_world *world) { return world->ranks->engine; }

void ddr_ranks_give_up(const ddr_world *world) {
  engine_of(world)->give_up(engine_of(world)->link, "out of memory for an exchange");
  abort();
}

void ddr_ranks_share(const ddr_world *world, int64_t number, int64_t *all) {
  if (ddr_n_ranks(world) == 1) *all = number;
  else engine_of(world)->share(engine_of(world)->link, &number, sizeof number, all);
}

static int64_t *new_numbers(const ddr_world *world) {
  const size_t n = (size_t)ddr_n_ranks(world);
  return ddr_ranks_memory(world, calloc(n, sizeof(int64_t)));
}

int ddr_ranks_differ(const ddr_world *world, uint64_t number) {
  if (ddr_n_ranks(world) == 1) return 0;
  int64_t *all = new_numbers(world), own;
  memcpy(&own, &number, sizeof own);
  ddr_ranks_share(world, own, all);
  int rank = 0;
  while (rank < ddr_n_ranks(world) && all[rank] == all[0]) rank++;
  free(all);
  return rank < ddr_n_ranks(world) ? rank : 0;
}

bool ddr_ranks_all(const ddr_world *world, bool is_so) {
  if (ddr_n_ranks(world) == 1) return is_so;
  int64_t *all = new_numbers(world);
  ddr_ranks_share(world, is_so, all);
  for (int rank = 0; rank < ddr_n_ranks(world); rank++) is_so &= all[rank] != 0;
  free(all);
  return is_so;
}

int64_t ddr_ranks_first(const ddr_world *world, int64_t number) {
  if (ddr_n_ranks(world) == 1) return number;
  int64_t *all = new_numbers(world);
  ddr_ranks_share(world, number, all);
  number = all[0];
  free(all);
  return number;
}

char *ddr_ranks_text(const ddr_world *world, const char *text) {
  const ddr_rank_engine *engine = engine_of(world);
  const size_t len = (size_t)ddr_ranks_first(world, (int64_t)strlen(text));
  char *all = ddr_ranks_memory(world, calloc(len + 1, 1));
  if (ddr_is_first_rank(world)) memcpy(all, text, len + 1);
  if (ddr_n_ranks(world) == 1) return all;
  int64_t *n = new_numbers(world);
  n[0] = (int64_t)len;
  engine->complete(engine->link, all, n, 1);
  free(n);
  return all;
}

void ddr_ranks_collect(ddr_world *world, ddr_parcel own, ddr_parcel in[]) {
  const ddr_rank_engine *engine = engine_of(world);
  const bool is_first = engine->rank == 0;
  int64_t *sizes = new_numbers(world);
  ddr_ranks_share(world, (int64_t)own.n_bytes, sizes);
  for (int r = 0; is_first && r < engine->n_ranks; r++) {
    const size_t n = r == 0 ? 0 : (size_t)sizes[r];
    in[r] = (ddr_parcel){r, n, ddr_ranks_memory(world, malloc(n + 1))};
  }
  own.rank = 0;
  if (is_first) engine->exchange(engine->link, NULL, 0, in + 1, engine->n_ranks - 1);
  else engine->exchange(engine->link, &own, 1, NULL, 0);
  free(sizes);
}

/* --- beginning and end ------------------------------------------------------------------------ */

bool ddr_runs_in_pieces(const ddr_world *world) {
  const ddr_program *program = world->program;
  return !program->is_lockstep && !program->global_start && !program->source &&
         !world->ranks->has_snapshots && (ddr_n_ranks(world) == 1 || world->ranks->engine->take);
}

/* Addresses mean nothing to another rank.  Strands that never leave their rank may have them. */
const char *ddr_ranks_obstacle(const ddr_world *world) {
  if (ddr_runs_in_pieces(world)) return NULL;
  if (world->program->lend_strands) return "its strands have dynamic sequences";
  return world->program->has_strings ? "its strands have strings" : NULL;
}

void ddr_ranks_decide(ddr_world *world, bool has_snapshots) {
  world->ranks->has_snapshots = has_snapshots;
  world->ranks->is_replicated = ddr_ranks_obstacle(world) != NULL;
}

uint32_t ddr_ranks_cores(const ddr_world *world, uint32_t n_cores) {
  const ddr_rank_engine *engine = engine_of(world);
  const long n_all = sysconf(_SC_NPROCESSORS_ONLN);
  if (!engine || (long)n_cores < n_all) return n_cores;
  const uint32_t n_each = n_cores / (uint32_t)engine->n_on_node;
  return n_each > 0 ? n_each : 1;
}

/* Only the first rank prints; the others discard their text. */
static bool swallow(void *data, const char *text) {
  (void)data;
  (void)text;
  return false;
}

bool ddr_ranks_join(ddr_world *world, const ddr_rank_engine *engine) {
  ddr_ranks *ranks = world->ranks;
  ranks->engine = engine;
  ddr_ranks_decide(world, false);
  if (ddr_is_first_rank(world)) return true;
  ddr_set_printer(world, swallow, NULL);
  ranks->nowhere = fopen("/dev/null", "w");
  if (!ranks->nowhere) ddr_error(world, "cannot open /dev/null");
  return ranks->nowhere != NULL;
}

void ddr_ranks_leave(ddr_world *world) {
  if (world->ranks->nowhere) fclose(world->ranks->nowhere);
  world->ranks->nowhere = NULL;
}

/* --- errors ----------------------------------------------------------------------------------- */

/* The errors of the world, the newest first, each with a NUL at its end. */
static ddr_text errors_of(ddr_world *world) {
  ddr_text text = {0};
  pthread_mutex_lock(&world->messages.lock);
  for (const ddr_message *message = world->messages.newest; message; message = message->older)
    ddr_text_append(&text, message->text, strlen(message->text) + 1);
  if (world->messages.is_lost) ddr_text_append(&text, "out of memory", sizeof "out of memory");
  pthread_mutex_unlock(&world->messages.lock);
  return text;
}

/* Records the errors in the order in which they happened. */
static void record_errors(ddr_world *world, const ddr_parcel *parcel) {
  const char *text = parcel->bytes;
  for (size_t end = parcel->n_bytes; end > 0;) {
    size_t begin = end - 1;
    while (begin > 0 && text[begin - 1] != '\0') begin--;
    ddr_error(world, "rank %d: %s", parcel->rank, text + begin);
    end = begin;
  }
}

static void send_errors_of(ddr_world *world, int rank) {
  ddr_text text = {0};
  ddr_parcel *in = ddr_ranks_memory(world, calloc((size_t)ddr_n_ranks(world), sizeof *in));
  if (ddr_own_rank(world) == rank) text = errors_of(world);
  ddr_ranks_collect(world, (ddr_parcel){0, text.len, text.chars}, in);
  for (int r = 0; r < ddr_n_ranks(world); r++) {
    if (in[r].n_bytes > 0) record_errors(world, &in[r]);
    free(in[r].bytes);
  }
  ddr_text_clear(&text);
  free(in);
}

bool ddr_ranks_agree(ddr_world *world) {
  const bool has_errors = ddr_any_errors(world);
  if (ddr_n_ranks(world) == 1) return has_errors;
  int64_t *all = new_numbers(world);
  ddr_ranks_share(world, has_errors, all);
  int rank = 0;
  while (rank < ddr_n_ranks(world) && !all[rank]) rank++;
  free(all);
  if (rank == ddr_n_ranks(world)) return false;
  if (rank > 0) send_errors_of(world, rank);
  if (!ddr_any_errors(world)) ddr_error(world, "rank %d has failed", rank);
  return true;
}
