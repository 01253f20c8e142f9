/* arguments: kernels get the globals and images as arguments. Arguments lie in the device's
 * constant memory: an instruction reads its operands there, so they need neither a load nor a
 * register.
 *
 *   struct arguments {
 *     struct globals globals;
 *     ddr_image images[1];
 *   };
 *
 * If that struct is too large for an argument, kernels get a pointer to the globals instead.
 */
#include "backend-cuda/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Upper bounds in bytes: of a ddr_seq, and of any other component. */
enum { SEQUENCE_BYTES = 32, OTHER_BYTES = 8 };

/* An upper bound of the bytes of a global; for long sequences just more than DEVICE_MOST_BYTES. */
static uint64_t bytes_of(const Type *ty) {
  uint64_t n = 1;
  for (; type_is_fixed_seq(ty) && n <= DEVICE_MOST_BYTES; ty = type_elem(ty)) n *= type_seq_len(ty);
  if (type_is(ty, TY_IMAGE)) return n * (OTHER_BYTES + DEVICE_IMAGE_BYTES);
  if (type_is_dynamic_seq(ty)) return n * SEQUENCE_BYTES;
  return n * tree_component_count(ty) * OTHER_BYTES;
}

static bool has_arguments(const Gen *gen) {
  const Module *m = gen->program->module;
  uint64_t n = 0;
  for (uint32_t i = 0; i < m->globals.len && n <= DEVICE_MOST_BYTES; i++)
    n += bytes_of(m->globals.data[i].ty);
  return n > 0 && n <= DEVICE_MOST_BYTES;
}

/* ---- the struct ------------------------------------------------------------------------------ */

/* How many of the first n globals are images. */
static uint32_t count_images(const Gen *gen, uint32_t n) {
  uint32_t n_images = 0;
  for (uint32_t i = 0; i < n; i++)
    n_images += type_is(gen->program->module->globals.data[i].ty, TY_IMAGE);
  return n_images;
}

void device_gen_arguments(Gen *gen) {
  if (!has_arguments(gen)) return;
  const uint32_t n_images = count_images(gen, gen->program->module->globals.len);
  em_blank(&gen->em);
  em_open_struct(&gen->em, "arguments");
  em_field(&gen->em, "struct globals", "globals", 1);
  if (n_images > 0) em_field_array(&gen->em, "ddr_image", "images", n_images);
  em_close_struct(&gen->em);
}

void device_describe_arguments(Gen *gen) {
  Cx *cx = gen->cx;
  if (!has_arguments(gen)) return;
  CExpr *type = name(gen, "struct arguments");
  em_member(&gen->em, "arguments_size", c_call1(cx, "sizeof", type));
  if (count_images(gen, gen->program->module->globals.len) > 0)
    em_member(&gen->em, "images_at", c_call2(cx, "offsetof", type, name(gen, "images")));
}

/* ---- in kernels ------------------------------------------------------------------------------ */

void device_globals_param(Gen *gen, CFunc *head) {
  const char *type = gen_has_globals(gen) ? "struct globals" : "void";
  if (has_arguments(gen)) em_param(gen->cx, head, "DDR_ARGUMENT struct arguments", "arguments");
  else
    em_param(gen->cx, head, text_format(gen->cx->arena, "const %s *DDR_RESTRICT", type), "globals");
}

void device_declare_globals(Gen *gen, uint32_t needs) {
  Cx *cx = gen->cx;
  const bool is_argument = has_arguments(gen);
  if (!(needs & NEED_GLOBALS)) em_unused(&gen->em, is_argument ? "arguments" : "globals");
  else if (is_argument)
    em_declare_const(&gen->em, "const struct globals *", "globals",
                     c_unary(cx, "&", c_dot(cx, name(gen, "arguments"), "globals")));
}

/* The launch gets a pointer, `memory`, to the struct of arguments or to the globals. */
CExpr *device_globals_argument(Gen *gen) {
  Cx *cx = gen->cx;
  CExpr *memory = name(gen, "memory");
  if (has_arguments(gen)) return c_unary(cx, "*", c_cast(cx, "const struct arguments *", memory));
  return c_cast(cx, gen_has_globals(gen) ? "const struct globals *" : "const void *", memory);
}

CExpr *device_image(Gen *gen, const TreeExpr *expr) {
  Cx *cx = gen->cx;
  if (expr->op != OP_GLOBAL_LOAD || !type_is(expr->ty, TY_IMAGE)) return NULL;
  if (!has_arguments(gen)) return NULL;
  CExpr *arguments = c_call1(cx, "DDR_ARGUMENTS", name(gen, "globals"));
  CExpr *images = c_arrow(cx, arguments, "images");
  return c_unary(cx, "&", c_index_int(cx, images, count_images(gen, expr->attr.var.index)));
}
