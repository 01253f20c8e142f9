/* Report: see report.h. */
#include "driver/report.h"

#include <errno.h>
#include <string.h>

#include "driver/compile.h"
#include "frontend/base/diag_document.h"
#include "frontend/base/process.h"
#include "frontend/base/text.h"

enum { EXIT_MISTAKE = 1, EXIT_BUG = 70, STATUS_SIGNAL = 128 };

typedef struct Job {
  const Options *options;
  const Target *target;
} Job;

static int compile_job(void *state) {
  const Job *job = state;
  return compile(job->options, job->target);
}

/* Adds the reason why the compiler stopped at the file, as a message of that file. */
static void add_stopped(Arena *a, const char *file, const char *why, DiagDocument *document) {
  const char *before = document->failed_lines ? document->failed_lines : "";
  Cx *cx = cx_new();
  cx->file = file;
  if (!style_is_document(document->style)) cx->source = source_from_text(cx->arena, file, "", 0);
  diag(cx, SPAN_NONE, E_STOPPED, d_text(why));
  if (style_is_document(document->style))
    document->failed_lines = text_format(a, "%s%s", before, diag_lines(cx, document->style));
  else diag_print_all(cx, stderr, document->style);
  cx_free(cx);
}

static const char *why_stopped(Arena *a, int status) {
  if (status > STATUS_SIGNAL)
    return text_format(a, "%s (signal %d)", strsignal(status - STATUS_SIGNAL),
                       status - STATUS_SIGNAL);
  return text_format(a, "it ended with status %d", status);
}

/* NULL when the lines of the file tell its status: 0, or 1 with errors. Text has told of panics. */
static const char *failure_of(Arena *a, DiagStyle style, int status, const char *lines) {
  const bool is_told = style_is_document(style) ? status == 0 || (status == EXIT_MISTAKE && *lines)
                                                : status <= STATUS_SIGNAL;
  return is_told ? NULL : why_stopped(a, status);
}

static int compile_file(Arena *a, const Job *all, const char *file, DiagDocument *document) {
  Options options = *all->options;
  options.file = file;
  Job job = {&options, all->target};
  const char *output = "";
  int status = EXIT_BUG;
  const char *why = process_fork(a, compile_job, &job, &output, &status);
  if (!why) why = failure_of(a, document->style, status, output);
  if (why) add_stopped(a, file, why, document);
  else if (style_is_document(document->style)) vec_push(a, &document->lines, output);
  else fputs(output, stdout);
  return status > EXIT_MISTAKE ? EXIT_BUG : status;
}

/* The document, all of it or a complaint. */
static int print_document(Arena *a, const DiagDocument *document) {
  const bool is_written = fputs(diag_document(a, document), stdout) >= 0 && fflush(stdout) == 0;
  if (is_written) return document->status;
  fprintf(stderr, "Error: the messages are lost: %s\n", strerror(errno));
  return document->status > EXIT_MISTAKE ? document->status : EXIT_MISTAKE;
}

int report_compile(const Options *options, const Target *target) {
  Arena *a = arena_new();
  const Job job = {options, target};
  DiagDocument document = {.style = options_style(options), .version = DDR_VERSION};
  for (uint32_t i = 0; i < options->files.len; i++) {
    const char *file = options->files.data[i];
    const int status = compile_file(a, &job, file, &document);
    vec_push(a, &document.files, file);
    if (status > document.status) document.status = status;
  }
  const int status =
      style_is_document(document.style) ? print_document(a, &document) : document.status;
  arena_free(a);
  return status;
}

int report_usage(const Options *options, const Cx *cx) {
  Arena *a = arena_new();
  const DiagStyle style = options_style(options);
  const DiagDocument document = {.style = style,
                                 .version = DDR_VERSION,
                                 .status = EXIT_MISTAKE,
                                 .usage_lines = diag_lines(cx, style)};
  const int status = print_document(a, &document);
  arena_free(a);
  return status;
}
