/* page.c: the profile as a self-contained HTML page: the source, with a bar beside each line. */
#include "local.h"

static const char head[] =
    "<meta name=\"viewport\" content=\"width=device-width\">\n"
    "<style>\n"
    "body { font: 14px/1.4 sans-serif; margin: 2em; color: #222; background: #fff }\n"
    "table { border-collapse: collapse }\n"
    "th { text-align: right; font-weight: normal; color: #666; padding: 0 0.6em }\n"
    "td { text-align: right; padding: 0 0.6em; white-space: pre; font-family: monospace }\n"
    "td.bar { width: 12em; text-align: left }\n"
    "td.bar div { background: #d9822b; height: 0.9em }\n"
    "td.text { text-align: left }\n"
    "tr.idle { color: #888 }\n"
    "</style>\n";

static void put_escaped(FILE *file, const char *text) {
  for (; *text; text++) {
    if (*text == '<') fputs("&lt;", file);
    else if (*text == '&') fputs("&amp;", file);
    else putc(*text, file);
  }
}

static void put_share(FILE *file, double share) {
  if (share < 0) fputs("<td>", file);
  else fprintf(file, "<td>%.1f%%", 100 * share);
}

static void put_count(FILE *file, uint64_t n) {
  if (n > 0) fprintf(file, "<td>%llu", (unsigned long long)n);
  else fputs("<td>", file);
}

/* Bars are relative to the line that takes longest. */
static void put_line(FILE *file, const ddr_profile_sums *sums, uint32_t line, double longest) {
  const ddr_profile_line *of = &sums->lines[line];
  const double time = ddr_profile_time(sums, line);
  const bool has_time = of->n_samples > 0;
  fprintf(file, "<tr%s>", of->n_runs == 0 && !has_time ? " class=\"idle\"" : "");
  put_share(file, has_time ? time : -1);
  fputs("<td class=\"bar\">", file);
  if (has_time) fprintf(file, "<div style=\"width: %.1f%%\"></div>", 100 * time / longest);
  put_count(file, of->n_strands);
  put_share(file, ddr_profile_lanes(sums, line));
  put_count(file, of->n_probes);
  put_share(file, ddr_profile_outside(sums, line));
  if (line > 0) fprintf(file, "<td>%u<td class=\"text\">", (unsigned)line);
  else fputs("<td><td class=\"text\">", file);
  put_escaped(file, line > 0 ? sums->program->profile->text[line - 1] : "(runtime, files)");
  fputs("</tr>\n", file);
}

static double longest_of(const ddr_profile_sums *sums) {
  double longest = 0;
  for (uint32_t line = 0; line <= sums->program->profile->n_lines; line++) {
    const double time = ddr_profile_time(sums, line);
    if (time > longest) longest = time;
  }
  return longest;
}

void ddr_profile_write_page(FILE *file, const ddr_profile_sums *sums) {
  const double longest = longest_of(sums);
  fputs("<!doctype html>\n<meta charset=\"utf-8\">\n<title>", file);
  put_escaped(file, sums->program->name);
  fprintf(file, ": profile</title>\n%s<p>", head);
  for (int k = 0; k < PHASE_COUNT; k++)
    fprintf(file, "%s%s %.3f s", k > 0 ? ", " : "", ddr_profile_phase_names[k], sums->seconds[k]);
  fputs(" of processor time</p>\n<table>\n<tr><th>time<th><th>runs<th>lanes<th>probes<th>outside"
        "<th>line<th></tr>\n",
        file);
  for (uint32_t line = 1; line <= sums->program->profile->n_lines; line++)
    put_line(file, sums, line, longest);
  put_line(file, sums, 0, longest);
  fputs("</table>\n", file);
}
