/* local.h: what the files of this folder share.
 *
 * Read next: outputs.c.
 */
#pragma once

#include "outputs.h"
#include "runtime/src/files/files.h"
#include "runtime/src/files/output_file.h"

/* The file that the first rank has made, as every rank knows it. */
typedef struct ddr_found_file {
  char *temporary; /* its name for now; owned by the caller */
  int64_t begin;   /* offset of the samples */
} ddr_found_file;

/* by_ranks.c.  Collective.  Tells all ranks the file of `pieces`, which only the first one has.
 * Returns whether all of them see it. */
bool ddr_output_find(const ddr_world *world, const ddr_nrrd_pieces *pieces, ddr_found_file *found);

/* nrrd_array.c: a Nrrd that refers to data in the layout of the array; the caller frees it with
 * nrrdNix.  NULL if memory is short. */
Nrrd *ddr_nrrd_wrap(const ddr_array *array, void *data, int type);

/* outputs.c: whether the values of an output are stored in the states, one in each. */
bool ddr_output_is_in_states(const ddr_program *program, const ddr_output *output);

/* outputs.c: whether the values are copied from a device instead of the states. */
bool ddr_output_is_on_device(const ddr_world *world, const ddr_output *output);

/* nans.c: replaces every NaN by the positive quiet NaN without payload: in n values, or in the
 * states of all strands, for one output or all. */
void ddr_nans_unify(ddr_kind kind, size_t element_size, void *values, size_t n);
void ddr_nans_unify_output(const ddr_world *world, const ddr_output *output);
void ddr_nans_unify_outputs(const ddr_world *world);

/* nrrd_save.c: saves an array; the file's suffix chooses the format. */
ddr_status ddr_nrrd_save(ddr_world *world, const ddr_array *array, const char *file);

/* nrrd_save.c: a note if the suffix promises another format than that of the file. */
void ddr_output_note_suffix(ddr_world *world, const char *file);

/* Names of files.  Those of a dynamic sequence are PREFIX-len and PREFIX-data, with SUFFIX. */
typedef struct ddr_files {
  const char *what; /* output or snapshot, for messages */
  const char *prefix;
  const char *suffix;
  const char *whole; /* the name for any other output */
} ddr_files;

/* outputs.c: whether a strand is selected; how many are; the axes of an output. */
bool ddr_output_shows(const ddr_world *world, ddr_selection selection, int64_t slot);
int64_t ddr_output_count(const ddr_world *world, ddr_selection selection);
void ddr_output_place(const ddr_world *world, ddr_selection selection, ddr_array *array);

/* outputs.c: the packed values of the selected strands in rank order, n_bytes each.  The caller
 * frees them.  NULL if memory is short. */
void *ddr_output_gather(ddr_world *world, const ddr_output *output, ddr_selection selection,
                        size_t n_bytes);

/* outputs.c: the same for slots [begin, end), to memory of the caller. */
void ddr_output_gather_slots(const ddr_world *world, const ddr_output *output, size_t n_bytes,
                             int64_t begin, int64_t end, char *dst);

/* outputs.c: an error where values have no components, as files have no such axes. */
ddr_status ddr_output_check_saved(ddr_world *world, const ddr_output *output);

/* outputs.c: the output as an array, without data. */
ddr_array ddr_output_array(const ddr_world *world, const ddr_output *output,
                           ddr_selection selection);

/* sequence_outputs.c: saves a dynamic sequence of each selected strand in two files. */
ddr_status ddr_output_save_sequences(ddr_world *world, const ddr_output *output,
                                     ddr_selection selection, const ddr_files *files);

/* streamed.c: opens a file with the header of an output, for its values (files/output_file.h). */
ddr_status ddr_output_open(const ddr_world *world, const ddr_output *output,
                           ddr_selection selection, const char *file, ddr_writers writers,
                           ddr_nrrd_pieces *pieces, ddr_reason *reason);

/* streamed.c: bytes of an output per strand. */
size_t ddr_output_bytes(const ddr_world *world, const ddr_output *output);

/* by_ranks.c.  Collective.  If several ranks share the strands, and all can write into the file,
 * each writes the values of its own strands; *status says whether the file is complete.  Otherwise
 * returns false, and has done nothing. */
bool ddr_output_save_by_ranks(ddr_world *world, const ddr_output *output, ddr_selection selection,
                              const char *file, ddr_status *status);
