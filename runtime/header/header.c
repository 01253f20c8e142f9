/* header.c: see header.h.  Lines, and which format a file has. */
#include <errno.h>
#include <stdarg.h>
#include <string.h>

#include "runtime/header/header_local.h"

/* --- problems --------------------------------------------------------------------------------- */

void ddr_header_clean(char *text) {
  for (; *text; text++) {
    const unsigned char byte = (unsigned char)*text;
    if (byte < ' ' || byte == 127) *text = '?';
  }
}

void ddr_header_say(char *text, size_t size, const char *format, va_list args) {
  vsnprintf(text, size, format, args);
  ddr_header_clean(text);
}

bool header_refuse(ddr_header_check *check, const char *format, ...) {
  va_list args;
  va_start(args, format);
  ddr_header_say(check->problem, sizeof check->problem, format, args);
  va_end(args);
  return false;
}

/* --- lines ------------------------------------------------------------------------------------ */

void header_skip_newline(FILE *file) {
  const int next = getc(file);
  if (next != EOF && next != '\n') ungetc(next, file);
}

/* False at the end of the file.  Teem does not see what follows a NUL, and of a last line without
 * an end it sees nothing or a part. */
static bool read_line(Header *header, bool *has_nul, bool *has_end) {
  long n = 0;
  int byte;
  *has_nul = false;
  while ((byte = getc(header->file)) != EOF && byte != '\n' && byte != '\r') {
    if (n < LINE_MOST) header->line[n] = (char)byte;
    if (byte == '\0') *has_nul = true;
    if (n < HEADER_MOST) n++;
  }
  if (byte == '\r') header_skip_newline(header->file);
  header->line[n < LINE_MOST ? n : LINE_MOST] = '\0';
  header->length = n;
  *has_end = byte != EOF;
  return byte != EOF || n > 0;
}

/* Said of the first line, which shows that a file has another format. */
static const char expected[] = " (expected nrrd, PNG, PNM, VTK, NIfTI, TIFF or plain text)";

bool header_next(Header *header, bool *is_good) {
  bool has_nul, has_end;
  const bool has_line = read_line(header, &has_nul, &has_end);
  *is_good = !ferror(header->file);
  if (!*is_good) return header_refuse(header->check, "%s", strerror(errno));
  if (!has_line) return false;
  header->number++;
  header->n_bytes += header->length;
  *is_good = false;
  if (has_nul || !has_end) {
    return header_refuse(header->check, "line %d of the header has %s%s", header->number,
                         has_nul ? "a NUL character" : "no end",
                         header->number == 1 ? expected : "");
  }
  if (header->n_bytes >= HEADER_MOST || header->number > LINES_MOST) {
    return header_refuse(header->check,
                         "the header is too long (expected at most %d lines, %d bytes)", LINES_MOST,
                         HEADER_MOST);
  }
  *is_good = true;
  return true;
}

bool header_is_quotable(Header *header) {
  if (header->length < LINE_MOST) return true;
  return header_refuse(header->check, "line %d of the header is too long (%ld characters)",
                       header->number, header->length);
}

bool header_is_printable(Header *header, const char *text) {
  bool has_some = *text == '\0';
  for (; *text && !has_some; text++) has_some = (*text >= ' ' && *text <= '~') || *text == '\t';
  if (has_some) return true;
  return header_refuse(header->check, "line %d of the header has no printable ASCII character",
                       header->number);
}

bool header_check_comment(Header *header) {
  if (header->length <= COMMENT_MOST)
    return header_is_printable(header, header->line + strspn(header->line, " #"));
  return header_refuse(header->check, "the comment in line %d of the header is too long",
                       header->number);
}

/* --- formats ---------------------------------------------------------------------------------- */

typedef struct {
  const char *magic; /* the whole first line */
  bool (*check)(Header *header);
} Format;

/* clang-format off */
static const Format formats[] = {
  {"NRRD00.01", header_check_nrrd},
  {"NRRD0001",  header_check_nrrd},
  {"NRRD0002",  header_check_nrrd},
  {"NRRD0003",  header_check_nrrd},
  {"NRRD0004",  header_check_nrrd},
  {"NRRD0005",  header_check_nrrd},
  {"NRRD0006",  header_check_nrrd},
  {"P2",        header_check_pnm},
  {"P3",        header_check_pnm},
  {"P5",        header_check_pnm},
  {"P6",        header_check_pnm},
  {"\211PNG",   header_check_png},
  {"# vtk DataFile Version 1.0", header_check_vtk},
  {"# vtk DataFile Version 2.0", header_check_vtk},
  {"# vtk DataFile Version 3.0", header_check_vtk},
};
/* clang-format on */

static bool check_format(Header *header) {
  for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
    if (strcmp(header->line, formats[k].magic) == 0) return formats[k].check(header);
  }
  const bool is_ascii = (unsigned char)header->line[0] < 128;
  if (!is_ascii) return header_refuse(header->check, "it does not begin with ASCII%s", expected);
  return header_check_text(header);
}

bool ddr_header_check_file(FILE *file, ddr_header_check *check) {
  Header header = {.file = file, .check = check};
  bool is_good = true;
  errno = 0;
  const bool has_line = header_next(&header, &is_good);
  if (is_good && !has_line) header_refuse(check, "the file is empty");
  if (has_line) is_good = check_format(&header);
  const bool is_read = !ferror(file) && fseek(file, 0, SEEK_SET) == 0;
  if (is_good && !is_read) return header_refuse(check, "%s", strerror(errno ? errno : EIO));
  return has_line && is_good;
}

/* Note [What Teem takes on trust].  Of the release that distributions have (1.12):
 *  - A line of a header is quoted in a message of 1025 bytes, whatever its length.
 *  - A word of data in the encoding ascii is read into 1025 bytes.
 *  - An array of 16 axes may name 17 sizes, spacings, ...; the last overwrites the stack.
 *  - The template of numbered data files is the format of an sprintf: %d may be followed by %s or
 * %n, and wide numbers do not fit the memory for names.  Files are counted by int, which overflows,
 *    and again for each of them.
 *  - An empty list of data files divides by zero; of an empty name the second character is read.
 *  - The data file "-" is standard input; FIFOs are waited for, and devices are opened.
 *  - zrl data that ends too early counts as complete, and beyond 4 GiB it is read for ever.
 *  - A negative skip within compressed data is a buffer of the wrong size away from the heap's end.
 *  - Lines may end in the middle, at a carriage return or a NUL, which hides what comes behind; of
 *    a last line without an end it depends on the lines before which part is seen.
 *  - Each number of the first line of a plain text is read as often as there are numbers.
 *  - Keys are compared in pairs: ten thousands of them take minutes.
 *  - Comments of nothing that can be printed are read before their beginning, and those of much of
 *    it take time by the square of their length, in PNG files, too.
 *  - The size of an axis of kind 3-gradient is a panic on stderr.
 *  - PNG files are decoded as a whole before anyone can look at their size.
 * Each is refused by a rule of this folder; tests/unit/header/check_test.c has one file for each.
 */
