/* tiff_file.c: libtiff, which is loaded when a file needs it, on open files. */
#include "runtime/formats/tiff_file.h"

#if defined(DDR_TIFF)
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>

/* --- the library ------------------------------------------------------------------------------ */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ddr_problem *complaints; /* of the thread that holds the lock */
static TIFFErrorHandler others_error, others_warning;
static TIFFErrorHandlerExt others_error_too;

#define TEXT_OF(number) #number
#define TEXT(macro) TEXT_OF(macro)

/* The version of the build, or another one in which these functions are the same. */
const TiffCalls *tiff_calls(ddr_problem *problem) {
  static const char *const names[] = {"libtiff.so." TEXT(DDR_TIFF), "libtiff.so.6", "libtiff.so.5",
                                      NULL};
  static const char *const functions[] = {
#define CALL(name) #name,
#include "runtime/formats/tiff_calls.def"
      NULL};
  static TiffCalls calls;
  static bool is_loaded;
  return format_borrow(names, functions, &calls, &is_loaded, problem) ? &calls : NULL;
}

/* Keeps the first complaint, which names the cause. */
__attribute__((format(printf, 3, 0))) static void complain(thandle_t handle, const char *where,
                                                           const char *format, va_list args) {
  (void)handle;
  (void)where;
  char text[200];
  if (!complaints || complaints->text[0] != '\0') return;
  vsnprintf(text, sizeof text, format, args);
  ddr_problem_say(complaints, "%s", text);
}

void tiff_enter(const TiffCalls *calls, ddr_problem *problem) {
  pthread_mutex_lock(&lock);
  problem->text[0] = '\0';
  complaints = problem;
  others_error = calls->TIFFSetErrorHandler(NULL);
  others_warning = calls->TIFFSetWarningHandler(NULL);
  others_error_too = calls->TIFFSetErrorHandlerExt(complain);
}

void tiff_leave(const TiffCalls *calls) {
  calls->TIFFSetErrorHandler(others_error);
  calls->TIFFSetWarningHandler(others_warning);
  calls->TIFFSetErrorHandlerExt(others_error_too);
  complaints = NULL;
  pthread_mutex_unlock(&lock);
}

/* --- files ------------------------------------------------------------------------------------ */

static tmsize_t read_bytes(thandle_t file, void *bytes, tmsize_t n) {
  return (tmsize_t)fread(bytes, 1, (size_t)n, file);
}

static tmsize_t write_none(thandle_t file, void *bytes, tmsize_t n) {
  (void)file;
  (void)bytes;
  (void)n;
  errno = EBADF;
  return 0;
}

static toff_t seek(thandle_t file, toff_t offset, int from) {
  if (fseeko(file, (off_t)offset, from) != 0) return (toff_t)-1;
  return (toff_t)ftello(file);
}

static int close_later(thandle_t file) {
  (void)file;
  return 0;
}

static toff_t size_of(thandle_t file) {
  struct stat info;
  return fstat(fileno(file), &info) == 0 ? (toff_t)info.st_size : 0;
}

static int map_not(thandle_t file, void **data, toff_t *n) {
  (void)file;
  (void)data;
  (void)n;
  return 0;
}

static void unmap(thandle_t file, void *data, toff_t n) {
  (void)file;
  (void)data;
  (void)n;
}

bool tiff_file_open(TiffFile *opened, FILE *file, const TiffCalls *calls, ddr_problem *problem) {
  *opened = (TiffFile){.calls = calls, .file = file};
  rewind(file);
  opened->tiff = calls->TIFFClientOpen("image", "rm", file, read_bytes, write_none, seek,
                                       close_later, size_of, map_not, unmap);
  if (opened->tiff) return true;
  return problem->text[0] ? false : ddr_problem_say(problem, "it is not a TIFF file");
}

/* An unsigned number of n bytes; 0: the file ends before. */
static uint64_t number_at(const TiffFile *opened, uint64_t offset, int n) {
  const bool is_big_endian = opened->calls->TIFFIsBigEndian(opened->tiff) != 0;
  unsigned char bytes[8];
  uint64_t number = 0;
  if (fseeko(opened->file, (off_t)offset, SEEK_SET) != 0 ||
      fread(bytes, 1, (size_t)n, opened->file) != (size_t)n)
    return 0;
  for (int k = 0; k < n; k++) number = number << 8 | bytes[is_big_endian ? k : n - 1 - k];
  return number;
}

/* A page has a number of fields, the fields, and the address of the next one. */
bool tiff_has_next_address(const TiffFile *opened) {
  enum { BIG = 43 };
  const bool is_big = number_at(opened, 2, 2) == BIG;
  const uint64_t page = opened->calls->TIFFCurrentDirOffset(opened->tiff);
  const int n = is_big ? 8 : 2, n_field = is_big ? 20 : 12, n_address = is_big ? 8 : 4;
  const uint64_t end = page + (uint64_t)n + number_at(opened, page, n) * (uint64_t)n_field;
  return end + (uint64_t)n_address <= size_of(opened->file);
}
#endif
