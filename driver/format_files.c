/* Format: files in the one style, each replaced as a whole or left as it is. `-` is standard input,
 * whose formatted text goes to standard output, as editors want it.
 */
#include <errno.h>
#include <string.h>

#include "driver/commands.h"
#include "frontend/base/diag.h"
#include "frontend/base/file.h"
#include "frontend/base/text.h"
#include "frontend/format/format.h"

typedef enum { WISH_REPLACE, WISH_CHECK, WISH_PRINT } Wish;

static int usage(const char *what, const char *found) {
  return command_usage("format", what, found);
}

static int failed(const char *file, const char *why) {
  fprintf(stderr, "[%s] Error: %s\n", file, why);
  return 1;
}

static const char *read_input(Cx *cx, bool is_stdin, const char *file) {
  const char *error = NULL;
  cx->file = is_stdin ? "<stdin>" : file;
  cx->source = source_read(cx->arena, is_stdin ? "/dev/stdin" : file, &error);
  if (cx->source && is_stdin)
    cx->source = source_from_text(cx->arena, cx->file, cx->source->text, cx->source->len);
  if (!cx->source) diag(cx, SPAN_NONE, E_SOURCE_UNREADABLE, d_text(file), d_text(error));
  return error;
}

static int give(Cx *cx, const char *text) {
  const bool is_out = fputs(text, stdout) >= 0 && fflush(stdout) == 0;
  return is_out ? 0 : failed(cx->file, strerror(errno));
}

static int put(Cx *cx, const char *file, const char *text, Wish wish) {
  const size_t len = strlen(text);
  if (len == cx->source->len && memcmp(text, cx->source->text, len) == 0) return 0;
  if (wish == WISH_CHECK) return failed(file, "not formatted; run diderotc format");
  const char *error = file_rewrite(cx->arena, file, text);
  return error ? failed(file, error) : 0;
}

static int format_file(const char *file, Wish wish) {
  const bool is_stdin = strcmp(file, "-") == 0;
  Cx *cx = cx_new();
  diag_set_policy(cx, DIAG_COUNT, WARN_NEVER);
  int status = 1;
  const char *text = read_input(cx, is_stdin, file) ? NULL : format(cx);
  if (!text) diag_print_all(cx, stderr, DIAG_FULL);
  else if (wish == WISH_PRINT || (is_stdin && wish == WISH_REPLACE)) status = give(cx, text);
  else status = put(cx, cx->file, text, wish);
  cx_free(cx);
  return status;
}

int format_main(char **args) {
  Wish wish = WISH_REPLACE;
  int status = 0;
  for (; *args && strncmp(*args, "--", 2) == 0; args++) {
    const bool is_end = strcmp(*args, "--") == 0;
    if (strcmp(*args, "--check") == 0) wish = WISH_CHECK;
    else if (strcmp(*args, "--print") == 0) wish = WISH_PRINT;
    else if (!is_end) return usage("unknown option ", *args);
    if (is_end && *++args) break;
    if (is_end) return usage("missing file argument", "");
  }
  if (!*args) return usage("missing file argument", "");
  for (; *args; args++) status |= format_file(*args, wish);
  return status;
}
