/* file.c: see file.h.
 *
 * The errors of MPI do not distinguish a full disk from a broken one, and the default I/O of Open
 * MPI reports a failed write as a success with fewer bytes.  So bytes are counted, and the cause is
 * found by writing the rest without MPI.
 */
#define _XOPEN_SOURCE 700 /* pwrite, strdup */
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(DDR_SMALL_SIZES)
enum { PIECE = 1000 };
#else
enum { PIECE = 1 << 30 };
#endif

static bool all_of(MPI_Comm comm, bool is_so) {
  int own = is_so, all;
  MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MIN, comm);
  return all != 0;
}

bool common_file_open(CommonFile *file, MPI_Comm comm, const char *name) {
  file->name = strdup(name);
  if (!all_of(comm, file->name != NULL)) {
    free(file->name);
    return false;
  }
  const int status = MPI_File_open(comm, file->name, MPI_MODE_WRONLY, MPI_INFO_NULL, &file->file);
  if (all_of(comm, status == MPI_SUCCESS)) return true;
  free(file->name); /* a file that only some have opened cannot be closed */
  return false;
}

/* The errno that says why the bytes were not written; never 0. */
static int reason_of(const CommonFile *file, int64_t at, const char *bytes, size_t n_bytes) {
  const int fd = open(file->name, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return errno;
  int reason = EIO;
  for (ssize_t n = 1; n_bytes > 0 && n > 0; at += n, bytes += n, n_bytes -= (size_t)n) {
    n = pwrite(fd, bytes, n_bytes, (off_t)at);
    if (n > 0) continue;
    if (n < 0) reason = errno;
    break;
  }
  close(fd);
  return reason;
}

static bool put_piece(const CommonFile *file, int64_t at, const char *bytes, int len) {
  MPI_Status status;
  int n = 0;
  if (MPI_File_write_at(file->file, (MPI_Offset)at, bytes, len, MPI_BYTE, &status) != MPI_SUCCESS)
    return false;
  MPI_Get_count(&status, MPI_BYTE, &n);
  return n == len;
}

int common_file_put(const CommonFile *file, int64_t at, const void *bytes, size_t n_bytes) {
  const char *from = bytes;
  while (n_bytes > 0) {
    const int len = n_bytes < PIECE ? (int)n_bytes : PIECE;
    if (!put_piece(file, at, from, len)) return reason_of(file, at, from, (size_t)len);
    from += len;
    at += len;
    n_bytes -= (size_t)len;
  }
  return 0;
}

int common_file_close(CommonFile *file) {
  const int status = MPI_File_close(&file->file);
  free(file->name);
  file->name = NULL;
  return status == MPI_SUCCESS ? 0 : EIO;
}
