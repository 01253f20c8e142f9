/* samples.c: computes what strands of a grid probe, for all strands together.
 *
 * When the strands are known, each sampling of the program is examined: do its positions form a
 * grid, does it pay, is there enough memory?  If not, its strands probe.  The sums along all
 * dimensions but one are few and are computed at once; the last sums are computed for a block when
 * it runs, and are never in memory all together. Read next: positions.c, sums.h.
 */
#include "local.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_STAGES = DDR_MAX_DIM - 1 };

typedef struct Plan {
  ddr_world *world;
  ddr_sampled *sampled;
  int n_stages;
  int dim[MAX_STAGES]; /* the dimension along which each stage sums */
  SampleStage stage[MAX_STAGES];
} Plan;

/* --- stages ----------------------------------------------------------------------------------- */

static double count_of(const Plan *plan, const SampleStage *stage) {
  double count = (double)stage->n_partials * plan->sampled->image->n_components;
  for (int d = 0; d < plan->sampled->dim; d++) count *= (double)stage->extent[d];
  return count;
}

/* Lists the partial sums along these dimensions that the results need. */
static bool list_partials(const ddr_sampled *sampled, SampleStage *stage) {
  const uint32_t n_results = sampled->sampling->n_partials;
  stage->partials = calloc(n_results, sizeof *stage->partials);
  if (!stage->partials) return false;
  for (uint32_t k = 0; k < n_results; k++) {
    if (ddr_stage_find(stage, sampled->partials[k]) < stage->n_partials) continue;
    for (int d = 0; d < sampled->dim; d++) {
      if (stage->is_summed[d]) stage->partials[stage->n_partials][d] = sampled->partials[k][d];
    }
    stage->n_partials++;
  }
  return true;
}

static bool add_stage(Plan *plan, int dim) {
  const ddr_sampled *sampled = plan->sampled;
  SampleStage *stage = &plan->stage[plan->n_stages];
  if (plan->n_stages > 0) {
    memcpy(stage->is_summed, stage[-1].is_summed, sizeof stage->is_summed);
  }
  stage->is_summed[dim] = true;
  for (int d = 0; d < sampled->dim; d++) {
    stage->extent[d] = stage->is_summed[d] ? sampled->axes[d].n : sampled->axes[d].len;
  }
  plan->dim[plan->n_stages++] = dim;
  return list_partials(sampled, stage);
}

/* Sums along the last dimension come first, so all other sums are sums of rows. */
static bool plan_stages(Plan *plan) {
  bool is_planned = true;
  for (int d = plan->sampled->dim; d-- > 0;) {
    if (d != plan->sampled->left) is_planned &= add_stage(plan, d);
  }
  return is_planned;
}

static bool list_results(ddr_sampled *sampled) {
  const ddr_sampling *sampling = sampled->sampling;
  sampled->partials = calloc(sampling->n_partials, sizeof *sampled->partials);
  for (uint32_t k = 0; sampled->partials && k < sampling->n_partials; k++) {
    for (int d = 0; d < sampled->dim; d++) {
      sampled->partials[k][d] =
          sampling->partials[DDR_MAX_DIM * k + (uint32_t)sampled->axes[d].axis];
    }
  }
  return sampled->partials != NULL;
}

/* --- is it worth while? ----------------------------------------------------------------------- */

/* Multiplications of a probe: rows of taps are summed along the slowest axis first. */
static double cost_of_probe(const ddr_sampling *sampling) {
  const double w = sampling->n_taps, n_orders = sampling->max_order + 1;
  const double last = w * sampling->n_partials;
  if (sampling->dim == 2) return w * w * n_orders + last;
  return w * w * w * n_orders + w * w * n_orders * (n_orders + 1) / 2 + last;
}

/* Relative cost: sums along rows of the image are scalar, all others are vectorised. */
enum { COST_OF_FIRST = 3 };

static double cost_of_passes(const Plan *plan) {
  const ddr_sampling *sampling = plan->sampled->sampling;
  const double n_strands = (double)plan->world->store->strands.n_slots;
  double n_sums = n_strands * sampling->n_partials * plan->sampled->image->n_components;
  for (int s = 0; s < plan->n_stages; s++) {
    n_sums += (s == 0 ? COST_OF_FIRST : 1) * count_of(plan, &plan->stage[s]);
  }
  return n_sums * sampling->n_taps;
}

/* Without a border rule, strands outside the image seldom probe it. */
static bool pays(const Plan *plan) {
  const ddr_sampled *sampled = plan->sampled;
  double n_probes = (double)plan->world->store->strands.n_slots * sampled->image->n_components;
  for (int d = 0; d < sampled->dim; d++) {
    n_probes *= (double)sampled->axes[d].n_worth / (double)sampled->axes[d].n;
  }
  return 2 * cost_of_passes(plan) < n_probes * cost_of_probe(sampled->sampling);
}

/* --- memory ----------------------------------------------------------------------------------- */

static double bytes_of_stages(const Plan *plan) {
  double bytes = 0;
  for (int s = 0; s < plan->n_stages; s++) bytes += count_of(plan, &plan->stage[s]);
  return bytes * (double)plan->sampled->real_size;
}

/* A limit in proportion to the memory of the program, so that a run needs little more than without
 * sampling. */
static double most_bytes(const Plan *plan) {
  const ddr_image *image = plan->sampled->image;
  double n_samples = image->n_components;
  for (int a = 0; a < DDR_MAX_DIM; a++) n_samples *= (double)image->size[a];
  const double n_strands = (double)plan->world->store->strands.n_slots;
  return n_strands * (double)plan->world->program->state_size +
         4 * n_samples * (double)plan->sampled->real_size + 16e6;
}

/* Too little memory is no error: strands can probe instead. */
static bool has_memory(const Plan *plan) {
  ddr_memory *memory = &plan->world->memory;
  const double bytes = bytes_of_stages(plan);
  if (bytes > most_bytes(plan)) return false;
  const bool was_over = atomic_load(&memory->is_over_limit);
  const bool fits = ddr_memory_fits(memory, memory->n_store_bytes + (uint64_t)bytes);
  atomic_store(&memory->is_over_limit, was_over);
  return fits;
}

/* --- making them ------------------------------------------------------------------------------ */

static void run_pass(Plan *plan, SamplePass *pass, ddr_task *task) {
  const ddr_sampled *sampled = plan->sampled;
  pass->sampled = sampled;
  pass->n_rows = 1;
  for (int d = 0; d < pass->dim; d++) pass->n_rows *= pass->to->extent[d];
  if (pass->from) pass->n_rows *= sampled->axes[pass->dim].n;
  const ddr_job job = {.task = task, .data = pass, .n_items = pass->n_rows};
  ddr_sched_run(plan->world->workers->threads, &job);
}

static bool make_first(Plan *plan) {
  const size_t real_size = plan->sampled->real_size;
  SamplePass pass = {.to = &plan->stage[0], .dim = plan->dim[0]};
  const size_t n_line = (size_t)plan->sampled->axes[pass.dim].len;
  pass.lines = calloc(plan->world->workers->threads->n_workers, n_line * real_size);
  plan->stage[0].values = malloc((size_t)count_of(plan, pass.to) * real_size);
  const bool has_all = pass.lines && plan->stage[0].values;
  if (has_all) run_pass(plan, &pass, plan->sampled->sums->first);
  free(pass.lines);
  return has_all;
}

static bool make_next(Plan *plan, int s) {
  SampleStage *from = &plan->stage[s - 1], *to = &plan->stage[s];
  SamplePass pass = {.from = from, .to = to, .dim = plan->dim[s]};
  to->values = malloc((size_t)count_of(plan, to) * plan->sampled->real_size);
  if (to->values) run_pass(plan, &pass, plan->sampled->sums->middle);
  free(from->values);
  from->values = NULL;
  return to->values != NULL;
}

/* Allocates room for the results of a block, for each worker. */
static bool make_room(Plan *plan) {
  ddr_sampled *sampled = plan->sampled;
  const size_t n_values = sampled->sampling->n_partials * (size_t)sampled->image->n_components;
  sampled->block_len = plan->world->store->block_len;
  sampled->room_size = n_values * (size_t)sampled->block_len * sampled->real_size;
  sampled->rooms = malloc(plan->world->workers->threads->n_workers * sampled->room_size);
  return sampled->rooms != NULL;
}

static const char *make(Plan *plan) {
  ddr_sampled *sampled = plan->sampled;
  const char *problem = ddr_sampled_place(plan->world, sampled);
  if (problem) return problem;
  if (!list_results(sampled) || !plan_stages(plan)) return "memory is short";
  if (!pays(plan)) return "there is little to gain";
  if (!has_memory(plan)) return "that takes too much memory";
  bool is_made = make_room(plan) && make_first(plan);
  for (int s = 1; s < plan->n_stages && is_made; s++) is_made = make_next(plan, s);
  if (!is_made) return "memory is short";
  SampleStage *last = &plan->stage[plan->n_stages - 1];
  sampled->stage = *last;
  *last = (SampleStage){0};
  return NULL;
}

static void plan_clear(Plan *plan) {
  for (int s = 0; s < MAX_STAGES; s++) {
    free(plan->stage[s].partials);
    free(plan->stage[s].values);
  }
}

static void look_at(ddr_world *world, const ddr_sampling *sampling, ddr_sampled *sampled) {
  const bool is_float = world->program->real_size == sizeof(float);
  *sampled = (ddr_sampled){.sampling = sampling, .dim = sampling->dim};
  sampled->real_size = world->program->real_size;
  sampled->sums = is_float ? &ddr_sums_float : &ddr_sums_double;
  memcpy(&sampled->image, (const char *)world->globals + sampling->image, sizeof sampled->image);
  Plan plan = {.world = world, .sampled = sampled};
  const char *problem =
      world->store->strands.step > 1 ? "not all strands of the grid are there" : make(&plan);
  plan_clear(&plan);
  sampled->is_made = problem == NULL;
  if (problem) ddr_sampled_clear(sampled);
  if (!world->is_verbose) return;
  if (problem) ddr_note(world, "%s: probed strand by strand: %s", sampling->name, problem);
  else ddr_note(world, "%s: sampled on the grid of strands, axis by axis", sampling->name);
}

ddr_status ddr_samples_make(ddr_world *world) {
  const uint32_t n = world->program->n_samplings;
  if (n == 0) return DDR_OK;
  world->samplings->each = calloc(n, sizeof *world->samplings->each);
  world->samplings->taken =
      calloc((size_t)n * world->workers->threads->n_workers, sizeof *world->samplings->taken);
  if (!world->samplings->each || !world->samplings->taken)
    return ddr_error(world, "out of memory for samplings");
  for (uint32_t k = 0; k < n; k++) {
    look_at(world, &world->program->samplings[k], &world->samplings->each[k]);
  }
  return DDR_OK;
}

void ddr_samples_free(ddr_world *world) {
  for (uint32_t k = 0; world->samplings->each && k < world->program->n_samplings; k++) {
    ddr_sampled_clear(&world->samplings->each[k]);
  }
  free(world->samplings->each);
  free(world->samplings->taken);
}

/* --- for a block ------------------------------------------------------------------------------ */

static void find_indices(const ddr_world *world, int64_t slot, int64_t at[]) {
  for (uint32_t i = world->program->rank; i-- > 0;) {
    at[i] = slot % world->store->strands.len[i];
    slot /= world->store->strands.len[i];
  }
}

static const void *fill(const ddr_block *block, ddr_sampled *sampled, char *room) {
  int64_t at[DDR_MAX_ITERATORS];
  for (int64_t slot = block->begin, n; slot < block->end; slot += n) {
    find_indices(block->world, slot, at);
    n = block->world->store->strands.len[sampled->fast] - at[sampled->fast];
    if (n > block->end - slot) n = block->end - slot;
    char *to = room + (size_t)(slot - block->begin) * sampled->real_size;
    sampled->sums->fill(sampled, at, n, to, sampled->block_len);
  }
  return room;
}

const ddr_samples *ddr_take_samples(const ddr_block *block) {
  const ddr_world *world = block->world;
  const ddr_worker *worker = block->visit->worker;
  const size_t number = ddr_worker_number(worker);
  ddr_samples *samples = world->samplings->taken + number * world->program->n_samplings;
  for (uint32_t k = 0; k < world->program->n_samplings; k++) {
    ddr_sampled *sampled = &world->samplings->each[k];
    samples[k] = (ddr_samples){.stride = sampled->block_len, .begin = block->begin};
    if (!sampled->is_made) continue;
    samples[k].values = fill(block, sampled, (char *)sampled->rooms + number * sampled->room_size);
  }
  return samples;
}
