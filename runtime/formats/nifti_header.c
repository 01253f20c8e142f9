/* nifti_header.c: recognises NIfTI files, and reads the numbers of their headers.
 *
 * Debian has a library for such files (libnifti2). It is not used, because it goes by the suffixes
 * of names, opens files itself, by name, reads all samples at once, trusts the sizes that it finds,
 * and prints errors on stderr. So files could not be mapped, nor come from standard input or from
 * untrusted sources. The header is a struct of 348 or 540 bytes.
 */
#include "runtime/formats/nifti_header.h"

#include <string.h>

typedef enum { I16, I32, I64, F32, F64 } FieldType;

static const struct {
  FieldType type;
  size_t at;
} fields[][2] = {
#define FIELD(id, type1, at1, type2, at2) [NIFTI_##id] = {{type1, at1}, {type2, at2}},
#include "runtime/formats/nifti_fields.def"
};

static const size_t field_sizes[] = {[I16] = 2, [I32] = 4, [I64] = 8, [F32] = 4, [F64] = 8};

static double number_from(const NiftiHeader *nifti, size_t at, FieldType type) {
  union {
    unsigned char bytes[8];
    int16_t i16;
    int32_t i32;
    int64_t i64;
    float f32;
    double f64;
  } number;
  const size_t size = field_sizes[type];
  for (size_t k = 0; k < size; k++) {
    number.bytes[k] = nifti->bytes[at + (nifti->is_swapped ? size - 1 - k : k)];
  }
  switch (type) {
  case I16: return number.i16;
  case I32: return number.i32;
  case I64: return (double)number.i64;
  case F32: return (double)number.f32;
  case F64: return number.f64;
  }
  return 0;
}

double nifti_number(const NiftiHeader *nifti, NiftiField field, int k) {
  const FieldType type = fields[field][nifti->version - 1].type;
  return number_from(nifti, fields[field][nifti->version - 1].at + (size_t)k * field_sizes[type],
                     type);
}

/* --- files ------------------------------------------------------------------------------------ */

static bool begins_as(NiftiHeader *nifti, double size, size_t magic, const char *expected,
                      size_t n) {
  for (int order = 0; order < 2; order++) {
    nifti->is_swapped = order == 1;
    if (number_from(nifti, 0, I32) == size && memcmp(nifti->bytes + magic, expected, n) == 0) {
      nifti->version = size == NIFTI_HEADER_1 ? 1 : 2;
      return true;
    }
  }
  return false;
}

static bool is_header(NiftiHeader *nifti) {
  nifti->is_pair = false;
  if (begins_as(nifti, NIFTI_HEADER_1, 344, "n+1", 4) ||
      begins_as(nifti, NIFTI_HEADER_2, 4, "n+2\0\r\n\032\n", 8)) {
    return true;
  }
  nifti->is_pair = true;
  return begins_as(nifti, NIFTI_HEADER_1, 344, "ni1", 4) ||
         begins_as(nifti, NIFTI_HEADER_2, 4, "ni2\0\r\n\032\n", 8);
}

/* A file may be shorter than the longer header of NIfTI-2. */
static bool read_bytes(NiftiHeader *nifti, FILE *file, size_t n, ddr_problem *problem) {
  ddr_stream *stream =
      ddr_stream_open(file, 0, nifti->is_gzip ? DDR_GZIP : DDR_UNCOMPRESSED, problem);
  const bool is_read = stream && ddr_stream_read(stream, nifti->bytes, n, problem);
  ddr_stream_close(stream);
  return is_read;
}

bool nifti_read_header(NiftiHeader *nifti, FILE *file, ddr_problem *problem) {
  unsigned char magic[2];
  *nifti = (NiftiHeader){.version = 0};
  if (fread(magic, 1, 2, file) != 2) return ddr_problem_say(problem, "the file is empty");
  nifti->is_gzip = magic[0] == 0x1f && magic[1] == 0x8b;
  if (!nifti->is_gzip && memcmp(magic, "\0\0", 2) != 0 && magic[1] != 1 && magic[1] != 2)
    return ddr_problem_say(problem, "it is not a NIfTI file"); /* 348 and 540 in either order */
  if (!read_bytes(nifti, file, NIFTI_HEADER_1, problem)) return false;
  if (!is_header(nifti)) {
    return ddr_problem_say(problem, nifti->is_gzip ? "its gzip data is not a NIfTI file"
                                                   : "it is not a NIfTI file");
  }
  return nifti->version == 1 || read_bytes(nifti, file, NIFTI_HEADER_2, problem);
}
