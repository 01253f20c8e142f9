/* lists: dynamic sequences in lanes. What is not even (even_lists.c), nor a column of a table
 * (columns.c), is in an array with a sequence for each lane. They are made and read
 * lane by lane, only in active lanes: the lists of other lanes may not exist, or may have been
 * freed. The strands of a gang share the pool of the block; see Note [Ownership] in
 * runtime/src/world/sequences.c.
 *
 *   path = path @ head      for each lane in the mask:
 *                             path_2[lane] = DDR_APPEND(pool, path[lane], ...)
 */
#include "backend-c/lanes/local.h"

bool lane_is_list(const Type *ty) {
  return type_is_dynamic_seq(ty) && !type_is(type_elem(ty), TY_STRAND);
}

bool lane_makes_list(const TreeExpr *expr) {
  if (expr->kind == TX_VAR || !lane_is_list(expr->ty)) return false;
  switch (expr->op) {
  case OP_SEQ:
  case OP_SEQ_DYNAMIC:
  case OP_SEQ_APPEND:
  case OP_SEQ_PREPEND:
  case OP_SEQ_CONCAT:
  case OP_SEQ_RANGE: return true;
  default: return false;
  }
}

bool lane_is_of_list(const Lanes *lanes, const TreeExpr *expr) {
  const bool is_element = expr->op == OP_SEQ_INDEX || expr->op == OP_SEQ_COPY;
  return is_element && lane_is_list(expr->args.data[0]->ty) &&
         lane_form(lanes, expr->args.data[0]) == LANES_ARRAY;
}

static CExpr *at_lane(Lanes *lanes, CExpr *array) {
  return c_index(lanes->gen->cx, array, c_name(lanes->gen->cx, "lane"));
}

void lane_load_list(Lanes *lanes, const TreeVar *param, CExpr *component) {
  Gen *gen = lanes->gen;
  if (lane_is_columns(lanes, param->ty)) {
    (param->is_mutable ? em_declare : em_declare_const)(&gen->em, "ddr_vcolumns", param->name,
                                                        component);
    return;
  }
  em_declare_array_of(&gen->em, "ddr_seq", param->name, "DDR_LANES");
  lanes_open_loop(lanes);
  em_assign(&gen->em, at_lane(lanes, c_name(gen->cx, param->name)), at_lane(lanes, component));
  em_close(&gen->em);
}

void lane_set_list(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  CExpr *list = c_name(lanes->gen->cx, var->name);
  switch (lane_var(lanes, var)->form) {
  case LANES_EVEN: em_assign(&lanes->gen->em, list, lane_even_list(lanes, expr)); return;
  case LANES_COLUMNS: lane_set_columns(lanes, var, expr); return;
  /* No other form is that of a list. */
  default: lane_assign_list(lanes, list, expr, NULL);
  }
}

void lane_assign_list(Lanes *lanes, CExpr *list, const TreeExpr *expr, const char *mask) {
  if (lane_is_columns(lanes, expr->ty)) {
    lane_assign_columns(lanes, list, expr, mask);
    return;
  }
  lanes_open_mask(lanes, lanes->scope.mask);
  em_assign(&lanes->gen->em, at_lane(lanes, list), lane_alone(lanes, expr));
  em_close(&lanes->gen->em);
}

static void copy_list(Lanes *lanes, CExpr *list, CExpr *from, const char *mask) {
  lanes_open_mask(lanes, mask);
  em_assign(&lanes->gen->em, at_lane(lanes, list), at_lane(lanes, from));
  em_close(&lanes->gen->em);
}

void lane_keep_list(Lanes *lanes, CExpr *at_rest, const TreeExpr *value, const Type *ty, CExpr *now,
                    const char *mask) {
  if (lane_is_columns(lanes, ty))
    lane_keep_columns(lanes, ty, at_rest, value ? lane_columns(lanes, value) : now, mask);
  else if (value) lane_assign_list(lanes, at_rest, value, NULL);
  else copy_list(lanes, at_rest, now, mask);
}

void lanes_list_field(Lanes *lanes, const Type *ty, const char *field) {
  const char *list = text_format(lanes->gen->cx->arena, "%s[DDR_LANES]", field);
  if (lane_is_columns(lanes, ty)) em_field(&lanes->gen->em, "ddr_vcolumns", field, 1);
  else em_field(&lanes->gen->em, "ddr_seq", list, 1);
}

void lane_read_list(Lanes *lanes, const TreeVar *var, const TreeExpr *expr) {
  Cx *cx = lanes->gen->cx;
  lanes_open_mask(lanes, lanes->scope.mask);
  em_assign(&lanes->gen->em, at_lane(lanes, c_name(cx, var->name)),
            lane_of_mask(cx, expr->ty, lane_alone(lanes, expr)));
  em_close(&lanes->gen->em);
}
