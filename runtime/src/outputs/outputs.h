/* outputs.h: outputs of the strands that show them, as arrays, files and Nrrds.
 *
 * Read next: outputs.c (gathering and saving), sequence_outputs.c, nrrd_save.c.
 */
#pragma once

#include "runtime/layout/layout.h"
#include "runtime/src/world/world.h"

/* A packed array, slowest axis first; the element axis, if any, is the last (fastest). */
typedef struct ddr_array {
  ddr_kind kind;
  size_t element_size;
  ddr_axis axis;         /* kind of the element axis */
  uint32_t n_components; /* its length; ignored for DDR_AXIS_NONE */
  uint32_t rank;         /* of the strand axes */
  int64_t len[DDR_MAX_ITERATORS];
  bool is_list; /* the strand axes count elements, not places */
  void *data;
} ddr_array;

/* nrrd_array.c: the type of its samples, as Teem numbers them. */
int ddr_nrrd_sample_type(const ddr_array *array);

/* nrrd_array.c: a client's Nrrd (teem/nrrd.h) becomes the array and owns its data; empty without
 * data.  False when Teem refuses. */
bool ddr_nrrd_give(const ddr_array *array, void *client);

/* nrrd_save.c: could a file of that name be saved, as far as can be told beforehand? */
ddr_status ddr_nrrd_probe(ddr_world *world, const char *name);

typedef enum { SELECT_ALIVE, SELECT_STABLE } ddr_selection;

/* --- outputs.c -------------------------------------------------------------------------------- */

/* Where an output goes unless the user says otherwise: a file, or the prefix of those of a dynamic
 * sequence.  Free it. */
char *ddr_output_name(const ddr_output *output);

/* Which strands the final output shows: of a grid all, of a collection the stable ones. */
ddr_selection ddr_output_final(const ddr_world *world);

/* Where the values of the selected strands lie in the states, in elements from the first state on:
 * by the axes of the strands, then by component.  False: not all strands are selected, or the
 * values are not there as they are to be. */
bool ddr_output_layout(const ddr_world *world, const ddr_output *output, ddr_selection selection,
                       ddr_layout *layout);

/* fetch.c.  Collective.  What the following need of the strands is here, also if they live on a
 * device (but values of fixed size, which they take from there); of several ranks it is at the
 * first. */
ddr_status ddr_output_fetch(ddr_world *world, const ddr_output *output);

/* An output as an array, whose data the caller frees.  NULL, or why it failed. */
const char *ddr_output_collect(ddr_world *world, const ddr_output *output, ddr_selection selection,
                               ddr_array *array);

/* sequence_outputs.c: likewise a dynamic sequence of each selected strand: offset and length of
 * each, in elements, and all elements.  NULL, or why it failed. */
const char *ddr_output_collect_sequences(ddr_world *world, const ddr_output *output,
                                         ddr_selection selection, ddr_array *lengths,
                                         ddr_array *elements);

/* --- streamed.c ------------------------------------------------------------------------------- */

typedef struct ddr_streamed {
  const char **files; /* of each output */
  struct ddr_nrrd_pieces *pieces;
  uint32_t n_open;
  _Atomic bool has_failed; /* and that has been said */
} ddr_streamed;

/* If all outputs can be written strand by strand to these files, the world may do so: then its
 * store is fleeting (strands/store.h) once the strands are there. */
void ddr_outputs_offer(ddr_world *world, const char **files, ddr_streamed *streamed);

/* The files take their names on DDR_OK, else there is no trace of them; fine without any.  Returns
 * how it ended. */
ddr_status ddr_outputs_finish(ddr_world *world, ddr_streamed *streamed, ddr_status status);
