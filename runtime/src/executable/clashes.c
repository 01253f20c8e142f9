/* clashes.c: see clashes.h.
 *
 * All files of the run are in one list: those that are read, then those that are written.  Each of
 * the latter is compared with all before it.  The snapshots of an output are one entry.
 */
#include "clashes.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "runtime/src/files/files.h"
#include "runtime/src/files/names.h"
#include "runtime/src/images/images.h"
#include "runtime/src/inputs/inputs.h"
#include "runtime/src/world/world.h"

typedef struct {
  char *name; /* a prefix for snapshots: without -NNNN.nrrd */
  char *role; /* for messages */
  bool is_series, is_checkpoint;
  bool exists, has_folder;
  struct stat info, folder;
} File;

typedef struct {
  File *files;
  size_t n_files;
  bool is_short; /* out of memory */
} List;

/* --- the list --------------------------------------------------------------------------------- */

static void look(File *file) {
  const size_t n = ddr_folder_length(file->name);
  char *folder = n > 0 ? ddr_format("%.*s", (int)n, file->name) : ddr_format(".");
  file->exists = !file->is_series && stat(file->name, &file->info) == 0;
  file->has_folder = folder && stat(folder, &file->folder) == 0;
  free(folder);
}

/* Takes over both texts. Standard input and output are not files. */
static void add(List *list, char *name, char *role, bool is_series) {
  File *files = NULL;
  const bool is_file = name && (is_series || strcmp(name, "-") != 0);
  if (name && role && is_file)
    files = realloc(list->files, (list->n_files + 1) * sizeof *list->files);
  if (files) {
    list->files = files;
    files[list->n_files] = (File){.name = name, .role = role, .is_series = is_series};
    look(&files[list->n_files++]);
    return;
  }
  list->is_short = list->is_short || !name || !role || is_file;
  free(name);
  free(role);
}

/* A checkpoint may replace the file that the run resumes from. */
static void add_checkpoint(List *list, const char *name, const char *role) {
  const size_t n_before = list->n_files;
  if (!name) return;
  add(list, ddr_format("%s", name), ddr_format("%s", role), false);
  if (list->n_files > n_before) list->files[n_before].is_checkpoint = true;
}

static void add_file(List *list, const char *name, char *role) {
  add(list, ddr_format("%s", name), role, false);
}

static void add_read(List *list, const ddr_world *world, const ddr_settings *settings) {
  const ddr_program *program = world->program;
  for (uint32_t k = 0; k < program->n_inputs; k++) {
    const ddr_input *input = &program->inputs[k];
    if (input->kind != DDR_IMAGE && input->kind != DDR_SEQUENCE) continue;
    const char *name = world->inputs[k].string ? world->inputs[k].string : input->default_file;
    if (name) add_file(list, name, ddr_format("the file of input \"%s\"", input->name));
  }
  add_checkpoint(list, settings->resume, "the checkpoint to resume from");
}

static const char of_output[] = "the file of output \"%s\"";
static const char of_snapshots[] = "one of the snapshots of \"%s\"";

static void add_output(List *list, const ddr_output *output, const char *name) {
  if (output->kind == DDR_SEQUENCE) {
    add(list, ddr_format("%s-len.nrrd", name), ddr_format(of_output, output->name), false);
    add(list, ddr_format("%s-data.nrrd", name), ddr_format(of_output, output->name), false);
    return;
  }
  add_file(list, name, ddr_format(of_output, output->name));
  if (ddr_nrrd_is_detached(name))
    add(list, ddr_nrrd_data_name(name), ddr_format("the data of output \"%s\"", output->name),
        false);
}

static void add_snapshots(List *list, const ddr_output *output, const char *prefix) {
  if (output->kind == DDR_SEQUENCE) {
    add(list, ddr_format("%s-len", prefix), ddr_format(of_snapshots, output->name), true);
    add(list, ddr_format("%s-data", prefix), ddr_format(of_snapshots, output->name), true);
  } else {
    add(list, ddr_format("%s", prefix), ddr_format(of_snapshots, output->name), true);
  }
}

static void add_written(List *list, const ddr_world *world, const ddr_settings *settings) {
  const ddr_program *program = world->program;
  const bool has_outputs = !settings->trace;
  add_file(list, settings->print_file, ddr_format("the file of -print"));
  for (uint32_t k = 0; has_outputs && k < program->n_outputs; k++) {
    add_output(list, &program->outputs[k], settings->output_files[k]);
    if (settings->period > 0)
      add_snapshots(list, &program->outputs[k], settings->snapshot_prefixes[k]);
  }
  add_checkpoint(list, settings->checkpoint, "the checkpoint");
  if (has_outputs && program->profile)
    add(list, ddr_format("%s.profile.html", program->name), ddr_format("the profile"), false);
}

static void clear(List *list) {
  for (size_t k = 0; k < list->n_files; k++) {
    free(list->files[k].name);
    free(list->files[k].role);
  }
  free(list->files);
}

/* --- comparing -------------------------------------------------------------------------------- */

static bool is_same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static const char *base_of(const File *file) { return file->name + ddr_folder_length(file->name); }

/* Whether the text ends like a snapshot: -NNNN.nrrd */
static bool ends_snapshot(const char *text) {
  const size_t n_digits = *text == '-' ? strspn(text + 1, "0123456789") : 0;
  return n_digits >= 4 && strcmp(text + 1 + n_digits, ".nrrd") == 0;
}

static bool has_member(const File *series, const File *file) {
  const size_t n = strlen(base_of(series));
  return strncmp(base_of(file), base_of(series), n) == 0 && ends_snapshot(base_of(file) + n);
}

static bool are_one(const File *a, const File *b) {
  if (a->is_checkpoint && b->is_checkpoint) return false;
  if (a->exists && b->exists) return S_ISREG(a->info.st_mode) && is_same(&a->info, &b->info);
  if (!a->has_folder || !b->has_folder || !is_same(&a->folder, &b->folder)) return false;
  if (a->is_series && !b->is_series) return has_member(a, b);
  if (b->is_series && !a->is_series) return has_member(b, a);
  return strcmp(base_of(a), base_of(b)) == 0;
}

ddr_status ddr_clashes_check(ddr_world *world, const ddr_settings *settings) {
  List list = {0};
  ddr_status status = DDR_OK;
  add_read(&list, world, settings);
  const size_t n_read = list.n_files;
  add_written(&list, world, settings);
  if (list.is_short) status = ddr_error(world, "out of memory");
  for (size_t k = n_read; k < list.n_files && status == DDR_OK; k++) {
    const File *file = &list.files[k];
    for (size_t j = 0; j < k && status == DDR_OK; j++) {
      const File *other = &list.files[j];
      if (!are_one(other, file)) continue;
      const File *named = file->is_series ? other : file;
      status = ddr_error(world, "\"%s\" is %s and also %s", named->name, other->role, file->role);
    }
  }
  clear(&list);
  return status;
}

/* Those that the program names. */
static void add_named(List *list, const ddr_world *world) {
  for (const ddr_named_file *named = world->images->named; named; named = named->next)
    if (named->file && named->global)
      add_file(list, named->file, ddr_format("the file of global \"%s\"", named->global));
}

/* Outputs whose files have their default names. */
static void add_unnamed(List *list, const ddr_world *world, const ddr_settings *settings) {
  for (uint32_t k = 0; k < world->program->n_outputs; k++)
    if (settings->output_files[k] == settings->default_files[k])
      add_output(list, &world->program->outputs[k], settings->output_files[k]);
}

void ddr_clashes_warn(ddr_world *world, const ddr_settings *settings) {
  List list = {0};
  add_named(&list, world);
  const size_t n_named = list.n_files;
  add_unnamed(&list, world, settings);
  for (size_t k = n_named; k < list.n_files; k++) {
    const File *file = &list.files[k];
    for (size_t j = 0; j < n_named; j++) {
      if (!are_one(&list.files[j], file)) continue;
      ddr_note(world, "Warning: \"%s\" is %s, and %s replaces it", list.files[j].name,
               list.files[j].role, file->role);
      break;
    }
  }
  clear(&list);
}
