/* header_pictures.c: the formats besides nrrd: PNM, PNG, VTK, and plain text. */
#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/header/header_local.h"

/* --- PNM -------------------------------------------------------------------------------------- */

/* Whole numbers of a line of nothing else; -1: it has something else. */
static int count_numbers(const char *line) {
  int n = 0;
  for (;; n++) {
    line += strspn(line, " \t\v\f");
    if (*line == '\0' || *line == '#') return n;
    const size_t n_digits = strspn(line, "0123456789");
    if (n_digits == 0 || n_digits > 10 || strtoll(line, NULL, 10) > INT32_MAX) return -1;
    line += n_digits;
    if (*line && !isspace((unsigned char)*line)) return -1;
  }
}

/* Width, height and the greatest sample, with comments between them. */
bool header_check_pnm(Header *header) {
  const bool is_ascii = header->line[1] < '4';
  bool is_good = true;
  for (int n = 0; n < 3;) {
    if (!header_next(header, &is_good)) return is_good;
    const bool is_comment = header->line[0] == '#';
    if (!header_is_quotable(header) || (is_comment && !header_check_comment(header))) return false;
    const int n_more = is_comment ? 0 : count_numbers(header->line);
    n += n_more;
    if (n_more >= 0 && n <= 3) continue;
    return header_refuse(header->check,
                         "line %d of the header is \"%.60s\" (expected width, height and the "
                         "greatest sample)",
                         header->number, header->line);
  }
  return !is_ascii || header_check_words(header->file, header->check);
}

/* --- PNG -------------------------------------------------------------------------------------- */

static double big_endian(const unsigned char bytes[4]) {
  return 16777216.0 * bytes[0] + 65536.0 * bytes[1] + 256.0 * bytes[2] + bytes[3];
}

/* Text under the keys NRRD and NRRD# is of comments and fields; under others it is kept as it is.
 */
static bool check_text_chunk(Header *header, const char *name, uint32_t length) {
  char text[COMMENT_MOST];
  const size_t n = fread(text, 1, length < COMMENT_MOST ? length : COMMENT_MOST, header->file);
  if (n < 5 || memcmp(text, "NRRD", 4) != 0) return true;
  bool is_plain = length <= COMMENT_MOST && strcmp(name, "tEXt") == 0;
  const char *end = memchr(text, '\0', n);
  for (size_t k = end ? (size_t)(end - text) + 1 : n; k < n; k++) {
    is_plain = is_plain && (isprint((unsigned char)text[k]) || text[k] == '\n');
  }
  if (is_plain) return true;
  return header_refuse(
      header->check, "its comments are not printable ASCII of at most %d characters", COMMENT_MOST);
}

static bool check_chunks(Header *header) {
  enum { LENGTH = 0, NAME = 4, START = 8, CRC = 4 };
  unsigned char start[START];
  for (long at = START; fseek(header->file, at, SEEK_SET) == 0;) {
    if (fread(start, 1, START, header->file) < START) break;
    char name[5] = {0};
    const uint32_t length = (uint32_t)big_endian(start + LENGTH);
    memcpy(name, start + NAME, 4);
    const bool is_text =
        strcmp(name, "tEXt") == 0 || strcmp(name, "zTXt") == 0 || strcmp(name, "iTXt") == 0;
    if (is_text && !check_text_chunk(header, name, length)) return false;
    at += START + (long)length + CRC;
  }
  return true;
}

/* A signature of 8 bytes is followed by the chunk IHDR: length, name, width, height, depth, ... */
bool header_check_png(Header *header) {
  enum { IHDR = 12, WIDTH = 16, HEIGHT = 20, DEPTH = 24, START = 25, MOST_COMPONENTS = 4 };
  unsigned char start[START];
  const bool is_short =
      fseek(header->file, 0, SEEK_SET) != 0 || fread(start, 1, START, header->file) < START;
  if (is_short || memcmp(start + IHDR, "IHDR", 4) != 0) {
    return header_refuse(header->check, "it begins as PNG, but does not go on as such");
  }
  const double n_bytes = big_endian(start + WIDTH) * big_endian(start + HEIGHT) * MOST_COMPONENTS *
                         (start[DEPTH] > 8 ? 2 : 1);
  if (n_bytes <= header->check->most_bytes) return check_chunks(header);
  return header_refuse(header->check, "its sizes need %.3g bytes of memory, there are %.3g",
                       n_bytes, header->check->most_bytes);
}

/* --- VTK -------------------------------------------------------------------------------------- */

static bool contains(const char *line, const char *word) {
  const size_t n = strlen(word);
  for (; *line; line++) {
    if (strncasecmp(line, word, n) == 0) return true;
  }
  return false;
}

/* The next line that is not empty. False: there is none, or it is not allowed. */
static bool next_vtk_line(Header *header, bool *is_good) {
  do {
    if (!header_next(header, is_good)) return false;
  } while (header->length == 0);
  *is_good = header_is_quotable(header);
  return *is_good;
}

/* Lines: title, encoding, kind, sizes; any others, up to the number of points; what the points
 * have; for scalars, their table. */
bool header_check_vtk(Header *header) {
  bool is_good = true, is_ascii = false;
  for (int k = 0; k < 4; k++) {
    if (!next_vtk_line(header, &is_good)) return is_good;
    if (k == 0 && !header_is_printable(header, header->line)) return false;
    if (k == 1) is_ascii = contains(header->line, "ASCII");
  }
  do {
    if (!next_vtk_line(header, &is_good)) return is_good;
  } while (!contains(header->line, "POINT_DATA"));
  if (!next_vtk_line(header, &is_good)) return is_good;
  const size_t n_blanks = strspn(header->line, " \t\v\f");
  if (strncasecmp(header->line + n_blanks, "SCALARS", 7) == 0 && !next_vtk_line(header, &is_good)) {
    return is_good;
  }
  return !is_ascii || header_check_words(header->file, header->check);
}

/* --- plain text ------------------------------------------------------------------------------- */

enum { NUMBERS_MOST = 10000 };

bool header_begins_with_number(const char *line) {
  char *end;
  line += strspn(line, " ,\t");
  (void)strtod(line, &end);
  return end != line;
}

/* Of a word that goes on behind a number, such as 1;2;3, Teem sees only the number.  Behind a word
 * that is none, as in a comment, it sees nothing of the row.  A long word is cut. */
static bool check_word(Header *header, const char *word, bool is_cut, bool *is_over) {
  char *end;
  (void)strtod(word, &end);
  *is_over = *is_over || end == word;
  if (*is_over || is_cut || *end == '\0') return true;
  return header_refuse(header->check,
                       "line %d has \"%s\" (expected numbers between blanks or commas)",
                       header->number, word);
}

static bool ends_row(int byte) { return byte == EOF || byte == '\n' || byte == '\r'; }

/* Words are looked at as far as they fit.  *n is the number of numbers, *end the byte behind the
 * row. */
static bool check_row(Header *header, int *n, int *end) {
  char word[32];
  size_t length = 0;
  bool is_over = false;
  int byte;
  *n = 0;
  do {
    byte = getc(header->file);
    if (!ends_row(byte) && !strchr(" ,\t", byte)) {
      if (length < sizeof word - 1) word[length] = (char)byte;
      length++;
      continue;
    }
    const bool is_cut = length >= sizeof word;
    word[is_cut ? sizeof word - 1 : length] = '\0';
    if (length > 0 && !check_word(header, word, is_cut, &is_over)) return false;
    *n += length > 0 && !is_over;
    length = 0;
  } while (!ends_row(byte));
  if (byte == '\r') header_skip_newline(header->file);
  *end = byte;
  return true;
}

/* From the line on that was read, of which only a part may be at hand. */
static bool check_rows(Header *header, long begin) {
  int n, end;
  fseek(header->file, begin, SEEK_SET);
  if (!check_row(header, &n, &end)) return false;
  if (n > NUMBERS_MOST)
    return header_refuse(header->check,
                         "line %d has %d numbers, of plain text expected at most %d on the first "
                         "line (or one on each line)",
                         header->number, n, NUMBERS_MOST);
  if (!header_begins_with_number(header->line)) return true;
  const int n_first = n;
  while (end != EOF) {
    header->number += header->number < INT_MAX;
    if (!check_row(header, &n, &end)) return false;
    if (n > n_first) /* Teem would leave out the others */
      return header_refuse(header->check,
                           "line %d has %d numbers, expected %d as on the first line",
                           header->number, n, n_first);
  }
  return true;
}

/* Comments, which Teem reads as fields, then rows of numbers.  Of other files it says only how they
 * begin. */
bool header_check_text(Header *header) {
  bool is_good = true;
  long begin = 0;
  while (header->line[0] == '#') {
    if (!header_is_quotable(header) || !header_check_comment(header)) return false;
    begin = ftell(header->file);
    if (!header_next(header, &is_good)) return is_good;
  }
  return check_rows(header, begin);
}
