/* by_ranks.c: an output that all ranks write into one file, each the values of its strands.
 *
 * The first rank makes the file, under a temporary name and with the header, and renames it when
 * all ranks have closed it.  Every rank knows the status of every strand, and so the offsets of its
 * own values.  No rank needs memory for more than its share.
 * Read next: files/output_file.h; strands/shares.h; ddr/ranks.h (open_file).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "local.h"
#include "runtime/src/strands/device.h"
#include "runtime/src/strands/shares.h"

#if defined(DDR_SMALL_SIZES)
enum { MOST_BYTES = 5000 };
#else
enum { MOST_BYTES = 1 << 22 }; /* per write */
#endif

typedef struct Job {
  ddr_world *world;
  const ddr_output *output;
  ddr_selection selection;
  const char *file;
  ddr_nrrd_pieces pieces; /* of the first rank only */
  ddr_found_file found;
  size_t each;      /* bytes per strand */
  int64_t capacity; /* strands per write */
  char *values;     /* of `capacity` strands */
} Job;

static const ddr_rank_engine *engine_of(const Job *job) { return job->world->ranks->engine; }

static void refuse(const Job *job, const char *why) {
  ddr_error(job->world, "Error saving \"%s\": %s", job->file, why);
}

/* --- the file --------------------------------------------------------------------------------- */

/* Collective.  False: the file could not be made; the first rank has recorded the error. */
static bool make_file(Job *job) {
  ddr_reason reason;
  if (ddr_is_first_rank(job->world)) {
    const ddr_status status = ddr_output_open(job->world, job->output, job->selection, job->file,
                                              DDR_WRITE_TOGETHER, &job->pieces, &reason);
    if (status != DDR_OK) {
      refuse(job, reason.text);
      ddr_nrrd_finish(&job->pieces, DDR_ERROR, &reason);
    }
  }
  return !ddr_ranks_agree(job->world);
}

/* A number by which ranks compare what they see under the name: the size of the file. */
static uint64_t look_at(const char *name) {
  struct stat info;
  if (stat(name, &info) != 0 || access(name, W_OK) != 0) return UINT64_MAX;
  return (uint64_t)info.st_size;
}

bool ddr_output_find(const ddr_world *world, const ddr_nrrd_pieces *pieces, ddr_found_file *found) {
  const char *temporary = pieces->data.temporary;
  found->temporary = ddr_ranks_text(world, temporary ? temporary : "");
  found->begin = ddr_ranks_first(world, pieces->begin);
  return ddr_ranks_differ(world, look_at(found->temporary)) == 0;
}

/* Collective.  Whether all ranks have opened the file that the first one made. */
static bool find_file(Job *job) {
  return ddr_output_find(job->world, &job->pieces, &job->found) &&
         engine_of(job)->open_file(engine_of(job)->link, job->found.temporary);
}

/* The first rank gives the file its name, or removes it. */
static void end_file(Job *job, ddr_status status) {
  ddr_reason reason;
  if (!ddr_is_first_rank(job->world)) return;
  if (ddr_nrrd_finish(&job->pieces, status, &reason) != DDR_OK && status == DDR_OK)
    refuse(job, reason.text);
}

/* --- own values ------------------------------------------------------------------------------- */

/* Writes the values of n strands at `place`; returns 0, or errno. */
static int put(const Job *job, int64_t place, int64_t n) {
  const size_t n_bytes = (size_t)n * job->each;
  ddr_nans_unify(job->output->kind, job->each / job->output->n_components, job->values,
                 (size_t)n * job->output->n_components);
  return engine_of(job)->put(engine_of(job)->link, job->found.begin + place * (int64_t)job->each,
                             job->values, n_bytes);
}

/* How many selected strands come before a slot. */
static int64_t place_of(const Job *job, int64_t slot) {
  if (job->selection == SELECT_ALIVE) return slot;
  return ddr_count_status(job->world->store->strands.status, slot, DDR_STABLE, DDR_STABLE);
}

/* Writes the values of a run; selected strands are consecutive in the file. */
static int put_run(const Job *job, ddr_strand_run run) {
  const int64_t end = run.first + run.count;
  int64_t place = place_of(job, run.first), n = 0;
  int status = 0;
  for (int64_t slot = run.first; slot < end && status == 0;) {
    int64_t stop = slot;
    while (stop < end && stop - slot < job->capacity - n &&
           ddr_output_shows(job->world, job->selection, stop))
      stop++;
    ddr_output_gather_slots(job->world, job->output, job->each, slot, stop,
                            job->values + (size_t)n * job->each);
    n += stop - slot;
    slot = stop;
    while (slot < end && !ddr_output_shows(job->world, job->selection, slot)) slot++;
    if (n < job->capacity && slot < end) continue;
    status = put(job, place, n);
    place += n;
    n = 0;
  }
  return status;
}

static int put_own(const Job *job) {
  const ddr_shares *shares = &job->world->store->shares;
  const int rank = ddr_own_rank(job->world);
  int status = 0;
  for (int64_t k = shares->begin[rank]; k < shares->begin[rank + 1] && status == 0; k++)
    status = put_run(job, shares->runs[k]);
  return status;
}

static void write_own(Job *job) {
  if (ddr_device_mirror(job->world, 0, job->world->program->state_size) != DDR_OK) return;
  job->values = malloc((size_t)job->capacity * job->each);
  const int status = job->values ? put_own(job) : ENOMEM;
  free(job->values);
  if (status != 0) refuse(job, status == ENOMEM ? "out of memory" : strerror(status));
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Collective.  Values without components are left to the first rank, which refuses them. */
static bool is_for_ranks(const ddr_world *world, const ddr_output *output, const char *file) {
  return ddr_is_shared_out(world) && world->ranks->engine->open_file &&
         output->kind != DDR_SEQUENCE && output->n_components > 0 &&
         ddr_ranks_first(world, ddr_nrrd_takes_pieces(file));
}

static ddr_status write_together(Job *job) {
  write_own(job);
  const int status = engine_of(job)->close_file(engine_of(job)->link);
  if (status != 0) refuse(job, strerror(status));
  const bool has_failed = ddr_ranks_agree(job->world);
  end_file(job, has_failed ? DDR_ERROR : DDR_OK);
  return has_failed || ddr_any_errors(job->world) ? DDR_ERROR : DDR_OK;
}

bool ddr_output_save_by_ranks(ddr_world *world, const ddr_output *output, ddr_selection selection,
                              const char *file, ddr_status *status) {
  if (!is_for_ranks(world, output, file)) return false;
  Job job = {.world = world, .output = output, .selection = selection, .file = file};
  job.each = ddr_output_bytes(world, output);
  job.capacity = (int64_t)(MOST_BYTES / job.each) / 64 * 64 + 64;
  *status = DDR_ERROR;
  if (!make_file(&job)) return true;
  const bool is_there = find_file(&job);
  if (is_there) {
    if (ddr_is_first_rank(world)) ddr_output_note_suffix(world, file);
    *status = write_together(&job);
  } else {
    end_file(&job, DDR_ERROR);
    if (world->is_verbose)
      ddr_note(world, "\"%s\" is written by the first rank: others do not see its folder", file);
  }
  free(job.found.temporary);
  return is_there;
}
