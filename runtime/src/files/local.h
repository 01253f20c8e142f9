/* local.h: what the readers of this room share. */
#pragma once

#include "files.h"

/* nrrd_supply.c: bytes of all samples, as a header says. */
double ddr_nrrd_bytes(const Nrrd *nrrd);

/* nrrd_supply.c: are there axes whose samples some memory could hold; are they less than there are
 * bytes here? */
ddr_status ddr_nrrd_check_axes(const Nrrd *nrrd, ddr_reason *reason);
ddr_status ddr_nrrd_check_memory(const Nrrd *nrrd, ddr_reason *reason);

/* nrrd_supply.c: the samples where they lie in an open file become the data; false: not possible.
 */
bool ddr_nrrd_map(ddr_nrrd_file *reader, FILE *file, int64_t offset);

/* nrrd_supply.c: as ddr_nrrd_read, from a file in a format of runtime/formats. */
ddr_status ddr_nrrd_read_format(ddr_nrrd_file *reader, FILE *file, const ddr_file_format *format,
                                ddr_nrrd_check *check, void *data, ddr_reason *reason);

/* nrrd_read.c: samples of so many bytes in an open data file, which begins at a place in it. */
ddr_supply *ddr_nrrd_supply(const NrrdIoState *nio, int type, FILE *data, int64_t begin,
                            size_t n_bytes, ddr_problem *problem);

/* nrrd_parts.c: samples in data files, as many as the header says, each of which has as many; NULL:
 * they cannot be read so. */
ddr_supply *ddr_nrrd_parts(const NrrdIoState *nio, int type, size_t n_bytes);
