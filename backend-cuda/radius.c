/* radius: the radius of a query, if a global or a constant says it. The runtime fits the cells of
 * its index to that radius (ddr/cells.h) before any strand has asked.
 *
 *   static double radius(const void *memory) {
 *     const struct globals *const globals = (const struct globals *)memory;
 *     return (double)globals->reach;
 *   }
 */
#include "backend-cuda/local.h"

/* The first query of a function. */
typedef struct Search {
  Map *known;             /* variables that are declared with what the whole run knows */
  const TreeExpr *radius; /* a global or a constant; NULL: there is no such query */
} Search;

static bool is_known(const TreeExpr *expr) {
  return expr && expr->kind == TX_OP && (expr->op == OP_GLOBAL_LOAD || expr->op == OP_CONST_REAL);
}

static void search_expr(Search *search, const TreeExpr *expr) {
  if (!expr || expr->kind != TX_OP || search->radius) return;
  for (uint32_t i = 0; i < expr->args.len; i++) search_expr(search, expr->args.data[i]);
  if (expr->op != OP_SPHERE) return;
  const TreeExpr *radius = expr->args.data[expr->args.len - 1];
  if (radius->kind == TX_VAR) radius = map_get(search->known, radius->var);
  if (is_known(radius)) search->radius = radius;
}

static void search_stmts(Search *search, const TreeStmtVec *stmts) {
  for (uint32_t i = 0; i < stmts->len; i++) {
    const TreeStmt *stmt = stmts->data[i];
    search_expr(search, stmt->expr);
    search_expr(search, stmt->limit);
    for (uint32_t k = 0; k < stmt->values.len; k++) search_expr(search, stmt->values.data[k]);
    if (stmt->kind == TT_DECLARE && !stmt->var->is_mutable && is_known(stmt->expr))
      map_put(search->known, stmt->var, stmt->expr);
    search_stmts(search, &stmt->body);
    search_stmts(search, &stmt->else_body);
  }
}

static const TreeExpr *find_radius(const Gen *gen, const Map *funcs) {
  Search search = {.known = map_new(gen->cx->arena)};
  for (uint32_t i = 0; i < map_len(funcs); i++) {
    const TreeFunc *fn = map_key(funcs, i);
    search_stmts(&search, &fn->body);
  }
  return search.radius;
}

bool device_gen_radius(Gen *gen, const Map *funcs) {
  Cx *cx = gen->cx;
  Emit *em = &gen->em;
  const TreeExpr *found = find_radius(gen, funcs);
  if (!found) return false;
  CFunc head = {.qualifiers = "static", .result = "double", .name = "radius"};
  em_param(cx, &head, "const void *", "memory");
  em_blank(em);
  em_open_func(em, &head);
  if (found->op == OP_CONST_REAL) em_unused(em, "memory");
  else
    em_declare_const(em, "const struct globals *", "globals",
                     c_cast(cx, "const struct globals *", c_name(cx, "memory")));
  em_return(em, c_cast(cx, "double", gen_expr(gen, found)));
  em_close(em);
  return true;
}
