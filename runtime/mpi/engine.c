/* engine.c: ranks as processes of MPI. Only what every MPI has is used.
 *
 * Lengths in MPI are ints: longer messages are sent in pieces.  Any error of MPI ends all ranks,
 * which is its default. Read next: ddr/ranks.h.
 */
#include "engine.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "file.h"

#if defined(DDR_SMALL_SIZES)
enum { PIECE = 64, MOST_UNITS = 50 };
#else
enum { PIECE = 1 << 30, MOST_UNITS = INT_MAX };
#endif

enum { TAG = 1 };

/* Memory that the first rank of a machine has allocated for all of them. */
typedef struct Shared {
  MPI_Win window;
  char *memory;
} Shared;

typedef struct Link {
  MPI_Comm comm;
  MPI_Comm node;  /* the ranks of this machine */
  Shared *shared; /* memory that they share */
  int n_shared;
  MPI_Win window; /* the counter, at rank 0 */
  int64_t *counter;
  CommonFile file;
  int rank, n_ranks;
} Link;

static void give_up(void *data, const char *message) {
  const Link *link = data;
  fprintf(stderr, "rank %d: %s\n", link->rank, message);
  MPI_Abort(link->comm, EXIT_FAILURE);
  abort();
}

static void *need(Link *link, void *memory) {
  if (!memory) give_up(link, "out of memory for messages");
  return memory;
}

/* --- all to all ------------------------------------------------------------------------------- */

static void share(void *data, const void *own, size_t size, void *all) {
  const Link *link = data;
  MPI_Allgather(own, (int)size, MPI_BYTE, all, (int)size, MPI_BYTE, link->comm);
}

/* For lengths that do not fit into ints: one rank after the other, in pieces. */
static void complete_in_pieces(const Link *link, char *all, const int64_t n[], size_t unit) {
  for (int rank = 0; rank < link->n_ranks; rank++) {
    for (size_t left = (size_t)n[rank] * unit; left > 0;) {
      const size_t len = left < PIECE ? left : PIECE;
      MPI_Bcast(all, (int)len, MPI_BYTE, rank, link->comm);
      all += len;
      left -= len;
    }
  }
}

static void complete(void *data, void *all, const int64_t n[], size_t unit) {
  Link *link = data;
  int64_t n_all = 0;
  for (int rank = 0; rank < link->n_ranks; rank++) n_all += n[rank];
  if (n_all > MOST_UNITS || unit > PIECE) {
    complete_in_pieces(link, all, n, unit);
    return;
  }
  int *counts = need(link, malloc(2 * (size_t)link->n_ranks * sizeof *counts));
  int *begins = counts + link->n_ranks;
  for (int rank = 0, next = 0; rank < link->n_ranks; next += counts[rank++]) {
    counts[rank] = (int)n[rank];
    begins[rank] = next;
  }
  MPI_Datatype row;
  MPI_Type_contiguous((int)unit, MPI_BYTE, &row);
  MPI_Type_commit(&row);
  MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, begins, row, link->comm);
  MPI_Type_free(&row);
  free(counts);
}

/* --- parcels ---------------------------------------------------------------------------------- */

static int64_t count_pieces(const ddr_parcel *parcels, int64_t n) {
  int64_t n_pieces = 0;
  for (int64_t k = 0; k < n; k++) n_pieces += (int64_t)((parcels[k].n_bytes + PIECE - 1) / PIECE);
  return n_pieces;
}

typedef enum { OUT, IN } Direction;

static MPI_Request *begin_parcel(const Link *link, const ddr_parcel *parcel, Direction direction,
                                 MPI_Request *next) {
  char *at = parcel->bytes;
  for (size_t left = parcel->n_bytes; left > 0; next++) {
    const int len = left < PIECE ? (int)left : PIECE;
    if (direction == IN) MPI_Irecv(at, len, MPI_BYTE, parcel->rank, TAG, link->comm, next);
    else MPI_Isend(at, len, MPI_BYTE, parcel->rank, TAG, link->comm, next);
    at += len;
    left -= (size_t)len;
  }
  return next;
}

/* Memory for the requests. */
static void exchange(void *data, const ddr_parcel *out, int64_t n_out, const ddr_parcel *in,
                     int64_t n_in) {
  Link *link = data;
  const int64_t n = count_pieces(out, n_out) + count_pieces(in, n_in);
  if (n == 0) return;
  if (n > INT_MAX) give_up(link, "there are too many messages");
  MPI_Request *requests = need(link, malloc((size_t)n * sizeof(MPI_Request)));
  MPI_Request *next = requests;
  for (int64_t k = 0; k < n_in; k++) next = begin_parcel(link, &in[k], IN, next);
  for (int64_t k = 0; k < n_out; k++) next = begin_parcel(link, &out[k], OUT, next);
  for (MPI_Request *request = requests; request < next; request++)
    MPI_Wait(request, MPI_STATUS_IGNORE); /* not Waitall, whose header makes gcc warn with MPICH */
  free(requests);
}

/* --- memory that ranks of a machine share ----------------------------------------------------- */

enum { ALIGNMENT = 64, LEAST_PAGE = 4096 };
enum { OF_EACH_RANK = 4 << 20 }; /* messages of MPI, whose pages come when they are written, too */

static int count_on_node(const Link *link) {
  int n;
  MPI_Comm_size(link->node, &n);
  return n;
}

static int number_on_node(const Link *link) {
  int number;
  MPI_Comm_rank(link->node, &number);
  return number;
}

/* Whether the file system of shared memory has room: some MPIs promise more than there is, and the
 * process is killed when it writes there. */
static bool has_room(const Link *link, size_t n_bytes) {
  const uint64_t left = (uint64_t)OF_EACH_RANK * (uint64_t)count_on_node(link);
  struct statvfs info;
  if (statvfs("/dev/shm", &info) != 0) return true;
  return (uint64_t)info.f_bavail * info.f_frsize > n_bytes + left;
}

static bool all_on_node(const Link *link, bool is_so) {
  int own = is_so, all;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, link->node);
  return all != 0;
}

/* At the same place in a page for all ranks, so that alignment is the same. */
static char *aligned(char *address) {
  const size_t over = (uintptr_t)address % ALIGNMENT;
  return address + (over > 0 ? ALIGNMENT - over : 0);
}

/* Failure to make a window must not end the program. */
static bool make_window(const Link *link, MPI_Aint size, Shared *made) {
  MPI_Comm_set_errhandler(link->node, MPI_ERRORS_RETURN);
  const bool is_made = MPI_Win_allocate_shared(size, 1, MPI_INFO_NULL, link->node, &made->memory,
                                               &made->window) == MPI_SUCCESS;
  MPI_Comm_set_errhandler(link->node, MPI_ERRORS_ARE_FATAL);
  return all_on_node(link, is_made);
}

/* The first rank of the machine gives the length, the others 0. NULL to all: there is no room. */
static char *allocate(Link *link, size_t n_bytes) {
  const MPI_Aint size = n_bytes > 0 ? (MPI_Aint)(n_bytes + ALIGNMENT) : 0;
  Shared made = {0};
  MPI_Aint n_there;
  int unit;
  if (!all_on_node(link, n_bytes == 0 || has_room(link, n_bytes))) return NULL;
  if (!make_window(link, size, &made)) return NULL;
  MPI_Win_shared_query(made.window, 0, &n_there, &unit, &made.memory);
  made.memory = aligned(made.memory);
  MPI_Win_lock_all(0, made.window);
  link->shared = need(link, realloc(link->shared, (size_t)(link->n_shared + 1) * sizeof made));
  link->shared[link->n_shared++] = made;
  return made.memory;
}

static void release(const Shared *shared) {
  MPI_Win window = shared->window;
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

static void sync_all(const Link *link) {
  for (int k = 0; k < link->n_shared; k++) MPI_Win_sync(link->shared[k].window);
}

static void meet(void *data) {
  const Link *link = data;
  sync_all(link);
  MPI_Barrier(link->node);
  sync_all(link);
}

static const void *lend(void *data, const void *bytes, size_t n_bytes) {
  Link *link = data;
  char *memory = allocate(link, bytes ? n_bytes : 0);
  if (!memory) return NULL;
  if (bytes) memcpy(memory, bytes, n_bytes);
  meet(link);
  return memory;
}

/* Until they are written, pages count as free, and the next allocation would get them too.  Each
 * rank writes a part, so that these are near its processor. */
static void fill(const Link *link, char *memory, size_t n_bytes) {
  const size_t number = (size_t)number_on_node(link), n = (size_t)count_on_node(link);
  const size_t n_pages = n_bytes / LEAST_PAGE + 1, end = n_pages * (number + 1) / n;
  for (size_t page = n_pages * number / n; page < end; page++) {
    const size_t at = page * LEAST_PAGE;
    memory[at < n_bytes ? at : n_bytes - 1] = 0;
  }
}

static void *common(void *data, void *old, size_t n_bytes) {
  Link *link = data;
  for (int k = 0; k < link->n_shared; k++) {
    if (link->shared[k].memory != old) continue;
    release(&link->shared[k]);
    link->shared[k] = link->shared[--link->n_shared];
    break;
  }
  char *memory = allocate(link, number_on_node(link) == 0 ? n_bytes : 0);
  if (!memory) return NULL;
  fill(link, memory, n_bytes);
  meet(link);
  return memory;
}

/* --- the counter ------------------------------------------------------------------------------ */

static int64_t take(void *data) {
  const Link *link = data;
  const int64_t one = 1;
  int64_t number;
  MPI_Fetch_and_op(&one, &number, MPI_INT64_T, 0, 0, MPI_SUM, link->window);
  MPI_Win_flush(0, link->window);
  return number;
}

/* MPI answers other ranks only while it is called. */
static void attend(void *data) {
  const Link *link = data;
  int is_there;
  if (link->n_ranks > 1) MPI_Iprobe(MPI_ANY_SOURCE, TAG, link->comm, &is_there, MPI_STATUS_IGNORE);
}

static bool all_of(const Link *link, bool is_so) {
  int own = is_so, all;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, link->comm);
  return all != 0;
}

/* An MPI may have no windows on its network, as Open MPI if it is told to use one that does not
 * exist; then there is no counter. */
static bool open_counter(Link *link) {
  const MPI_Aint size = link->rank == 0 ? (MPI_Aint)sizeof(int64_t) : 0;
  MPI_Comm_set_errhandler(link->comm, MPI_ERRORS_RETURN);
  const bool is_made = MPI_Win_allocate(size, sizeof(int64_t), MPI_INFO_NULL, link->comm,
                                        &link->counter, &link->window) == MPI_SUCCESS;
  MPI_Comm_set_errhandler(link->comm, MPI_ERRORS_ARE_FATAL);
  if (!all_of(link, is_made)) return false;
  MPI_Win_lock_all(0, link->window);
  if (link->rank == 0) *link->counter = 0;
  MPI_Win_sync(link->window);
  MPI_Barrier(link->comm);
  return true;
}

/* --- a file of all ---------------------------------------------------------------------------- */

static bool open_file(void *data, const char *name) {
  Link *link = data;
  return common_file_open(&link->file, link->comm, name);
}

static int put(void *data, int64_t at, const void *bytes, size_t n_bytes) {
  const Link *link = data;
  return common_file_put(&link->file, at, bytes, n_bytes);
}

static int close_file(void *data) {
  Link *link = data;
  return common_file_close(&link->file);
}

/* --- beginning and end ------------------------------------------------------------------------ */

static int first_on_node(const Link *link) {
  int first = link->rank;
  MPI_Bcast(&first, 1, MPI_INT, 0, link->node);
  return first;
}

/* The communicator's owner may have set a handler that returns errors. */
static void open_comm(Link *link, MPI_Comm comm) {
  MPI_Comm_dup(comm, &link->comm);
  MPI_Comm_set_errhandler(link->comm, MPI_ERRORS_ARE_FATAL);
  MPI_Comm_rank(link->comm, &link->rank);
  MPI_Comm_size(link->comm, &link->n_ranks);
}

/* Worlds come and go, so there is no time at which all ranks could free what they share. */
static void keep_to_messages(ddr_rank_engine *engine) {
  Link *link = engine->link;
  MPI_Comm_free(&link->node);
  engine->lend = NULL;
  engine->common = NULL;
  engine->meet = NULL;
  engine->open_file = NULL;
  engine->put = NULL;
  engine->close_file = NULL;
}

bool mpi_engine_open(ddr_rank_engine *engine, MPI_Comm comm, EngineUse use) {
  Link *link = calloc(1, sizeof *link);
  if (!link) return false;
  open_comm(link, comm);
  const bool has_counter = use == FOR_ONE_WORLD && open_counter(link);
  MPI_Comm_split_type(link->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &link->node);
  *engine = (ddr_rank_engine){
      .link = link,
      .rank = link->rank,
      .n_ranks = link->n_ranks,
      .n_on_node = count_on_node(link),
      .first_on_node = first_on_node(link),
      .number_on_node = number_on_node(link),
      .share = share,
      .complete = complete,
      .exchange = exchange,
      .lend = lend,
      .common = common,
      .meet = meet,
      .take = has_counter ? take : NULL,
      .attend = attend,
      .open_file = open_file,
      .put = put,
      .close_file = close_file,
      .give_up = give_up,
  };
  if (use == FOR_WORLDS) keep_to_messages(engine);
  return true;
}

void mpi_engine_close(ddr_rank_engine *engine) {
  Link *link = engine->link;
  int has_ended;
  MPI_Finalized(&has_ended);
  if (engine->take) {
    MPI_Win_unlock_all(link->window);
    MPI_Win_free(&link->window);
  }
  if (engine->lend) {
    for (int k = 0; k < link->n_shared; k++) release(&link->shared[k]);
    MPI_Comm_free(&link->node);
  }
  if (!has_ended) MPI_Comm_free(&link->comm);
  free(link->shared);
  free(link);
}
