/* outputs.h: outputs of all or of stable strands, as arrays, files and Nrrds.
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
  bool is_list; /* one axis that numbers strands or elements, not axes of a grid */
  void *data;
} ddr_array;

/* nrrd_array.c: the type of the array's samples, as Teem numbers it. */
int ddr_nrrd_sample_type(const ddr_array *array);

/* nrrd_array.c: makes a client's Nrrd (teem/nrrd.h) the array; it then owns the data.  Without data
 * it becomes empty.  False if Teem refuses. */
bool ddr_nrrd_give(const ddr_array *array, void *client);

/* nrrd_save.c: an error if a file of that name cannot be saved, as far as this can be known
 * beforehand. */
ddr_status ddr_nrrd_probe(ddr_world *world, const char *name);

typedef enum { SELECT_ALIVE, SELECT_STABLE } ddr_selection;

/* --- outputs.c -------------------------------------------------------------------------------- */

/* The default name of the file of an output, or the prefix of the two files of a dynamic sequence.
 * The caller frees it. */
char *ddr_output_name(const ddr_output *output);

/* The strands whose values are in the final output: all of a grid, the stable ones of a
 * collection. */
ddr_selection ddr_output_final(const ddr_world *world);

/* Where the values of the selected strands lie in the states: axes of the strands, then components;
 * strides and offset in elements, from the first state on.  False: not all strands are selected, or
 * the values cannot be read from the states. */
bool ddr_output_layout(const ddr_world *world, const ddr_output *output, ddr_selection selection,
                       ddr_layout *layout);

/* fetch.c.  Collective.  Brings what the following functions need from other ranks and the device
 * to the host of the first rank.  Values of fixed size stay on a device, from which these functions
 * copy them. */
ddr_status ddr_output_fetch(ddr_world *world, const ddr_output *output);

/* An output as an array, whose data the caller frees.  Returns NULL, or why it failed. */
const char *ddr_output_collect(ddr_world *world, const ddr_output *output, ddr_selection selection,
                               ddr_array *array);

/* sequence_outputs.c: the same for a dynamic sequence: the offset and length of each strand's
 * sequence, in elements, and the elements of all.  Returns NULL, or why it failed. */
const char *ddr_output_collect_sequences(ddr_world *world, const ddr_output *output,
                                         ddr_selection selection, ddr_array *lengths,
                                         ddr_array *elements);

/* --- streamed.c ------------------------------------------------------------------------------- */

typedef struct ddr_streamed {
  const char **files; /* names, one per output */
  struct ddr_nrrd_pieces *pieces;
  uint32_t n_open;
  _Atomic bool has_failed; /* the error is recorded */
} ddr_streamed;

/* Collective.  Allows the world to write outputs to these files as strands end, if the formats of
 * all files permit it.  The strands become fleeting if memory is short (strands/store.h). */
void ddr_outputs_offer(ddr_world *world, const char **files, ddr_streamed *streamed);

/* Gives the files their names if the status is DDR_OK, else removes them.  There may be no files.
 * Returns the status, or DDR_ERROR.  Collective if the status is DDR_OK. */
ddr_status ddr_outputs_finish(ddr_world *world, ddr_streamed *streamed, ddr_status status);
