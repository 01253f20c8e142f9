/* output_file.c: see output_file.h. */
#define _GNU_SOURCE /* O_TMPFILE */
#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names.h"
#include "runtime/src/world/text.h"

static void proc_name(int fd, char name[64]) { snprintf(name, 64, "/proc/self/fd/%d", fd); }

/* Opens a file without a name in the folder of `final`; NULL where the system has no such files. */
static FILE *open_unnamed(char *final) {
  int fd = -1;
#if defined(O_TMPFILE)
  const size_t n = ddr_folder_length(final);
  char proc[64], *base = final + n;
  const char first = *base;
  *base = '\0';
  fd = open(n > 0 ? final : ".", O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
  *base = first;
  proc_name(fd, proc);
  if (fd >= 0 && access(proc, F_OK) != 0) {
    close(fd);
    fd = -1;
  }
#else
  (void) final;
#endif
  FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (fd >= 0 && !file) close(fd);
  return file;
}

static bool take_temporary_name(ddr_output_file *output) {
  char proc[64];
  proc_name(fileno(output->file), proc);
  output->has_name = linkat(AT_FDCWD, proc, AT_FDCWD, output->temporary, AT_SYMLINK_FOLLOW) == 0;
  return output->has_name;
}

/* Opens a file that several processes write.  Clients of a network file system may write back the
 * whole of a page that has changed, with an old copy of what other machines have written there: but
 * with O_DSYNC only the bytes that were written. */
static FILE *open_common(const char *name, int flags, ddr_writers writers) {
  const int sync = writers == DDR_WRITE_FAR_APART ? O_DSYNC : 0;
  const int fd = open(name, O_WRONLY | O_CLOEXEC | flags | sync, 0666);
  FILE *file = fd >= 0 ? fdopen(fd, "wb") : NULL;
  if (fd >= 0 && !file) close(fd);
  return file;
}

/* On failure output->file is NULL and errno says why. */
static void open_beside(ddr_output_file *output, const char *name, bool exists,
                        ddr_writers writers) {
  errno = ENOMEM;
  output->final = exists ? realpath(name, NULL) : ddr_format("%s", name);
  if (!output->final) return;
  output->temporary = ddr_format("%s.%ld.tmp", output->final, (long)getpid());
  if (!output->temporary) return;
  if (writers == DDR_WRITE_ALONE) output->file = open_unnamed(output->final);
  if (output->file) return;
  output->file = open_common(output->temporary, O_CREAT | O_EXCL, writers);
  output->has_name = output->file != NULL;
}

/* Whether files can be created in the folder of `name`; if not, errno says why. */
static bool has_open_folder(const char *name) {
  const int n = (int)ddr_folder_length(name);
  char *folder = ddr_format("%.*s", n > 0 ? n : 1, n > 0 ? name : ".");
  const bool is_open = folder && access(folder, W_OK | X_OK) == 0;
  if (!folder) errno = ENOMEM;
  free(folder);
  return is_open;
}

ddr_status ddr_output_file_probe(const char *name, ddr_reason *reason) {
  struct stat info;
  if (strcmp(name, "-") == 0) return DDR_OK;
  const bool exists = stat(name, &info) == 0;
  bool is_good = exists || errno == ENOENT;
  if (exists && S_ISDIR(info.st_mode)) {
    errno = EISDIR;
    is_good = false;
  } else if (exists && !S_ISREG(info.st_mode)) {
    is_good = access(name, W_OK) == 0;
  } else if (is_good) {
    char *final = exists ? realpath(name, NULL) : NULL;
    is_good = (!exists || final) && has_open_folder(final ? final : name);
    free(final);
  }
  return is_good ? DDR_OK : ddr_refuse(reason, "%s", strerror(errno));
}

static ddr_status open_file(ddr_output_file *output, const char *name, ddr_writers writers,
                            ddr_reason *reason) {
  struct stat info;
  *output = (ddr_output_file){0};
  const bool is_stdout = strcmp(name, "-") == 0, exists = stat(name, &info) == 0;
  if (!is_stdout && !exists && errno != ENOENT) return ddr_refuse(reason, "%s", strerror(errno));
  if (is_stdout) output->file = stdout;
  else if (exists && !S_ISREG(info.st_mode)) output->file = fopen(name, "wb");
  else open_beside(output, name, exists, writers);
  if (output->file) return DDR_OK;
  return ddr_refuse(reason, "%s", errno == ENOMEM ? "out of memory" : strerror(errno));
}

ddr_status ddr_output_file_open(ddr_output_file *output, const char *name, ddr_reason *reason) {
  return open_file(output, name, DDR_WRITE_ALONE, reason);
}

ddr_status ddr_output_file_open_shared(ddr_output_file *output, const char *name,
                                       ddr_writers writers, ddr_reason *reason) {
  return open_file(output, name, writers, reason);
}

ddr_status ddr_output_file_join(ddr_output_file *output, const char *temporary, ddr_writers writers,
                                ddr_reason *reason) {
  *output = (ddr_output_file){.file = open_common(temporary, 0, writers)};
  return output->file ? DDR_OK : ddr_refuse(reason, "%s", strerror(errno));
}

ddr_status ddr_output_file_put(const ddr_output_file *output, int64_t at, const void *bytes,
                               size_t n_bytes, ddr_reason *reason) {
  const char *from = bytes;
  while (n_bytes > 0) {
    const ssize_t n = pwrite(fileno(output->file), from, n_bytes, (off_t)at);
    if (n <= 0) return ddr_refuse(reason, "%s", strerror(n < 0 ? errno : EIO));
    from += n;
    at += n;
    n_bytes -= (size_t)n;
  }
  return DDR_OK;
}

/* On a write error errno is set. */
ddr_status ddr_output_file_finish(ddr_output_file *output, ddr_reason *reason) {
  bool is_bad = ferror(output->file) != 0 || fflush(output->file) == EOF;
  if (!is_bad && output->temporary && !output->has_name) is_bad = !take_temporary_name(output);
  if (output->file != stdout) is_bad = (fclose(output->file) == EOF) || is_bad;
  output->file = NULL;
  return is_bad ? ddr_refuse(reason, "%s", strerror(errno ? errno : EIO)) : DDR_OK;
}

ddr_status ddr_output_file_close(ddr_output_file *output, ddr_status status, ddr_reason *reason) {
  if (output->file && output->file != stdout) fclose(output->file);
  if (output->has_name && status == DDR_OK && rename(output->temporary, output->final) != 0) {
    status = ddr_refuse(reason, "%s", strerror(errno));
  }
  if (output->has_name && status != DDR_OK) remove(output->temporary);
  free(output->final);
  free(output->temporary);
  *output = (ddr_output_file){0};
  return status;
}
