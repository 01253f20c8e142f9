/* program_text.c: programs written down. Read next: program_gen.h. */
#include <assert.h>
#include <string.h>

#include "tests/fuzz/program_gen.h"

/* --- what is needed --------------------------------------------------------------------------- */

static bool names(const GenNode *node, const GenDef *def) {
  if (node->def == def) return true;
  for (uint32_t i = 0; i < node->n_kids; i++)
    if (names(node->kids[i], def)) return true;
  return false;
}

/* Definitions name only those before them. */
static bool is_needed(const GenProgram *g, uint32_t which) {
  const GenDef *def = g->defs.data[which];
  for (uint32_t i = 0; i < g->n_outputs; i++)
    if (g->outputs[i].def == def) return true;
  for (uint32_t i = which + 1; i < g->defs.len; i++)
    if (g->defs.data[i]->body && names(g->defs.data[i]->body, def) && is_needed(g, i)) return true;
  return false;
}

bool gen_uses_image(const GenProgram *g, uint32_t image) {
  for (uint32_t i = 0; i < g->defs.len; i++)
    if (!g->defs.data[i]->body && g->defs.data[i]->image == image && is_needed(g, i)) return true;
  return false;
}

/* --- pieces ----------------------------------------------------------------------------------- */

static void add_shape(Text *out, const GenType *ty) {
  text_add(out, "[");
  for (uint32_t i = 0; i < ty->n_axes; i++) text_addf(out, i > 0 ? ",%u" : "%u", ty->axes[i]);
  text_add(out, "]");
}

static void add_tensor_type(Text *out, const GenType *ty) {
  text_add(out, ty->n_axes == 0 ? "real" : "tensor");
  if (ty->n_axes > 0) add_shape(out, ty);
}

static void add_position_type(Text *out, uint32_t dim) {
  if (dim == 1) text_add(out, "real");
  else text_addf(out, "vec%u", dim);
}

static void add_field_type(Text *out, const GenType *ty) {
  text_add(out, "field");
  if (ty->continuity < GEN_SMOOTH) text_addf(out, "#%u", ty->continuity);
  text_addf(out, "(%u)", ty->dim);
  add_shape(out, ty);
}

static void add_node(Text *out, const GenNode *node) {
  if (node->n_kids == 0) {
    text_add(out, node->form);
    return;
  }
  for (const char *c = node->form; *c != '\0'; c++) {
    if (*c >= 'A' && *c < 'A' + GEN_KIDS) add_node(out, node->kids[*c - 'A']);
    else text_add_n(out, c, 1);
  }
}

static void add_convolution(Text *out, const GenDef *def) {
  const bool is_kernel_first = def->image % 2 == 1;
  if (is_kernel_first) text_addf(out, "%s ⊛ ", def->kernel);
  for (const char *c = def->border; *c != '\0'; c++) {
    if (*c == 'A') text_addf(out, "img%u", def->image);
    else text_add_n(out, c, 1);
  }
  if (!is_kernel_first) text_addf(out, " ⊛ %s", def->kernel);
}

static void add_def(Text *out, const GenDef *def) {
  add_field_type(out, &def->ty);
  text_addf(out, " %s%s = ", def->name, def->is_formula ? "(x)" : "");
  if (def->body) add_node(out, def->body);
  else add_convolution(out, def);
  text_add(out, ";\n");
}

/* --- strands ---------------------------------------------------------------------------------- */

/* Output k as a zero of its type. */
static void add_output(Text *out, const GenOutput *output, uint32_t k) {
  const GenType *ty = &output->def->ty;
  text_add(out, "  output ");
  add_tensor_type(out, ty);
  text_addf(out, " r%u = ", k);
  if (ty->n_axes == 0) text_add(out, "0");
  else text_add(out, "zeros");
  if (ty->n_axes > 0) add_shape(out, ty);
  text_addf(out, ";\n  output bool in%u = false;\n", k);
}

/* Ways to probe field E into r: at once, guarded, with its gradient, in a loop, through a local
 * field, through a function, also at a place that is the same for all strands, as one field of
 * several. */
static void add_probe(Text *out, const GenOutput *output, uint32_t k) {
  const GenType *ty = &output->def->ty;
  const char *name = output->def->name;
  text_addf(out, "    in%u = inside(p, %s);\n", k, name);
  switch (output->style) {
  case 1:
    text_addf(out, "    if (in%u) { r%u = %s(p); } else { r%u = -%s(p); }\n", k, k, name, k, name);
    return;
  case 2:
    text_addf(out, "    r%u = %s(p);\n", k, name);
    if (ty->continuity > 0 && ty->n_axes == 0) text_addf(out, "    r%u += |∇%s(p)|;\n", k, name);
    return;
  case 3: text_addf(out, "    foreach (int j in 0..2) { r%u += %s(p + j*by); }\n", k, name); return;
  case 4:
    text_add(out, "    ");
    add_field_type(out, ty);
    text_addf(out, " G%u = scale*%s;\n    r%u = G%u(p) + %s(p);\n", k, name, k, k, name);
    return;
  case 5: text_addf(out, "    r%u = probe%u(%s, p);\n", k, k, name); return;
  case 6: text_addf(out, "    r%u = %s(p) + %s(here);\n", k, name, name); return;
  case 7:
    text_addf(out, "    foreach (int j in 0..2) { r%u += j*%s(p) - %s(here); }\n", k, name, name);
    return;
  case 8:
    text_addf(out, "    in%u = inside(p, pick%u(i, scale));\n", k, k);
    text_addf(out, "    r%u = pick%u(i, scale)(p);\n", k, k);
    return;
  default: text_addf(out, "    r%u = %s(p);\n", k, name);
  }
}

/* Another field for each strand. */
static void add_pick(Text *out, const GenOutput *output, uint32_t k) {
  const char *name = output->def->name;
  text_add(out, "function ");
  add_field_type(out, &output->def->ty);
  text_addf(out,
            " pick%u (int i, real scale) {\n"
            "  if (i == 0) return scale*%s;\n"
            "  foreach (int j in 0..2) {\n"
            "    if (i == j) return %s - j*%s;\n"
            "  }\n"
            "  return %s;\n"
            "}\n",
            k, name, name, name, name);
}

static void add_function(Text *out, const GenOutput *output, uint32_t k) {
  if (output->style == 8) add_pick(out, output, k);
  if (output->style != 5) return;
  text_add(out, "function ");
  add_tensor_type(out, &output->def->ty);
  text_addf(out, " probe%u (", k);
  add_field_type(out, &output->def->ty);
  text_add(out, " F, ");
  add_position_type(out, output->def->ty.dim);
  text_add(out, " at) = 2*F(at) - F(0.5*at);\n");
}

static void add_vector(Text *out, uint32_t dim, const char *const coords[3]) {
  assert(dim <= 3);
  text_add(out, dim > 1 ? "[" : "");
  for (uint32_t i = 0; i < dim; i++) text_addf(out, "%s%s", i > 0 ? ", " : "", coords[i]);
  text_add(out, dim > 1 ? "]" : "");
}

static void add_place(Text *out, uint32_t dim, const char *name, const char *const coords[3]) {
  text_add(out, "  ");
  add_position_type(out, dim);
  text_addf(out, " %s = ", name);
  add_vector(out, dim, coords);
  text_add(out, ";\n");
}

/* A global that is no constant. */
static void add_here(Text *out, const GenProgram *g) {
  static const char *const coords[3] = {"0.39*one", "-0.21*one", "0.57"};
  text_add(out, "real one = 1.0;\n");
  add_position_type(out, g->dim);
  text_add(out, " here = ");
  add_vector(out, g->dim, coords);
  text_add(out, ";\n");
}

static void add_strand(Text *out, const GenProgram *g) {
  static const char *const from[3] = {"-0.57", "0.83", "-0.29"};
  static const char *const by[3] = {"0.71", "-0.43", "0.37"};
  static const char *const far[3] = {"3.71", "-4.43", "2.37"};
  text_add(out, "strand s (int i) {\n");
  add_place(out, g->dim, "from", from);
  add_place(out, g->dim, "by", g->is_far ? far : by);
  text_add(out, "  ");
  add_position_type(out, g->dim);
  text_add(out, " p = from + i*by;\n  real scale = 0.75 + i;\n");
  for (uint32_t k = 0; k < g->n_outputs; k++) add_output(out, &g->outputs[k], k);
  text_add(out, "  update {\n");
  for (uint32_t k = 0; k < g->n_outputs; k++) add_probe(out, &g->outputs[k], k);
  text_addf(out, "    stabilize;\n  }\n}\ncreate_array { s(i) | i in 0..%d }\n", GEN_STRANDS - 1);
}

const char *gen_text(const GenProgram *g) {
  Text out = text_new(g->arena);
  text_add(&out, "#version 2.0\n");
  for (uint32_t i = 0; i < g->images.len; i++) {
    if (!gen_uses_image(g, i)) continue;
    text_addf(&out, "input image(%u)", g->images.data[i].ty.dim);
    add_shape(&out, &g->images.data[i].ty);
    text_addf(&out, " img%u = load_image(\"img%u.nrrd\");\n", i, i);
  }
  for (uint32_t i = 0; i < g->defs.len; i++)
    if (is_needed(g, i)) add_def(&out, g->defs.data[i]);
  for (uint32_t k = 0; k < g->n_outputs; k++) add_function(&out, &g->outputs[k], k);
  add_here(&out, g);
  add_strand(&out, g);
  return text_str(&out);
}
