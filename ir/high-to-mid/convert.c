/* high_to_mid: probes become index positions, probe groups and orientation matrices.
 *
 *   %g = probe (deriv (convolve %img, %h)), %x
 *     =>  %n = to_index %img, %x                      %d = probe_group<h, 1> %img, %n
 *         %p = gradient_matrix %img                   %g = ein<i:3 | sum(j:3) $0[i,j]*$1[j]> %p, %d
 *
 * From high to mid. Keeps dom. Needs differentiate before it. Afterwards there are no fields,
 * no kernels and no images with border control. Files: probe.c, transform.c, border.c.
 */
#include "ir/core/memory.h"
#include "ir/high-to-mid/local.h"
#include "ir/pass/pass.h"

static void replace(Inst *inst, Value *with) {
  value_replace_uses(inst->results[0], with);
  inst_remove(inst);
}

static bool convert_inst(Builder *b, Inst *inst) {
  switch (inst->op) {
  case OP_PROBE: replace(inst, convert_probe(b, inst)); return true;
  case OP_INSIDE_IMAGE: replace(inst, convert_inside(b, inst)); return true;
  case OP_INSIDE: LIMIT(b->cx, inst->span, "inside tests of fields without differentiate");
  case OP_IMAGE_SIZE: inst_set_arg(inst, 0, bordered_image(inst->args[0]).image); return true;
  default: return false; /* legal in MID, or removed below */
  }
}

static bool is_field_op(const Inst *inst) {
  if (inst->n_results != 1) return false;
  const Type *ty = inst->results[0]->ty;
  return !(op_levels(inst->op) & LEVEL_MID) || type_is(ty, TY_FIELD) || type_is(ty, TY_KERNEL);
}

/* Removes definitions of fields, starting from the end, because uses come after definitions. */
static bool sweep(Func *fn) {
  bool has_removed = false;
  for (uint32_t i = fn->blocks.len; i-- > 0;) {
    for (Inst *inst = fn->blocks.data[i]->last, *prev; inst; inst = prev) {
      prev = inst->prev;
      if (!is_field_op(inst) || value_is_used(inst->results[0])) continue;
      inst_remove(inst);
      has_removed = true;
    }
  }
  return has_removed;
}

/* The samples of an image have the standard layout. */
static bool place_image(Cx *cx, Inst *inst) {
  if (inst->op != OP_GLOBAL_LOAD || !type_is(inst->results[0]->ty, TY_IMAGE)) return false;
  Value *image = inst->results[0];
  if (image->at) return false;
  image->at = memory_of_image(cx, image->ty);
  return true;
}

bool pass_high_to_mid(Pass *px, Func *fn) {
  bool has_changed = false;
  for (uint32_t i = 0; i < fn->blocks.len; i++) {
    for (Inst *inst = fn->blocks.data[i]->first, *next; inst; inst = next) {
      next = inst->next;
      Builder b = build_before(px->cx, inst);
      has_changed |= place_image(px->cx, inst);
      has_changed |= convert_inst(&b, inst);
    }
  }
  while (sweep(fn)) has_changed = true;
  return has_changed;
}
