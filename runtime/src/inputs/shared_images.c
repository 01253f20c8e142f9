/* shared_images.c: images of inputs that all ranks of a machine share in memory.
 *
 * The first rank of each machine loads and prepares them.  When all of these ranks have done so,
 * every rank gets a description of each image, and reads the samples in shared memory. Read next:
 * ddr/ranks.h (lend).
 */
#include <stdlib.h>
#include <string.h>

#include "inputs.h"
#include "runtime/src/ranks/ranks.h"

#if defined(DDR_SMALL_SIZES)
enum { LEAST_SHARED = 1 };
#else
enum { LEAST_SHARED = 1 << 20 }; /* in bytes; smaller images are not shared */
#endif

/* What the first rank of a machine offers to the others. */
typedef struct Offer {
  ddr_image image;
  size_t n_bytes; /* 0: the others load the image themselves */
} Offer;

static bool is_first_on_node(const ddr_world *world) {
  return world->ranks->engine->first_on_node == world->ranks->engine->rank;
}

static bool is_lending(const ddr_world *world) {
  return ddr_n_ranks(world) > 1 && world->ranks->engine->lend;
}

bool ddr_image_comes_from_another(const ddr_world *world) {
  return is_lending(world) && !is_first_on_node(world);
}

static const char *file_of(const ddr_world *world, uint32_t idx) {
  const ddr_input_value *given = &world->inputs[idx];
  return given->is_set ? given->string : world->program->inputs[idx].default_file;
}

/* Standard input can be read by one process only. */
static bool is_standard_input(const ddr_world *world, uint32_t idx) {
  const char *file = file_of(world, idx);
  return file && strcmp(file, "-") == 0;
}

static Offer offer_of(const ddr_world *world, uint32_t idx) {
  const ddr_image_list *image = world->inputs[idx].image;
  Offer offer;
  memset(&offer, 0, sizeof offer);
  if (!is_first_on_node(world) || world->ranks->engine->n_on_node == 1) return offer;
  if (!image || image->is_borrowed) return offer;
  const size_t n_bytes = ddr_image_bytes(&image->image, world->program->real_size);
  if (n_bytes < LEAST_SHARED && !is_standard_input(world, idx)) return offer;
  offer.image = image->image;
  offer.image.number = 0; /* numbers are those of a process */
  offer.n_bytes = n_bytes;
  return offer;
}

static Offer offer_to(const ddr_world *world, uint32_t idx) {
  const ddr_rank_engine *engine = world->ranks->engine;
  const Offer own = offer_of(world, idx);
  Offer *all = ddr_ranks_memory(world, calloc((size_t)engine->n_ranks, sizeof *all));
  engine->share(engine->link, &own, sizeof own, all);
  const Offer offer = all[engine->first_on_node];
  free(all);
  return offer;
}

static void load_own(ddr_world *world, uint32_t idx) {
  const char *file = file_of(world, idx);
  if (file && !world->inputs[idx].is_loaded) ddr_input_load(world, idx, file);
}

/* Makes the input an image of shared samples. */
static void take(ddr_world *world, uint32_t idx, const Offer *offer, const void *samples) {
  ddr_image_list image = {.is_borrowed = true, .image = offer->image};
  image.image.samples = samples;
  ddr_input_take_prepared(world, idx, &image);
}

static void share_image(ddr_world *world, uint32_t idx) {
  const ddr_rank_engine *engine = world->ranks->engine;
  const bool is_first = is_first_on_node(world);
  const Offer offer = offer_to(world, idx);
  const void *samples = NULL;
  if (offer.n_bytes > 0) {
    samples = engine->lend(engine->link, is_first ? offer.image.samples : NULL, offer.n_bytes);
  }
  if (!samples) load_own(world, idx);
  else take(world, idx, &offer, samples);
  if (samples && is_first && world->is_verbose)
    ddr_note(world, "%s: in memory once for %d processes of this machine",
             world->program->inputs[idx].name, engine->n_on_node);
}

void ddr_inputs_share(ddr_world *world) {
  for (uint32_t k = 0; is_lending(world) && k < world->program->n_inputs; k++) {
    if (world->program->inputs[k].kind == DDR_IMAGE) share_image(world, k);
  }
}
