/* starts: the addresses of rows in a loop over slices (ddr/lanes/slices.h). A row of a volume is
 * some steps along z from a row of the first plane, which is some steps along y from the corner. In
 * each slice the addresses of the first plane are computed once, just before the first row that
 * needs them.
 */
#include "backend-c/lanes/local.h"

/* The parts of an address: a variable, the step from it to the start, and from the start to the
 * row.
 */
typedef struct Address {
  const TreeVar *corner, *line;
  const TreeExpr *step;
} Address;

static bool has_starts(const TreeExpr *row) {
  return row->kind == TX_OP && row->op == OP_ROW_LOAD && type_row_width(row->ty) == 4 &&
         type_samples(row->args.data[0]->ty) == SAMPLE_REAL;
}

static LaneStart *find(Lanes *lanes, const TreeVar *corner, const TreeVar *line) {
  for (uint32_t i = 0; i < lanes->starts.len; i++) {
    LaneStart *start = &lanes->starts.data[i];
    if (start->corner == corner && start->line == line) return start;
  }
  return NULL;
}

static Address address_of(Lanes *lanes, const TreeExpr *load) {
  const TreeExpr *addr = load->args.data[0];
  if (addr->kind == TX_VAR) return (Address){.corner = addr->var};
  const TreeExpr *step = addr->args.data[1];
  const TreeVar *corner = addr->args.data[0]->var;
  const bool is_sum = step->kind == TX_OP && step->op == OP_OFFSET_ADD;
  if (is_sum && step->args.data[0]->kind == TX_VAR)
    return (Address){corner, step->args.data[0]->var, step->args.data[1]};
  if (step->kind == TX_VAR && find(lanes, corner, step->var))
    return (Address){.corner = corner, .line = step->var};
  return (Address){.corner = corner, .step = step};
}

static void note(Lanes *lanes, const TreeVar *corner, const TreeVar *line) {
  if (find(lanes, corner, line)) return;
  vec_push(lanes->gen->cx->arena, &lanes->starts, ((LaneStart){.corner = corner, .line = line}));
}

static void note_starts(Lanes *lanes, const TreeExpr *row) {
  if (has_starts(row)) {
    const Address address = address_of(lanes, row);
    if (!address.line) return;
    note(lanes, address.corner, address.line);
    note(lanes, address.corner, NULL);
  }
  for (uint32_t i = 0; row->kind == TX_OP && i < row->args.len; i++)
    note_starts(lanes, row->args.data[i]);
}

void lanes_find_starts(Lanes *lanes, const TreeStmtVec *slices) {
  lanes->starts.len = 0;
  for (uint32_t i = 0; i < slices->len; i++) note_starts(lanes, slices->data[i]->expr);
}

static void declare(Lanes *lanes, LaneStart *start) {
  Cx *cx = lanes->gen->cx;
  CExprVec args = {0};
  start->name = lanes_new_name(lanes, "starts");
  c_push(cx, &args, c_name(cx, start->corner->name));
  c_push(cx, &args, start->line ? c_name(cx, start->line->name) : c_int(cx, 0));
  c_push(cx, &args, c_name(cx, "slice"));
  const bool is_kept = lane_kept_image(lanes, start->corner) != NULL;
  const char *fn = is_kept ? "ddr_starts4_kept" : "ddr_starts4_of";
  em_declare_const(&lanes->gen->em, "ddr_starts4", start->name, c_call(cx, fn, args));
}

void lanes_declare_starts(Lanes *lanes, const TreeExpr *row) {
  if (has_starts(row)) {
    const Address address = address_of(lanes, row);
    LaneStart *start = find(lanes, address.corner, address.line);
    if (start && !start->name) declare(lanes, start);
  }
  for (uint32_t i = 0; row->kind == TX_OP && i < row->args.len; i++)
    lanes_declare_starts(lanes, row->args.data[i]);
}

CExpr *lane_load_from_start(Lanes *lanes, const TreeExpr *load) {
  Cx *cx = lanes->gen->cx;
  if (!has_starts(load)) return NULL;
  const Address address = address_of(lanes, load);
  const LaneStart *start = find(lanes, address.corner, address.line);
  if (!start) return NULL;
  CExpr *step = address.step ? gen_expr(lanes->gen, address.step) : c_int(cx, 0);
  const bool is_kept = lane_kept_image(lanes, address.corner) != NULL;
  const char *fn = is_kept ? "DDR_KEPT(ddr_slice4_from)" : "ddr_slice4_from";
  return c_call2(cx, fn, c_name(cx, start->name), step);
}
