/* program_gen.c: making expressions. Read next: program_gen.h, program_text.c. */
#include "tests/fuzz/program_gen.h"

#include <assert.h>
#include <string.h>

/* --- chance ----------------------------------------------------------------------------------- */

static uint32_t below(GenProgram *g, uint32_t n) {
  assert(n > 0);
  g->random = g->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(g->random >> 33) % n;
}

static bool chance(GenProgram *g, uint32_t percent) { return below(g, 100) < percent; }

static const char *positive(GenProgram *g) {
  return text_format(g->arena, "%g", 0.25 + (double)below(g, 12) / 8);
}

/* Not always exact in binary. */
static const char *number(GenProgram *g) {
  const double value = (double)below(g, 41) / 10 - 2;
  return text_format(g->arena, value < 0 ? "(%.1f)" : "%.1f", value);
}

static void add_constant(GenProgram *g, Text *out, const GenType *ty, uint32_t axis) {
  if (axis == GEN_MAX_AXES || axis == ty->n_axes) {
    text_add(out, number(g));
    return;
  }
  for (uint32_t i = 0; i < ty->axes[axis]; i++) {
    text_add(out, i == 0 ? "[" : ", ");
    add_constant(g, out, ty, axis + 1);
  }
  text_add(out, "]");
}

static const char *constant(GenProgram *g, const GenType *ty) {
  Text out = text_new(g->arena);
  add_constant(g, &out, ty, 0);
  return text_str(&out);
}

/* --- rules ------------------------------------------------------------------------------------ */

typedef enum { ANY, FIELD, NUMBER, DIFF, DIM1, DIM2, DIM3 } Needs;

typedef struct Rule {
  const char *shape, *kids, *form;
  Needs needs;
} Rule;

static const Rule rules[] = {
#define RULE(shape, kids, form, needs) {shape, kids, form, needs},
#include "tests/fuzz/program_rules.def"
};
enum { N_RULES = sizeof rules / sizeof *rules };

typedef struct Lengths { /* of the letters l m n; 0: free */
  uint32_t of[3];
} Lengths;

static uint32_t letter(char c) { return (uint32_t)(c - 'l'); }

/* Does the rule's shape fit? Binds letters. */
static bool match_shape(const char *pattern, const GenType *ty, Lengths *lengths) {
  if (strcmp(pattern, "S") == 0) return true;
  const uint32_t n = strcmp(pattern, "0") == 0 ? 0 : (uint32_t)strlen(pattern);
  if (n != ty->n_axes) return false;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t len = ty->axes[i];
    if (pattern[i] == 'd') {
      if (len != ty->dim || ty->dim == 1) return false;
    } else if (pattern[i] >= '2' && pattern[i] <= '9') {
      if (len != (uint32_t)(pattern[i] - '0')) return false;
    } else {
      uint32_t *bound = &lengths->of[letter(pattern[i])];
      if (*bound != 0 && *bound != len) return false;
      *bound = len;
    }
  }
  return true;
}

static bool is_differential(Needs needs) { return needs >= DIFF; }

static bool is_allowed(const Rule *rule, const GenType *ty) {
  if (rule->needs == ANY) return true;
  if (!ty->is_field) return rule->needs == NUMBER;
  if (rule->needs == NUMBER) return false;
  if (is_differential(rule->needs) && ty->continuity >= (ty->dim == 3 ? 2 : 3)) return false;
  if (rule->needs == DIFF) return ty->dim > 1;
  return rule->needs == FIELD || ty->dim == (uint32_t)(rule->needs - DIM1) + 1;
}

/* Type of the kid whose shape starts at *pattern; moves behind it. */
static GenType kid_type(GenProgram *g, const char **pattern, const GenType *parent,
                        Lengths *lengths) {
  GenType ty = *parent;
  if (**pattern == 'S') {
    ++*pattern;
  } else {
    ty.n_axes = 0;
    for (; **pattern != '\0' && **pattern != ' '; ++*pattern) {
      const char c = **pattern;
      if (c == '0') continue;
      uint32_t len = c == 'd' ? ty.dim : (uint32_t)(c - '0');
      if (c >= 'l' && c <= 'n') {
        uint32_t *bound = &lengths->of[letter(c)];
        if (*bound == 0) *bound = 2 + below(g, 2);
        len = *bound;
      }
      ty.axes[ty.n_axes++] = len;
    }
  }
  *pattern += **pattern == ' ';
  return ty;
}

/* The form with everything but the kids filled in. */
static const char *fill_form(GenProgram *g, const char *form, const GenType *ty,
                             const GenType *first_kid) {
  Text out = text_new(g->arena);
  for (; *form != '\0'; form++) {
    switch (*form) {
    case '#': text_add(&out, positive(g)); break;
    case 'T': text_add(&out, constant(g, ty)); break;
    case 'I': text_addf(&out, "%u", below(g, first_kid->axes[0])); break;
    case 'J': text_addf(&out, "%u", below(g, first_kid->axes[1])); break;
    case 'N': text_addf(&out, "%u", ty->axes[0]); break;
    default: text_add_n(&out, form, 1);
    }
  }
  return text_str(&out);
}

static GenNode *new_node(GenProgram *g, GenType ty, const char *form) {
  GenNode *node = NEW(g->arena, GenNode);
  node->ty = ty;
  node->form = form;
  return node;
}

static GenNode *expression(GenProgram *g, GenType ty, uint32_t depth);

static GenNode *apply_rule(GenProgram *g, const Rule *rule, GenType ty, Lengths lengths,
                           uint32_t depth) {
  GenType kids[GEN_KIDS] = {0};
  uint32_t n_kids = 0;
  GenType wanted = ty;
  if (is_differential(rule->needs)) wanted.continuity++;
  for (const char *pattern = rule->kids; *pattern != '\0';)
    kids[n_kids++] = kid_type(g, &pattern, &wanted, &lengths);
  GenNode *node = new_node(g, ty, fill_form(g, rule->form, &ty, &kids[0]));
  node->n_kids = n_kids;
  node->n_derivatives = is_differential(rule->needs);
  for (uint32_t i = 0; i < n_kids; i++)
    node->kids[i] = depth == 0 ? gen_leaf(g, kids[i]) : expression(g, kids[i], depth - 1);
  return node;
}

/* --- fields ----------------------------------------------------------------------------------- */

static GenDef *new_def(GenProgram *g, GenType ty) {
  GenDef *def = NEW(g->arena, GenDef);
  def->ty = ty;
  def->ty.is_field = true;
  def->name = text_format(g->arena, "F%u", g->defs.len);
  vec_push(g->arena, &g->defs, def);
  return def;
}

bool gen_same_shape(GenType a, GenType b) {
  return a.is_field == b.is_field && a.dim == b.dim && a.n_axes == b.n_axes &&
         memcmp(a.axes, b.axes, a.n_axes * sizeof *a.axes) == 0;
}

static long double eighths(GenProgram *g, int lo, int hi) {
  return (lo + (int)below(g, (uint32_t)(hi - lo + 1))) / 8.0L;
}

/* Axes permuted, mirrored, sheared; the middle of the grid near the origin; all exact in binary. */
static Grid random_grid(GenProgram *g, uint32_t dim) {
  Grid grid = {.dim = (int)dim};
  const uint32_t turn = below(g, 3);
  for (uint32_t axis = 0; axis < dim; axis++) {
    grid.size[axis] = 10 + (int)below(g, 5);
    for (uint32_t r = 0; r < dim; r++)
      grid.dir[axis][r] = (axis + turn) % dim == r ? eighths(g, 5, 8) * (chance(g, 30) ? -1 : 1)
                                                   : eighths(g, -1, 1);
  }
  for (uint32_t r = 0; r < dim; r++) {
    grid.origin[r] = eighths(g, -2, 2);
    for (uint32_t axis = 0; axis < dim; axis++)
      grid.origin[r] -= grid.dir[axis][r] * (grid.size[axis] - 1) / 2;
  }
  return grid;
}

/* Real samples of either size, or whole numbers in bytes. */
static uint32_t new_image(GenProgram *g, GenType ty) {
  static const char *const types[] = {"double", "signed char", "float"};
  const Grid grid = random_grid(g, ty.dim);
  int n_comp = 1;
  for (uint32_t i = 0; i < ty.n_axes; i++) n_comp *= (int)ty.axes[i];
  GenImage made = {ty, image_new(&grid, n_comp)};
  made.image.type = types[g->images.len % 3];
  const int scale = g->images.len % 3 == 1 ? 8 : 1;
  for (size_t k = 0; k < grid_count(&grid) * (size_t)n_comp; k++)
    made.image.samples[k] = scale * eighths(g, -16, 16);
  vec_push(g->arena, &g->images, made);
  return g->images.len - 1;
}

/* Shapes that files hold. */
static bool can_be_image(const GenType *ty) {
  return ty->n_axes <= 1 || (ty->n_axes == 2 && ty->axes[0] == ty->axes[1]);
}

typedef struct KernelClaim {
  const char *name;
  uint32_t continuity;
} KernelClaim;

static const KernelClaim kernels[] = {{"tent", 0},   {"c1tent", 1}, {"c2tent", 2}, {"ctmr", 1},
                                      {"c2ctmr", 2}, {"bspln3", 2}, {"bspln5", 4}, {"c4hexic", 4},
                                      {"bspln3", 2}, {"ctmr", 1},   {"c4hexic", 4}};
enum { N_KERNELS = sizeof kernels / sizeof *kernels };

static const char *const borders[] = {"A", "A", "A", "clamp(A)", "mirror(A)", "wrap(A)", "border"};
enum { N_BORDERS_MADE = sizeof borders / sizeof *borders };

static const KernelClaim *some_kernel(GenProgram *g, uint32_t least) {
  const KernelClaim *kernel = &kernels[below(g, N_KERNELS)];
  while (kernel->continuity < least) kernel = &kernels[below(g, N_KERNELS)];
  return kernel;
}

/* A kernel for each axis. */
static KernelClaim kernels_per_axis(GenProgram *g, const GenType *ty) {
  KernelClaim claim = {NULL, GEN_SMOOTH};
  Text name = text_new(g->arena);
  for (uint32_t axis = 0; axis < ty->dim; axis++) {
    const KernelClaim *kernel = some_kernel(g, ty->continuity);
    text_addf(&name, "%s%s", axis == 0 ? "KRNS(" : ", ", kernel->name);
    if (kernel->continuity < claim.continuity) claim.continuity = kernel->continuity;
  }
  text_add(&name, ")");
  claim.name = text_str(&name);
  return claim;
}

static GenDef *new_convolution(GenProgram *g, GenType ty) {
  uint32_t image = g->images.len;
  for (uint32_t i = 0; i < g->images.len && chance(g, 70); i++)
    if (gen_same_shape(g->images.data[i].ty, ty)) image = i;
  if (image == g->images.len) image = new_image(g, ty);
  const KernelClaim kernel =
      chance(g, 25) ? kernels_per_axis(g, &ty) : *some_kernel(g, ty.continuity);
  GenDef *def = new_def(g, ty);
  def->ty.continuity = kernel.continuity;
  def->kernel = kernel.name;
  def->image = image;
  def->border = borders[below(g, N_BORDERS_MADE)];
  if (strcmp(def->border, "border") == 0)
    def->border = text_format(g->arena, "border(A, %s)", constant(g, &ty));
  return def;
}

/* A field defined before; NULL if none fits. */
static GenDef *old_field(GenProgram *g, const GenType *ty) {
  const uint32_t start = g->defs.len > 0 ? below(g, g->defs.len) : 0;
  for (uint32_t i = 0; i < g->defs.len; i++) {
    GenDef *def = g->defs.data[(start + i) % g->defs.len];
    if (gen_same_shape(def->ty, *ty) && def->ty.continuity >= ty->continuity) return def;
  }
  return NULL;
}

static GenNode *field_name(GenProgram *g, GenType ty, const GenDef *def) {
  GenNode *node = new_node(g, ty, def->name);
  node->def = def;
  return node;
}

/* --- leaves ----------------------------------------------------------------------------------- */

static const Rule *outer_product(const GenType *ty) {
  for (uint32_t i = 0; i < N_RULES; i++)
    if (strcmp(rules[i].form, "(A ⊗ B)") == 0 && strlen(rules[i].shape) == ty->n_axes)
      return &rules[i];
  return NULL;
}

/* Without images: the position, as often as the shape needs. */
static GenNode *position_leaf(GenProgram *g, GenType ty) {
  if (ty.n_axes == 0)
    return new_node(g, ty, ty.dim == 1 ? "x" : text_format(g->arena, "x[%u]", below(g, ty.dim)));
  if (ty.n_axes == 1 && ty.dim == ty.axes[0]) return new_node(g, ty, "x");
  return new_node(g, ty, constant(g, &ty));
}

GenNode *gen_leaf(GenProgram *g, GenType ty) {
  if (!ty.is_field) return position_leaf(g, ty);
  GenDef *def = chance(g, 50) ? old_field(g, &ty) : NULL;
  if (!def && can_be_image(&ty)) def = new_convolution(g, ty);
  if (def) return field_name(g, ty, def);
  Lengths lengths = {{0}};
  const Rule *rule = outer_product(&ty);
  match_shape(rule->shape, &ty, &lengths);
  return apply_rule(g, rule, ty, lengths, 0);
}

/* --- compositions, probes within formulas, field functions ------------------------------------ */

static const char *const composed[4] = {NULL, "(A ∘ sin(B))", "(A ∘ [sin(B), cos(C)])",
                                        "(A ∘ [sin(B), cos(C), atan(D)])"};
static const char *const probed[4] = {NULL, "(A)(sin(B))", "(A)([sin(B), cos(C)])",
                                      "(A)([sin(B), cos(C), atan(D)])"};

/* F(G(x)), as fields or as numbers within a formula; G stays within the images. */
static GenNode *composition(GenProgram *g, GenType ty, uint32_t depth) {
  const uint32_t dim = 1 + below(g, 3);
  GenType outer = ty, inner = ty;
  outer.dim = dim;
  outer.is_field = true;
  inner.n_axes = 0;
  GenNode *node = new_node(g, ty, ty.is_field ? composed[dim] : probed[dim]);
  node->n_kids = dim + 1;
  node->kids[0] = expression(g, outer, depth - 1);
  for (uint32_t i = 1; i <= dim; i++) node->kids[i] = expression(g, inner, depth - 1);
  return node;
}

uint32_t gen_continuity(const GenNode *node) {
  uint32_t least = node->def ? node->def->ty.continuity : GEN_SMOOTH;
  for (uint32_t i = 0; i < node->n_kids; i++) {
    const uint32_t kid = gen_continuity(node->kids[i]);
    if (kid < least) least = kid;
  }
  return least == GEN_SMOOTH ? least : least - node->n_derivatives;
}

static GenNode *field_function(GenProgram *g, GenType ty, uint32_t depth) {
  GenType body_ty = ty;
  body_ty.is_field = false;
  GenNode *body = expression(g, body_ty, depth);
  GenDef *def = new_def(g, ty);
  def->body = body;
  def->is_formula = true;
  def->ty.continuity = gen_continuity(body);
  return field_name(g, ty, def);
}

static GenNode *expression(GenProgram *g, GenType ty, uint32_t depth) {
  if (depth == 0) return gen_leaf(g, ty);
  if (chance(g, 10)) return composition(g, ty, depth);
  if (ty.is_field && chance(g, 12)) return field_function(g, ty, depth);
  for (;;) {
    const Rule *rule = &rules[below(g, N_RULES)];
    Lengths lengths = {{0}};
    if (!is_allowed(rule, &ty) || !match_shape(rule->shape, &ty, &lengths)) continue;
    if (strcmp(rule->shape, "S") == 0 && chance(g, 40)) continue; /* they fit everywhere */
    return apply_rule(g, rule, ty, lengths, depth);
  }
}

/* --- programs --------------------------------------------------------------------------------- */

static GenNode *derivative(GenProgram *g, GenNode *field) {
  GenType ty = field->ty;
  const char *form = ty.n_axes == 0 ? "(∇(A))" : "(∇⊗(A))";
  if (ty.dim > 1) ty.axes[ty.n_axes++] = ty.dim;
  ty.continuity--;
  GenNode *node = new_node(g, ty, form);
  node->n_derivatives = node->n_kids = 1;
  node->kids[0] = field;
  return node;
}

/* A field of random shape, differentiated up to twice. */
static GenNode *output_field(GenProgram *g, uint32_t depth) {
  const uint32_t n_derivatives = below(g, 5) / 2, n_axes = below(g, 7) / 3;
  GenType ty = {.is_field = true, .dim = g->dim, .continuity = n_derivatives};
  ty.n_axes = n_axes + n_derivatives > GEN_MAX_AXES ? 1 : n_axes;
  for (uint32_t k = 0; k < ty.n_axes; k++) ty.axes[k] = 2 + below(g, 2);
  GenNode *body = expression(g, ty, 1 + below(g, depth));
  for (uint32_t k = 0; k < n_derivatives; k++) body = derivative(g, body);
  return body;
}

GenProgram *gen_program(Arena *arena, uint64_t seed, uint32_t depth) {
  GenProgram *g = NEW(arena, GenProgram);
  g->arena = arena;
  g->random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
  for (int i = 0; i < 4; i++) below(g, 2);
  g->dim = 1 + below(g, 3);
  g->is_far = chance(g, 25);
  const uint32_t n_outputs = 1 + below(g, GEN_MAX_OUTPUTS);
  for (uint32_t i = 0; i < n_outputs; i++) {
    GenNode *body = output_field(g, depth);
    GenDef *def = new_def(g, body->ty);
    def->body = body;
    def->ty.continuity = gen_continuity(body);
    g->outputs[g->n_outputs++] = (GenOutput){def, below(g, 9)};
  }
  return g;
}

void gen_free_images(GenProgram *g) {
  for (uint32_t i = 0; i < g->images.len; i++) image_free(&g->images.data[i].image);
}
