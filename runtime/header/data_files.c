/* data_files.c: the files that a header names, and the words of data that is read as text. */
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/header/header_local.h"

/* Teem's memory for a word, with room to spare. */
enum { WORD_MOST = 1000 };

/* --- words ------------------------------------------------------------------------------------ */

/* Checks the words from the file's position to its end. */
bool header_check_words(FILE *file, ddr_header_check *check) {
  int length = 0, byte;
  while ((byte = getc(file)) != EOF) {
    length = isspace(byte) ? 0 : length + 1;
    if (length <= WORD_MOST) continue;
    return header_refuse(check, "its data has a word of more than %d characters (expected numbers)",
                         WORD_MOST);
  }
  return true;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Names that begin with a slash, or with a drive letter of other systems, are complete paths. */
char *ddr_header_data_path(const char *folder, const char *name) {
  const bool is_whole = name[0] == '/' || (name[0] && name[1] == ':');
  const size_t size = strlen(folder) + strlen(name) + 2;
  char *path = malloc(size);
  if (path) snprintf(path, size, "%s%s%s", is_whole ? "" : folder, is_whole ? "" : "/", name);
  return path;
}

static bool check_data(ddr_header_check *check, const char *name, const char *path, bool is_ascii) {
  struct stat info;
  if (stat(path, &info) != 0) {
    return header_refuse(check, "its data file \"%.200s\": %s", name, strerror(errno));
  }
  if (!S_ISREG(info.st_mode)) {
    return header_refuse(check, "its data file \"%.200s\" is not a regular file", name);
  }
  FILE *file = fopen(path, "rb");
  if (!file) return header_refuse(check, "its data file \"%.200s\": %s", name, strerror(errno));
  errno = 0;
  bool is_good = !is_ascii || header_check_words(file, check);
  if (is_good && ferror(file)) {
    is_good = header_refuse(check, "its data file \"%.200s\": %s", name, strerror(errno));
  }
  fclose(file);
  return is_good;
}

bool header_check_data_file(ddr_header_check *check, const char *name, bool is_ascii) {
  if (name[0] == '\0') return header_refuse(check, "a data file of it has no name");
  if (strcmp(name, "-") == 0) {
    return header_refuse(check, "its data file is \"-\" (expected the name of a file)");
  }
  char *path = ddr_header_data_path(check->folder, name);
  if (!path) return header_refuse(check, "out of memory");
  const bool is_good = check_data(check, name, path, is_ascii);
  free(path);
  return is_good;
}
