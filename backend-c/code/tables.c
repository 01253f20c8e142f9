/* tables: the descriptor of the program for the runtime, with its inputs and outputs
 * (runtime/include/ddr/program.h).
 */
#include <string.h>

#include "backend-c/code/local.h"

static CExpr *name(Gen *gen, const char *text) { return c_name(gen->cx, text); }

static void member(Gen *gen, const char *field, CExpr *value) { em_member(&gen->em, field, value); }

static CExpr *size_of(Gen *gen, const char *what) {
  return c_call1(gen->cx, "sizeof", name(gen, what));
}

CExpr *gen_offset_of(Gen *gen, const char *tag, const char *field) {
  const char *type = text_format(gen->cx->arena, "struct %s", tag);
  return c_call2(gen->cx, "offsetof", name(gen, type), name(gen, field));
}

const char *gen_kind(Gen *gen, const Type *ty, Span span) {
  switch (type_kind(ty)) {
  case TY_BOOL: return "DDR_BOOL";
  case TY_INT: return "DDR_INT";
  case TY_STRING: return "DDR_STRING";
  case TY_TENSOR: return "DDR_REAL";
  case TY_IMAGE: return "DDR_IMAGE";
  case TY_SEQ: return "DDR_SEQUENCE";
  default: break; /* no other types cross the boundary yet */
  }
  LIMIT(gen->cx, span, "inputs and outputs of type %s", type_text(gen->cx, ty));
}

/* ---- inputs ---------------------------------------------------------------------------------- */

static void describe_file(Gen *gen, const Global *input) {
  if (input->file) member(gen, "default_file", c_string(gen->cx, input->file));
}

/* How probes read the image: decides which preparations are possible at load. */
static void describe_use(Gen *gen, const ImageUse *use) {
  Cx *cx = gen->cx;
  Text names = text_new(cx->arena);
  int32_t degree = -1;
  if (use->kernels == 0) return;
  for (uint32_t k = 0; k < kernel_count(); k++) {
    if (!(use->kernels >> k & 1)) continue;
    const Kernel *kernel = kernel_at(k);
    bool is_first = names.len == 0;
    if (!is_first) text_add(&names, ", ");
    text_add(&names, kernel->name);
    if (is_first) degree = kernel_spline_degree(kernel);
    else if (degree != kernel_spline_degree(kernel)) degree = -1;
  }
  member(gen, "kernels", c_string(cx, text_str(&names)));
  member(gen, "spline_degree", c_int(cx, degree));
  member(gen, "borders", c_int(cx, use->borders));
  if (use->outside) member(gen, "outside", gen_seq_elements(gen, use->outside));
}

static void describe_image(Gen *gen, const Global *input) {
  Cx *cx = gen->cx;
  member(gen, "image_dim", c_int(cx, type_dim(input->ty)));
  if (input->samples != SAMPLE_REAL)
    member(gen, "image_sample", gen_sample_type(gen, input->samples));
  member(gen, "image_components", c_int(cx, (int64_t)shape_size(type_shape(input->ty))));
  describe_use(gen, &input->use);
  describe_file(gen, input);
}

void gen_describe_type(Gen *gen, const Type *ty, Span span) {
  const Type *scalar = gen_scalar_type(gen, ty);
  bool is_dynamic = type_is_dynamic_seq(ty);
  member(gen, "kind", name(gen, gen_kind(gen, is_dynamic ? ty : scalar, span)));
  if (is_dynamic) member(gen, "element", name(gen, gen_kind(gen, scalar, span)));
  member(gen, "n_components", c_int(gen->cx, (int64_t)gen_scalar_count(ty)));
}

static void describe_sequence(Gen *gen, const Global *input) {
  describe_file(gen, input);
  member(gen, "has_default", c_bool(gen->cx, input->value != NULL));
  if (!input->value || input->value->n_elems == 0) return;
  member(gen, "default_elements", gen_seq_elements(gen, input->value));
  member(gen, "n_default_elements", c_int(gen->cx, (int64_t)input->value->n_elems));
}

static void describe_input(Gen *gen, uint32_t i) {
  Cx *cx = gen->cx;
  const Global *input = &gen->program->module->globals.data[i];
  const TreeName *names = &gen->program->globals[i];
  em_open_row(&gen->em);
  member(gen, "name", c_string(cx, names->shown));
  if (strcmp(names->shown, input->name->text) != 0)
    member(gen, "written", c_string(cx, input->name->text));
  member(gen, "description", c_string(cx, input->description ? input->description : ""));
  gen_describe_type(gen, input->ty, input->span);
  member(gen, "offset", gen_offset_of(gen, "globals", names->field));
  if (type_is(input->ty, TY_IMAGE)) describe_image(gen, input);
  else if (type_is_dynamic_seq(input->ty)) describe_sequence(gen, input);
  else member(gen, "has_default", c_bool(cx, input->value != NULL));
  em_close_row(&gen->em);
}

static uint32_t count_inputs(const Module *m) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->globals.len; i++) n += m->globals.data[i].kind == GLOBAL_INPUT;
  return n;
}

static void gen_inputs(Gen *gen) {
  const Module *m = gen->program->module;
  if (count_inputs(m) == 0) return;
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_input", "inputs");
  for (uint32_t i = 0; i < m->globals.len; i++)
    if (m->globals.data[i].kind == GLOBAL_INPUT) describe_input(gen, i);
  em_close_table(&gen->em);
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Kinds of axes in nrrd files: small vectors and square matrices have kinds of their own; the axis
 * of a dynamic sequence is that of its elements. */
static const char *axis_name(const Type *ty) {
  if (type_is_dynamic_seq(ty) || (type_is(ty, TY_SEQ) && type_seq_len(ty) == 1))
    return axis_name(type_elem(ty));
  if (type_is(ty, TY_SEQ)) return "DDR_AXIS_LIST";
  static const char *const vectors[] = {"DDR_AXIS_LIST", "DDR_AXIS_LIST", "DDR_AXIS_2_VECTOR",
                                        "DDR_AXIS_3_VECTOR", "DDR_AXIS_4_VECTOR"};
  if (!type_is(ty, TY_TENSOR) || type_is_real(ty)) return "DDR_AXIS_NONE";
  const Shape *shape = type_shape(ty);
  if (shape->order == 1 && shape->dims[0] <= 4) return vectors[shape->dims[0]];
  bool is_square = shape->order == 2 && shape->dims[0] == shape->dims[1];
  if (is_square && shape->dims[0] == 2) return "DDR_AXIS_2D_MATRIX";
  if (is_square && shape->dims[0] == 3) return "DDR_AXIS_3D_MATRIX";
  return "DDR_AXIS_LIST";
}

static void describe_output(Gen *gen, uint32_t i) {
  const StateVar *output = &gen->program->module->state.data[i];
  const TreeName *names = &gen->program->state[i];
  em_open_row(&gen->em);
  member(gen, "name", c_string(gen->cx, names->shown));
  gen_describe_type(gen, output->ty, output->span);
  member(gen, "axis", name(gen, axis_name(output->ty)));
  member(gen, "offset", gen_offset_of(gen, gen->program->strand, names->field));
  if (gen->has_groups) member(gen, "gather", name(gen, gen_gather_name(gen, i)));
  em_close_row(&gen->em);
}

static uint32_t count_outputs(const Module *m) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->state.len; i++) n += m->state.data[i].is_output;
  return n;
}

static void gen_outputs(Gen *gen) {
  const Module *m = gen->program->module;
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const ddr_output", "outputs");
  for (uint32_t i = 0; i < m->state.len; i++)
    if (m->state.data[i].is_output) describe_output(gen, i);
  em_close_table(&gen->em);
}

/* ---- the descriptor -------------------------------------------------------------------------- */

static void member_functions(Gen *gen) {
  static const char *const always[] = {"defaults", "init_globals", "bounds", "create", "update"};
  for (size_t i = 0; i < sizeof always / sizeof always[0]; i++)
    member(gen, always[i], name(gen, always[i]));
  const TreeFunc *start = gen_find(gen, FN_GLOBAL_START);
  const TreeFunc *update = gen_find(gen, FN_GLOBAL_UPDATE);
  if (gen_has_stabilize(gen)) member(gen, "stabilize", name(gen, "stabilize"));
  if (start) member(gen, "global_start", name(gen, start->name));
  if (update) member(gen, "global_update", name(gen, update->name));
  if (gen_owns_seqs(gen, FN_GLOBALS)) {
    member(gen, "lend_globals", name(gen, "lend_globals"));
    member(gen, "keep_globals", name(gen, "keep_globals"));
  }
  if (gen_has_shared(gen)) member(gen, "share", name(gen, "share"));
  if (gen_shares_fixed(gen)) member(gen, "shares_fixed", c_bool(gen->cx, true));
  if (gen_n_samplings(gen) > 0) {
    member(gen, "n_samplings", c_int(gen->cx, gen_n_samplings(gen)));
    member(gen, "samplings", name(gen, "samplings"));
  }
  if (!gen_owns_seqs(gen, FN_UPDATE)) return;
  member(gen, "lend_strands", name(gen, "lend_strands"));
  if (gen_is_dual(gen)) member(gen, "keep_strands", name(gen, "keep_strands"));
}

static void member_pos(Gen *gen) {
  const Module *m = gen->program->module;
  const uint32_t i = module_find_pos(m); /* programs with queries have one */
  member(gen, "pos_dim", c_int(gen->cx, tree_component_count(m->state.data[i].ty)));
  member(gen, "pos_offset", gen_offset_of(gen, gen->program->strand, gen->program->state[i].field));
  if (!gen_has_shared(gen)) return;
  const char *shared = text_format(gen->cx->arena, "%s_shared", gen->program->strand);
  member(gen, "shared_pos_offset", gen_offset_of(gen, shared, gen->program->state[i].field));
  member(gen, "shared_size", size_of(gen, text_format(gen->cx->arena, "struct %s", shared)));
}

static bool holds_string(const Type *ty) {
  while (type_is(ty, TY_SEQ)) ty = type_elem(ty);
  return type_is(ty, TY_STRING);
}

static bool has_strings(const Module *m) {
  for (uint32_t i = 0; i < m->state.len; i++)
    if (holds_string(m->state.data[i].ty)) return true;
  return false;
}

uint32_t gen_source_text(Gen *gen, const char *table) {
  const Source *source = gen->cx->source;
  const uint32_t n_lines = source_position(source, source->len).line;
  em_blank(&gen->em);
  em_open_table(&gen->em, "static const char *const", table);
  for (uint32_t line = 1; line <= n_lines; line++) {
    uint32_t len;
    const char *text = source_line(source, line, &len);
    em_element(&gen->em, c_string(gen->cx, arena_strdup(gen->cx->arena, text, len)));
  }
  em_close_table(&gen->em);
  return n_lines;
}

/* Members for reports: profile, trace. */
static void member_reports(Gen *gen) {
  if (gen->options->is_profiled)
    member(gen, "profile", c_unary(gen->cx, "&", name(gen, "profile")));
  if (gen->options->is_traced) member(gen, "trace", c_unary(gen->cx, "&", name(gen, "trace")));
}

static void member_states(Gen *gen) {
  Cx *cx = gen->cx;
  const char *state = text_format(cx->arena, "struct %s", gen->program->strand);
  const char *group = text_format(cx->arena, "%s_lanes", state);
  member(gen, "state_size", size_of(gen, gen->has_groups ? group : state));
  member(gen, "state_align", c_call1(cx, "_Alignof", name(gen, gen->has_groups ? group : state)));
  member(gen, "state_width", gen->has_groups ? name(gen, "DDR_LANES") : c_int(cx, 1));
  if (!gen->has_groups) return;
  member(gen, "strand_size", size_of(gen, state));
  member(gen, "take_strand", name(gen, "take_strand"));
  member(gen, "put_strand", name(gen, "put_strand"));
  member(gen, "move_down", name(gen, "move_down"));
}

static void gen_descriptor(Gen *gen) {
  Cx *cx = gen->cx;
  const Module *m = gen->program->module;
  uint32_t n_inputs = count_inputs(m);
  em_blank(&gen->em);
  em_open_record(&gen->em, "const ddr_program", "ddr_program_main");
  member(gen, "abi", name(gen, "DDR_PROGRAM_ABI"));
  member(gen, "name", c_string(cx, gen->options->program));
  if (cx->source && gen_needs_anywhere(gen, NEED_CHECKS))
    member(gen, "source", c_string(cx, em_source_path(&gen->em)));
  member(gen, "version", c_string(cx, gen->options->version));
  member(gen, "variant", name(gen, "DDR_VARIANT"));
  member(gen, "real_size", size_of(gen, "ddr_real"));
  member(gen, "int_size", size_of(gen, "ddr_int"));
  member(gen, "is_collection", c_bool(cx, m->is_collection));
  member(gen, "is_lockstep", c_bool(cx, gen_is_lockstep(gen)));
  member(gen, "is_dual", c_bool(cx, gen_is_dual(gen)));
  member(gen, "is_parallel", c_bool(cx, gen->options->workers != BY_ONE_THREAD));
  member(gen, "has_snapshots", c_bool(cx, gen->options->has_snapshots));
  if (gen->update_how && gen->update_how->is_tiled) member(gen, "is_tiled", c_bool(cx, true));
  if (gen->update_how && gen->update_how->takes_slots) member(gen, "takes_slots", c_bool(cx, true));
  member(gen, "has_exact_rows", c_bool(cx, !gen_needs_anywhere(gen, NEED_WIDE_ROWS)));
  gen_variable_members(gen);
  if (has_strings(m)) member(gen, "has_strings", c_bool(cx, true));
  member(gen, "rank", c_int(cx, m->n_iters));
  member(gen, "n_inputs", c_int(cx, n_inputs));
  member(gen, "n_outputs", c_int(cx, count_outputs(m)));
  if (n_inputs > 0) member(gen, "inputs", name(gen, "inputs"));
  member(gen, "outputs", name(gen, "outputs"));
  member(gen, "globals_size", gen_has_globals(gen) ? size_of(gen, "struct globals") : c_int(cx, 0));
  member_states(gen);
  if (gen_needs_anywhere(gen, NEED_QUERIES)) member_pos(gen);
  member_functions(gen);
  member_reports(gen);
  if (gen->options->has_device)
    member(gen, "device", c_unary(gen->cx, "&", name(gen, "ddr_device_main")));
  em_close_table(&gen->em);
}

void gen_tables(Gen *gen) {
  gen_inputs(gen);
  gen_outputs(gen);
  gen_variables(gen);
  gen_profile(gen);
  gen_trace(gen);
  gen_descriptor(gen);
}
