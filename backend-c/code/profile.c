/* profile: marks that a program compiled with --profile sets as it runs (ddr/profile.h): one for
 * each change of the source line, and the tables that map marks to lines.
 */
#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

/* Work before the first line of a function belongs to no other line. */
void gen_profile_function(Gen *gen) {
  if (gen->options->is_profiled) gen->em.line = 0;
}

void gen_source(Gen *gen, Span span) {
  if (!em_source(&gen->em, span) || !gen->options->is_profiled) return;
  vec_push(gen->cx->arena, &gen->marks, gen->em.line);
  em_expr(&gen->em, c_call2(gen->cx, "ddr_profile_mark", c_int(gen->cx, gen->marks.len),
                            gen->how->n_on(gen)));
}

void gen_profile_line(Gen *gen, Span span) {
  if (gen->options->is_profiled) gen_source(gen, span);
}

void gen_count_probe(Gen *gen, CExpr *n_inside) {
  em_expr(&gen->em, c_call2(gen->cx, "ddr_profile_probe", gen->how->n_on(gen), n_inside));
}

CExpr *gen_one_on(Gen *gen) { return c_int(gen->cx, 1); }

static void gen_lines(Gen *gen) {
  CExprVec lines = {0};
  c_push(gen->cx, &lines, c_int(gen->cx, 0)); /* mark 0: everything else */
  for (uint32_t i = 0; i < gen->marks.len; i++)
    c_push(gen->cx, &lines, c_int(gen->cx, gen->marks.data[i]));
  em_blank(&gen->em);
  em_declare_list(&gen->em, "static const uint32_t", "profile_lines", lines);
}

void gen_profile(Gen *gen) {
  Cx *cx = gen->cx;
  if (!gen->options->is_profiled) return;
  gen_lines(gen);
  const uint32_t n_lines = gen_source_text(gen, "profile_text");
  em_blank(&gen->em);
  em_open_record(&gen->em, "static const ddr_profile", "profile");
  em_member(&gen->em, "n_marks", c_int(cx, (int64_t)gen->marks.len + 1));
  em_member(&gen->em, "lines", name(gen, "profile_lines"));
  em_member(&gen->em, "n_lines", c_int(cx, n_lines));
  em_member(&gen->em, "text", name(gen, "profile_text"));
  const bool is_in_lanes = gen->update_how && gen->update_how->update;
  em_member(&gen->em, "n_lanes", is_in_lanes ? name(gen, "DDR_LANES") : c_int(cx, 1));
  em_close_table(&gen->em);
}
