/* nrrd_read.c: reads a file through Teem, in every format that Teem reads.
 *
 * The header is read three times: by runtime/header, to refuse headers that Teem cannot read
 * safely; by Teem, to refuse arrays that the program cannot use or that do not fit into memory; and
 * with the data, unless that is mapped or comes from a supply.  Pipes are copied to a temporary
 * file for that.  Each failure becomes one line: input, file, what is wrong, what was expected.
 * Read next: nrrd_supply.c (other formats, samples in order), images/nrrd_image.c,
 * images/nrrd_sequence.c.
 */
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <teem/biff.h>
#include <unistd.h>

#include "local.h"
#include "names.h"
#include "runtime/header/header.h"
#include "runtime/src/world/memory.h"

/* --- one at a time ---------------------------------------------------------------------------- */

/* Teem keeps errors and settings in global variables without a lock, while worlds in several
 * threads load files.  This lock and the list in mapping.c are all that worlds share. */
static pthread_mutex_t teem = PTHREAD_MUTEX_INITIALIZER;

void ddr_teem_lock(void) { pthread_mutex_lock(&teem); }
void ddr_teem_unlock(void) { pthread_mutex_unlock(&teem); }

/* --- reasons ---------------------------------------------------------------------------------- */

ddr_status ddr_refuse(ddr_reason *reason, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ddr_header_say(reason->text, sizeof reason->text, format, args);
  va_end(args);
  return DDR_ERROR;
}

/* biff lists lines "[nrrd] function: message", the root cause last. */
ddr_status ddr_refuse_biff(ddr_reason *reason, const char *fallback) {
  char *all = biffCheck(NRRD) ? biffGetDone(NRRD) : NULL;
  char *cause = NULL, *rest = NULL;
  for (char *line = all ? strtok_r(all, "\n", &rest) : NULL; line;
       line = strtok_r(NULL, "\n", &rest)) {
    char *colon = strstr(line, ": ");
    if (colon && colon[2]) cause = colon + 2;
  }
  ddr_refuse(reason, "%s", cause ? cause : fallback);
  free(all);
  return DDR_ERROR;
}

/* --- files ------------------------------------------------------------------------------------ */

static FILE *whole_file(FILE *file, ddr_reason *reason) {
  errno = 0;
  FILE *whole = ddr_header_whole(file);
  if (!whole) ddr_refuse(reason, "%s", strerror(errno ? errno : EIO));
  return whole;
}

/* Pipes are copied, since they cannot be read twice. */
static FILE *open_input(bool *is_stdin_taken, const char *name, ddr_reason *reason) {
  const bool is_stdin = strcmp(name, "-") == 0;
  if (is_stdin && *is_stdin_taken) {
    ddr_refuse(reason, "another input has read standard input already");
    return NULL;
  }
  if (is_stdin) *is_stdin_taken = true;
  FILE *file = is_stdin ? stdin : fopen(name, "rb");
  struct stat info;
  if (!file || fstat(fileno(file), &info) != 0) {
    ddr_refuse(reason, "%s", strerror(errno));
    return NULL;
  }
  if (S_ISREG(info.st_mode) && !is_stdin) return whole_file(file, reason);
  if (!is_stdin && (S_ISCHR(info.st_mode) || S_ISBLK(info.st_mode))) { /* it may be endless */
    ddr_refuse(reason, "it is a device (expected a file or a pipe)");
    fclose(file);
    return NULL;
  }
  errno = 0;
  FILE *copy = S_ISDIR(info.st_mode) ? NULL : ddr_header_spool(file);
  if (!copy) {
    ddr_refuse(reason, "%s", strerror(S_ISDIR(info.st_mode) ? EISDIR : errno ? errno : EIO));
  }
  if (!is_stdin) fclose(file);
  return copy ? whole_file(copy, reason) : NULL;
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* The size of the files that hold the data; -1 if it is not known in advance.  Attached data begins
 * where the header was read to: behind the bytes to skip, for Teem skips them with the header, but
 * not those of compressed data. */
static long long stored_bytes(const NrrdIoState *nio, FILE *header) {
  struct stat info;
  if (nio->dataFNFormat) return -1;
  if (nio->dataFNArr->len == 0) {
    if (fstat(fileno(header), &info) != 0) return -1;
    const long long rest = (long long)info.st_size - ftell(header);
    return rest > 0 ? rest : 0;
  }
  long long sum = 0;
  for (unsigned k = 0; k < nio->dataFNArr->len; k++) {
    char *path = ddr_header_data_path(nio->path, nio->dataFN[k]);
    const bool is_known = path && stat(path, &info) == 0 && S_ISREG(info.st_mode);
    free(path);
    if (!is_known) return -1;
    sum += (long long)info.st_size;
  }
  return sum;
}

enum { GZIP_LEAST = 20 }; /* bytes of header, trailer and an empty block */

/* The fewest bytes in which an encoding can store this many samples. */
static double least_stored(const NrrdIoState *nio, double n_samples, double sample_size) {
  if (nio->encoding == nrrdEncodingRaw) return n_samples * sample_size;
  if (nio->encoding == nrrdEncodingHex) return 2 * n_samples * sample_size;
  if (nio->encoding == nrrdEncodingAscii) return 2 * n_samples - 1;
  if (nio->encoding == nrrdEncodingGzip)
    return GZIP_LEAST + floor(n_samples * sample_size / 1100); /* deflate's best */
  return 0;
}

/* Refuses data that is too short before memory is allocated. */
static ddr_status check_stored(const Nrrd *nrrd, const NrrdIoState *nio, FILE *header,
                               ddr_reason *reason) {
  const long long stored = stored_bytes(nio, header);
  const size_t sample_size = nrrdTypeSize[nrrd->type];
  const double n_samples = ddr_nrrd_bytes(nrrd) / (double)sample_size;
  const double least = least_stored(nio, n_samples, (double)sample_size);
  if (stored < 0 || least <= (double)stored) return DDR_OK;
  return ddr_refuse(reason,
                    "the data is truncated: %s encoding needs at least %.0f bytes for "
                    "its sizes, found %lld",
                    nio->encoding->name, least, stored);
}

/* --- mapping ---------------------------------------------------------------------------------- */

/* Whether the data is in one file and needs no decoding. */
static bool is_mappable(const Nrrd *nrrd, const NrrdIoState *nio) {
  const bool is_native = nrrdTypeSize[nrrd->type] == 1 || nio->endian == airMyEndian();
  return nio->encoding == nrrdEncodingRaw && is_native && !nio->dataFNFormat &&
         nio->dataFNArr->len <= 1 && nio->lineSkip == 0 && !nio->dataFSkip && nio->byteSkip >= -1;
}

/* The data file of a header.  For attached data this is the open header file: it may be a pipe, and
 * opening its name again would wait for another writer. */
static FILE *open_data(const NrrdIoState *nio, FILE *header) {
  if (nio->dataFNArr->len == 0) return header;
  char *path = ddr_header_data_path(nio->path, nio->dataFN[0]);
  FILE *data = path ? fopen(path, "rb") : NULL;
  free(path);
  return data;
}

/* Where the data begins: after the bytes to skip, or, for byte skip -1, n_bytes before the end. */
static int64_t data_offset(const NrrdIoState *nio, FILE *header, FILE *data, size_t n_bytes) {
  struct stat info;
  if (nio->byteSkip >= 0) return data == header ? ftell(header) : (int64_t)nio->byteSkip;
  return fstat(fileno(data), &info) == 0 ? (int64_t)info.st_size - (int64_t)n_bytes : -1;
}

static bool map_data(ddr_nrrd_file *reader, FILE *header) {
  if (!reader->title || !is_mappable(reader->nrrd, reader->nio)) return false;
  FILE *data = open_data(reader->nio, header);
  if (!data) return false;
  const size_t n_bytes = (size_t)ddr_nrrd_bytes(reader->nrrd);
  const int64_t offset = data_offset(reader->nio, header, data, n_bytes);
  const bool is_mapped = ddr_nrrd_map(reader, data, offset);
  if (data != header) fclose(data);
  return is_mapped;
}

/* --- in order --------------------------------------------------------------------------------- */

static ddr_compression compression_of(const NrrdIoState *nio) {
  if (nio->encoding == nrrdEncodingBzip2) return DDR_BZIP2;
  return nio->encoding == nrrdEncodingGzip ? DDR_GZIP : DDR_UNCOMPRESSED;
}

/* Whether a supply can skip the bytes before raw samples: not those behind samples at the end of a
 * file. */
static bool are_skips_plain(const NrrdIoState *nio) {
  bool is_so = nio->byteSkip >= -1;
  for (unsigned k = 0; nio->dataFSkip && k < nio->dataFNArr->len; k++)
    is_so &= nio->dataFSkip[k] >= -1;
  return is_so;
}

/* Whether a supply reads the samples, with any byte order.  Compressed ones: always, since Teem
 * neither looks for their end nor skips bytes that differ from file to file. */
static bool is_in_order(const NrrdIoState *nio) {
  return compression_of(nio) != DDR_UNCOMPRESSED ||
         (nio->encoding == nrrdEncodingRaw && are_skips_plain(nio));
}

ddr_supply *ddr_nrrd_supply(const NrrdIoState *nio, int type, const ddr_nrrd_part *part,
                            ddr_problem *problem) {
  const ddr_compression compression = compression_of(nio);
  struct stat info;
  int64_t offset = part->begin;
  if (compression == DDR_UNCOMPRESSED && part->skip < 0 && fstat(fileno(part->file), &info) == 0)
    offset = info.st_size - (int64_t)part->n_bytes;
  if (offset < 0) {
    ddr_problem_say(problem, "the data is truncated");
    return NULL;
  }
  const ddr_stored stored = {.file = part->file,
                             .offset = offset,
                             .skip = compression == DDR_UNCOMPRESSED ? 0 : part->skip,
                             .compression = compression,
                             .is_swapped = nrrdTypeSize[type] > 1 && nio->endian != airMyEndian(),
                             .type = type,
                             .n_bytes = (double)part->n_bytes};
  return ddr_supply_stored(&stored, problem);
}

/* Attached data: Teem has read the header, the lines to skip, and the bytes unless these are
 * compressed. */
static ddr_supply *supply_attached(const ddr_nrrd_file *reader, FILE *header, size_t n_bytes,
                                   ddr_problem *problem) {
  const ddr_nrrd_part part = {.file = header,
                              .begin = ftell(header),
                              .skip = (int64_t)reader->nio->byteSkip,
                              .n_bytes = n_bytes};
  return ddr_nrrd_supply(reader->nio, reader->nrrd->type, &part, problem);
}

static ddr_status read_in_order(ddr_nrrd_file *reader, FILE *header, ddr_reason *reason) {
  const NrrdIoState *nio = reader->nio;
  const bool is_attached = !nio->dataFNFormat && nio->dataFNArr->len == 0;
  const size_t n_bytes = (size_t)ddr_nrrd_bytes(reader->nrrd);
  ddr_problem problem = {""};
  reader->supply = is_attached ? supply_attached(reader, header, n_bytes, &problem)
                               : ddr_nrrd_parts(nio, reader->nrrd->type, n_bytes, &problem);
  if (!reader->supply) return ddr_refuse(reason, "%s", problem.text);
  if (is_attached) reader->stored = header;
  return reader->title ? DDR_OK : ddr_nrrd_drain(reader, reason);
}

/* --- loading ---------------------------------------------------------------------------------- */

static void drop_supply(ddr_nrrd_file *reader) {
  ddr_supply_close(reader->supply);
  reader->supply = NULL;
}

void ddr_nrrd_close(ddr_nrrd_file *reader) {
  if (reader->nrrd && reader->is_mapped) reader->nrrd->data = NULL;
  ddr_unmap(&reader->mapping);
  drop_supply(reader);
  if (reader->stored) fclose(reader->stored);
  reader->stored = NULL;
  if (reader->nrrd) nrrdNuke(reader->nrrd);
  if (reader->nio) nrrdIoStateNix(reader->nio);
  reader->nrrd = NULL;
  reader->nio = NULL;
}

typedef enum { READ_HEADER, READ_ALL } ReadMode;

/* With byte skip -1, Teem seeks to the data already when it reads the header, and its message says
 * only that it cannot. */
static void explain_skip(const ddr_nrrd_file *reader, FILE *file, ddr_reason *reason) {
  const Nrrd *nrrd = reader->nrrd;
  const bool has_type = nrrd->type > nrrdTypeUnknown && nrrd->type < nrrdTypeBlock;
  if (reader->nio->byteSkip < 0 && reader->nio->encoding && nrrd->dim > 0 && has_type)
    (void)check_stored(nrrd, reader->nio, file, reason);
}

/* Teem takes a read error for the end of the file. */
static ddr_status read_alone(ddr_nrrd_file *reader, FILE *file, ddr_reason *reason) {
  ddr_teem_lock();
  const int verbosity = nrrdStateVerboseIO;
  nrrdStateVerboseIO = 0; /* without this, Teem warns on stderr */
  ddr_status status = DDR_OK;
  errno = 0;
  const int has_failed = nrrdRead(reader->nrrd, file, reader->nio), error = errno;
  if (has_failed) status = ddr_refuse_biff(reason, "the file cannot be read");
  if (has_failed && reader->nio->skipData) explain_skip(reader, file, reason);
  nrrdStateVerboseIO = verbosity;
  ddr_teem_unlock();
  return ferror(file) ? ddr_refuse(reason, "%s", strerror(error ? error : EIO)) : status;
}

/* The folder relative to which a header names its data files; NULL: out of memory. */
static char *folder_of(const char *name) {
  const size_t length = ddr_folder_length(name), n = length > 1 ? length - 1 : 1;
  char *folder = calloc(n + 1, 1);
  if (folder) memcpy(folder, length > 0 ? name : ".", n);
  return folder;
}

static ddr_status check_header(const ddr_nrrd_file *reader, FILE *file, ddr_reason *reason) {
  char *folder = folder_of(reader->name);
  ddr_header_check check = {.folder = folder, .most_bytes = (double)ddr_most_memory()};
  if (!folder) return ddr_refuse(reason, "out of memory");
  const bool is_good = ddr_header_check_file(file, &check);
  free(folder);
  return is_good ? DDR_OK : ddr_refuse(reason, "%s", check.problem);
}

static ddr_status reader_read(ddr_nrrd_file *reader, FILE *file, ReadMode mode,
                              ddr_reason *reason) {
  reader->nrrd = nrrdNew();
  reader->nio = nrrdIoStateNew();
  if (!reader->nrrd || !reader->nio) return ddr_refuse(reason, "out of memory");
  reader->nio->skipData = mode == READ_HEADER;
  reader->nio->path = folder_of(reader->name);
  if (!reader->nio->path) return ddr_refuse(reason, "out of memory");
  return read_alone(reader, file, reason);
}

/* Formats that cannot skip the data have read it already the first time. */
static ddr_status read_twice(ddr_nrrd_file *reader, FILE *file, ddr_nrrd_check *check, void *data,
                             ddr_reason *reason) {
  if (check_header(reader, file, reason) != DDR_OK ||
      reader_read(reader, file, READ_HEADER, reason) != DDR_OK ||
      check(reader, data, reason) != DDR_OK) {
    return DDR_ERROR;
  }
  if (reader->nrrd->data) return DDR_OK;
  if (ddr_nrrd_check_axes(reader->nrrd, reason) != DDR_OK) return DDR_ERROR;
  if (map_data(reader, file)) return DDR_OK;
  if (ddr_nrrd_check_memory(reader->nrrd, reason) != DDR_OK ||
      check_stored(reader->nrrd, reader->nio, file, reason) != DDR_OK) {
    return DDR_ERROR;
  }
  if (is_in_order(reader->nio)) return read_in_order(reader, file, reason);
  ddr_nrrd_close(reader);
  if (fseek(file, 0, SEEK_SET) != 0) return ddr_refuse(reason, "%s", strerror(errno));
  return reader_read(reader, file, READ_ALL, reason);
}

ddr_status ddr_nrrd_read(bool *is_stdin_taken, ddr_nrrd_file *reader, ddr_nrrd_check *check,
                         void *data, ddr_reason *reason) {
  FILE *file = open_input(is_stdin_taken, reader->name, reason);
  if (!file) return DDR_ERROR;
  const ddr_file_format *format = ddr_file_format_of(file);
  const ddr_status status = format ? ddr_nrrd_read_format(reader, file, format, check, data, reason)
                                   : read_twice(reader, file, check, data, reason);
  if (status != DDR_OK) drop_supply(reader); /* the supply may read the file */
  if (reader->stored != file) fclose(file);
  return status;
}
