/* nrrd_header.c: a first look at the header lines of a file.
 *
 * Teem quotes header text in its complaints through a buffer of about 1 kB without a bound, so a
 * line that it could quote must be short before Teem may see it.  Nothing else is judged here.
 * Read next: nrrd_io.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nrrd_local.h"

enum { LINE_MOST = 640 };

typedef struct {
  const char *magic;                              /* how the first line begins */
  bool (*is_quotable)(const char *line);          /* may Teem quote this line? */
  bool (*ends)(const char *line, int *n_numbers); /* is this the header's last line? */
} HeaderForm;

static bool always(const char *line) {
  (void)line;
  return true;
}

/* Comments and key/value pairs of a nrrd are stored, not parsed. */
static bool is_nrrd_field(const char *line) { return line[0] != '#' && !strstr(line, ":="); }

static bool is_blank(const char *line, int *n_numbers) {
  (void)n_numbers;
  return line[0] == '\0' || strcmp(line, "\r") == 0;
}

/* Width, height and maximum, anywhere between comment lines. */
static bool completes_numbers(const char *line, int *n_numbers) {
  if (line[0] == '#' || line[0] == 'P') return false;
  for (const char *at = line; *at;) {
    char *end;
    strtol(at, &end, 10);
    if (end == at) break;
    (*n_numbers)++;
    at = end;
  }
  return *n_numbers >= 3;
}

static bool begins_vtk_data(const char *line, int *n_numbers) {
  (void)n_numbers;
  return strncmp(line, "LOOKUP_TABLE", 12) == 0 || strncmp(line, "VECTORS", 7) == 0 ||
         strncmp(line, "TENSORS", 7) == 0;
}

static bool is_no_comment(const char *line, int *n_numbers) {
  (void)n_numbers;
  return line[0] != '#';
}

static bool is_comment(const char *line) { return line[0] == '#'; }

/* clang-format off */
static const HeaderForm header_forms[] = {
  {"NRRD",  is_nrrd_field, is_blank},
  {"# vtk", always,        begins_vtk_data},
  {"#",     is_comment,    is_no_comment},
  {"P2",    always,        completes_numbers},
  {"P3",    always,        completes_numbers},
  {"P5",    always,        completes_numbers},
  {"P6",    always,        completes_numbers},
};
/* clang-format on */

/* One line without its newline, cut at `size`; the true length, or -1 at the end of the file. */
static long read_line(FILE *file, char *line, size_t size) {
  long n = 0;
  int c;
  while ((c = getc(file)) != EOF && c != '\n') {
    if ((size_t)n + 1 < size) line[n] = (char)c;
    n++;
  }
  line[(size_t)n < size ? (size_t)n : size - 1] = '\0';
  return c == EOF && n == 0 ? -1 : n;
}

ddr_status ddr_nrrd_check_header(FILE *file, ddr_reason *reason) {
  char line[LINE_MOST + 1];
  errno = 0;
  long n = read_line(file, line, sizeof line);
  if (n < 0 && !ferror(file)) return ddr_refuse(reason, "the file is empty");
  const HeaderForm *form = NULL;
  for (size_t k = 0; k < sizeof header_forms / sizeof *header_forms && !form; k++) {
    const char *magic = header_forms[k].magic;
    if (strncmp(line, magic, strlen(magic)) == 0) form = &header_forms[k];
  }
  int n_numbers = 0;
  for (int number = 1; form && n >= 0; number++) {
    if (n >= LINE_MOST && form->is_quotable(line)) {
      return ddr_refuse(reason, "line %d of the header is too long (%ld characters)", number, n);
    }
    if (number > 1 && form->ends(line, &n_numbers)) break;
    n = read_line(file, line, sizeof line);
  }
  const bool is_read = !ferror(file) && fseek(file, 0, SEEK_SET) == 0;
  return is_read ? DDR_OK : ddr_refuse(reason, "%s", strerror(errno ? errno : EIO));
}
