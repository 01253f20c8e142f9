/* local.h: what the readers in this folder share. */
#pragma once

#include "files.h"

/* nrrd_supply.c: the size in bytes of all samples, from the header. */
double ddr_nrrd_bytes(const Nrrd *nrrd);

/* nrrd_supply.c: whether no axis is empty and the total size can be represented; whether that size
 * is at most the memory of this machine. */
ddr_status ddr_nrrd_check_axes(const Nrrd *nrrd, ddr_reason *reason);
ddr_status ddr_nrrd_check_memory(const Nrrd *nrrd, ddr_reason *reason);

/* nrrd_supply.c: maps the samples from an offset of an open file; false: not possible. */
bool ddr_nrrd_map(ddr_nrrd_file *reader, FILE *file, int64_t offset);

/* nrrd_supply.c: like ddr_nrrd_read, for a file in a format of runtime/formats. */
ddr_status ddr_nrrd_read_format(ddr_nrrd_file *reader, FILE *file, const ddr_file_format *format,
                                ddr_nrrd_check *check, void *data, ddr_reason *reason);

/* Samples in an open data file. */
typedef struct ddr_nrrd_part {
  FILE *file;
  int64_t begin; /* of the samples, or of the compressed data */
  int64_t skip;  /* bytes before the samples, once decompressed */
  size_t n_bytes;
} ddr_nrrd_part;

/* nrrd_read.c: supplies the samples of a part.  NULL: the problem says why not. */
ddr_supply *ddr_nrrd_supply(const NrrdIoState *nio, int type, const ddr_nrrd_part *part,
                            ddr_problem *problem);

/* nrrd_parts.c: supplies the n_bytes of samples that are in data files of equal size, as the header
 * lists them.  NULL: the problem says why not. */
ddr_supply *ddr_nrrd_parts(const NrrdIoState *nio, int type, size_t n_bytes, ddr_problem *problem);
