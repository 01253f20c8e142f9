/* Target: what a back end must supply. The driver picks one; passes read its properties and never
 * name it; nobody else includes a back end's headers.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "frontend/base/cx.h"

struct TreeProgram; /* ir/tree/tree.h */

/* Who updates strands; where there is no device, threads do; so do those of each rank. */
typedef enum { BY_ONE_THREAD, BY_THREADS, BY_DEVICE, BY_RANKS } Workers;

/* Whose devices. */
typedef enum { DEVICE_NONE, DEVICE_CUDA, DEVICE_HIP, DEVICE_KIND_COUNT } DeviceKind;

/* What the text of a program depends on besides the program. Text is the same byte for byte for
 * the same tree and options. */
typedef struct EmitOptions {
  Workers workers;     /* of the target */
  DeviceKind device;   /* of the target */
  const char *program; /* stem of the source file, without folders */
  const char *version; /* of the compiler: "1.2.3" */
  uint64_t identity;   /* a hash of all that decides what the program computes: text and options */
  const char *const *definitions; /* preprocessor symbols: "NAME VALUE", NULL-terminated; or NULL */
  bool with_line_marks;           /* #line directives that lead debuggers to the source */
  bool has_snapshots;             /* outputs can be had while the program runs */
  bool is_lockstep;               /* supersteps even where nobody can tell */
  bool is_scalar;                 /* one strand at a time, even where lanes would do */
  uint32_t n_gangs;               /* of lanes that take steps in turn; 0: as many as gain */
  bool is_unfused;                /* for processors without an instruction for a*b + c only */
  bool is_profiled;               /* the program reports where its time goes */
  bool is_traced;                 /* it can tell what each line gave one strand */
  bool has_device;                /* the text for devices is there, too */
  const char **update_note; /* set to how strands are updated, a few words; NULL: nobody asks */
} EmitOptions;

/* What a library is called, and how it came about. */
typedef struct LibraryNames {
  const char *prefix;           /* of its functions */
  const char *stem;             /* of its files, without folders */
  const char *source_file;      /* as named by the user */
  const char *command;          /* of the whole compilation */
  const char *const *libraries; /* that clients link besides: "teem", ...; ends in NULL */
} LibraryNames;

/* What a library consists of besides the program. */
typedef struct LibraryTexts {
  const char *functions; /* what clients call; includes STEM.h */
  const char *header;    /* for clients */
  const char *json;      /* for programs that load it */
  const char *visible;   /* the names of its functions: "NAME_*" */
} LibraryTexts;

/* What the text is compiled for. */
typedef struct BuildVariant {
  const char *name;        /* of a kind of processors, as --arch has it */
  const char *const *args; /* of the compiler */
} BuildVariant;

/* One run of the target's compiler. Paths are given as they go to it; lists end in NULL. What is
 * made is there whole or not at all, and replaces what was there. A path is NULL where nothing is
 * wanted. */
typedef struct BuildJob {
  const char *text;             /* what emit returned */
  const char *device_text;      /* what emit_device returned; NULL: nothing runs on devices */
  const BuildVariant *variants; /* one result has them all; ends in one without a name; NULL: what
                                 * the compiler does without being told */
  const LibraryTexts *library;  /* what describe returned; NULL: an executable */
  const char *executable;       /* to make */
  const char *object;           /* to make; of a library with the runtime in it, may be NULL */
  const char *source;           /* to keep the text under this name */
  const char *device_source;    /* and that for devices */
  const char *shared;           /* library: to make the shared object */
  const char *functions;        /* library: to keep the text of its functions */
  const char *header, *json;    /* library: to write; header is never NULL, and called STEM.h */
  const char *const *compile_args; /* where headers are */
  const char *runtime_library;     /* the archive to link */
  const char *shared_runtime;      /* the same, shared; NULL: it becomes part of what is made */
  DeviceKind device;               /* of the target */
  const char *device_library;      /* that for devices; NULL: this build has none */
  const char *device_release;      /* of the toolkit it was made with: "13.0"; NULL: not known */
  const char *const *rank_args;    /* that for several ranks, and what it needs; NULL: no ranks */
  const char *const *view_args;    /* that for diderotc view; NULL: the program is run by itself */
  const char *device_object;       /* what a target made of device_text, with that; NULL: nothing */
  const char *const *link_args;    /* what the runtime needs in turn */
  bool is_debug;                   /* for debuggers, else optimised */
  bool is_verbose;                 /* show the commands on standard error */
} BuildJob;

/* Where something lies, or the title of the places that follow. */
typedef struct MemoryPlace {
  const char *name;
  const char *type;       /* of its elements; NULL where that is known */
  const struct Ixfun *at; /* ir/index/ixfun.h; NULL: a title */
  bool is_part;           /* of the place before */
} MemoryPlace;

typedef struct Target {
  const char *name;          /* of --target */
  const char *suffix;        /* of a kept text: ".c" */
  const char *device_suffix; /* of one for devices; NULL where there are none */
  const char *meaning;       /* one line for --help */
  Workers workers;
  DeviceKind device; /* DEVICE_NONE: it makes nothing for devices */
  const char *(*emit)(Cx *cx, const struct TreeProgram *program, const EmitOptions *options);
  /* Where the program keeps what it keeps; ends in a place without a name. */
  const MemoryPlace *(*memory)(Cx *cx, const struct TreeProgram *program,
                               const EmitOptions *options);
  /* What runs on a device, as a file of its own; NULL with the reason in *obstacle where the
   * program cannot. NULL: the target has no devices. */
  const char *(*emit_device)(Cx *cx, const struct TreeProgram *program, const EmitOptions *options,
                             const char **obstacle);
  /* The texts of the library that the program is to be. */
  void (*describe)(Cx *cx, const struct TreeProgram *program, const EmitOptions *options,
                   const LibraryNames *names, LibraryTexts *texts);
  /* NULL when all was made, else one line saying why not; then what was there before is as it was.
   * Messages of the target's compiler itself go to stderr. */
  const char *(*build)(Cx *cx, const BuildJob *job);
  /* What decides the result besides the text: the commands, which compiler answers to its name, and
   * what machine that compiles for. NULL with one line in *error when it cannot be asked. */
  const char *(*identify)(Cx *cx, const BuildJob *job, const char **error);
} Target;
