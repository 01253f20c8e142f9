/* Compile: the whole compiler on one page.
 *
 *   source -> Ast -> typed tree -> HIGH -> MID -> LOW -> TREE -> C -> executable, or library
 *
 * Every stage can be printed (--dump, --dump-after, --emit-c), and the levels of the IR can be read
 * instead of a program (--from). Next: the components in that order; build.c and library.c for the
 * files that are made, keep.c for those that are found again, launch.c for diderotc run.
 */
#include "driver/compile.h"
#include "driver/arch.h"

#include <string.h>

#include "driver/local.h"
#include "driver/paths.h"
#include "driver/proxy.h"
#include "frontend/base/diag.h"
#include "frontend/base/hash.h"
#include "frontend/base/text.h"
#include "frontend/check/check.h"
#include "frontend/syntax/parse.h"
#include "ir/high/from_tast.h"
#include "ir/index/ixfun.h"
#include "ir/tree/tree.h"

/* ---- the IR as text -------------------------------------------------------------------------- */

static void dump_after(void *context, PassId after, const char *text) {
  (void)context;
  printf("// after %s\n%s", pass_name(after), text);
}

static void trace_pass(void *context, PassId id, const Module *module) {
  trace_step(context, pass_name(id), module);
}

static Level level_of(const char *text) {
  static const Level levels[] = {LEVEL_HIGH, LEVEL_MID, LEVEL_LOW};
  size_t i = 0; /* options_parse has seen that it is one of them */
  while (i + 1 < sizeof levels / sizeof *levels && strcmp(text, level_text(levels[i])) != 0) i++;
  return levels[i];
}

static int refuse_ir(const Compilation *job, const char *what) {
  diag(job->cx, SPAN_NONE, E_IR_TEXT, d_text(what));
  return 1;
}

/* --from=LEVEL [--run=PASS ...] --to=LEVEL */
static int transform_ir(const Compilation *job, const RunOptions *run) {
  const Level from = level_of(option_arg(job->options, OPT_FROM));
  const Level to = level_of(option_arg(job->options, OPT_TO));
  Module *module = ir_parse(job->cx);
  if (!module) return 1;
  if (module->level != from) return refuse_ir(job, "it is of another level than --from says");
  ir_verify(job->cx, module);
  const StringVec *passes = &job->options->args[OPT_RUN];
  for (uint32_t i = 0; i < passes->len; i++) {
    run_pass(job->cx, module, pass_find(passes->data[i]), job->target, run);
  }
  if (passes->len == 0) run_pipeline(job->cx, module, to, job->target, run);
  if (module->level != to) return refuse_ir(job, "the passes do not end at the level of --to");
  fputs(ir_print(job->cx, module), stdout);
  return 0;
}

/* NAME=VALUE of the command line, split. */
static ConstOverride *constant_overrides(Arena *a, const StringVec *constants) {
  ConstOverride *overrides = NEWN(a, ConstOverride, constants->len);
  for (uint32_t i = 0; i < constants->len; i++) {
    const char *equals = strchr(constants->data[i], '=');
    overrides[i].name = arena_strdup(a, constants->data[i], (size_t)(equals - constants->data[i]));
    overrides[i].value = equals + 1;
  }
  return overrides;
}

/* ---- a program ------------------------------------------------------------------------------- */

static TProgram *front_end(const Compilation *job, bool *is_done) {
  const Ast *ast = parse(job->cx);
  trace_step(job->trace, "parse", NULL);
  *is_done = true;
  if (!ast) return NULL;
  if (option_has(job->options, OPT_DUMP, "ast")) {
    ast_print(ast, stdout);
    return NULL;
  }
  const CheckOptions check_options = {
      .overrides = constant_overrides(job->cx->arena, &job->options->constants),
      .n_overrides = job->options->constants.len,
      .host = {.probe_image = proxy_probe_image, .state = job->proxies},
      .makes_nothing = job->options->given[OPT_CHECK],
  };
  TProgram *program = check(job->cx, ast, &check_options);
  trace_step(job->trace, "check", NULL);
  if (!program) return NULL;
  if (option_has(job->options, OPT_DUMP, "tast")) {
    fputs(tast_print(job->cx, program), stdout);
    return NULL;
  }
  *is_done = job->options->given[OPT_CHECK];
  return program;
}

/* NAME or NAME=VALUE of the command line, as the preprocessor has it. */
static const char *const *definitions(Arena *a, const StringVec *given) {
  const char **all = NEWN(a, const char *, given->len + 1);
  for (uint32_t i = 0; i < given->len; i++) {
    const char *text = given->data[i], *equals = strchr(text, '=');
    const size_t len = equals ? (size_t)(equals - text) : strlen(text);
    all[i] = text_format(a, "%.*s %s", (int)len, text, equals ? equals + 1 : "1");
  }
  return all;
}

/* Runs a pass that is in no pipeline if an option asks for it. */
static void run_if_asked(const Compilation *job, OptionId option, PassId pass, Module *module,
                         const RunOptions *run) {
  if (job->options->given[option] && !job->options->pass_disabled[pass])
    run_pass(job->cx, module, pass, job->target, run);
}

static const TreeProgram *middle_end(const Compilation *job, const TProgram *program,
                                     const RunOptions *run) {
  Module *module = high_from_tast(job->cx, program);
  if (diag_error_count(job->cx) > 0) return NULL;
  ir_verify(job->cx, module);
  trace_step(job->trace, "high", module);
  trace_ops(job->trace, module);
  if (option_has(job->options, OPT_DUMP, "high")) {
    fputs(ir_print(job->cx, module), stdout);
    return NULL;
  }
  run_if_asked(job, OPT_DEBUG, PASS_insert_checks, module, run);
  run_if_asked(job, OPT_PROFILE, PASS_count_probes, module, run);
  run_pipeline(job->cx, module, LEVEL_LOW, job->target, run);
  run_if_asked(job, OPT_CONTRACT, PASS_contract, module, run);
  run_if_asked(job, OPT_CONTRACT, PASS_dce, module, run);
  trace_ops(job->trace, module);
  TreeProgram *tree = tree_from_low(job->cx, module);
  tree_verify(job->cx, tree);
  trace_step(job->trace, "tree", NULL);
  if (option_has(job->options, OPT_DUMP, "tree")) {
    fputs(tree_print(job->cx, tree), stdout);
    return NULL;
  }
  return job->options->given[OPT_DUMP_AFTER] ? NULL : tree;
}

/* A program can resume from the checkpoint of another if both have the same identity. So it covers
 * what changes results, but not how strands are executed. */
static uint64_t identity_of(const Compilation *job) {
  const Source *source = job->cx->source;
  const StringVec *constants = &job->options->constants;
  uint64_t hash = source ? hash_bytes(HASH_START, source->text, source->len) : HASH_START;
  for (uint32_t i = 0; i < constants->len; i++) hash = hash_text(hash, constants->data[i]);
  return job->options->given[OPT_CONTRACT] ? hash_bytes(hash, "contract", 8) : hash;
}

/* The argument of --gangs, which options.def restricts to one digit; 0: not given. */
static uint32_t n_gangs(const Compilation *job) {
  const char *number = option_arg(job->options, OPT_GANGS);
  return number ? (uint32_t)(*number - '0') : 0;
}

static EmitOptions emit_options(const Compilation *job) {
  return (EmitOptions){
      .workers = job->target->workers,
      .device = job->target->device,
      .program = path_stem(job->cx->arena, job->options->file),
      .version = DDR_VERSION,
      .identity = identity_of(job),
      .definitions = definitions(job->cx->arena, &job->options->definitions),
      .with_line_marks = job->options->given[OPT_DEBUG],
      .has_snapshots = job->options->given[OPT_SNAPSHOT],
      .is_lockstep = job->options->given[OPT_BSP],
      .is_profiled = job->options->given[OPT_PROFILE],
      .is_traced = job->options->given[OPT_TRACE],
      .is_scalar = job->options->given[OPT_SCALAR] || job->options->given[OPT_DEBUG] ||
                   job->options->given[OPT_TRACE],
      .n_gangs = n_gangs(job),
      .is_unfused = arch_is_unfused(option_arg(job->options, OPT_ARCH)),
  };
}

static void print_memory(Cx *cx, const MemoryPlace *places) {
  for (const MemoryPlace *place = places; place->name; place++) {
    if (!place->at) {
      puts(place->name);
      continue;
    }
    printf("%s%s: ", place->is_part ? "    " : "  ", place->name);
    if (place->type) printf("%s ", place->type);
    puts(ixfun_print(cx->arena, place->at));
  }
}

/* The accesses to samples and components, each with its place in the source. */
static void print_accesses(const Cx *cx, const Module *m) {
  if (m->accesses.len > 0) puts("accesses: place from the slowest axis to the fastest, and LOW");
  for (uint32_t i = 0; i < m->accesses.len; i++) {
    const AccessNote *note = &m->accesses.data[i];
    const Position at = source_position(cx->source, note->span.start);
    const int len = (int)strcspn(cx->source->text + note->span.start, "\n");
    const int n = (int)(note->span.end - note->span.start);
    printf("  %u:%u %.*s\n    is   %s\n    at   %s\n%s", at.line, at.column, n < len ? n : len,
           cx->source->text + note->span.start, note->access, note->place, note->low);
  }
}

/* Generates the code for the host and for devices; warns if the program cannot run on a device. */
static Emitted emit_all(const Compilation *job, const TreeProgram *tree, EmitOptions *emit) {
  Emitted emitted = {0};
  const char *obstacle = NULL;
  if (job->target->emit_device)
    emitted.device_text = job->target->emit_device(job->cx, tree, emit, &obstacle);
  if (job->target->emit_device && !emitted.device_text)
    diag(job->cx, SPAN_NONE, W_NO_DEVICE, d_text(obstacle));
  emit->has_device = emitted.device_text != NULL;
  emitted.text = job->target->emit(job->cx, tree, emit);
  return emitted;
}

static int make_result(const Compilation *job, const TreeProgram *tree, const EmitOptions *emit,
                       const Emitted *emitted) {
  if (job->options->is_run) return launch_prepare(job, emitted);
  if (job->options->given[OPT_EXEC]) return build_executable(job, emitted);
  const char *wrong_name = library_wrong_name(job);
  if (wrong_name) return build_not_made(job, wrong_name);
  LibraryTexts library;
  library_describe(job, tree, emit, &library);
  if (library_print(job, &library)) return 0;
  return job->options->given[OPT_CACHED] ? library_keep(job, emitted, &library)
                                         : library_build(job, emitted, &library);
}

static int compile_program(const Compilation *job, const RunOptions *run) {
  bool is_done;
  const TProgram *program = front_end(job, &is_done);
  if (is_done) return diag_error_count(job->cx) > 0;
  const TreeProgram *tree = middle_end(job, program, run);
  if (!tree) return 0;
  EmitOptions emit = emit_options(job);
  if (option_has(job->options, OPT_DUMP, "memory")) {
    print_memory(job->cx, job->target->memory(job->cx, tree, &emit));
    print_accesses(job->cx, tree->module);
    return 0;
  }
  const char *update_note = NULL, *creation_note = NULL;
  emit.update_note = &update_note;
  emit.creation_note = &creation_note;
  const Emitted emitted = emit_all(job, tree, &emit);
  trace_step(job->trace, "emit", NULL);
  if (update_note) trace_note(job->trace, "strands", update_note);
  if (creation_note) trace_note(job->trace, "creation", creation_note);
  if (option_has(job->options, OPT_DUMP, "device")) {
    if (emitted.device_text) fputs(emitted.device_text, stdout);
    return 0;
  }
  if (job->options->given[OPT_EMIT_C]) {
    fputs(emitted.text, stdout);
    if (emitted.device_text) fputs(emitted.device_text, stdout);
    return 0;
  }
  const int status = make_result(job, tree, &emit, &emitted);
  trace_step(job->trace, "build", NULL);
  return status;
}

static bool read_source(const Compilation *job) {
  Cx *cx = job->cx;
  const char *file = cx->file, *why;
  const bool is_piped = job->options->given[OPT_STDIN];
  Source *source = source_read(cx->arena, is_piped ? "/dev/stdin" : file, &why);
  if (source) source->path = file;
  cx->source = source;
  if (source) return true;
  diag(cx, SPAN_NONE, E_SOURCE_UNREADABLE, d_text(file), d_text(why));
  return false;
}

static int run_compilation(const Compilation *job) {
  bool dumped[PASS_COUNT] = {false};
  const StringVec *names = &job->options->args[OPT_DUMP_AFTER];
  for (uint32_t i = 0; i < names->len; i++) dumped[pass_find(names->data[i])] = true;
  const RunOptions run = {
      .disabled = job->options->pass_disabled,
      .dump_after = dumped,
      .dump = dump_after,
      .after = trace_pass,
      .context = job->trace,
  };
  return option_arg(job->options, OPT_FROM) ? transform_ir(job, &run) : compile_program(job, &run);
}

static void configure(Cx *cx, const Options *options) {
  types_init(cx);
  cx->is_double = options->given[OPT_DOUBLE];
  cx->is_long_int = options->given[OPT_LONG_INT];
  cx->is_traced = options->given[OPT_TRACE];
  cx->is_checked = options->given[OPT_DEBUG];
  cx->is_noted = option_has(options, OPT_DUMP, "memory");
  cx->style = options_style(options);
  cx->file = options->file;
  const char *how = option_arg(options, OPT_WARNINGS);
  if (how && strcmp(how, "none") == 0) diag_set_policy(cx, DIAG_COUNT, WARN_NEVER);
  if (how && strcmp(how, "error") == 0) diag_set_policy(cx, DIAG_COUNT, WARN_AS_ERROR);
  /* Inputs of a library are no options. */
  if (!options->given[OPT_EXEC] && !options->given[OPT_CHECK])
    diag_set_policy(cx, W_OPTION_NAME, WARN_NEVER);
  const StringVec *unwanted = &options->args[OPT_NO_WARNING];
  for (uint32_t i = 0; i < unwanted->len; i++)
    diag_set_policy(cx, diag_find_warning(unwanted->data[i]), WARN_NEVER);
}

/* The files of --log and --stats without their suffixes. */
static const char *trace_base(const Compilation *job) {
  const char *base = option_arg(job->options, OPT_OUTPUT);
  if (!base) return path_without_suffix(job->cx->arena, job->options->file);
  const bool is_executable = job->options->given[OPT_EXEC] && !job->options->given[OPT_OBJECT];
  return is_executable ? base : path_without_object_suffix(job->cx->arena, base);
}

/* With --log or --stats: checks first whether their files can be written, as after an error nothing
 * may have been made. */
static int run_traced(const Compilation *job) {
  if (!read_source(job)) return 1;
  const char *base = trace_base(job), *error = trace_obstacle(job->trace, base);
  int status = 1;
  if (!error) {
    status = run_compilation(job);
    error = trace_write(job->trace, base);
  }
  if (error) diag(job->cx, SPAN_NONE, E_NOT_WRITTEN, d_text(error));
  return status;
}

int compile(const Options *options, const Target *target) {
  Launch launch = {.file = -1};
  StringVec proxies = {0};
  Compilation job = {cx_new(), options, target, &launch, &proxies, NULL};
  job.trace = trace_new(job.cx->arena, options);
  configure(job.cx, options);
  const int status = run_traced(&job);
  fflush(stdout);
  diag_print_all(job.cx, diag_stream(job.cx->style), job.cx->style);
  bool has_failed = status != 0 || diag_error_count(job.cx) > 0;
  if (!has_failed && launch.file >= 0) has_failed = launch_execute(&launch, options);
  cx_free(job.cx);
  return has_failed;
}
