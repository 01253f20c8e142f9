/* nifti_header.h: the header of a NIfTI file, field by field. */
#pragma once

#include "runtime/formats/format_local.h"

typedef enum {
#define FIELD(id, type1, at1, type2, at2) NIFTI_##id,
#include "runtime/formats/nifti_fields.def"
} NiftiField;

enum { NIFTI_HEADER_1 = 348, NIFTI_HEADER_2 = 540 }; /* bytes */

struct NiftiHeader {
  unsigned char bytes[NIFTI_HEADER_2];
  int version; /* 1 or 2 */
  bool is_swapped;
  bool is_gzip;
  bool is_pair; /* the samples are in another file */
};

/* Reads the beginning of a file.  version is 0 if it is not a NIfTI file. */
bool nifti_read_header(NiftiHeader *nifti, FILE *file, ddr_problem *problem);

/* The k-th number of a field. */
double nifti_number(const NiftiHeader *nifti, NiftiField field, int k);
