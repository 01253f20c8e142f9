/* header_nrrd.c: the fields of a nrrd.  Read next: data_files.c. */
#include <stdlib.h>
#include <string.h>
#include <teem/nrrd.h>

#include "runtime/header/header_local.h"

static const char blanks[] = " \t";

/* --- one field -------------------------------------------------------------------------------- */

/* Returns nrrdField_...; *value is the text behind it, except for comments and key/value pairs. */
static int field_of(const char *line, const char **value) {
  if (line[0] == '#') return nrrdField_comment;
  const char *colon = strstr(line, ": ");
  if (colon) {
    char name[LINE_MOST + 1] = {0};
    memcpy(name, line, (size_t)(colon - line));
    const int field = airEnumVal(nrrdField, name);
    *value = colon + 2 + strspn(colon + 2, blanks);
    if (field != nrrdField_unknown) return field;
  }
  return strstr(line, ":=") ? nrrdField_keyvalue : nrrdField_unknown;
}

static bool is_per_axis(int field) {
  return field == nrrdField_sizes || field == nrrdField_spacings ||
         field == nrrdField_thicknesses || field == nrrdField_axis_mins ||
         field == nrrdField_axis_maxs;
}

/* Teem counts them after it has stored one too many. */
static bool check_axes(Header *header, int field, const char *value) {
  int n = 0;
  for (const char *at = value + strspn(value, blanks); *at; n++) {
    const size_t length = strcspn(at, blanks);
    if (field == nrrdField_sizes && strspn(at, "0123456789") > 18) {
      return header_refuse(header->check, "its size %.*s is beyond any memory", (int)length, at);
    }
    if (field == nrrdField_sizes && strspn(at, "+0123456789") == 0) {
      const char *expected = "expected a whole number above 0";
      return header_refuse(header->check, "one of its sizes is %.*s (%s)", (int)length, at,
                           expected);
    }
    at += length;
    at += strspn(at, blanks);
  }
  if (n <= NRRD_DIM_MAX) return true;
  return header_refuse(header->check, "line %d of the header has %d values, expected at most %d",
                       header->number, n, NRRD_DIM_MAX);
}

/* --- data files ------------------------------------------------------------------------------- */

/* The first conversion of a template, if it is that of an int; Teem takes the name for one then. */
static const char *find_number(const char *text) {
  for (; (text = strchr(text, '%')) != NULL; text += 2) {
    if (text[1] == '\0') return NULL;
    if (text[1] == '%') continue;
    return text[1 + strspn(text + 1, "0123456789")] == 'd' ? text : NULL;
  }
  return NULL;
}

bool ddr_header_can_name(const char *name) { return !strpbrk(name, "\r\n") && !find_number(name); }

typedef struct {
  char name[LINE_MOST + 1]; /* with its conversion */
  long long first, last, step;
} Numbered;

static bool has_one_conversion(const char *name, const char *number) {
  const char *behind = number + 1 + strspn(number + 1, "0123456789") + 1;
  for (const char *at = behind; (at = strchr(at, '%')) != NULL; at += 2) {
    if (at[1] != '%') return false;
  }
  return behind - number <= 4 && atoi(number + 1) <= 10 && name[0] != '\0';
}

/* NAME FIRST LAST STEP [DIMENSION], numbers that fit an int and stay there. */
static bool parse_numbered(const char *value, Numbered *files) {
  const size_t n = strcspn(value, blanks);
  long long *numbers[] = {&files->first, &files->last, &files->step};
  memcpy(files->name, value, n);
  files->name[n] = '\0';
  const char *number = find_number(files->name);
  if (!number || !has_one_conversion(files->name, number)) return false;
  const char *at = value + n;
  for (int k = 0; k < 3; k++) {
    char *end;
    *numbers[k] = strtoll(at, &end, 10);
    if (end == at || *numbers[k] > 1000000000 || *numbers[k] < -1000000000) return false;
    at = end;
  }
  const long long reach = files->last - files->first;
  return files->step != 0 && reach / files->step >= 0 && reach / files->step < LINES_MOST &&
         reach * files->step >= 0 && reach * files->step <= INT32_MAX;
}

void ddr_header_number_name(const char *template, int number, char *name, size_t size) {
  const char *conversion = find_number(template), *behind = strchr(conversion, 'd') + 1;
  const int width = atoi(conversion + 1), n_before = (int)(conversion - template);
  char spelled[32];
  snprintf(spelled, sizeof spelled, conversion[1] == '0' ? "%0*d" : "%*d", width, number);
  snprintf(name, size, "%.*s%s%s", n_before, template, spelled, behind);
  for (char *at = name; (at = strstr(at, "%%")) != NULL; at++) memmove(at, at + 1, strlen(at));
}

static bool check_numbered(Header *header, const char *value, bool is_ascii) {
  Numbered files;
  if (!parse_numbered(value, &files)) {
    return header_refuse(header->check,
                         "its data files are \"%.200s\" (expected a name with %%d, and first, last "
                         "and step of at most %d files)",
                         value, LINES_MOST);
  }
  const long long n = (files.last - files.first) / files.step + 1;
  for (long long k = 0; k < n; k++) {
    char name[LINE_MOST + 64];
    ddr_header_number_name(files.name, (int)(files.first + k * files.step), name, sizeof name);
    if (!header_check_data_file(header->check, name, is_ascii)) return false;
  }
  return true;
}

/* The lines up to the end of the file, which Teem reads as a list of data files. */
static bool check_list(Header *header, bool has_skips, bool is_ascii) {
  bool is_good = true;
  int n = 0;
  for (; header_next(header, &is_good); n++) {
    if (!header_is_quotable(header)) return false;
    const char *space = has_skips ? strchr(header->line, ' ') : NULL;
    const char *name = has_skips ? (space ? space + 1 : "") : header->line;
    if (!header_check_data_file(header->check, name, is_ascii)) return false;
  }
  if (is_good && n == 0) return header_refuse(header->check, "its list of data files is empty");
  return is_good;
}

static bool starts(const char *value, const char *word) {
  return strncmp(value, word, strlen(word)) == 0;
}

static bool is_list(const char *value) {
  return !find_number(value) && (starts(value, "LIST") || starts(value, "SKIPLIST"));
}

static bool check_data_files(Header *header, const char *value, bool is_ascii) {
  if (find_number(value)) return check_numbered(header, value, is_ascii);
  return header_check_data_file(header->check, value, is_ascii);
}

/* --- all of them ------------------------------------------------------------------------------ */

typedef struct {
  int encoding; /* as Teem numbers them */
  long long byte_skip;
  bool has_data_file;
  char data_file[LINE_MOST + 1];
} Said;

/* Teem prints a panic for one kind, in any case of letters; no kind has more of them than fit. */
static bool check_kinds(Header *header, const char *value) {
  char word[40];
  for (const char *at = value + strspn(value, blanks); *at; at += strspn(at, blanks)) {
    const size_t length = strcspn(at, blanks);
    snprintf(word, sizeof word, "%.*s", (int)length, at);
    at += length;
    if (length < sizeof word && airEnumVal(nrrdKind, word) == nrrdKind3Gradient)
      return header_refuse(header->check,
                           "it has an axis of kind 3-gradient, which is not a tensor kind "
                           "(expected 3-vector)");
  }
  return true;
}

static bool take_field(Header *header, int field, const char *value, Said *said) {
  if (is_per_axis(field)) return check_axes(header, field, value);
  if (field == nrrdField_kinds) return check_kinds(header, value);
  if (field == nrrdField_encoding) said->encoding = airEnumVal(nrrdEncodingType, value);
  if (field == nrrdField_byte_skip) said->byte_skip = strtoll(value, NULL, 10);
  if (field == nrrdField_data_file) {
    said->has_data_file = true;
    memcpy(said->data_file, value, strlen(value) + 1);
  }
  return true;
}

static bool check_encoding(Header *header, const Said *said) {
  const bool is_compressed =
      said->encoding == nrrdEncodingTypeGzip || said->encoding == nrrdEncodingTypeBzip2;
  if (said->encoding == nrrdEncodingTypeZRL) {
    return header_refuse(header->check,
                         "its encoding is zrl (expected raw, ascii, hex, gzip or bzip2)");
  }
  if (!is_compressed || said->byte_skip >= 0) return true;
  return header_refuse(header->check,
                       "its byte skip is %lld (expected at least 0 in compressed data)",
                       said->byte_skip);
}

bool header_check_nrrd(Header *header) {
  Said said = {.encoding = nrrdEncodingTypeUnknown};
  bool is_good = true;
  while (header_next(header, &is_good) && header->length > 0) {
    const char *value = "";
    const int field = field_of(header->line, &value);
    if (field == nrrdField_comment && !header_check_comment(header)) return false;
    if (field == nrrdField_comment || field == nrrdField_keyvalue) continue;
    if (!header_is_quotable(header) || !header_is_printable(header, value) ||
        !take_field(header, field, value, &said))
      return false;
    if (field == nrrdField_data_file && is_list(value)) break;
  }
  if (!is_good || !check_encoding(header, &said)) return false;
  const bool is_ascii = said.encoding == nrrdEncodingTypeAscii;
  if (said.has_data_file && is_list(said.data_file)) {
    return check_list(header, starts(said.data_file, "SKIPLIST"), is_ascii);
  }
  if (said.has_data_file) return check_data_files(header, said.data_file, is_ascii);
  return !is_ascii || header_check_words(header->file, header->check);
}
