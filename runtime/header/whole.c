/* whole.c: files of lines whose last line lacks its end.
 *
 * Editors and scripts leave it out. Teem reads such a line in part or not at all, so it gets a copy
 * of the file with an end. Attached samples are no lines: their headers end with an empty one.
 */
#include <ctype.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/header/header_local.h"

FILE *ddr_header_spool(FILE *file) {
  FILE *copy = tmpfile();
  char chunk[8192];
  size_t n;
  while (copy && (n = fread(chunk, 1, sizeof chunk, file)) > 0) {
    if (fwrite(chunk, 1, n, copy) == n) continue;
    fclose(copy);
    copy = NULL;
  }
  if (copy && (ferror(file) || fseek(copy, 0, SEEK_SET) != 0)) {
    fclose(copy);
    copy = NULL;
  }
  return copy;
}

static bool is_end(int byte) { return byte == '\n' || byte == '\r'; }

/* Whether a line is empty; lines end at \n, \r or both. */
static bool has_empty_line(FILE *file) {
  int byte, n_in_line = 0;
  for (long n = 0; n < HEADER_MOST && (byte = getc(file)) != EOF; n++) {
    if (byte == '\n' && n_in_line == 0) return true;
    if (byte == '\r' && n_in_line == 0) return true;
    if (byte == '\r') header_skip_newline(file);
    n_in_line = is_end(byte) ? 0 : n_in_line + 1;
  }
  return false;
}

/* Whether the file is text as far as a header may reach; others are refused without a copy. */
static bool is_text(FILE *file) {
  int byte;
  rewind(file);
  for (long n = 0; n < HEADER_MOST && (byte = getc(file)) != EOF; n++) {
    if (byte == 127 || (byte < ' ' && !isspace(byte))) return false;
  }
  return true;
}

/* Whether it begins as lines only: a header without samples, or rows of numbers. */
static bool is_of_lines(FILE *file) {
  enum { MAGIC = 4 };
  char begin[64] = "";
  const size_t n = fread(begin, 1, sizeof begin - 1, file);
  if (n >= MAGIC && memcmp(begin, "NRRD", MAGIC) == 0)
    return fseek(file, MAGIC, SEEK_SET) == 0 && !has_empty_line(file);
  if (n >= MAGIC && memcmp(begin, "# vt", MAGIC) == 0) return false;
  return begin[0] == '#' || header_begins_with_number(begin);
}

static bool lacks_end(FILE *file) {
  int last = '\n';
  if (fseek(file, -1, SEEK_END) == 0) last = getc(file);
  if (last == EOF || is_end(last) || fseek(file, 0, SEEK_SET) != 0) return false;
  return is_of_lines(file) && is_text(file);
}

FILE *ddr_header_whole(FILE *file) {
  const bool is_short = lacks_end(file);
  rewind(file);
  if (!is_short) return file;
  FILE *whole = ddr_header_spool(file);
  fclose(file);
  if (!whole) return NULL;
  if (fseek(whole, 0, SEEK_END) == 0 && fputc('\n', whole) != EOF && fseek(whole, 0, SEEK_SET) == 0)
    return whole;
  fclose(whole);
  return NULL;
}
